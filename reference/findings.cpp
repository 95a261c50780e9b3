// SPDX-License-Identifier: Apache-2.0
//
// The list, and the names of what may be done either way.

#include "reference/findings.h"

#include <algorithm>
#include <memory>

namespace hurray {
namespace {

constexpr std::array<std::string_view, kBehaviourCount> kBehaviourNames = {
    "",
    "longer-section",
    "shared-parameter-buffer",
    "symmetric-index",
    "handle-bytes",
    "empty-buffer-alignment",
    "dynamic-dimension",
    "private-type",
    "nf4-negative-zero-scale",
    "unused-bits",
    "e8m0-patterns",
    "partial-block-data",
    "partial-block-data",
    "trailing-bytes",
    "unknown-scheme",
};

}  // namespace

std::string_view name_of(Behaviour behaviour) {
  return kBehaviourNames[static_cast<std::size_t>(behaviour)];
}

void Findings::must(Status status, std::string_view requirement) {
  add({status, Severity::kMust, Behaviour::kNone, requirement});
}

void Findings::soft(Status status, std::string_view requirement) {
  add({status, Severity::kSoft, Behaviour::kNone, requirement});
}

void Findings::open(Behaviour behaviour, Status status, std::string_view requirement) {
  add({status, Severity::kOpen, behaviour, requirement});
}

void Findings::lenient(Status status, std::string_view requirement) {
  add({status, Severity::kLenient, Behaviour::kNone, requirement});
}

void Findings::add(const Finding& finding) {
  // A thousand bad scales are one defect.
  if (std::ranges::find(all(), finding) != all().end()) return;
  if (size_ < kCapacity) {
    std::construct_at(findings_.data() + size_++, finding);
  } else if (finding.severity < findings_.back().severity) {
    findings_.back() = finding;
  }
}

const Finding* Findings::gravest() const {
  // Enumerators go from the gravest down, and the first of several equal ones is found.
  const auto found = std::ranges::min_element(all(), {}, &Finding::severity);
  return found == all().end() ? nullptr : &*found;
}

std::optional<Severity> Findings::worst() const {
  const Finding* const finding = gravest();
  if (finding == nullptr) return std::nullopt;
  return finding->severity;
}

bool Findings::has_at_least(Severity severity) const {
  return std::ranges::any_of(all(), [&](const Finding& f) { return f.severity <= severity; });
}

bool Findings::has(Status status) const {
  return std::ranges::any_of(all(), [&](const Finding& f) { return f.status == status; });
}

bool Findings::has(Severity severity) const {
  return std::ranges::any_of(all(), [&](const Finding& f) { return f.severity == severity; });
}

bool Findings::has(Behaviour behaviour) const {
  return std::ranges::any_of(all(), [&](const Finding& f) { return f.behaviour == behaviour; });
}

Status Findings::for_writer() const {
  return has_at_least(Severity::kSoft) ? gravest()->status : Status::kOk;
}

}  // namespace hurray
