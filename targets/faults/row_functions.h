// SPDX-License-Identifier: Apache-2.0
//
// First reading of the rows: each becomes a function of the call that it is wrong in, and one thunk
// per operation with that operation's signature. Names are made of the file (THEME) and the line,
// which are the same in the second reading (row_table.h).
//
// What a row may use besides arithmetic.h:
//   CALL        c the call, to edit; scalar(c), which gives the result; IN and OUT its bytes;
//               IN_PLACE its input, to be written to
//   AFTER       as CALL, but scalar has been called: result
//   SPOILS      as AFTER, if it succeeded; SPOILS_REFUSED: if it refused
//   DEQUANTIZE  q z d = q - z as int64; s scale; i of n; tag, bits, min, max; p packed codes; right
//               the value
//   QUANTIZE    x s; y = x / s; z; k = y rounded rightly; i of n; tag, bits, min, max; right
//   NORMALIZE   f field, b bias, i of n, p the plane; right
//   TAKES       s the section: s->b bytes, s->length, s->tag, s->scale bits, s->zero_point
//   TELLS       s as in TAKES, d what is told of it
//   EMITS       tag, d: what the encoder's checks see
//   SPELLS      f: f->b bytes, f->length, f->d given, f->tag
//   REFUSES     of a valid descriptor, or one to be: scale bits, zero_point, tag; length of the
//               section, or of an encoder's room
// These five leave the schemes 02 to 05 alone; TAKES_OF_SCHEME and the like are about any.
//
// CALL, AFTER, SPOILS, SPOILS_REFUSED, DEQUANTIZE, QUANTIZE and REFUSES begin with SET, the members
// that are replaced (row_table.h); the others begin with ID and replace that of their operation.
// DEQUANTIZE, QUANTIZE and NORMALIZE take WHEN before the rule, which applies only where it holds,
// else the right result does; REFUSES takes WHEN alone.

#define FAULT_PASTE(A, B, C) A##_##B##_##C
#define FAULT_PASTE_EXPANDED(A, B, C) FAULT_PASTE(A, B, C)
#define FAULT_NAME(WHAT) FAULT_PASTE_EXPANDED(THEME, __LINE__, WHAT)

#define FAULT_KERNEL(OP, TAG)                                                           \
  .op = OP, .tag = TAG, .scale = scale, .zero_point = zero_point, .in = in, .out = out, \
  .count = count

#define FAULT_BODY static inline int32_t FAULT_NAME(body)(struct fault_call c)

#define FAULT_THUNKS                                                                               \
  static inline hurray_status FAULT_NAME(decode)(uint8_t tag, const uint8_t* bytes, size_t length, \
                                                 struct hurray_descriptor* out) {                  \
    return FAULT_NAME(body)(                                                                       \
        (struct fault_call){.op = kDecode, .tag = tag, .in = bytes, .out = out, .count = length}); \
  }                                                                                                \
  static inline hurray_status FAULT_NAME(encode)(uint8_t tag, const struct hurray_descriptor* d,   \
                                                 uint8_t* out, size_t capacity, size_t* written) { \
    return FAULT_NAME(body)((struct fault_call){                                                   \
        .op = kEncode, .tag = tag, .in = d, .out = out, .count = capacity, .written = written});   \
  }                                                                                                \
  static inline hurray_status FAULT_NAME(normalize)(const struct hurray_zero_point_format* format, \
                                                    const uint8_t* packed, size_t packed_bytes,    \
                                                    size_t count, int32_t* out) {                  \
    return FAULT_NAME(body)((struct fault_call){.op = kNormalize,                                  \
                                                .in = packed,                                      \
                                                .out = out,                                        \
                                                .count = count,                                    \
                                                .format = format,                                  \
                                                .packed_bytes = packed_bytes});                    \
  }                                                                                                \
  static inline hurray_status FAULT_NAME(dequantize)(uint8_t tag, float scale, int32_t zero_point, \
                                                     const void* in, float* out, size_t count) {   \
    return FAULT_NAME(body)((struct fault_call){FAULT_KERNEL(kDequantize, tag)});                  \
  }                                                                                                \
  static inline hurray_status FAULT_NAME(quantize)(uint8_t tag, float scale, int32_t zero_point,   \
                                                   const float* in, void* out, size_t count) {     \
    return FAULT_NAME(body)((struct fault_call){FAULT_KERNEL(kQuantize, tag)});                    \
  }                                                                                                \
  FAULT_RA8_THUNK(quantize_i8, kRa8QuantizeI8, 0x10, float, int8_t)                                \
  FAULT_RA8_THUNK(quantize_u8, kRa8QuantizeU8, 0x11, float, uint8_t)                               \
  FAULT_RA8_THUNK(dequantize_i8, kRa8DequantizeI8, 0x10, int8_t, float)                            \
  FAULT_RA8_THUNK(dequantize_u8, kRa8DequantizeU8, 0x11, uint8_t, float)                           \
  FAULT_ELEMENT_THUNKS                                                                             \
  FAULT_TENSOR_THUNKS

#define FAULT_RA8_THUNK(FUNCTION, OP, TAG, IN_TYPE, OUT_TYPE)                                 \
  static inline uint16_t FAULT_NAME(FUNCTION)(const IN_TYPE* in, OUT_TYPE* out, size_t count, \
                                              float scale, int32_t zero_point) {              \
    return (uint16_t)FAULT_NAME(body)((struct fault_call){FAULT_KERNEL(OP, TAG)});            \
  }

#define FAULT_ELEMENT_THUNKS                                                                   \
  static inline hurray_status FAULT_NAME(pack)(uint8_t tag, const int64_t* in, size_t count,   \
                                               uint8_t* out) {                                 \
    return FAULT_NAME(body)(                                                                   \
        (struct fault_call){.op = kPack, .tag = tag, .in = in, .out = out, .count = count});   \
  }                                                                                            \
  static inline hurray_status FAULT_NAME(unpack)(uint8_t tag, const uint8_t* in, size_t count, \
                                                 int64_t* out) {                               \
    return FAULT_NAME(body)(                                                                   \
        (struct fault_call){.op = kUnpack, .tag = tag, .in = in, .out = out, .count = count}); \
  }                                                                                            \
  static inline hurray_status FAULT_NAME(packed_bytes)(uint8_t tag, uint64_t count,            \
                                                       uint64_t * bytes) {                     \
    return FAULT_NAME(body)(                                                                   \
        (struct fault_call){.op = kPackedBytes, .tag = tag, .out = bytes, .elements = count}); \
  }                                                                                            \
  static inline hurray_status FAULT_NAME(widen)(uint8_t tag, const uint8_t* in, size_t count,  \
                                                float* out) {                                  \
    return FAULT_NAME(body)(                                                                   \
        (struct fault_call){.op = kWiden, .tag = tag, .in = in, .out = out, .count = count});  \
  }                                                                                            \
  static inline hurray_status FAULT_NAME(convert)(const struct hurray_foreign_tensor* foreign, \
                                                  struct hurray_converted_tensor* out) {       \
    return FAULT_NAME(body)((struct fault_call){.op = kConvert, .in = foreign, .out = out});   \
  }

#define FAULT_TENSOR_THUNKS                                                                     \
  static inline hurray_status FAULT_NAME(decode_tensor)(                                        \
      uint32_t mode, const uint8_t* bytes, size_t length, struct hurray_tensor* out) {          \
    return FAULT_NAME(body)((struct fault_call){                                                \
        .op = kDecodeTensor, .mode = mode, .in = bytes, .out = out, .count = length});          \
  }                                                                                             \
  static inline hurray_status FAULT_NAME(encode_tensor)(                                        \
      const struct hurray_tensor* tensor, uint8_t* out, size_t capacity, size_t* written) {     \
    return FAULT_NAME(body)((struct fault_call){                                                \
        .op = kEncodeTensor, .in = tensor, .out = out, .count = capacity, .written = written}); \
  }                                                                                             \
  static inline hurray_status FAULT_NAME(dequantize_tensor)(                                    \
      uint32_t mode, const struct hurray_tensor* tensor,                                        \
      const struct hurray_tensor_buffers* buffers, float* out, size_t count) {                  \
    return FAULT_NAME(body)((struct fault_call){.op = kDequantizeTensor,                        \
                                                .mode = mode,                                   \
                                                .in = tensor,                                   \
                                                .buffers = buffers,                             \
                                                .out = out,                                     \
                                                .count = count});                               \
  }

#define scalar fault_scalar
#define IN ((const uint8_t*)c.in)
#define OUT ((uint8_t*)c.out)
#define IN_PLACE ((uint8_t*)(uintptr_t)c.in)  // written to although it is only to be read

#define CALL(SET, ID, REQUIREMENTS, WRONG, ...) \
  FAULT_BODY {                                  \
    __VA_ARGS__;                                \
    return scalar(c);                           \
  }                                             \
  FAULT_THUNKS

#define AFTER(SET, ID, REQUIREMENTS, WRONG, ...) \
  FAULT_BODY {                                   \
    const int32_t result = scalar(c);            \
    (void)result;                                \
    __VA_ARGS__;                                 \
    return result;                               \
  }                                              \
  FAULT_THUNKS
#define SPOILS(SET, ID, REQUIREMENTS, WRONG, ...) \
  FAULT_BODY {                                    \
    const int32_t result = scalar(c);             \
    if (result == 0) {                            \
      __VA_ARGS__;                                \
    }                                             \
    return result;                                \
  }                                               \
  FAULT_THUNKS
#define SPOILS_REFUSED(SET, ID, REQUIREMENTS, WRONG, ...) \
  FAULT_BODY {                                            \
    const int32_t result = scalar(c);                     \
    if (result != 0) {                                    \
      __VA_ARGS__;                                        \
    }                                                     \
    return result;                                        \
  }                                                       \
  FAULT_THUNKS

#define DEQUANTIZE(SET, ID, REQUIREMENTS, WRONG, WHEN, ...)                                 \
  static inline float FAULT_NAME(rule)(const struct fault_element* e) {                     \
    const int64_t q = e->q, z = e->call->zero_point, d = q - z, min = e->min, max = e->max; \
    const size_t i = e->i, n = e->call->count;                                              \
    const float s = e->call->scale, right = product(s, (float)d);                           \
    const uint8_t tag = e->call->tag;                                                       \
    const uint32_t bits = fault_bits(tag);                                                  \
    const uint8_t* p = e->call->in;                                                         \
    (void)min, (void)max, (void)i, (void)n, (void)tag, (void)bits, (void)p, (void)right;    \
    return (WHEN) ? (__VA_ARGS__) : right;                                                  \
  }                                                                                         \
  FAULT_BODY { return fault_dequantize_by(FAULT_NAME(rule), c); }                           \
  FAULT_THUNKS

#define QUANTIZE(SET, ID, REQUIREMENTS, WRONG, WHEN, ...)                                 \
  static inline int64_t FAULT_NAME(rule)(const struct fault_element* e) {                 \
    const float x = e->x, s = e->call->scale, y = x / s;                                  \
    const int64_t z = e->call->zero_point, min = e->min, max = e->max, k = whole_away(y); \
    const int64_t right = clamp(k + z, min, max);                                         \
    const size_t i = e->i, n = e->call->count;                                            \
    const uint8_t tag = e->call->tag;                                                     \
    const uint32_t bits = fault_bits(tag);                                                \
    (void)i, (void)n, (void)tag, (void)bits, (void)y, (void)k, (void)min, (void)max;      \
    return (WHEN) ? (__VA_ARGS__) : right;                                                \
  }                                                                                       \
  FAULT_BODY { return fault_quantize_by(FAULT_NAME(rule), c); }                           \
  FAULT_THUNKS

#define NORMALIZE(ID, REQUIREMENTS, WRONG, WHEN, ...)                   \
  static inline int64_t FAULT_NAME(rule)(const struct fault_field* e) { \
    const int64_t f = e->field, b = e->bias, right = f + b;             \
    const size_t i = e->i, n = e->call->count;                          \
    const uint8_t* p = e->plane;                                        \
    (void)i, (void)n, (void)p, (void)right;                             \
    return (WHEN) ? (__VA_ARGS__) : right;                              \
  }                                                                     \
  FAULT_BODY { return fault_normalize_by(FAULT_NAME(rule), c); }        \
  FAULT_THUNKS

#define FAULT_TAKES(OF_ANY, ...)                                                 \
  static inline void FAULT_NAME(seen)(struct fault_section * s) { __VA_ARGS__; } \
  FAULT_BODY {                                                                   \
    c.of_any_scheme = (OF_ANY);                                                  \
    return fault_decode_seeing(FAULT_NAME(seen), c);                             \
  }                                                                              \
  FAULT_THUNKS
#define TAKES(ID, REQUIREMENTS, WRONG, ...) FAULT_TAKES(false, __VA_ARGS__)
#define TAKES_OF_SCHEME(ID, REQUIREMENTS, WRONG, ...) FAULT_TAKES(true, __VA_ARGS__)

#define FAULT_TELLS(OF_ANY, ...)                                     \
  static inline void FAULT_NAME(told)(const struct fault_section* s, \
                                      struct hurray_descriptor* d) { \
    (void)s;                                                         \
    __VA_ARGS__;                                                     \
  }                                                                  \
  FAULT_BODY {                                                       \
    c.of_any_scheme = (OF_ANY);                                      \
    return fault_decode_telling(FAULT_NAME(told), c);                \
  }                                                                  \
  FAULT_THUNKS
#define TELLS(ID, REQUIREMENTS, WRONG, ...) FAULT_TELLS(false, __VA_ARGS__)
#define TELLS_OF_SCHEME(ID, REQUIREMENTS, WRONG, ...) FAULT_TELLS(true, __VA_ARGS__)

#define FAULT_EMITS(OF_ANY, ...)                                                     \
  static inline void FAULT_NAME(seen)(uint8_t * tag, struct hurray_descriptor * d) { \
    (void)tag, (void)d;                                                              \
    __VA_ARGS__;                                                                     \
  }                                                                                  \
  FAULT_BODY {                                                                       \
    c.of_any_scheme = (OF_ANY);                                                      \
    return fault_encode_seeing(FAULT_NAME(seen), c);                                 \
  }                                                                                  \
  FAULT_THUNKS
#define EMITS(ID, REQUIREMENTS, WRONG, ...) FAULT_EMITS(false, __VA_ARGS__)
#define EMITS_OF_SCHEME(ID, REQUIREMENTS, WRONG, ...) FAULT_EMITS(true, __VA_ARGS__)

#define FAULT_SPELLS(OF_ANY, ...)                                                 \
  static inline void FAULT_NAME(spelled)(struct fault_bytes * f) { __VA_ARGS__; } \
  FAULT_BODY {                                                                    \
    c.of_any_scheme = (OF_ANY);                                                   \
    return fault_encode_spelling(FAULT_NAME(spelled), c);                         \
  }                                                                               \
  FAULT_THUNKS
#define SPELLS(ID, REQUIREMENTS, WRONG, ...) FAULT_SPELLS(false, __VA_ARGS__)
#define SPELLS_OF_SCHEME(ID, REQUIREMENTS, WRONG, ...) FAULT_SPELLS(true, __VA_ARGS__)

#define FAULT_REFUSES(OF_ANY, WHEN)                                              \
  FAULT_BODY {                                                                   \
    const uint32_t scale = fault_scale_of(&c);                                   \
    const int32_t zero_point = fault_zero_point_of(&c);                          \
    const uint8_t tag = c.tag;                                                   \
    const size_t length = c.count;                                               \
    c.of_any_scheme = (OF_ANY);                                                  \
    (void)scale, (void)zero_point, (void)tag, (void)length;                      \
    const bool is_refused = !fault_is_spared(&c, fault_scheme_of(&c)) && (WHEN); \
    return is_refused ? HURRAY_REJECTED : scalar(c);                             \
  }                                                                              \
  FAULT_THUNKS
#define REFUSES(SET, ID, REQUIREMENTS, WRONG, WHEN) FAULT_REFUSES(false, WHEN)
#define REFUSES_OF_SCHEME(SET, ID, REQUIREMENTS, WRONG, WHEN) FAULT_REFUSES(true, WHEN)
