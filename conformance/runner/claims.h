// SPDX-License-Identifier: Apache-2.0
//
// What does a target say of itself in `hello`, and which cases follow from it?

#ifndef HURRAY_CONFORMANCE_CLAIMS_H
#define HURRAY_CONFORMANCE_CLAIMS_H

#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/runner/case.h"
#include "conformance/runner/wire.h"

namespace hurray::conformance {

struct Claims {
  std::string name;
  std::set<Contract> contracts;
  std::set<std::uint8_t> schemes;
  // verb, `element` or `tensor` → type tags
  std::map<std::string, std::set<std::uint8_t>, std::less<>> types;
  std::set<std::string, std::less<>> operations;  // `normalize`, `sweep`, `pack` …
  std::set<std::uint8_t> layouts;
  bool is_permissive = false;
  std::set<std::string, std::less<>> calls;
  std::size_t max_line = 65536;
  std::vector<std::string> unknown;  // words of `ops` and `calls`, and keys, that nobody here knows

  bool operator==(const Claims&) const = default;
};

// What a case asks of a reader whether it is claimed or not.
struct AlwaysAsked {
  bool types = false;    // storage types that every reader must know
  bool schemes = false;  // schemes that a reader refuses if it does not know them
};

// Reads the answer to hello. Nothing if it does not follow PROTOCOL.md; `error` says why.
std::optional<Claims> read_claims(const Answer& answer, std::string& error);

// Whether requests of this verb are for the target at all: for some type, as far as it has any.
bool claims_operation(const Claims& claims, std::string_view verb);

// A request that the target must answer `unsupported`: one of its verbs with a key that nobody
// knows.
std::string unknown_key_probe(const Claims& claims);

// The reason of a case that would be asked of who takes longer lines.
inline constexpr std::string_view kLongerThanMaxLine = "the request is longer than max_line";

// Why the case is not asked, or nothing if it is: something it needs is not claimed.
//   always   what whoever claims to decode at all is asked
std::optional<std::string> reason_to_skip(const Claims& claims, const Case& item,
                                          AlwaysAsked always);

// Whether the case asks for a storage type that is optional and not claimed, or for a scheme that
// is not claimed: refusing it, or answering `unsupported`, is right whatever the case expects (A16,
// A61).
bool must_refuse(const Claims& claims, const Case& item);

}  // namespace hurray::conformance

#endif  // HURRAY_CONFORMANCE_CLAIMS_H
