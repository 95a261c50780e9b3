// SPDX-License-Identifier: Apache-2.0
//
// How are many cases put to one target so that each gets the outcome that is its own? Requests go
// out in a pipeline; after a crash or a silence the unanswered ones are asked again one at a time
// of a fresh process, until the culprit is found.

#ifndef HURRAY_CONFORMANCE_INTERVIEW_H
#define HURRAY_CONFORMANCE_INTERVIEW_H

#include <atomic>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/runner/attachment.h"
#include "conformance/runner/case.h"
#include "conformance/runner/claims.h"
#include "conformance/runner/connection.h"
#include "conformance/runner/judge.h"
#include "conformance/runner/process.h"

namespace hurray::conformance {

// Ids below it belong to hello and the probes.
inline constexpr std::uint32_t kFirstCaseId = 10;

// A case and the id of its first request; further steps have the following ids. Ids do not depend
// on the order in which cases are asked.
struct Question {
  const Case* item = nullptr;
  std::uint32_t first_id = 0;
};

// The target cannot be judged at all: it does not start, does not speak the protocol, or keeps
// failing.
struct Broken {
  std::string reason;
  std::string errors;  // what it wrote to standard error last
  // It answered before it fell silent: what it was asked until then is judged.
  bool after_answers = false;
};

// A request without its id, and what was answered to it, likewise.
struct Exchange {
  std::string request, answer;
};

// Ids of the requests of the introduction: hello and the two probes.
inline constexpr std::uint32_t kHelloId = 1;
inline constexpr std::string_view kHello = "hello version=1";
inline constexpr std::string_view kUnknownVerb = "never-defined";

// Starts the target, asks hello and the two probes.
struct Introduction {
  std::optional<Claims> claims;
  std::optional<Broken> broken;
  std::vector<Exchange> exchanges;  // as far as it went
};
Introduction introduce(const Attachment& attachment, const Limits& limits);

// Called with the position in `questions` and the replies, in any order. A later call for the same
// position replaces an earlier one: what looked like an answer may turn out to have been garbled.
using OnReplies = std::function<void(std::size_t, std::vector<Reply>)>;

struct InterviewOptions {
  Limits limits;
  bool pipelined = true;              // false: one request at a time, for measuring
  std::function<bool()> should_stop;  // asked between replies; may be empty
  const Claims* claims = nullptr;     // what every process has to answer to hello; null: anything
  // The case under way is asked to its end when it is time to stop, and one in any case.
  bool finishes = false;
  // Where the process is kept that answered everything, for the next interview, which has to have
  // other ids; what it says behind its last answer is then seen by that one.
  std::unique_ptr<Connection>* kept = nullptr;
};

// Asks all questions. Returns a reason if it gave up before the end.
std::optional<Broken> interview(const Attachment& attachment, std::span<const Question> questions,
                                const InterviewOptions& options, const OnReplies& on_replies);

}  // namespace hurray::conformance

#endif  // HURRAY_CONFORMANCE_INTERVIEW_H
