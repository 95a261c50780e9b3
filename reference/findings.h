// SPDX-License-Identifier: Apache-2.0
//
// What is wrong with a descriptor, all of it, and how much does each defect matter? The schemes'
// and the tensor's rules do not stop at the first defect: some are ruled out, some are merely
// expected to be refused, some are free, and only all of them together say which answers are right.
// A list of fixed capacity; nothing here allocates.

#ifndef HURRAY_REFERENCE_FINDINGS_H
#define HURRAY_REFERENCE_FINDINGS_H

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "reference/status.h"

namespace hurray {

// From the gravest down.
enum class Severity : std::uint8_t {
  kMust,     // only a rejection is right
  kSoft,     // a rejection is right; accepting, with the fields as they stand, is a warning
  kOpen,     // both are right; which one it was is recorded under the name of the behaviour
  kLenient,  // acceptance is right; a rejection is a warning
};

// What may be done either way. The names are those of reports.
enum class Behaviour : std::uint8_t {
  kNone,
  kLongerSection,          // A12  {refuse, skip}, the same for all schemes
  kSharedParameterBuffer,  // A20  {accept, refuse}
  kSymmetricIndex,         // A17  {ignore, refuse}
  kHandleBytes,            // A22  {accept, refuse}
  kEmptyBufferAlignment,   // A23  {accept, refuse}
  kDynamicDimension,       // A32  {accept, refuse}
  kPrivateType,            // A62  {accept, refuse}
  kNf4NegativeZeroScale,   // A35  {accept, refuse}
  kUnusedBits,             // A43  {ignore, refuse}
  kE8m0Patterns,           // A63  {accept, refuse}
  kPaddedData,             // A28  partial-block-data: the data buffer has the padded size
  kUnpaddedData,           // A28  partial-block-data: it has the unpadded size at least, but less
  kTrailingBytes,          // {accept, refuse}, recorded only
  kUnknownScheme,          // A52  {refuse, skip}, permissive mode, recorded only
};

inline constexpr unsigned kBehaviourCount = 15;

// "longer-section" and so on; both sizes of A28 are "partial-block-data"; empty for kNone.
std::string_view name_of(Behaviour behaviour);

struct Finding {
  Status status = Status::kOk;
  Severity severity = Severity::kMust;
  Behaviour behaviour = Behaviour::kNone;  // not kNone if and only if the severity is kOpen
  // The row that speaks about it, such as HQ-PBA-005. A string literal. Differs by scheme where the
  // status does not.
  std::string_view requirement;

  friend bool operator==(const Finding&, const Finding&) = default;
};

class Findings {
 public:
  // More than there are ways to be wrong at once; see add().
  static constexpr std::size_t kCapacity = 96;

  Findings() {}  // leaves places that hold no finding as they are: most descriptors have none

  void must(Status status, std::string_view requirement);
  void soft(Status status, std::string_view requirement);
  void open(Behaviour behaviour, Status status, std::string_view requirement);
  void lenient(Status status, std::string_view requirement);

  // What is there already is not added again. Were the list ever full, the new finding would take
  // the place of the last one if it is graver: worst() is right in any case.
  void add(const Finding& finding);

  std::span<const Finding> all() const { return {findings_.data(), size_}; }
  bool empty() const { return size_ == 0; }

  // The gravest severity; nullopt if nothing was found.
  std::optional<Severity> worst() const;
  // Whether something as grave as `severity`, or graver, was found.
  bool has_at_least(Severity severity) const;
  bool has_must() const { return has_at_least(Severity::kMust); }
  bool has(Status status) const;
  bool has(Severity severity) const;
  bool has(Behaviour behaviour) const;

  // The first finding of the gravest severity; nullptr if nothing was found.
  const Finding* gravest() const;

  // kOk unless something was found that a writer must not write: kMust and kSoft.   [HQ-HDR-032]
  Status for_writer() const;

 private:
  union {
    std::array<Finding, kCapacity> findings_;  // the first size_ of them
  };
  std::size_t size_ = 0;
};

}  // namespace hurray

#endif  // HURRAY_REFERENCE_FINDINGS_H
