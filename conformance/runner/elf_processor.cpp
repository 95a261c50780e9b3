// SPDX-License-Identifier: Apache-2.0
//
// Heads of ELF files, see elf_processor.h.

#include "conformance/runner/elf_processor.h"

#include <elf.h>
#include <link.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <fstream>
#include <string_view>
#include <utility>

#include <fmt/format.h>

// The linker's: the head of this very program.
extern "C" [[gnu::visibility("hidden")]] const ElfW(Ehdr) __ehdr_start;

namespace hurray::conformance {
namespace {

struct Processor {
  unsigned machine;     // EM_…
  unsigned width;       // ELFCLASS…
  unsigned byte_order;  // ELFDATA…

  bool operator==(const Processor&) const = default;
};

// Names with 64 bits where there are both; the little-endian one first.
constexpr std::pair<Processor, std::string_view> kNames[] = {
    {{EM_X86_64, ELFCLASS64, ELFDATA2LSB}, "x86-64"},
    {{EM_X86_64, ELFCLASS32, ELFDATA2LSB}, "x32"},
    {{EM_386, ELFCLASS32, ELFDATA2LSB}, "32-bit x86"},
    {{EM_AARCH64, ELFCLASS64, ELFDATA2LSB}, "aarch64"},
    {{EM_ARM, ELFCLASS32, ELFDATA2LSB}, "32-bit Arm"},
    {{EM_S390, ELFCLASS64, ELFDATA2MSB}, "s390x"},
    {{EM_PPC64, ELFCLASS64, ELFDATA2LSB}, "ppc64le"},
    {{EM_PPC64, ELFCLASS64, ELFDATA2MSB}, "ppc64"},
    {{EM_RISCV, ELFCLASS64, ELFDATA2LSB}, "riscv64"},
    {{EM_RISCV, ELFCLASS32, ELFDATA2LSB}, "riscv32"},
    {{EM_LOONGARCH, ELFCLASS64, ELFDATA2LSB}, "loongarch64"},
};

std::string name_of(const Processor& processor) {
  for (const auto& [each, name] : kNames) {
    if (each == processor) return std::string(name);
  }
  return fmt::format("another processor (machine {} of ELF, {} bits, {}-endian)", processor.machine,
                     processor.width == ELFCLASS64 ? 64 : 32,
                     processor.byte_order == ELFDATA2MSB ? "big" : "little");
}

const Processor& this_one() {
  static const Processor kThis{__ehdr_start.e_machine, __ehdr_start.e_ident[EI_CLASS],
                               __ehdr_start.e_ident[EI_DATA]};
  return kThis;
}

}  // namespace

std::string processor_of_this_program() { return name_of(this_one()); }

std::optional<std::string> foreign_processor(const std::string& path) {
  std::array<unsigned char, 20> head{};
  std::ifstream file(path, std::ios::binary);
  file.read(reinterpret_cast<char*>(head.data()), head.size());
  if (!file || std::memcmp(head.data(), ELFMAG, SELFMAG) != 0) return std::nullopt;
  const bool is_big = head[EI_DATA] == ELFDATA2MSB;
  // e_machine lies behind e_ident and e_type, whatever the width.
  const unsigned first = head[18], second = head[19];
  const unsigned machine = is_big ? first << 8 | second : second << 8 | first;
  const Processor processor{machine, head[EI_CLASS], head[EI_DATA]};
  if (processor == this_one()) return std::nullopt;
  return name_of(processor);
}

}  // namespace hurray::conformance
