// SPDX-License-Identifier: Apache-2.0
//
// How are numbers and arrays of a protocol line read and written?
//
// Hexadecimal goes through tables: this is where a served request spends its time.

#include "kit_line.h"

// Value of a hexadecimal digit with kDigit set; 0 for every other byte.
enum { kDigit = 0x10 };
static const uint8_t kDigitOf[256] = {
    ['0'] = 0x10, ['1'] = 0x11, ['2'] = 0x12, ['3'] = 0x13, ['4'] = 0x14, ['5'] = 0x15,
    ['6'] = 0x16, ['7'] = 0x17, ['8'] = 0x18, ['9'] = 0x19, ['a'] = 0x1a, ['b'] = 0x1b,
    ['c'] = 0x1c, ['d'] = 0x1d, ['e'] = 0x1e, ['f'] = 0x1f, ['A'] = 0x1a, ['B'] = 0x1b,
    ['C'] = 0x1c, ['D'] = 0x1d, ['E'] = 0x1e, ['F'] = 0x1f,
};

static const char kDigits[] = "0123456789abcdef";

size_t hurray_kit_find(const uint8_t* bytes, size_t from, size_t end, uint8_t byte) {
  // A word at a time: `found` has a bit set, the lowest in the byte where `byte` first is.
  const size_t ones = SIZE_MAX / 255;
  while (end - from >= sizeof(size_t)) {
    size_t x;
    __builtin_memcpy(&x, bytes + from, sizeof x);
    x ^= ones * byte;
    const size_t found = (x - ones) & ~x & (ones << 7);
    if (found != 0) {
      if (kBigEndian) break;
      return from + (size_t)__builtin_ctzll(found) / 8;
    }
    from += sizeof x;
  }
  while (from < end && bytes[from] != byte) ++from;
  return from;
}

struct kit_text hurray_kit_next_word(struct kit_text* rest) {
  size_t start = 0;
  while (start != rest->length && rest->at[start] == ' ') ++start;
  const size_t end = hurray_kit_find(rest->at, start, rest->length, ' ');
  const struct kit_text word = {rest->at + start, end - start};
  rest->at += end;
  rest->length -= end;
  return word;
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
    const uint32_t digit = kDigitOf[text.at[i]];
    if (digit == 0) return false;
    sum = sum << 4 | (digit & 15);
  }
  *value = sum;
  return true;
}

bool hurray_kit_read_array(struct kit_text text, uint8_t* bytes, size_t swap) {
  if (text.length % 2 != 0) return false;
  unsigned all = kDigit;
  for (size_t i = 0; i < text.length / 2; ++i) {
    const unsigned high = kDigitOf[text.at[2 * i]];
    const unsigned low = kDigitOf[text.at[2 * i + 1]];
    all &= high & low;
    bytes[i ^ swap] = (uint8_t)(high << 4 | (low & 15));
  }
  return all != 0;
}

bool hurray_kit_array_is(struct kit_text text, const uint8_t* bytes, size_t swap) {
  unsigned difference = 0;
  for (size_t i = 0; i < text.length / 2; ++i) {
    const unsigned high = kDigitOf[text.at[2 * i]];
    const unsigned low = kDigitOf[text.at[2 * i + 1]];
    difference |= bytes[i ^ swap] ^ (high << 4 | (low & 15));
  }
  return (uint8_t)difference == 0;
}

void hurray_kit_flush(struct kit_output* output) {
  if (output->used > 0 && !output->failed) {
    const struct hurray_kit_host* host = output->host;
    output->failed = host->write(host->context, host->answer.bytes, output->used) != 0;
  }
  output->used = 0;
}

void hurray_kit_put(struct kit_output* output, const char* text) {
  while (*text != '\0') {
    uint8_t* const at = hurray_kit_room(output, kRoomBytes);
    size_t length = 0;
    for (; length < kRoomBytes && text[length] != '\0'; ++length)
      at[length] = (uint8_t)text[length];
    output->used -= kRoomBytes - length;
    text += length;
  }
}

void hurray_kit_put_unsigned(struct kit_output* output, uint64_t value) {
  uint8_t digits[20];
  size_t first = sizeof digits;
  for (; value > UINT32_MAX; value /= 10) digits[--first] = (uint8_t)('0' + value % 10);
  // The rest in a word, in which a small machine divides much faster.
  uint32_t rest = (uint32_t)value;
  do {
    digits[--first] = (uint8_t)('0' + rest % 10);
    rest /= 10;
  } while (rest != 0);
  __builtin_memcpy(hurray_kit_room(output, sizeof digits - first), digits + first,
                   sizeof digits - first);
}

void hurray_kit_put_int32(struct kit_output* output, int32_t value) {
  if (value < 0) HURRAY_KIT_PUT(output, "-");
  hurray_kit_put_unsigned(output, value < 0 ? 0u - (uint32_t)value : (uint32_t)value);
}

void hurray_kit_put_hex_number(struct kit_output* output, uint32_t value, unsigned digits) {
  uint8_t* at = hurray_kit_room(output, digits);
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
    uint8_t* at = hurray_kit_room(output, 2 * pairs);
    for (size_t i = 0; i < pairs; ++i) {
      const unsigned byte = bytes[(done + i) ^ swap];
      at[2 * i] = (uint8_t)kDigits[byte >> 4];
      at[2 * i + 1] = (uint8_t)kDigits[byte & 15];
    }
    done += pairs;
  }
}

void hurray_kit_put_foreign(struct kit_output* output, struct kit_text text) {
  const size_t length = text.length < kRoomBytes ? text.length : kRoomBytes;
  uint8_t* at = hurray_kit_room(output, length);
  for (size_t i = 0; i < length; ++i)
    at[i] = text.at[i] > ' ' && text.at[i] < 127 ? text.at[i] : '?';
}
