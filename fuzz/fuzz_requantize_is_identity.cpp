// SPDX-License-Identifier: Apache-2.0
//
// See requantize_is_identity in claims.h.

#include "fuzz/entry.h"

HURRAY_FUZZ(requantize_is_identity, hurray::fuzz::dequantize_request)
