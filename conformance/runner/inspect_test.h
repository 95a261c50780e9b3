// SPDX-License-Identifier: Apache-2.0
//
// What the tests of inspections do alike.

#ifndef HURRAY_CONFORMANCE_INSPECT_TEST_H
#define HURRAY_CONFORMANCE_INSPECT_TEST_H

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "conformance/runner/inspect.h"
#include "conformance/runner/wire.h"

namespace hurray::conformance {

inline const std::vector<Requirement>& requirements() {
  static const std::vector<Requirement> kRequirements = load_requirements();
  return kRequirements;
}

inline Inspection quantization(std::uint8_t type, std::string_view hex) {
  return inspect_quantization(type, parse_hex(hex).value());
}

inline std::string text_of(const Inspection& inspection) {
  return inspection_text(inspection, requirements(), {});
}

inline void expect_in(const std::string& text, std::string_view part) {
  EXPECT_NE(text.find(part), std::string::npos) << "`" << part << "` is not in:\n" << text;
}

// Requirements of all findings, in alphabetical order.
inline std::string ids_of(const Inspection& inspection) {
  std::vector<std::string> ids;
  for (const PlacedFinding& each : inspection.findings) {
    ids.emplace_back(each.finding.requirement);
  }
  std::ranges::sort(ids);
  std::string all;
  for (const std::string& id : ids) all += (all.empty() ? "" : " ") + id;
  return all;
}

// Names of the fields that the findings under this id are about.
inline std::string places(const Inspection& inspection, std::string_view id) {
  std::string names;
  for (const PlacedFinding& each : inspection.findings) {
    if (each.finding.requirement != id) continue;
    for (const std::size_t i : each.fields) {
      names += (names.empty() ? "" : " ") + inspection.map.fields[i].name;
    }
  }
  return names;
}

// Every byte belongs to one field, every finding is about a field, and both texts can be made.
inline void expect_complete(const Inspection& inspection) {
  std::size_t at = 0;
  for (const MapField& field : inspection.map.fields) {
    ASSERT_EQ(field.offset, at) << field.name;
    ASSERT_LE(field.present, field.bytes);
    at += field.present;
  }
  ASSERT_EQ(at, inspection.bytes.size()) << text_of(inspection);
  for (const PlacedFinding& each : inspection.findings) {
    EXPECT_FALSE(each.fields.empty()) << each.finding.requirement << text_of(inspection);
    EXPECT_NE(std::ranges::find(requirements(), each.finding.requirement, &Requirement::id),
              requirements().end());
  }
  const std::string page = inspection_html(inspection, requirements());
  EXPECT_EQ(page.find("<b></b>"), std::string::npos);
  EXPECT_NE(page.find("</html>"), std::string::npos);
}

}  // namespace hurray::conformance

#endif  // HURRAY_CONFORMANCE_INSPECT_TEST_H
