// SPDX-License-Identifier: Apache-2.0
//
// What does one machine tell another of what it has proved? The file of `prove --out`, and reading
// it without trusting it.

#ifndef HURRAY_CONFORMANCE_PROVE_FILE_H
#define HURRAY_CONFORMANCE_PROVE_FILE_H

#include <string>
#include <vector>

#include "conformance/runner/attachment_digests.h"
#include "conformance/runner/prove.h"

namespace hurray::conformance {

struct ProofFile {
  std::string path;  // for messages; not written
  std::string suite_version;
  std::string target;
  std::vector<Proof> proofs;
  // Of what was executed, see attachment_digests.h.
  std::vector<FileDigest> files;
};

std::string proof_json(const ProofFile& file);

// Throws UsageError for what proof_json does not write: another format, values out of range, a
// verdict that its numbers do not bear out.
ProofFile read_proof_json(const std::string& path, const std::string& text);

// `quantize int8, scale 3dcccccd (0.1), zero point 3`.
std::string name_of(const SweepFunction& function);

}  // namespace hurray::conformance

#endif  // HURRAY_CONFORMANCE_PROVE_FILE_H
