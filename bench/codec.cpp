// SPDX-License-Identifier: Apache-2.0
//
// What does reading a descriptor with all its rules cost, and writing one: the reference beside the
// scalar target? A per-tensor quantization descriptor, and a tensor descriptor of rank 4 with a
// per-channel one in it. Names are codec/WHAT/OPERATION/CONTENDER; items are descriptors.

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <benchmark/benchmark.h>

#include "bench/expect_ok.h"
#include "bench/parameters.h"

namespace hurray::bench {
namespace {

constexpr std::uint8_t kInt8 = 0x10;

struct Contender {
  const char* name;
  const struct hurray_target* table;
};
const Contender kContenders[] = {{"reference", &hurray_target_reference},
                                 {"scalar", &hurray_target_scalar}};

struct hurray_descriptor descriptor() {
  struct hurray_descriptor d = {};
  d.scheme_tag = 1;
  d.scale = kScale;
  d.zero_point = kZeroPoint;
  return d;
}

struct hurray_tensor tensor() {
  struct hurray_tensor t = {};
  t.version_major = 1;
  t.type_tag = kInt8;
  t.layout_tag = 1;
  t.flags = HURRAY_HAS_QUANTIZATION;
  t.rank = 4;
  const std::uint64_t shape[] = {64, 32, 3, 3};
  for (std::size_t i = 0; i < t.rank; ++i) t.shape[i] = shape[i];
  t.buffer_count = 3;
  const std::uint64_t sizes[] = {64 * 32 * 9, 64 * sizeof(float), 64 * sizeof(std::int32_t)};
  for (std::size_t i = 0; i < t.buffer_count; ++i) t.buffers[i] = {sizes[i], 64, 0, 0, 0};
  t.quantization.scheme_tag = 2;
  t.quantization.scale_type_tag = 3;
  t.quantization.scale_buffer_index = 1;
  t.quantization.zero_point_buffer_index = 2;
  return t;
}

std::vector<std::uint8_t> bytes_of(const struct hurray_descriptor& d) {
  std::vector<std::uint8_t> bytes(64);
  std::size_t written = 0;
  expect_ok(hurray_target_scalar.encode(kInt8, &d, bytes.data(), bytes.size(), &written),
            "the descriptor to decode");
  bytes.resize(written);
  return bytes;
}

std::vector<std::uint8_t> bytes_of(const struct hurray_tensor& t) {
  std::vector<std::uint8_t> bytes(8192);
  std::size_t written = 0;
  expect_ok(hurray_target_scalar.encode_tensor(&t, bytes.data(), bytes.size(), &written),
            "the tensor to decode");
  bytes.resize(written);
  return bytes;
}

template <class Operation>
void add(const std::string& name, const Contender& contender, const Operation& operation) {
  const std::string full = "codec/" + name + "/" + contender.name;
  benchmark::RegisterBenchmark(full.c_str(), [full, operation](benchmark::State& state) {
    expect_ok(operation(), full);
    for (auto _ : state) {
      hurray_status status = operation();
      benchmark::DoNotOptimize(status);
      benchmark::ClobberMemory();
    }
    state.SetItemsProcessed(state.iterations());
  });
}

void add_contender(const Contender& contender) {
  const struct hurray_target* const table = contender.table;
  add("descriptor/decode", contender, [table, bytes = bytes_of(descriptor())] {
    struct hurray_descriptor out;
    return table->decode(kInt8, bytes.data(), bytes.size(), &out);
  });
  add("descriptor/encode", contender, [table, d = descriptor()] {
    std::uint8_t out[64];
    std::size_t written;
    return table->encode(kInt8, &d, out, sizeof out, &written);
  });
  add("tensor/decode", contender, [table, bytes = bytes_of(tensor())] {
    static struct hurray_tensor out;
    return table->decode_tensor(HURRAY_MODE_STRICT, bytes.data(), bytes.size(), &out);
  });
  add("tensor/encode", contender, [table] {
    static const struct hurray_tensor t = tensor();
    static std::uint8_t out[8192];
    std::size_t written;
    return table->encode_tensor(&t, out, sizeof out, &written);
  });
}

}  // namespace
}  // namespace hurray::bench

int main(int argc, char** argv) {
  for (const auto& each : hurray::bench::kContenders) hurray::bench::add_contender(each);
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
