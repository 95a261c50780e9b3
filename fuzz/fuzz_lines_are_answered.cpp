// SPDX-License-Identifier: Apache-2.0
//
// See lines_are_answered in claims.h.

#include "fuzz/entry.h"

HURRAY_FUZZ(lines_are_answered, nullptr)
