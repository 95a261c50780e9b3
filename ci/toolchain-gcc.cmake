# SPDX-License-Identifier: Apache-2.0
#
# Debian's arm-none-eabi-gcc, whatever the processor; included by the toolchain files that name one.

set(CMAKE_SYSTEM_NAME Generic)
set(CMAKE_SYSTEM_PROCESSOR arm)
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)
set(CMAKE_C_COMPILER arm-none-eabi-gcc)
set(CMAKE_CXX_COMPILER arm-none-eabi-g++)
list(JOIN HURRAY_CPU " " flags)
set(CMAKE_C_FLAGS_INIT "-mthumb ${flags}")
set(CMAKE_CXX_FLAGS_INIT "-mthumb ${flags}")
set(HURRAY_HELPERS arm-none-eabi-gcc -mthumb ${HURRAY_CPU})
