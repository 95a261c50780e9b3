# SPDX-License-Identifier: Apache-2.0
#
# Cortex-M85 with Helium by clang 19. QEMU has no model of it: the image runs on that of a Cortex-M55.

set(HURRAY_MACHINE mps3-an547)
set(HURRAY_CPU -mcpu=cortex-m85 -mfloat-abi=hard)
set(HURRAY_HARNESS_FLAGS -mcpu=cortex-m85+nomve)  # QEMU is slow at Helium, and what serves need not be
set(HURRAY_HELPERS arm-none-eabi-gcc -mthumb -mcpu=cortex-m55 -mfloat-abi=hard)
include(${CMAKE_CURRENT_LIST_DIR}/toolchain-clang.cmake)
