// SPDX-License-Identifier: Apache-2.0
//
// The kill score, see kill_score.h.

#include "conformance/certificate/kill_score.h"

#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "conformance/runner/embedded.h"
#include "conformance/runner/report.h"

namespace hurray::conformance {

KillScore load_kill_score() { return read_kill_score("kill_score.json", embedded_kill_score()); }

KillScore read_kill_score(std::string_view file, std::string_view content) {
  try {
    const nlohmann::json json = nlohmann::json::parse(content);
    return {json.at("faults").get<std::uint64_t>(), json.at("caught").get<std::uint64_t>(),
            json.at("requirements").get<std::uint64_t>(), json.at("cases").get<std::string>()};
  } catch (const nlohmann::json::exception& error) {
    throw SuiteError(
        fmt::format("{}: {}; `hurray-conform faults --score FILE` writes it", file, error.what()));
  }
}

std::string kill_score_json(const Suite& suite, const Matrix& matrix, const Zoo& zoo) {
  const auto attacked = std::ranges::count_if(
      matrix.requirements, [](const RequirementCoverage& each) { return !each.faults.empty(); });
  const nlohmann::ordered_json json = {
      {"suite", kSuiteVersion},  {"cases", suite.digest},       {"faults", matrix.faults.size()},
      {"caught", matrix.caught}, {"absent", zoo.absent.size()}, {"requirements", attacked}};
  return json.dump(1) + "\n";
}

}  // namespace hurray::conformance
