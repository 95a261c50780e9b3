// SPDX-License-Identifier: Apache-2.0
//
// hurray-seeds: makes inputs of the cases of the suite, and checks archives that keep some of them.
// Of all that it lists, hurray-replay --covering chooses, and --unpack makes files.

#include <CLI/CLI.hpp>

#include <exception>
#include <filesystem>
#include <map>

#include <fmt/format.h>

#include "fuzz/claims.h"
#include "fuzz/given_inputs.h"
#include "fuzz/seed_inputs.h"

namespace {

using namespace hurray::fuzz;
using hurray::conformance::Bytes;

std::string claim_of(const std::string& archive) {
  return std::filesystem::path(archive).stem().string();
}

// Whether each line is what the case that it names gives today.
int check(const std::vector<std::string>& archives) {
  std::size_t wrong = 0, all = 0;
  for (const std::string& archive : archives) {
    std::map<std::string, Bytes> made;
    for (NamedInput& each : seed_inputs(claim_of(archive))) {
      made.emplace(std::move(each.name), std::move(each.bytes));
    }
    for (const NamedInput& each : inputs_of(archive)) {
      ++all;
      const auto found = made.find(each.name);
      if (found != made.end() && found->second == each.bytes) continue;
      ++wrong;
      fmt::print("{}: {} {}\n", archive, each.name,
                 found == made.end() ? "is no case any more" : "is made of other bytes now");
    }
  }
  fmt::print("{} seeds, {} of them not as they are made\n", all, wrong);
  return wrong == 0 && all > 0 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app{"Makes the inputs that fuzzers begin with, of the cases of the suite.",
               "hurray-seeds"};
  app.require_subcommand(1);
  app.footer(
      "Exit codes: 0 done, 1 a seed is not as it is made, 2 usage, or a file that cannot be read.");
  std::string claim;
  std::vector<std::string> archives;
  std::vector<std::string> names;
  for (const NamedClaim& each : kClaims) names.emplace_back(each.name);
  CLI::App* const listed = app.add_subcommand("list", "Prints all of them as one archive");
  listed->add_option("claim", claim)->required()->check(CLI::IsMember(names));
  CLI::App* const checked = app.add_subcommand("check", "Whether seeds are what their cases give");
  checked->add_option("archives", archives, "CLAIM.txt")->required()->check(CLI::ExistingFile);
  try {
    app.parse(argc, argv);
    if (*listed) fmt::print("{}", archive_text("All inputs of " + claim, seed_inputs(claim)));
    if (*checked) return check(archives);
    return 0;
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  } catch (const std::exception& error) {
    fmt::print(stderr, "hurray-seeds: {}\n", error.what());
  }
  return 2;
}
