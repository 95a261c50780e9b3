# SPDX-License-Identifier: Apache-2.0
#
# clang 19 for bare metal, whatever the processor; included by the toolchain files that name one.

set(CMAKE_SYSTEM_NAME Generic)
set(CMAKE_SYSTEM_PROCESSOR arm)
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)
set(CMAKE_C_COMPILER clang-19)
set(CMAKE_CXX_COMPILER clang++-19)
set(CMAKE_ASM_COMPILER clang-19)
set(CMAKE_C_COMPILER_TARGET arm-none-eabi)
set(CMAKE_CXX_COMPILER_TARGET arm-none-eabi)
list(JOIN HURRAY_CPU " " flags)
set(CMAKE_C_FLAGS_INIT "-mthumb ${flags}")
set(CMAKE_CXX_FLAGS_INIT "-mthumb ${flags}")
set(CMAKE_EXE_LINKER_FLAGS_INIT -fuse-ld=lld)
