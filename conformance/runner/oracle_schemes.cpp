// SPDX-License-Identifier: Apache-2.0
//
// What may be answered about element types, and about descriptors of all schemes.

#include <algorithm>

#include <fmt/format.h>

#include "conformance/runner/oracle_findings.h"
#include "conformance/runner/oracle_tensor.h"
#include "reference/byte_order.h"
#include "reference/element_type.h"

namespace hurray::conformance {
namespace {

constexpr std::uint8_t kE8m0 = 0x42;

std::vector<Alternative> rejection(const ReadRequest& request) {
  return {{reject_line(request), CaseVerdict::kPass, {}, {}}};
}

std::vector<std::int64_t> values_of(const ReadRequest& request) {
  const Bytes bytes = request.array_of("values");
  std::vector<std::int64_t> values(bytes.size() / 8);
  for (std::size_t i = 0; i < values.size(); ++i) {
    values[i] = static_cast<std::int64_t>(load_le64(&bytes[8 * i]));
  }
  return values;
}

// Unused bits that are set, for who unpacks.
Findings judge_unused_bits(const ReadRequest& request) {
  Findings findings;
  const std::optional<std::uint64_t> bytes = element_bytes(request.type, request.count);
  if (!bytes || *bytes > request.bytes.size()) {
    findings.must(Status::kTooFewBytes, "HQ-PACK-012");
  } else if (!unused_bits_are_zero(request.type, request.bytes.data(), request.count)) {
    findings.open(hurray::Behaviour::kUnusedBits, Status::kUnusedBits, "HQ-PACK-006");
  }
  return findings;
}

// 00 and ff are no e8m0 numbers. Whether they are patterns is open.   [HQ-PACK-021; A37, A63]
bool has_invalid_e8m0(const ReadRequest& request) {
  return request.type == kE8m0 && std::any_of(request.bytes.begin(), request.bytes.end(),
                                              [](std::uint8_t b) { return b == 0 || b == 0xff; });
}

}  // namespace

std::vector<Alternative> element_answers(const ReadRequest& request) {
  const auto only = [&](const std::string& answer) -> std::vector<Alternative> {
    return {{answer + ok_suffix(request), CaseVerdict::kPass, {}, {}}};
  };
  if (request.verb == "packed_bytes") {
    const auto bytes = element_bytes(request.type, request.number_of("count"));
    return bytes ? only(fmt::format("ok bytes={}", *bytes)) : rejection(request);
  }
  if (request.verb == "pack") {
    const std::vector<std::int64_t> values = values_of(request);
    const bool is_invalid =
        request.type == kE8m0 && std::any_of(values.begin(), values.end(), [](std::int64_t value) {
          return value == 0 || value == 0xff;
        });
    Bytes packed(element_bytes(request.type, values.size()).value_or(0));
    if (is_invalid || pack_elements(request.type, values, packed) != Status::kOk) {
      return rejection(request);
    }
    return only("ok packed=" + to_hex(packed));
  }
  Findings findings = judge_unused_bits(request);
  if (request.verb == "unpack") {
    if (has_invalid_e8m0(request)) {
      findings.open(hurray::Behaviour::kE8m0Patterns, Status::kValueOutOfRange, "HQ-PACK-021");
    }
    return answers_of_reader(request, findings, {}, [&](const Combination&) {
      std::vector<std::int64_t> values(request.count);
      if (unpack_elements(request.type, request.bytes, values) != Status::kOk) {
        throw SuiteError("unpack of a type that has no values");
      }
      Bytes bytes(8 * values.size());
      for (std::size_t i = 0; i < values.size(); ++i) {
        store_le64(&bytes[8 * i], static_cast<std::uint64_t>(values[i]));
      }
      return "ok values=" + to_hex(bytes);
    });
  }
  if (has_invalid_e8m0(request) || !is_widenable(request.type)) return rejection(request);
  return answers_of_reader(request, findings, {}, [&](const Combination&) {
    Floats out(request.count);
    if (widen_elements(request.type, request.bytes, request.count, out.data()) != Status::kOk) {
      throw SuiteError("widen of a type that has no values");
    }
    spell_nans_alike(out);
    return "ok out=" + floats_to_hex(out);
  });
}

std::string quantization_fields(const Quantization& quantization) {
  const std::uint8_t tag = quantization.scheme_tag;
  std::string text = fmt::format("scheme={}", tag);
  const auto affine = [&](const auto& fields, const std::string& block_size) {
    text += fmt::format(
        " flags={:04x} axis={}{} scale_buffer_index={} zero_point_buffer_index={} "
        "scale_type_tag={:02x}",
        fields.flags, fields.axis, block_size, fields.scale_buffer_index,
        fields.zero_point_buffer_index, fields.scale_type_tag);
  };
  const auto blocks = [&](const auto& fields) {
    text += fmt::format(" axis={} block_size={} scale_buffer_index={}", fields.axis,
                        fields.block_size, fields.scale_buffer_index);
  };
  if (tag == kSchemePerTensorAffine) {
    text +=
        fmt::format(" scale={} zero_point={}", bits_to_hex(quantization.per_tensor_affine.scale),
                    quantization.per_tensor_affine.zero_point);
  } else if (tag == kSchemePerChannelAffine) {
    affine(quantization.per_channel_affine, "");
  } else if (tag == kSchemePerBlockAffine) {
    const PerBlockAffine& fields = quantization.per_block_affine;
    affine(fields, fmt::format(" block_size={}", fields.block_size));
  } else if (tag == kSchemeNf4) {
    blocks(quantization.nf4);
  } else if (tag == kSchemeMxfp) {
    blocks(quantization.mxfp);
  }
  return text;
}

Quantization quantization_of(const ReadRequest& request) {
  Quantization out;
  const std::uint32_t tag = request.scheme;
  out.scheme_tag = static_cast<std::uint8_t>(tag);
  const auto number = [&](std::string_view key) {
    return static_cast<std::uint32_t>(request.number_of(key));
  };
  if (tag == kSchemePerTensorAffine) {
    out.per_tensor_affine = {request.scale, request.zero_point};
  } else if (tag == kSchemePerChannelAffine) {
    out.per_channel_affine = {static_cast<std::uint16_t>(request.pattern_of("flags", 4)),
                              number("axis"), number("scale_buffer_index"),
                              number("zero_point_buffer_index"),
                              static_cast<std::uint8_t>(request.pattern_of("scale_type_tag", 2))};
  } else if (tag == kSchemePerBlockAffine) {
    out.per_block_affine = {static_cast<std::uint16_t>(request.pattern_of("flags", 4)),
                            number("axis"),
                            number("block_size"),
                            number("scale_buffer_index"),
                            number("zero_point_buffer_index"),
                            static_cast<std::uint8_t>(request.pattern_of("scale_type_tag", 2))};
  } else if (tag == kSchemeNf4) {
    out.nf4 = {0, number("axis"), number("block_size"), number("scale_buffer_index")};
  } else if (tag == kSchemeMxfp) {
    out.mxfp = {0, number("axis"), number("block_size"), number("scale_buffer_index")};
  }
  return out;
}

bool normalize_symmetric_index(Quantization& quantization) {
  const auto normalize = [](auto& fields) {
    const bool is_other =
        fields.flags == kSymmetric && fields.zero_point_buffer_index != kNoBufferIndex;
    if (is_other) fields.zero_point_buffer_index = kNoBufferIndex;
    return is_other;
  };
  if (quantization.scheme_tag == kSchemePerChannelAffine) {
    return normalize(quantization.per_channel_affine);
  }
  return quantization.scheme_tag == kSchemePerBlockAffine &&
         normalize(quantization.per_block_affine);
}

std::vector<Alternative> decode_answers(const ReadRequest& request) {
  Quantization quantization;
  Findings findings;
  parse_quantization(request.bytes, request.type, quantization, findings);
  return answers_of_reader(request, findings, {}, [&](const Combination&) {
    return "ok " + quantization_fields(quantization);
  });
}

std::vector<Alternative> encode_answers(const ReadRequest& request) {
  if (request.scheme > 0xff) return rejection(request);
  Quantization quantization = quantization_of(request);
  const bool is_other = normalize_symmetric_index(quantization);
  Findings findings;
  judge_quantization(quantization, request.type, findings);
  if (is_other) {
    findings.open(hurray::Behaviour::kSymmetricIndex, Status::kSymmetricWithIndex, "HQ-PCA-006");
  }
  Bytes bytes(kLongestSchemeBytes);
  std::size_t written = 0;
  if (encode_quantization(quantization, request.type, bytes, written) != Status::kOk) {
    return rejection(request);
  }
  bytes.resize(written);
  // Too little room makes no input invalid: which of the two refusals it gets is not said.
  if (request.capacity && *request.capacity < written) return refuse_or_unsupported(request);
  return answers_of_writer(request, findings, "ok bytes=" + to_hex(bytes));
}

}  // namespace hurray::conformance
