// SPDX-License-Identifier: Apache-2.0
//
// JSON in one form only: sorted keys, no white space, no number but integers. Reading takes what
// somebody else has sent.

#ifndef HURRAY_CONFORMANCE_CANONICAL_JSON_H
#define HURRAY_CONFORMANCE_CANONICAL_JSON_H

#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

namespace hurray::conformance {

// Throws Invalid (envelope.h) unless `text` is canonical to the byte: what is given twice, out of
// order, spelled in another way, or nested deeper than a certificate is. `what` is for messages.
nlohmann::json parse_canonical(std::string_view text, std::string_view what);

std::string to_canonical(const nlohmann::json& json);

// Members of an object. Throw Invalid if they are not there, or something else.
const nlohmann::json& member_of(const nlohmann::json& object, const char* key);
std::string text_of(const nlohmann::json& object, const char* key);
std::uint64_t number_of(const nlohmann::json& object, const char* key);

}  // namespace hurray::conformance

#endif  // HURRAY_CONFORMANCE_CANONICAL_JSON_H
