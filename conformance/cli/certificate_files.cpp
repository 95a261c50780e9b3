// SPDX-License-Identifier: Apache-2.0
//
// Files about certificates, see certificate_files.h.

#include "conformance/cli/certificate_files.h"

#include <unistd.h>

#include <fmt/format.h>

#include "conformance/certificate/envelope.h"
#include "conformance/certificate/witness.h"
#include "conformance/cli/files.h"
#include "conformance/cli/terminal.h"
#include "conformance/runner/digest.h"
#include "conformance/runner/report.h"

namespace hurray::conformance {
namespace {

constexpr std::uint64_t kMostKeyBytes = 65536;
// A transcript of all cases has a few percent of it.
constexpr std::uint64_t kMostLinesBytes = std::uint64_t{2} << 30;

}  // namespace

Key read_private_key(const std::string& path) {
  return Key::read_private(read_text_file(path, kMostKeyBytes), path);
}

Key read_public_key(const std::string& path) {
  return Key::read_public(read_text_file(path, kMostKeyBytes), path);
}

std::string read_certificate(const std::string& path) {
  const std::vector<std::uint8_t> bytes = read_file(path, kMostCertificateBytes + 1);
  return {bytes.begin(), bytes.end()};
}

std::string read_lines(const std::string& path) { return read_text_file(path, kMostLinesBytes); }

std::string digest_of_file(const std::string& path) {
  const std::optional<std::string> digest = sha256_of_file(path);
  if (!digest) throw UsageError(fmt::format("cannot read the file {}", path));
  return *digest;
}

std::string describe_judged(const Judged& judged) {
  // The drawn cases have no name by which they could be replayed.
  TargetResult shown = judged.target;
  std::erase_if(shown.requirements, [](const RequirementResult& each) {
    return each.requirement->id == kWitnessRequirement;
  });
  return describe_findings(judged.suite, shown, style_for(STDOUT_FILENO)) +
         describe_witness(judged.suite, judged.target);
}

}  // namespace hurray::conformance
