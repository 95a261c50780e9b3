// SPDX-License-Identifier: Apache-2.0
//
// What do variants of readers, writers and tensors share? What a reader sees of a descriptor before
// it makes its choice, and readers that refuse, or forgive, more than scalar does.

#ifndef HURRAY_TARGETS_LATITUDE_LATITUDE_TENSORS_H
#define HURRAY_TARGETS_LATITUDE_LATITUDE_TENSORS_H

#include "faults/tensor_calls.h"

// The four schemes with an axis, as scalar numbers them.
enum { kChannels = 2, kBlocks = 3, kLevels = 4, kPowers = 5, kLastScheme = 5 };

// Something valid, as scalar read it or has to write it.
struct latitude_seen {
  enum fault_operation op;
  uint32_t mode;
  uint8_t tag;                        // element type
  uint8_t scheme;                     // 0 if there is none
  const struct hurray_descriptor* d;  // zeros if there is none
  // Decoders of a section, and of a tensor that has one: its bytes, and those behind its fields.
  const uint8_t* section;
  size_t length, tail;
  const struct hurray_tensor* t;                // NULL if it is not about one
  size_t trailing;                              // decode_tensor: bytes behind the last section
  const struct hurray_tensor_buffers* buffers;  // dequantize_tensor
  bool has_unused;                              // unused bits of packed elements are set
  bool has_00, has_ff;                          // unpack: of e8m0, where they are no numbers
};

bool latitude_shares_a_buffer(const struct latitude_seen* s);
bool latitude_has_other_index(const struct latitude_seen* s);  // SYMMETRIC, per block
bool latitude_is_dynamic(const struct latitude_seen* s);       // and quantized
// Whether some handle of the tensor has a sync mode, or memory class, other than 0.
bool latitude_has_sync_mode(const struct latitude_seen* s);
bool latitude_has_memory_class(const struct latitude_seen* s);
// Whether an empty buffer is aligned to less than `alignment`.
bool latitude_has_empty_below(const struct latitude_seen* s, uint32_t alignment);
// Whether the tensor's last block is partial, and its data buffer has the filler, or has not.
bool latitude_is_padded(const struct latitude_seen* s);
bool latitude_is_unpadded(const struct latitude_seen* s);
// The first NF4 scale of a tensor that is -0, as its number, else -1.
int64_t latitude_negative_zero(const struct latitude_seen* s);

// Where the sections begin in the bytes of a tensor descriptor.
size_t latitude_sections_at(const struct hurray_tensor* t);

// Scalar's answer, but `status` for what it accepts and `refuses` does not; outputs stay untouched
// then.
int32_t latitude_refuse(bool (*refuses)(const struct latitude_seen*), int32_t status,
                        struct fault_call c);

// Edits the bytes that a reader judges, a section by itself or that of a tensor; told are the
// fields as they stand in those given.
int32_t latitude_forgive(void (*alone)(struct fault_section*),
                         void (*in_tensor)(struct fault_tensor_bytes*), struct fault_call c);

// Reads version 0 as version 1, and tells 0.   [A49]
int32_t latitude_read_major_0(struct fault_call c);

// Reads tensors of private types too, and tells what is not theirs alone.   [A62]
int32_t latitude_decode_private(struct fault_call c);

// An encoder that writes ffffffff for whatever index a symmetric descriptor has.   [A17, A18]
int32_t latitude_encode_symmetric(struct fault_call c);

// The value of an element of a tensor by the rule of the kernel, if its scheme is an affine one.
float latitude_affine(float (*rule)(const struct fault_element*), const struct fault_value* v);

// Computes with scales per block, and of NF4, that scalar refuses.   [A54]
int32_t latitude_dequantize_unjudged(struct fault_call c);

#endif  // HURRAY_TARGETS_LATITUDE_LATITUDE_TENSORS_H
