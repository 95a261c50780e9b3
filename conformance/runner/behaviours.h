// SPDX-License-Identifier: Apache-2.0
//
// What is there to know of a behaviour, by its name alone? Whether showing two of its options is a
// fault, and how behaviours that an answer ties together are named.
//
// An answer may exclude a combination of options without excluding any of them: a uint32 code of
// 2^31 that comes out negative was reinterpreted or wrapped, or both. Such a tie is listed among
// what the answer shows like a behaviour, `int32-difference+uint32-codes`, with the combinations
// that are left as its options, `wrap+unsigned`.

#ifndef HURRAY_CONFORMANCE_BEHAVIOURS_H
#define HURRAY_CONFORMANCE_BEHAVIOURS_H

#include <string>
#include <string_view>
#include <vector>

namespace hurray::conformance {

// Whether a target is bound by its choice. The others are only recorded, see RULINGS.md.
bool must_be_consistent(std::string_view behaviour);

// Whether a tie may name it: it must be consistent, and its options are known to the oracle.
bool can_be_tied(std::string_view behaviour);

bool is_tie(std::string_view name);
// `a+b` of {a, b} and back. A name without `+` has itself as its only part.
std::string tied(const std::vector<std::string>& parts);
std::vector<std::string> parts_of(std::string_view name);

}  // namespace hurray::conformance

#endif  // HURRAY_CONFORMANCE_BEHAVIOURS_H
