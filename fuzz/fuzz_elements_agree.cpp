// SPDX-License-Identifier: Apache-2.0
//
// See elements_agree in claims.h.

#include "fuzz/entry.h"

HURRAY_FUZZ(elements_agree, hurray::fuzz::elements_request)
