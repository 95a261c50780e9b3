// SPDX-License-Identifier: Apache-2.0
//
// One switch over the schemes for each question.

#include "reference/quantization.h"

namespace hurray {
namespace {

constexpr std::size_t kHeaderBytes = 4;
constexpr std::uint8_t kE8m0Tag = 0x42;
constexpr std::uint8_t kFloat32Tag = 0x03;

// 00 and ff are invalid in any mode; every other tag without a scheme may be one of another
// reader's.   [HQ-HDR-005, -006, -011; ruling A52]
bool may_be_skipped(std::uint8_t scheme_tag) {
  return scheme_tag != 0x00 && scheme_tag != 0xff && !is_known_scheme(scheme_tag);
}

}  // namespace

bool is_known_scheme(std::uint8_t scheme_tag) {
  return scheme_tag >= kSchemePerTensorAffine && scheme_tag <= kSchemeMxfp;
}

std::size_t scheme_bytes(std::uint8_t scheme_tag) {
  switch (scheme_tag) {
    case kSchemePerTensorAffine:
      return kPerTensorAffineBytes;
    case kSchemePerChannelAffine:
      return kPerChannelAffineBytes;
    case kSchemePerBlockAffine:
      return kPerBlockAffineBytes;
    case kSchemeNf4:
      return kNf4Bytes;
    case kSchemeMxfp:
      return kMxfpBytes;
    default:
      return 0;
  }
}

SchemeFields fields_of(const Quantization& q) {
  SchemeFields fields;
  switch (q.scheme_tag) {
    case kSchemePerChannelAffine:
      fields.axis = q.per_channel_affine.axis;
      fields.scale_buffer_index = q.per_channel_affine.scale_buffer_index;
      if ((q.per_channel_affine.flags & kSymmetric) == 0) {
        fields.zero_point_buffer_index = q.per_channel_affine.zero_point_buffer_index;
      }
      fields.scale_type_tag = q.per_channel_affine.scale_type_tag;
      break;
    case kSchemePerBlockAffine:
      fields.axis = q.per_block_affine.axis;
      fields.block_size = q.per_block_affine.block_size;
      fields.scale_buffer_index = q.per_block_affine.scale_buffer_index;
      if ((q.per_block_affine.flags & kSymmetric) == 0) {
        fields.zero_point_buffer_index = q.per_block_affine.zero_point_buffer_index;
      }
      fields.scale_type_tag = q.per_block_affine.scale_type_tag;
      break;
    case kSchemeNf4:
      fields = {q.nf4.axis, q.nf4.block_size, q.nf4.scale_buffer_index, {}, kFloat32Tag};
      break;
    case kSchemeMxfp:
      fields = {q.mxfp.axis, q.mxfp.block_size, q.mxfp.scale_buffer_index, {}, kE8m0Tag};
      break;
    default:
      break;
  }
  return fields;
}

void parse_quantization(std::span<const std::uint8_t> bytes, std::uint8_t storage_type_tag,
                        Quantization& out, Findings& findings, Mode mode) {
  if (bytes.empty()) {
    findings.must(Status::kTruncated, "HQ-HDR-004");
    return;
  }
  out.scheme_tag = bytes[0];

  switch (out.scheme_tag) {
    case kSchemePerTensorAffine:
      parse(bytes, out.per_tensor_affine, findings);
      break;
    case kSchemePerChannelAffine:
      parse(bytes, out.per_channel_affine, findings);
      break;
    case kSchemePerBlockAffine:
      parse(bytes, out.per_block_affine, findings);
      break;
    case kSchemeNf4:
      parse(bytes, out.nf4, findings);
      break;
    case kSchemeMxfp:
      parse(bytes, out.mxfp, findings);
      break;
    default:
      // All that a reader knows of such a section is its header and, from outside, its length.
      if (mode == Mode::kPermissive && may_be_skipped(out.scheme_tag) &&
          bytes.size() >= kHeaderBytes) {
        findings.open(Behaviour::kUnknownScheme, Status::kUnknownScheme, "HQ-HDR-006");
      } else {
        findings.must(Status::kUnknownScheme, "HQ-HDR-005");
      }
      return;
  }

  // Fields that were not there cannot be judged.
  if (bytes.size() >= scheme_bytes(out.scheme_tag)) {
    judge_quantization(out, storage_type_tag, findings);
  }
}

void judge_quantization(const Quantization& q, std::uint8_t storage_type_tag, Findings& findings) {
  switch (q.scheme_tag) {
    case kSchemePerTensorAffine:
      judge(q.per_tensor_affine, storage_type_tag, findings);
      break;
    case kSchemePerChannelAffine:
      judge(q.per_channel_affine, storage_type_tag, findings);
      break;
    case kSchemePerBlockAffine:
      judge(q.per_block_affine, storage_type_tag, findings);
      break;
    case kSchemeNf4:
      judge(q.nf4, storage_type_tag, findings);
      break;
    case kSchemeMxfp:
      judge(q.mxfp, storage_type_tag, findings);
      break;
    default:
      findings.must(Status::kUnknownScheme, "HQ-HDR-005");
      break;
  }
}

Status encode_quantization(const Quantization& q, std::uint8_t storage_type_tag,
                           std::span<std::uint8_t> out, std::size_t& written) {
  Status status = Status::kUnknownScheme;  // [HQ-HDR-012, -013, -029]
  switch (q.scheme_tag) {
    case kSchemePerTensorAffine:
      status = encode(q.per_tensor_affine, storage_type_tag, out);
      break;
    case kSchemePerChannelAffine:
      status = encode(q.per_channel_affine, storage_type_tag, out);
      break;
    case kSchemePerBlockAffine:
      status = encode(q.per_block_affine, storage_type_tag, out);
      break;
    case kSchemeNf4:
      status = encode(q.nf4, storage_type_tag, out);
      break;
    case kSchemeMxfp:
      status = encode(q.mxfp, storage_type_tag, out);
      break;
    default:
      break;
  }
  if (status == Status::kOk) written = scheme_bytes(q.scheme_tag);
  return status;
}

}  // namespace hurray
