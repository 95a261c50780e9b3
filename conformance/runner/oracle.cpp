// SPDX-License-Identifier: Apache-2.0
//
// Every answer that texts and rulings allow, see oracle.h. One function per verb; each names the
// behaviours that concern it and computes the answer of one combination of their options.

#include "conformance/runner/oracle.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include <fmt/format.h>

#include "conformance/runner/combinations.h"
#include "conformance/runner/oracle_findings.h"
#include "conformance/runner/oracle_tensor.h"
#include "reference/binary32.h"
#include "reference/choices.h"
#include "reference/dequantize.h"
#include "reference/element_type.h"
#include "reference/firmware.h"
#include "reference/quantize.h"
#include "reference/zero_point.h"

namespace hurray::conformance {
namespace {

const Behaviour kSubnormals = {"subnormals",
                               {"flush", "flush-operands", "flush-results", "gradual"}};
const Behaviour kQuotient = {"quotient", {"binary32", "exact"}};
const Behaviour kNanInput = {"nan-input", {"value", "refuse"}};
const Behaviour kInfiniteScale = {"infinite-scale", {"refuse", "zero-point"}};

std::vector<Alternative> dequantize_answers(const ReadRequest& request) {
  const StorageTypeInfo* info = find_storage_type(request.type);
  if (!info) return {{reject_line(request), CaseVerdict::kPass, {}, {}}};

  std::vector<Behaviour> behaviours;
  if (info->bits == 32) behaviours.push_back({"int32-difference", {"widen", "wrap"}});
  if (info->type == StorageType::kUint32) {
    behaviours.push_back({"uint32-codes", {"reinterpret", "unsigned"}});
  }
  add_rounding_mode(request, behaviours);
  return enumerate(behaviours, [&](const Combination& combination) -> Result {
    if (follows_mode(combination)) return {"ok out=any" + ok_suffix(request), CaseVerdict::kRecord};
    Floats out(request.count);
    dequantize(info->type, request.scale, request.zero_point, request.bytes.data(), request.count,
               out.data(), choices_of(combination));
    spell_nans_alike(out);
    return {"ok out=" + floats_to_hex(out) + ok_suffix(request)};
  });
}

// Output positions that no text decides: NaN inputs, and infinity over infinity (R01, R03).
std::vector<std::size_t> free_positions(const ReadRequest& request) {
  std::vector<std::size_t> free;
  for (std::size_t i = 0; i < request.floats.size(); ++i) {
    const float x = request.floats[i];
    if (std::isnan(x) || (std::isinf(x) && std::isinf(request.scale))) free.push_back(i);
  }
  return free;
}

std::vector<Alternative> quantize_answers(const ReadRequest& request) {
  const StorageTypeInfo* info = find_storage_type(request.type);
  if (!info || std::isnan(request.scale) || request.scale == 0.0f) {
    return {{reject_line(request), CaseVerdict::kPass, {}, {}}};
  }
  std::vector<Behaviour> behaviours = {kQuotient};
  if (std::isinf(request.scale)) behaviours.push_back(kInfiniteScale);
  if (request.scale < 0) behaviours.push_back({"quantize-negative-scale", {"divide", "refuse"}});
  if (request.zero_point < info->min || request.zero_point > info->max) {
    behaviours.push_back({"quantize-zero-point-range", {"compute", "refuse"}});
  }
  const std::vector<std::size_t> free = free_positions(request);
  if (!free.empty()) behaviours.push_back(kNanInput);
  add_rounding_mode(request, behaviours);

  return enumerate(behaviours, [&](const Combination& combination) -> Result {
    if (combination.has("infinite-scale", "refuse") ||
        combination.has("quantize-negative-scale", "refuse") ||
        combination.has("quantize-zero-point-range", "refuse") ||
        combination.has("nan-input", "refuse")) {
      return {reject_line(request)};
    }
    if (follows_mode(combination)) return {"ok q=any" + ok_suffix(request), CaseVerdict::kRecord};
    Bytes q(packed_bytes(info->type, request.count).value());
    quantize(info->type, request.scale, request.zero_point, request.floats.data(), request.count,
             q.data(), choices_of(combination));
    return {"ok q=" + to_hex(q) + ok_suffix(request), CaseVerdict::kPass, free};
  });
}

std::vector<Alternative> normalize_answers(const ReadRequest& request) {
  std::vector<Behaviour> behaviours;
  add_rounding_mode(request, behaviours);
  std::vector<Alternative> alternatives =
      enumerate(behaviours, [&](const Combination& combination) -> Result {
        const ZeroPointFormat format{request.bits, request.bias, request.high_field_first};
        std::vector<std::int32_t> zero_points(request.count);
        const Status status =
            normalize_zero_points(format, request.bytes, request.count, zero_points.data());
        if (status != Status::kOk) return {reject_line(request)};
        if (follows_mode(combination)) {
          return {"ok zero_points=any" + ok_suffix(request), CaseVerdict::kRecord};
        }
        return {"ok zero_points=" + int32s_to_hex(zero_points) + ok_suffix(request)};
      });
  // The recipe has nibbles, the low one first, and a target need not know another form (A27).
  if (request.high_field_first || request.bits != 4) {
    alternatives.push_back({"unsupported", CaseVerdict::kPass, {}, {}});
  }
  return alternatives;
}

// `ok code=…` of a refusing firmware function: the output is as it was.
std::string refused(const ReadRequest& request, std::string_view code) {
  const std::size_t bytes = request.count * (request.quantizes() ? 1 : 4);
  std::string answer = fmt::format("ok code={}", code);
  if (request.has_fill) answer += " out=" + to_hex(Bytes(bytes, request.fill));
  return answer + ok_suffix(request);
}

std::string firmware_output(const ReadRequest& request, const Choices& choices) {
  using namespace hurray::firmware;
  std::uint16_t code = firmware::kOk;
  std::string out;
  if (request.quantizes()) {
    Bytes bytes(request.count + 1);  // never a null pointer, even for count 0
    Floats in = request.floats;
    in.push_back(0);
    code = request.is_ra8_signed()
               ? quantize_i8(in.data(), reinterpret_cast<std::int8_t*>(bytes.data()), request.count,
                             request.scale, request.zero_point, choices)
               : quantize_u8(in.data(), bytes.data(), request.count, request.scale,
                             request.zero_point, choices);
    bytes.pop_back();
    out = to_hex(bytes);
  } else {
    Floats values(request.count + 1);
    Bytes in = request.bytes;
    in.push_back(0);
    code = request.is_ra8_signed()
               ? dequantize_i8(reinterpret_cast<const std::int8_t*>(in.data()), values.data(),
                               request.count, request.scale, request.zero_point, choices)
               : dequantize_u8(in.data(), values.data(), request.count, request.scale,
                               request.zero_point, choices);
    values.pop_back();
    spell_nans_alike(values);
    out = floats_to_hex(values);
  }
  if (code != firmware::kOk) throw SuiteError("ra8: the reference refused what the rulings accept");
  return "ok code=0000 out=" + out;
}

std::vector<Alternative> ra8_answers(const ReadRequest& request) {
  const bool any_null = request.null_in || request.null_out;
  const bool bad_scale = request.quantizes() && !(request.scale > 0);
  const bool odd_scale =
      request.dequantizes() && !(request.scale > 0 && std::isfinite(request.scale));
  const std::vector<std::size_t> free =
      request.quantizes() ? free_positions(request) : std::vector<std::size_t>{};

  std::vector<Behaviour> behaviours;
  if (any_null && request.count == 0)
    behaviours.push_back({"null-with-count-0", {"null_ptr", "ok"}});
  if (any_null && bad_scale && request.count > 0) {
    behaviours.push_back({"null-and-bad-scale", {"invalid_arg", "null_ptr"}});
  }
  if (!any_null && bad_scale && request.count == 0) {
    behaviours.push_back({"bad-scale-with-count-0", {"invalid_arg", "ok"}});
  }
  const bool computes = !any_null && !bad_scale;
  if (computes) {
    const bool subnormal_matters =
        is_subnormal(request.scale) || request.dequantizes() ||
        std::any_of(request.floats.begin(), request.floats.end(), is_subnormal);
    if (subnormal_matters) behaviours.push_back(kSubnormals);
    if (request.quantizes()) behaviours.push_back(kQuotient);
    if (request.quantizes() && std::isinf(request.scale)) behaviours.push_back(kInfiniteScale);
    if (odd_scale) behaviours.push_back({"dequantize-bad-scale", {"compute", "other"}});
    if (!free.empty()) behaviours.push_back(kNanInput);
  }
  add_rounding_mode(request, behaviours);

  return enumerate(behaviours, [&](const Combination& combination) -> Result {
    if (any_null) {
      if (combination.has("null-with-count-0", "ok"))
        return {"ok code=0000 out=" + ok_suffix(request)};
      const bool scale_first = combination.has("null-and-bad-scale", "invalid_arg");
      return {refused(request, scale_first ? "0103" : "0504")};
    }
    if (bad_scale) {
      if (combination.has("bad-scale-with-count-0", "ok")) {
        return {"ok code=0000 out=" + ok_suffix(request)};
      }
      return {refused(request, "0103")};
    }
    if (combination.has("infinite-scale", "refuse")) return {refused(request, "0103")};
    if (combination.has("nan-input", "refuse")) return {refused(request, "error")};
    if (combination.has("dequantize-bad-scale", "other")) {
      return {"ok code=any" + ok_suffix(request), CaseVerdict::kRecord};
    }
    if (follows_mode(combination)) {
      return {"ok code=0000 out=any" + ok_suffix(request), CaseVerdict::kRecord};
    }
    return {firmware_output(request, choices_of(combination)) + ok_suffix(request),
            CaseVerdict::kPass, free};
  });
}

}  // namespace

void spell_nans_alike(Floats& values) {
  for (float& value : values) {
    if (std::isnan(value)) value = std::bit_cast<float>(0x7fc00000u);
  }
}

std::vector<Alternative> expected_answers(const ReadRequest& request) {
  std::vector<Alternative> alternatives;
  if (request.verb == "decode")
    alternatives = decode_answers(request);
  else if (request.verb == "encode")
    alternatives = encode_answers(request);
  else if (request.verb == "dequantize")
    alternatives = dequantize_answers(request);
  else if (request.verb == "quantize")
    alternatives = quantize_answers(request);
  else if (request.verb == "normalize")
    alternatives = normalize_answers(request);
  else if (request.verb == "ra8")
    alternatives = ra8_answers(request);
  else if (request.is_about_elements())
    alternatives = element_answers(request);
  else if (request.verb == "decode_tensor")
    alternatives = decode_tensor_answers(request);
  else if (request.verb == "encode_tensor")
    alternatives = encode_tensor_answers(request);
  else if (request.verb == "dequantize_tensor")
    alternatives = dequantize_tensor_answers(request);
  else if (request.verb == "convert")
    alternatives = convert_answers(request);
  else
    throw SuiteError("no oracle for the verb " + request.verb);

  std::sort(alternatives.begin(), alternatives.end(),
            [](const Alternative& a, const Alternative& b) { return a.answer < b.answer; });
  return alternatives;
}

}  // namespace hurray::conformance
