// SPDX-License-Identifier: Apache-2.0
//
// hurray-replay: puts inputs to a claim, as a fuzzer would, in a build without one. Inputs are
// files, archives of them (archive.h), or bytes on the command line.

#include <CLI/CLI.hpp>

#include <algorithm>
#include <exception>
#include <set>
#include <sstream>

#include <fmt/format.h>

#include "conformance/cli/files.h"
#include "fuzz/archive.h"
#include "fuzz/claims.h"
#include "fuzz/cover.h"
#include "fuzz/given_inputs.h"
#include "fuzz/report.h"
#include "fuzz/targets.h"

namespace {

using namespace hurray;
using namespace hurray::fuzz;

constexpr std::uint64_t kMostListed = std::uint64_t{1} << 20;  // bytes

// The names of inputs of this claim in a file of lines `CLAIM NAME`, each of which has to be there.
std::set<std::string> names_in(const std::string& path, std::string_view claim,
                               const std::vector<NamedInput>& inputs) {
  std::set<std::string> names;
  if (path.empty()) return names;
  const std::vector<std::uint8_t> bytes = conformance::read_file(path, kMostListed);
  std::istringstream lines(std::string(bytes.begin(), bytes.end()));
  for (std::string line, of, name; std::getline(lines, line);) {
    std::istringstream words(line);
    if (!(words >> of) || of.starts_with('#') || of != claim) continue;
    words >> name;
    if (std::ranges::find(inputs, name, &NamedInput::name) == inputs.end()) {
      throw std::runtime_error(fmt::format(
          "{}: there is no input {} of {}; is its case called otherwise now?", path, name, claim));
    }
    names.insert(name);
  }
  return names;
}

// An archive of those that reach something new, for corpus/seeds/.
int print_covering(const NamedClaim& claim, const std::vector<std::string>& arguments,
                   Targets targets, const std::string& always) {
  if (!has_counters()) {
    throw std::runtime_error("--covering: this build has no counters; use that of the preset fuzz");
  }
  std::vector<NamedInput> inputs = inputs_of(arguments);
  const std::set<std::string> names = names_in(always, claim.name, inputs);
  const std::vector<NamedInput> kept = covering(claim.claim, targets, std::move(inputs), names);
  fmt::print("{}",
             archive_text(fmt::format("Seeds of {}: cases of the suite by name, each for what "
                                      "it reaches first. Made by ci/seeds.sh.",
                                      claim.name),
                          kept));
  return 0;
}

int replay(const NamedClaim& claim, const std::vector<std::string>& arguments, Targets targets) {
  const std::vector<NamedInput> inputs = inputs_of(arguments);
  std::size_t contradicted = 0;
  for (const NamedInput& input : inputs) {
    if (const auto mismatch = claim.claim(input.bytes, targets)) {
      ++contradicted;
      fmt::print("{}\n{}\n", input.name, report_text(claim, *mismatch, input.bytes));
    }
  }
  fmt::print("{}: {} inputs, {} contradict it\n", claim.name, inputs.size(), contradicted);
  return contradicted == 0 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app{"Puts inputs to a claim about all built-in targets.", "hurray-replay"};
  std::vector<std::string> names, arguments;
  for (const NamedClaim& each : kClaims) names.emplace_back(each.name);
  std::string name, targets, folder;
  app.add_option("claim", name, fmt::format("{}", fmt::join(names, ", ")))
      ->required()
      ->check(CLI::IsMember(names));
  bool only_covering = false;
  app.add_option("inputs", arguments,
                 "Files; archives, NAME.txt, as in corpus/; or bytes, as hex:10010100")
      ->required();
  app.add_option("--targets", targets,
                 "Compare only these: reference,scalar,fault-ID; default: all")
      ->envname(kTargetsVariable);
  app.add_option("--unpack", folder, "Ask nothing: write the inputs into this folder, a file each");
  app.add_flag("--covering", only_covering,
               "Print an archive of those that reach something new, shortest first (preset fuzz)");
  std::string always;
  app.add_option("--always", always,
                 "With --covering: keep also those that this file names, in lines `CLAIM NAME`")
      ->needs("--covering");
  app.footer("Exit codes: 0 the claim holds for all of them, 1 it does not, 2 usage.");
  try {
    app.parse(argc, argv);
    const auto claim = std::ranges::find(kClaims, name, &NamedClaim::name);
    if (!folder.empty()) {
      write_inputs(inputs_of(arguments), name, folder);
      return 0;
    }
    const std::vector<hurray_registry_row> named =
        targets.empty() ? std::vector<hurray_registry_row>() : targets_named(targets);
    const Targets asked = targets.empty() ? builtin_targets() : Targets(named);
    if (only_covering) return print_covering(*claim, arguments, asked, always);
    return replay(*claim, arguments, asked);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  } catch (const std::exception& error) {
    fmt::print(stderr, "hurray-replay: {}\n", error.what());
  }
  return 2;
}
