// SPDX-License-Identifier: Apache-2.0
//
// What does keeping many requests in flight gain? Puts the same small requests to a target in a
// pipeline and, a tenth of them, one at a time, alternating in one run, and prints requests per
// second and their ratio (median). Starting the target is part of it.
//
//   pipelining ATTACHMENT [REQUESTS]

#include <sched.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <span>
#include <vector>

#include <fmt/format.h>

#include "conformance/runner/attachment.h"
#include "conformance/runner/guardian.h"
#include "conformance/runner/interview.h"
#include "conformance/runner/oracle.h"

namespace {

using namespace hurray::conformance;

constexpr int kRounds = 5;
constexpr std::string_view kRequest = "decode type=10 bytes=010100000000003f0300000000000000";

double requests_per_second(const Attachment& attachment, std::span<const Question> questions,
                           bool pipelined) {
  std::vector<bool> is_answered(questions.size());
  const auto start = std::chrono::steady_clock::now();
  const auto broken = interview(attachment, questions, {Limits{}, pipelined, {}},
                                [&](std::size_t i, std::vector<Reply> replies) {
                                  is_answered[i] = replies.back().outcome == Outcome::kValue;
                                });
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
  if (broken || std::find(is_answered.begin(), is_answered.end(), false) != is_answered.end()) {
    fmt::print(stderr, "the target did not answer: {}\n",
               broken ? broken->reason : "too few answers");
    std::exit(3);
  }
  return static_cast<double>(questions.size()) / seconds.count();
}

// While this stands, the target runs on the processor that asks: waking one that sleeps can take
// longer than a request.
class OnOneProcessor {
 public:
  OnOneProcessor() {
    sched_getaffinity(0, sizeof before_, &before_);
    cpu_set_t here;
    CPU_ZERO(&here);
    CPU_SET(static_cast<std::size_t>(sched_getcpu()), &here);
    sched_setaffinity(0, sizeof here, &here);
  }
  OnOneProcessor(const OnOneProcessor&) = delete;
  OnOneProcessor& operator=(const OnOneProcessor&) = delete;
  ~OnOneProcessor() { sched_setaffinity(0, sizeof before_, &before_); }

 private:
  cpu_set_t before_;
};

double median(std::vector<double> values) {
  std::nth_element(values.begin(), values.begin() + values.size() / 2, values.end());
  return values[values.size() / 2];
}

}  // namespace

int main(int argc, char** argv) {
  hurray::conformance::guard_if_asked(argc, argv);
  if (argc < 2 || argc > 3) {
    fmt::print(stderr,
               "usage: pipelining ATTACHMENT [REQUESTS], for example pipelining exec:./adapter\n");
    return 2;
  }
  try {
    const Attachment attachment = parse_attachment(argv[1]);
    const std::size_t count = argc == 3 ? std::strtoul(argv[2], nullptr, 10) : 200'000;
    const Case item{
        "pipelining", "", {{std::string(kRequest), expected_answers(read_request(kRequest))}}, {}};
    std::vector<Question> questions;
    for (std::size_t i = 0; i < count; ++i)
      questions.push_back({&item, static_cast<std::uint32_t>(i + 10)});

    std::vector<double> pipelined, alone, alone_here, ratios;
    const auto few = std::span(questions).first((questions.size() + 9) / 10);
    for (int round = 0; round < kRounds; ++round) {
      pipelined.push_back(requests_per_second(attachment, questions, true));
      alone.push_back(requests_per_second(attachment, few, false));
      {
        const OnOneProcessor pinned;
        alone_here.push_back(requests_per_second(attachment, few, false));
      }
      ratios.push_back(pipelined.back() / alone.back());
    }
    fmt::print(
        "{} requests to {}, medians of {}\n"
        "  pipelined                        {:>10.0f} per second\n"
        "  one at a time                    {:>10.0f} per second\n"
        "  one at a time, on one processor  {:>10.0f} per second\n"
        "  pipelined / one at a time        {:>10.1f}\n",
        count, attachment.text, kRounds, median(pipelined), median(alone), median(alone_here),
        median(ratios));
    return 0;
  } catch (const std::exception& error) {
    fmt::print(stderr, "pipelining: {}\n", error.what());
    return 2;
  }
}
