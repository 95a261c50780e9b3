// SPDX-License-Identifier: Apache-2.0
//
// Inputs of the replay programs, see given_inputs.h.

#include "fuzz/given_inputs.h"

#include <fstream>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

#include "conformance/cli/files.h"

namespace hurray::fuzz {
namespace {

constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 24;
constexpr std::string_view kHex = "hex:";

}  // namespace

std::vector<NamedInput> inputs_of(const std::string& argument) {
  if (argument.starts_with(kHex)) {
    const auto bytes = conformance::parse_hex(std::string_view(argument).substr(kHex.size()));
    if (!bytes) {
      throw std::runtime_error(
          fmt::format("{}: not pairs of hexadecimal digits, as hex:10010100", argument));
    }
    return {{argument, *bytes}};
  }
  const conformance::Bytes bytes = conformance::read_file(argument, kMostBytes);
  if (!argument.ends_with(".txt")) return {{argument, bytes}};
  return read_archive({reinterpret_cast<const char*>(bytes.data()), bytes.size()}, argument);
}

std::vector<NamedInput> inputs_of(const std::vector<std::string>& arguments) {
  std::vector<NamedInput> all;
  for (const std::string& argument : arguments) {
    for (NamedInput& input : inputs_of(argument)) all.push_back(std::move(input));
  }
  return all;
}

void write_inputs(const std::vector<NamedInput>& inputs, std::string_view prefix,
                  const std::filesystem::path& folder) {
  std::filesystem::create_directories(folder);
  for (std::size_t number = 0; number < inputs.size(); ++number) {
    std::ofstream file(folder / fmt::format("{}-{:05}", prefix, number), std::ios::binary);
    file.write(reinterpret_cast<const char*>(inputs[number].bytes.data()),
               static_cast<std::streamsize>(inputs[number].bytes.size()));
    if (!file.flush()) throw std::runtime_error("cannot write to " + folder.string());
  }
}

}  // namespace hurray::fuzz
