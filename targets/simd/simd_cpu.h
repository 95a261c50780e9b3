// SPDX-License-Identifier: Apache-2.0
//
// Does this machine have an instruction set? Asked of the processor and, for the registers that it
// has to save, of the operating system.

#ifndef HURRAY_TARGETS_SIMD_SIMD_CPU_H
#define HURRAY_TARGETS_SIMD_SIMD_CPU_H

#include <string_view>

namespace hurray::simd {

// By the name of the set as in InstructionSet; false for a name that means nothing here.
bool machine_has(std::string_view set);

}  // namespace hurray::simd

#endif  // HURRAY_TARGETS_SIMD_SIMD_CPU_H
