// SPDX-License-Identifier: Apache-2.0
//
// A small right target and a host in memory, for the tests of the kit.
//
// The target is as plain as its contract allows: int8, uint8, int16 and uint4, no more. The host
// delivers its input in chosen pieces and keeps every write and what had been written before each
// read.

#ifndef HURRAY_KIT_TEST_TARGET_H
#define HURRAY_KIT_TEST_TARGET_H

#include <algorithm>
#include <cmath>
#include <cstring>
#include <string>
#include <vector>

#include "hurray_kit.h"
#include "kit_posix_calls.h"

namespace kit_test {

using Target = struct hurray_target;  // the plain name is that of the symbol

inline hurray_status decode(uint8_t type, const uint8_t* bytes, size_t length,
                            hurray_descriptor* out) {
  if (type != 0x10 || length != 16 || bytes[0] != 1 || bytes[1] != 1) return HURRAY_REJECTED;
  hurray_descriptor result = {};
  result.scheme_tag = 1;
  std::memcpy(&result.scale, bytes + 4, 4);
  std::memcpy(&result.zero_point, bytes + 8, 4);
  if (!std::isfinite(result.scale) || result.scale == 0) return HURRAY_REJECTED;
  *out = result;
  return HURRAY_OK;
}

inline hurray_status encode(uint8_t, const hurray_descriptor* descriptor, uint8_t* out,
                            size_t capacity, size_t* written) {
  if (capacity < 16 || descriptor->scheme_tag != 1) return HURRAY_REJECTED;
  if (!std::isfinite(descriptor->scale) || descriptor->scale == 0) return HURRAY_REJECTED;
  std::memset(out, 0, 16);
  out[0] = out[1] = 1;
  std::memcpy(out + 4, &descriptor->scale, 4);
  std::memcpy(out + 8, &descriptor->zero_point, 4);
  *written = 16;
  return HURRAY_OK;
}

inline int32_t element(uint8_t type, const void* q, size_t i) {
  const auto* bytes = static_cast<const uint8_t*>(q);
  switch (type) {
    case 0x10:
      return static_cast<int8_t>(bytes[i]);
    case 0x12:
      return static_cast<int16_t>(bytes[2 * i] | bytes[2 * i + 1] << 8);
    case 0x49:
      return bytes[i / 2] >> (4 * (i % 2)) & 15;
    default:
      return bytes[i];
  }
}

inline hurray_status dequantize(uint8_t type, float scale, int32_t zero_point, const void* q,
                                float* out, size_t count) {
  for (size_t i = 0; i < count; ++i)
    out[i] = scale * static_cast<float>(element(type, q, i) - zero_point);
  return HURRAY_OK;
}

inline uint8_t quantize_one(float in, float scale, int32_t zero_point, int least, int most) {
  const double real = std::round(static_cast<double>(in / scale)) + zero_point;
  return static_cast<uint8_t>(static_cast<int>(std::clamp<double>(real, least, most)));
}

inline hurray_status quantize(uint8_t type, float scale, int32_t zero_point, const float* in,
                              void* q, size_t count) {
  if (scale == 0) return HURRAY_REJECTED;
  for (size_t i = 0; i < count; ++i) {
    static_cast<uint8_t*>(q)[i] = type == 0x10 ? quantize_one(in[i], scale, zero_point, -128, 127)
                                               : quantize_one(in[i], scale, zero_point, 0, 255);
  }
  return HURRAY_OK;
}

inline hurray_status normalize(const hurray_zero_point_format* format, const uint8_t* packed,
                               size_t packed_bytes, size_t count, int32_t* out) {
  if (format->bits != 4) return HURRAY_UNSUPPORTED;
  if (packed_bytes < (count + 1) / 2) return HURRAY_REJECTED;
  for (size_t i = 0; i < count; ++i) {
    const bool high = (i % 2 != 0) != (format->high_field_first != 0);
    out[i] = (packed[i / 2] >> (high ? 4 : 0) & 15) + format->bias;
  }
  return HURRAY_OK;
}

template <typename T, uint8_t type>
uint16_t ra8_quantize(const float* in, T* out, size_t count, float scale, int32_t zero_point) {
  if (in == nullptr || out == nullptr) return 0x0504;
  if (!(scale > 0)) return 0x0103;
  quantize(type, scale, zero_point, in, out, count);
  return 0;
}

template <typename T, uint8_t type>
uint16_t ra8_dequantize(const T* in, float* out, size_t count, float scale, int32_t zero_point) {
  if (in == nullptr || out == nullptr) return 0x0504;
  dequantize(type, scale, zero_point, in, out, count);
  return 0;
}

inline constexpr hurray_ra8_functions kRa8 = {
    ra8_quantize<int8_t, 0x10>, ra8_dequantize<int8_t, 0x10>, ra8_quantize<uint8_t, 0x11>,
    ra8_dequantize<uint8_t, 0x11>};

inline Target good_target() {
  Target target = {};
  target.struct_bytes = sizeof target;
  target.abi = HURRAY_TARGET_ABI;
  target.name = "plain";
  target.contracts = HURRAY_CONTRACT_HURRAY | HURRAY_CONTRACT_RA8;
  target.schemes = HURRAY_SCHEME_PER_TENSOR_AFFINE;
  target.decode_types = target.encode_types = HURRAY_TYPE_INT8;
  target.dequantize_types =
      HURRAY_TYPE_INT8 | HURRAY_TYPE_UINT8 | HURRAY_TYPE_INT16 | HURRAY_TYPE_UINT4;
  target.quantize_types = HURRAY_TYPE_INT8 | HURRAY_TYPE_UINT8;
  target.decode = decode;
  target.encode = encode;
  target.dequantize = dequantize;
  target.quantize = quantize;
  target.normalize_zero_points = normalize;
  target.ra8 = &kRa8;
  return target;
}

class MemoryHost {
 public:
  explicit MemoryHost(std::string input, std::vector<size_t> pieces = {})
      : input_(std::move(input)), pieces_(std::move(pieces)) {
    host.context = this;
    host.read = read;
    host.write = write;
    host.line = memory(line_, 65536);
    host.answer = memory(answer_, 4096);
    host.input = memory(input_arena_, 1 << 17);
    host.output = memory(output_arena_, 1 << 18);
    host.enter_fenv = hurray_kit_posix_enter_fenv;
    host.leave_fenv = hurray_kit_posix_leave_fenv;
    host.run_threads = hurray_kit_posix_run_threads;
  }

  hurray_kit_host host = {};
  std::string written;
  std::vector<size_t> writes;               // length of each
  std::vector<std::string> written_before;  // per read: everything written until then
  bool fail_read = false, fail_write = false;

 private:
  static hurray_kit_memory memory(std::vector<uint8_t>& bytes, size_t size) {
    bytes.resize(size);
    return {bytes.data(), size};
  }

  static long read(void* context, uint8_t* bytes, size_t capacity) {
    auto* self = static_cast<MemoryHost*>(context);
    self->written_before.push_back(self->written);
    if (self->fail_read) return -1;
    size_t length = self->input_.size() - self->position_;
    if (self->reads_ < self->pieces_.size()) length = std::min(length, self->pieces_[self->reads_]);
    length = std::min(length, capacity);
    ++self->reads_;
    std::memcpy(bytes, self->input_.data() + self->position_, length);
    self->position_ += length;
    return static_cast<long>(length);
  }

  static int write(void* context, const uint8_t* bytes, size_t length) {
    auto* self = static_cast<MemoryHost*>(context);
    if (self->fail_write) return -1;
    self->written.append(reinterpret_cast<const char*>(bytes), length);
    self->writes.push_back(length);
    return 0;
  }

  std::string input_;
  std::vector<size_t> pieces_;
  size_t position_ = 0;
  size_t reads_ = 0;
  std::vector<uint8_t> line_, answer_, input_arena_, output_arena_;
};

// Everything the kit answers to `lines`.
inline std::string serve(const Target& target, const std::string& lines) {
  MemoryHost memory(lines);
  return hurray_kit_serve(&target, &memory.host) == HURRAY_KIT_OK ? memory.written : "serve failed";
}

// The answer to one request, without id and newline.
inline std::string ask(const Target& target, const std::string& request) {
  const std::string answer = serve(target, "7 " + request + "\n");
  if (answer.size() < 3 || answer.compare(0, 2, "7 ") != 0 || answer.back() != '\n') {
    return "not an answer: " + answer;
  }
  return answer.substr(2, answer.size() - 3);
}

inline std::string ask(const std::string& request) { return ask(good_target(), request); }

}  // namespace kit_test

#endif  // HURRAY_KIT_TEST_TARGET_H
