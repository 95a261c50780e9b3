// SPDX-License-Identifier: Apache-2.0
//
// The bytes of an inspected descriptor as part of a page: rows of 16, colored by section, what is
// broken hatched and underlined as well. For the page of `inspect` and for counter-examples.

#ifndef HURRAY_CONFORMANCE_BYTE_ROWS_H
#define HURRAY_CONFORMANCE_BYTE_ROWS_H

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/runner/inspect.h"

namespace hurray::conformance {

inline constexpr std::size_t kRowBytes = 16;

struct ByteRows {
  bool linked = true;  // a byte is a link to #fN, N the number of its field
  std::size_t most_bytes = SIZE_MAX;
};

// What a page with such rows needs in its style, with section_colors().
extern const std::string kByteRowsStyle;
std::string section_colors();

std::string byte_rows(const Inspection& inspection, const ByteRows& options);
std::string legend(const Inspection& inspection);

std::string css_class(Section section);
// Numbers of the findings that are about a field.
std::vector<std::size_t> findings_of(const Inspection& inspection, std::size_t field);
// What of a field is drawn: all of it but the endless.
std::size_t drawn_bytes(const MapField& field);

}  // namespace hurray::conformance

#endif  // HURRAY_CONFORMANCE_BYTE_ROWS_H
