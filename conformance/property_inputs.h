// SPDX-License-Identifier: Apache-2.0
//
// Which inputs are worth a property? Numbers drawn by their bits, where implementations differ:
// scales of every class of binary32, zero points at the ends, reals beside ties and clamp edges,
// descriptors with a byte or two wrong. Each from a seed alone; and the simpler inputs beside one
// that failed.

#ifndef HURRAY_CONFORMANCE_PROPERTY_INPUTS_H
#define HURRAY_CONFORMANCE_PROPERTY_INPUTS_H

#include <cstdint>
#include <vector>

#include "conformance/properties.h"
#include "conformance/property_calls.h"
#include "conformance/runner/families/families.h"

namespace hurray::conformance {

// What the properties take, all in one; each looks at its part.
struct PropertyInput {
  Quantization how;
  std::uint8_t type_tag = 0x10;  // of a descriptor: any of the 256
  Surroundings around;
  Floats reals;      // 1 to 150
  Codes codes;       // as many, each inside the range of how.type
  Bytes descriptor;  // of any length
  Bytes plane;       // 4-bit zero points, one for each code
};

// Parameters for which results are promised: scales finite and not zero, negative too under the
// hurray contract; zero points inside the range of the type, or any under the firmware's.
PropertyInput kernel_input(Random& random, Contract contract);
// The same with a plane of zero points, one field for each of at most 16 codes.
PropertyInput plane_input(Random& random, Contract contract);
// Fields of a descriptor, legal or not, in how.scale and how.zero_point; and its bytes, up to two
// of them changed, cut, prolonged, or all of them random.
PropertyInput descriptor_input(Random& random, Contract contract);

// Inputs that are simpler than this one in one respect, the boldest first: fewer elements, rounder
// numbers. Every chain of them ends.
std::vector<PropertyInput> simpler_inputs(const PropertyInput& input);

}  // namespace hurray::conformance

#endif  // HURRAY_CONFORMANCE_PROPERTY_INPUTS_H
