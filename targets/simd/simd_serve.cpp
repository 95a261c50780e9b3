// SPDX-License-Identifier: Apache-2.0
//
// `hurray-simd-set [SET]` serves the vector kernels of one instruction set over standard input and
// output; without SET the plainest that was linked. The faults that are one set, broken, are this
// program with that set alone.

#include <cstdio>
#include <string_view>

#include "kit/hurray_kit_posix.h"
#include "simd/simd.h"

int main(int argc, char** argv) {
  for (const hurray::simd::InstructionSet& set : hurray::simd::instruction_sets()) {
    if (argc > 1 && std::string_view(argv[1]) != set.name) continue;
    if (hurray::simd::is_here(set)) return hurray_kit_serve_fds(set.target, 0, 1);
    std::fprintf(stderr, "hurray-simd-set: this machine has not the instructions of %s\n",
                 set.name);
    return 3;
  }
  std::fprintf(stderr, "hurray-simd-set: no set is called %s; expected one of", argv[1]);
  for (const hurray::simd::InstructionSet& set : hurray::simd::instruction_sets()) {
    std::fprintf(stderr, " %s", set.name);
  }
  std::fprintf(stderr, "\nExample: hurray-simd-set %s\n",
               hurray::simd::instruction_sets().front().name);
  return 2;
}
