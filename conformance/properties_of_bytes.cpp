// SPDX-License-Identifier: Apache-2.0
//
// The properties of descriptors, of foreign zero points and of packing, see properties.h. What the
// clauses say about bytes is read here without the reference: descriptors byte by byte, packed
// codes bit by bit.

#include <algorithm>
#include <cstdlib>
#include <limits>

#include <fmt/format.h>

#include "conformance/properties.h"
#include "conformance/property_calls.h"
#include "conformance/runner/families/families.h"
#include "reference/binary32.h"
#include "reference/dequantize.h"

namespace hurray::conformance {
namespace {

constexpr std::size_t kDescriptorBytes = 16;

// --- Descriptors

enum class Duty { kTake, kMayTake, kRefuse };

struct Described {
  Duty duty = Duty::kRefuse;
  std::uint32_t scale_bits = 0;
  std::int64_t zero_point = 0;
};

// Tags 10 to 15 are signed and unsigned in turn, of 8, 16 and 32 bits; 48 to 4b of 4 and 2 bits.
// [HQ-PTA-016, -017, HQ-PACK-003]
bool is_in_range(std::uint8_t type_tag, std::int64_t value) {
  unsigned bits = 0;
  if (type_tag >= 0x10 && type_tag <= 0x15) bits = 8u << (type_tag - 0x10) / 2;
  if (type_tag >= 0x48 && type_tag <= 0x4b) bits = type_tag < 0x4a ? 4 : 2;
  if (bits == 0) return false;
  const std::int64_t codes = std::int64_t{1} << bits;
  const bool is_signed = type_tag % 2 == 0;
  return is_signed ? -codes / 2 <= value && value < codes / 2 : 0 <= value && value < codes;
}

// What the clauses say about these bytes, for a tensor of this storage type.
Described described(std::uint8_t type_tag, std::span<const std::uint8_t> bytes) {
  Described result;
  if (bytes.size() < kDescriptorBytes) return result;    // [HQ-PTA-014, -015]
  if (bytes[0] != 1) return result;                      // scheme_tag   [HQ-PTA-001]
  if (bytes[1] > 1) return result;                       // scheme_version   [HQ-PTA-003]
  if (bytes[2] != 0 || bytes[3] != 0) return result;     // flags   [HQ-PTA-004]
  for (std::size_t i = 12; i < kDescriptorBytes; ++i) {  // reserved   [HQ-PTA-013]
    if (bytes[i] != 0) return result;
  }

  // The exponent of infinities and NaNs is all ones; of zeros everything but the sign is zero.
  // [HQ-PTA-005..009, A07]
  const bool exponent_is_ones = (bytes[7] & 0x7f) == 0x7f && (bytes[6] & 0x80) != 0;
  const bool is_zero_scale = bytes[4] == 0 && bytes[5] == 0 && bytes[6] == 0 && bytes[7] % 128 == 0;
  if (exponent_is_ones || is_zero_scale) return result;

  // Two's complement: the highest bit counts -2^31.   [HQ-PTA-010, -011]
  std::int64_t zero_point = bytes[11] >= 128 ? -(std::int64_t{1} << 32) : 0;
  for (std::size_t i = 0; i < 4; ++i) {
    result.scale_bits += std::uint32_t{bytes[4 + i]} << 8 * i;
    zero_point += std::int64_t{bytes[8 + i]} << 8 * i;
  }
  if (!is_in_range(type_tag, zero_point)) return result;
  result.zero_point = zero_point;

  // Version 0 and longer sections are open.   [A11, A12]
  const bool is_open = bytes[1] == 0 || bytes.size() > kDescriptorBytes;
  result.duty = is_open ? Duty::kMayTake : Duty::kTake;
  return result;
}

bool claims_type(std::uint32_t claimed, std::uint8_t type_tag) {
  const StorageTypeInfo* info = find_storage_type(type_tag);
  return info != nullptr && has_type(claimed, info->type);
}

std::string line_of_decode(std::uint8_t type_tag, std::span<const std::uint8_t> bytes) {
  return decode_request(fmt::format("{:02x}", type_tag), bytes);
}

std::string line_of_encode(std::uint8_t type_tag, const hurray_descriptor& descriptor) {
  return encode_request(fmt::format("{:02x}", type_tag), bits_of(descriptor.scale),
                        descriptor.zero_point);
}

// Nothing if the target refused.
std::optional<hurray_descriptor> decoded(const Target& target, std::uint8_t type_tag,
                                         std::span<const std::uint8_t> bytes) {
  const Bytes copy(bytes.begin(), bytes.end());  // so that a sanitizer sees where it ends
  hurray_descriptor out = {};
  if (target.decode(type_tag, copy.data(), copy.size(), &out) != HURRAY_OK) return std::nullopt;
  return out;
}

std::optional<Bytes> encoded(const Target& target, std::uint8_t type_tag,
                             const hurray_descriptor& descriptor) {
  Bytes out(4 * kDescriptorBytes);
  std::size_t written = 0;
  if (target.encode(type_tag, &descriptor, out.data(), out.size(), &written) != HURRAY_OK) {
    return std::nullopt;
  }
  out.resize(std::min(written, out.size()));
  return out;
}

bool same_descriptor(const hurray_descriptor& a, const hurray_descriptor& b) {
  return a.scheme_tag == b.scheme_tag && a.scale_type_tag == b.scale_type_tag &&
         a.flags == b.flags && bits_of(a.scale) == bits_of(b.scale) &&
         a.zero_point == b.zero_point && a.axis == b.axis && a.block_size == b.block_size &&
         a.scale_buffer_index == b.scale_buffer_index &&
         a.zero_point_buffer_index == b.zero_point_buffer_index;
}

std::string fields_of(const hurray_descriptor& descriptor) {
  return fmt::format("scheme {}, scale {}, zero point {}", descriptor.scheme_tag,
                     shown(descriptor.scale), descriptor.zero_point);
}

// --- Zero points

constexpr auto kNormalizing = "normalizing-removes-the-bias";

Quantization with_zero_point(Quantization how, std::int32_t zero_point) {
  how.zero_point = zero_point;
  return how;
}
Quantization with_scale(Quantization how, float scale) {
  how.scale = scale;
  return how;
}

// A code with its zero point, and with the biased one: both as the reference has them, and the
// integer differences one apart. With scale 1 the result is that difference, as long as binary32
// holds it.
Verdict moves_by_one(const Target& target, const Quantization& how, std::int64_t code,
                     std::int32_t right_zero_point, std::int32_t biased_zero_point) {
  constexpr std::int64_t kExact = std::int64_t{1} << 23;
  const Quantization right = with_zero_point(how, right_zero_point);
  const Quantization biased = with_zero_point(how, biased_zero_point);
  if (!can_dequantize(target, right) || !can_dequantize(target, biased)) return std::nullopt;
  if (std::abs(code) > kExact || may_be_flushed(how, how.scale)) return std::nullopt;
  Floats reals;
  for (const Quantization& each :
       {right, biased, with_scale(right, 1.0f), with_scale(biased, 1.0f)}) {
    const float wanted = dequantize_value(each.type, each.scale, each.zero_point, code);
    const std::optional<Floats> got = reals_of(target, each, {&code, 1});
    if (!got || !same_real(got->front(), wanted)) {
      return Violation{
          kNormalizing,
          fmt::format("Code {} with zero point {} gives {} instead of {}.", code, each.zero_point,
                      got ? shown(got->front()) : "a refusal", shown(wanted)),
          {dequantize_line(each, {&code, 1})}};
    }
    reals.push_back(got->front());
  }
  if (reals[3] - reals[2] == 1.0f) return std::nullopt;
  return Violation{kNormalizing,
                   fmt::format("A bias of 1 moves the difference of code {} from {} to {}.", code,
                               reals[2], reals[3]),
                   {dequantize_line(with_scale(right, 1.0f), {&code, 1}),
                    dequantize_line(with_scale(biased, 1.0f), {&code, 1})}};
}

// --- Packing

// Bit k of packed storage is bit k % 8 of byte k / 8, and element i has the bits from i * bits on:
// one sentence for all widths.   [HQ-PACK-001, -004, -007]
Bytes packed_by_hand(const StorageTypeInfo& info, std::span<const std::int64_t> codes) {
  Bytes bytes((codes.size() * info.bits + 7) / 8);
  for (std::size_t i = 0; i < codes.size(); ++i) {
    for (std::size_t bit = 0; bit < info.bits; ++bit) {
      const std::size_t k = i * info.bits + bit;
      const unsigned value = codes[i] >> bit & 1;
      bytes[k / 8] = static_cast<std::uint8_t>(bytes[k / 8] | value << k % 8);
    }
  }
  return bytes;
}

}  // namespace

Verdict decode_inverts_encode(const Target& target, std::uint8_t type_tag, float scale,
                              std::int32_t zero_point) {
  constexpr auto kProperty = "decode-inverts-encode";
  if (target.encode == nullptr || target.decode == nullptr) return std::nullopt;
  if (find_storage_type(type_tag) != nullptr &&
      !(claims_type(target.encode_types, type_tag) && claims_type(target.decode_types, type_tag))) {
    return std::nullopt;
  }
  hurray_descriptor descriptor = {};
  descriptor.scheme_tag = 1;
  descriptor.scale = scale;
  descriptor.zero_point = zero_point;
  const std::optional<Bytes> bytes = encoded(target, type_tag, descriptor);
  if (!bytes) return std::nullopt;
  const std::optional<hurray_descriptor> back = decoded(target, type_tag, *bytes);
  if (back && same_descriptor(*back, descriptor)) return std::nullopt;
  return Violation{
      kProperty,
      fmt::format("{} is encoded as {}, which is decoded as {}.", fields_of(descriptor),
                  to_hex(*bytes), back ? fields_of(*back) : "invalid"),
      {line_of_encode(type_tag, descriptor), line_of_decode(type_tag, *bytes)}};
}

Verdict encode_inverts_decode(const Target& target, std::uint8_t type_tag,
                              std::span<const std::uint8_t> bytes) {
  constexpr auto kProperty = "encode-inverts-decode";
  if (target.encode == nullptr || target.decode == nullptr) return std::nullopt;
  if (!claims_type(target.encode_types, type_tag)) return std::nullopt;
  const std::optional<hurray_descriptor> descriptor = decoded(target, type_tag, bytes);
  if (!descriptor) return std::nullopt;
  Bytes wanted(bytes.begin(), bytes.end());
  wanted.resize(std::min(wanted.size(), kDescriptorBytes));
  if (wanted.size() > 1 && wanted[1] == 0) wanted[1] = 1;
  const std::optional<Bytes> written = encoded(target, type_tag, *descriptor);
  if (written == wanted) return std::nullopt;
  return Violation{kProperty,
                   fmt::format("{} is decoded as {}, which is encoded as {}.", to_hex(bytes),
                               fields_of(*descriptor), written ? to_hex(*written) : "invalid"),
                   {line_of_decode(type_tag, bytes), line_of_encode(type_tag, *descriptor)}};
}

Verdict accepts_what_is_described(const Target& target, std::uint8_t type_tag,
                                  std::span<const std::uint8_t> bytes) {
  constexpr auto kProperty = "accepts-what-is-described";
  if (target.decode == nullptr) return std::nullopt;
  const Described expected = described(type_tag, bytes);
  const std::optional<hurray_descriptor> got = decoded(target, type_tag, bytes);
  const std::vector<std::string> requests = {line_of_decode(type_tag, bytes)};
  if (!got) {
    if (expected.duty != Duty::kTake) return std::nullopt;
    if (!claims_type(target.decode_types, type_tag)) return std::nullopt;
    return Violation{kProperty, "Refuses a valid descriptor.", requests};
  }
  if (expected.duty == Duty::kRefuse) {
    return Violation{kProperty, fmt::format("Takes an invalid descriptor as {}.", fields_of(*got)),
                     requests};
  }
  hurray_descriptor wanted = {};
  wanted.scheme_tag = 1;
  wanted.scale = std::bit_cast<float>(expected.scale_bits);
  wanted.zero_point = static_cast<std::int32_t>(expected.zero_point);
  if (same_descriptor(*got, wanted)) return std::nullopt;
  return Violation{kProperty, fmt::format("Decodes {} as {}.", fields_of(wanted), fields_of(*got)),
                   requests};
}

Verdict normalizing_removes_the_bias(const Target& target, const Quantization& how,
                                     std::span<const std::uint8_t> plane,
                                     std::span<const std::int64_t> codes) {
  const std::size_t count = codes.size();
  plane = plane.first((count + 1) / 2);
  std::vector<std::int32_t> fields;
  for (std::size_t i = 0; i < count; ++i) {
    fields.push_back(i % 2 == 0 ? plane[i / 2] % 16 : plane[i / 2] / 16);
  }

  // With the bias removed, and without; by hand where the target does not normalize.
  const auto zero_points = [&](std::int32_t bias) {
    std::vector<std::int32_t> made(count, std::numeric_limits<std::int32_t>::min());
    const hurray_zero_point_format format = {4, bias, 0};
    if (target.normalize_zero_points == nullptr) {
      std::transform(fields.begin(), fields.end(), made.begin(),
                     [bias](std::int32_t field) { return field + bias; });
    } else if (target.normalize_zero_points(&format, plane.data(), plane.size(), count,
                                            made.data()) != HURRAY_OK) {
      made.clear();
    }
    return made;
  };
  const auto line_of_normalize = [&](int bias) {
    return fmt::format("normalize bits=4 bias={} order=low-first count={} packed={}", bias, count,
                       to_hex(plane));
  };
  const std::vector<std::int32_t> normalized = zero_points(1);
  const std::vector<std::int32_t> twin = zero_points(0);
  if (normalized.size() != count)
    return Violation{kNormalizing, "Refuses.", {line_of_normalize(1)}};
  if (twin.size() != count) return Violation{kNormalizing, "Refuses.", {line_of_normalize(0)}};

  for (std::size_t i = 0; i < count; ++i) {
    if (normalized[i] != fields[i] + 1 || twin[i] != fields[i]) {
      return Violation{kNormalizing,
                       fmt::format("Field {} of element {} is normalized to {} with a bias of 1, "
                                   "and to {} without.",
                                   fields[i], i, normalized[i], twin[i]),
                       {line_of_normalize(1), line_of_normalize(0)}};
    }
    Verdict moves = moves_by_one(target, how, codes[i], normalized[i], twin[i]);
    if (moves) return moves;
  }
  return std::nullopt;
}

Verdict kernels_keep_packed_codes(const Target& target, const Quantization& how,
                                  std::span<const std::int64_t> codes) {
  constexpr auto kProperty = "kernels-keep-packed-codes";
  Quantization by_one = how;
  by_one.scale = 1;
  if (!can_quantize(target, by_one) || !can_dequantize(target, by_one)) return std::nullopt;
  // Distances that binary32 holds, and that all readings of the text agree about.
  constexpr std::int64_t kExact = std::int64_t{1} << 23;
  Codes kept;
  Floats distances;
  for (const std::int64_t code : codes) {
    if (std::abs(code) > kExact || std::abs(code - how.zero_point) > kExact) continue;
    kept.push_back(code);
    distances.push_back(static_cast<float>(code - how.zero_point));
  }

  const std::optional<Floats> reals = reals_of(target, by_one, kept);
  for (std::size_t i = 0; i < kept.size(); ++i) {
    if (reals && (*reals)[i] == distances[i]) continue;
    return Violation{kProperty,
                     fmt::format("Element {} is code {}, and is read as {}.", i, kept[i],
                                 reals ? shown((*reals)[i]) : "a refusal"),
                     {dequantize_line(by_one, kept)}};
  }
  const std::optional<Bytes> packed = packed_codes_of(target, by_one, distances);
  const Bytes wanted = packed_by_hand(info_of(how.type), kept);
  if (packed == wanted) return std::nullopt;
  return Violation{
      kProperty,
      fmt::format("Packs {} instead of {}.", packed ? to_hex(*packed) : "nothing", to_hex(wanted)),
      {quantize_line(by_one, distances)}};
}

Verdict unpack_inverts_pack(const Target& target, StorageType type,
                            std::span<const std::int64_t> codes) {
  constexpr auto kProperty = "unpack-inverts-pack";
  if (target.pack == nullptr || target.unpack == nullptr) return std::nullopt;
  const StorageTypeInfo& info = info_of(type);
  // Bits of claims are in the order of the table.
  const auto bit = static_cast<unsigned>(&info - kStorageTypes.data());
  if ((target.element_types >> bit & 1) == 0) return std::nullopt;
  const auto tag = static_cast<std::uint8_t>(type);
  // No verb asks for packing alone: the same bytes, dequantized.
  const std::vector<std::string> requests = {dequantize_line({Contract::kHurray, type}, codes)};

  const Bytes wanted = packed_by_hand(info, codes);
  Bytes packed(wanted.size(), 0xa5);
  if (target.pack(tag, codes.data(), codes.size(), packed.data()) != HURRAY_OK ||
      packed != wanted) {
    return Violation{kProperty,
                     fmt::format("Packs {} instead of {}.", to_hex(packed), to_hex(wanted)),
                     requests};
  }
  Codes unpacked(codes.size());
  if (target.unpack(tag, packed.data(), codes.size(), unpacked.data()) != HURRAY_OK ||
      !std::equal(unpacked.begin(), unpacked.end(), codes.begin(), codes.end())) {
    return Violation{kProperty,
                     fmt::format("Unpacks {} to {}.", to_hex(packed), fmt::join(unpacked, " ")),
                     requests};
  }
  return std::nullopt;
}

}  // namespace hurray::conformance
