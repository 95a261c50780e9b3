// SPDX-License-Identifier: Apache-2.0
//
// What does a descriptor say, for a person, and which rules does it break? The map of its bytes and
// everything that the reference finds, each finding with the fields that it is about. As text for a
// terminal (inspect_text.cpp) and as a page (inspect_html.cpp).

#ifndef HURRAY_CONFORMANCE_INSPECT_H
#define HURRAY_CONFORMANCE_INSPECT_H

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "conformance/runner/byte_map.h"
#include "conformance/runner/case.h"
#include "conformance/runner/report.h"
#include "conformance/runner/wire.h"
#include "reference/findings.h"
#include "reference/tensor.h"

namespace hurray::conformance {

struct PlacedFinding {
  Finding finding;
  std::vector<std::size_t> fields;  // indices into the map, ascending; of what is there or missing
  std::string detail;               // numbers that explain it, or empty
};

struct Inspection {
  std::string title;    // `tensor descriptor of 121 bytes`
  std::string summary;  // what it describes; empty if that cannot be said
  std::string meaning;  // of a valid one, if there is more to say
  Bytes bytes;
  ByteMap map;
  std::vector<PlacedFinding> findings;  // the gravest first, else in the order of the bytes

  // Nothing was found that must or should be refused.
  bool is_valid() const;
};

// Never fail: any bytes can be inspected.
Inspection inspect_tensor(std::span<const std::uint8_t> bytes);
Inspection inspect_quantization(std::uint8_t type_tag, std::span<const std::uint8_t> bytes);

// `int8 [2, 16], row-major, 3 buffers, quantized by …`, of a tensor that was read to its end.
std::string tensor_summary(const Tensor& tensor);

// Whether the bytes begin as a tensor descriptor does.
bool is_tensor_descriptor(std::span<const std::uint8_t> bytes);

// `must be refused` and so on; for an open one with the name of the behaviour.
std::string severity_words(const Finding& finding);

// `breaks` or `see`: whether the finding breaks the rule or is only about it.
std::string_view relation_words(const Finding& finding);

// For the rules in full, `requirements` of the suite.
std::string inspection_text(const Inspection& inspection, std::span<const Requirement> requirements,
                            const TextStyle& style);
// A page that needs nothing else.
std::string inspection_html(const Inspection& inspection,
                            std::span<const Requirement> requirements);

}  // namespace hurray::conformance

#endif  // HURRAY_CONFORMANCE_INSPECT_H
