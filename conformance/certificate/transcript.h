// SPDX-License-Identifier: Apache-2.0
//
// What was asked and answered, word for word: lines as they went over the wire, each request with
// its answer behind it, hello first, cases in the order of the suite. `10 crashed …` or
// `10 timed-out …` stands where no answer came. From it every verdict can be had again without the
// target; and a lab that hands over no binary sends the answers alone.

#ifndef HURRAY_CONFORMANCE_TRANSCRIPT_H
#define HURRAY_CONFORMANCE_TRANSCRIPT_H

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/runner/case.h"
#include "conformance/runner/interview.h"
#include "conformance/runner/run.h"

namespace hurray::conformance {

// By case index; empty for what was not asked.
using AllReplies = std::vector<std::vector<Reply>>;

// A session: the introduction, and what followed.
struct Session {
  std::vector<Exchange> introduction;  // hello and the two probes
  AllReplies replies;
};

// What a target with these claims is asked, a line each.
std::string request_lines(const Suite& suite, const Claims& claims);

std::string transcript_of(const Suite& suite, const Claims& claims, const Session& session);

// What hello was answered, in a transcript or in the answers of a lab. Throws Invalid.
Claims claims_in(std::string_view lines);

// Reads a transcript of this suite. Throws Invalid unless its requests are those of request_lines()
// to the letter, each has exactly one answer, and nothing follows.
Session read_transcript(const Suite& suite, const Claims& claims, std::string_view text);

// Reads answers alone. What is not answered counts as a crash. Throws Invalid, with the number of
// the line: what is no answer, what was not asked, what is answered twice; and where the answers
// end before the last request.
Session read_answers(const Suite& suite, const Claims& claims, std::string_view text);

// The verdicts that follow. The target is judged as in a run that has asked all cases.
TargetResult judge_session(const Suite& suite, const Claims& claims, const Session& session);

}  // namespace hurray::conformance

#endif  // HURRAY_CONFORMANCE_TRANSCRIPT_H
