// SPDX-License-Identifier: Apache-2.0
//
// Which bytes is a finding about? The reference says that a rule is broken; here is where. Of a
// rule that many fields can break, such as those of buffer handles, each guilty one is named.

#ifndef HURRAY_CONFORMANCE_FINDING_PLACES_H
#define HURRAY_CONFORMANCE_FINDING_PLACES_H

#include <string>
#include <vector>

#include "conformance/runner/byte_map.h"
#include "reference/findings.h"
#include "reference/tensor.h"

namespace hurray::conformance {

struct Places {
  std::vector<std::size_t> fields;  // indices into the map, ascending
  std::string detail;               // numbers that explain it, or empty
};

// `tensor` as far as it could be read; of a quantization descriptor alone only its quantization.
Places places_of(const Finding& finding, const Tensor& tensor, const ByteMap& map);

}  // namespace hurray::conformance

#endif  // HURRAY_CONFORMANCE_FINDING_PLACES_H
