// SPDX-License-Identifier: Apache-2.0
//
// How is an operation on whole tensors called, alone and from many threads at once?

#ifndef HURRAY_KIT_TENSOR_CALL_H
#define HURRAY_KIT_TENSOR_CALL_H

#include "kit_arrays.h"
#include "kit_call.h"

// Of a converter: descriptor, weights, scales and zero points. All others have one output.
enum { kMostOutputs = 4 };

// One call with everything it needs. What its verb does not take is zero.
struct kit_tensor_call {
  const struct hurray_target* target;
  enum kit_verb verb;
  uint32_t mode;
  const uint8_t* bytes;  // the descriptor, of decode_tensor
  size_t length;
  const struct hurray_tensor* tensor;  // of encode_tensor and dequantize_tensor
  struct hurray_tensor_buffers buffers;
  const struct hurray_foreign_tensor* foreign;
  size_t count;
  struct kit_buffer outputs[kMostOutputs];
  unsigned output_count;

  hurray_status status;
  size_t written;  // of encode_tensor and convert
};

// Fills the outputs with `fill`, calls the function, which is not NULL, and sets the results.
void hurray_kit_call_tensor(struct kit_tensor_call* call, uint8_t fill);

// Repeats `call`, which has been made alone, in `threads` threads: every even one with the same
// arguments, every odd one with others, made of memory of `inputs`. All outputs but those of `call`
// are taken from `outputs`. If an even thread got another result, it is copied to `call` and its
// outputs. Returns NULL, or why it was not done.
const char* hurray_kit_call_tensor_in_threads(const struct hurray_kit_host* host,
                                              struct kit_tensor_call* call, unsigned threads,
                                              uint8_t fill, struct kit_arena* inputs,
                                              struct kit_arena* outputs);

#endif  // HURRAY_KIT_TENSOR_CALL_H
