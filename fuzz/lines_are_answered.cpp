// SPDX-License-Identifier: Apache-2.0
//
// Does the kit answer every line that a runner or anybody else may send, once and in the runner's
// language, whatever target it serves? Sweeps are left out: they compute for minutes as asked.

#include <algorithm>
#include <cstring>
#include <string>

#include "conformance/runner/wire.h"
#include "fuzz/claims.h"
#include "fuzz/text_readers.h"
#include "hurray_kit.h"

namespace hurray::fuzz {
namespace {

constexpr std::size_t kMostBytes = 8192;

// Input and output of a kit that serves one target.
struct Talk {
  Input input;
  std::string answers;

  static long read(void* context, std::uint8_t* bytes, std::size_t capacity) {
    Talk& talk = *static_cast<Talk*>(context);
    const std::size_t count = std::min(capacity, talk.input.size());
    if (count > 0) std::memcpy(bytes, talk.input.data(), count);
    talk.input = talk.input.subspan(count);
    return static_cast<long>(count);
  }
  static int write(void* context, const std::uint8_t* bytes, std::size_t length) {
    static_cast<Talk*>(context)->answers.append(reinterpret_cast<const char*>(bytes), length);
    return 0;
  }
};

int serve(const struct hurray_target& target, Talk& talk) {
  alignas(64) static std::uint8_t line[HURRAY_KIT_LEAST_LINE], answer[8192], in[16384], out[65536];
  hurray_kit_host host = {};
  host.context = &talk;
  host.read = Talk::read;
  host.write = Talk::write;
  host.line = {line, sizeof line};
  host.answer = {answer, sizeof answer};
  host.input = {in, sizeof in};
  host.output = {out, sizeof out};
  return hurray_kit_serve(&target, &host);
}

}  // namespace

std::optional<Mismatch> answered(std::string_view lines, std::string_view kit, int result,
                                 std::string_view answers) {
  const auto mismatch = [&](std::string_view kind, std::string detail = {}) {
    return Mismatch{kind, std::string(kit), std::move(detail)};
  };
  if (result != HURRAY_KIT_OK) return mismatch("gives-up");
  if (std::ranges::count(answers, '\n') != std::ranges::count(lines, '\n')) {
    return mismatch("other-number-of-answers");
  }
  while (!answers.empty()) {
    const std::size_t end = answers.find('\n');
    if (end == std::string_view::npos) return mismatch("half-an-answer");
    std::string error;
    if (!conformance::parse_answer(answers.substr(0, end), error)) {
      return mismatch("no-answer", error);
    }
    answers.remove_prefix(end + 1);
  }
  return std::nullopt;
}

std::optional<Mismatch> lines_are_answered(Input input, Targets targets) {
  const std::string_view text(reinterpret_cast<const char*>(input.data()), input.size());
  if (input.size() > kMostBytes || text.find("sweep") != std::string_view::npos) {
    return std::nullopt;
  }
  for (const hurray_registry_row& row : targets) {
    Talk talk{input, {}};
    const int result = serve(*row.target, talk);
    if (auto found = answered(text, row.name, result, talk.answers)) return found;
  }
  return std::nullopt;
}

}  // namespace hurray::fuzz
