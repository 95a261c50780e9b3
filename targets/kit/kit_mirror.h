// SPDX-License-Identifier: Apache-2.0
//
// Which tensor is another one, and as valid?
//
// Its mirror image: all dimensions in reverse order, and the axis with them. As many elements,
// channels and blocks, so that all sizes stay right. Where a tensor is its own image, scale and
// alignments still differ. Made for calls that disturb each other; what comes of it is not judged.

#ifndef HURRAY_KIT_MIRROR_H
#define HURRAY_KIT_MIRROR_H

#include <stddef.h>

#include "hurray_target.h"

#ifdef __cplusplus
extern "C" {
#endif

// Of a struct, and of the bytes of a descriptor, which may be any bytes.
void hurray_kit_mirror_tensor(struct hurray_tensor* tensor);
void hurray_kit_mirror_bytes(uint8_t* bytes, size_t length);

#ifdef __cplusplus
}
#endif

#endif  // HURRAY_KIT_MIRROR_H
