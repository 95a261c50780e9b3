// SPDX-License-Identifier: Apache-2.0
//
// Does each claim about kernels fail for a target that is broken in one way, under that name?

#include <cstring>

#include "fuzz/claims_test.h"
#include "reference/element_type.h"
#include "reference/quantize.h"

namespace hurray::fuzz {
namespace {

hurray_status dequantize(uint8_t type, float scale, int32_t zero_point, const void* q, float* out,
                         size_t count) {
  return hurray_target_scalar.dequantize(type, scale, zero_point, q, out, count);
}
hurray_status quantize(uint8_t type, float scale, int32_t zero_point, const float* in, void* q,
                       size_t count) {
  return hurray_target_scalar.quantize(type, scale, zero_point, in, q, count);
}
size_t packed(uint8_t type, size_t count) {
  return static_cast<size_t>(element_bytes(type, count).value());
}

std::string kinds_dequantizing(decltype(Table::dequantize) function,
                               std::string_view claim = "dequantize_agrees") {
  Table table = scalar();
  table.dequantize = function;
  return kinds_of(claim, table);
}
std::string kinds_quantizing(decltype(Table::quantize) function,
                             std::string_view claim = "quantize_agrees") {
  Table table = scalar();
  table.quantize = function;
  return kinds_of(claim, table);
}

TEST(DequantizeAgrees, NamesEachWay) {
  EXPECT_EQ(kinds_dequantizing(dequantize), "");
  EXPECT_EQ(kinds_dequantizing([](uint8_t, float, int32_t, const void*, float*,
                                  size_t) -> hurray_status { return HURRAY_REJECTED; }),
            "refuses-valid");
  EXPECT_EQ(kinds_dequantizing([](uint8_t type, float scale, int32_t zero_point, const void* q,
                                  float* out, size_t n) -> hurray_status {
              const hurray_status status = dequantize(type, scale, zero_point, q, out, n);
              if (n > 0) out[n - 1] = out[n - 1] == 0 ? 1.0f : out[n - 1] * 2;
              return status;
            }),
            "wrong-value");
  EXPECT_EQ(kinds_dequantizing([](uint8_t type, float scale, int32_t zero_point, const void* q,
                                  float* out, size_t n) -> hurray_status {
              const hurray_status status = dequantize(type, scale, zero_point, q, out, n);
              out[-1] = 0;
              return status;
            }),
            "writes-in-front");
  EXPECT_EQ(kinds_dequantizing([](uint8_t type, float scale, int32_t zero_point, const void* q,
                                  float* out, size_t n) -> hurray_status {
              const hurray_status status = dequantize(type, scale, zero_point, q, out, n);
              if (n > 0) *static_cast<uint8_t*>(const_cast<void*>(q)) ^= 1;
              return status;
            }),
            "changes-input");
}

TEST(DequantizeAgrees, AsksTheFirmwareFunctions) {
  Table table = scalar();
  static hurray_ra8_functions functions = *table.ra8;
  functions.dequantize_u8 = [](const uint8_t*, float*, size_t, float, int32_t) -> uint16_t {
    return 0x103;
  };
  table.ra8 = &functions;
  EXPECT_EQ(kinds_of("dequantize_agrees", table), "refuses-valid");
}

TEST(QuantizeAgrees, NamesEachWay) {
  EXPECT_EQ(kinds_quantizing(quantize), "");
  EXPECT_EQ(kinds_quantizing([](uint8_t, float, int32_t, const float*, void*,
                                size_t) -> hurray_status { return HURRAY_REJECTED; }),
            "refuses-valid");
  EXPECT_EQ(kinds_quantizing([](uint8_t type, float scale, int32_t zero_point, const float* in,
                                void* q, size_t n) -> hurray_status {
              if (scale == 0) return HURRAY_OK;
              return quantize(type, scale, zero_point, in, q, n);
            }),
            "accepts-invalid");
  EXPECT_EQ(kinds_quantizing([](uint8_t type, float scale, int32_t zero_point, const float* in,
                                void* q, size_t n) -> hurray_status {
              const hurray_status status = quantize(type, scale, zero_point, in, q, n);
              if (status == HURRAY_OK && n > 0) *static_cast<uint8_t*>(q) ^= 1;
              return status;
            }),
            "wrong-code");
  EXPECT_EQ(kinds_quantizing([](uint8_t type, float scale, int32_t zero_point, const float* in,
                                void* q, size_t n) -> hurray_status {
              const hurray_status status = quantize(type, scale, zero_point, in, q, n);
              if (status == HURRAY_OK) static_cast<uint8_t*>(q)[-1] = 0;
              return status;
            }),
            "writes-in-front");
  EXPECT_EQ(kinds_quantizing([](uint8_t type, float scale, int32_t zero_point, const float* in,
                                void* q, size_t n) -> hurray_status {
              const hurray_status status = quantize(type, scale, zero_point, in, q, n);
              if (status != HURRAY_OK && n > 0) *static_cast<uint8_t*>(q) = 0;
              return status;
            }),
            "writes-on-error");
  EXPECT_EQ(kinds_quantizing([](uint8_t type, float scale, int32_t zero_point, const float* in,
                                void* q, size_t n) -> hurray_status {
              const hurray_status status = quantize(type, scale, zero_point, in, q, n);
              // Of an odd number of nibbles.
              if (status == HURRAY_OK && (type == 0x48 || type == 0x49) && n % 2 == 1) {
                static_cast<uint8_t*>(q)[packed(type, n) - 1] |= 0xf0;
              }
              return status;
            }),
            "unused-bits");
  EXPECT_EQ(kinds_quantizing([](uint8_t type, float scale, int32_t zero_point, const float* in,
                                void* q, size_t n) -> hurray_status {
              const hurray_status status = quantize(type, scale, zero_point, in, q, n);
              if (n > 0) const_cast<float*>(in)[0] += 1;
              return status;
            }),
            "changes-input");
}

TEST(QuantizeAgrees, ComparesResultCodesOfTheFirmware) {
  Table table = scalar();
  static hurray_ra8_functions functions = *table.ra8;
  functions.quantize_i8 = [](const float* in, int8_t* q, size_t n, float scale,
                             int32_t zero_point) -> uint16_t {
    const uint16_t code = hurray_target_scalar.ra8->quantize_i8(in, q, n, scale, zero_point);
    return code == 0 ? 0 : 1;
  };
  table.ra8 = &functions;
  EXPECT_EQ(kinds_of("quantize_agrees", table), "wrong-result-code");
}

TEST(QuantizeAgrees, SeesAByteBehindTheCodes) {
  Table table = scalar();
  table.quantize = [](uint8_t type, float scale, int32_t zero_point, const float* in, void* q,
                      size_t n) -> hurray_status {
    const hurray_status status = quantize(type, scale, zero_point, in, q, n);
    if (status == HURRAY_OK) static_cast<uint8_t*>(q)[packed(type, n)] = 0;
    return status;
  };
  const hurray_registry_row row = {"broken", &table, nullptr};
  // One byte of distance to what cannot be touched; the target would die without it.
  const conformance::Bytes input = {0, 1 << 4, 0, 0, 0x80, 0x3f, 0, 0, 0, 0, 0, 0, 0, 0};
  const auto mismatch = quantize_agrees(input, {&row, 1});
  ASSERT_TRUE(mismatch);
  EXPECT_EQ(mismatch->kind, "writes-behind");
}

TEST(QuantizeAgrees, LeavesOpenWhatRulingsLeave) {
  // R06: the exact quotient, everywhere.
  EXPECT_EQ(kinds_quantizing([](uint8_t type, float scale, int32_t zero_point, const float* in,
                                void* q, size_t n) -> hurray_status {
              const hurray_status status = quantize(type, scale, zero_point, in, q, n);
              Choices choices;
              choices.quotient = Quotient::kExact;
              if (status == HURRAY_OK) {
                hurray::quantize(static_cast<StorageType>(type), scale, zero_point, in, n,
                                 static_cast<uint8_t*>(q), choices);
              }
              return status;
            }),
            "");
  // A09: refuses negative scales.
  EXPECT_EQ(kinds_quantizing([](uint8_t type, float scale, int32_t zero_point, const float* in,
                                void* q, size_t n) -> hurray_status {
              return scale < 0 ? HURRAY_REJECTED : quantize(type, scale, zero_point, in, q, n);
            }),
            "");
}

TEST(RequantizeIsIdentity, NamesEachWay) {
  constexpr std::string_view kClaim = "requantize_is_identity";
  EXPECT_EQ(kinds_quantizing(quantize, kClaim), "");
  EXPECT_EQ(kinds_dequantizing([](uint8_t, float, int32_t, const void*, float*,
                                  size_t) -> hurray_status { return HURRAY_REJECTED; },
                               kClaim),
            "refuses-codes");
  EXPECT_EQ(kinds_quantizing([](uint8_t, float, int32_t, const float*, void*,
                                size_t) -> hurray_status { return HURRAY_REJECTED; },
                             kClaim),
            "refuses-its-own");
  EXPECT_EQ(kinds_quantizing(
                [](uint8_t type, float scale, int32_t zero_point, const float* in, void* q,
                   size_t n) -> hurray_status {
                  const hurray_status status = quantize(type, scale, zero_point, in, q, n);
                  if (status == HURRAY_OK && n > 0) *static_cast<uint8_t*>(q) ^= 1;
                  return status;
                },
                kClaim),
            "lost-code");
}

}  // namespace
}  // namespace hurray::fuzz
