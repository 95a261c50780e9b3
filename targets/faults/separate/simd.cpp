// SPDX-License-Identifier: Apache-2.0
//
// Serves the vector kernels of the one instruction set that it was linked with, which are wrong in
// one way: Fault in simd/simd_ops-inl.h says in which.

#include <cstdio>

#include "kit/hurray_kit_posix.h"
#include "simd/simd.h"

int main() {
  const hurray::simd::InstructionSet& set = hurray::simd::instruction_sets().front();
  if (!hurray::simd::is_here(set)) {
    std::fprintf(stderr, "this machine has no %s\n", set.name);
    return 3;
  }
  return hurray_kit_serve_fds(set.target, 0, 1);
}
