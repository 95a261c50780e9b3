// SPDX-License-Identifier: Apache-2.0
//
// Attachments, see attachment.h.

#include "conformance/runner/attachment.h"

#include <dlfcn.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <optional>

#include <fmt/format.h>

#include "conformance/runner/elf_processor.h"
#include "conformance/runner/qemu.h"
#include "conformance/runner/serial.h"
#include "kit/hurray_kit_posix.h"
#include "registry.h"
#include "targets/faults/faults.h"
#include "targets/latitude/latitude.h"

namespace hurray::conformance {
namespace {

constexpr std::string_view kKinds[] = {"builtin", "lib", "exec", "qemu", "serial"};

const hurray_registry_row* find_row(std::string_view name) {
  for (std::size_t i = 0; i < hurray_registry_count; ++i) {
    if (hurray_registry[i].name == name) return &hurray_registry[i];
  }
  return nullptr;
}

bool is_here(const hurray_registry_row& row) { return !row.is_here || row.is_here() != 0; }

// NULL also for one that this machine cannot run.
const struct hurray_target* find_builtin(std::string_view name) {
  if (const hurray_registry_row* row = find_row(name)) return is_here(*row) ? row->target : nullptr;
  constexpr std::string_view kFault = "fault-", kLatitude = "latitude-";
  if (name.starts_with(kFault)) {
    return hurray_fault_target(std::string(name.substr(kFault.size())).c_str());
  }
  if (name.starts_with(kLatitude)) {
    const hurray_latitude* row =
        hurray_find_latitude(std::string(name.substr(kLatitude.size())).c_str());
    return row ? &row->target : nullptr;
  }
  return nullptr;
}

constexpr std::string_view kVectorSet = "simd-";

// The instruction sets of this processor family, whether this machine has them or not.
std::vector<std::string> vector_sets() {
  std::vector<std::string> sets;
  for (std::size_t i = 0; i < hurray_registry_count; ++i) {
    const std::string_view name = hurray_registry[i].name;
    if (name.starts_with(kVectorSet)) sets.emplace_back(name);
  }
  return sets;
}

// The part before the first ':' if it is a kind, with an optional NAME= before it.
struct Parts {
  std::string_view name, kind, rest;
};

std::optional<Parts> split(std::string_view text) {
  const auto kind_of = [](std::string_view tail) -> std::optional<Parts> {
    for (const std::string_view kind : kKinds) {
      if (tail.size() > kind.size() && tail.starts_with(kind) && tail[kind.size()] == ':') {
        return Parts{{}, kind, tail.substr(kind.size() + 1)};
      }
    }
    return std::nullopt;
  };
  if (const auto parts = kind_of(text)) return parts;
  const std::size_t equals = text.find('=');
  if (equals == std::string_view::npos) return std::nullopt;
  std::optional<Parts> parts = kind_of(text.substr(equals + 1));
  if (parts) parts->name = text.substr(0, equals);
  return parts;
}

}  // namespace

Attachment parse_attachment(std::string_view text) {
  const std::optional<Parts> parts = split(text);
  if (!parts || parts->rest.empty()) {
    throw UsageError(
        fmt::format("`{}` is not a target: expected [NAME=]builtin:NAME, lib:PATH, exec:COMMAND, "
                    "qemu:IMAGE or serial:DEVICE,\n"
                    "for example --target mine=exec:\"python3 my_adapter.py\"",
                    text));
  }
  Attachment attachment;
  attachment.text = fmt::format("{}:{}", parts->kind, parts->rest);
  attachment.runnable = attachment.text;
  attachment.name = parts->name.empty() ? attachment.text : std::string(parts->name);
  if (parts->kind == "exec") {
    attachment.command.argv = {"/bin/sh", "-c", std::string(parts->rest)};
    return attachment;
  }
  if (parts->kind == "qemu") {
    attach_qemu(parts->rest, attachment);
    return attachment;
  }
  if (parts->kind == "serial") attach_serial(parts->rest, attachment);
  if (parts->kind == "builtin" && find_row(parts->rest) && !find_builtin(parts->rest)) {
    throw UsageError(
        fmt::format("this machine has not the instructions of builtin target `{}`; it can run: {}",
                    parts->rest, fmt::join(builtin_names(), " ")));
  }
  if (parts->kind == "builtin" && !find_builtin(parts->rest)) {
    if (const std::vector<std::string> sets = vector_sets();
        parts->rest.starts_with(kVectorSet) && !sets.empty()) {
      throw UsageError(fmt::format(
          "no builtin target `{}` in this program, which is for {}; vector sets of that are: {}. "
          "Those of\nanother processor family are built for it and run in an emulator, see "
          "\"For another processor\" in PORTING.md",
          parts->rest, processor_of_this_program(), fmt::join(sets, " ")));
    }
    throw UsageError(fmt::format(
        "no builtin target `{}`; there are: {}, and fault-ID and latitude-ID of `list faults`",
        parts->rest, fmt::join(builtin_names(), " ")));
  }
  if (parts->kind == "lib" && access(std::string(parts->rest).c_str(), R_OK) != 0) {
    throw UsageError(
        fmt::format("cannot read the shared object `{}`; expected lib:PATH, for example "
                    "--target lib:./libmine.so",
                    parts->rest));
  }
  if (parts->kind == "lib") {
    if (const auto processor = foreign_processor(std::string(parts->rest))) {
      throw UsageError(
          fmt::format("the shared object `{}` is for {}; this program is for {}, and loads no "
                      "other. Expected exec: with\na program and an emulator, see \"For another "
                      "processor\" in PORTING.md, for example --target mine=exec:\"qemu-aarch64 "
                      "./mine\"",
                      parts->rest, *processor, processor_of_this_program()));
    }
  }
  attachment.command.argv = this_program();
  attachment.command.argv.insert(attachment.command.argv.end(), {"serve", attachment.text});
  return attachment;
}

int serve_attachment(std::string_view text) {
  const std::optional<Parts> parts = split(text);
  if (parts && parts->kind == "serial") return serve_serial(parts->rest);
  // The protocol gets a descriptor of its own: whatever a library prints goes to standard error.
  const int answers = dup(STDOUT_FILENO);
  dup2(STDERR_FILENO, STDOUT_FILENO);

  const struct hurray_target* target = nullptr;
  if (parts && parts->kind == "builtin") {
    target = find_builtin(parts->rest);
  } else if (parts && parts->kind == "lib") {
    // A path without a slash would be looked up elsewhere.
    const std::string path = std::filesystem::absolute(std::string(parts->rest)).string();
    void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!library) {
      fmt::print(stderr, "cannot load the shared object: {}\n", dlerror());
      return 3;
    }
    target = static_cast<const struct hurray_target*>(dlsym(library, "hurray_target"));
    if (!target) {
      fmt::print(stderr, "{} does not export the symbol hurray_target (see PORTING.md)\n", path);
      return 3;
    }
  }
  if (!target) {
    fmt::print(stderr, "serve: expected lib:PATH, or builtin:NAME that this machine can run\n");
    return 2;
  }
  const int result = hurray_kit_serve_fds(target, STDIN_FILENO, answers);
  if (result == HURRAY_KIT_BAD_SETUP) {
    fmt::print(stderr,
               "the table cannot be served: are struct_bytes and abi set (see hurray_target.h)?\n");
  }
  return result == HURRAY_KIT_OK ? 0 : 3;
}

std::vector<std::string> builtin_names() {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < hurray_registry_count; ++i) {
    if (is_here(hurray_registry[i])) names.emplace_back(hurray_registry[i].name);
  }
  std::sort(names.begin(), names.end());
  return names;
}

bool is_builtin_here(std::string_view text) {
  constexpr std::string_view kKind = "builtin:";
  return text.starts_with(kKind) && find_builtin(text.substr(kKind.size())) != nullptr;
}

}  // namespace hurray::conformance
