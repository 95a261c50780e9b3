# SPDX-License-Identifier: Apache-2.0
#
# Linux on s390x by Debian's cross compiler. Programs are linked statically, so that qemu-s390x needs nothing else.

set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR s390x)
set(CMAKE_C_COMPILER s390x-linux-gnu-gcc)
set(CMAKE_CXX_COMPILER s390x-linux-gnu-g++)
set(CMAKE_EXE_LINKER_FLAGS_INIT -static)
