# SPDX-License-Identifier: Apache-2.0
#
# Cortex-M85 by clang 19, in which no loop becomes Helium instructions.

set(HURRAY_MACHINE mps3-an547)
set(HURRAY_CPU -mcpu=cortex-m85+nomve -mfloat-abi=hard)
set(HURRAY_HELPERS arm-none-eabi-gcc -mthumb -mcpu=cortex-m55 -mfloat-abi=hard)
include(${CMAKE_CURRENT_LIST_DIR}/toolchain-clang.cmake)
