// SPDX-License-Identifier: Apache-2.0
//
// How are numbers and arrays of a protocol line read and written?
//
// Hexadecimal goes through tables: this is where a served request spends its time.

#include "kit_line.h"

// Value of a hexadecimal digit plus one; 0 for every other byte.
static const uint8_t kDigitPlusOne[256] = {
    ['0'] = 1,  ['1'] = 2,  ['2'] = 3,  ['3'] = 4,  ['4'] = 5,  ['5'] = 6,  ['6'] = 7,  ['7'] = 8,
    ['8'] = 9,  ['9'] = 10, ['a'] = 11, ['b'] = 12, ['c'] = 13, ['d'] = 14, ['e'] = 15, ['f'] = 16,
    ['A'] = 11, ['B'] = 12, ['C'] = 13, ['D'] = 14, ['E'] = 15, ['F'] = 16,
};

static const char kDigits[] = "0123456789abcdef";

struct kit_text hurray_kit_next_word(struct kit_text* rest) {
  const uint8_t* at = rest->at;
  const uint8_t* const end = at + rest->length;
  while (at != end && *at == ' ') ++at;
  const uint8_t* const start = at;
  while (at != end && *at != ' ') ++at;
  rest->at = at;
  rest->length = (size_t)(end - at);
  return (struct kit_text){start, (size_t)(at - start)};
}

size_t hurray_kit_find_newline(const uint8_t* bytes, size_t from, size_t end) {
  // Eight bytes at a time: x has a zero byte exactly where there is a newline.
  const uint64_t ones = UINT64_C(0x0101010101010101);
  while (end - from >= 8) {
    uint64_t x;
    __builtin_memcpy(&x, bytes + from, 8);
    x ^= ones * '\n';
    if (((x - ones) & ~x & (ones << 7)) != 0) break;
    from += 8;
  }
  while (from < end && bytes[from] != '\n') ++from;
  return from;
}

bool hurray_kit_text_is(struct kit_text text, const char* literal) {
  for (size_t i = 0; i < text.length; ++i) {
    if (literal[i] == '\0' || text.at[i] != (uint8_t)literal[i]) return false;
  }
  return literal[text.length] == '\0';
}

bool hurray_kit_read_unsigned(struct kit_text text, uint64_t largest, uint64_t* value) {
  uint64_t sum = 0;
  for (size_t i = 0; i < text.length; ++i) {
    const uint8_t c = text.at[i];
    if (c < '0' || c > '9') return false;
    const uint64_t digit = (uint64_t)(c - '0');
    if (sum > UINT64_MAX / 10 || sum * 10 > UINT64_MAX - digit) return false;
    sum = sum * 10 + digit;
  }
  *value = sum;
  return text.length > 0 && sum <= largest;
}

bool hurray_kit_read_int32(struct kit_text text, int32_t* value) {
  const bool negative = text.length > 0 && text.at[0] == '-';
  if (negative) {
    ++text.at;
    --text.length;
  }
  uint64_t magnitude;
  if (!hurray_kit_read_unsigned(text, (uint64_t)INT32_MAX + (negative ? 1 : 0), &magnitude)) {
    return false;
  }
  *value = (int32_t)(negative ? -(int64_t)magnitude : (int64_t)magnitude);
  return true;
}

bool hurray_kit_read_hex_number(struct kit_text text, size_t digits, uint32_t* value) {
  if (text.length != digits) return false;
  uint32_t sum = 0;
  for (size_t i = 0; i < digits; ++i) {
    const uint32_t digit = kDigitPlusOne[text.at[i]];
    if (digit == 0) return false;
    sum = sum << 4 | (digit - 1);
  }
  *value = sum;
  return true;
}

bool hurray_kit_read_array(struct kit_text text, uint8_t* bytes, size_t swap) {
  if (text.length % 2 != 0) return false;
  bool good = true;
  for (size_t i = 0; i < text.length / 2; ++i) {
    const unsigned high = kDigitPlusOne[text.at[2 * i]];
    const unsigned low = kDigitPlusOne[text.at[2 * i + 1]];
    good &= high != 0 && low != 0;
    bytes[i ^ swap] = (uint8_t)((high - 1) << 4 | ((low - 1) & 15));
  }
  return good;
}

bool hurray_kit_array_is(struct kit_text text, const uint8_t* bytes, size_t swap) {
  unsigned difference = 0;
  for (size_t i = 0; i < text.length / 2; ++i) {
    const unsigned high = kDigitPlusOne[text.at[2 * i]] - 1u;
    const unsigned low = kDigitPlusOne[text.at[2 * i + 1]] - 1u;
    difference |= bytes[i ^ swap] ^ (high << 4 | low);
  }
  return difference == 0;
}

void hurray_kit_flush(struct kit_output* output) {
  if (output->used > 0 && !output->failed) {
    const struct hurray_kit_host* host = output->host;
    output->failed = host->write(host->context, host->answer.bytes, output->used) != 0;
  }
  output->used = 0;
}

// Room for `length` bytes at once, at most 32.
static uint8_t* room(struct kit_output* output, size_t length) {
  if (output->host->answer.size - output->used < length) hurray_kit_flush(output);
  uint8_t* at = output->host->answer.bytes + output->used;
  output->used += length;
  return at;
}

void hurray_kit_put(struct kit_output* output, const char* text) {
  while (*text != '\0') {
    size_t length = 1;
    while (length < 32 && text[length] != '\0') ++length;
    __builtin_memcpy(room(output, length), text, length);
    text += length;
  }
}

void hurray_kit_put_unsigned(struct kit_output* output, uint32_t value) {
  uint8_t digits[10];
  size_t first = sizeof digits;
  do {
    digits[--first] = (uint8_t)('0' + value % 10);
    value /= 10;
  } while (value != 0);
  __builtin_memcpy(room(output, sizeof digits - first), digits + first, sizeof digits - first);
}

void hurray_kit_put_int32(struct kit_output* output, int32_t value) {
  if (value < 0) hurray_kit_put(output, "-");
  hurray_kit_put_unsigned(output, value < 0 ? 0u - (uint32_t)value : (uint32_t)value);
}

void hurray_kit_put_hex_number(struct kit_output* output, uint32_t value, unsigned digits) {
  uint8_t* at = room(output, digits);
  for (unsigned i = 0; i < digits; ++i)
    at[i] = (uint8_t)kDigits[value >> (4 * (digits - 1 - i)) & 15];
}

void hurray_kit_put_array(struct kit_output* output, const uint8_t* bytes, size_t length,
                          size_t swap) {
  size_t done = 0;
  while (done < length) {
    size_t pairs = (output->host->answer.size - output->used) / 2;
    if (pairs == 0) {
      hurray_kit_flush(output);
      continue;
    }
    if (pairs > length - done) pairs = length - done;
    uint8_t* at = room(output, 2 * pairs);
    for (size_t i = 0; i < pairs; ++i) {
      const unsigned byte = bytes[(done + i) ^ swap];
      at[2 * i] = (uint8_t)kDigits[byte >> 4];
      at[2 * i + 1] = (uint8_t)kDigits[byte & 15];
    }
    done += pairs;
  }
}

void hurray_kit_put_foreign(struct kit_output* output, struct kit_text text) {
  const size_t length = text.length < 32 ? text.length : 32;
  uint8_t* at = room(output, length);
  for (size_t i = 0; i < length; ++i)
    at[i] = text.at[i] > ' ' && text.at[i] < 127 ? text.at[i] : '?';
}
