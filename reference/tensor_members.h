// SPDX-License-Identifier: Apache-2.0
//
// Which rules hold for the members of a tensor descriptor, whether they were read or are to be
// written? The two halves of judge_tensor(): all but the quantization section, and that section.

#ifndef HURRAY_REFERENCE_TENSOR_MEMBERS_H
#define HURRAY_REFERENCE_TENSOR_MEMBERS_H

#include "reference/choices.h"
#include "reference/findings.h"
#include "reference/tensor.h"

namespace hurray {

// Flags, element type, layout, rank, buffer table, shard, statistics, composite member.
void judge_members(const Tensor& tensor, Findings& findings);

// The quantization section by itself and against shape and buffers; without one, that there is one
// buffer and no more.
//   tensor   with a rank of at most kMostRank and at most kMostBuffers buffers, else nothing is
//   said
void judge_scheme(const Tensor& tensor, Findings& findings, Mode mode);

}  // namespace hurray

#endif  // HURRAY_REFERENCE_TENSOR_MEMBERS_H
