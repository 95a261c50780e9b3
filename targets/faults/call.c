// SPDX-License-Identifier: Apache-2.0
//
// Calls of any operation, see call.h.

#include "call.h"

#include <string.h>

#include "scalar/scalar.h"
#include "scalar/scalar_bits.h"
#include "scalar/scalar_schemes.h"

int32_t fault_scalar(struct fault_call c) {
  switch (c.op) {
    case kDecode:
      return hurray_scalar_decode(c.tag, c.in, c.count, c.out);
    case kEncode:
      return hurray_scalar_encode(c.tag, c.in, c.out, c.count, c.written);
    case kDequantize:
      return hurray_scalar_dequantize(c.tag, c.scale, c.zero_point, c.in, c.out, c.count);
    case kQuantize:
      return hurray_scalar_quantize(c.tag, c.scale, c.zero_point, c.in, c.out, c.count);
    case kNormalize:
      return hurray_scalar_normalize_zero_points(c.format, c.in, c.packed_bytes, c.count, c.out);
    case kRa8QuantizeI8:
      return hurray_scalar_ra8_quantize_i8(c.in, c.out, c.count, c.scale, c.zero_point);
    case kRa8QuantizeU8:
      return hurray_scalar_ra8_quantize_u8(c.in, c.out, c.count, c.scale, c.zero_point);
    case kRa8DequantizeI8:
      return hurray_scalar_ra8_dequantize_i8(c.in, c.out, c.count, c.scale, c.zero_point);
    case kRa8DequantizeU8:
      return hurray_scalar_ra8_dequantize_u8(c.in, c.out, c.count, c.scale, c.zero_point);
    case kPack:
      return hurray_scalar_pack(c.tag, c.in, c.count, c.out);
    case kUnpack:
      return hurray_scalar_unpack(c.tag, c.in, c.count, c.out);
    case kPackedBytes:
      return hurray_scalar_packed_bytes(c.tag, c.elements, c.out);
    case kWiden:
      return hurray_scalar_widen(c.tag, c.in, c.count, c.out);
    case kConvert:
      return hurray_scalar_convert(c.in, c.out);
    case kDecodeTensor:
      return hurray_scalar_decode_tensor(c.mode, c.in, c.count, c.out);
    case kEncodeTensor:
      return hurray_scalar_encode_tensor(c.in, c.out, c.count, c.written);
    case kDequantizeTensor:
      return hurray_scalar_dequantize_tensor(c.mode, c.in, c.buffers, c.out, c.count);
  }
  return HURRAY_UNSUPPORTED;
}

bool fault_is_ra8(const struct fault_call* c) {
  return c->op >= kRa8QuantizeI8 && c->op <= kRa8DequantizeU8;
}
bool fault_quantizes(const struct fault_call* c) {
  return c->op == kQuantize || c->op == kRa8QuantizeI8 || c->op == kRa8QuantizeU8;
}
bool fault_dequantizes(const struct fault_call* c) {
  return c->op == kDequantize || c->op == kRa8DequantizeI8 || c->op == kRa8DequantizeU8;
}

uint32_t fault_bits(uint8_t tag) {
  const struct hurray_scalar_type* type = hurray_scalar_find_type(tag);
  return type != NULL ? type->bits : 0;
}
size_t fault_packed_bytes(uint8_t tag, size_t count) { return (count * fault_bits(tag) + 7) / 8; }

size_t fault_in_bytes(const struct fault_call* c) {
  if (c->op == kDecode) return c->count;
  if (c->op == kEncode) return sizeof(struct hurray_descriptor);
  if (c->op == kNormalize) return c->packed_bytes;
  return fault_quantizes(c) ? c->count * sizeof(float) : fault_packed_bytes(c->tag, c->count);
}
size_t fault_out_bytes(const struct fault_call* c) {
  if (c->op == kDecode) return sizeof(struct hurray_descriptor);
  if (c->op == kEncode) return kDescriptorBytes;
  return fault_quantizes(c) ? fault_packed_bytes(c->tag, c->count) : c->count * sizeof(float);
}

int64_t fault_load(const uint8_t* packed, uint8_t tag, size_t i) {
  const struct hurray_scalar_type* type = hurray_scalar_find_type(tag);
  uint32_t code = 0;
  if (type->bits < 8) {
    const size_t per_byte = 8u / type->bits;
    code = (uint32_t)packed[i / per_byte] >> (i % per_byte * type->bits) & ((1u << type->bits) - 1);
  } else {
    const size_t bytes = type->bits / 8u;
    for (size_t b = 0; b < bytes; ++b) code |= (uint32_t)packed[i * bytes + b] << (8 * b);
  }
  return (int64_t)(code ^ type->sign_bit) - (int64_t)type->sign_bit;
}

void fault_store(uint8_t* packed, uint8_t tag, size_t i, int64_t code) {
  const uint32_t bits = fault_bits(tag);
  const uint64_t low = (uint64_t)code & ((UINT64_C(1) << bits) - 1);
  if (bits < 8) {
    const size_t per_byte = 8u / bits;
    const size_t position = i % per_byte;
    const uint32_t kept = position == 0 ? 0u : packed[i / per_byte];
    packed[i / per_byte] = (uint8_t)((kept | (uint32_t)low << (position * bits)) & 0xffu);
  } else {
    const size_t bytes = bits / 8u;
    for (size_t b = 0; b < bytes; ++b) packed[i * bytes + b] = (uint8_t)(low >> (8 * b) & 0xffu);
  }
}

void fault_touch(const void* bytes, ptrdiff_t first, size_t end) {
  const volatile uint8_t* at = bytes;
  if (at == NULL) return;
  for (ptrdiff_t i = first; i < (ptrdiff_t)end; ++i) (void)at[i];
}

void fault_rewrite(void* bytes, size_t first, size_t end) {
  volatile uint8_t* at = bytes;
  for (size_t i = first; i < end; ++i) {
    const uint8_t before = at[i];
    at[i] = 0;
    at[i] = before;
  }
}

size_t fault_up(size_t count, size_t multiple) {
  return (count + multiple - 1) / multiple * multiple;
}

void fault_swap(uint8_t* elements, size_t count, size_t width) {
  for (size_t i = 0; i < count * width; i += width) {
    for (size_t b = 0; b < width / 2; ++b) {
      const uint8_t low = elements[i + b];
      elements[i + b] = elements[i + width - 1 - b];
      elements[i + width - 1 - b] = low;
    }
  }
}

// Scalar's answer to the same parameters with nothing to do.
static int32_t judged(struct fault_call c) {
  const bool is_null = c.in == NULL || c.out == NULL;
  if (!fault_is_ra8(&c) && c.count != 0 && is_null) return HURRAY_REJECTED;
  c.count = 0;
  return fault_scalar(c);
}

static struct fault_element first_element(const struct fault_call* c) {
  const struct hurray_scalar_type* type = hurray_scalar_find_type(c->tag);
  struct fault_element e = {.call = c};
  if (type != NULL) {
    e.min = type->min;
    e.max = type->max;
  }
  return e;
}

int32_t fault_dequantize_by(float (*rule)(const struct fault_element*), struct fault_call c) {
  const int32_t result = judged(c);
  struct fault_element e = first_element(&c);
  float* out = c.out;
  for (; result == 0 && e.i < c.count; ++e.i) {
    e.q = fault_load(c.in, c.tag, e.i);
    out[e.i] = rule(&e);
  }
  return result;
}

int32_t fault_quantize_by(int64_t (*rule)(const struct fault_element*), struct fault_call c) {
  const int32_t result = judged(c);
  struct fault_element e = first_element(&c);
  const float* in = c.in;
  for (; result == 0 && e.i < c.count; ++e.i) {
    e.x = in[e.i];
    fault_store(c.out, c.tag, e.i, rule(&e));
  }
  return result;
}

int32_t fault_normalize_by(int64_t (*rule)(const struct fault_field*), struct fault_call c) {
  const int32_t result = fault_scalar(c);
  if (result != 0) return result;
  const struct hurray_zero_point_format plain = {c.format->bits, 0, c.format->high_field_first};
  int32_t* out = c.out;
  struct fault_field f = {.call = &c, .plane = c.in, .bias = c.format->bias};
  c.format = &plain;
  const int32_t fields = fault_scalar(c);
  for (; fields == 0 && f.i < c.count; ++f.i) {
    f.field = out[f.i];
    out[f.i] = bits_int32((uint32_t)((uint64_t)rule(&f) & 0xffffffffu));
  }
  return result;
}

static struct fault_section section_of(const struct fault_call* c) {
  struct fault_section s = {.tag = c->tag, .length = c->count};
  const size_t copied = c->count < kSectionBytes ? c->count : kSectionBytes;
  if (copied != 0) memcpy(s.b, c->in, copied);
  s.scale = load_le32(s.b + 4);
  s.zero_point = bits_int32(load_le32(s.b + 8));
  return s;
}

bool fault_is_spared(const struct fault_call* c, uint8_t scheme_tag) {
  return !c->of_any_scheme && scheme_tag > kPerTensorAffine && scheme_tag <= kSchemeCount;
}

int32_t fault_decode_seeing(void (*seen)(struct fault_section*), struct fault_call c) {
  if (c.in == NULL) return fault_scalar(c);
  const struct fault_section before = section_of(&c);
  struct fault_section s = before;
  seen(&s);
  if (s.b[0] == before.b[0] && fault_is_spared(&c, s.b[0])) s = before;
  struct hurray_descriptor* out = c.out;
  const int32_t result = hurray_scalar_decode(s.tag, s.b, s.length, out);
  if (result != HURRAY_OK) return result;
  hurray_scalar_find_scheme(out->scheme_tag)->read(before.b + kHeaderBytes, out);
  if (out->scheme_tag == kPerTensorAffine) {
    out->scale = bits_float(s.scale);
    out->zero_point = s.zero_point;
  }
  return result;
}

int32_t fault_decode_telling(void (*told)(const struct fault_section*, struct hurray_descriptor*),
                             struct fault_call c) {
  const int32_t result = fault_scalar(c);
  if (result != HURRAY_OK) return result;
  const struct fault_section s = section_of(&c);
  if (!fault_is_spared(&c, s.b[0])) told(&s, c.out);
  return result;
}

int32_t fault_encode_seeing(void (*seen)(uint8_t*, struct hurray_descriptor*),
                            struct fault_call c) {
  if (c.in == NULL || c.out == NULL) return fault_scalar(c);
  const struct hurray_descriptor* given = c.in;
  struct hurray_descriptor d = *given;
  uint8_t tag = c.tag;
  seen(&tag, &d);
  if (d.scheme_tag == given->scheme_tag && fault_is_spared(&c, d.scheme_tag)) {
    d = *given;
    tag = c.tag;
  }
  uint8_t* out = c.out;
  const int32_t result = hurray_scalar_encode(tag, &d, out, c.count, c.written);
  if (result == HURRAY_OK) {
    hurray_scalar_find_scheme(d.scheme_tag)->write(given, out + kHeaderBytes);
  }
  return result;
}

int32_t fault_encode_spelling(void (*spelled)(struct fault_bytes*), struct fault_call c) {
  if (c.in == NULL || c.out == NULL || c.written == NULL) return fault_scalar(c);
  struct fault_bytes f = {.tag = c.tag};
  const struct hurray_descriptor* given = c.in;
  f.d = *given;
  const int32_t result = hurray_scalar_encode(c.tag, given, f.b, c.count, &f.length);
  if (result != HURRAY_OK) return result;
  if (!fault_is_spared(&c, f.d.scheme_tag)) spelled(&f);
  memcpy(c.out, f.b, f.length < c.count ? f.length : c.count);
  *c.written = f.length;
  return result;
}
