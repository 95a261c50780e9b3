// SPDX-License-Identifier: Apache-2.0
//
// How little does it take to be judged? A reader of per-tensor affine descriptors and a dequantizer
// for int8 and uint8 in one file. conformance/PORTING.md builds it and has it judged.
//
// To attach a library of your own, keep the table at the end and let its functions call yours.

#include <hurray/hurray_target.h>

// Bytes may lie at any address and have their least significant one first.
static uint32_t load_u32(const uint8_t* bytes) {
  return bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

// The zero points that a storage type allows. A reader has to know the types 10 to 15, even if its
// kernels do not.
static const struct {
  uint8_t tag;
  int32_t lowest, highest;
} kTypes[] = {{0x10, -128, 127},
              {0x11, 0, 255},
              {0x12, -32768, 32767},
              {0x13, 0, 65535},
              {0x14, INT32_MIN, INT32_MAX},
              {0x15, 0, INT32_MAX}};

static int zero_point_fits(uint8_t tag, int32_t zero_point) {
  for (size_t i = 0; i < sizeof kTypes / sizeof kTypes[0]; ++i) {
    if (kTypes[i].tag == tag) {
      return zero_point >= kTypes[i].lowest && zero_point <= kTypes[i].highest;
    }
  }
  return 0;
}

static hurray_status decode(uint8_t type_tag, const uint8_t* bytes, size_t length,
                            struct hurray_descriptor* out) {
  if (length < 16) return HURRAY_REJECTED;
  if (bytes[0] != 1 || bytes[1] != 1) return HURRAY_REJECTED;  // scheme and its version
  if (bytes[2] != 0 || bytes[3] != 0) return HURRAY_REJECTED;  // flags
  if (load_u32(bytes + 12) != 0) return HURRAY_REJECTED;       // reserved
  const union {
    uint32_t bits;
    float value;
  } scale = {load_u32(bytes + 4)};
  // By its bits: for a caller that flushes subnormals, the smallest scales would compare equal to
  // 0.
  const uint32_t magnitude = scale.bits & 0x7fffffff;
  if (magnitude == 0 || magnitude >= 0x7f800000) return HURRAY_REJECTED;
  const int32_t zero_point = (int32_t)load_u32(bytes + 8);
  if (!zero_point_fits(type_tag, zero_point)) return HURRAY_REJECTED;

  const struct hurray_descriptor result = {
      .scheme_tag = 1, .scale = scale.value, .zero_point = zero_point};
  *out = result;  // only now: a refusal leaves the output as it was
  return HURRAY_OK;
}

static hurray_status dequantize(uint8_t type_tag, float scale, int32_t zero_point, const void* q,
                                float* out, size_t count) {
  if (type_tag != 0x10 && type_tag != 0x11) return HURRAY_UNSUPPORTED;
  if (!zero_point_fits(type_tag, zero_point)) return HURRAY_REJECTED;
  const uint8_t* codes = q;
  for (size_t i = 0; i < count; ++i) {
    const int32_t code = type_tag == 0x10 ? (int8_t)codes[i] : codes[i];
    out[i] = scale * (float)(code - zero_point);
  }
  return HURRAY_OK;
}

const struct hurray_target hurray_target = {
    .struct_bytes = sizeof(struct hurray_target),
    .abi = HURRAY_TARGET_ABI,
    .name = "minimal",
    .version = "1",
    .contracts = HURRAY_CONTRACT_HURRAY,
    .schemes = HURRAY_SCHEME_PER_TENSOR_AFFINE,
    .modes = HURRAY_MODE_STRICT,
    .decode_types = HURRAY_TYPE_INT8 | HURRAY_TYPE_UINT8 | HURRAY_TYPE_INT16 | HURRAY_TYPE_UINT16 |
                    HURRAY_TYPE_INT32 | HURRAY_TYPE_UINT32,
    .dequantize_types = HURRAY_TYPE_INT8 | HURRAY_TYPE_UINT8,
    .decode = decode,
    .dequantize = dequantize,
};
