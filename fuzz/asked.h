// SPDX-License-Identifier: Apache-2.0
//
// Which targets need not be asked, because one before them is the same function under another name?
// The vector targets take their codecs from the scalar one.

#ifndef HURRAY_FUZZ_ASKED_H
#define HURRAY_FUZZ_ASKED_H

#include "fuzz/claims.h"

namespace hurray::fuzz {

// Whether a target before `targets[index]` has the same function there, and the same claims.
template <auto member>
bool is_asked_before(Targets targets, std::size_t index) {
  const struct hurray_target& target = *targets[index].target;
  for (std::size_t i = 0; i < index; ++i) {
    const struct hurray_target& before = *targets[i].target;
    if (before.*member == target.*member && before.schemes == target.schemes &&
        before.modes == target.modes && before.decode_types == target.decode_types &&
        before.encode_types == target.encode_types &&
        before.element_types == target.element_types &&
        before.tensor_types == target.tensor_types && before.layouts == target.layouts) {
      return true;
    }
  }
  return false;
}

}  // namespace hurray::fuzz

#endif  // HURRAY_FUZZ_ASKED_H
