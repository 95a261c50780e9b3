// SPDX-License-Identifier: Apache-2.0
//
// What must a property report, and what must it not? Targets that break one property each, for the
// tests of the properties alone (what the suite has to catch is in targets/faults/), and the odd
// and legal ones: the choices of targets/latitude/, what rulings only warn of
// (targets/faults/softened.inc), and one that packs.

#ifndef HURRAY_CONFORMANCE_PROPERTY_TARGETS_H
#define HURRAY_CONFORMANCE_PROPERTY_TARGETS_H

#include <span>

#include "conformance/properties.h"

namespace hurray::conformance {

struct PropertyTarget {
  const char* name;      // a word; of a broken one, what is wrong with it
  const char* property;  // that a broken one breaks; empty for a legal one
  Target target;         // for those that are broken under both contracts, `ra8` is broken alike
};

std::span<const PropertyTarget> broken_targets();
std::span<const PropertyTarget> odd_targets();

}  // namespace hurray::conformance

#endif  // HURRAY_CONFORMANCE_PROPERTY_TARGETS_H
