// SPDX-License-Identifier: Apache-2.0
//
// For which processor is a shared object? The loader says of one for another processor that there
// is no such file.

#ifndef HURRAY_CONFORMANCE_ELF_PROCESSOR_H
#define HURRAY_CONFORMANCE_ELF_PROCESSOR_H

#include <optional>
#include <string>

namespace hurray::conformance {

// `aarch64`, `x86-64`, `32-bit Arm`, …; one that has no name here by its number.
std::string processor_of_this_program();

// The processor of an ELF file if it is another than that of this program, in kind, width or byte
// order. Nothing for what is no ELF file: the loader says so itself.
std::optional<std::string> foreign_processor(const std::string& path);

}  // namespace hurray::conformance

#endif  // HURRAY_CONFORMANCE_ELF_PROCESSOR_H
