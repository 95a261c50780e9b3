// SPDX-License-Identifier: Apache-2.0
//
// Archives of inputs, see archive.h.

#include "fuzz/archive.h"

#include <stdexcept>

#include <fmt/format.h>

namespace hurray::fuzz {

std::vector<NamedInput> read_archive(std::string_view text, std::string_view where) {
  std::vector<NamedInput> inputs;
  for (std::size_t number = 1; !text.empty(); ++number) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.empty() || line.front() == '#') continue;
    const std::size_t space = line.find(' ');
    const auto bytes = space == std::string_view::npos
                           ? std::nullopt
                           : conformance::parse_hex(line.substr(space + 1));
    if (!bytes) {
      throw std::runtime_error(fmt::format(
          "{}: line {} is not a name, a space and hexadecimal bytes, as `decode/golden 10010100…`",
          where, number));
    }
    inputs.push_back({std::string(line.substr(0, space)), *bytes});
  }
  return inputs;
}

std::string archive_text(std::string_view head, const std::vector<NamedInput>& inputs) {
  std::string text = fmt::format("# {}\n", head);
  for (const NamedInput& each : inputs) {
    text += fmt::format("{} {}\n", each.name, conformance::to_hex(each.bytes));
  }
  return text;
}

}  // namespace hurray::fuzz
