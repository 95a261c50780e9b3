// SPDX-License-Identifier: Apache-2.0
//
// See quantize_agrees in claims.h.

#include "fuzz/entry.h"

HURRAY_FUZZ(quantize_agrees, hurray::fuzz::quantize_request)
