// SPDX-License-Identifier: Apache-2.0
//
// First reading of the rows about elements, tensors and conversion, as row_functions.h is of the
// others. CALL, AFTER, SPOILS and SPOILS_REFUSED are for them too.
//
// What a row may use besides arithmetic.h:
//   PACK        v the value that is packed; i of n; tag, bits
//   PATTERN     pattern that is taken for the element; i of n; tag, bits; p packed, bytes of them;
//               AT(bit), the pattern there
//   WIDEN       the same; right the value
//   SIZE        n elements; tag, bits; right
//   SEES        v the descriptor: v->b bytes, v->length, where its parts are (tensor_calls.h)
//   JUDGES      t the tensor, as the rules of the reader see it; q its quantization
//   FINDS       v as in SEES, t what is told of it, q
//   DECLINES    t a valid tensor, or one to be written or dequantized; q
//   WRITES      t what the writer sees; q
//   SETS        v as in SEES, of what was written
//   HANDED      t and q of what is to be dequantized; OWN(i), a buffer to edit; EACH8, EACH16 and
//               EACH32(i, statement about the word w)
//   VALUE       e the element (tensor_calls.h); t, q, scheme, tag, bits; s scale, z zero point,
//               code its number, pattern its bits; SCALE(i), ZERO(i), CODE(place), the value
//               MADE_OF(pattern, scale, zero point); right
//   CONVERTS    f the foreign tensor; v->plane, v->scales, v->weights to edit
//   MAKES       f, out, blocks, along (blocks of one row), rows; FIELD(k) the k-th of the plane
//
// PATTERN, WIDEN, DECLINES begin with SET, the others with ID. PACK, PATTERN, WIDEN, SIZE and VALUE
// take WHEN before the rule; DECLINES takes WHEN alone.

#define PACK(ID, REQUIREMENTS, WRONG, WHEN, ...)                       \
  static inline int64_t FAULT_NAME(rule)(const struct fault_item* e) { \
    const int64_t v = e->value;                                        \
    const size_t i = e->i, n = e->call->count;                         \
    const uint8_t tag = e->call->tag;                                  \
    const uint32_t bits = e->type->bits;                               \
    (void)i, (void)n, (void)tag, (void)bits;                           \
    return (WHEN) ? (int64_t)(__VA_ARGS__) : v;                        \
  }                                                                    \
  FAULT_BODY { return fault_pack_by(FAULT_NAME(rule), c); }            \
  FAULT_THUNKS

#define AT(BIT) fault_pattern(p, bytes, (BIT), bits)
#define FAULT_OF_ITEM                               \
  const uint64_t pattern = e->pattern;              \
  const size_t i = e->i, n = e->call->count;        \
  const size_t bytes = e->bytes;                    \
  const uint8_t* p = e->call->in;                   \
  const uint8_t tag = e->call->tag;                 \
  const uint32_t bits = e->type->bits;              \
  (void)i, (void)n, (void)tag, (void)bits, (void)p; \
  (void)pattern, (void)bytes;

#define PATTERN(SET, ID, REQUIREMENTS, WRONG, WHEN, ...)                \
  static inline uint64_t FAULT_NAME(rule)(const struct fault_item* e) { \
    FAULT_OF_ITEM                                                       \
    return (WHEN) ? (uint64_t)(__VA_ARGS__) : pattern;                  \
  }                                                                     \
  FAULT_BODY { return fault_patterns_by(FAULT_NAME(rule), c); }         \
  FAULT_THUNKS

#define WIDEN(ID, REQUIREMENTS, WRONG, WHEN, ...)                    \
  static inline float FAULT_NAME(rule)(const struct fault_item* e) { \
    FAULT_OF_ITEM                                                    \
    const float right = e->real;                                     \
    return (WHEN) ? (__VA_ARGS__) : right;                           \
  }                                                                  \
  FAULT_BODY { return fault_widen_by(FAULT_NAME(rule), c); }         \
  FAULT_THUNKS

#define SIZE(ID, REQUIREMENTS, WRONG, WHEN, ...)                                              \
  static inline uint64_t FAULT_NAME(rule)(                                                    \
      const struct fault_call* c, const struct hurray_scalar_element* type, uint64_t right) { \
    const uint64_t n = c->elements;                                                           \
    const uint8_t tag = c->tag;                                                               \
    const uint32_t bits = type->bits;                                                         \
    (void)n, (void)tag, (void)bits;                                                           \
    return (WHEN) ? (uint64_t)(__VA_ARGS__) : right;                                          \
  }                                                                                           \
  FAULT_BODY { return fault_size_by(FAULT_NAME(rule), c); }                                   \
  FAULT_THUNKS

#define SEES(ID, REQUIREMENTS, WRONG, ...)                                            \
  static inline void FAULT_NAME(seen)(struct fault_tensor_bytes * v) { __VA_ARGS__; } \
  FAULT_BODY { return fault_tensor_seeing(FAULT_NAME(seen), c); }                     \
  FAULT_THUNKS

#define JUDGES(ID, REQUIREMENTS, WRONG, ...)                         \
  static inline void FAULT_NAME(judged)(struct hurray_tensor * t) {  \
    struct hurray_descriptor* q = &t->quantization;                  \
    (void)q;                                                         \
    __VA_ARGS__;                                                     \
  }                                                                  \
  FAULT_BODY { return fault_tensor_judging(FAULT_NAME(judged), c); } \
  FAULT_THUNKS

#define FINDS(ID, REQUIREMENTS, WRONG, ...)                               \
  static inline void FAULT_NAME(told)(const struct fault_tensor_bytes* v, \
                                      struct hurray_tensor* t) {          \
    struct hurray_descriptor* q = &t->quantization;                       \
    (void)v, (void)q;                                                     \
    __VA_ARGS__;                                                          \
  }                                                                       \
  FAULT_BODY { return fault_tensor_telling(FAULT_NAME(told), c); }        \
  FAULT_THUNKS

#define DECLINES(SET, ID, REQUIREMENTS, WRONG, WHEN)                      \
  static inline bool FAULT_NAME(refused)(const struct hurray_tensor* t) { \
    const struct hurray_descriptor* q = &t->quantization;                 \
    (void)q;                                                              \
    return (WHEN);                                                        \
  }                                                                       \
  FAULT_BODY { return fault_tensor_refusing(FAULT_NAME(refused), c); }    \
  FAULT_THUNKS

#define WRITES(ID, REQUIREMENTS, WRONG, ...)                       \
  static inline void FAULT_NAME(seen)(struct hurray_tensor * t) {  \
    struct hurray_descriptor* q = &t->quantization;                \
    (void)q;                                                       \
    __VA_ARGS__;                                                   \
  }                                                                \
  FAULT_BODY { return fault_tensor_writing(FAULT_NAME(seen), c); } \
  FAULT_THUNKS

#define SETS(ID, REQUIREMENTS, WRONG, ...)                                               \
  static inline void FAULT_NAME(spelled)(struct fault_tensor_bytes * v) { __VA_ARGS__; } \
  FAULT_BODY { return fault_tensor_spelling(FAULT_NAME(spelled), c); }                   \
  FAULT_THUNKS

#define OWN(INDEX) fault_own(v, (INDEX))
#define FAULT_EACH(INDEX, WIDTH, WORD, LOAD, STORE, ...)                           \
  do {                                                                             \
    uint8_t* own = fault_own(v, (INDEX));                                          \
    const size_t end = own == NULL ? 0 : (size_t)v->byte_sizes[(INDEX)] / (WIDTH); \
    for (size_t i = 0; i < end; ++i) {                                             \
      WORD w = LOAD(own + i * (WIDTH));                                            \
      __VA_ARGS__;                                                                 \
      STORE(own + i * (WIDTH), w);                                                 \
    }                                                                              \
  } while (0)
#define FAULT_LOAD8(P) (*(P))
#define FAULT_STORE8(P, W) (*(P) = (W))
#define FAULT_STORE16(P, W) ((P)[0] = (uint8_t)((W)&0xffu), (P)[1] = (uint8_t)((W) >> 8))
#define EACH8(INDEX, ...) FAULT_EACH(INDEX, 1, uint8_t, FAULT_LOAD8, FAULT_STORE8, __VA_ARGS__)
#define EACH16(INDEX, ...) FAULT_EACH(INDEX, 2, uint16_t, load_le16, FAULT_STORE16, __VA_ARGS__)
#define EACH32(INDEX, ...) FAULT_EACH(INDEX, 4, uint32_t, load_le32, store_le32, __VA_ARGS__)

#define HANDED(ID, REQUIREMENTS, WRONG, ...)                         \
  static inline void FAULT_NAME(edited)(struct fault_handed * v) {   \
    struct hurray_tensor* t = &v->t;                                 \
    struct hurray_descriptor* q = &t->quantization;                  \
    (void)q;                                                         \
    __VA_ARGS__;                                                     \
  }                                                                  \
  FAULT_BODY { return fault_tensor_handing(FAULT_NAME(edited), c); } \
  FAULT_THUNKS

#define SCALE(I) fault_scale_at(e, (I))
#define ZERO(I) fault_zero_point_at(e, (I))
#define BITS_AT(PLACE) fault_pattern_at(e, (PLACE))
#define MADE_OF(BITS, SCALE, ZERO) fault_computed(e, (BITS), (SCALE), (ZERO))
#define FROM(I) MADE_OF(pattern, SCALE(I), ZERO(I))  // with the parameters of another place
#define VALUE(ID, REQUIREMENTS, WRONG, WHEN, ...)                                       \
  static inline float FAULT_NAME(rule)(const struct fault_value* e) {                   \
    const struct hurray_tensor* t = e->t;                                               \
    const struct hurray_descriptor* q = e->q;                                           \
    const uint8_t scheme = e->scheme, tag = t->type_tag;                                \
    const uint32_t bits = e->type->bits;                                                \
    const float s = e->scale, right = e->right;                                         \
    const int64_t z = e->zero_point, code = hurray_scalar_integer(e->type, e->pattern); \
    const uint64_t pattern = e->pattern;                                                \
    (void)q, (void)scheme, (void)tag, (void)bits, (void)s, (void)z, (void)code;         \
    (void)pattern;                                                                      \
    return (WHEN) ? (__VA_ARGS__) : right;                                              \
  }                                                                                     \
  FAULT_BODY { return fault_values_by(FAULT_NAME(rule), c); }                           \
  FAULT_THUNKS

#define CONVERTS(ID, REQUIREMENTS, WRONG, ...)                     \
  static inline void FAULT_NAME(seen)(struct fault_foreign * v) {  \
    struct hurray_foreign_tensor* f = &v->f;                       \
    (void)f;                                                       \
    __VA_ARGS__;                                                   \
  }                                                                \
  FAULT_BODY { return fault_convert_seeing(FAULT_NAME(seen), c); } \
  FAULT_THUNKS

#define FIELD(K)                                                                               \
  ((int32_t)fault_pattern(f->zero_points, f->zero_points_bytes, (K)*f->zero_point_format.bits, \
                          f->zero_point_format.bits))
#define MAKES(ID, REQUIREMENTS, WRONG, ...)                                \
  static inline void FAULT_NAME(made)(const struct fault_converted* v) {   \
    const struct hurray_foreign_tensor* f = v->f;                          \
    struct hurray_converted_tensor* out = v->out;                          \
    const uint64_t blocks = v->blocks, along = v->along, rows = v->rows;   \
    const int32_t bias = f->zero_point_format.bias;                        \
    (void)f, (void)out, (void)blocks, (void)along, (void)rows, (void)bias; \
    __VA_ARGS__;                                                           \
  }                                                                        \
  FAULT_BODY { return fault_convert_making(FAULT_NAME(made), c); }         \
  FAULT_THUNKS
