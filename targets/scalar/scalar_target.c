// SPDX-License-Identifier: Apache-2.0
//
// What does the scalar target claim? Contracts hurray and ra8, all five schemes and their storage
// types, strict and permissive; every operation; of element types all but the complex and 128-bit
// ones; dense layouts.

#include "scalar.h"

const struct hurray_ra8_functions hurray_scalar_ra8 = {HURRAY_SCALAR_RA8_MEMBERS};

const struct hurray_target HURRAY_TARGET_SYMBOL = {HURRAY_SCALAR_MEMBERS};
