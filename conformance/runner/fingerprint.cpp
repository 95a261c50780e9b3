// SPDX-License-Identifier: Apache-2.0
//
// Fingerprints of answers, see fingerprint.h.

#include "conformance/runner/fingerprint.h"

#include <algorithm>
#include <cstdlib>

#include <fmt/format.h>

#include "conformance/runner/digest.h"
#include "conformance/runner/wire.h"

namespace hurray::conformance {
namespace {

std::string lower(std::string_view text) {
  std::string result(text);
  std::ranges::transform(result, result.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  return result;
}

void add_reply(const Reply& reply, Digest& digest) {
  digest.add(name_of(reply.outcome));
  std::string error;
  const std::optional<Answer> answer = parse_answer_body(reply.body, error);
  const bool was_answered = reply.outcome != Outcome::kCrashed &&
                            reply.outcome != Outcome::kTimedOut &&
                            reply.outcome != Outcome::kGarbled;
  if (!was_answered || !answer) return;
  digest.add(fmt::format("{}", static_cast<int>(answer->kind)));
  if (answer->kind != AnswerKind::kOk) return;
  for (const auto& [key, value] : answer->fields.all()) {
    digest.add(key);
    digest.add(lower(value));
  }
}

}  // namespace

std::uint64_t fingerprint_of(std::span<const Reply> replies) {
  Digest digest;
  for (const Reply& each : replies) add_reply(each, digest);
  return std::strtoull(digest.finish().substr(0, 16).c_str(), nullptr, 16);
}

std::string fingerprint_text(std::uint64_t fingerprint) {
  return fmt::format("{:016x}", fingerprint);
}

}  // namespace hurray::conformance
