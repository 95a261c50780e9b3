# SPDX-License-Identifier: Apache-2.0
#
# Cortex-M33 with its unit for single precision, by gcc.

set(HURRAY_MACHINE mps2-an505)
set(HURRAY_CPU -mcpu=cortex-m33 -mfloat-abi=hard)
include(${CMAKE_CURRENT_LIST_DIR}/toolchain-gcc.cmake)
