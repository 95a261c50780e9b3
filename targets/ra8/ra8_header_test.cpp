// SPDX-License-Identifier: Apache-2.0
//
// Is ra8_npu_quant.h, alone and first in a C++20 file, the same contract? RA8-Q-024, 025, 031, 032.

#include "ra8_npu_quant.h"

#include <gtest/gtest.h>

#include <type_traits>

template <typename In, typename Out>
using Function = ra8_err_t (*)(const In*, Out*, size_t, float, int32_t);

static_assert(std::is_same_v<decltype(&ra8_npu_quantize_i8), Function<float, int8_t>>);
static_assert(std::is_same_v<decltype(&ra8_npu_quantize_u8), Function<float, uint8_t>>);
static_assert(std::is_same_v<decltype(&ra8_npu_dequantize_i8), Function<int8_t, float>>);
static_assert(std::is_same_v<decltype(&ra8_npu_dequantize_u8), Function<uint8_t, float>>);

static_assert(std::is_same_v<ra8_err_t, uint16_t>);
static_assert(k_ra8_ok == 0 && k_ra8_err_invalid_arg == 0x103 && k_ra8_err_null_ptr == 0x504);

static_assert(std::is_same_v<std::underlying_type_t<ra8_npu_quant_range_t>, int32_t>);
static_assert(k_ra8_npu_quant_i8_min == -128 && k_ra8_npu_quant_i8_max == 127);
static_assert(k_ra8_npu_quant_u8_min == 0 && k_ra8_npu_quant_u8_max == 255);

extern "C" ra8_err_t ra8_header_test_call(const float* in, int8_t* out);

TEST(Ra8Header, CallersInCAndCxxLinkToTheSameFunctions) {
  const float in = -2.5f;
  int8_t from_c = 0, from_cxx = 0;
  EXPECT_EQ(ra8_header_test_call(&in, &from_c), k_ra8_ok);
  EXPECT_EQ(ra8_npu_quantize_i8(&in, &from_cxx, 1, 1.0f, 0), k_ra8_ok);
  EXPECT_EQ(from_c, -3);
  EXPECT_EQ(from_cxx, -3);
}
