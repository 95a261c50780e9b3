// SPDX-License-Identifier: Apache-2.0
//
// An adapter in C++20: the table of hurray_target.h filled from C++, for kernels, quantization
// descriptors of all schemes, element types, foreign zero points and the firmware's functions.
// Tensors and their conversion are not claimed. As a shared object it is judged as lib:, with the
// kit's main as exec:.
//
// To have a library of your own judged, keep the table at the end and let its functions call yours.
// What you do not have goes from the table: what is not claimed is not asked. Let no exception out
// of a function.

#include <hurray/hurray_target.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <limits>
#include <span>

namespace {

// --- Element types: sub-byte elements fill a byte from its low bits, four of 6 bits fill three
// bytes

// kIeee: the highest exponent is infinity and NaN. kOneNan: only the highest pattern is NaN.
// kFinite: neither.
enum class Form { kSigned, kUnsigned, kIeee, kOneNan, kFinite, kPowerOfTwo, kComplex };

struct Element {
  std::uint8_t tag;
  unsigned bits;
  Form form;
  int fraction = 0, bias = 0;
  bool is_affine = false;  // per-tensor affine stores it

  constexpr std::uint64_t mask() const { return ~std::uint64_t{0} >> (64 - bits); }
  // Of types narrower than 64 bits.
  constexpr std::int64_t low() const {
    if (form == Form::kPowerOfTwo) return 1;
    return form == Form::kSigned ? -(std::int64_t{1} << (bits - 1)) : 0;
  }
  constexpr std::int64_t high() const {
    if (form == Form::kPowerOfTwo) return 254;
    return static_cast<std::int64_t>(form == Form::kSigned ? mask() >> 1 : mask());
  }
};

constexpr Element kElements[] = {{0x01, 16, Form::kIeee, 10, 15},
                                 {0x02, 16, Form::kIeee, 7, 127},
                                 {0x03, 32, Form::kIeee, 23, 127},
                                 {0x04, 64, Form::kIeee, 52, 1023},
                                 {0x10, 8, Form::kSigned, 0, 0, true},
                                 {0x11, 8, Form::kUnsigned, 0, 0, true},
                                 {0x12, 16, Form::kSigned, 0, 0, true},
                                 {0x13, 16, Form::kUnsigned, 0, 0, true},
                                 {0x14, 32, Form::kSigned, 0, 0, true},
                                 {0x15, 32, Form::kUnsigned, 0, 0, true},
                                 {0x16, 64, Form::kSigned},
                                 {0x17, 64, Form::kUnsigned},
                                 {0x20, 1, Form::kUnsigned},
                                 {0x40, 8, Form::kOneNan, 3, 7},
                                 {0x41, 8, Form::kIeee, 2, 15},
                                 {0x42, 8, Form::kPowerOfTwo},
                                 {0x43, 4, Form::kFinite, 1, 1},
                                 {0x44, 6, Form::kFinite, 3, 1},
                                 {0x45, 6, Form::kFinite, 2, 3},
                                 {0x48, 4, Form::kSigned, 0, 0, true},
                                 {0x49, 4, Form::kUnsigned, 0, 0, true},
                                 {0x4a, 2, Form::kSigned, 0, 0, true},
                                 {0x4b, 2, Form::kUnsigned, 0, 0, true},
                                 {0x50, 64, Form::kComplex}};

const Element* find_element(std::uint8_t tag) {
  const auto* found = std::ranges::find(kElements, tag, &Element::tag);
  return found == std::end(kElements) ? nullptr : found;
}

const Element* find_affine(std::uint8_t tag) {
  const Element* element = find_element(tag);
  return element && element->is_affine ? element : nullptr;
}

// Signed ones with their sign, all others as their bit pattern. Reads no byte that the element has
// no part of.
std::int64_t load(const Element& element, const void* data, std::size_t index) {
  const std::size_t bit = index * element.bits;
  const auto* byte = static_cast<const std::uint8_t*>(data) + bit / 8;
  std::uint64_t word = 0;
  for (unsigned at = 0; at < bit % 8 + element.bits; at += 8) word |= std::uint64_t{*byte++} << at;
  word = word >> bit % 8 & element.mask();
  const unsigned unused = element.form == Form::kSigned ? 64 - element.bits : 0;
  return static_cast<std::int64_t>(word << unused) >> unused;
}

// Into bytes that are zero where no element was stored yet.
void store(const Element& element, std::int64_t value, void* data, std::size_t index) {
  const std::size_t bit = index * element.bits;
  auto* byte = static_cast<std::uint8_t*>(data) + bit / 8;
  const std::uint64_t word = (static_cast<std::uint64_t>(value) & element.mask()) << bit % 8;
  for (unsigned at = 0; at < bit % 8 + element.bits; at += 8)
    *byte++ |= static_cast<std::uint8_t>(word >> at);
}

hurray_status packed_bytes(std::uint8_t tag, std::uint64_t count, std::uint64_t* bytes) {
  const Element* element = find_element(tag);
  if (!element) return HURRAY_REJECTED;
  // Of a run of eight elements, and of what is left: no product of the whole count, which may not
  // fit.
  const std::uint64_t rest = count % 8, unit = element->bits;
  const std::uint64_t of_rest = unit == 6 ? (rest + 3) / 4 * 3 : (rest * unit + 7) / 8;
  if (count / 8 > (std::numeric_limits<std::uint64_t>::max() - of_rest) / unit)
    return HURRAY_REJECTED;
  *bytes = count / 8 * unit + of_rest;
  return HURRAY_OK;
}

bool is_power_of_two(std::int64_t pattern) { return pattern != 0 && pattern != 255; }

hurray_status pack(std::uint8_t tag, const std::int64_t* values, std::size_t count,
                   std::uint8_t* out) {
  const Element* element = find_element(tag);
  std::uint64_t bytes = 0;
  if (!element || packed_bytes(tag, count, &bytes) != HURRAY_OK) return HURRAY_REJECTED;
  const auto fits = [&](std::int64_t value) {
    return value >= element->low() && value <= element->high();
  };
  if (element->bits < 64 && !std::all_of(values, values + count, fits)) return HURRAY_REJECTED;
  std::fill_n(out, bytes, std::uint8_t{0});
  for (std::size_t i = 0; i < count; ++i) store(*element, values[i], out, i);
  return HURRAY_OK;
}

bool has_values(const Element& element, const std::uint8_t* packed, std::size_t count) {
  if (element.form != Form::kPowerOfTwo) return true;
  return std::all_of(packed, packed + count, is_power_of_two);
}

hurray_status unpack(std::uint8_t tag, const std::uint8_t* packed, std::size_t count,
                     std::int64_t* values) {
  const Element* element = find_element(tag);
  if (!element || !has_values(*element, packed, count)) return HURRAY_REJECTED;
  for (std::size_t i = 0; i < count; ++i) values[i] = load(*element, packed, i);
  return HURRAY_OK;
}

// The real value, rounded once.
float widened(const Element& element, std::int64_t value) {
  const auto pattern = static_cast<std::uint64_t>(value);
  if (element.form == Form::kSigned) return static_cast<float>(value);
  if (element.form == Form::kUnsigned) return static_cast<float>(pattern);
  if (element.form == Form::kPowerOfTwo)
    return std::bit_cast<float>(static_cast<std::uint32_t>(pattern) << 23);
  if (element.bits == 64) return static_cast<float>(std::bit_cast<double>(pattern));
  if (element.bits == 32) return std::bit_cast<float>(static_cast<std::uint32_t>(pattern));
  const std::uint64_t highest = element.mask() >> 1, magnitude = pattern & highest;
  const std::uint64_t whole = std::uint64_t{1} << element.fraction;
  const float sign = magnitude == pattern ? 1.0f : -1.0f;
  const int exponent = static_cast<int>(magnitude >> element.fraction);
  if (element.form == Form::kIeee && (magnitude | (whole - 1)) == highest) {
    using Limits = std::numeric_limits<float>;
    return magnitude % whole != 0 ? Limits::quiet_NaN() : sign * Limits::infinity();
  }
  if (element.form == Form::kOneNan && magnitude == highest)
    return std::numeric_limits<float>::quiet_NaN();
  const std::uint64_t digits = exponent == 0 ? magnitude : magnitude % whole + whole;
  return sign * std::ldexp(static_cast<float>(digits),
                           std::max(exponent, 1) - element.bias - element.fraction);
}

hurray_status widen(std::uint8_t tag, const std::uint8_t* packed, std::size_t count, float* out) {
  const Element* element = find_element(tag);
  if (!element || element->form == Form::kComplex || !has_values(*element, packed, count))
    return HURRAY_REJECTED;
  for (std::size_t i = 0; i < count; ++i) out[i] = widened(*element, load(*element, packed, i));
  return HURRAY_OK;
}

// --- Kernels

// By its bits: who calls may flush subnormals, and the smallest scales would compare equal to zero.
bool is_scale(float scale) {
  const std::uint32_t magnitude = std::bit_cast<std::uint32_t>(scale) & 0x7fffffff;
  return magnitude != 0 && magnitude < 0x7f800000;
}

bool are_parameters(const Element& element, float scale, std::int32_t zero_point) {
  return is_scale(scale) && zero_point >= element.low() && zero_point <= element.high();
}

void dequantize_all(const Element& element, float scale, std::int32_t zero_point, const void* q,
                    float* out, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    // Two roundings: of the difference to binary32, then of the product.
    out[i] = scale * static_cast<float>(load(element, q, i) - zero_point);
  }
}

void quantize_all(const Element& element, float scale, std::int32_t zero_point, const float* in,
                  void* q, std::size_t count) {
  std::memset(q, 0, (count * element.bits + 7) / 8);
  const auto low = static_cast<double>(element.low()), high = static_cast<double>(element.high());
  for (std::size_t i = 0; i < count; ++i) {
    // To nearest, ties away from zero, then the zero point, then the bounds.
    const double steps = std::round(in[i] / scale);
    const double code = std::isnan(steps) ? zero_point : steps + zero_point;
    store(element, static_cast<std::int64_t>(std::clamp(code, low, high)), q, i);
  }
}

hurray_status dequantize(std::uint8_t tag, float scale, std::int32_t zero_point, const void* q,
                         float* out, std::size_t count) {
  const Element* element = find_affine(tag);
  if (!element) return HURRAY_REJECTED;
  dequantize_all(*element, scale, zero_point, q, out, count);
  return HURRAY_OK;
}

hurray_status quantize(std::uint8_t tag, float scale, std::int32_t zero_point, const float* in,
                       void* q, std::size_t count) {
  const Element* element = find_affine(tag);
  if (!element || !are_parameters(*element, scale, zero_point)) return HURRAY_REJECTED;
  quantize_all(*element, scale, zero_point, in, q, count);
  return HURRAY_OK;
}

hurray_status normalize(const hurray_zero_point_format* format, const std::uint8_t* packed,
                        std::size_t bytes, std::size_t count, std::int32_t* out) {
  const std::uint32_t bits = format->bits;
  if ((bits != 2 && bits != 4 && bits != 8) || format->high_field_first > 1) return HURRAY_REJECTED;
  const std::int32_t most = (1 << bits) - 1;
  const std::uint32_t per_byte = 8 / bits;
  if (count / per_byte + (count % per_byte != 0) > bytes) return HURRAY_REJECTED;
  if (format->bias > std::numeric_limits<std::int32_t>::max() - most) return HURRAY_REJECTED;
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t place = format->high_field_first ? per_byte - 1 - i % per_byte : i % per_byte;
    out[i] = (packed[i / per_byte] >> place * bits & most) + format->bias;
  }
  return HURRAY_OK;
}

// The firmware's functions: any zero point counts, NULL is seen before the scale, both before a
// count of 0.
constexpr std::uint16_t kOk = 0, kInvalidArg = 0x103, kNullPtr = 0x504;

template <std::uint8_t kTag, typename Code>
std::uint16_t ra8_quantize(const float* in, Code* out, std::size_t count, float scale,
                           std::int32_t zero_point) {
  if (!in || !out) return kNullPtr;
  if (!is_scale(scale) || std::signbit(scale)) return kInvalidArg;
  quantize_all(*find_element(kTag), scale, zero_point, in, out, count);
  return kOk;
}

template <std::uint8_t kTag, typename Code>
std::uint16_t ra8_dequantize(const Code* in, float* out, std::size_t count, float scale,
                             std::int32_t zero_point) {
  if (!in || !out) return kNullPtr;
  dequantize_all(*find_element(kTag), scale, zero_point, in, out, count);
  return kOk;
}

// --- Quantization descriptors: scheme, version and flags, then 32-bit words

enum class Word {
  kScale,
  kZeroPoint,
  kReserved,
  kAxis,
  kBlockSize,
  kScaleIndex,
  kZeroPointIndex,
  kScaleType
};
constexpr Word kAllWords[] = {Word::kScale,          Word::kZeroPoint, Word::kReserved,
                              Word::kAxis,           Word::kBlockSize, Word::kScaleIndex,
                              Word::kZeroPointIndex, Word::kScaleType};
constexpr Word kPta[] = {Word::kScale, Word::kZeroPoint, Word::kReserved};
// Behind the byte of the scale type are three that are zero: read as one word with it they need no
// rule.
constexpr Word kPca[] = {Word::kAxis, Word::kScaleIndex, Word::kZeroPointIndex, Word::kScaleType};
constexpr Word kPba[] = {Word::kAxis, Word::kBlockSize, Word::kScaleIndex, Word::kZeroPointIndex,
                         Word::kScaleType};
constexpr Word kOthers[] = {Word::kAxis, Word::kBlockSize, Word::kScaleIndex};
constexpr std::uint8_t kAffineTags[] = {0x10, 0x11, 0x12, 0x13, 0x14, 0x15, 0x48, 0x49, 0x4a, 0x4b};
constexpr std::uint8_t kPbaTags[] = {0x10, 0x11, 0x48, 0x49, 0x4a, 0x4b}, kNf4Tags[] = {0x49};
constexpr std::uint8_t kMxfpTags[] = {0x10, 0x40, 0x41, 0x43, 0x44, 0x45, 0x48};

struct Scheme {
  std::span<const Word> words;
  std::span<const std::uint8_t> storage;
  std::uint8_t lowest_scale_type, highest_scale_type;
  std::uint32_t least, most;  // size of a block

  bool has(Word word) const { return std::ranges::find(words, word) != words.end(); }
};
constexpr std::uint32_t kNoLimit = 0xffffffff, kNoBuffer = 0xffffffff;
constexpr Scheme kSchemes[] = {{kPta, kAffineTags, 0, 0, 0, 0},
                               {kPca, kAffineTags, 3, 3, 0, 0},
                               {kPba, kPbaTags, 1, 3, 2, kNoLimit},
                               {kOthers, kNf4Tags, 0, 0, 8, kNoLimit},
                               {kOthers, kMxfpTags, 0, 0, 16, 2048}};

const Scheme* find_scheme(std::uint8_t tag) {
  return tag >= 1 && tag <= std::size(kSchemes) ? &kSchemes[tag - 1] : nullptr;
}

std::uint32_t get(const hurray_descriptor& fields, Word word) {
  switch (word) {
    case Word::kScale:
      return std::bit_cast<std::uint32_t>(fields.scale);
    case Word::kZeroPoint:
      return static_cast<std::uint32_t>(fields.zero_point);
    case Word::kAxis:
      return fields.axis;
    case Word::kBlockSize:
      return fields.block_size;
    case Word::kScaleIndex:
      return fields.scale_buffer_index;
    case Word::kZeroPointIndex:
      return fields.zero_point_buffer_index;
    case Word::kScaleType:
      return fields.scale_type_tag;
    case Word::kReserved:
      break;
  }
  return 0;
}

void set(hurray_descriptor& fields, Word word, std::uint32_t value) {
  switch (word) {
    case Word::kScale:
      fields.scale = std::bit_cast<float>(value);
      break;
    case Word::kZeroPoint:
      fields.zero_point = static_cast<std::int32_t>(value);
      break;
    case Word::kAxis:
      fields.axis = value;
      break;
    case Word::kBlockSize:
      fields.block_size = value;
      break;
    case Word::kScaleIndex:
      fields.scale_buffer_index = value;
      break;
    case Word::kZeroPointIndex:
      fields.zero_point_buffer_index = value;
      break;
    case Word::kScaleType:
      fields.scale_type_tag = static_cast<std::uint8_t>(value);
      break;
    case Word::kReserved:
      break;
  }
}

bool is_valid(const Scheme& scheme, std::uint8_t tag, const hurray_descriptor& fields,
              bool writes) {
  const bool has_flags = scheme.has(Word::kScaleType), is_symmetric = fields.flags == 1;
  if (fields.flags > (has_flags ? 1 : 0) ||
      std::ranges::find(scheme.storage, tag) == scheme.storage.end())
    return false;
  if (scheme.has(Word::kScale) &&
      !are_parameters(*find_element(tag), fields.scale, fields.zero_point))
    return false;
  if (has_flags) {
    if (fields.scale_type_tag < scheme.lowest_scale_type ||
        fields.scale_type_tag > scheme.highest_scale_type)
      return false;
    // A reader of a symmetric PBA descriptor overlooks the index; of PCA, and a writer, it has one
    // value.
    const bool is_overlooked = fields.scheme_tag == 3 && is_symmetric && !writes;
    if ((fields.zero_point_buffer_index == kNoBuffer) != is_symmetric && !is_overlooked)
      return false;
  }
  if (!scheme.has(Word::kBlockSize)) return true;
  return std::has_single_bit(fields.block_size) && fields.block_size >= scheme.least &&
         fields.block_size <= scheme.most;
}

hurray_status decode(std::uint8_t tag, const std::uint8_t* bytes, std::size_t length,
                     hurray_descriptor* out) {
  const Scheme* scheme = length < 4 ? nullptr : find_scheme(bytes[0]);
  if (!scheme || bytes[1] != 1 || length < 4 + 4 * scheme->words.size()) return HURRAY_REJECTED;
  hurray_descriptor fields = {};
  fields.scheme_tag = bytes[0];
  fields.flags = static_cast<std::uint16_t>(bytes[2] | bytes[3] << 8);
  for (const std::uint8_t* at = bytes + 4; const Word word : scheme->words) {
    const std::uint32_t value = at[0] | at[1] << 8 | at[2] << 16 | std::uint32_t{at[3]} << 24;
    set(fields, word, value);
    if (get(fields, word) != value) return HURRAY_REJECTED;  // reserved bytes
    at += 4;
  }
  if (!is_valid(*scheme, tag, fields, false)) return HURRAY_REJECTED;
  *out = fields;  // only now: a refusal leaves the output as it was
  return HURRAY_OK;
}

hurray_status encode(std::uint8_t tag, const hurray_descriptor* fields, std::uint8_t* out,
                     std::size_t capacity, std::size_t* written) {
  const Scheme* scheme = find_scheme(fields->scheme_tag);
  if (!scheme || capacity < 4 + 4 * scheme->words.size() || !is_valid(*scheme, tag, *fields, true))
    return HURRAY_REJECTED;
  // What has no place in these bytes is refused rather than dropped.
  const auto is_lost = [&](Word word) { return !scheme->has(word) && get(*fields, word) != 0; };
  if (std::ranges::any_of(kAllWords, is_lost)) return HURRAY_REJECTED;
  const std::uint8_t header[] = {fields->scheme_tag, 1, static_cast<std::uint8_t>(fields->flags),
                                 0};
  std::uint8_t* at = std::copy(std::begin(header), std::end(header), out);
  for (const Word word : scheme->words) {
    for (int shift = 0; shift < 32; shift += 8)
      *at++ = static_cast<std::uint8_t>(get(*fields, word) >> shift);
  }
  *written = static_cast<std::size_t>(at - out);
  return HURRAY_OK;
}

// --- The table

constexpr hurray_ra8_functions kRa8 = {
    ra8_quantize<0x10, std::int8_t>, ra8_dequantize<0x10, std::int8_t>,
    ra8_quantize<0x11, std::uint8_t>, ra8_dequantize<0x11, std::uint8_t>};
constexpr std::uint32_t kStored = HURRAY_TYPES_AFFINE | HURRAY_TYPE_FLOAT8_E4M3 |
                                  HURRAY_TYPE_FLOAT8_E5M2 | HURRAY_TYPE_FLOAT4_E2M1 |
                                  HURRAY_TYPE_FLOAT6_E2M3 | HURRAY_TYPE_FLOAT6_E3M2;

}  // namespace

extern "C" const struct hurray_target hurray_target = {
    .struct_bytes = sizeof(struct hurray_target),
    .abi = HURRAY_TARGET_ABI,
    .name = "cpp",
    .version = "1",
    .contracts = HURRAY_CONTRACT_HURRAY | HURRAY_CONTRACT_RA8,
    .schemes = HURRAY_SCHEME_PER_TENSOR_AFFINE | HURRAY_SCHEME_PER_CHANNEL_AFFINE |
               HURRAY_SCHEME_PER_BLOCK_AFFINE | HURRAY_SCHEME_NF4 | HURRAY_SCHEME_MXFP,
    .modes = HURRAY_MODE_STRICT,
    .decode_types = kStored,
    .encode_types = kStored,
    .dequantize_types = HURRAY_TYPES_AFFINE,
    .quantize_types = HURRAY_TYPES_AFFINE,
    .decode = decode,
    .encode = encode,
    .dequantize = dequantize,
    .quantize = quantize,
    .pack = pack,
    .unpack = unpack,
    .packed_bytes = packed_bytes,
    .widen = widen,
    .normalize_zero_points = normalize,
    .convert = nullptr,
    .decode_tensor = nullptr,
    .encode_tensor = nullptr,
    .dequantize_tensor = nullptr,
    .ra8 = &kRa8,
    .element_types = kStored | HURRAY_TYPE_BOOL | HURRAY_TYPE_FLOAT8_E8M0 | HURRAY_TYPE_FLOAT16 |
                     HURRAY_TYPE_BFLOAT16 | HURRAY_TYPE_FLOAT32 | HURRAY_TYPE_FLOAT64 |
                     HURRAY_TYPE_INT64 | HURRAY_TYPE_UINT64 | HURRAY_TYPE_COMPLEX64,
    .tensor_types = 0,
    .layouts = 0};
