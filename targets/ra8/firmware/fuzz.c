// SPDX-License-Identifier: Apache-2.0
//
// Serves `hurray_target` to a fuzzer instead of a runner: messages of fuzz_messages.h instead of
// lines, and with each answer the counters that `-fsanitize-coverage=inline-8bit-counters` put
// into what is judged. Takes the place of main.c and the kit. Nothing is judged here.

#include <stdbool.h>
#include <stddef.h>

#include "fuzz_messages.h"
#include "hurray_target.h"
#include "image.h"
#include "semihosting.h"

void* memcpy(void* restrict to, const void* restrict from, size_t length);
void* memset(void* to, int value, size_t length);
int memcmp(const void* left, const void* right, size_t length);

// Counters of all files that have some: zeros at first (sections.ld).
extern uint32_t hurray_counters_start[], hurray_counters_end[];

// Called by each of those files before main; there is nobody to tell.
void __sanitizer_cov_8bit_counters_init(uint8_t* start, uint8_t* end);
void __sanitizer_cov_8bit_counters_init(uint8_t* start, uint8_t* end) {
  (void)start;
  (void)end;
}

enum {
  kAround = 32,                // bytes in front of an output that are looked at
  kMostCounterWords = 1 << 14  // as many as an image of this size could have
};

static union {
  struct hurray_fuzz_request head;
  uint8_t bytes[sizeof(struct hurray_fuzz_request) + HURRAY_FUZZ_MOST_INPUT];
} request;
static union {
  struct hurray_fuzz_answer head;
  uint8_t bytes[sizeof(struct hurray_fuzz_answer) + HURRAY_FUZZ_MOST_OUTPUT +
                4 * (kMostCounterWords + kMostCounterWords / 32)];
} answer;

static int32_t requests, answers;

_Noreturn static void end(int code, const char* why) {
  hurray_semihosting_print(why);
  hurray_semihosting_exit(code);
}

static void read_request(void) {
  size_t have = 0;
  size_t wanted = sizeof request.head;
  while (have < wanted) {
    // One call brings most messages whole: the next one is not sent before this is answered.
    const size_t got =
        hurray_semihosting_read(requests, request.bytes + have, sizeof request.bytes - have);
    if (got == 0) hurray_semihosting_exit(have == 0 ? kExitEndOfInput : kExitStreamFailed);
    have += got;
    if (have >= sizeof request.head) wanted = request.head.bytes;
    if (wanted > sizeof request.bytes) end(kExitStreamFailed, "fuzz: a request that is too long\n");
  }
  const struct hurray_fuzz_request* const head = &request.head;
  if (have != head->bytes || head->in_bytes != head->bytes - sizeof *head ||
      head->out_bytes > HURRAY_FUZZ_MOST_OUTPUT) {
    end(kExitStreamFailed, "fuzz: a request that is not as it says\n");
  }
}

static uint8_t* placed(uint8_t* start, uint8_t* end_of_region, uint32_t bytes, uint8_t place) {
  return place == HURRAY_FUZZ_AT_START ? start : end_of_region - place - bytes;
}

static bool is_filled(const uint8_t* at, size_t bytes) {
  for (; bytes > 0; --bytes) {
    if (*at++ != HURRAY_FUZZ_FILL) return false;
  }
  return true;
}

static int32_t say_hello(struct hurray_fuzz_hello* out) {
  const struct hurray_target* const target = &HURRAY_TARGET_SYMBOL;
  const struct hurray_fuzz_hello hello = {
      .version = HURRAY_FUZZ_VERSION,
      .contracts = target->contracts,
      .schemes = target->schemes,
      .modes = target->modes,
      .decode_types = target->decode_types,
      .encode_types = target->encode_types,
      .dequantize_types = target->dequantize_types,
      .quantize_types = target->quantize_types,
      .operations = (target->decode ? 1u << HURRAY_FUZZ_DECODE : 0) |
                    (target->encode ? 1u << HURRAY_FUZZ_ENCODE : 0) |
                    (target->dequantize ? 1u << HURRAY_FUZZ_DEQUANTIZE : 0) |
                    (target->quantize ? 1u << HURRAY_FUZZ_QUANTIZE : 0) |
                    (target->ra8 ? 15u << HURRAY_FUZZ_RA8_QUANTIZE_I8 : 0),
  };
  memcpy(out, &hello, sizeof hello);
  return HURRAY_OK;
}

static int32_t call(const uint8_t* in, uint8_t* out, size_t* written) {
  const struct hurray_target* const target = &HURRAY_TARGET_SYMBOL;
  const struct hurray_fuzz_request* const head = &request.head;
  const void* const input = in;
  void* const output = out;
  switch (head->operation) {
    case HURRAY_FUZZ_HELLO:
      return say_hello(output);
    case HURRAY_FUZZ_DECODE:
      return target->decode(head->type_tag, in, head->in_bytes, output);
    case HURRAY_FUZZ_ENCODE:
      return target->encode(head->type_tag, input, out, head->out_bytes, written);
    case HURRAY_FUZZ_DEQUANTIZE:
      return target->dequantize(head->type_tag, head->scale, head->zero_point, input, output,
                                head->count);
    case HURRAY_FUZZ_QUANTIZE:
      return target->quantize(head->type_tag, head->scale, head->zero_point, input, output,
                              head->count);
    case HURRAY_FUZZ_RA8_QUANTIZE_I8:
      return target->ra8->quantize_i8(input, output, head->count, head->scale, head->zero_point);
    case HURRAY_FUZZ_RA8_DEQUANTIZE_I8:
      return target->ra8->dequantize_i8(input, output, head->count, head->scale, head->zero_point);
    case HURRAY_FUZZ_RA8_QUANTIZE_U8:
      return target->ra8->quantize_u8(input, output, head->count, head->scale, head->zero_point);
    case HURRAY_FUZZ_RA8_DEQUANTIZE_U8:
      return target->ra8->dequantize_u8(input, output, head->count, head->scale, head->zero_point);
    default:
      end(kExitStreamFailed, "fuzz: an operation that nobody knows\n");
  }
}

// Appends the counters and sets them to zero. Returns the end of what was written.
static uint8_t* add_counters(uint8_t* at) {
  const size_t words = (size_t)(hurray_counters_end - hurray_counters_start);
  uint8_t* bits = at;
  at += (words + 31) / 32 * 4;
  for (size_t first = 0; first < words; first += 32, bits += 4) {
    const size_t end_of_bits = words - first < 32 ? words : first + 32;
    uint32_t not_zero = 0;
    for (size_t i = first; i < end_of_bits; ++i) {
      const uint32_t counters = hurray_counters_start[i];
      if (counters == 0) continue;
      hurray_counters_start[i] = 0;
      not_zero |= 1u << (i - first);
      memcpy(at, &counters, 4);
      at += 4;
    }
    memcpy(bits, &not_zero, 4);
  }
  return at;
}

static void serve_one(void) {
  const struct hurray_fuzz_request* const head = &request.head;
  const uint8_t* const given = request.bytes + sizeof *head;
  uint8_t* const in =
      placed(hurray_guarded_input_start, hurray_guarded_input_end, head->in_bytes, head->in_place);
  uint8_t* const out = placed(hurray_guarded_output_start, hurray_guarded_output_end,
                              head->out_bytes, head->out_place);
  memcpy(in, given, head->in_bytes);
  memset(out - kAround, HURRAY_FUZZ_FILL, kAround + head->out_bytes + head->out_place);

  size_t written = SIZE_MAX;
  answer.head.result = call(in, out, &written);

  answer.head.written = written;
  answer.head.flags =
      (memcmp(in, given, head->in_bytes) != 0 ? HURRAY_FUZZ_CHANGES_INPUT : 0) |
      (is_filled(out - kAround, kAround) ? 0 : HURRAY_FUZZ_WRITES_IN_FRONT) |
      (is_filled(out + head->out_bytes, head->out_place) ? 0 : HURRAY_FUZZ_WRITES_BEHIND);
  // A success has written something, and a refusal hardly ever has.
  const bool is_untouched = answer.head.result != 0 && is_filled(out, head->out_bytes);
  answer.head.out_bytes = is_untouched ? 0 : head->out_bytes;
  uint8_t* at = answer.bytes + sizeof answer.head;
  memcpy(at, out, answer.head.out_bytes);
  at = add_counters(at + (answer.head.out_bytes + 3) / 4 * 4);
  answer.head.counter_words = (uint32_t)(hurray_counters_end - hurray_counters_start);
  answer.head.bytes = (uint32_t)(at - answer.bytes);
  if (hurray_semihosting_write(answers, answer.bytes, answer.head.bytes) != 0) {
    hurray_semihosting_exit(kExitStreamFailed);
  }
}

int main(void) {
  if (hurray_protect_memory() != 0) end(kExitBadSetup, "fuzz: no memory protection here\n");
  requests = hurray_semihosting_open(HURRAY_FUZZ_REQUESTS, kSemihostingRead);
  answers = hurray_semihosting_open(HURRAY_FUZZ_ANSWERS, kSemihostingWrite);
  if (requests < 0 || answers < 0) {
    end(kExitBadSetup, "fuzz: this image is for a fuzzer, which starts it with two pipes\n");
  }
  if (hurray_counters_end - hurray_counters_start > kMostCounterWords) {
    end(kExitBadSetup, "fuzz: more counters than this image has memory for\n");
  }
  for (;;) {
    read_request();
    serve_one();
  }
}
