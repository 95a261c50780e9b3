// SPDX-License-Identifier: Apache-2.0
//
// Sweeps, see sweep.h. Between two bit patterns of one sign the quantizer is monotonic, so the
// reference is asked only where its value may change: at most once per code and halving.

#include "conformance/runner/sweep.h"

#include <algorithm>
#include <bit>

#include <fmt/format.h>

#include "conformance/runner/oracle.h"
#include "reference/element_type.h"
#include "reference/quantize.h"

namespace hurray::conformance {
namespace {

constexpr std::uint64_t kInputsPerRequest = std::uint64_t{1} << 16;
constexpr std::uint64_t kFnvOffset = 0xcbf29ce484222325u;
constexpr std::uint64_t kFnvPrime = 0x100000001b3u;
constexpr std::uint32_t kFirstId = 10;

const StorageTypeInfo& storage_of(const SweepFunction& function) {
  if (function.function.empty()) return *find_storage_type(function.type);
  return info_of(function.function.ends_with("_i8") ? StorageType::kInt8 : StorageType::kUint8);
}

struct Reading {
  std::string_view name;
  Quotient quotient;
  Subnormals subnormals;
};
constexpr Reading kReadings[] = {
    {"quotient=binary32", Quotient::kBinary32, Subnormals::kGradual},
    {"quotient=exact", Quotient::kExact, Subnormals::kGradual},
    {"quotient=binary32, subnormals=flush", Quotient::kBinary32, Subnormals::kFlush},
    {"quotient=exact, subnormals=flush", Quotient::kExact, Subnormals::kFlush},
};
// Only the firmware contract may flush (R15).
bool applies(const Reading& reading, const SweepFunction& function) {
  return reading.subnormals == Subnormals::kGradual || !function.function.empty();
}

std::int64_t code_of(const SweepFunction& function, const Reading& reading, std::uint32_t bits) {
  const StorageTypeInfo& info = storage_of(function);
  Choices choices;
  choices.quotient = reading.quotient;
  choices.subnormals = reading.subnormals;
  return quantize_value(std::bit_cast<float>(bits), function.scale, function.zero_point, info.min,
                        info.max, choices);
}

// The digest of codes as they are packed: whole bytes one after another, narrow codes joined.
class PackedDigest {
 public:
  explicit PackedDigest(unsigned bits) : bits_(bits) {}
  void add(std::int64_t code, std::uint64_t times) {
    const std::uint64_t mask = (std::uint64_t{1} << bits_) - 1;
    const std::uint64_t field = static_cast<std::uint64_t>(code) & mask;
    if (bits_ == 8) {
      for (; times > 0; --times) add_byte(field);
      return;
    }
    for (; times > 0; --times) {
      pending_ |= field << pending_bits_;
      pending_bits_ += bits_;
      while (pending_bits_ >= 8) {
        add_byte(pending_ & 0xff);
        pending_ >>= 8;
        pending_bits_ -= 8;
      }
    }
  }
  std::uint64_t finish() {
    if (pending_bits_ > 0) add_byte(pending_ & 0xff);
    return digest_;
  }

 private:
  void add_byte(std::uint64_t byte) { digest_ = (digest_ ^ byte) * kFnvPrime; }

  unsigned bits_;
  std::uint64_t digest_ = kFnvOffset;
  std::uint64_t pending_ = 0;
  unsigned pending_bits_ = 0;
};

// Adds the codes of `first` … `last`, all of one sign.
void add_run(const SweepFunction& function, const Reading& reading, std::uint32_t first,
             std::int64_t first_code, std::uint32_t last, std::int64_t last_code,
             PackedDigest& digest) {
  if (first_code == last_code) {
    digest.add(first_code, std::uint64_t{last} - first + 1);
    return;
  }
  if (last - first == 1) {
    digest.add(first_code, 1);
    digest.add(last_code, 1);
    return;
  }
  const std::uint32_t middle = first + (last - first) / 2;
  const std::int64_t middle_code = code_of(function, reading, middle);
  add_run(function, reading, first, first_code, middle, middle_code, digest);
  const std::uint32_t next = middle + 1;
  add_run(function, reading, next, code_of(function, reading, next), last, last_code, digest);
}

std::uint64_t digest_of(const SweepFunction& function, const Reading& reading,
                        const SweepRange& range) {
  PackedDigest digest(storage_of(function).bits);
  // At most two pieces: below and above the sign bit.
  const std::uint64_t end = range.first + range.count;
  for (const auto& [from, to] :
       {std::pair<std::uint64_t, std::uint64_t>{0, 0x80000000u},
        std::pair<std::uint64_t, std::uint64_t>{0x80000000u, 0x100000000u}}) {
    const std::uint64_t first = std::max<std::uint64_t>(range.first, from);
    const std::uint64_t last = std::min(end, to);
    if (first >= last) continue;
    const std::uint32_t a = static_cast<std::uint32_t>(first);
    const std::uint32_t b = static_cast<std::uint32_t>(last - 1);
    add_run(function, reading, a, code_of(function, reading, a), b, code_of(function, reading, b),
            digest);
  }
  return digest.finish();
}

// The range without NaN patterns, in blocks.
std::vector<SweepRange> blocks_of(const SweepRange& range) {
  std::vector<SweepRange> blocks;
  const std::uint64_t end = std::min<std::uint64_t>(range.first + range.count, 0x100000000u);
  for (const auto& [from, to] :
       {std::pair<std::uint64_t, std::uint64_t>{0, 0x7f800001u},
        std::pair<std::uint64_t, std::uint64_t>{0x80000000u, 0xff800001u}}) {
    std::uint64_t first = std::max<std::uint64_t>(range.first, from);
    const std::uint64_t last = std::min(end, to);
    while (first < last) {
      const std::uint64_t count = std::min(kInputsPerRequest, last - first);
      blocks.push_back({static_cast<std::uint32_t>(first), count});
      first += count;
    }
  }
  return blocks;
}

std::string request_for(const SweepFunction& function, const SweepRange& range) {
  const std::string what = function.function.empty()
                               ? fmt::format("op=quantize type={:02x}", function.type)
                               : fmt::format("fn={}", function.function);
  return fmt::format("sweep {} scale={:08x} zero_point={} first={:08x} count={}", what,
                     std::bit_cast<std::uint32_t>(function.scale), function.zero_point, range.first,
                     range.count);
}

// The digests of several ranges as the target computes them; nothing where it gave none.
std::vector<std::optional<std::uint64_t>> ask(const Attachment& attachment, const Limits& limits,
                                              const SweepFunction& function,
                                              const std::vector<SweepRange>& ranges,
                                              const std::function<void(std::size_t)>& on_block,
                                              std::optional<Broken>& broken) {
  std::vector<Case> cases;
  for (const SweepRange& each : ranges) {
    cases.push_back(
        {"sweep", "", {{request_for(function, each), {{"ok digest=any", {}, {}, {}}}}}, {}});
  }
  std::vector<Question> questions;
  for (const Case& each : cases) {
    questions.push_back({&each, static_cast<std::uint32_t>(kFirstId + questions.size())});
  }
  std::vector<std::optional<std::uint64_t>> digests(ranges.size());
  broken = interview(
      attachment, questions, {limits, true, {}}, [&](std::size_t i, std::vector<Reply> replies) {
        std::string error;
        const std::optional<Answer> answer = parse_answer_body(replies.back().body, error);
        const std::string* digest = answer ? answer->fields.find("digest") : nullptr;
        if (digest && digest->size() == 16) {
          const auto high = parse_hex_number(std::string_view(*digest).substr(0, 8), 8);
          const auto low = parse_hex_number(std::string_view(*digest).substr(8), 8);
          if (high && low) digests[i] = std::uint64_t{*high} << 32 | *low;
        }
        if (on_block) on_block(i);
      });
  return digests;
}

// Halves a range that differs from every reading still possible until one input is left.
std::uint32_t first_differing(const Attachment& attachment, const Limits& limits,
                              const SweepFunction& function, SweepRange range,
                              const std::vector<const Reading*>& readings,
                              std::optional<Broken>& broken) {
  while (range.count > 1 && !broken) {
    const SweepRange half = {range.first, range.count / 2};
    const auto digest = ask(attachment, limits, function, {half}, {}, broken).front();
    const bool is_right =
        digest && std::any_of(readings.begin(), readings.end(), [&](const Reading* each) {
          return digest_of(function, *each, half) == *digest;
        });
    if (is_right) {
      range = {static_cast<std::uint32_t>(range.first + half.count), range.count - half.count};
    } else {
      range = half;
    }
  }
  return range.first;
}

}  // namespace

std::vector<SweepReading> expected_digests(const SweepFunction& function, const SweepRange& range) {
  std::vector<SweepReading> readings;
  for (const Reading& each : kReadings) {
    if (applies(each, function)) {
      readings.push_back({std::string(each.name), digest_of(function, each, range)});
    }
  }
  return readings;
}

SweepResult sweep(const Attachment& attachment, const Limits& limits, const SweepFunction& function,
                  const SweepRange& range, const std::function<void(std::uint64_t)>& on_progress) {
  SweepResult result;
  const std::vector<SweepRange> blocks = blocks_of(range);
  std::uint64_t done = 0;
  const auto digests = ask(
      attachment, limits, function, blocks,
      [&](std::size_t i) {
        done += blocks[i].count;
        if (on_progress) on_progress(done);
      },
      result.broken);
  if (result.broken) return result;

  std::vector<const Reading*> readings;
  for (const Reading& each : kReadings) {
    if (applies(each, function)) readings.push_back(&each);
  }
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    std::vector<const Reading*> left;
    for (const Reading* each : readings) {
      if (digests[i] && digest_of(function, *each, blocks[i]) == *digests[i]) left.push_back(each);
    }
    result.inputs += blocks[i].count;
    if (!left.empty()) {
      readings = std::move(left);
      continue;
    }
    const std::uint32_t input =
        first_differing(attachment, limits, function, blocks[i], readings, result.broken);
    result.differing = input;
    result.expected = code_of(function, *readings.front(), input);
    break;
  }
  for (const Reading* each : readings) result.readings.emplace_back(each->name);
  return result;
}

}  // namespace hurray::conformance
