// SPDX-License-Identifier: Apache-2.0
//
// Elements to reals and back, for all ten storage types of per-tensor affine (HQ-PTA-018 to 021,
// HQ-PACK-004 to 009; quantizing by the firmware's rule, RA8-Q-003 to 005).
// Types of up to 16 bits share one path: blocks of codes stream through 32-bit words and meet plain
// loops in int32. 32-bit types have their own loops in int64: the difference is never wrapped and
// uint32 codes are unsigned (rulings A01, A02).

#include "scalar.h"
#include "scalar_bits.h"

enum { kBlock = 64 };  // whole words for every width

// Splits `count` packed codes of `bits` bits into integers. Inlined with a constant width.
static inline void unpack_codes(const uint8_t* p, uint32_t bits, uint32_t sign_bit, size_t count,
                                int32_t* codes) {
  const size_t per_word = 32 / bits;
  const uint32_t mask = (1u << bits) - 1u;
  for (size_t done = 0; done < count; done += per_word) {
    const uint8_t* const at = p + done / per_word * 4;
    const size_t n = count - done < per_word ? count - done : per_word;
    uint32_t word = n == per_word ? load_le32(at) : load_le32_part(at, (n * bits + 7) / 8);
    for (size_t i = 0; i < n; ++i) {
      codes[done + i] = (int32_t)((word & mask) ^ sign_bit) - (int32_t)sign_bit;
      word >>= bits;
    }
  }
}

static inline void pack_codes(const int32_t* codes, uint32_t bits, size_t count, uint8_t* p) {
  const size_t per_word = 32 / bits;
  const uint32_t mask = (1u << bits) - 1u;
  for (size_t done = 0; done < count; done += per_word) {
    uint8_t* const at = p + done / per_word * 4;
    const size_t n = count - done < per_word ? count - done : per_word;
    uint32_t word = 0;
    for (size_t i = 0; i < n; ++i) word |= ((uint32_t)codes[done + i] & mask) << (i * bits);
    if (n == per_word) {
      store_le32(at, word);
    } else {
      store_le32_part(at, (n * bits + 7) / 8, word);
    }
  }
}

static void unpack_block(const struct hurray_scalar_type* type, const uint8_t* p, size_t count,
                         int32_t* codes) {
  switch (type->bits) {
    case 2:
      unpack_codes(p, 2, type->sign_bit, count, codes);
      break;
    case 4:
      unpack_codes(p, 4, type->sign_bit, count, codes);
      break;
    case 8:
      unpack_codes(p, 8, type->sign_bit, count, codes);
      break;
    default:
      unpack_codes(p, 16, type->sign_bit, count, codes);
      break;
  }
}

static void pack_block(const struct hurray_scalar_type* type, const int32_t* codes, size_t count,
                       uint8_t* p) {
  switch (type->bits) {
    case 2:
      pack_codes(codes, 2, count, p);
      break;
    case 4:
      pack_codes(codes, 4, count, p);
      break;
    case 8:
      pack_codes(codes, 8, count, p);
      break;
    default:
      pack_codes(codes, 16, count, p);
      break;
  }
}

static void dequantize_narrow(const struct hurray_scalar_type* type, float scale,
                              int32_t zero_point, const uint8_t* q, float* out, size_t count) {
  int32_t codes[kBlock];
  for (size_t done = 0; done < count;) {
    const size_t n = count - done < kBlock ? count - done : kBlock;
    unpack_block(type, q + done / 8 * type->bits, n, codes);
    for (size_t i = 0; i < n; ++i) out[done + i] = scale * (float)(codes[i] - zero_point);
    done += n;
  }
}

static void dequantize_wide(const struct hurray_scalar_type* type, float scale, int32_t zero_point,
                            const uint8_t* q, float* out, size_t count) {
  for (size_t i = 0; i < count; ++i) {
    const uint32_t word = load_le32(q + 4 * i);
    const int64_t code = (int64_t)(word ^ type->sign_bit) - (int64_t)type->sign_bit;
    out[i] = scale * (float)(code - zero_point);
  }
}

static void quantize_narrow(const struct hurray_scalar_type* type, float scale, int32_t zero_point,
                            const float* in, uint8_t* q, size_t count) {
  const int32_t min = (int32_t)type->min;
  const int32_t max = (int32_t)type->max;
  int32_t codes[kBlock];
  for (size_t done = 0; done < count;) {
    const size_t n = count - done < kBlock ? count - done : kBlock;
    for (size_t i = 0; i < n; ++i) {
      const int32_t code = round_away_i32(in[done + i] / scale, ROUND_LIMIT_NARROW) + zero_point;
      codes[i] = code < min ? min : code > max ? max : code;
    }
    pack_block(type, codes, n, q + done / 8 * type->bits);
    done += n;
  }
}

static void quantize_wide(const struct hurray_scalar_type* type, float scale, int32_t zero_point,
                          const float* in, uint8_t* q, size_t count) {
  for (size_t i = 0; i < count; ++i) {
    int64_t code = round_away_i64(in[i] / scale, ROUND_LIMIT_WIDE) + zero_point;
    code = code < type->min ? type->min : code > type->max ? type->max : code;
    store_le32(q + 4 * i, (uint32_t)((uint64_t)code & 0xffffffffu));
  }
}

hurray_status hurray_scalar_dequantize(uint8_t type_tag, float scale, int32_t zero_point,
                                       const void* q, float* out, size_t count) {
  const struct hurray_scalar_type* type = hurray_scalar_find_type(type_tag);
  if (type == NULL) return HURRAY_UNSUPPORTED;
  if (!hurray_scalar_parameters_valid(type, scale, zero_point)) return HURRAY_REJECTED;
  if (count == 0) return HURRAY_OK;
  if (q == NULL || out == NULL) return HURRAY_REJECTED;
  (type->bits == 32 ? dequantize_wide : dequantize_narrow)(type, scale, zero_point,
                                                           (const uint8_t*)q, out, count);
  return HURRAY_OK;
}

hurray_status hurray_scalar_quantize(uint8_t type_tag, float scale, int32_t zero_point,
                                     const float* in, void* q, size_t count) {
  const struct hurray_scalar_type* type = hurray_scalar_find_type(type_tag);
  if (type == NULL) return HURRAY_UNSUPPORTED;
  if (!hurray_scalar_parameters_valid(type, scale, zero_point)) return HURRAY_REJECTED;
  if (count == 0) return HURRAY_OK;
  if (in == NULL || q == NULL) return HURRAY_REJECTED;
  (type->bits == 32 ? quantize_wide : quantize_narrow)(type, scale, zero_point, in, (uint8_t*)q,
                                                       count);
  return HURRAY_OK;
}
