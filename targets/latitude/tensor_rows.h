// SPDX-License-Identifier: Apache-2.0
//
// First reading of the rows that only this folder has, as ../faults/row_functions.h. What a row may
// use:
//   TURNS_DOWN  s what scalar accepts (struct latitude_seen), and its op, scheme, tag, tail, t;
//               refused where WHEN holds. LACKS: unsupported there
//   FORGIVES    section, the bytes of one that a reader judges, alone or in a tensor, to edit
//   AFFINE      as DEQUANTIZE, of tensors as well
// All begin with SET.

#ifndef HURRAY_TARGETS_LATITUDE_TENSOR_ROWS_H
#define HURRAY_TARGETS_LATITUDE_TENSOR_ROWS_H

#define LATITUDE_REFUSES(STATUS, WHEN)                                            \
  static inline bool FAULT_NAME(refuses)(const struct latitude_seen* s) {         \
    const enum fault_operation op = s->op;                                        \
    const uint8_t scheme = s->scheme, tag = s->tag;                               \
    const size_t tail = s->tail;                                                  \
    const struct hurray_tensor* t = s->t;                                         \
    (void)op, (void)scheme, (void)tag, (void)tail, (void)t;                       \
    return WHEN;                                                                  \
  }                                                                               \
  FAULT_BODY { return latitude_refuse(FAULT_NAME(refuses), HURRAY_##STATUS, c); } \
  FAULT_THUNKS
#define TURNS_DOWN(SET, ID, SHOWS, CHOICE, WHEN) LATITUDE_REFUSES(REJECTED, WHEN)
#define LACKS(SET, ID, SHOWS, CHOICE, WHEN) LATITUDE_REFUSES(UNSUPPORTED, WHEN)

#define FORGIVES(SET, ID, SHOWS, CHOICE, ...)                                                \
  static inline void FAULT_NAME(edit)(uint8_t * section) { __VA_ARGS__; }                    \
  static inline void FAULT_NAME(alone)(struct fault_section * s) { FAULT_NAME(edit)(s->b); } \
  static inline void FAULT_NAME(in_tensor)(struct fault_tensor_bytes * v) {                  \
    if (v->section != 0) FAULT_NAME(edit)(v->b + v->section);                                \
  }                                                                                          \
  FAULT_BODY { return latitude_forgive(FAULT_NAME(alone), FAULT_NAME(in_tensor), c); }       \
  FAULT_THUNKS

#define AFFINE(SET, ID, SHOWS, CHOICE, WHEN, ...)                                                  \
  DEQUANTIZE(SET, ID, SHOWS, CHOICE, WHEN, __VA_ARGS__)                                            \
  static inline float FAULT_NAME(value)(const struct fault_value* v) {                             \
    return latitude_affine(FAULT_NAME(rule), v);                                                   \
  }                                                                                                \
  static inline hurray_status FAULT_NAME(of_tensors)(uint32_t mode, const struct hurray_tensor* t, \
                                                     const struct hurray_tensor_buffers* buffers,  \
                                                     float* out, size_t count) {                   \
    return fault_values_by(FAULT_NAME(value), (struct fault_call){.op = kDequantizeTensor,         \
                                                                  .mode = mode,                    \
                                                                  .in = t,                         \
                                                                  .buffers = buffers,              \
                                                                  .out = out,                      \
                                                                  .count = count});                \
  }

#endif  // HURRAY_TARGETS_LATITUDE_TENSOR_ROWS_H
