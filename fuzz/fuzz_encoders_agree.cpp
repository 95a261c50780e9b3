// SPDX-License-Identifier: Apache-2.0
//
// See encoders_agree in claims.h.

#include "fuzz/entry.h"

HURRAY_FUZZ(encoders_agree, hurray::fuzz::encode_request)
