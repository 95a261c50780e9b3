# SPDX-License-Identifier: Apache-2.0
#
# Linux on s390x by Debian's cross compiler. What it links runs as `qemu-s390x -L /usr/s390x-linux-gnu PROGRAM`.

set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR s390x)
set(CMAKE_C_COMPILER s390x-linux-gnu-gcc)
set(CMAKE_CXX_COMPILER s390x-linux-gnu-g++)
set(CMAKE_LIBRARY_ARCHITECTURE s390x-linux-gnu)
# OpenSSL's headers lie in two folders. Its library is linked statically, as the folder of that is no part of what is
# given to the emulator.
set(CMAKE_TRY_COMPILE_PLATFORM_VARIABLES CMAKE_FIND_ROOT_PATH)
foreach(root IN LISTS CMAKE_FIND_ROOT_PATH)
  string(APPEND CMAKE_CXX_FLAGS_INIT " -isystem ${root}/usr/include/${CMAKE_LIBRARY_ARCHITECTURE}")
endforeach()
set(OPENSSL_USE_STATIC_LIBS ON)
