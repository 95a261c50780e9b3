// SPDX-License-Identifier: Apache-2.0
//
// Which case comes next? Cases of the suite with changes, tensors that are drawn whole, and short
// sequences of both; each from the seed of the campaign and its own number alone (campaign.h).

#include <algorithm>

#include <fmt/format.h>

#include "conformance/runner/campaign.h"
#include "conformance/runner/families/tensor_draw.h"
#include "conformance/runner/oracle.h"
#include "conformance/runner/zoo.h"
#include "reference/tensor_layout.h"

namespace hurray::conformance {
namespace {

// Longer cases are the suite's own: what they look for are lengths.
constexpr std::size_t kLongestSeed = 3000;
constexpr std::size_t kLongestRequest = 12000;
constexpr std::size_t kMostElements = 600;
// So many draws that nobody may ask, one after the other, and a case is asked as it is.
constexpr int kTries = 40;
constexpr std::uint64_t kDear = 16;

std::size_t length_of(const Case& item) {
  std::size_t length = 0;
  for (const Step& step : item.steps) length += step.request.size();
  return length;
}

// Calls in many threads and of arrays laid end to end cost a thousand others.
bool is_dear(const Case& item) {
  return std::ranges::any_of(item.steps, [](const Step& step) {
    return step.request.find(" threads=") != std::string::npos ||
           step.request.find(" repeat=") != std::string::npos;
  });
}

}  // namespace

Draws::Draws(const Suite& seeds, const Claims& claims, std::uint64_t seed)
    : seeds_(seeds), claims_(claims), seed_(seed) {
  std::map<std::string, std::vector<std::size_t>> families;
  for (std::size_t i = 0; i < seeds.cases.size(); ++i) {
    const Case& item = seeds.cases[i];
    if (reason_to_skip(claims, item, {})) continue;
    mutator_.learn(item);
    if (length_of(item) > kLongestSeed) continue;
    std::vector<std::size_t>& family = families[family_of(item.name)];
    family.push_back(i);
    const std::string verb =
        item.steps.front().request.substr(0, item.steps.front().request.find(' '));
    if (!is_dear(item)) of_verb_[verb].push_back(i);
  }
  for (auto& [name, cases] : families) families_.push_back(std::move(cases));
  for (const char* verb : {"decode_tensor", "encode_tensor", "dequantize_tensor"}) {
    if (const auto found = of_verb_.find(verb); found != of_verb_.end()) {
      tensors_.push_back(found->second.front());
    }
  }
}

bool Draws::can_ask(const std::string& request) const {
  if (request.size() > std::min(kLongestRequest, claims_.max_line - 16)) return false;
  const Case item{{}, {}, {{request, {}}}, {}};
  return may_be_asked(request) && !reason_to_skip(claims_, item, {});
}

// A valid tensor, as one of the verbs that are claimed asks for it. Empty if it came out too large.
std::string Draws::drawn_tensor(Random& random, std::size_t& origin) const {
  Draw draw(random.next());
  const conformance::Drawn drawn = draw.valid();
  origin = tensors_[static_cast<std::size_t>(random.below(tensors_.size()))];
  const std::string& verb = seeds_.cases[origin].steps.front().request;
  if (verb.starts_with("decode_tensor")) return decode_tensor_request(drawn.parts);
  if (verb.starts_with("encode_tensor")) {
    return encode_tensor_request(drawn.parts, drawn.scheme_keys);
  }
  const std::uint64_t count = element_count(drawn.tensor).value_or(kMostElements + 1);
  if (count > kMostElements) return {};
  const std::vector<Bytes> buffers = draw.buffers_of(drawn);
  return dequantize_tensor_request(drawn.parts, static_cast<std::size_t>(count), buffers);
}

// Requests that may be asked, or nothing.
std::optional<std::vector<std::string>> Draws::draw(Random& random, std::size_t& origin) const {
  const auto one_of = [&](const auto& values) -> const auto& {
    return values[static_cast<std::size_t>(random.below(values.size()))];
  };
  // Mostly one change or two: what is wrong with more of them is mostly refused.
  const auto changes = [&] {
    const std::uint64_t kind = random.below(10);
    return static_cast<unsigned>(kind < 5   ? 1
                                 : kind < 8 ? 2 + random.below(2)
                                            : 4 + random.below(6));
  };
  std::vector<std::string> requests;
  const std::uint64_t kind = random.below(20);
  if (kind == 0 && !tensors_.empty()) {
    requests = {drawn_tensor(random, origin)};
    if (requests.front().empty()) return std::nullopt;
    if (random.below(2) == 0)
      requests.front() = mutator_.mutate(random, requests.front(), changes());
  } else if (kind == 1) {
    // The same request before and after another one, of its verb or of any: what is remembered of
    // one may be taken for the next.
    const auto any_verb = [&]() -> const std::vector<std::size_t>& {
      return std::next(of_verb_.begin(), static_cast<std::ptrdiff_t>(random.below(of_verb_.size())))
          ->second;
    };
    const std::vector<std::size_t>& cases = any_verb();
    origin = one_of(cases);
    const std::string first =
        mutator_.mutate(random, seeds_.cases[origin].steps.front().request, changes());
    const std::string& other =
        seeds_.cases[one_of(random.below(2) == 0 ? cases : any_verb())].steps.front().request;
    requests = {first, mutator_.mutate(random, other, changes()), first};
  } else {
    if (kind < 6) {
      origin = one_of(
          std::next(of_verb_.begin(), static_cast<std::ptrdiff_t>(random.below(of_verb_.size())))
              ->second);
    } else {
      origin = one_of(one_of(families_));
    }
    const Case& item = seeds_.cases[origin];
    if (is_dear(item) && random.below(kDear) != 0) return std::nullopt;
    for (const Step& step : item.steps) requests.push_back(step.request);
    std::string& changed = requests[static_cast<std::size_t>(random.below(requests.size()))];
    changed = mutator_.mutate(random, changed, changes());
  }
  if (!std::ranges::all_of(requests, [&](const std::string& each) { return can_ask(each); })) {
    return std::nullopt;
  }
  return requests;
}

Draws::Drawn Draws::at(std::uint64_t number) const {
  Random random(Random(seed_).next() ^ (number * 0x9e3779b97f4a7c15u));
  const std::string name = fmt::format("fuzz/{}/{}", seed_, number);
  for (int i = 0; i < kTries; ++i) {
    Drawn drawn;
    const auto requests = draw(random, drawn.origin);
    if (!requests) continue;
    drawn.item = {name, seeds_.cases[drawn.origin].why, {}, {}};
    try {
      for (const std::string& each : *requests) {
        drawn.item.steps.push_back({each, expected_answers(read_request(each))});
      }
      return drawn;
    } catch (const SuiteError&) {
      // Not a request of the protocol: nobody is asked it.
    }
  }
  // A case of the suite as it is.
  Drawn drawn;
  const std::vector<std::size_t>& family =
      families_[static_cast<std::size_t>(random.below(families_.size()))];
  drawn.origin = family[static_cast<std::size_t>(random.below(family.size()))];
  const Case& seed = seeds_.cases[drawn.origin];
  drawn.item = {name, seed.why, {}, {}};
  for (const Step& each : seed.steps) {
    drawn.item.steps.push_back({each.request, expected_answers(read_request(each.request))});
  }
  return drawn;
}

}  // namespace hurray::conformance
