// SPDX-License-Identifier: Apache-2.0
//
// Transcripts, see transcript.h.

#include "conformance/certificate/transcript.h"

#include <algorithm>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "conformance/certificate/envelope.h"
#include "conformance/runner/wire.h"

namespace hurray::conformance {
namespace {

constexpr std::string_view kCrashed = "crashed ", kTimedOut = "timed-out ";
constexpr std::size_t kProbes = 2;

// Lines of a text, handed out once.
class Lines {
 public:
  explicit Lines(std::string_view text) : rest_(text) {}

  // Nothing behind the last. A last line without its newline is none: it may be cut.
  std::optional<std::string_view> next() {
    const std::size_t end = rest_.find('\n');
    if (end == std::string_view::npos) return std::nullopt;
    const std::string_view line = rest_.substr(0, end);
    rest_.remove_prefix(end + 1);
    ++number_;
    return line;
  }
  std::size_t number() const { return number_; }
  bool at_end() const { return rest_.empty(); }

 private:
  std::string_view rest_;
  std::size_t number_ = 0;
};

[[noreturn]] void bad_line(std::size_t number, const std::string& what) {
  throw Invalid(fmt::format("line {}: {}", number, what));
}

std::string quoted(std::string_view line) { return cleaned(excerpt(line, 80)); }

// What everybody is asked first.
std::vector<std::string> introduction_of(const Claims& claims) {
  return {std::string(kHello), std::string(kUnknownVerb), unknown_key_probe(claims)};
}

Plan plan_of(const Suite& suite, const Claims& claims, TargetResult& target) {
  target.claims = claims;
  return plan_cases(suite, std::vector<bool>(suite.cases.size(), true), target);
}

// What stands in a transcript behind the id.
std::string recorded(const Reply& reply) {
  if (reply.outcome == Outcome::kCrashed) return std::string(kCrashed) + one_line(reply.detail);
  if (reply.outcome == Outcome::kTimedOut) return std::string(kTimedOut) + one_line(reply.detail);
  return reply.body;
}

// The same back. Nothing if it is no answer; `error` says why.
std::optional<Reply> read_recorded(std::string_view text, std::string& error) {
  for (const auto& [word, outcome] :
       {std::pair{kCrashed, Outcome::kCrashed}, std::pair{kTimedOut, Outcome::kTimedOut}}) {
    if (text.starts_with(word)) return Reply{outcome, {}, std::string(text.substr(word.size()))};
  }
  if (!parse_answer_body(text, error)) return std::nullopt;
  return Reply{Outcome::kValue, std::string(text), {}};
}

// Hello and probes: whoever ignores what it does not know could pass without an answer.
void check_introduction(const std::vector<Exchange>& introduction) {
  for (std::size_t i = 1; i < introduction.size(); ++i) {
    std::string error;
    const std::optional<Answer> answer = parse_answer_body(introduction[i].answer, error);
    if (answer && answer->kind == AnswerKind::kUnsupported) continue;
    throw Invalid(fmt::format("`{}` was not answered `unsupported` but `{}`",
                              quoted(introduction[i].request), quoted(introduction[i].answer)));
  }
}

// One case in a transcript.
std::vector<Reply> read_case(const Case& item, std::uint32_t first_id, Lines& lines) {
  std::vector<Reply> replies;
  for (std::size_t step = 0; step < item.steps.size(); ++step) {
    const std::string request = fmt::format("{} {}", first_id + step, item.steps[step].request);
    const std::optional<std::string_view> asked = lines.next();
    if (!asked) bad_line(lines.number() + 1, "the transcript ends before " + item.name);
    if (*asked != request) {
      bad_line(lines.number(), fmt::format("expected the request `{}` of {}, not `{}`",
                                           quoted(request), item.name, quoted(*asked)));
    }
    const std::optional<std::string_view> line = lines.next();
    const std::string start = fmt::format("{} ", first_id + step);
    if (!line || !line->starts_with(start))
      bad_line(lines.number() + !line, fmt::format("no answer to `{}`", quoted(request)));
    std::string error;
    const std::optional<Reply> reply = read_recorded(line->substr(start.size()), error);
    if (!reply) bad_line(lines.number(), error);
    replies.push_back(*reply);
    if (reply->outcome != Outcome::kValue) break;
  }
  return replies;
}

// Answer lines by id.
std::map<std::uint32_t, std::string_view> answers_by_id(std::string_view text) {
  std::map<std::uint32_t, std::string_view> answers;
  Lines lines(text);
  while (std::optional<std::string_view> line = lines.next()) {
    if (line->ends_with('\r')) line->remove_suffix(1);
    std::string error;
    const auto answer = parse_answer(*line, error);
    if (!answer) bad_line(lines.number(), error);
    if (!answers.emplace(answer->first, line->substr(line->find(' ') + 1)).second)
      bad_line(lines.number(), fmt::format("request {} is answered twice", answer->first));
  }
  if (!lines.at_end()) bad_line(lines.number() + 1, "the last line has no end: is it cut?");
  return answers;
}

}  // namespace

std::string request_lines(const Suite& suite, const Claims& claims) {
  std::string text;
  for (std::uint32_t id = kHelloId; const std::string& each : introduction_of(claims))
    text += fmt::format("{} {}\n", id++, each);
  TargetResult target;
  const std::vector<std::uint32_t> ids = first_ids_of(suite);
  for (const std::size_t i : plan_of(suite, claims, target).cases) {
    for (std::uint32_t id = ids[i]; const Step& each : suite.cases[i].steps)
      text += fmt::format("{} {}\n", id++, each.request);
  }
  return text;
}

std::string transcript_of(const Suite& suite, const Claims& claims, const Session& session) {
  std::string text;
  for (std::uint32_t id = kHelloId; const Exchange& each : session.introduction) {
    text += fmt::format("{0} {1}\n{0} {2}\n", id, each.request, each.answer);
    ++id;
  }
  TargetResult target;
  const std::vector<std::uint32_t> ids = first_ids_of(suite);
  for (const std::size_t i : plan_of(suite, claims, target).cases) {
    const std::vector<Reply>& replies = session.replies[i];
    for (std::size_t step = 0; step < replies.size(); ++step) {
      text += fmt::format("{0} {1}\n{0} {2}\n", ids[i] + step, suite.cases[i].steps[step].request,
                          recorded(replies[step]));
    }
  }
  return text;
}

Claims claims_in(std::string_view text) {
  Lines lines(text);
  std::optional<std::string_view> line = lines.next();
  // In a transcript the request stands before it.
  if (line && *line == fmt::format("{} {}", kHelloId, kHello)) line = lines.next();
  if (!line) throw Invalid("no answer to hello");
  std::string_view body = *line;
  if (body.ends_with('\r')) body.remove_suffix(1);
  std::string error;
  const auto answer = parse_answer(body, error);
  if (!answer || answer->first != kHelloId) {
    bad_line(lines.number(), fmt::format("expected the answer to `{} {}`, not `{}`", kHelloId,
                                         kHello, quoted(body)));
  }
  const std::optional<Claims> claims = read_claims(answer->second, error);
  if (!claims) bad_line(lines.number(), error);
  return *claims;
}

Session read_transcript(const Suite& suite, const Claims& claims, std::string_view text) {
  Session session;
  session.replies.resize(suite.cases.size());
  Lines lines(text);
  const std::vector<std::string> introduction = introduction_of(claims);
  for (std::size_t i = 0; i < introduction.size(); ++i) {
    const Case item{"the introduction", {}, {{introduction[i], {}}}, {}};
    const Reply reply = read_case(item, kHelloId + static_cast<std::uint32_t>(i), lines).front();
    session.introduction.push_back({introduction[i], reply.body});
  }
  check_introduction(session.introduction);
  TargetResult target;
  const std::vector<std::uint32_t> ids = first_ids_of(suite);
  for (const std::size_t i : plan_of(suite, claims, target).cases)
    session.replies[i] = read_case(suite.cases[i], ids[i], lines);
  if (!lines.at_end()) bad_line(lines.number() + 1, "nothing is expected here: all cases are done");
  return session;
}

Session read_answers(const Suite& suite, const Claims& claims, std::string_view text) {
  std::map<std::uint32_t, std::string_view> answers = answers_by_id(text);
  const std::uint32_t last = answers.empty() ? 0 : answers.rbegin()->first;
  Session session;
  session.replies.resize(suite.cases.size());
  const auto take = [&](std::uint32_t id) -> std::optional<Reply> {
    const auto found = answers.find(id);
    if (found == answers.end()) return std::nullopt;
    const Reply reply{Outcome::kValue, std::string(found->second), {}};
    answers.erase(found);
    return reply;
  };
  for (std::uint32_t id = kHelloId; const std::string& each : introduction_of(claims)) {
    const std::optional<Reply> reply = take(id++);
    if (!reply)
      throw Invalid(fmt::format("request {}, `{}`, is not answered", id - 1, quoted(each)));
    session.introduction.push_back({each, reply->body});
  }
  check_introduction(session.introduction);

  TargetResult target;
  std::uint32_t last_asked = kHelloId + kProbes;
  const std::vector<std::uint32_t> ids = first_ids_of(suite);
  for (const std::size_t i : plan_of(suite, claims, target).cases) {
    std::vector<Reply>& replies = session.replies[i];
    for (std::size_t step = 0; step < suite.cases[i].steps.size(); ++step) {
      last_asked = ids[i] + static_cast<std::uint32_t>(step);
      const std::optional<Reply> reply = take(last_asked);
      const bool is_over = !replies.empty() && replies.back().outcome != Outcome::kValue;
      if (!is_over)
        replies.push_back(
            reply.value_or(Reply{Outcome::kCrashed, {}, "the request is not answered"}));
    }
  }
  if (!answers.empty())
    throw Invalid(fmt::format("request {} was not asked, and is answered", answers.begin()->first));
  if (last != last_asked) {
    throw Invalid(fmt::format(
        "the answers end with request {}, and requests with {}: if the program died, start it "
        "again behind the request that killed it",
        last, last_asked));
  }
  return session;
}

TargetResult judge_session(const Suite& suite, const Claims& claims, const Session& session) {
  TargetResult target;
  const Plan plan = plan_of(suite, claims, target);
  for (const std::size_t i : plan.cases)
    target.cases[i] = judge_planned(suite, plan, i, session.replies[i]);
  if (plan.cases.empty()) target.broken = Broken{"claims nothing that any case asks for", {}};
  sum_up(suite, false, target);
  return target;
}

}  // namespace hurray::conformance
