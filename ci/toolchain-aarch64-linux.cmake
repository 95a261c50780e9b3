# SPDX-License-Identifier: Apache-2.0
#
# Linux on aarch64 by Debian's cross compiler. Programs are linked statically, so that qemu-aarch64 needs nothing else.

set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_C_COMPILER aarch64-linux-gnu-gcc)
set(CMAKE_CXX_COMPILER aarch64-linux-gnu-g++)
set(CMAKE_EXE_LINKER_FLAGS_INIT -static)
