// SPDX-License-Identifier: Apache-2.0
//
// Calls about elements and conversion, see element_calls.h.

#include "element_calls.h"

#include <string.h>

#include "scalar/scalar.h"

uint64_t fault_pattern(const uint8_t* packed, size_t bytes, uint64_t at, uint32_t bits) {
  if (bits == 0 || bits > 64 || at > 8 * (uint64_t)bytes || at + bits > 8 * (uint64_t)bytes) {
    return 0;
  }
  return hurray_scalar_load(packed, at, bits);
}

void fault_put_pattern(uint8_t* packed, size_t bytes, uint64_t at, uint32_t bits,
                       uint64_t pattern) {
  for (uint32_t i = 0; i < bits && (at + i) / 8 < bytes; ++i) {
    uint8_t* byte = &packed[(at + i) / 8];
    const unsigned bit = 1u << (at + i) % 8;
    *byte = (uint8_t)((pattern >> i & 1) != 0 ? *byte | bit : *byte & ~bit);
  }
}

static struct fault_item first_item(const struct fault_call* c) {
  struct fault_item e = {.call = c, .type = hurray_scalar_find_element(c->tag)};
  uint64_t bytes;
  if (e.type != NULL && hurray_scalar_size(e.type, c->count, &bytes)) e.bytes = (size_t)bytes;
  return e;
}

int32_t fault_pack_by(int64_t (*value)(const struct fault_item*), struct fault_call c) {
  int64_t values[1024];
  struct fault_item e = first_item(&c);
  if (c.in == NULL || c.count > 1024 || e.type == NULL) return fault_scalar(c);
  const int64_t* given = c.in;
  for (; e.i < c.count; ++e.i) {
    e.value = given[e.i];
    values[e.i] = value(&e);
  }
  c.in = values;
  return fault_scalar(c);
}

int32_t fault_patterns_by(uint64_t (*pattern)(const struct fault_item*), struct fault_call c) {
  const int32_t result = fault_scalar(c);
  struct fault_item e = first_item(&c);
  for (; result == HURRAY_OK && e.i < c.count; ++e.i) {
    const uint32_t bits = e.type->bits;
    e.pattern = hurray_scalar_load(c.in, (uint64_t)e.i * bits, bits);
    const uint64_t taken = pattern(&e);
    if (taken == e.pattern) continue;
    if (c.op == kUnpack) ((int64_t*)c.out)[e.i] = hurray_scalar_integer(e.type, taken);
    if (c.op == kWiden) ((float*)c.out)[e.i] = hurray_scalar_value(e.type, taken);
  }
  return result;
}

int32_t fault_widen_by(float (*real)(const struct fault_item*), struct fault_call c) {
  const int32_t result = fault_scalar(c);
  struct fault_item e = first_item(&c);
  float* out = c.out;
  for (; result == HURRAY_OK && e.i < c.count; ++e.i) {
    e.pattern = hurray_scalar_load(c.in, (uint64_t)e.i * e.type->bits, e.type->bits);
    e.real = out[e.i];
    out[e.i] = real(&e);
  }
  return result;
}

int32_t fault_size_by(uint64_t (*bytes)(const struct fault_call*,
                                        const struct hurray_scalar_element*, uint64_t),
                      struct fault_call c) {
  const int32_t result = fault_scalar(c);
  if (result != HURRAY_OK) return result;
  uint64_t* out = c.out;
  *out = bytes(&c, hurray_scalar_find_element(c.tag), *out);
  return result;
}

// False if it has more than fits.
static bool copy_array(uint8_t* copy, size_t bytes, const uint8_t** array) {
  if (bytes > kMostForeign) return false;
  if (*array == NULL) return true;
  memcpy(copy, *array, bytes);
  *array = copy;
  return true;
}

int32_t fault_convert_seeing(void (*seen)(struct fault_foreign*), struct fault_call c) {
  const struct hurray_foreign_tensor* given = c.in;
  if (given == NULL || given->rank > HURRAY_MOST_RANK || given->shape == NULL) {
    return fault_scalar(c);
  }
  struct fault_foreign v = {.f = *given};
  memcpy(v.shape, given->shape, given->rank * sizeof v.shape[0]);
  v.f.shape = v.shape;
  if (!copy_array(v.plane, given->zero_points_bytes, &v.f.zero_points) ||
      !copy_array(v.scales, given->scales_bytes, &v.f.scales) ||
      !copy_array(v.weights, given->weights_bytes, &v.f.weights)) {
    return fault_scalar(c);
  }
  seen(&v);
  c.in = &v.f;
  return fault_scalar(c);
}

int32_t fault_convert_making(void (*made)(const struct fault_converted*), struct fault_call c) {
  const int32_t result = fault_scalar(c);
  if (result != HURRAY_OK) return result;
  const struct hurray_foreign_tensor* f = c.in;
  const uint64_t size = f->shape[f->axis];
  struct fault_converted v = {.f = f, .out = c.out, .rows = 1};
  v.along = size / f->group_size + (size % f->group_size != 0);
  for (uint32_t i = 0; i < f->rank; ++i) {
    if (i != f->axis) v.rows *= f->shape[i];
  }
  v.blocks = v.along * v.rows;
  made(&v);
  return result;
}
