// SPDX-License-Identifier: Apache-2.0
//
// Expected digests, see sweep_reference.h. Between two bit patterns of one sign the quantizer is
// monotonic, so the reference is asked only where its value may change: at most once per code and
// halving.

#include "conformance/runner/sweep_reference.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "reference/quantize.h"

namespace hurray::conformance {
namespace {

constexpr std::uint64_t kInputsPerBlock = std::uint64_t{1} << 16;
constexpr std::uint64_t kFnvOffset = 0xcbf29ce484222325u;
constexpr std::uint64_t kFnvPrime = 0x100000001b3u;

constexpr SweepReading kReadings[] = {
    {"quotient=binary32", Quotient::kBinary32, Subnormals::kGradual},
    {"quotient=exact", Quotient::kExact, Subnormals::kGradual},
    {"quotient=binary32, subnormals=flush", Quotient::kBinary32, Subnormals::kFlush},
    {"quotient=exact, subnormals=flush", Quotient::kExact, Subnormals::kFlush},
};

// Neighbouring inputs with the same code.
struct Run {
  std::int64_t code;
  std::uint64_t count;

  bool operator==(const Run&) const = default;
};

class Runs {
 public:
  Runs(const SweepFunction& function, const SweepReading& reading, const SweepRange& range)
      : function_(function), reading_(reading) {
    add(range.first, code_of(range.first), range.last(), code_of(range.last()));
  }
  std::vector<Run> take() { return std::move(runs_); }

 private:
  std::int64_t code_of(std::uint32_t input) const {
    return expected_code(function_, reading_, input);
  }
  void append(std::int64_t code, std::uint64_t count) {
    if (!runs_.empty() && runs_.back().code == code) {
      runs_.back().count += count;
    } else {
      runs_.push_back({code, count});
    }
  }
  void add(std::uint32_t first, std::int64_t first_code, std::uint32_t last,
           std::int64_t last_code) {
    if (first_code == last_code) {
      append(first_code, std::uint64_t{last} - first + 1);
      return;
    }
    const std::uint32_t middle = first + (last - first) / 2;
    add(first, first_code, middle, code_of(middle));
    add(middle + 1, code_of(middle + 1), last, last_code);
  }

  const SweepFunction& function_;
  const SweepReading& reading_;
  std::vector<Run> runs_;
};

// The digest of codes as they are packed: whole bytes one after another, narrow codes joined.
std::uint64_t digest_of(const std::vector<Run>& runs, unsigned bits) {
  std::uint64_t digest = kFnvOffset;
  const auto add_byte = [&](std::uint64_t byte) { digest = (digest ^ byte) * kFnvPrime; };
  std::uint64_t pending = 0;
  unsigned pending_bits = 0;
  for (const Run& run : runs) {
    const std::uint64_t field =
        static_cast<std::uint64_t>(run.code) & ((std::uint64_t{1} << bits) - 1);
    for (std::uint64_t i = 0; i < run.count; ++i) {
      pending |= field << pending_bits;
      pending_bits += bits;
      if (pending_bits < 8) continue;
      add_byte(pending);
      pending = 0;
      pending_bits = 0;
    }
  }
  if (pending_bits > 0) add_byte(pending);
  return digest;
}

}  // namespace

const StorageTypeInfo& storage_of(const SweepFunction& function) {
  if (function.function.empty()) return *find_storage_type(function.type);
  return info_of(function.function.ends_with("_i8") ? StorageType::kInt8 : StorageType::kUint8);
}

std::vector<SweepRange> blocks_of(const SweepRange& range) {
  std::vector<SweepRange> blocks;
  const std::uint64_t end = std::min<std::uint64_t>(range.first + range.count, 0x1'0000'0000);
  for (const auto& [from, to] : {std::pair<std::uint64_t, std::uint64_t>{0, 0x7f800001},
                                 std::pair<std::uint64_t, std::uint64_t>{0x80000000, 0xff800001}}) {
    std::uint64_t first = std::max<std::uint64_t>(range.first, from);
    const std::uint64_t last = std::min(end, to);
    while (first < last) {
      const std::uint64_t count = std::min(kInputsPerBlock, last - first);
      blocks.push_back({static_cast<std::uint32_t>(first), count});
      first += count;
    }
  }
  return blocks;
}

std::vector<SweepReading> readings_of(const SweepFunction& function) {
  std::vector<SweepReading> readings;
  for (const SweepReading& each : kReadings) {
    // Only the firmware contract may flush (R15).
    if (each.subnormals == Subnormals::kGradual || !function.function.empty()) {
      readings.push_back(each);
    }
  }
  return readings;
}

std::int64_t expected_code(const SweepFunction& function, const SweepReading& reading,
                           std::uint32_t input) {
  const StorageTypeInfo& info = storage_of(function);
  Choices choices;
  choices.quotient = reading.quotient;
  choices.subnormals = reading.subnormals;
  return quantize_value(std::bit_cast<float>(input), function.scale, function.zero_point, info.min,
                        info.max, choices);
}

std::vector<std::uint64_t> expected_digests(const SweepFunction& function,
                                            std::span<const SweepReading> readings,
                                            const SweepRange& range) {
  const unsigned bits = storage_of(function).bits;
  std::vector<std::uint64_t> digests;
  std::vector<std::vector<Run>> known;
  for (const SweepReading& each : readings) {
    std::vector<Run> runs = Runs(function, each, range).take();
    // Readings differ on few ranges, and digesting is what takes the time.
    const auto same = std::find(known.begin(), known.end(), runs);
    digests.push_back(same != known.end() ? digests[static_cast<std::size_t>(same - known.begin())]
                                          : digest_of(runs, bits));
    known.push_back(std::move(runs));
  }
  return digests;
}

std::uint64_t digest_of_byte(std::uint8_t byte) { return (kFnvOffset ^ byte) * kFnvPrime; }

}  // namespace hurray::conformance
