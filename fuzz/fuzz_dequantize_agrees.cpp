// SPDX-License-Identifier: Apache-2.0
//
// See dequantize_agrees in claims.h.

#include "fuzz/entry.h"

HURRAY_FUZZ(dequantize_agrees, hurray::fuzz::dequantize_request)
