// SPDX-License-Identifier: Apache-2.0
//
// See tensors_agree in claims.h.

#include "fuzz/entry.h"

HURRAY_FUZZ(tensors_agree, hurray::fuzz::tensor_request)
