// SPDX-License-Identifier: Apache-2.0
//
// Which verbs are there, and which keys does each one take?
//
// The tables in kit_keys.c are the kit's list; conformance/PROTOCOL.md says what they mean.

#ifndef HURRAY_KIT_KEYS_H
#define HURRAY_KIT_KEYS_H

#include <stdint.h>

enum kit_verb {
  kVerbHello,
  kVerbDecode,
  kVerbEncode,
  kVerbDequantize,
  kVerbQuantize,
  kVerbNormalize,
  kVerbRa8,
  kVerbSweep,
  kVerbPack,
  kVerbUnpack,
  kVerbPackedBytes,
  kVerbWiden,
  kVerbConvert,
  kVerbDecodeTensor,
  kVerbEncodeTensor,
  kVerbDequantizeTensor,
  kVerbCount
};

// As keys mostly come in this order, the next one is mostly found at the first look.
enum kit_key {
  kKeyType,
  kKeyScale,
  kKeyZeroPoint,
  kKeyCount,
  kKeyQ,
  kKeyIn,
  kKeyBytes,
  kKeyScheme,
  kKeyFn,
  kKeyBits,
  kKeyBias,
  kKeyOrder,
  kKeyPacked,
  kKeyFill,
  kKeyInOff,
  kKeyOutOff,
  kKeyGuard,
  kKeyNull,
  kKeyFenv,
  kKeyThreads,
  kKeyVersion,
  kKeyOp,
  kKeyFirst,
  kKeyCapacity,
  kKeyRepeat,
  kKeyValues,
  kKeyFlags,
  kKeyAxis,
  kKeyBlockSize,
  kKeyScaleBufferIndex,
  kKeyZeroPointBufferIndex,
  kKeyScaleTypeTag,
  kKeyMode,
  kKeyLayout,
  kKeyByteOffset,
  kKeyMemberRole,
  kKeyGroupSize,
  kKeyGroupMajor,
  kKeyWordBytes,
  // From here on arrays, of verbs that take several.
  kKeyShape,
  kKeyStrides,
  kKeyBuffers,
  kKeyParentShape,
  kKeyShardOffset,
  kKeyStatistics,
  kKeyExtensionType,
  kKeyWeights,
  kKeyScales,
  kKeyPlane,
  kKeyGroupIndex,
  kKeySuperScales,
  kKeyBuffer0,
  kKeyBuffer9 = kKeyBuffer0 + 9,
  kKeyTotal
};

enum { kFirstArray = kKeyShape, kArrayTotal = kKeyTotal - kFirstArray };
enum { kMostBuffers = kKeyBuffer9 - kKeyBuffer0 + 1 };

// A set of keys has one bit for each.
#define HURRAY_KIT_KEY(key) (UINT64_C(1) << (key))

struct kit_key_row {
  char name[24];
  uint8_t length;
};
extern const struct kit_key_row hurray_kit_keys[kKeyTotal];

struct kit_verb_row {
  const char* name;
  uint64_t required;
  uint64_t optional;
};
extern const struct kit_verb_row hurray_kit_verbs[kVerbCount];

// The fields of a quantization descriptor of this scheme; those of no known scheme are none.
uint64_t hurray_kit_scheme_keys(uint8_t scheme);
// The fields of all schemes together.
#define HURRAY_KIT_SCHEME_KEYS                                                             \
  (HURRAY_KIT_KEY(kKeyScale) | HURRAY_KIT_KEY(kKeyZeroPoint) | HURRAY_KIT_KEY(kKeyFlags) | \
   HURRAY_KIT_KEY(kKeyAxis) | HURRAY_KIT_KEY(kKeyBlockSize) |                              \
   HURRAY_KIT_KEY(kKeyScaleBufferIndex) | HURRAY_KIT_KEY(kKeyZeroPointBufferIndex) |       \
   HURRAY_KIT_KEY(kKeyScaleTypeTag))

#endif  // HURRAY_KIT_KEYS_H
