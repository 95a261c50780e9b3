// SPDX-License-Identifier: Apache-2.0
//
// Targets by name, see targets.h.

#include "fuzz/targets.h"

#include <stdexcept>

#include "targets/faults/faults.h"

namespace hurray::fuzz {
namespace {

constexpr std::string_view kFault = "fault-";

hurray_registry_row target_named(const std::string& name) {
  for (const hurray_registry_row& row : builtin_targets()) {
    if (row.name == name) return row;
  }
  if (name.starts_with(kFault)) {
    const hurray_fault* const fault = hurray_find_fault(name.c_str() + kFault.size());
    if (fault != nullptr) return {fault->target.name, &fault->target, nullptr};
  }
  std::string known;
  for (const hurray_registry_row& row : builtin_targets()) known += std::string(" ") + row.name;
  throw std::invalid_argument("no target `" + name + "` here; there are" + known +
                              " and fault-ID, for example reference,scalar");
}

}  // namespace

std::vector<hurray_registry_row> targets_named(std::string_view names) {
  std::vector<hurray_registry_row> rows;
  while (true) {
    const std::size_t comma = names.find(',');
    rows.push_back(target_named(std::string(names.substr(0, comma))));
    if (comma == std::string_view::npos) return rows;
    names.remove_prefix(comma + 1);
  }
}

}  // namespace hurray::fuzz
