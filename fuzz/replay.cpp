// SPDX-License-Identifier: Apache-2.0
//
// hurray-replay: puts inputs to a claim, as a fuzzer would, in a build without one. Inputs are
// files, archives of them (archive.h), or bytes on the command line.

#include <CLI/CLI.hpp>

#include <algorithm>
#include <exception>
#include <filesystem>
#include <fstream>

#include <fmt/format.h>

#include "conformance/cli/files.h"
#include "fuzz/archive.h"
#include "fuzz/claims.h"
#include "fuzz/cover.h"
#include "fuzz/report.h"
#include "fuzz/targets.h"

namespace {

using namespace hurray::fuzz;
using hurray::conformance::Bytes;

constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 24;
constexpr std::string_view kHex = "hex:";

std::vector<NamedInput> inputs_of(const std::string& argument) {
  if (argument.starts_with(kHex)) {
    const auto bytes = hurray::conformance::parse_hex(std::string_view(argument).substr(4));
    if (!bytes) {
      throw std::runtime_error(
          fmt::format("{}: not pairs of hexadecimal digits, as hex:10010100", argument));
    }
    return {{argument, *bytes}};
  }
  const Bytes bytes = hurray::conformance::read_file(argument, kMostBytes);
  if (!argument.ends_with(".txt")) return {{argument, bytes}};
  return read_archive({reinterpret_cast<const char*>(bytes.data()), bytes.size()}, argument);
}

// Each input as a file of its own, as engines take them.
int write_files(const std::vector<std::string>& arguments, const std::filesystem::path& folder) {
  std::filesystem::create_directories(folder);
  std::size_t number = 0;
  for (const std::string& argument : arguments) {
    for (const NamedInput& input : inputs_of(argument)) {
      std::ofstream file(folder / fmt::format("{:05}", number++), std::ios::binary);
      file.write(reinterpret_cast<const char*>(input.bytes.data()),
                 static_cast<std::streamsize>(input.bytes.size()));
      if (!file.flush()) throw std::runtime_error("cannot write to " + folder.string());
    }
  }
  return 0;
}

// An archive of those that reach something new, for corpus/seeds/.
int print_covering(const NamedClaim& claim, const std::vector<std::string>& arguments,
                   Targets targets) {
  if (!has_counters()) {
    throw std::runtime_error("--covering: this build has no counters; use that of the preset fuzz");
  }
  std::vector<NamedInput> inputs;
  for (const std::string& argument : arguments) {
    for (NamedInput& input : inputs_of(argument)) inputs.push_back(std::move(input));
  }
  const std::vector<NamedInput> kept = covering(claim.claim, targets, std::move(inputs));
  fmt::print("{}",
             archive_text(fmt::format("Seeds of {}: cases of the suite by name, each for what "
                                      "it reaches first. Made by ci/seeds.sh.",
                                      claim.name),
                          kept));
  return 0;
}

int replay(const NamedClaim& claim, const std::vector<std::string>& arguments, Targets targets) {
  std::size_t inputs = 0, contradicted = 0;
  for (const std::string& argument : arguments) {
    for (const NamedInput& input : inputs_of(argument)) {
      ++inputs;
      if (const auto mismatch = claim.claim(input.bytes, targets)) {
        ++contradicted;
        fmt::print("{}\n{}\n", input.name, report_text(claim, *mismatch, input.bytes));
      }
    }
  }
  fmt::print("{}: {} inputs, {} contradict it\n", claim.name, inputs, contradicted);
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
  app.footer("Exit codes: 0 the claim holds for all of them, 1 it does not, 2 usage.");
  try {
    app.parse(argc, argv);
    const auto claim = std::ranges::find(kClaims, name, &NamedClaim::name);
    if (!folder.empty()) return write_files(arguments, folder);
    const std::vector<hurray_registry_row> named =
        targets.empty() ? std::vector<hurray_registry_row>() : targets_named(targets);
    const Targets asked = targets.empty() ? builtin_targets() : Targets(named);
    if (only_covering) return print_covering(*claim, arguments, asked);
    return replay(*claim, arguments, asked);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  } catch (const std::exception& error) {
    fmt::print(stderr, "hurray-replay: {}\n", error.what());
  }
  return 2;
}
