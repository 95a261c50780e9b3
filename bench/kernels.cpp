// SPDX-License-Identifier: Apache-2.0
//
// How fast are the vector kernels beside XNNPACK's operators (where they are installed), plain
// vector division, plain C, and loops that only move as many bytes? For every storage type, with
// input and output in L1, in L2 and in memory, and for calls of one element. Names are
// OPERATION/TYPE/LEVEL/CONTENDER; items are elements.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>

#include <benchmark/benchmark.h>

#include "bench/arena.h"
#include "bench/expect_ok.h"
#include "bench/limits.h"
#include "bench/parameters.h"
#include "reference/element_type.h"
#include "scalar/scalar.h"
#include "simd/simd.h"

#ifdef HURRAY_HAS_XNNPACK
#include <xnnpack.h>
#endif

namespace hurray::bench {

#if defined(__x86_64__)
extern const Limits limits_avx512f, limits_avx2;
#endif
extern const Limits limits_plain;

namespace {

// Those with the widest vectors that this machine has.
const Limits& limits_here() {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512f")) return limits_avx512f;
  if (__builtin_cpu_supports("avx2")) return limits_avx2;
#endif
  return limits_plain;
}

using simd::InstructionSet;

struct Level {
  const char* name;
  std::size_t bytes;  // of input and output together; 0: one element
};
constexpr Level kLevels[] = {{"L1", 16 << 10}, {"L2", 1 << 20}, {"DRAM", 256 << 20}, {"call", 0}};

struct Row {
  bool quantizes;
  StorageTypeInfo type;
  Level level;

  std::size_t count() const {
    return level.bytes == 0 ? 1 : level.bytes * 8 / (type.bits + 32) / 64 * 64;
  }
};

// Inputs and outputs of both directions. One size at a time: a run is about one row, as
// ./ci/bench.sh has it.
struct Arrays {
  explicit Arrays(const Row& row)
      : generation(++generations),
        count(row.count()),
        bits(row.type.bits),
        values(count * sizeof(float)),
        codes(count * bits / 8 + 64) {
    for (std::size_t i = 0; i < count; ++i) {
      values.floats()[i] = kScale * (static_cast<float>(i * 7919 % 2600) * 0.1f - 130.0f);
    }
    for (std::size_t i = 0; i < codes.bytes(); ++i) {
      codes.data()[i] = static_cast<std::uint8_t>(i * 37);
    }
  }
  std::size_t codes_bytes() const { return count * bits / 8; }

  // Of all that were made, which: later ones may lie at the address of earlier ones.
  static inline std::uint64_t generations = 0;
  std::uint64_t generation;
  std::size_t count;
  unsigned bits;
  Array values;
  Array codes;
};

Arrays& arrays_of(const Row& row) {
  static std::unique_ptr<Arrays> arrays;
  if (!arrays || arrays->count != row.count() || arrays->bits != row.type.bits) {
    arrays.reset();
    arrays = std::make_unique<Arrays>(row);
  }
  return *arrays;
}

using Call = std::function<hurray_status(const Arrays&)>;

void add(const Row& row, const std::string& contender, const Call& call) {
  const std::string name = std::string(row.quantizes ? "quantize" : "dequantize") + "/" +
                           std::string(row.type.name) + "/" + row.level.name + "/" + contender;
  benchmark::RegisterBenchmark(name.c_str(), [row, name, call](benchmark::State& state) {
    const Arrays& arrays = arrays_of(row);
    expect_ok(call(arrays), name);  // touches everything once
    for (auto _ : state) {
      call(arrays);
      benchmark::ClobberMemory();
    }
    state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(arrays.count));
  });
}

Call call_of(const Row& row, const struct hurray_target& table) {
  const std::uint8_t tag = static_cast<std::uint8_t>(row.type.type);
  if (row.quantizes) {
    return [tag, quantize = table.quantize](const Arrays& a) {
      return quantize(tag, kScale, kZeroPoint, a.values.floats(), a.codes.data(), a.count);
    };
  }
  return [tag, dequantize = table.dequantize](const Arrays& a) {
    return dequantize(tag, kScale, kZeroPoint, a.codes.data(), a.values.floats(), a.count);
  };
}

// The kernel of the best set without the choices that its target makes: by dividing, where it would
// take the reciprocal, and through the caches, where it would not.
void add_plain_forms(const Row& row) {
  const InstructionSet* const best = simd::best_here();
  if (!best || row.level.bytes == 0) return;
  const std::size_t index = simd::type_index(static_cast<std::uint8_t>(row.type.type));
  if (row.quantizes && best->kernels->has_reciprocal && row.type.bits <= 8) {
    add(row, "division", [kernel = best->kernels->quantize[index]](const Arrays& a) {
      kernel(kScale, kZeroPoint, a.values.floats(), a.codes.data(), a.count,
             simd::Quotient::kDivided, simd::store_for(a.count));
      return HURRAY_OK;
    });
  }
  if (!row.quantizes && simd::store_for(row.count()) == simd::Store::kStreamed) {
    add(row, "cached", [kernel = best->kernels->dequantize[index]](const Arrays& a) {
      kernel(kScale, kZeroPoint, a.codes.data(), a.values.floats(), a.count, simd::Store::kCached);
      return HURRAY_OK;
    });
  }
}

void add_limits(const Row& row) {
  if (row.level.bytes == 0) return;
  const Limits& limits = limits_here();
  const std::size_t width = width_index(row.type.bits);
  for (const bool streams : {false, true}) {
    const char* const name = streams ? "limit, streamed" : "limit";
    if (row.quantizes) {
      const Gather loop = (streams ? limits.gather_streamed : limits.gather)[width];
      if (!loop) continue;
      add(row, name, [loop](const Arrays& a) {
        loop(a.values.data(), a.codes.data(), a.codes_bytes());
        return HURRAY_OK;
      });
    } else {
      const Spread loop = (streams ? limits.spread_streamed : limits.spread)[width];
      if (!loop) continue;
      add(row, name, [loop](const Arrays& a) {
        loop(a.codes.data(), a.values.data(), a.codes_bytes());
        return HURRAY_OK;
      });
    }
  }
}

#ifdef HURRAY_HAS_XNNPACK
// An operator for rows of `count` elements, set up for these arrays. Deleted with the object.
class Operator {
 public:
  Operator(const Row& row, const Arrays& a) {
    const bool is_signed = row.type.type == StorageType::kInt8;
    auto* const codes = a.codes.data();
    auto* const signed_codes = reinterpret_cast<std::int8_t*>(codes);
    const std::size_t n = a.count;
    check(xnn_initialize(nullptr));
    if (row.quantizes && is_signed) {
      check(xnn_create_convert_nc_f32_qs8(n, n, n, kScale, kZeroPoint, -128, 127, 0, &made_));
      check(xnn_setup_convert_nc_f32_qs8(made_, 1, a.values.floats(), signed_codes, nullptr));
    } else if (row.quantizes) {
      check(xnn_create_convert_nc_f32_qu8(n, n, n, kScale, kZeroPoint, 0, 255, 0, &made_));
      check(xnn_setup_convert_nc_f32_qu8(made_, 1, a.values.floats(), codes, nullptr));
    } else if (is_signed) {
      check(xnn_create_convert_nc_qs8_f32(n, n, n, kScale, kZeroPoint, 0, &made_));
      check(xnn_setup_convert_nc_qs8_f32(made_, 1, signed_codes, a.values.floats(), nullptr));
    } else {
      check(xnn_create_convert_nc_qu8_f32(n, n, n, kScale, kZeroPoint, 0, &made_));
      check(xnn_setup_convert_nc_qu8_f32(made_, 1, codes, a.values.floats(), nullptr));
    }
  }
  Operator(const Operator&) = delete;
  Operator& operator=(const Operator&) = delete;
  ~Operator() { xnn_delete_operator(made_); }
  void run() const { check(xnn_run_operator(made_, nullptr)); }

 private:
  static void check(xnn_status status) {
    if (status != xnn_status_success) throw std::runtime_error("XNNPACK refuses an operator");
  }
  xnn_operator_t made_ = nullptr;
};

// Made and set up once, which no call pays for; in the rows of single calls also made by each.
void add_xnnpack(const Row& row) {
  if (row.type.bits != 8) return;
  struct Made {
    std::uint64_t generation = 0;
    std::unique_ptr<Operator> op;
  };
  add(row, "xnnpack", [row, made = std::make_shared<Made>()](const Arrays& a) {
    if (made->generation != a.generation) {
      made->op = std::make_unique<Operator>(row, a);
      made->generation = a.generation;
    }
    made->op->run();
    return HURRAY_OK;
  });
  if (row.level.bytes == 0) {
    add(row, "xnnpack, operator made", [row](const Arrays& a) {
      Operator(row, a).run();
      return HURRAY_OK;
    });
  }
}
#else
void add_xnnpack(const Row&) {}
#endif

void add_contenders(const Row& row) {
  for (const InstructionSet& set : simd::instruction_sets()) {
    if (simd::is_here(set)) add(row, set.name, call_of(row, *set.target));
  }
  add_xnnpack(row);
  add_plain_forms(row);
  // Not in memory: it computes all the time there too.
  if (simd::store_for(row.count()) == simd::Store::kCached) {
    add(row, "scalar", call_of(row, hurray_target_scalar));
  }
  add_limits(row);
}

}  // namespace
}  // namespace hurray::bench

int main(int argc, char** argv) {
  for (const bool quantizes : {false, true}) {
    for (const hurray::StorageTypeInfo& type : hurray::kStorageTypes) {
      for (const auto& level : hurray::bench::kLevels) {
        hurray::bench::add_contenders({quantizes, type, level});
      }
    }
  }
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
