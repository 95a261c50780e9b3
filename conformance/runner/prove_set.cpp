// SPDX-License-Identifier: Apache-2.0
//
// The table of hard parameters, see prove_set.h. Add a row with what it alone would show; each
// quantizing one costs all floats, each dequantizing one of 32 bits all codes.

#include "conformance/runner/prove_set.h"

#include <bit>

#include "conformance/runner/sweep.h"

namespace hurray::conformance {
namespace {

constexpr auto kTo = SweepOperation::kQuantize;
constexpr auto kFrom = SweepOperation::kDequantize;
using enum StorageType;

constexpr HardParameters kDefault[] = {
    {kTo, kInt8, 0x3f800000, 0, "scale 1: every tie is an input, and so is what lies beside it"},
    {kTo, kInt8, 0x3dcccccd, 3, "0.1: the reciprocal rounds to 10, products to the wrong side"},
    {kTo, kInt8, 0x40400000, -128, "3: reciprocal inexact; zero point at the end, half saturates"},
    {kTo, kInt8, 0x00000001, -1, "smallest scale: its reciprocal is infinite, flushed it is zero"},
    {kTo, kInt8, 0x00800000, 127,
     "smallest normal scale: quotients overflow, subnormal inputs count"},
    {kTo, kUint8, 0x3b808081, 0,
     "1/255: the scale of images; inputs beside ties, hardly one on a tie"},
    {kTo, kUint8, 0x7f7fffff, 255, "largest scale: the reciprocal is subnormal, quotients below 2"},
    {kTo, kUint8, 0x007fffff, 128, "largest subnormal scale: flushing makes it zero"},
    {kTo, kUint8, 0x3f7fffff, 1, "next below 1: quotients of tied inputs lie just above the tie"},
    {kTo, kInt4, 0x3e000000, -8, "1/8, a power of two: ties frequent and exact, two codes a byte"},
    {kTo, kUint4, 0x3dcccccd, 15, "0.1 and the largest zero point: only negative quotients show"},
    {kTo, kInt2, 0x3f000000, -2, "four codes a byte, sign in their upper bit"},
    {kTo, kUint2, 0x3f800001, 3, "next above 1: quotients of tied inputs lie just below the tie"},
    {kTo, kInt16, 0x38000100, 0, "1/32767: the scale of sound; reciprocal inexact"},
    {kTo, kUint16, 0x3727c5ac, 65535, "0.00001: zero point at the end, quotients to -2^16 count"},
    {kTo, kInt32, 0x3f800000, 2147483647, "largest zero point: every sum above it leaves int32"},
    {kTo, kInt32, 0x3dcccccd, -2147483647, "huge quotients come back into range by the zero point"},
    {kTo, kUint32, 0x3f000000, 1, "codes above 2^31 fit no signed conversion"},
    {kFrom, kInt8, 0x3dcccccd, -128, "0.1: differences up to 255 do not fit the type"},
    {kFrom, kUint8, 0xbdcccccd, 255, "negative scale: all differences negative, and a zero"},
    {kFrom, kInt8, 0x00000001, 127, "smallest scale: every product is subnormal"},
    {kFrom, kInt4, 0x7f7fffff, 7, "largest scale: products overflow; sign of a field"},
    {kFrom, kUint4, 0x3eaaaaab, 8, "1/3: products round; low field first"},
    {kFrom, kInt2, 0x3f800001, 1, "four fields a byte"},
    {kFrom, kUint2, 0x00400000, 3, "half the smallest normal scale: subnormal and normal products"},
    {kFrom, kInt16, 0x3a83126f, -32768, "0.001: differences of 17 bits, all positive"},
    {kFrom, kUint16, 0x7f000000, 65535, "2^127: all but two products overflow"},
    {kFrom, kInt32, 0x3dcccccd, -2147483647,
     "differences leave int32 and round before the product"},
    {kFrom, kUint32, 0x3f800001, 2147483647, "codes above 2^31, differences on both sides of 0"},
};

}  // namespace

std::span<const HardParameters> default_set() { return kDefault; }

SweepFunction function_of(const HardParameters& row) {
  return {"", static_cast<std::uint8_t>(row.type), std::bit_cast<float>(row.scale_bits),
          row.zero_point, row.operation};
}

std::vector<SweepFunction> claimed_of(std::span<const HardParameters> rows, const Claims& claims) {
  std::vector<SweepFunction> functions;
  for (const HardParameters& row : rows) {
    SweepFunction function = function_of(row);
    if (!reason_not_to_sweep(claims, function)) functions.push_back(function);
    if (row.operation != kTo || storage_of(function).bits != 8) continue;
    function.function = row.type == kInt8 ? "quantize_i8" : "quantize_u8";
    function.type = 0;
    if (!reason_not_to_sweep(claims, function)) functions.push_back(function);
  }
  return functions;
}

}  // namespace hurray::conformance
