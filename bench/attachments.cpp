// SPDX-License-Identifier: Apache-2.0
//
// How much does the way to a target cost, and what does keeping many requests in flight gain? Small
// requests per second, in a pipeline and one at a time, and cases per second of a whole run, judged
// and summed up. Starting the target is part of it.
//
//   attachments [OPTION OF Google Benchmark]… [NAME=]ATTACHMENT…
//
// Names are requests/decode/WAY/NAME and run/suite/all cases/NAME; NAME is the kind unless given.

#include <algorithm>
#include <cstdint>
#include <exception>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include "conformance/runner/attachment.h"
#include "conformance/runner/guardian.h"
#include "conformance/runner/interview.h"
#include "conformance/runner/oracle.h"
#include "conformance/runner/run.h"

namespace {

using namespace hurray::conformance;

constexpr std::string_view kRequest = "decode type=10 bytes=010100000000003f0300000000000000";
constexpr std::size_t kPipelined = 50'000, kAlone = 5'000;

// Nothing, or why the target did not answer.
std::string ask(const Attachment& attachment, std::size_t count, bool pipelined) {
  static const Case item{
      "small request", "", {{std::string(kRequest), expected_answers(read_request(kRequest))}}, {}};
  std::vector<Question> questions;
  for (std::size_t i = 0; i < count; ++i) {
    questions.push_back({&item, static_cast<std::uint32_t>(kFirstCaseId + i)});
  }
  std::vector<bool> is_answered(count);
  const auto broken = interview(attachment, questions, {Limits{}, pipelined, {}},
                                [&](std::size_t i, std::vector<Reply> replies) {
                                  is_answered[i] = replies.back().outcome == Outcome::kValue;
                                });
  if (broken) return broken->reason;
  const bool all = std::find(is_answered.begin(), is_answered.end(), false) == is_answered.end();
  return all ? "" : "too few answers";
}

void measure_requests(benchmark::State& state, const Attachment& attachment, bool pipelined) {
  const std::size_t count = pipelined ? kPipelined : kAlone;
  for (auto _ : state) {
    if (const std::string why = ask(attachment, count, pipelined); !why.empty()) {
      state.SkipWithError(why.c_str());
      return;
    }
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(count));
}

void measure_run(benchmark::State& state, const Attachment& attachment) {
  static const Suite suite = load_suite();
  std::int64_t cases = 0;
  for (auto _ : state) {
    const std::vector<TargetResult> results = run(suite, {{attachment, Limits{}}}, RunOptions{});
    if (results.front().broken) {
      state.SkipWithError(results.front().broken->reason.c_str());
      return;
    }
    for (const CaseResult& each : results.front().cases) {
      cases += each.verdict != CaseVerdict::kNotRun && each.verdict != CaseVerdict::kSkip;
    }
  }
  state.SetItemsProcessed(cases);
}

// As `hurray-conform` has it for reports, but for the name: the kind says enough here.
std::string label_of(const Attachment& attachment) {
  return attachment.name != attachment.text ? attachment.name
                                            : attachment.text.substr(0, attachment.text.find(':'));
}

void add(const Attachment& attachment) {
  const std::string label = label_of(attachment);
  const auto add_one = [&](const std::string& name, auto measure) {
    benchmark::RegisterBenchmark((name + "/" + label).c_str(), measure)->UseRealTime();
  };
  add_one("requests/decode/pipelined",
          [attachment](benchmark::State& state) { measure_requests(state, attachment, true); });
  add_one("requests/decode/one at a time",
          [attachment](benchmark::State& state) { measure_requests(state, attachment, false); });
  add_one("run/suite/all cases",
          [attachment](benchmark::State& state) { measure_run(state, attachment); });
}

}  // namespace

int main(int argc, char** argv) {
  guard_if_asked(argc, argv);
  if (argc == 3 && std::string_view(argv[1]) == "serve") return serve_attachment(argv[2]);
  benchmark::Initialize(&argc, argv);
  try {
    if (argc < 2 || argv[1][0] == '-') {
      throw UsageError(
          "expected options of Google Benchmark, then [NAME=]ATTACHMENT…, for example\n"
          "  attachments builtin:scalar exec:./adapter");
    }
    for (const char* const each : std::span(argv, static_cast<std::size_t>(argc)).subspan(1)) {
      add(parse_attachment(each));
    }
  } catch (const std::exception& error) {
    fmt::print(stderr, "attachments: {}\n", error.what());
    return 2;
  }
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
