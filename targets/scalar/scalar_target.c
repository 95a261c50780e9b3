// SPDX-License-Identifier: Apache-2.0
//
// What does the scalar target claim? Contracts hurray and ra8, scheme 01 in strict mode, all ten
// storage types. Operations on whole tensors and the packing helpers are not claimed.

#include "scalar.h"

const struct hurray_ra8_functions hurray_scalar_ra8 = {HURRAY_SCALAR_RA8_MEMBERS};

const struct hurray_target HURRAY_TARGET_SYMBOL = {HURRAY_SCALAR_MEMBERS};
