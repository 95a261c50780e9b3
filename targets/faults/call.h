// SPDX-License-Identifier: Apache-2.0
//
// One shape for a call of any operation, so that a fault is written once for all the operations
// that it concerns, and loops that are scalar's but for one rule about one element.

#ifndef HURRAY_TARGETS_FAULTS_CALL_H
#define HURRAY_TARGETS_FAULTS_CALL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "hurray_target.h"

enum fault_operation {
  kDecode,
  kEncode,
  kDequantize,
  kQuantize,
  kNormalize,
  kRa8QuantizeI8,
  kRa8QuantizeU8,
  kRa8DequantizeI8,
  kRa8DequantizeU8,
  kPack,
  kUnpack,
  kPackedBytes,
  kWiden,
  kConvert,
  kDecodeTensor,
  kEncodeTensor,
  kDequantizeTensor,
};

struct fault_call {
  enum fault_operation op;
  uint8_t tag;  // storage type; for the firmware functions that of their codes
  float scale;
  int32_t zero_point;
  const void* in;  // descriptor bytes, descriptor, codes, reals, plane, foreign or other tensor
  void* out;
  size_t count;     // elements; decoders: length in bytes; encoders: capacity
  size_t* written;  // encoders
  const struct hurray_zero_point_format* format;  // normalize
  size_t packed_bytes;                            // normalize
  bool of_any_scheme;                             // codecs: below
  uint64_t elements;                              // packed_bytes
  uint32_t mode;                                  // of readers of tensors
  const struct hurray_tensor_buffers* buffers;    // dequantize_tensor
};

enum { kInvalidArg = 0x103, kNullPtr = 0x504 };  // of the firmware functions

// What scalar makes of it: a status, or the code of a firmware function.
int32_t fault_scalar(struct fault_call call);

bool fault_is_ra8(const struct fault_call* call);
bool fault_quantizes(const struct fault_call* call);    // under either contract
bool fault_dequantizes(const struct fault_call* call);  // under either contract
uint32_t fault_bits(uint8_t tag);                       // width of a code, 0 for no storage type
size_t fault_packed_bytes(uint8_t tag, size_t count);
// Bytes that the call may read and write, for valid arguments.
size_t fault_in_bytes(const struct fault_call* call);
size_t fault_out_bytes(const struct fault_call* call);

// Code `i` of packed elements as a number, and its low bits as they are stored. To store one whose
// byte begins with it clears the rest of the byte.
int64_t fault_load(const uint8_t* packed, uint8_t tag, size_t i);
void fault_store(uint8_t* packed, uint8_t tag, size_t i, int64_t code);

// Reads the bytes from `first` up to `end` of an input, if there is one, and does nothing with
// them.
void fault_touch(const void* bytes, ptrdiff_t first, size_t end);
// Clears the bytes from `first` up to `end` of an output and puts them back.
void fault_rewrite(void* bytes, size_t first, size_t end);
// The next multiple.
size_t fault_up(size_t count, size_t multiple);
// Reverses the bytes of each element.
void fault_swap(uint8_t* elements, size_t count, size_t width);

// One element, as rules see it.
struct fault_element {
  const struct fault_call* call;
  size_t i;
  int64_t q, min, max;  // q: dequantize only
  float x;              // quantize only
};

// The loop of a kernel with the value of each element given by `rule`; what scalar refuses is
// refused.
int32_t fault_dequantize_by(float (*rule)(const struct fault_element*), struct fault_call call);
// Of the code that a rule gives, the low bits are stored.
int32_t fault_quantize_by(int64_t (*rule)(const struct fault_element*), struct fault_call call);

// Normalizing the same way. The rule gets the field and the bias.
struct fault_field {
  const struct fault_call* call;
  const uint8_t* plane;
  size_t i;
  int32_t field, bias;
};
int32_t fault_normalize_by(int64_t (*rule)(const struct fault_field*), struct fault_call call);

// Descriptors are read and written through copies, which a rule edits. Rules are about per-tensor
// affine, and what they do to another scheme is taken back unless they change its tag or the call
// says `of_any_scheme`.
enum { kSectionBytes = 96, kDescriptorBytes = 16 };

bool fault_is_spared(const struct fault_call* c, uint8_t scheme_tag);

// `seen` edits the section before scalar judges it; what is told are the fields as they were, of
// scheme 01 those of the section, which a rule may edit too.
struct fault_section {
  uint8_t tag;
  size_t length;
  uint8_t b[kSectionBytes];
  uint32_t scale;
  int32_t zero_point;
};
int32_t fault_decode_seeing(void (*seen)(struct fault_section*), struct fault_call call);
// `told` edits what scalar told of the section.
int32_t fault_decode_telling(void (*told)(const struct fault_section*, struct hurray_descriptor*),
                             struct fault_call call);

// `seen` edits tag and descriptor before scalar judges them; the bytes get the fields as they were.
int32_t fault_encode_seeing(void (*seen)(uint8_t* tag, struct hurray_descriptor*),
                            struct fault_call call);
// `spelled` edits the bytes and their number.
struct fault_bytes {
  uint8_t tag;
  struct hurray_descriptor d;
  uint8_t b[kSectionBytes];
  size_t length;
};
int32_t fault_encode_spelling(void (*spelled)(struct fault_bytes*), struct fault_call call);

#endif  // HURRAY_TARGETS_FAULTS_CALL_H
