// SPDX-License-Identifier: Apache-2.0
//
// See conversions_agree in claims.h.

#include "fuzz/entry.h"

HURRAY_FUZZ(conversions_agree, nullptr)
