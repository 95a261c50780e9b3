// SPDX-License-Identifier: Apache-2.0
//
// `hurray-conform doctor`: what works on this machine.

#include <unistd.h>

#include <cstdlib>
#include <filesystem>

#include <fmt/format.h>

#include "conformance/cli/commands.h"
#include "conformance/cli/version.h"
#include "conformance/runner/interview.h"
#include "conformance/runner/report.h"

namespace hurray::conformance {
namespace {

bool is_in_path(const std::string& program) {
  const char* path = std::getenv("PATH");
  std::string_view rest = path ? path : "";
  while (!rest.empty()) {
    const std::size_t colon = rest.find(':');
    const std::string folder(rest.substr(0, colon));
    if (access((folder + "/" + program).c_str(), X_OK) == 0) return true;
    rest = colon == std::string_view::npos ? std::string_view{} : rest.substr(colon + 1);
  }
  return false;
}

// One that was built with this program; empty where it is installed without.
std::string own_shared_object() {
  std::error_code failure;
  const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", failure);
  const std::filesystem::path built =
      program.parent_path().parent_path() / "targets/scalar/libhurray_scalar.so";
  return !failure && std::filesystem::exists(built, failure) ? built.string() : "";
}

std::string describe_cases(const Suite& suite) {
  return fmt::format("{} requirements, {} cases, digest {}", suite.requirements.size(),
                     suite.cases.size(), suite.digest.substr(0, 16));
}

}  // namespace

std::string version_text() {
  return fmt::format("{}\ncases {}: {}", kSuiteVersion, HURRAY_CASES_VERSION,
                     describe_cases(load_suite()));
}

int doctor_command() {
  int code = kExitAsExpected;
  const auto line = [](bool good, std::string_view what, std::string_view detail) {
    fmt::print("{:<4} {:<26} {}\n", good ? "ok" : "no", what, detail);
  };
  try {
    line(true, "suite", describe_cases(load_suite()));
  } catch (const SuiteError& error) {
    line(false, "suite", error.what());
    code = kExitBroken;
  }
  for (const std::string& name : builtin_names()) {
    const Introduction introduction = introduce(parse_attachment("builtin:" + name), {});
    line(introduction.claims.has_value(), "builtin:" + name,
         introduction.claims ? "answers hello" : introduction.broken->reason);
    if (!introduction.claims) code = kExitBroken;
  }
  const bool can_list = access("/proc/thread-self/children", R_OK) == 0;
  line(can_list, "isolation",
       can_list ? "processes that a target leaves behind are ended"
                : "needs /proc/thread-self/children: what a target leaves behind stays");
  const bool has_shell = access("/bin/sh", X_OK) == 0;
  line(has_shell, "exec:", has_shell ? "/bin/sh starts commands" : "needs /bin/sh");
  if (const std::string own = own_shared_object(); own.empty()) {
    line(true, "lib:", "not tried: no shared object beside this program");
  } else {
    const Introduction introduction = introduce(parse_attachment("lib:" + own), {});
    line(introduction.claims.has_value(), "lib:",
         introduction.claims ? "a shared object loads and answers hello"
                             : introduction.broken->reason);
  }
  struct Tool {
    std::string_view program, use;
  };
  constexpr Tool kTools[] = {
      {"python3", "the Python adapter and the second oracle (package python3)"},
      {"qemu-system-arm", "qemu: firmware images (package qemu-system-arm)"},
      {"cc", "compiling a target of your own (package gcc)"},
      {"cmake", "building the suite (package cmake)"},
      {"qemu-system-arm", "qemu: targets (package qemu-system-arm, 7.0 or newer)"},
      {"clang-19", "firmware images for Cortex-M85 (packages clang-19 and lld-19)"},
      {"arm-none-eabi-gcc", "firmware images (package gcc-arm-none-eabi)"}};
  for (const Tool& tool : kTools)
    line(is_in_path(std::string(tool.program)), tool.program, tool.use);
  return code;
}

}  // namespace hurray::conformance
