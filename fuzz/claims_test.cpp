// SPDX-License-Identifier: Apache-2.0
//
// Do the claims hold for what is built in, on everything that the suite asks, and is each way to
// break them told by its name?

#include <cstring>
#include <random>
#include <vector>

#include "conformance/runner/case.h"
#include "conformance/runner/wire.h"
#include "fuzz/claims_test.h"

namespace hurray::fuzz {
namespace {

using conformance::Bytes;

// Every tensor descriptor of the suite, as tensors_agree takes it.
const std::vector<Bytes>& descriptors() {
  static const std::vector<Bytes> all = [] {
    std::vector<Bytes> found;
    for (const conformance::Case& each : conformance::load_suite().cases) {
      for (const conformance::Step& step : each.steps) {
        const auto request = conformance::parse_request(step.request);
        if (request->verb != "decode_tensor" && request->verb != "dequantize_tensor") continue;
        const bool is_permissive = request->fields.find("mode") != nullptr;
        Bytes input = {static_cast<std::uint8_t>(found.size() % 128 * 2 + is_permissive)};
        const auto bytes = conformance::parse_hex(*request->fields.find("bytes"));
        input.insert(input.end(), bytes->begin(), bytes->end());
        found.push_back(std::move(input));
      }
    }
    return found;
  }();
  return all;
}

// Settings and arrays drawn from a seed.
Bytes foreign_tensor(std::uint32_t seed) {
  std::mt19937 random(seed);
  Bytes bytes(16 + seed % 200);
  for (std::uint8_t& byte : bytes) byte = static_cast<std::uint8_t>(random());
  return bytes;
}

// The kind of the first mismatch, or nothing.
std::string first_of(Claim claim, const std::vector<Bytes>& inputs, const Table& table) {
  const hurray_registry_row row = {"broken", &table, nullptr};
  for (const Bytes& input : inputs) {
    if (const auto mismatch = claim(input, {&row, 1})) {
      EXPECT_TRUE(has_report(mismatch->kind)) << mismatch->kind;
      return std::string(mismatch->kind);
    }
  }
  return {};
}
std::string of_tensors(const Table& table) { return first_of(tensors_agree, descriptors(), table); }
std::string of_conversions(const Table& table) {
  std::vector<Bytes> inputs;
  for (std::uint32_t seed = 0; seed < 3000; ++seed) inputs.push_back(foreign_tensor(seed));
  return first_of(conversions_agree, inputs, table);
}

TEST(Claims, HoldForWhatIsBuiltIn) {
  ASSERT_GT(descriptors().size(), 3000u);
  for (const Bytes& input : descriptors()) {
    const auto mismatch = tensors_agree(input, builtin_targets());
    EXPECT_FALSE(mismatch) << mismatch->target << " " << mismatch->kind << " "
                           << conformance::to_hex(input);
  }
  for (std::uint32_t seed = 0; seed < 20000; ++seed) {
    const auto mismatch = conversions_agree(foreign_tensor(seed), builtin_targets());
    EXPECT_FALSE(mismatch) << mismatch->target << " " << mismatch->kind << " " << seed;
  }
}

TEST(Claims, HoldForAnyBytes) {
  for (const NamedClaim& each : kClaims) {
    for (std::size_t length = 0; length < 40; ++length) {
      for (const int byte : {0x00, 0x01, 0x7f, 0xff}) {
        EXPECT_FALSE(each.claim(Bytes(length, static_cast<std::uint8_t>(byte)), builtin_targets()))
            << each.name << length;
      }
    }
  }
}

TEST(TensorsAgree, NamesEachWayToRead) {
  Table table = scalar();
  table.decode_tensor = [](uint32_t, const uint8_t*, size_t, hurray_tensor*) -> hurray_status {
    return HURRAY_REJECTED;
  };
  EXPECT_EQ(of_tensors(table), "rejects-valid");
  table.decode_tensor = [](uint32_t mode, const uint8_t* bytes, size_t length,
                           hurray_tensor* out) -> hurray_status {
    if (hurray_target_scalar.decode_tensor(mode, bytes, length, out) == HURRAY_OK) return HURRAY_OK;
    std::memset(out, 0, sizeof *out);
    return HURRAY_OK;
  };
  EXPECT_EQ(of_tensors(table), "accepts-invalid");
  table.decode_tensor = [](uint32_t mode, const uint8_t* bytes, size_t length,
                           hurray_tensor* out) -> hurray_status {
    const hurray_status status = hurray_target_scalar.decode_tensor(mode, bytes, length, out);
    if (status != HURRAY_OK) out->rank = 0;
    return status;
  };
  EXPECT_EQ(of_tensors(table), "writes-on-error");
  table.decode_tensor = [](uint32_t mode, const uint8_t* bytes, size_t length,
                           hurray_tensor* out) -> hurray_status {
    const hurray_status status = hurray_target_scalar.decode_tensor(mode, bytes, length, out);
    if (status == HURRAY_OK) out->statistics[71] ^= 1;
    return status;
  };
  EXPECT_EQ(of_tensors(table), "wrong-fields");
  table.decode_tensor = [](uint32_t mode, const uint8_t* bytes, size_t length,
                           hurray_tensor* out) -> hurray_status {
    const hurray_status status = hurray_target_scalar.decode_tensor(mode, bytes, length, out);
    if (length > 4) const_cast<uint8_t*>(bytes)[4] ^= 1;
    return status;
  };
  EXPECT_EQ(of_tensors(table), "changes-input");
}

TEST(TensorsAgree, NamesEachWayToWrite) {
  Table table = scalar();
  table.encode_tensor = [](const hurray_tensor*, uint8_t*, size_t, size_t*) -> hurray_status {
    return HURRAY_REJECTED;
  };
  EXPECT_EQ(of_tensors(table), "writer-refuses-valid");
  table.encode_tensor = [](const hurray_tensor* tensor, uint8_t* out, size_t capacity,
                           size_t* written) -> hurray_status {
    const hurray_status status = hurray_target_scalar.encode_tensor(tensor, out, capacity, written);
    if (status == HURRAY_OK) out[0] = 0;
    return status;
  };
  EXPECT_EQ(of_tensors(table), "writes-invalid");
  table.encode_tensor = [](const hurray_tensor* tensor, uint8_t* out, size_t capacity,
                           size_t* written) -> hurray_status {
    hurray_tensor other = *tensor;
    if (other.rank == 2 && other.buffer_count == 1) other.buffers[0].byte_size += 64;
    return hurray_target_scalar.encode_tensor(&other, out, capacity, written);
  };
  EXPECT_EQ(of_tensors(table), "writes-wrong-fields");
}

TEST(TensorsAgree, NamesEachWayToDequantize) {
  Table table = scalar();
  table.dequantize_tensor = [](uint32_t, const hurray_tensor*, const hurray_tensor_buffers*, float*,
                               size_t) -> hurray_status { return HURRAY_REJECTED; };
  EXPECT_EQ(of_tensors(table), "values-refused");
  table.dequantize_tensor = [](uint32_t mode, const hurray_tensor* tensor,
                               const hurray_tensor_buffers* buffers, float* out,
                               size_t count) -> hurray_status {
    const hurray_status status =
        hurray_target_scalar.dequantize_tensor(mode, tensor, buffers, out, count);
    if (status == HURRAY_OK && count > 0) out[count - 1] += 1.0f;
    return status;
  };
  EXPECT_EQ(of_tensors(table), "wrong-values");
  table.dequantize_tensor = [](uint32_t mode, const hurray_tensor* tensor,
                               const hurray_tensor_buffers* buffers, float* out,
                               size_t count) -> hurray_status {
    const hurray_status status =
        hurray_target_scalar.dequantize_tensor(mode, tensor, buffers, out, count);
    // Takes any count for that of the elements.
    std::uint64_t elements = 1;
    for (std::uint32_t i = 0; i < tensor->rank; ++i) elements *= tensor->shape[i];
    return elements != count ? HURRAY_OK : status;
  };
  EXPECT_EQ(of_tensors(table), "values-of-invalid");
  table.dequantize_tensor = [](uint32_t mode, const hurray_tensor* tensor,
                               const hurray_tensor_buffers* buffers, float* out,
                               size_t count) -> hurray_status {
    const hurray_status status =
        hurray_target_scalar.dequantize_tensor(mode, tensor, buffers, out, count);
    if (buffers->byte_sizes[0] > 0) const_cast<uint8_t*>(buffers->bytes[0])[0] ^= 1;
    return status;
  };
  EXPECT_EQ(of_tensors(table), "changes-input");
}

TEST(ConversionsAgree, NamesEachWayToConvert) {
  Table table = scalar();
  table.convert = [](const hurray_foreign_tensor*, hurray_converted_tensor*) -> hurray_status {
    return HURRAY_REJECTED;
  };
  EXPECT_EQ(of_conversions(table), "refuses-valid");
  table.convert = [](const hurray_foreign_tensor* foreign,
                     hurray_converted_tensor* out) -> hurray_status {
    hurray_foreign_tensor other = *foreign;
    if (other.zero_point_format.bias == 1) other.zero_point_format.bias = 0;
    return hurray_target_scalar.convert(&other, out);
  };
  EXPECT_EQ(of_conversions(table), "wrong-zero-points");
  table.convert = [](const hurray_foreign_tensor* foreign,
                     hurray_converted_tensor* out) -> hurray_status {
    const hurray_status status = hurray_target_scalar.convert(foreign, out);
    if (status == HURRAY_OK) out->descriptor[15] = 2;
    return status;
  };
  EXPECT_EQ(of_conversions(table), "wrong-descriptor");
  table.convert = [](const hurray_foreign_tensor* foreign,
                     hurray_converted_tensor* out) -> hurray_status {
    const hurray_status status = hurray_target_scalar.convert(foreign, out);
    if (status == HURRAY_OK && foreign->weights_bytes > 0) out->weights[0] ^= 1;
    return status;
  };
  EXPECT_EQ(of_conversions(table), "wrong-weights");
  table.convert = [](const hurray_foreign_tensor* foreign,
                     hurray_converted_tensor* out) -> hurray_status {
    const hurray_status status = hurray_target_scalar.convert(foreign, out);
    if (status == HURRAY_OK && foreign->scales_bytes > 0) out->scales[0] = -out->scales[0];
    return status;
  };
  EXPECT_EQ(of_conversions(table), "wrong-scales");
  table.convert = [](const hurray_foreign_tensor* foreign,
                     hurray_converted_tensor* out) -> hurray_status {
    hurray_target_scalar.convert(foreign, out);
    return HURRAY_OK;
  };
  EXPECT_EQ(of_conversions(table), "converts-invalid");
  table.convert = [](const hurray_foreign_tensor* foreign,
                     hurray_converted_tensor* out) -> hurray_status {
    const hurray_status status = hurray_target_scalar.convert(foreign, out);
    if (foreign->zero_points_bytes > 0) const_cast<uint8_t*>(foreign->zero_points)[0] ^= 1;
    return status;
  };
  EXPECT_EQ(of_conversions(table), "changes-input");
  table.convert = [](const hurray_foreign_tensor* foreign,
                     hurray_converted_tensor* out) -> hurray_status {
    if (foreign->weights_bytes > 0) out->weights[0] = 0;
    return hurray_target_scalar.convert(foreign, out);
  };
  EXPECT_EQ(of_conversions(table), "writes-on-error");
}

TEST(ConversionsAgree, FillsEachArrayWithBytesOfItsOwn) {
  // Eight weights of one byte in two groups of four, float32 scales: eight bytes, eight, and more.
  Bytes input = {0, 2, 3, 8, 0, 2, 200, 0, 0, 0, 0};
  for (int i = 1; i <= 32; ++i) input.push_back(static_cast<std::uint8_t>(i));
  static Bytes seen[3];
  Table table = scalar();
  table.convert = [](const hurray_foreign_tensor* foreign,
                     hurray_converted_tensor*) -> hurray_status {
    seen[0].assign(foreign->weights, foreign->weights + foreign->weights_bytes);
    seen[1].assign(foreign->scales, foreign->scales + foreign->scales_bytes);
    seen[2].assign(foreign->zero_points, foreign->zero_points + foreign->zero_points_bytes);
    return HURRAY_REJECTED;
  };
  const hurray_registry_row row = {"broken", &table, nullptr};
  conversions_agree(input, {&row, 1});
  EXPECT_EQ(seen[0], (Bytes{1, 2, 3, 4, 5, 6, 7, 8}));
  EXPECT_EQ(seen[1], (Bytes{9, 10, 11, 12, 13, 14, 15, 16}));
  ASSERT_EQ(seen[2].size(), 12u);
  EXPECT_EQ(seen[2].front(), 17);
}

// --- What is read behind an array is seen in any build: the process ends.

volatile std::uint8_t read_behind;

TEST(TensorsAgreeDeathTest, SeesWhatIsReadBehindDescriptorsAndBuffers) {
  Table table = scalar();
  table.decode_tensor = [](uint32_t mode, const uint8_t* bytes, size_t length,
                           hurray_tensor* out) -> hurray_status {
    read_behind = bytes[length];
    return hurray_target_scalar.decode_tensor(mode, bytes, length, out);
  };
  EXPECT_DEATH(of_tensors(table), "");
  table = scalar();
  table.dequantize_tensor = [](uint32_t mode, const hurray_tensor* tensor,
                               const hurray_tensor_buffers* buffers, float* out,
                               size_t count) -> hurray_status {
    if (buffers->byte_sizes[0] > 0) read_behind = buffers->bytes[0][buffers->byte_sizes[0]];
    return hurray_target_scalar.dequantize_tensor(mode, tensor, buffers, out, count);
  };
  EXPECT_DEATH(of_tensors(table), "");
}

TEST(ConversionsAgreeDeathTest, SeesWhatIsReadBesideArrays) {
  Table table = scalar();
  table.convert = [](const hurray_foreign_tensor* foreign,
                     hurray_converted_tensor* out) -> hurray_status {
    read_behind = foreign->zero_points[foreign->zero_points_bytes];
    return hurray_target_scalar.convert(foreign, out);
  };
  EXPECT_DEATH(of_conversions(table), "");
  table.convert = [](const hurray_foreign_tensor* foreign,
                     hurray_converted_tensor* out) -> hurray_status {
    read_behind = foreign->weights[-1];
    return hurray_target_scalar.convert(foreign, out);
  };
  EXPECT_DEATH(of_conversions(table), "");
}

}  // namespace
}  // namespace hurray::fuzz
