// SPDX-License-Identifier: Apache-2.0
//
// What stands in a list of known deviations (`run --known`)? Reading and writing only: what a run
// says of it is decided in known.h. REPORTS.md describes the file for people.

#ifndef HURRAY_CONFORMANCE_KNOWN_FILE_H
#define HURRAY_CONFORMANCE_KNOWN_FILE_H

#include <chrono>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace hurray::conformance {

using Day = std::chrono::year_month_day;

// `2027-03-31`.
std::string day_text(const Day& day);

struct KnownDeviation {
  std::string target = "*";           // glob of names of targets
  std::vector<std::string> patterns;  // globs of names of cases, as for --select
  std::size_t matches = 0;            // so many cases were asked and fail
  std::string fingerprint;            // 16 hexadecimal digits over what was got, or kAnyFingerprint
  std::string reason;
  std::string note, link;  // may be empty
  Day expires{};           // the last day on which it counts
  std::size_t line = 0;    // of the file; 0: of none
};
// For what differs from run to run.
inline constexpr std::string_view kAnyFingerprint = "any";
inline constexpr std::size_t kFingerprintDigits = 16;

struct KnownFile {
  std::string header;  // comment lines before the first entry, kept as they are
  std::vector<KnownDeviation> entries;
};

// `name` is for messages. Throws UsageError with line, field and an example.
KnownFile read_known_text(std::string_view name, std::string_view content);

// The file again, entries sorted by target and pattern. What it says is what read_known_text reads.
std::string known_toml(const KnownFile& file);

// The number of the first line with a comment that known_toml would lose: behind the header, or
// behind a value. 0 if there is none.
std::size_t lost_comment_line(std::string_view content);

}  // namespace hurray::conformance

#endif  // HURRAY_CONFORMANCE_KNOWN_FILE_H
