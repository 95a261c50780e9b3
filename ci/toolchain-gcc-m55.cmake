# SPDX-License-Identifier: Apache-2.0
#
# Cortex-M55 by gcc, whose version 12 knows no Cortex-M85 and turns no loop into Helium float instructions.

set(HURRAY_MACHINE mps3-an547)
set(HURRAY_CPU -mcpu=cortex-m55 -mfloat-abi=hard)
include(${CMAKE_CURRENT_LIST_DIR}/toolchain-gcc.cmake)
