// SPDX-License-Identifier: Apache-2.0
//
// The rules, in the order in which the members stand in the descriptor.

#include "reference/tensor_members.h"

#include "reference/byte_order.h"
#include "reference/element_type.h"
#include "reference/tensor_buffers.h"
#include "reference/tensor_layout.h"
#include "reference/tensor_quantization.h"

namespace hurray {
namespace {

constexpr std::uint32_t kStatisticsMask = 0x3f;
constexpr std::uint8_t kLargestRole = 0x01;

bool is_private_type(std::uint8_t type_tag) { return type_tag >= 0xf0 && type_tag <= 0xfe; }

void judge_element_type(const Tensor& tensor, Findings& findings) {
  const bool has_section = tensor.has(kHasExtensionType);
  if (!is_private_type(tensor.type_tag)) {
    if (find_element_type(tensor.type_tag) == nullptr) {
      const bool never_used = tensor.type_tag == 0x47 || tensor.type_tag >= 0x80;
      const bool invalid = tensor.type_tag == 0xff;
      findings.must(Status::kElementTypeUnknown,
                    never_used && !invalid ? "HQ-PACK-029" : "HQ-PACK-028");
    }
    // The section can be read and means nothing.   [HQ-MD-030, A60]
    if (has_section) findings.soft(Status::kExtensionTypeMismatch, "HQ-MD-030");
    return;
  }
  // A reader may know about a private tensor what it need not know elements for; but no scheme
  // stores private elements.   [A62]
  if (tensor.has(kHasQuantization)) {
    findings.must(Status::kStorageTypeNotAllowed, "HQ-PACK-028");
  } else if (has_section) {
    findings.open(Behaviour::kPrivateType, Status::kPrivateType, "HQ-PACK-028");
  } else {
    findings.soft(Status::kExtensionTypeMismatch, "HQ-MD-030");
  }
}

void judge_shard(const Tensor& tensor, Findings& findings) {
  for (std::uint32_t d = 0; d < tensor.rank; ++d) {
    // No arithmetic on what is not known yet.   [HQ-MD-012]
    if (tensor.shape[d] == kDynamic || tensor.parent_shape[d] == kDynamic) continue;
    // Subtracting cannot wrap once the offset is inside.   [HQ-MD-041]
    const bool inside = tensor.shard_offset[d] <= tensor.parent_shape[d] &&
                        tensor.shape[d] <= tensor.parent_shape[d] - tensor.shard_offset[d];
    if (!inside) findings.must(Status::kShardOutsideParent, "HQ-MD-041");
  }
}

}  // namespace

void judge_members(const Tensor& tensor, Findings& findings) {
  if ((tensor.flags & ~kTensorFlags) != 0) findings.must(Status::kTensorFlag, "HQ-MD-010");
  judge_element_type(tensor, findings);

  if (tensor.layout_tag < kLayoutRowMajor || tensor.layout_tag > kLayoutStrided) {
    findings.must(Status::kLayoutUnknown, "HQ-MD-032");
  }
  if (tensor.rank > kMostRank) {
    findings.must(Status::kRankTooLarge, "HQ-MD-027");
    return;  // there are no more dimensions than that to be looked at
  }
  // The other layouts have nothing to say about a single element.   [HQ-MD-028, A60]
  if (tensor.rank == 0 && tensor.layout_tag != kLayoutRowMajor) {
    findings.soft(Status::kScalarLayout, "HQ-MD-028");
  }

  judge_buffers(tensor, findings);
  judge_data_buffer(tensor, findings);

  if (tensor.has(kHasShard)) judge_shard(tensor, findings);
  if (tensor.has(kHasStatistics) && (load_le32(tensor.statistics.data()) & ~kStatisticsMask) != 0) {
    findings.must(Status::kStatisticsMask, "HQ-MD-042");
  }
  if (tensor.has(kHasCompositeMember) && tensor.member_role > kLargestRole) {
    findings.must(Status::kMemberRole, "HQ-MD-043");
  }
}

void judge_scheme(const Tensor& tensor, Findings& findings, Mode mode) {
  if (tensor.rank > kMostRank || tensor.buffer_count > kMostBuffers) return;

  if (!tensor.has(kHasQuantization)) {
    if (tensor.buffer_count > 1) findings.soft(Status::kTooManyBuffers, "HQ-MD-017");  // [A21]
    return;
  }
  const std::uint8_t scheme_tag = tensor.quantization.scheme_tag;
  if (is_known_scheme(scheme_tag)) {
    judge_quantization(tensor.quantization, tensor.type_tag, findings);
    judge_tensor_quantization(tensor, findings);
  } else if (mode == Mode::kPermissive && scheme_tag != 0x00 && scheme_tag != 0xff) {
    // What buffers a scheme needs that nobody here knows, nobody here knows.   [A52]
    findings.open(Behaviour::kUnknownScheme, Status::kUnknownScheme, "HQ-HDR-006");
  } else {
    findings.must(Status::kUnknownScheme, "HQ-HDR-005");
  }
}

void judge_tensor(const Tensor& tensor, Findings& findings, Mode mode) {
  judge_members(tensor, findings);
  judge_scheme(tensor, findings, mode);
}

}  // namespace hurray
