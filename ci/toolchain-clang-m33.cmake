# SPDX-License-Identifier: Apache-2.0
#
# Cortex-M33 with its unit for single precision, by clang 19.

set(HURRAY_MACHINE mps2-an505)
set(HURRAY_CPU -mcpu=cortex-m33 -mfloat-abi=hard)
set(HURRAY_HELPERS arm-none-eabi-gcc -mthumb ${HURRAY_CPU})
include(${CMAKE_CURRENT_LIST_DIR}/toolchain-clang.cmake)
