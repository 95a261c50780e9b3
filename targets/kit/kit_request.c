// SPDX-License-Identifier: Apache-2.0
//
// What does a request line ask? Id, verb and keys, read strictly.
//
// Whatever is not exactly as conformance/PROTOCOL.md says becomes a refusal: a kit that overlooked
// a key would let a target pass by ignoring the question.

#include "kit_request.h"

#define KEY(key) (1u << (key))

static const struct {
  char name[11];
  uint8_t length;
} kKeys[kKeyTotal] = {
    [kKeyType] = {"type", 4},
    [kKeyScale] = {"scale", 5},
    [kKeyZeroPoint] = {"zero_point", 10},
    [kKeyCount] = {"count", 5},
    [kKeyQ] = {"q", 1},
    [kKeyIn] = {"in", 2},
    [kKeyBytes] = {"bytes", 5},
    [kKeyScheme] = {"scheme", 6},
    [kKeyFn] = {"fn", 2},
    [kKeyBits] = {"bits", 4},
    [kKeyBias] = {"bias", 4},
    [kKeyOrder] = {"order", 5},
    [kKeyPacked] = {"packed", 6},
    [kKeyFill] = {"fill", 4},
    [kKeyInOff] = {"in_off", 6},
    [kKeyOutOff] = {"out_off", 7},
    [kKeyGuard] = {"guard", 5},
    [kKeyNull] = {"null", 4},
    [kKeyFenv] = {"fenv", 4},
    [kKeyThreads] = {"threads", 7},
    [kKeyVersion] = {"version", 7},
    [kKeyOp] = {"op", 2},
    [kKeyFirst] = {"first", 5},
    [kKeyCapacity] = {"capacity", 8},
    [kKeyRepeat] = {"repeat", 6},
};

enum {
  kDiscipline = KEY(kKeyFill) | KEY(kKeyInOff) | KEY(kKeyOutOff) | KEY(kKeyGuard) | KEY(kKeyFenv) |
                KEY(kKeyThreads),
  kArrays = kDiscipline | KEY(kKeyRepeat),
  kParameters = KEY(kKeyScale) | KEY(kKeyZeroPoint) | KEY(kKeyCount)
};

static const struct {
  const char* name;
  uint32_t required;
  uint32_t optional;
} kVerbs[kVerbCount] = {
    [kVerbHello] = {"hello", KEY(kKeyVersion), 0},
    [kVerbDecode] = {"decode", KEY(kKeyType) | KEY(kKeyBytes), kDiscipline},
    [kVerbEncode] = {"encode",
                     KEY(kKeyType) | KEY(kKeyScheme) | KEY(kKeyScale) | KEY(kKeyZeroPoint),
                     kDiscipline | KEY(kKeyCapacity)},
    [kVerbDequantize] = {"dequantize", KEY(kKeyType) | kParameters | KEY(kKeyQ), kArrays},
    [kVerbQuantize] = {"quantize", KEY(kKeyType) | kParameters | KEY(kKeyIn), kArrays},
    [kVerbNormalize] = {"normalize",
                        KEY(kKeyBits) | KEY(kKeyBias) | KEY(kKeyOrder) | KEY(kKeyCount) |
                            KEY(kKeyPacked),
                        kArrays},
    [kVerbRa8] = {"ra8", KEY(kKeyFn) | kParameters | KEY(kKeyIn), kArrays | KEY(kKeyNull)},
    [kVerbSweep] = {"sweep", kParameters | KEY(kKeyFirst),
                    KEY(kKeyOp) | KEY(kKeyType) | KEY(kKeyFn)},
};

static bool read_choice(struct kit_text text, const char* const* choices, unsigned count,
                        unsigned* choice) {
  for (*choice = 0; *choice < count; ++*choice) {
    if (hurray_kit_text_is(text, choices[*choice])) return true;
  }
  return false;
}

static bool read_number(struct kit_text text, uint32_t least, uint32_t most, uint32_t* value) {
  uint64_t wide;
  if (!hurray_kit_read_unsigned(text, most, &wide)) return false;
  *value = (uint32_t)wide;
  return *value >= least;
}

static bool read_byte(struct kit_text text, uint8_t* value) {
  uint32_t wide;
  if (!hurray_kit_read_hex_number(text, 2, &wide)) return false;
  *value = (uint8_t)wide;
  return true;
}

static bool read_value(struct kit_request* request, enum kit_key key, struct kit_text text) {
  static const char* const functions[] = {"quantize_i8", "quantize_u8", "dequantize_i8",
                                          "dequantize_u8"};
  static const char* const orders[] = {"low-first", "high-first"};
  static const char* const guards[] = {"after", "before", "output"};
  static const char* const nulls[] = {"in", "out", "in,out"};
  static const char* const modes[] = {"nearest", "upward", "downward", "toward-zero", "flush"};
  unsigned choice;
  uint32_t number;
  switch (key) {
    case kKeyType:
      return read_byte(text, &request->type);
    case kKeyScale:
      return hurray_kit_read_hex_number(text, 8, &request->scale_bits);
    case kKeyZeroPoint:
      return hurray_kit_read_int32(text, &request->zero_point);
    case kKeyCount:
      return hurray_kit_read_unsigned(text, UINT64_MAX, &request->count);
    case kKeyQ:
    case kKeyIn:
    case kKeyBytes:
    case kKeyPacked:
      request->array = text;  // its digits are checked when they are read into the buffer
      return text.length % 2 == 0;
    case kKeyScheme:
      if (!read_number(text, 0, 255, &number)) return false;
      request->scheme = (uint8_t)number;
      return true;
    case kKeyFn:
      if (!read_choice(text, functions, 4, &choice)) return false;
      request->function = (enum kit_ra8_function)choice;
      return true;
    case kKeyBits:
      return read_number(text, 0, UINT32_MAX, &request->bits);
    case kKeyBias:
      return hurray_kit_read_int32(text, &request->bias);
    case kKeyOrder:
      return read_choice(text, orders, 2, &request->high_field_first);
    case kKeyFill:
      return read_byte(text, &request->fill);
    case kKeyInOff:
      if (!read_number(text, 0, kMostOffset, &number)) return false;
      request->in_off = (unsigned)number;
      return true;
    case kKeyOutOff:
      if (!read_number(text, 0, kMostOffset, &number)) return false;
      request->out_off = (unsigned)number;
      return true;
    case kKeyGuard:
      if (!read_choice(text, guards, 3, &choice)) return false;
      request->guard = (enum kit_guard)(kGuardAfter + choice);
      return true;
    case kKeyNull:
      if (!read_choice(text, nulls, 3, &choice)) return false;
      request->null = choice + 1;
      return true;
    case kKeyFenv:
      if (!read_choice(text, modes, 5, &choice)) return false;
      request->fenv = (int)choice;
      return true;
    case kKeyThreads:
      if (!read_number(text, 2, HURRAY_KIT_MOST_THREADS, &number)) return false;
      request->threads = (unsigned)number;
      return true;
    case kKeyVersion:
      return hurray_kit_read_unsigned(text, UINT64_MAX, &request->version);
    case kKeyOp:
      return hurray_kit_text_is(text, "quantize");
    case kKeyFirst:
      return hurray_kit_read_hex_number(text, 8, &request->first);
    case kKeyCapacity:
      if (!read_number(text, 0, kMostCapacity, &number)) return false;
      request->capacity = (unsigned)number;
      return true;
    case kKeyRepeat:
      if (!read_number(text, 2, kMostRepeat, &number)) return false;
      request->repeat = (unsigned)number;
      return true;
    case kKeyTotal:
      break;
  }
  return false;
}

// The key of this name, or kKeyTotal. Looks from `start` on, as keys mostly come in their order.
static unsigned find_key(struct kit_text name, unsigned start) {
  for (unsigned n = 0; n < kKeyTotal; ++n) {
    const unsigned key = (start + n) % kKeyTotal;
    if (kKeys[key].length != name.length) continue;
    size_t same = 0;
    while (same < name.length && (uint8_t)kKeys[key].name[same] == name.at[same]) ++same;
    if (same == name.length) return key;
  }
  return kKeyTotal;
}

static void refuse(struct kit_request* request, const char* why, struct kit_text culprit) {
  request->refusal = why;
  request->culprit = culprit;
}

// Reads one `key=value`; false after a refusal.
static bool read_pair(struct kit_request* request, struct kit_text word, unsigned* next_key) {
  const struct kit_text name = {word.at, hurray_kit_find(word.at, 0, word.length, '=')};
  const unsigned key = find_key(name, *next_key);
  *next_key = key + 1;
  const uint32_t taken = kVerbs[request->verb].required | kVerbs[request->verb].optional;
  if (key == kKeyTotal || (taken & KEY(key)) == 0) {
    refuse(request, "unknown key ", name);
  } else if (name.length == word.length) {
    refuse(request, "no value for key ", name);
  } else if ((request->present & KEY(key)) != 0) {
    refuse(request, "duplicate key ", name);
  } else {
    request->present |= KEY(key);
    const struct kit_text value = {name.at + name.length + 1, word.length - name.length - 1};
    if (!read_value(request, (enum kit_key)key, value))
      refuse(request, "malformed value of ", name);
  }
  return request->refusal == NULL;
}

static bool read_id(struct kit_text* rest, uint32_t* id) {
  uint64_t value;
  *id = 0;
  if (!hurray_kit_read_unsigned(hurray_kit_next_word(rest), UINT32_MAX, &value)) return false;
  *id = (uint32_t)value;
  return true;
}

uint32_t hurray_kit_read_id(struct kit_text line) {
  uint32_t id;
  return read_id(&line, &id) && line.length > 0 ? id : 0;
}

void hurray_kit_read_request(struct kit_text line, struct kit_request* request) {
  __builtin_memset(request, 0, sizeof *request);
  if (line.length > 0 && line.at[line.length - 1] == '\r') --line.length;
  if (!read_id(&line, &request->id)) {
    refuse(request, "line without an id", (struct kit_text){line.at, 0});
    return;
  }
  const struct kit_text name = hurray_kit_next_word(&line);
  unsigned verb = 0;
  while (verb < kVerbCount && !hurray_kit_text_is(name, kVerbs[verb].name)) ++verb;
  if (verb == kVerbCount) {
    refuse(request, "unknown verb ", name);
    return;
  }
  request->verb = (enum kit_verb)verb;

  for (unsigned next_key = 0;;) {
    const struct kit_text word = hurray_kit_next_word(&line);
    if (word.length == 0) break;
    if (!read_pair(request, word, &next_key)) return;
  }
  // The input may be left out when a null pointer takes its place.
  uint32_t missing = kVerbs[verb].required & ~request->present;
  if ((request->null & kNullIn) != 0) missing &= ~KEY(kKeyIn);
  for (unsigned key = 0; missing != 0; ++key, missing >>= 1) {
    if ((missing & 1) == 0) continue;
    refuse(request, "missing key ",
           (struct kit_text){(const uint8_t*)kKeys[key].name, kKeys[key].length});
    return;
  }
}
