// SPDX-License-Identifier: Apache-2.0
//
// The conversation with a target, see interview.h.

#include "conformance/runner/interview.h"

#include <chrono>
#include <memory>

#include <fmt/format.h>

#include "conformance/runner/connection.h"

namespace hurray::conformance {
namespace {

using Clock = std::chrono::steady_clock;

// How much may be under way: enough to hide the latency of a pipe, little to ask again after a
// crash.
constexpr std::size_t kRequestsInFlight = 512;
constexpr std::size_t kBytesInFlight = std::size_t{256} << 10;
// So many failures in a row, and no answer between them, are the target's and not the cases'.
constexpr int kFailuresInARow = 16;
// One that answers some and crashes on many is asked to the end: a crash costs no more than a
// start.
constexpr int kCrashesInARow = 40;
constexpr int kTimeoutsInARow = 3;
// And so many in all bound the time that one chunk of cases can take.
constexpr int kTimeoutsInAll = 20;
constexpr int kCrashesInAll = 300;
constexpr int kGarbledInAll = 300;
constexpr const char* kUnclear = ", and there was no time to find out by which request";

// What an image said of its own end, as `: fault: …`. The same each time, unlike what else stands
// on standard error.
std::string fault_in(const std::string& errors) {
  constexpr std::string_view kFault = "fault: ";
  std::size_t start = errors.rfind(kFault);
  if (start == std::string::npos || (start > 0 && errors[start - 1] != '\n')) return {};
  return ": " + cleaned(errors.substr(start, errors.find('\n', start) - start));
}

// Asks one request and waits. `failure` says why there is no answer.
//   asked   if it is not null, gets request and answer
std::optional<Answer> ask_alone(Connection& connection, std::uint32_t id, std::string_view request,
                                const Limits& limits, std::string& failure,
                                std::vector<Exchange>* asked = nullptr) {
  connection.send(fmt::format("{} {}", id, request));
  std::string line;
  const Clock::time_point deadline = Clock::now() + std::chrono::milliseconds(limits.timeout_ms);
  switch (connection.next_line(deadline, line)) {
    case Connection::Event::kTimeout:
      failure = fmt::format("no answer to `{}` within {} ms: does your program flush its output?",
                            request.substr(0, 60), limits.timeout_ms);
      return std::nullopt;
    case Connection::Event::kEnd:
      failure = fmt::format("ended before it answered `{}`: {}", request.substr(0, 60),
                            connection.how_it_ended());
      return std::nullopt;
    case Connection::Event::kEndlessLine:
      failure = fmt::format("answered `{}` with a line that does not end", request.substr(0, 60));
      return std::nullopt;
    case Connection::Event::kLine:
      break;
  }
  std::string error;
  std::optional<std::pair<std::uint32_t, Answer>> answer = parse_answer(line, error);
  if (!answer) {
    failure = fmt::format("answered `{}` with something else than an answer: {}",
                          request.substr(0, 60), error);
    return std::nullopt;
  }
  if (answer->first != id) {
    failure = fmt::format("answered `{}` with the id {} instead of {}", request.substr(0, 60),
                          answer->first, id);
    return std::nullopt;
  }
  if (asked) asked->push_back({std::string(request), line.substr(line.find(' ') + 1)});
  return std::move(answer->second);
}

// A process that has been asked hello. Without claims, `failure` says why.
std::unique_ptr<Connection> open_connection(const Attachment& attachment, const Limits& limits,
                                            std::optional<Claims>& claims, std::string& failure,
                                            std::vector<Exchange>* asked = nullptr) {
  auto connection = std::make_unique<Connection>(attachment, limits);
  claims.reset();
  if (const auto hello = ask_alone(*connection, kHelloId, kHello, limits, failure, asked)) {
    claims = read_claims(*hello, failure);
  }
  return connection;
}

// One run over a list of questions; holds the process and where it stands.
class Interview {
 public:
  Interview(const Attachment& attachment, std::span<const Question> questions,
            const InterviewOptions& options, const OnReplies& on_replies)
      : attachment_(attachment),
        questions_(questions),
        options_(options),
        on_replies_(on_replies) {}

  std::optional<Broken> run() {
    while (next_ < questions_.size() && !may_end()) {
      if (const auto broken = connect()) return broken;
      if (const auto broken = careful_ ? ask_one_case() : ask_in_pipeline()) return broken;
    }
    if (options_.finishes && careful_ && next_ < questions_.size()) {
      on_replies_(suspects_first_, {Reply{suspicion_.outcome, {}, suspicion_.detail + kUnclear}});
    } else if (options_.kept && connection_ && next_ == questions_.size()) {
      *options_.kept = std::move(connection_);
    } else if (connection_ && !stopped()) {
      take_what_came_after();
    }
    return std::nullopt;
  }

 private:
  bool stopped() const { return options_.should_stop && options_.should_stop(); }
  // Where the last is finished: one case has been asked to its end, and of a failure it is known
  // whether the first suspect does it: whatever is under way when the time is over is no reason to
  // look away.
  bool may_end() const {
    if (!options_.finishes) return stopped();
    return next_ > 0 && !retrying_ && !asking_about_noise_ &&
           (!careful_ || next_ > suspects_first_) && stopped();
  }

  std::optional<Broken> connect() {
    if (connection_) return std::nullopt;
    if (options_.kept && *options_.kept) {
      connection_ = std::move(*options_.kept);
      asked_here_ = 1;  // of the session before
      return std::nullopt;
    }
    std::optional<Claims> claims;
    std::string failure;
    connection_ = open_connection(attachment_, options_.limits, claims, failure);
    asked_here_ = 0;
    if (claims && options_.claims && *claims != *options_.claims) {
      return Broken{"answers hello differently from one start to the next", {}};
    }
    if (claims) return std::nullopt;
    return Broken{failure, connection_->last_errors()};
  }

  void disconnect() { connection_.reset(); }

  Clock::time_point deadline() const {
    return Clock::now() + std::chrono::milliseconds(options_.limits.timeout_ms);
  }

  void send(const Question& question, std::size_t step) {
    connection_->send(
        fmt::format("{} {}", question.first_id + step, question.item->steps[step].request));
  }

  // --- Reading one reply

  // Waits for the answer to a step. False if the connection failed; `reply` then holds the outcome.
  bool receive(const Question& question, std::size_t step, Reply& reply) {
    std::string line;
    stray_id_.reset();
    is_noise_ = false;
    switch (connection_->next_line(deadline(), line)) {
      case Connection::Event::kTimeout:
        reply = {Outcome::kTimedOut,
                 {},
                 fmt::format("no answer within {} ms", options_.limits.timeout_ms)};
        return false;
      case Connection::Event::kEnd:
        reply = {Outcome::kCrashed, {}, connection_->how_it_ended()};
        if (attachment_.command.over_fifos) reply.detail += fault_in(connection_->last_errors());
        return false;
      case Connection::Event::kEndlessLine:
        reply = {Outcome::kGarbled, {}, "a line that does not end"};
        return false;
      case Connection::Event::kLine:
        break;
    }
    const std::uint32_t id = question.first_id + static_cast<std::uint32_t>(step);
    const std::string expected_start = fmt::format("{} ", id);
    if (line.starts_with(expected_start)) {
      std::string error;
      const std::string_view body = std::string_view(line).substr(expected_start.size());
      if (parse_answer_body(body, error)) {
        reply = {Outcome::kValue, std::string(body), {}};
        return true;
      }
      reply = {Outcome::kGarbled, {}, error};
      return false;
    }
    std::string error;
    const auto other = parse_answer(line, error);
    reply = {
        Outcome::kGarbled,
        {},
        other ? fmt::format("answered with the id {} instead of {}", other->first, id) : error};
    stray_id_ = other ? std::optional(other->first) : std::nullopt;
    is_noise_ = !other;
    return false;
  }

  // --- Many at a time

  std::optional<Broken> ask_in_pipeline() {
    const std::size_t first = next_;
    std::size_t sent = first;
    std::size_t in_flight = 0, bytes_in_flight = 0;
    std::vector<Reply> replies;
    while (next_ < questions_.size() && ((options_.finishes && !replies.empty()) || !may_end())) {
      // Counted in what is unanswered, never in what a pipe happens to have taken: the suspects
      // after a crash are the same in every run.
      const std::size_t window = options_.pipelined ? kRequestsInFlight : 1;
      while (sent < questions_.size() && in_flight < window && bytes_in_flight < kBytesInFlight) {
        const std::vector<Step>& steps = questions_[sent].item->steps;
        for (std::size_t step = 0; step < steps.size(); ++step) {
          send(questions_[sent], step);
          bytes_in_flight += steps[step].request.size();
        }
        in_flight += steps.size();
        ++sent;
      }
      const Question& head = questions_[next_];
      Reply reply;
      if (receive(head, replies.size(), reply)) {
        note_an_answer();
        --in_flight;
        bytes_in_flight -= head.item->steps[replies.size()].request.size();
        replies.push_back(std::move(reply));
        if (replies.size() == head.item->steps.size()) {
          on_replies_(next_++, std::move(replies));
          replies.clear();
        }
        continue;
      }
      if (reply.outcome == Outcome::kGarbled)
        return after_garbled(first, std::move(replies), reply);
      // Which request it was shows when they are asked one at a time.
      suspects_first_ = next_;
      suspects_end_ = sent;
      suspicion_ = reply;
      careful_ = true;
      disconnect();
      return count_failure(reply);
    }
    return std::nullopt;
  }

  std::optional<Broken> after_garbled(std::size_t first, std::vector<Reply> replies,
                                      const Reply& reply) {
    // A second answer to an earlier request is that one's fault, not the head's.
    for (std::size_t i = first; stray_id_ && i < next_; ++i) {
      const Question& earlier = questions_[i];
      if (*stray_id_ >= earlier.first_id &&
          *stray_id_ < earlier.first_id + earlier.item->steps.size()) {
        on_replies_(i, {Reply{Outcome::kGarbled, {}, "answered twice"}});
        disconnect();
        return count_failure(reply);
      }
    }
    if (is_noise_ && next_ > first) return ask_head_about_noise(reply);
    replies.push_back(reply);
    on_replies_(next_++, std::move(replies));
    disconnect();
    return count_failure(reply);
  }

  // Noise in front of the head's answer, or behind the one before it: the head alone will tell.
  std::optional<Broken> ask_head_about_noise(const Reply& reply) {
    suspects_first_ = next_;
    suspects_end_ = next_ + 1;
    suspicion_ = reply;
    careful_ = asking_about_noise_ = true;
    disconnect();
    return count_failure(reply);
  }

  // --- One at a time

  std::optional<Broken> ask_one_case() {
    const Question& question = questions_[next_];
    const bool alone = asked_here_ == 0;
    ++asked_here_;
    std::vector<Reply> replies;
    for (std::size_t step = 0; step < question.item->steps.size(); ++step) {
      send(question, step);
      Reply reply;
      if (receive(question, step, reply)) {
        replies.push_back(std::move(reply));
        continue;
      }
      const bool is_clear = reply.outcome == Outcome::kGarbled;
      if (is_noise_ && !alone && step == 0) return ask_head_about_noise(reply);
      disconnect();
      if (!alone && !is_clear) {
        // Perhaps only because of what was asked before: once more, of a fresh process.
        suspicion_ = reply;
        retrying_ = true;
        return std::nullopt;
      }
      replies.push_back(reply);
      on_replies_(next_++, std::move(replies));
      leave_careful_mode();
      return count_failure(reply);
    }
    note_an_answer();
    if (asking_about_noise_) {
      // The head is clean: it was the one before.
      on_replies_(next_ - 1, {Reply{Outcome::kGarbled, {}, "wrote more than its answer"}});
      on_replies_(next_++, std::move(replies));
      leave_careful_mode();
      return std::nullopt;
    }
    if (retrying_) {
      on_replies_(next_++, {not_alone()});
      leave_careful_mode();
      return std::nullopt;
    }
    on_replies_(next_++, std::move(replies));
    if (next_ == suspects_end_) {
      // None of them does it by itself: booked on the first.
      on_replies_(suspects_first_, {not_alone()});
      leave_careful_mode();
    }
    return std::nullopt;
  }

  Reply not_alone() const {
    return {suspicion_.outcome, {}, suspicion_.detail + ", but not when asked alone"};
  }

  void leave_careful_mode() { careful_ = retrying_ = asking_about_noise_ = false; }

  // --- Ends

  void note_an_answer() {
    has_answered_ = true;
    failures_in_a_row_ = timeouts_in_a_row_ = crashes_in_a_row_ = 0;
  }

  std::optional<Broken> count_failure(const Reply& reply) {
    ++failures_in_a_row_;
    if (reply.outcome == Outcome::kTimedOut) ++timeouts_in_a_row_, ++timeouts_;
    if (reply.outcome == Outcome::kCrashed) ++crashes_in_a_row_, ++crashes_;
    if (reply.outcome == Outcome::kGarbled) ++garbled_;
    // A failure in the pipeline and its repetition alone are one.
    const bool only_crashes = !has_answered_ && crashes_in_a_row_ >= 2 * kCrashesInARow;
    const bool only_silence = timeouts_in_a_row_ >= 2 * kTimeoutsInARow;
    const bool too_often = timeouts_ >= 2 * kTimeoutsInAll || crashes_ >= 2 * kCrashesInAll ||
                           garbled_ >= kGarbledInAll;
    const bool only_noise = failures_in_a_row_ - crashes_in_a_row_ >= 2 * kFailuresInARow;
    if (!only_crashes && !only_silence && !only_noise && !too_often) return std::nullopt;
    return Broken{fmt::format("gave up: {}, the last: {}",
                              too_often ? "more failures than there is time for"
                                        : "failure after failure without an answer between them",
                              reply.detail),
                  {},
                  has_answered_ && !only_noise};
  }

  // Lines behind the last answer: the last case answered too much.
  void take_what_came_after() {
    const std::string rest = connection_->finish();
    if (rest.empty() || questions_.empty()) return;
    on_replies_(questions_.size() - 1,
                {Reply{Outcome::kGarbled, {}, "more output behind the last answer"}});
  }

  const Attachment& attachment_;
  std::span<const Question> questions_;
  const InterviewOptions& options_;
  const OnReplies& on_replies_;

  std::unique_ptr<Connection> connection_;
  std::size_t next_ = 0;        // the first question without a booked reply
  std::size_t asked_here_ = 0;  // cases asked one at a time of this process
  bool careful_ = false;
  bool retrying_ = false;
  bool asking_about_noise_ = false;
  bool is_noise_ = false;  // the last garbled line was no answer to anything
  std::size_t suspects_first_ = 0, suspects_end_ = 0;
  Reply suspicion_;
  std::optional<std::uint32_t> stray_id_;
  bool has_answered_ = false;
  int failures_in_a_row_ = 0, timeouts_in_a_row_ = 0, crashes_in_a_row_ = 0;
  int timeouts_ = 0, crashes_ = 0, garbled_ = 0;
};

}  // namespace

Introduction introduce(const Attachment& attachment, const Limits& limits) {
  Introduction introduction;
  std::string failure;
  const std::unique_ptr<Connection> connection =
      open_connection(attachment, limits, introduction.claims, failure, &introduction.exchanges);
  const auto broken = [&](std::string reason) {
    introduction.claims.reset();
    introduction.broken = Broken{std::move(reason), connection->last_errors()};
    return introduction;
  };
  if (!introduction.claims) return broken(failure);

  const std::string probes[] = {std::string(kUnknownVerb), unknown_key_probe(*introduction.claims)};
  for (std::uint32_t i = 0; i < std::size(probes); ++i) {
    const std::optional<Answer> answer = ask_alone(*connection, kHelloId + 1 + i, probes[i], limits,
                                                   failure, &introduction.exchanges);
    if (!answer) return broken(failure);
    if (answer->kind != AnswerKind::kUnsupported) {
      return broken(
          fmt::format("does not answer `unsupported` to {}: whoever ignores what it does not "
                      "know could pass without an answer",
                      i == 0 ? "an unknown verb" : "a known verb with an unknown key"));
    }
  }
  connection->finish();
  return introduction;
}

std::optional<Broken> interview(const Attachment& attachment, std::span<const Question> questions,
                                const InterviewOptions& options, const OnReplies& on_replies) {
  return Interview(attachment, questions, options, on_replies).run();
}

}  // namespace hurray::conformance
