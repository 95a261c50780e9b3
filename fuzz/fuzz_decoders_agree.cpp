// SPDX-License-Identifier: Apache-2.0
//
// See decoders_agree in claims.h.

#include "fuzz/entry.h"

HURRAY_FUZZ(decoders_agree, hurray::fuzz::decode_request)
