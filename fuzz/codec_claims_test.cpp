// SPDX-License-Identifier: Apache-2.0
//
// Does each claim about descriptors fail for a target that is broken in one way, under that name?

#include <cstring>

#include "fuzz/claims_test.h"

namespace hurray::fuzz {
namespace {

using D = hurray_descriptor;

hurray_status decode(uint8_t type, const uint8_t* bytes, size_t length, D* out) {
  return hurray_target_scalar.decode(type, bytes, length, out);
}
hurray_status encode(uint8_t type, const D* fields, uint8_t* out, size_t capacity,
                     size_t* written) {
  return hurray_target_scalar.encode(type, fields, out, capacity, written);
}

TEST(DecodersAgree, NamesEachWay) {
  const auto kinds = [](auto function) {
    Table table = scalar();
    table.decode = function;
    return kinds_of("decoders_agree", table);
  };
  EXPECT_EQ(kinds(decode), "");
  EXPECT_EQ(
      kinds([](uint8_t, const uint8_t*, size_t, D*) -> hurray_status { return HURRAY_REJECTED; }),
      "rejects-valid");
  EXPECT_EQ(kinds([](uint8_t type, const uint8_t* bytes, size_t length, D* out) -> hurray_status {
              // Forgives reserved bytes.
              uint8_t copy[64];
              if (length != 16 || bytes[0] != 1) return decode(type, bytes, length, out);
              std::memcpy(copy, bytes, length);
              std::memset(copy + 12, 0, 4);
              return decode(type, copy, length, out);
            }),
            "accepts-invalid");
  EXPECT_EQ(kinds([](uint8_t type, const uint8_t* bytes, size_t length, D* out) -> hurray_status {
              const hurray_status status = decode(type, bytes, length, out);
              if (status == HURRAY_OK) out->zero_point += out->scheme_tag == 1;
              return status;
            }),
            "wrong-fields");
  EXPECT_EQ(kinds([](uint8_t type, const uint8_t* bytes, size_t length, D* out) -> hurray_status {
              const hurray_status status = decode(type, bytes, length, out);
              if (status != HURRAY_OK) out->scheme_tag = 1;
              return status;
            }),
            "writes-on-error");
  EXPECT_EQ(kinds([](uint8_t type, const uint8_t* bytes, size_t length, D* out) -> hurray_status {
              const hurray_status status = decode(type, bytes, length, out);
              if (length > 3) const_cast<uint8_t*>(bytes)[3] ^= 1;
              return status;
            }),
            "changes-input");
}

TEST(DecodersAgree, LeavesOpenWhatRulingsLeave) {
  Table table = scalar();
  // A12: refuses longer sections.
  table.decode = [](uint8_t type, const uint8_t* bytes, size_t length, D* out) -> hurray_status {
    constexpr size_t kBytes[] = {0, 16, 20, 24, 16, 16};
    if (length > 0 && bytes[0] < 6 && length > kBytes[bytes[0]]) return HURRAY_REJECTED;
    return decode(type, bytes, length, out);
  };
  EXPECT_EQ(kinds_of("decoders_agree", table), "");
  // A16, A61: what is not claimed is refused, and accepting it is a mismatch.
  table.schemes = HURRAY_SCHEME_PER_TENSOR_AFFINE;
  EXPECT_EQ(kinds_of("decoders_agree", table), "accepts-unclaimed");
  table.decode = [](uint8_t type, const uint8_t* bytes, size_t length, D* out) -> hurray_status {
    return length > 0 && bytes[0] == 1 ? decode(type, bytes, length, out) : HURRAY_UNSUPPORTED;
  };
  EXPECT_EQ(kinds_of("decoders_agree", table), "");
}

TEST(EncodersAgree, NamesEachWay) {
  const auto kinds = [](auto function) {
    Table table = scalar();
    table.encode = function;
    return kinds_of("encoders_agree", table);
  };
  EXPECT_EQ(kinds(encode), "");
  EXPECT_EQ(kinds([](uint8_t, const D*, uint8_t*, size_t, size_t*) -> hurray_status {
              return HURRAY_REJECTED;
            }),
            "refuses-valid");
  EXPECT_EQ(
      kinds([](uint8_t type, const D* d, uint8_t* out, size_t room, size_t* n) -> hurray_status {
        D other = *d;
        if (other.scheme_tag == 1) other.flags = 0;
        if (other.scheme_tag == 1 && other.scale == 0) other.scale = 1;
        return encode(type, &other, out, room, n);
      }),
      "writes-invalid");
  EXPECT_EQ(
      kinds([](uint8_t type, const D* d, uint8_t* out, size_t room, size_t* n) -> hurray_status {
        const hurray_status status = encode(type, d, out, room, n);
        if (status == HURRAY_OK) out[1] = 2;
        return status;
      }),
      "wrong-bytes");
  EXPECT_EQ(
      kinds([](uint8_t type, const D* d, uint8_t* out, size_t room, size_t* n) -> hurray_status {
        const hurray_status status = encode(type, d, out, room, n);
        if (status == HURRAY_OK) *n += 1;
        return status;
      }),
      "wrong-length");
  EXPECT_EQ(
      kinds([](uint8_t type, const D* d, uint8_t* out, size_t room, size_t* n) -> hurray_status {
        const hurray_status status = encode(type, d, out, room, n);
        if (status == HURRAY_OK && room > *n) out[*n] = 0;
        return status;
      }),
      "writes-behind");
  EXPECT_EQ(
      kinds([](uint8_t type, const D* d, uint8_t* out, size_t room, size_t* n) -> hurray_status {
        const hurray_status status = encode(type, d, out, room, n);
        if (status == HURRAY_OK) out[-1] = 0;
        return status;
      }),
      "writes-in-front");
  EXPECT_EQ(
      kinds([](uint8_t type, const D* d, uint8_t* out, size_t room, size_t* n) -> hurray_status {
        const hurray_status status = encode(type, d, out, room, n);
        if (status != HURRAY_OK) *n = 0;
        return status;
      }),
      "writes-on-error");
  EXPECT_EQ(
      kinds([](uint8_t type, const D* d, uint8_t* out, size_t room, size_t* n) -> hurray_status {
        const hurray_status status = encode(type, d, out, room, n);
        const_cast<D*>(d)->axis ^= 1;
        return status;
      }),
      "changes-input");
}

TEST(EncodersAgree, ReadsBackWhatWasWritten) {
  Table table = scalar();
  table.decode = [](uint8_t, const uint8_t*, size_t, D*) -> hurray_status {
    return HURRAY_REJECTED;
  };
  EXPECT_EQ(kinds_of("encoders_agree", table), "refuses-its-own");
  table.decode = [](uint8_t type, const uint8_t* bytes, size_t length, D* out) -> hurray_status {
    const hurray_status status = decode(type, bytes, length, out);
    out->axis += 1;
    return status;
  };
  EXPECT_EQ(kinds_of("encoders_agree", table), "reads-its-own-differently");
}

}  // namespace
}  // namespace hurray::fuzz
