// SPDX-License-Identifier: Apache-2.0
//
// Expected digests, see sweep_reference.h. Between two patterns of one sign a quantizer is
// monotonic, and so is the way back between two codes, so the reference is asked only where its
// value may change: at most once per value and halving.

#include "conformance/runner/sweep_reference.h"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <utility>

#include "conformance/runner/sweep_digest.h"
#include "reference/dequantize.h"
#include "reference/quantize.h"

namespace hurray::conformance {
namespace {

constexpr std::uint64_t kAllFloats = 0x1'0000'0000;

constexpr SweepReading kQuantizeReadings[] = {
    {"quotient=binary32", Quotient::kBinary32, Subnormals::kGradual},
    {"quotient=exact", Quotient::kExact, Subnormals::kGradual},
    {"quotient=binary32, subnormals=flush", Quotient::kBinary32, Subnormals::kFlush},
    {"quotient=exact, subnormals=flush", Quotient::kExact, Subnormals::kFlush},
};

// Differences leave int32 only with 32-bit codes (A01). Modulo 2^32 it makes no difference how a
// uint32 is read (A02). A zero has a negative sign only if the scale has (A06).
constexpr SweepReading narrow(std::string_view name, bool positive) {
  return {name, {}, {}, DifferenceWidth::kWiden, Uint32Codes::kUnsigned, positive};
}
constexpr SweepReading wide(std::string_view name, DifferenceWidth width, bool positive,
                            Uint32Codes codes = Uint32Codes::kUnsigned) {
  return {name, {}, {}, width, codes, positive};
}
constexpr auto kWiden = DifferenceWidth::kWiden;
constexpr auto kWrap = DifferenceWidth::kWrap;
constexpr auto kReinterpret = Uint32Codes::kReinterpret;

constexpr SweepReading kNarrowReadings[] = {
    narrow("zeros=ieee", false),
    narrow("zeros=positive", true),
};
constexpr SweepReading kInt32Readings[] = {
    wide("int32-difference=widen", kWiden, false),
    wide("int32-difference=wrap", kWrap, false),
    wide("int32-difference=widen, zeros=positive", kWiden, true),
    wide("int32-difference=wrap, zeros=positive", kWrap, true),
};
constexpr SweepReading kUint32Readings[] = {
    wide("int32-difference=widen, uint32-codes=unsigned", kWiden, false),
    wide("int32-difference=widen, uint32-codes=reinterpret", kWiden, false, kReinterpret),
    wide("int32-difference=wrap", kWrap, false),
    wide("int32-difference=widen, uint32-codes=unsigned, zeros=positive", kWiden, true),
    wide("int32-difference=widen, uint32-codes=reinterpret, zeros=positive", kWiden, true,
         kReinterpret),
    wide("int32-difference=wrap, zeros=positive", kWrap, true),
};

// The reference with everything that one reading fixes.
class Reference {
 public:
  Reference(const SweepFunction& function, const SweepReading& reading)
      : function_(function),
        info_(storage_of(function)),
        zeros_are_positive_(reading.zeros_are_positive) {
    choices_.quotient = reading.quotient;
    choices_.subnormals = reading.subnormals;
    choices_.difference_width = reading.difference_width;
    choices_.uint32_codes = reading.uint32_codes;
  }

  std::int64_t operator()(std::uint32_t input) const {
    if (!function_.dequantizes()) {
      return quantize_value(std::bit_cast<float>(input), function_.scale, function_.zero_point,
                            info_.min, info_.max, choices_);
    }
    const auto bits = std::bit_cast<std::uint32_t>(
        dequantize_value(info_.type, function_.scale, function_.zero_point,
                         code_of_pattern(function_, input), choices_));
    return zeros_are_positive_ && bits == 0x80000000 ? 0 : bits;
  }

 private:
  const SweepFunction& function_;
  const StorageTypeInfo& info_;
  Choices choices_;
  bool zeros_are_positive_;
};

// Neighbouring inputs with the same output.
struct Run {
  std::int64_t output;
  std::uint64_t count;

  bool operator==(const Run&) const = default;
};

class Runs {
 public:
  explicit Runs(const Reference& reference) : reference_(reference) {}
  // Of a range on which the reference is monotonic.
  void add(const SweepRange& range) {
    add(range.first, reference_(range.first), range.last(), reference_(range.last()));
  }
  std::vector<Run> take() { return std::move(runs_); }

 private:
  void append(std::int64_t output, std::uint64_t count) {
    if (!runs_.empty() && runs_.back().output == output) {
      runs_.back().count += count;
    } else {
      runs_.push_back({output, count});
    }
  }
  void add(std::uint32_t first, std::int64_t first_output, std::uint32_t last,
           std::int64_t last_output) {
    if (first_output == last_output) {
      append(first_output, std::uint64_t{last} - first + 1);
      return;
    }
    // Where most neighbours differ, halving asks twice as often as asking for each.
    if (std::abs(last_output - first_output) > (last - first) / 4) {
      append(first_output, 1);
      for (std::uint32_t input = first + 1; input < last; ++input) append(reference_(input), 1);
      append(last_output, 1);
      return;
    }
    const std::uint32_t middle = first + (last - first) / 2;
    add(first, first_output, middle, reference_(middle));
    add(middle + 1, reference_(middle + 1), last, last_output);
  }

  const Reference& reference_;
  std::vector<Run> runs_;
};

// Parts on which every reading is monotonic. Codes jump from the largest to the smallest where the
// sign bit is set, and a wrapped difference where it leaves int32.
std::vector<SweepRange> monotonic_parts(const SweepFunction& function, const SweepRange& range) {
  if (!function.dequantizes()) return {range};
  const unsigned bits = storage_of(function).bits;
  std::vector<std::uint64_t> starts = {range.first, std::uint64_t{1} << (bits - 1)};
  if (bits == 32) {
    starts.push_back((static_cast<std::uint32_t>(function.zero_point) + 0x80000000u) & 0xffffffffu);
  }
  std::sort(starts.begin(), starts.end());
  const std::uint64_t end = range.first + range.count;
  std::vector<SweepRange> parts;
  for (std::size_t i = 0; i < starts.size(); ++i) {
    const std::uint64_t next = i + 1 < starts.size() ? std::min(starts[i + 1], end) : end;
    if (starts[i] < range.first || starts[i] >= next) continue;
    parts.push_back({static_cast<std::uint32_t>(starts[i]), next - starts[i]});
  }
  return parts;
}

// The digest of outputs as they are packed: whole bytes one after another, narrow codes joined.
std::uint64_t digest_of(const std::vector<Run>& runs, unsigned bits) {
  SweepDigest digest;
  if (bits >= 8) {
    for (const Run& run : runs) {
      digest.add(static_cast<std::uint32_t>(run.output), bits / 8, run.count);
    }
    return digest.value();
  }
  unsigned pending = 0;
  unsigned pending_bits = 0;
  for (const Run& run : runs) {
    const unsigned field = static_cast<unsigned>(run.output) & ((1u << bits) - 1);
    std::uint64_t left = run.count;
    const auto add_some = [&](std::uint64_t count) {
      for (; count > 0; --count, --left) {
        pending |= field << pending_bits;
        pending_bits += bits;
        if (pending_bits < 8) continue;
        digest.add_byte(static_cast<std::uint8_t>(pending));
        pending = pending_bits = 0;
      }
    };
    add_some(std::min<std::uint64_t>(left, (8 - pending_bits) / bits));
    if (pending_bits == 0) {
      digest.add(field * (bits == 4 ? 0x11 : 0x55), 1, left * bits / 8);
      left %= 8 / bits;
    }
    add_some(left);
  }
  if (pending_bits > 0) digest.add_byte(static_cast<std::uint8_t>(pending));
  return digest.value();
}

}  // namespace

const StorageTypeInfo& storage_of(const SweepFunction& function) {
  if (function.function.empty()) return *find_storage_type(function.type);
  return info_of(function.function.ends_with("_i8") ? StorageType::kInt8 : StorageType::kUint8);
}

std::uint64_t patterns_of(const SweepFunction& function) {
  return function.dequantizes() ? std::uint64_t{1} << storage_of(function).bits : kAllFloats;
}

unsigned output_bits(const SweepFunction& function) {
  return function.dequantizes() ? 32 : storage_of(function).bits;
}

std::int64_t code_of_pattern(const SweepFunction& function, std::uint32_t pattern) {
  const StorageTypeInfo& info = storage_of(function);
  const std::int64_t code =
      pattern & static_cast<std::uint32_t>((std::uint64_t{1} << info.bits) - 1);
  return code > info.max ? code - (std::int64_t{1} << info.bits) : code;
}

std::vector<SweepRange> parts_of(const SweepRange& range, std::uint64_t count) {
  std::vector<SweepRange> parts;
  count = std::min(count, range.count);
  for (std::uint64_t i = 0; i < count; ++i) {
    // Both products stay below 2^64, as a range has at most 2^32 inputs.
    const std::uint64_t first = range.count * i / count;
    const std::uint64_t next = range.count * (i + 1) / count;
    parts.push_back({static_cast<std::uint32_t>(range.first + first), next - first});
  }
  return parts;
}

std::vector<SweepRange> blocks_of(const SweepFunction& function, const SweepRange& range,
                                  std::uint64_t inputs_per_block) {
  using Stretch = std::pair<std::uint64_t, std::uint64_t>;
  std::vector<Stretch> stretches = {{0, patterns_of(function)}};
  if (!function.dequantizes()) {
    stretches = {{0, kFloatsPerSign}, {kFirstNegative, kFirstNegative + kFloatsPerSign}};
  }
  std::vector<SweepRange> blocks;
  const std::uint64_t end = range.first + range.count;
  for (const auto& [from, to] : stretches) {
    std::uint64_t first = std::max<std::uint64_t>(range.first, from);
    const std::uint64_t last = std::min(end, to);
    while (first < last) {
      const std::uint64_t count = std::min(inputs_per_block, last - first);
      blocks.push_back({static_cast<std::uint32_t>(first), count});
      first += count;
    }
  }
  return blocks;
}

std::uint64_t inputs_of(const SweepFunction& function, const SweepRange& range) {
  std::uint64_t inputs = 0;
  for (const SweepRange& each : blocks_of(function, range, patterns_of(function))) {
    inputs += each.count;
  }
  return inputs;
}

std::vector<SweepReading> readings_of(const SweepFunction& function) {
  std::vector<SweepReading> readings;
  if (!function.dequantizes()) {
    for (const SweepReading& each : kQuantizeReadings) {
      // Only the firmware contract may flush (R15).
      if (each.subnormals == Subnormals::kGradual || !function.function.empty()) {
        readings.push_back(each);
      }
    }
    return readings;
  }
  std::span<const SweepReading> all = kNarrowReadings;
  if (storage_of(function).type == StorageType::kInt32) all = kInt32Readings;
  if (storage_of(function).type == StorageType::kUint32) all = kUint32Readings;
  for (const SweepReading& each : all) {
    if (!each.zeros_are_positive || function.scale < 0) readings.push_back(each);
  }
  return readings;
}

std::int64_t expected_output(const SweepFunction& function, const SweepReading& reading,
                             std::uint32_t input) {
  return Reference(function, reading)(input);
}

std::vector<std::uint64_t> expected_digests(const SweepFunction& function,
                                            std::span<const SweepReading> readings,
                                            const SweepRange& range) {
  const std::vector<SweepRange> parts = monotonic_parts(function, range);
  std::vector<std::uint64_t> digests;
  std::vector<std::vector<Run>> known;
  for (const SweepReading& each : readings) {
    const Reference reference(function, each);
    Runs collected(reference);
    for (const SweepRange& part : parts) collected.add(part);
    std::vector<Run> runs = collected.take();
    // Readings differ on few ranges, and digesting is what takes the time.
    const auto same = std::find(known.begin(), known.end(), runs);
    digests.push_back(same != known.end() ? digests[static_cast<std::size_t>(same - known.begin())]
                                          : digest_of(runs, output_bits(function)));
    known.push_back(std::move(runs));
  }
  return digests;
}

}  // namespace hurray::conformance
