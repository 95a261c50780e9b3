// SPDX-License-Identifier: Apache-2.0
//
// What do the texts leave open? Every result that this library could legally compute otherwise is a
// choice in this file, with the ruling that allows it; what may be accepted or refused either way
// is a Behaviour of findings.h. The defaults are the readings that the suite takes itself. An
// implementation may differ from them, but not from itself.

#ifndef HURRAY_REFERENCE_CHOICES_H
#define HURRAY_REFERENCE_CHOICES_H

#include <cstdint>

namespace hurray {

// A01: with int32 and uint32 storage, q - zero_point can leave int32 although both are legal.
enum class DifferenceWidth : std::uint8_t {
  kWiden,  // 64-bit difference: the mathematical one
  kWrap,   // the difference modulo 2^32, taken as int32
};

// A02: a uint32 code of 2^31 or more does not fit the signed 32-bit subtraction of HQ-PTA-019.
enum class Uint32Codes : std::uint8_t {
  kUnsigned,     // its value
  kReinterpret,  // its bits, read as int32
};

// A12: a descriptor section may be longer than the fields of its scheme.
enum class LongerSection : std::uint8_t {
  kSkip,    // ignore the rest; the length prefix leads to the next section
  kRefuse,  // kLongerThanScheme
};

// R06: which quotient a quantizer rounds to an integer.
enum class Quotient : std::uint8_t {
  kBinary32,  // x / scale as binary32 has it: two roundings
  kExact,     // the rational number x / scale: one rounding
};

// R15: subnormals on a unit that flushes them. Only the firmware contract may choose; for the
// Hurray contract anything but kGradual is a wrong result (A05). A flushed number keeps its sign.
enum class Subnormals : std::uint8_t {
  kGradual,        // IEEE 754
  kFlush,          // operands and results
  kFlushOperands,  // a subnormal scale or quantizer input counts as zero
  kFlushResults,   // a subnormal product or quotient becomes zero
};

// A36: the sign of zeros among the values of NF4, such as a zero scale times a negative level.
enum class Nf4Zeros : std::uint8_t {
  kIeee,      // the sign of the product
  kPositive,  // +0, all of them
};

// Reader modes. Not a choice of the library but of its user (ruling A52).
enum class Mode : std::uint8_t {
  kStrict,      // every requirement speaks of this one unless it says otherwise
  kPermissive,  // an unknown scheme is stepped over, and the data is left alone
};

struct Choices {
  DifferenceWidth difference_width = DifferenceWidth::kWiden;
  Uint32Codes uint32_codes = Uint32Codes::kUnsigned;
  LongerSection longer_section = LongerSection::kSkip;
  Quotient quotient = Quotient::kBinary32;
  Subnormals subnormals = Subnormals::kGradual;
  Nf4Zeros nf4_zeros = Nf4Zeros::kIeee;
};

}  // namespace hurray

#endif  // HURRAY_REFERENCE_CHOICES_H
