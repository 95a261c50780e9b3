// SPDX-License-Identifier: Apache-2.0
//
// From a wrong answer to its likely cause, see classify.h. First what the answer says by itself
// (call discipline, accept against reject), then the mistakes of hypotheses.h, then the pattern of
// positions.

#include "conformance/runner/classify.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <functional>
#include <numeric>
#include <optional>
#include <utility>

#include "conformance/runner/elements.h"
#include "conformance/runner/hypotheses.h"

namespace hurray::conformance {
namespace {

constexpr std::array<std::pair<std::string_view, std::string_view>, 63> kMeanings = {{
    {"accepts-invalid", "accepts what must be refused"},
    {"rejects-valid", "refuses what must be accepted"},
    {"claims-what-it-lacks",
     "answers `unsupported` to something that it claimed in hello, or that comes with what it "
     "claimed"},
    {"wrong-fields", "reads or writes other values than those that stand there"},
    {"wrong-code", "another result code than the contract names"},
    {"writes-outside", "writes before or behind the output buffer"},
    {"depends-on-earlier-calls",
     "the same request is also answered rightly: earlier calls or what the output held decide"},
    {"changes-input", "writes to the input buffer"},
    {"writes-on-error", "refuses, but has already changed the output"},
    {"float-environment", "leaves another floating-point environment than it found"},
    {"crash", "the process ended instead of answering"},
    {"hang", "no answer within the time limit"},
    {"garbled-answer", "the answer does not follow the protocol"},
    {"inconsistent", "each element is legal by itself, but by different choices"},
    {"zero-sign", "+0 where IEEE arithmetic gives -0, or the reverse"},
    {"flush-to-zero", "subnormal numbers are flushed to zero"},
    {"off-by-one-step", "off by exactly one step: a zero point with a bias of one"},
    {"zero-point-dropped", "the zero point is not used"},
    {"zero-point-added", "the zero point is added where it must be subtracted"},
    {"zero-point-subtracted", "the zero point is subtracted where it must be added"},
    {"zero-point-width", "the zero point is squeezed into the width of the storage type"},
    {"zero-point-clamped", "the zero point is clamped to the storage type before it is added"},
    {"zero-point-before-rounding", "the zero point is added before rounding"},
    {"zero-point-overflow", "the zero point is added in 32 bits, which overflows"},
    {"sign-extension", "codes are sign-extended where they must not be, or the reverse"},
    {"nibble-order", "elements of a byte are taken from the wrong end"},
    {"byte-order", "multi-byte numbers are read or written big-endian"},
    {"scale-byte-order", "the bytes of the scale are taken in the wrong order"},
    {"scale-sign-dropped", "the sign of the scale is ignored"},
    {"int32-wrap", "the difference with the zero point wraps in 32 bits"},
    {"unsigned-difference", "the difference with the zero point is taken as unsigned"},
    {"fused", "multiplication and addition are fused, with one rounding for two"},
    {"expanded", "computes scale*q - scale*zero_point, which cancels"},
    {"float-difference", "the difference with the zero point is taken in binary32, which rounds"},
    {"double-product", "the product is formed in binary64 from the unrounded difference"},
    {"half-precision-scale", "the scale has been through half precision"},
    {"shifted-by-one-element", "each element comes from its neighbour"},
    {"not-computed", "zeros instead of results"},
    {"ties-to-even", "ties are rounded to even instead of away from zero"},
    {"ties-toward-zero", "ties are rounded toward zero instead of away from it"},
    {"ties-upward", "ties are rounded upward instead of away from zero"},
    {"half-added", "rounds by adding 0.5, which rounds 0.49999997 up"},
    {"truncation", "truncates instead of rounding"},
    {"rounds-down", "rounds down instead of to nearest"},
    {"reciprocal", "multiplies by the reciprocal of the scale instead of dividing"},
    {"narrow-range", "the lowest code is never produced"},
    {"clamp-before-zero-point", "saturates before the zero point is added"},
    {"wrap", "wraps instead of saturating"},
    {"undefined-cast", "converts to int32 before saturating, which is undefined out of range"},
    {"other-type-range", "saturates to the range of the type with the other signedness"},
    {"capped-quotient", "the quotient is capped before the zero point is added"},
    {"float-sum", "the zero point is added in binary32, which rounds"},
    {"bias-assumed", "1 is added whatever the bias is said to be"},
    {"packed-add-once", "the bias is added to the packed byte, and only its first field grows"},
    {"bias-forgotten", "the toolchain's bias is left in: every element is off by one step"},
    {"bias-added-twice", "the toolchain's bias is removed twice"},
    {"bias-subtracted", "the toolchain's bias is subtracted instead of added"},
    {"wraps-at-15", "a stored 15 becomes 0 instead of 16"},
    {"clamps-at-15", "a stored 15 stays 15 instead of becoming 16"},
    {"packed-add-carry",
     "the bias is added to the packed byte, and a 15 carries into its neighbour"},
    {"symmetric-assumed", "stored zero points are ignored and the middle is assumed"},
    {"padding-bits", "unused bits of the last byte are not zero"},
    {"tail", "elements behind the last full vector are wrong or not written"},
}};

// The expected array and the got one, where they differ.
struct Difference {
  Elements expected, got;
  std::vector<std::size_t> positions;
};

bool differs(const Elements& a, const Elements& b, std::size_t i) {
  if (!a.are_floats) return a.integers[i] != b.integers[i];
  return a.floats[i] != b.floats[i] &&
         !(is_nan_pattern(a.floats[i]) && is_nan_pattern(b.floats[i]));
}

std::optional<Difference> smallest_difference(const ReadRequest& request, const Step& step,
                                              const Answer& got, bool& mixes_alternatives) {
  const std::optional<Elements> have = read_elements(request, got);
  if (!have) return std::nullopt;
  std::optional<Difference> smallest;
  std::vector<bool> explained(have->size(), false);
  for (const Alternative& each : step.expect) {
    std::string error;
    const std::optional<Answer> answer = parse_answer_body(each.answer, error);
    std::optional<Elements> want = answer ? read_elements(request, *answer) : std::nullopt;
    if (!want || want->size() != have->size()) continue;
    Difference difference{*want, *have, {}};
    for (std::size_t i = 0; i < have->size(); ++i) {
      const bool is_free = std::binary_search(each.free.begin(), each.free.end(), i);
      if (!is_free && differs(*want, *have, i))
        difference.positions.push_back(i);
      else
        explained[i] = true;
    }
    if (!smallest || difference.positions.size() < smallest->positions.size()) {
      smallest = std::move(difference);
    }
  }
  mixes_alternatives =
      smallest && std::find(explained.begin(), explained.end(), false) == explained.end();
  return smallest;
}

// Name of the first mistake that gives what was got at all of `positions`.
template <typename Mistake>
std::optional<std::string> explain(
    std::span<const Mistake> mistakes, const std::vector<std::size_t>& positions,
    const std::function<bool(const Mistake&, std::size_t)>& gives_got) {
  for (const Mistake& mistake : mistakes) {
    if (std::all_of(positions.begin(), positions.end(),
                    [&](std::size_t i) { return gives_got(mistake, i); })) {
      return std::string(mistake.name);
    }
  }
  return std::nullopt;
}

// Fields of other widths cannot be asked for.
std::optional<std::string> explain_zero_points(const ReadRequest& request,
                                               const Difference& difference,
                                               const std::vector<std::size_t>& positions) {
  if (request.bits != 2 && request.bits != 4 && request.bits != 8) return std::nullopt;
  return explain<NormalizeMistake>(
      normalize_mistakes(), positions, [&](const NormalizeMistake& mistake, std::size_t i) {
        return mistake.output({request, i}) == difference.got.integers[i];
      });
}

std::optional<std::string> explain_values(const ReadRequest& request, const Difference& difference,
                                          const std::vector<std::size_t>& positions) {
  const StorageTypeInfo* info = storage_type_of(request);
  if (request.dequantizes() && info) {
    return explain<DequantizeMistake>(
        dequantize_mistakes(), positions, [&](const DequantizeMistake& mistake, std::size_t i) {
          const std::int64_t q = read_element(info->type, request.bytes.data(), i);
          const float value = mistake.output({request, *info, i, q});
          const std::uint32_t bits = std::bit_cast<std::uint32_t>(value);
          return bits == difference.got.floats[i] ||
                 (is_nan_pattern(bits) && is_nan_pattern(difference.got.floats[i]));
        });
  }
  if (request.quantizes() && info) {
    return explain<QuantizeMistake>(
        quantize_mistakes(), positions, [&](const QuantizeMistake& mistake, std::size_t i) {
          return mistake.output({*info, request.floats[i], request.scale, request.zero_point}) ==
                 difference.got.integers[i];
        });
  }
  if (request.verb == "normalize") {
    return explain_zero_points(request, difference, positions);
  }
  // Of a converter, where the plane lies as normalizing takes it.
  if (request.verb == "convert" && request.number_of("group_major") == 0 &&
      request.number_of("word_bytes") == 1) {
    ReadRequest plane = request;
    plane.bytes = request.array_of("plane");
    return explain_zero_points(plane, difference, positions);
  }
  return std::nullopt;
}

// Only elements behind the last multiple of some vector width differ.
bool is_tail(const Difference& difference) {
  const std::size_t count = difference.got.size();
  if (count < 5 || difference.positions.empty()) return false;
  const std::size_t first = difference.positions.front();
  constexpr std::array<std::size_t, 5> kWidths = {64, 32, 16, 8, 4};
  return first > 0 && std::any_of(kWidths.begin(), kWidths.end(), [&](std::size_t width) {
           return count % width != 0 && count > width && first >= count / width * width;
         });
}

bool is_nonzero(const Answer& got, std::string_view key) {
  const std::string* value = got.fields.find(key);
  return value && parse_decimal(*value).value_or(1) != 0;
}

std::optional<std::string> classify_discipline(const ReadRequest& request, const Answer& got) {
  if (request.has_fill) {
    if (is_nonzero(got, "under") || is_nonzero(got, "over")) return "writes-outside";
    if (is_nonzero(got, "in_changed")) return "changes-input";
    if (is_nonzero(got, "changed")) return "writes-on-error";
  }
  const std::string* fenv = got.fields.find("fenv");
  if (!request.fenv.empty() && fenv && *fenv != "kept") return "float-environment";
  return std::nullopt;
}

// Whether one of the alternatives is a refusal, or a value.
bool allows(const Step& step, bool refusal) {
  return std::any_of(step.expect.begin(), step.expect.end(), [&](const Alternative& each) {
    const bool is_refusal =
        each.answer.starts_with("reject") || (each.answer.find(" code=") != std::string::npos &&
                                              each.answer.find(" code=0000") == std::string::npos);
    return is_refusal == refusal;
  });
}

std::string classify_descriptor(const Answer& got, const Step& step) {
  std::string error;
  const std::optional<Answer> expected = parse_answer_body(step.expect.back().answer, error);
  const auto number = [](const Answer& answer, std::string_view key) {
    const std::string* text = answer.fields.find(key);
    return text ? *text : std::string();
  };
  const std::optional<std::uint32_t> scale = parse_hex_number(number(got, "scale"), 8);
  const std::optional<std::uint32_t> right = parse_hex_number(number(*expected, "scale"), 8);
  if (scale && right && *scale != *right && __builtin_bswap32(*scale) == *right)
    return "byte-order";
  const std::int64_t zero_point = parse_decimal(number(got, "zero_point")).value_or(0);
  const std::int64_t right_zero_point = parse_decimal(number(*expected, "zero_point")).value_or(0);
  if (zero_point != right_zero_point) {
    const std::uint32_t swapped = __builtin_bswap32(static_cast<std::uint32_t>(zero_point));
    if (static_cast<std::int32_t>(swapped) == right_zero_point) return "byte-order";
    if (((zero_point ^ right_zero_point) & 0xff) == 0) return "sign-extension";
  }
  return "unknown";
}

// Whether an output that came back with a refusal holds anything but what it was filled with.
bool wrote(const ReadRequest& request, const Answer& got) {
  const std::string* out = got.fields.find("out");
  if (!out || !request.has_fill) return false;
  const std::optional<Bytes> bytes = parse_hex(*out);
  return bytes && std::any_of(bytes->begin(), bytes->end(),
                              [&](std::uint8_t byte) { return byte != request.fill; });
}

}  // namespace

std::string classify(const ReadRequest& request, const Step& step, const Answer& got) {
  if (got.kind == AnswerKind::kUnsupported) return "claims-what-it-lacks";
  if (const auto discipline = classify_discipline(request, got)) return *discipline;

  const std::string* code = got.fields.find("code");
  const bool refused =
      got.kind == AnswerKind::kReject || (request.is_ra8() && code && *code != "0000");
  if (!allows(step, refused)) return refused ? "rejects-valid" : "accepts-invalid";
  if (refused) {
    return request.is_ra8() && wrote(request, got) ? "writes-on-error" : "wrong-code";
  }
  if (request.verb == "decode") return classify_descriptor(got, step);
  if (request.verb == "decode_tensor" || request.verb == "packed_bytes") return "wrong-fields";

  bool mixes_alternatives = false;
  const std::optional<Difference> difference =
      smallest_difference(request, step, got, mixes_alternatives);
  if (!difference) return "unknown";
  if (request.verb == "encode" || request.verb == "encode_tensor") {
    const bool same_bytes = std::is_permutation(
        difference->expected.integers.begin(), difference->expected.integers.end(),
        difference->got.integers.begin(), difference->got.integers.end());
    return same_bytes ? "byte-order" : "unknown";
  }
  // Descriptor, weights or scales: the zero points are right.
  if (request.verb == "convert" && difference->positions.empty()) return "wrong-fields";
  if (difference->positions.empty()) {
    // Nothing but the unused bits, or the values at free positions, can be what differs.
    return difference->expected.padding != difference->got.padding ? "padding-bits"
                                                                   : "inconsistent";
  }
  // A mistake that gives the whole output explains more than one that gives the wrong elements of
  // it, and a mixture of legal choices comes between.
  std::vector<std::size_t> all_positions(difference->got.size());
  std::iota(all_positions.begin(), all_positions.end(), std::size_t{0});
  if (const auto mistake = explain_values(request, *difference, all_positions)) return *mistake;
  if (mixes_alternatives) return "inconsistent";
  if (const auto mistake = explain_values(request, *difference, difference->positions))
    return *mistake;
  return is_tail(*difference) ? "tail" : "unknown";
}

std::string_view meaning_of_class(std::string_view name) {
  for (const auto& [each, meaning] : kMeanings) {
    if (each == name) return meaning;
  }
  return {};
}

}  // namespace hurray::conformance
