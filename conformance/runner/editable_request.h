// SPDX-License-Identifier: Apache-2.0
//
// A request line whose values can be replaced: what campaign, mutations and minimizing work on.

#ifndef HURRAY_CONFORMANCE_EDITABLE_REQUEST_H
#define HURRAY_CONFORMANCE_EDITABLE_REQUEST_H

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "conformance/runner/wire.h"

namespace hurray::conformance {

struct EditableRequest {
  std::string verb;
  std::vector<std::pair<std::string, std::string>> keys;  // in the order of the line

  // `line` has to be a request line.
  explicit EditableRequest(std::string_view line) {
    const Request request = parse_request(line).value();
    verb = request.verb;
    keys = request.fields.all();
  }

  // Null if the key is absent.
  std::string* find(std::string_view key) {
    const auto found = std::ranges::find(keys, key, &std::pair<std::string, std::string>::first);
    return found == keys.end() ? nullptr : &found->second;
  }
  const std::string* find(std::string_view key) const {
    return const_cast<EditableRequest*>(this)->find(key);
  }
  bool has(std::string_view key) const { return find(key) != nullptr; }
  void set(std::string_view key, std::string value) {
    if (std::string* text = find(key))
      *text = std::move(value);
    else
      keys.emplace_back(key, std::move(value));
  }
  void erase(std::string_view key) {
    std::erase_if(keys, [&](const auto& each) { return each.first == key; });
  }
  Bytes bytes(std::string_view key) const {
    const std::string* text = find(key);
    return text ? parse_hex(*text).value_or(Bytes{}) : Bytes{};
  }
  std::string line() const {
    std::string text = verb;
    for (const auto& [key, value] : keys) {
      text.append(" ").append(key).append("=").append(value);
    }
    return text;
  }

  // Kernels: arrays with one scale and zero point.
  bool is_ra8() const { return verb == "ra8"; }
  bool quantizes() const {
    return verb == "quantize" || (is_ra8() && find("fn")->starts_with("quantize"));
  }
  bool dequantizes() const {
    return verb == "dequantize" || (is_ra8() && find("fn")->starts_with("dequantize"));
  }
};

}  // namespace hurray::conformance

#endif  // HURRAY_CONFORMANCE_EDITABLE_REQUEST_H
