// SPDX-License-Identifier: Apache-2.0
//
// Quantization descriptors and numbers as requests and answers spell them.

#ifndef HURRAY_CONFORMANCE_ORACLE_TENSOR_H
#define HURRAY_CONFORMANCE_ORACLE_TENSOR_H

#include <string>

#include "conformance/runner/oracle.h"
#include "reference/quantization.h"

namespace hurray::conformance {

// `scheme=3 flags=0000 axis=1 …`; of a scheme that was stepped over, `scheme=6` alone.
std::string quantization_fields(const Quantization& quantization);

// From scheme= and the keys that go with it.
Quantization quantization_of(const ReadRequest& request);

// A symmetric descriptor with the index of a zero-point buffer gets the one that says that there is
// none. Returns whether it was another.
bool normalize_symmetric_index(Quantization& quantization);

// `any NaN equals any NaN` for the judge; one spelling for the two oracles.
void spell_nans_alike(Floats& values);

}  // namespace hurray::conformance

#endif  // HURRAY_CONFORMANCE_ORACLE_TENSOR_H
