// SPDX-License-Identifier: Apache-2.0
//
// Does a kernel agree with the reference on all inputs that there are? Sweeps (sweep.h) over parts
// of them, several at a time and on several machines, with the result that one sweep over all of
// them would have had.

#ifndef HURRAY_CONFORMANCE_PROVE_H
#define HURRAY_CONFORMANCE_PROVE_H

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "conformance/runner/attachment.h"
#include "conformance/runner/claims.h"
#include "conformance/runner/sweep.h"

namespace hurray::conformance {

// A part of the inputs, and what came of it.
struct Proof {
  SweepFunction function;
  SweepRange range;
  SweepResult result;
};

// Part `index` of `of`: 1 <= index <= of.
struct Shard {
  std::uint32_t index = 1;
  std::uint32_t of = 1;
};
// Contiguous patterns; the shards together are all, each once, and what they have to compare is the
// same up to one input. Empty where there are fewer inputs than shards.
SweepRange shard_of(const SweepFunction& function, const Shard& shard);

// What consecutive parts show together: everything up to the first finding, by the readings that
// explain it all.
//   again   the result of part i if only these readings are left. Asked where its own result may be
//           another than in one sweep: it has a finding, or takes none of them. If it then ends
//           nowhere, the part's own end stays: the target was wrong once.
using SweepAgain =
    std::function<SweepResult(std::size_t i, const std::vector<std::string>& readings)>;
SweepResult joined(const SweepFunction& function, const std::vector<SweepResult>& parts,
                   const SweepAgain& again);

struct ProveOptions {
  Limits limits;
  unsigned jobs = 1;  // processes of the target at a time, at least 1
  // A part has at least as many inputs, as each starts the target anew. At least 1.
  std::uint64_t least_part = std::uint64_t{1} << 22;
  // Gets the number of inputs done, in any thread, one call at a time. May be empty.
  std::function<void(std::uint64_t)> on_progress = {};
};

// Sweeps a range.
//   claims   of the target, which claims to sweep the function
SweepResult prove(const Attachment& attachment, const Claims& claims, const SweepFunction& function,
                  const SweepRange& range, const ProveOptions& options);

}  // namespace hurray::conformance

#endif  // HURRAY_CONFORMANCE_PROVE_H
