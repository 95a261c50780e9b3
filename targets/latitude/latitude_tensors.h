// SPDX-License-Identifier: Apache-2.0
//
// What do variants of readers, writers and tensors share? What a reader sees of a descriptor before
// it makes its choice, readers that refuse or forgive more than scalar does, and tensors that are
// computed by the rule of one element.

#ifndef HURRAY_TARGETS_LATITUDE_LATITUDE_TENSORS_H
#define HURRAY_TARGETS_LATITUDE_LATITUDE_TENSORS_H

#include "faults/call.h"
#include "scalar/scalar_bits.h"

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

// Scalar's answer, but `status` for what it accepts and `refuses` does not; outputs stay untouched
// then.
int32_t latitude_refuse(bool (*refuses)(const struct latitude_seen*), int32_t status,
                        struct fault_call c);

// A copy of the bytes that a reader is given. Edits change no length.
struct latitude_bytes {
  uint8_t scheme;  // of the section, 0 if there is none
  uint8_t* section;
  uint8_t* handles;  // NULL unless it is a tensor's
  uint8_t* b;        // the tensor's
};
// What scalar says of the edited bytes; told are the fields as they stand in those given.
int32_t latitude_forgive(void (*edit)(struct latitude_bytes*), struct fault_call c);

// Reads tensors of private types too, and tells what is not theirs alone.   [A62]
int32_t latitude_decode_private(struct fault_call c);

// An encoder that writes ffffffff for whatever index a symmetric descriptor has.   [A17, A18]
int32_t latitude_encode_symmetric(struct fault_call c);

// Tensors of the affine schemes by `rule`, whose call has scale and zero point of the element; all
// else is scalar's.
int32_t latitude_dequantize_by(float (*rule)(const struct fault_element*), struct fault_call c);

// Computes with scales per block, and of NF4, that scalar refuses.   [A54]
int32_t latitude_dequantize_unjudged(struct fault_call c);

// -0 among the values of an NF4 tensor becomes +0.   [A36]
void latitude_clear_signs_of_zeros(const struct fault_call* c);

#endif  // HURRAY_TARGETS_LATITUDE_LATITUDE_TENSORS_H
