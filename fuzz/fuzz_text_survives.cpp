// SPDX-License-Identifier: Apache-2.0
//
// See text_survives in claims.h.

#include "fuzz/entry.h"

HURRAY_FUZZ(text_survives, nullptr)
