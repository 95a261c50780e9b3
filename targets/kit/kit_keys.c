// SPDX-License-Identifier: Apache-2.0
//
// Which verbs are there, and which keys does each one take?

#include "kit_keys.h"

#define KEY HURRAY_KIT_KEY

const struct kit_key_row hurray_kit_keys[kKeyTotal] = {
    [kKeyType] = {"type", 4},
    [kKeyScale] = {"scale", 5},
    [kKeyZeroPoint] = {"zero_point", 10},
    [kKeyCount] = {"count", 5},
    [kKeyQ] = {"q", 1},
    [kKeyIn] = {"in", 2},
    [kKeyBytes] = {"bytes", 5},
    [kKeyScheme] = {"scheme", 6},
    [kKeyFn] = {"fn", 2},
    [kKeyBits] = {"bits", 4},
    [kKeyBias] = {"bias", 4},
    [kKeyOrder] = {"order", 5},
    [kKeyPacked] = {"packed", 6},
    [kKeyFill] = {"fill", 4},
    [kKeyInOff] = {"in_off", 6},
    [kKeyOutOff] = {"out_off", 7},
    [kKeyGuard] = {"guard", 5},
    [kKeyNull] = {"null", 4},
    [kKeyFenv] = {"fenv", 4},
    [kKeyThreads] = {"threads", 7},
    [kKeyVersion] = {"version", 7},
    [kKeyOp] = {"op", 2},
    [kKeyFirst] = {"first", 5},
    [kKeyCapacity] = {"capacity", 8},
    [kKeyRepeat] = {"repeat", 6},
    [kKeyValues] = {"values", 6},
    [kKeyFlags] = {"flags", 5},
    [kKeyAxis] = {"axis", 4},
    [kKeyBlockSize] = {"block_size", 10},
    [kKeyScaleBufferIndex] = {"scale_buffer_index", 18},
    [kKeyZeroPointBufferIndex] = {"zero_point_buffer_index", 23},
    [kKeyScaleTypeTag] = {"scale_type_tag", 14},
    [kKeyMode] = {"mode", 4},
    [kKeyLayout] = {"layout", 6},
    [kKeyByteOffset] = {"byte_offset", 11},
    [kKeyMemberRole] = {"member_role", 11},
    [kKeyGroupSize] = {"group_size", 10},
    [kKeyGroupMajor] = {"group_major", 11},
    [kKeyWordBytes] = {"word_bytes", 10},
    [kKeyShape] = {"shape", 5},
    [kKeyStrides] = {"strides", 7},
    [kKeyBuffers] = {"buffers", 7},
    [kKeyParentShape] = {"parent_shape", 12},
    [kKeyShardOffset] = {"shard_offset", 12},
    [kKeyStatistics] = {"statistics", 10},
    [kKeyExtensionType] = {"extension_type", 14},
    [kKeyWeights] = {"weights", 7},
    [kKeyScales] = {"scales", 6},
    [kKeyPlane] = {"plane", 5},
    [kKeyGroupIndex] = {"group_index", 11},
    [kKeySuperScales] = {"super_scales", 12},
    [kKeyBuffer0] = {"b0", 2},
    [kKeyBuffer0 + 1] = {"b1", 2},
    [kKeyBuffer0 + 2] = {"b2", 2},
    [kKeyBuffer0 + 3] = {"b3", 2},
    [kKeyBuffer0 + 4] = {"b4", 2},
    [kKeyBuffer0 + 5] = {"b5", 2},
    [kKeyBuffer0 + 6] = {"b6", 2},
    [kKeyBuffer0 + 7] = {"b7", 2},
    [kKeyBuffer0 + 8] = {"b8", 2},
    [kKeyBuffer9] = {"b9", 2},
};

#define DISCIPLINE                                                                     \
  (KEY(kKeyFill) | KEY(kKeyInOff) | KEY(kKeyOutOff) | KEY(kKeyGuard) | KEY(kKeyFenv) | \
   KEY(kKeyThreads))
#define ARRAYS (DISCIPLINE | KEY(kKeyRepeat))
#define PARAMETERS (KEY(kKeyScale) | KEY(kKeyZeroPoint) | KEY(kKeyCount))
#define ELEMENTS (KEY(kKeyType) | KEY(kKeyCount))
#define PLANE_FORMAT (KEY(kKeyBits) | KEY(kKeyBias) | KEY(kKeyOrder))
#define TEN_BUFFERS (UINT64_C(0x3ff) << kKeyBuffer0)

const struct kit_verb_row hurray_kit_verbs[kVerbCount] = {
    [kVerbHello] = {"hello", KEY(kKeyVersion), 0},
    [kVerbDecode] = {"decode", KEY(kKeyType) | KEY(kKeyBytes), DISCIPLINE},
    // The scheme decides which of its fields are required.
    [kVerbEncode] = {"encode", KEY(kKeyType) | KEY(kKeyScheme),
                     HURRAY_KIT_SCHEME_KEYS | DISCIPLINE | KEY(kKeyCapacity)},
    [kVerbDequantize] = {"dequantize", KEY(kKeyType) | PARAMETERS | KEY(kKeyQ), ARRAYS},
    [kVerbQuantize] = {"quantize", KEY(kKeyType) | PARAMETERS | KEY(kKeyIn), ARRAYS},
    [kVerbNormalize] = {"normalize", PLANE_FORMAT | KEY(kKeyCount) | KEY(kKeyPacked), ARRAYS},
    [kVerbRa8] = {"ra8", KEY(kKeyFn) | PARAMETERS | KEY(kKeyIn), ARRAYS | KEY(kKeyNull)},
    [kVerbSweep] = {"sweep", PARAMETERS | KEY(kKeyFirst),
                    KEY(kKeyOp) | KEY(kKeyType) | KEY(kKeyFn)},
    [kVerbPack] = {"pack", ELEMENTS | KEY(kKeyValues), ARRAYS},
    [kVerbUnpack] = {"unpack", ELEMENTS | KEY(kKeyPacked), ARRAYS},
    [kVerbPackedBytes] = {"packed_bytes", ELEMENTS, DISCIPLINE},
    [kVerbWiden] = {"widen", ELEMENTS | KEY(kKeyPacked), ARRAYS},
    [kVerbConvert] = {"convert",
                      KEY(kKeyType) | KEY(kKeyShape) | KEY(kKeyAxis) | KEY(kKeyGroupSize) |
                          PLANE_FORMAT | KEY(kKeyGroupMajor) | KEY(kKeyWordBytes) |
                          KEY(kKeyScaleTypeTag) | KEY(kKeyWeights) | KEY(kKeyScales) |
                          KEY(kKeyPlane),
                      KEY(kKeyGroupIndex) | KEY(kKeySuperScales) | KEY(kKeyFill) | KEY(kKeyInOff) |
                          KEY(kKeyOutOff) | KEY(kKeyGuard) | KEY(kKeyThreads)},
    [kVerbDecodeTensor] = {"decode_tensor", KEY(kKeyBytes),
                           KEY(kKeyMode) | KEY(kKeyGuard) | KEY(kKeyFill) | KEY(kKeyInOff) |
                               KEY(kKeyThreads)},
    [kVerbEncodeTensor] = {"encode_tensor",
                           KEY(kKeyType) | KEY(kKeyLayout) | KEY(kKeyShape) | KEY(kKeyByteOffset) |
                               KEY(kKeyBuffers),
                           KEY(kKeyStrides) | KEY(kKeyScheme) | HURRAY_KIT_SCHEME_KEYS |
                               KEY(kKeyParentShape) | KEY(kKeyShardOffset) | KEY(kKeyStatistics) |
                               KEY(kKeyMemberRole) | KEY(kKeyExtensionType) | KEY(kKeyFill) |
                               KEY(kKeyCapacity) | KEY(kKeyOutOff) | KEY(kKeyGuard) |
                               KEY(kKeyThreads)},
    [kVerbDequantizeTensor] = {"dequantize_tensor", KEY(kKeyBytes) | KEY(kKeyCount),
                               KEY(kKeyMode) | KEY(kKeyGuard) | KEY(kKeyFill) | TEN_BUFFERS |
                                   KEY(kKeyOutOff) | KEY(kKeyThreads)},
};

uint64_t hurray_kit_scheme_keys(uint8_t scheme) {
  switch (scheme) {
    case 1:
      return KEY(kKeyScale) | KEY(kKeyZeroPoint);
    case 2:
      return KEY(kKeyFlags) | KEY(kKeyAxis) | KEY(kKeyScaleBufferIndex) |
             KEY(kKeyZeroPointBufferIndex) | KEY(kKeyScaleTypeTag);
    case 3:
      return KEY(kKeyFlags) | KEY(kKeyAxis) | KEY(kKeyBlockSize) | KEY(kKeyScaleBufferIndex) |
             KEY(kKeyZeroPointBufferIndex) | KEY(kKeyScaleTypeTag);
    case 4:
    case 5:
      return KEY(kKeyAxis) | KEY(kKeyBlockSize) | KEY(kKeyScaleBufferIndex);
    default:
      return 0;
  }
}
