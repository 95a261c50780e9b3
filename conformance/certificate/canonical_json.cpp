// SPDX-License-Identifier: Apache-2.0
//
// Canonical JSON, see canonical_json.h.

#include "conformance/certificate/canonical_json.h"

#include <algorithm>

#include <fmt/format.h>

#include "conformance/certificate/envelope.h"
#include "conformance/runner/wire.h"

namespace hurray::conformance {
namespace {

using Json = nlohmann::json;

constexpr int kDeepest = 8;

// The byte from which on two texts differ.
std::size_t first_difference(std::string_view a, std::string_view b) {
  return static_cast<std::size_t>(std::ranges::mismatch(a, b).in1 - a.begin());
}

}  // namespace

Json parse_canonical(std::string_view text, std::string_view what) {
  // What is written again from what was read is the text only if there was one way to write it.
  // Writing recurses, so depth is bounded before.
  const auto bounded = [&](int depth, Json::parse_event_t event, Json& value) {
    if (depth > kDeepest) {
      throw Invalid(fmt::format("{} is nested deeper than any certificate", what));
    }
    if (event == Json::parse_event_t::value && value.is_number_float()) {
      throw Invalid(fmt::format("{} has a number that is no integer", what));
    }
    return true;
  };
  Json json;
  try {
    json = Json::parse(text, bounded);
  } catch (const Json::exception& error) {
    throw Invalid(fmt::format("{} is no JSON: {}", what, cleaned(excerpt(error.what(), 160))));
  }
  const std::string again = to_canonical(json);
  if (again != text) {
    throw Invalid(
        fmt::format("{} is not in canonical form (sorted keys, each once, no white space): it "
                    "differs at byte {}",
                    what, first_difference(text, again)));
  }
  return json;
}

std::string to_canonical(const Json& json) { return json.dump(); }

const Json& member_of(const Json& object, const char* key) {
  const auto found = object.is_object() ? object.find(key) : object.end();
  if (!object.is_object() || found == object.end())
    throw Invalid(fmt::format("`{}` is missing", key));
  return *found;
}

std::string text_of(const Json& object, const char* key) {
  const Json& value = member_of(object, key);
  if (!value.is_string()) throw Invalid(fmt::format("`{}` is no text", key));
  return value.get<std::string>();
}

std::uint64_t number_of(const Json& object, const char* key) {
  const Json& value = member_of(object, key);
  if (!value.is_number_unsigned()) throw Invalid(fmt::format("`{}` is no number", key));
  return value.get<std::uint64_t>();
}

}  // namespace hurray::conformance
