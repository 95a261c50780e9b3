// SPDX-License-Identifier: Apache-2.0
//
// Firmware images, see qemu.h.

#include "conformance/runner/qemu.h"

#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <memory>
#include <sstream>

#include <fmt/format.h>

#include "conformance/runner/case.h"
#include "conformance/runner/digest.h"

namespace hurray::conformance {
namespace {

constexpr std::string_view kEmulator = "qemu-system-arm";
// Helium and the machines below are complete from here on.
constexpr int kOldestMajor = 7;
constexpr std::string_view kDefaultMachine = "mps3-an547";
// An image may carry this text, followed by a line `key=value` each and a zero byte.
constexpr std::string_view kBuildMark = "hurray-firmware 1\n";

struct Options {
  std::string image, machine, cpu;
};

Options read_options(std::string_view rest) {
  Options options;
  std::size_t comma = rest.find(',');
  options.image = rest.substr(0, comma);
  while (comma != std::string_view::npos) {
    rest.remove_prefix(comma + 1);
    comma = rest.find(',');
    const std::string_view word = rest.substr(0, comma);
    const std::size_t equals = word.find('=');
    const std::string_view key = word.substr(0, equals);
    if (equals == std::string_view::npos || (key != "machine" && key != "cpu")) {
      throw UsageError(fmt::format(
          "qemu: `{}` is no option; expected qemu:IMAGE[,machine=NAME][,cpu=NAME]", word));
    }
    (key == "machine" ? options.machine : options.cpu) = word.substr(equals + 1);
  }
  return options;
}

std::string content_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream content;
  content << file.rdbuf();
  if (!file || std::filesystem::is_directory(path)) {
    throw UsageError(
        fmt::format("cannot read the firmware image `{}`; expected qemu:IMAGE, for example\n"
                    "--target qemu:build/firmware/m85-portable-o2/image.elf",
                    path));
  }
  return std::move(content).str();
}

// QEMU would load any file as instructions. Throws UsageError.
void check_is_arm_program(const std::string& path, std::string_view image) {
  constexpr std::size_t kMachineAt = 18;  // e_machine, little-endian
  constexpr std::string_view kArm("\x28\0", 2);
  if (!image.starts_with("\x7f"
                         "ELF")) {
    throw UsageError(
        fmt::format("the firmware image `{}` is no ELF file; expected what a linker for "
                    "Arm writes, before objcopy",
                    path));
  }
  if (image.substr(std::min(image.size(), kMachineAt), 2) != kArm) {
    throw UsageError(fmt::format("the firmware image `{}` is no program for Arm", path));
  }
}

// `key=value` pairs that the image was built with; empty if it says nothing.
std::map<std::string, std::string> build_of(std::string_view image) {
  std::map<std::string, std::string> build;
  const std::size_t mark = image.find(kBuildMark);
  if (mark == std::string_view::npos) return build;
  std::string_view text = image.substr(mark + kBuildMark.size(), 1024);
  text = text.substr(0, text.find('\0'));
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view pair = text.substr(0, end);
    if (const std::size_t equals = pair.find('='); equals != std::string_view::npos) {
      build[std::string(pair.substr(0, equals))] = pair.substr(equals + 1);
    }
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return build;
}

// First line of `qemu-system-arm --version`. Throws SuiteError.
std::string emulator_version() {
  const std::string command = fmt::format("{} --version 2>/dev/null", kEmulator);
  const std::unique_ptr<FILE, int (*)(FILE*)> output(popen(command.c_str(), "re"), pclose);
  std::array<char, 256> line{};
  const bool has_line = output && std::fgets(line.data(), line.size(), output.get());
  if (!has_line) {
    throw SuiteError(fmt::format(
        "{} is not on this machine: install the Debian package qemu-system-arm", kEmulator));
  }
  std::string version = line.data();
  while (!version.empty() && version.back() == '\n') version.pop_back();
  int major = 0;
  const std::size_t number = version.find("version ");
  if (number == std::string::npos ||
      std::sscanf(version.c_str() + number, "version %d", &major) != 1 || major < kOldestMajor) {
    throw SuiteError(fmt::format("{} is too old: `{}`; version {} or newer is needed", kEmulator,
                                 version, kOldestMajor));
  }
  return version;
}

}  // namespace

void attach_qemu(std::string_view rest, Attachment& attachment) {
  Options options = read_options(rest);
  const std::string image = content_of(options.image);
  check_is_arm_program(options.image, image);
  const std::map<std::string, std::string> build = build_of(image);
  if (options.machine.empty()) {
    const auto named = build.find("machine");
    options.machine = named == build.end() ? std::string(kDefaultMachine) : named->second;
  }
  attachment.execution = build;
  attachment.execution["image_sha256"] = sha256_of(image);
  attachment.execution["emulator"] = emulator_version();
  attachment.execution["machine"] = options.machine;
  if (options.machine == kDefaultMachine)
    attachment.execution["model"] = "Cortex-M55 model, not silicon";
  else
    attachment.execution["model"] = "a model, not silicon";

  attachment.command.over_fifos = true;
  attachment.command.argv = {std::string(kEmulator), "-machine", options.machine};
  if (!options.cpu.empty()) {
    attachment.execution["cpu"] = options.cpu;
    attachment.command.argv.insert(attachment.command.argv.end(), {"-cpu", options.cpu});
  }
  for (const char* argument : {"-nodefaults", "-nographic", "-monitor", "none", "-serial", "none",
                               "-semihosting-config", "enable=on,target=native", "-kernel"}) {
    attachment.command.argv.emplace_back(argument);
  }
  attachment.command.argv.push_back(std::filesystem::absolute(options.image).string());
  attachment.one_process = true;
}

}  // namespace hurray::conformance
