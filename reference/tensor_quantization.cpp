// SPDX-License-Identifier: Apache-2.0
//
// Shape first, then indices, then sizes: each step needs what the one before it has established.

#include "reference/tensor_quantization.h"

#include <algorithm>
#include <string_view>

#include "reference/tensor_layout.h"

namespace hurray {
namespace {

constexpr std::uint32_t kZeroPointBytes = 4;  // int32, whatever the storage type

// The same rules stand in each document under another id.
struct Rows {
  std::string_view axis, dynamic_axis, block, scale_index, zero_point_index;
  std::string_view scale_is_data, zero_point_is_data, scale_size, zero_point_size, empty_size;
};

constexpr Rows kPerChannelRows = {"HQ-PCA-004", "HQ-PCA-018", "",           "HQ-PCA-014",
                                  "HQ-PCA-015", "HQ-PCA-016", "HQ-PCA-017", "HQ-PCA-011",
                                  "HQ-PCA-013", "HQ-PCA-028"};
constexpr Rows kPerBlockRows = {"HQ-PBA-004", "HQ-PBA-010", "HQ-PBA-007", "HQ-PBA-015",
                                "HQ-PBA-016", "HQ-HDR-020", "HQ-HDR-020", "HQ-PBA-017",
                                "HQ-PBA-018", "HQ-PBA-009"};
constexpr Rows kNf4Rows = {"HQ-NF4-003", "HQ-NF4-013", "HQ-NF4-005", "HQ-NF4-012", "",
                           "HQ-HDR-020", "",           "HQ-NF4-009", "",           "HQ-NF4-016"};
constexpr Rows kMxfpRows = {"HQ-MX-003",  "HQ-MX-006", "HQ-MX-005", "HQ-MX-015", "",
                            "HQ-HDR-020", "",          "HQ-MX-007", "",          "HQ-MX-007"};

const Rows& rows_of(std::uint8_t scheme_tag) {
  switch (scheme_tag) {
    case kSchemePerChannelAffine:
      return kPerChannelRows;
    case kSchemePerBlockAffine:
      return kPerBlockRows;
    case kSchemeNf4:
      return kNf4Rows;
    default:
      return kMxfpRows;
  }
}

std::uint64_t blocks_along(std::uint64_t length, std::uint32_t block_size) {
  return length / block_size + (length % block_size != 0 ? 1 : 0);
}

// Whether the axis is there and its length is known.
bool judge_axis(const Tensor& tensor, std::uint32_t axis, const Rows& rows, Findings& findings) {
  if (axis >= tensor.rank) {  // also with rank 0   [A57]
    findings.must(Status::kAxisOutOfRange, rows.axis);
    return false;
  }
  if (tensor.shape[axis] == kDynamic) {
    findings.must(Status::kDynamicAxis, rows.dynamic_axis);  // [HQ-MD-013]
    return false;
  }
  return true;
}

// Schemes 03 and 04 allow a shorter last block, but not a first one.   [HQ-HDR-017, -018]
void judge_block_against_axis(const Tensor& tensor, std::uint32_t axis, std::uint32_t block_size,
                              const Rows& rows, Findings& findings) {
  const std::uint64_t length = tensor.shape[axis];
  if (tensor.quantization.scheme_tag == kSchemeMxfp) {
    // Whole blocks, at least one. An empty axis is refused by this text and accepted by a general
    // one.   [HQ-MX-005, A33]
    if (length == 0) {
      findings.soft(Status::kAxisNotWholeBlocks, rows.block);
    } else if (block_size != 0 && length % block_size != 0) {
      findings.must(Status::kAxisNotWholeBlocks, rows.block);
    }
    return;
  }
  if (length == 0 || block_size <= length) return;  // [HQ-PBA-008]
  // Of a tensor that another dimension makes empty no block is ever looked at.   [A34]
  if (element_count(tensor) == std::uint64_t{0}) {
    findings.soft(Status::kBlockLongerThanAxis, rows.block);
  } else {
    findings.must(Status::kBlockLongerThanAxis, rows.block);
  }
}

// Whether the index names an entry that can hold parameters.
bool judge_index(const Tensor& tensor, std::uint32_t index, std::string_view range_row,
                 std::string_view data_row, Findings& findings) {
  if (index == 0) {
    findings.must(Status::kIndexOfDataBuffer, data_row);
    return false;
  }
  if (index >= tensor.buffer_count) {
    findings.must(Status::kIndexOutOfRange, range_row);
    return false;
  }
  return true;
}

// Arrays fill their buffers exactly. Shorter ones invite an over-read; of longer ones nothing but
// the rule is hurt.   [A60]
void judge_size(std::uint64_t byte_size, std::optional<std::uint64_t> wanted, std::string_view row,
                std::string_view empty_row, Findings& findings) {
  if (!wanted.has_value() || byte_size < *wanted) {  // what does not fit 64 bits fits no buffer
    findings.must(Status::kParameterBufferTooShort, row);
  } else if (byte_size > *wanted) {
    findings.soft(Status::kParameterBufferTooLong, *wanted == 0 ? empty_row : row);
  }
}

std::optional<std::uint64_t> array_bytes(const Tensor& tensor, std::uint32_t entry_bytes) {
  const std::optional<std::uint64_t> count = parameter_count(tensor);
  if (!count.has_value()) return std::nullopt;
  return checked_product(*count, entry_bytes);
}

void judge_sizes(const Tensor& tensor, const SchemeFields& fields, bool scale_there,
                 bool zero_point_there, const Rows& rows, Findings& findings) {
  const std::uint32_t width = scale_bytes(fields.scale_type_tag);
  if (width == 0) return;  // another rule's business
  const std::optional<std::uint64_t> scales = array_bytes(tensor, width);
  const std::optional<std::uint64_t> zero_points = array_bytes(tensor, kZeroPointBytes);

  // One entry for both holds one array behind the other.   [HQ-HDR-021, A20]
  if (scale_there && zero_point_there &&
      fields.scale_buffer_index == fields.zero_point_buffer_index) {
    std::optional<std::uint64_t> both;
    if (scales.has_value() && zero_points.has_value()) both = checked_sum(*scales, *zero_points);
    judge_size(tensor.buffers[*fields.scale_buffer_index].byte_size, both, rows.scale_size,
               rows.empty_size, findings);
    return;
  }
  if (scale_there) {
    judge_size(tensor.buffers[*fields.scale_buffer_index].byte_size, scales, rows.scale_size,
               rows.empty_size, findings);
  }
  if (zero_point_there) {
    judge_size(tensor.buffers[*fields.zero_point_buffer_index].byte_size, zero_points,
               rows.zero_point_size, rows.empty_size, findings);
  }
}

// Both sizes of the data are right where the last block is a shorter one.   [A28]
void judge_partial_block(const Tensor& tensor, Findings& findings) {
  if (!has_partial_block(tensor) || element_count(tensor) == std::uint64_t{0}) return;
  const std::uint64_t byte_size = tensor.buffers[0].byte_size;
  const std::optional<std::uint64_t> needed = needed_data_bytes(tensor);
  const std::optional<std::uint64_t> padded = padded_data_bytes(tensor);
  if (!needed.has_value() || byte_size < *needed) return;  // kDataBufferTooSmall says so
  if (padded.has_value() && (byte_size > *padded || *padded == *needed)) return;
  const bool is_padded = padded.has_value() && byte_size == *padded;
  const bool is_nf4 = tensor.quantization.scheme_tag == kSchemeNf4;
  findings.open(is_padded ? Behaviour::kPaddedData : Behaviour::kUnpaddedData,
                Status::kPartialBlockData, is_nf4 ? "HQ-NF4-015" : "HQ-PBA-022");
}

}  // namespace

std::uint32_t parameter_buffer_count(const Quantization& quantization) {
  const SchemeFields fields = fields_of(quantization);
  if (!fields.scale_buffer_index.has_value()) return 0;
  const bool second = fields.zero_point_buffer_index.has_value() &&
                      fields.zero_point_buffer_index != fields.scale_buffer_index;
  return second ? 2 : 1;
}

std::optional<std::uint64_t> parameter_count(const Tensor& tensor) {
  const SchemeFields fields = fields_of(tensor.quantization);
  if (!fields.axis.has_value()) return 0;
  if (*fields.axis >= tensor.rank) return std::nullopt;
  const std::uint64_t length = tensor.shape[*fields.axis];
  if (length == kDynamic) return std::nullopt;
  if (!fields.block_size.has_value()) return length;  // [HQ-PCA-010]
  if (*fields.block_size == 0 || has_dynamic_dimension(tensor)) return std::nullopt;

  // Emptiness first: 0 times what does not fit is 0.   [HQ-PBA-009, -019]
  const std::optional<std::uint64_t> outer = outer_count(tensor, *fields.axis);
  const std::uint64_t blocks = blocks_along(length, *fields.block_size);
  if (blocks == 0) return 0;
  if (!outer.has_value()) return std::nullopt;
  return checked_product(*outer, blocks);
}

std::uint32_t scale_bytes(std::uint8_t scale_type_tag) {
  switch (scale_type_tag) {
    case 0x01:
    case 0x02:
      return 2;
    case 0x03:
      return 4;
    case 0x42:
      return 1;
    default:
      return 0;
  }
}

std::optional<ParameterArray> scale_array(const Tensor& tensor) {
  const SchemeFields fields = fields_of(tensor.quantization);
  const auto bytes = array_bytes(tensor, scale_bytes(fields.scale_type_tag));
  if (!fields.scale_buffer_index.has_value() || !bytes.has_value()) return std::nullopt;
  return ParameterArray{*fields.scale_buffer_index, 0, *bytes};
}

std::optional<ParameterArray> zero_point_array(const Tensor& tensor) {
  const SchemeFields fields = fields_of(tensor.quantization);
  const auto bytes = array_bytes(tensor, kZeroPointBytes);
  if (!fields.zero_point_buffer_index.has_value() || !bytes.has_value()) return std::nullopt;
  const bool shared = fields.zero_point_buffer_index == fields.scale_buffer_index;
  const auto scales = array_bytes(tensor, scale_bytes(fields.scale_type_tag));
  if (shared && !scales.has_value()) return std::nullopt;
  return ParameterArray{*fields.zero_point_buffer_index, shared ? *scales : 0, *bytes};
}

bool has_partial_block(const Tensor& tensor) {
  if (!tensor.has(kHasQuantization)) return false;
  const SchemeFields fields = fields_of(tensor.quantization);
  if (!fields.block_size.has_value() || *fields.block_size == 0) return false;
  if (tensor.quantization.scheme_tag == kSchemeMxfp || *fields.axis >= tensor.rank) return false;
  const std::uint64_t length = tensor.shape[*fields.axis];
  return length != kDynamic && length > *fields.block_size && length % *fields.block_size != 0;
}

std::optional<std::uint64_t> padded_data_bytes(const Tensor& tensor) {
  // The size that the tensor would need if its axis were a whole number of blocks.   [HQ-PBA-022]
  const SchemeFields fields = fields_of(tensor.quantization);
  Tensor padded = tensor;
  std::uint64_t& length = padded.shape[*fields.axis];
  const auto whole = checked_product(blocks_along(length, *fields.block_size), *fields.block_size);
  if (!whole.has_value()) return std::nullopt;
  length = *whole;
  return needed_data_bytes(padded);
}

void judge_tensor_quantization(const Tensor& tensor, Findings& findings) {
  const SchemeFields fields = fields_of(tensor.quantization);

  // Exactly the buffers that the scheme needs. Too few show as an index that names none.
  // [HQ-MD-018, A21, A59]
  if (tensor.buffer_count > 1 + parameter_buffer_count(tensor.quantization)) {
    findings.soft(Status::kTooManyBuffers, "HQ-MD-018");
  }

  const Rows& rows = rows_of(tensor.quantization.scheme_tag);
  bool axis_known = false;
  if (fields.axis.has_value()) {
    axis_known = judge_axis(tensor, *fields.axis, rows, findings);
    if (axis_known && fields.block_size.has_value()) {
      judge_block_against_axis(tensor, *fields.axis, *fields.block_size, rows, findings);
    }
  }

  // Another dimension than the axis may be open yet. Then no size can be judged.   [HQ-MD-012, A32]
  const bool dynamic = has_dynamic_dimension(tensor);
  if (dynamic) {
    findings.open(Behaviour::kDynamicDimension, Status::kDynamicDimension, "HQ-MD-012");
  }

  bool scale_there = false;
  bool zero_point_there = false;
  if (fields.scale_buffer_index.has_value()) {
    scale_there = judge_index(tensor, *fields.scale_buffer_index, rows.scale_index,
                              rows.scale_is_data, findings);
  }
  // ffffffff is no index, and judged by the scheme.
  if (fields.zero_point_buffer_index.has_value() &&
      fields.zero_point_buffer_index != kNoBufferIndex) {
    zero_point_there = judge_index(tensor, *fields.zero_point_buffer_index, rows.zero_point_index,
                                   rows.zero_point_is_data, findings);
  }

  if (scale_there && zero_point_there &&
      fields.scale_buffer_index == fields.zero_point_buffer_index) {
    findings.open(Behaviour::kSharedParameterBuffer, Status::kSharedParameterBuffer, "HQ-HDR-021");
  }
  // Sizes that depend on what is not known are judged later; one of per-channel affine only on the
  // axis.   [HQ-PCA-011, A32]
  const bool sizes_known = !dynamic || !fields.block_size.has_value();
  if (axis_known && sizes_known && fields.block_size != std::uint32_t{0}) {
    judge_sizes(tensor, fields, scale_there, zero_point_there, rows, findings);
  }
  if (!dynamic) judge_partial_block(tensor, findings);
}

}  // namespace hurray
