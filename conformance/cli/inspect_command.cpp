// SPDX-License-Identifier: Apache-2.0
//
// hurray-conform inspect: a descriptor from the command line or a file, for people.

#include <algorithm>
#include <cctype>
#include <filesystem>

#include <fmt/format.h>

#include "conformance/cli/commands.h"
#include "conformance/cli/files.h"
#include "conformance/cli/terminal.h"
#include "conformance/runner/inspect.h"
#include "conformance/runner/wire.h"
#include "reference/element_type.h"

namespace hurray::conformance {
namespace {

// Far more than any descriptor has; a file may have buffers behind it.
constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 24;

std::uint8_t storage_type_from(const std::string& text) {
  for (const ElementTypeInfo& each : kElementTypes) {
    if (each.name == text) return each.tag;
  }
  if (const auto tag = parse_hex_number(text, 2)) return static_cast<std::uint8_t>(*tag);
  throw UsageError(fmt::format(
      "--type {}: expected a type name or a two-digit tag, for example int8 or 10", text));
}

Bytes bytes_from(const InspectArguments& arguments) {
  if (arguments.hex.empty() == arguments.file.empty()) {
    throw UsageError(
        "inspect: expected the bytes in hexadecimal or --file, for example inspect --type int8 "
        "010100000000003f0300000000000000");
  }
  if (!arguments.file.empty()) return read_file(arguments.file, kMostBytes);
  // As dumps have them, with spaces between.
  std::string digits = arguments.hex;
  std::erase_if(digits, [](unsigned char c) { return std::isspace(c) != 0; });
  const std::optional<Bytes> bytes = parse_hex(digits);
  std::error_code failure;
  if (!bytes && std::filesystem::exists(arguments.hex, failure)) {
    throw UsageError(
        fmt::format("inspect: {0} is a file; expected inspect --file {0}", cleaned(arguments.hex)));
  }
  if (!bytes) {
    throw UsageError(fmt::format(
        "inspect: `{}` is not an even number of hexadecimal digits without 0x, for example "
        "010100000000003f0300000000000000",
        cleaned(arguments.hex.substr(0, 80))));
  }
  return *bytes;
}

Inspection inspection_of(const InspectArguments& arguments) {
  // A misspelt type is told before a file is looked for.
  std::optional<std::uint8_t> type;
  if (!arguments.type.empty()) type = storage_type_from(arguments.type);
  const Bytes bytes = bytes_from(arguments);
  const bool has_magic = is_tensor_descriptor(bytes);
  if (has_magic && type) {
    throw UsageError(
        "inspect: --type is for a quantization descriptor alone; these bytes begin as a tensor "
        "descriptor, which has its type in it");
  }
  if (has_magic || arguments.is_tensor) return inspect_tensor(bytes);
  if (type) return inspect_quantization(*type, bytes);
  throw UsageError(
      "inspect: not a tensor descriptor, which begins with 48525259; expected --type for a "
      "quantization descriptor, for example --type int8, or --tensor");
}

}  // namespace

int inspect_command(const InspectArguments& arguments) {
  if (!arguments.html.empty()) prepare_folder_of(arguments.html);
  const Inspection inspection = inspection_of(arguments);
  const std::vector<Requirement> requirements = load_requirements();
  fmt::print("{}", inspection_text(inspection, requirements, style_for(STDOUT_FILENO)));
  if (!arguments.file.empty() && inspection.is_valid() && arguments.type.empty()) {
    fmt::print("what the buffers behind it hold is another question: hurray-conform lint {}\n",
               cleaned(arguments.file));
  }
  if (!arguments.html.empty()) {
    write_file(arguments.html, inspection_html(inspection, requirements));
  }
  return inspection.is_valid() ? kExitAsExpected : kExitNonConformant;
}

}  // namespace hurray::conformance
