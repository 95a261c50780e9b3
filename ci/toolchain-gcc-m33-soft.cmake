# SPDX-License-Identifier: Apache-2.0
#
# Cortex-M33 whose floating-point unit stays off: gcc's library does the arithmetic, in integers.

set(HURRAY_MACHINE mps2-an505)
set(HURRAY_CPU -mcpu=cortex-m33+nofp -mfloat-abi=soft)
include(${CMAKE_CURRENT_LIST_DIR}/toolchain-gcc.cmake)
