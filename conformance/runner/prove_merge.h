// SPDX-License-Identifier: Apache-2.0
//
// Do these shards make up one proof? Same suite, target and parameters, every input in one of them
// and in no other; then what one run over everything would have said.

#ifndef HURRAY_CONFORMANCE_PROVE_MERGE_H
#define HURRAY_CONFORMANCE_PROVE_MERGE_H

#include <span>
#include <vector>

#include "conformance/runner/prove_file.h"

namespace hurray::conformance {

// One proof per function, in the order in which the files name them, each over all inputs. Shards
// that agree with the reference by readings that exclude each other are a finding: an
// implementation takes one throughout. Throws UsageError if the shards do not fit together.
std::vector<Proof> merged(std::span<const ProofFile> files);

}  // namespace hurray::conformance

#endif  // HURRAY_CONFORMANCE_PROVE_MERGE_H
