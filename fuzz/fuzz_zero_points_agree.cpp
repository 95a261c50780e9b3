// SPDX-License-Identifier: Apache-2.0
//
// See zero_points_agree in claims.h.

#include "fuzz/entry.h"

HURRAY_FUZZ(zero_points_agree, hurray::fuzz::zero_points_request)
