// SPDX-License-Identifier: Apache-2.0
//
// First reading of the rows that only this folder has, as ../faults/row_functions.h. What a row may
// use:
//   DECLINES   s what scalar accepts (struct latitude_seen), and its op, scheme, tag, tail, t;
//              refused where WHEN holds. LACKS: unsupported there
//   FORGIVES   f the bytes that scalar judges (struct latitude_bytes), to edit; f->scheme of them
//   AFFINE     as DEQUANTIZE, of tensors as well
//   TENSORS    as DEQUANTIZE, of tensors alone, and only those t of which WHEN holds
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
#define DECLINES(SET, ID, SHOWS, CHOICE, WHEN) LATITUDE_REFUSES(REJECTED, WHEN)
#define LACKS(SET, ID, SHOWS, CHOICE, WHEN) LATITUDE_REFUSES(UNSUPPORTED, WHEN)

#define FORGIVES(SET, ID, SHOWS, CHOICE, ...)                                     \
  static inline void FAULT_NAME(edit)(struct latitude_bytes * f) { __VA_ARGS__; } \
  FAULT_BODY { return latitude_forgive(FAULT_NAME(edit), c); }                    \
  FAULT_THUNKS

#define LATITUDE_OF_TENSORS(WHEN)                                                                  \
  static inline hurray_status FAULT_NAME(of_tensors)(uint32_t mode, const struct hurray_tensor* t, \
                                                     const struct hurray_tensor_buffers* buffers,  \
                                                     float* out, size_t count) {                   \
    const struct fault_call c = {.op = kDequantizeTensor,                                          \
                                 .mode = mode,                                                     \
                                 .in = t,                                                          \
                                 .buffers = buffers,                                               \
                                 .out = out,                                                       \
                                 .count = count};                                                  \
    return (WHEN) ? latitude_dequantize_by(FAULT_NAME(rule), c) : scalar(c);                       \
  }
#define AFFINE(SET, ID, SHOWS, CHOICE, WHEN, ...)       \
  DEQUANTIZE(SET, ID, SHOWS, CHOICE, WHEN, __VA_ARGS__) \
  LATITUDE_OF_TENSORS(true)
#define TENSORS(SET, ID, SHOWS, CHOICE, WHEN, ...)      \
  DEQUANTIZE(SET, ID, SHOWS, CHOICE, true, __VA_ARGS__) \
  LATITUDE_OF_TENSORS(WHEN)

#endif  // HURRAY_TARGETS_LATITUDE_TENSOR_ROWS_H
