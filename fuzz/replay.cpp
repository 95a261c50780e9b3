// SPDX-License-Identifier: Apache-2.0
//
// hurray-replay: puts files to a claim, as a fuzzer would, in a build without one.

#include <CLI/CLI.hpp>

#include <exception>

#include <fmt/format.h>

#include "conformance/cli/files.h"
#include "fuzz/claims.h"

namespace {

using namespace hurray::fuzz;

constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 20;

int replay(const NamedClaim& claim, const std::vector<std::string>& files) {
  int contradicted = 0;
  for (const std::string& file : files) {
    const auto input = hurray::conformance::read_file(file, kMostBytes);
    if (const auto mismatch = claim.claim(input, builtin_targets())) {
      ++contradicted;
      fmt::print("{}: {} does not hold: {}: {} {}\n", file, claim.name, mismatch->target,
                 mismatch->kind, mismatch->detail);
    }
  }
  fmt::print("{}: {} inputs, {} contradict it\n", claim.name, files.size(), contradicted);
  return contradicted == 0 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app{"Puts inputs to a claim about all built-in targets.", "hurray-replay"};
  std::vector<std::string> names, files;
  for (const NamedClaim& each : kClaims) names.emplace_back(each.name);
  std::string name;
  app.add_option("claim", name, fmt::format("{}", fmt::join(names, ", ")))
      ->required()
      ->check(CLI::IsMember(names));
  app.add_option("files", files, "Inputs")->required();
  app.footer("Exit codes: 0 the claim holds for all of them, 1 it does not, 2 usage.");
  try {
    app.parse(argc, argv);
    for (const NamedClaim& each : kClaims) {
      if (each.name == name) return replay(each, files);
    }
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  } catch (const std::exception& error) {
    fmt::print(stderr, "hurray-replay: {}\n", error.what());
  }
  return 2;
}
