// SPDX-License-Identifier: Apache-2.0
//
// What does a request line ask? Id, verb and keys, read strictly.
//
// Whatever is not exactly as conformance/PROTOCOL.md says becomes a refusal: a kit that overlooked
// a key would let a target pass by ignoring the question.

#include "kit_request.h"

#define KEY HURRAY_KIT_KEY

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

bool hurray_kit_is_untouchable(struct kit_text text, uint64_t* bytes) {
  static const char prefix[] = {'n', 'o', 'n', 'e', ':'};
  if (text.length < sizeof prefix || __builtin_memcmp(text.at, prefix, sizeof prefix) != 0) {
    return false;
  }
  const struct kit_text number = {text.at + sizeof prefix, text.length - sizeof prefix};
  return hurray_kit_read_unsigned(number, kMostUntouchable, bytes);
}

// One of the arrays that a verb may take several of. What has a width has whole elements.
static bool read_array_value(struct kit_request* request, enum kit_key key, struct kit_text text) {
  request->arrays[key - kFirstArray] = text;
  uint64_t untouchable;
  switch (key) {
    case kKeyShape:
    case kKeyStrides:
    case kKeyParentShape:
    case kKeyShardOffset:
      return text.length % 16 == 0;
    case kKeyBuffers:
      return text.length % 32 == 0;
    case kKeyStatistics:
      return text.length == 2 * sizeof(((struct hurray_tensor*)NULL)->statistics);
    case kKeyExtensionType:
      return text.length == 2 * sizeof(((struct hurray_tensor*)NULL)->extension_type);
    case kKeyGroupIndex:
      return text.length % 8 == 0;
    default:
      if (key >= kKeyBuffer0 &&
          (kit_is_null(text) || hurray_kit_is_untouchable(text, &untouchable))) {
        return true;
      }
      return text.length % 2 == 0;
  }
}

static bool read_value(struct kit_request* request, enum kit_key key, struct kit_text text) {
  static const char* const functions[] = {"quantize_i8", "quantize_u8", "dequantize_i8",
                                          "dequantize_u8"};
  static const char* const orders[] = {"low-first", "high-first"};
  static const char* const guards[] = {"after", "before", "output", "input"};
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
    case kKeyValues:
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
      if (!read_choice(text, guards, 4, &choice)) return false;
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
      request->dequantizes = hurray_kit_text_is(text, "dequantize");
      return request->dequantizes || hurray_kit_text_is(text, "quantize");
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
    case kKeyFlags:
      return hurray_kit_read_hex_number(text, 4, &request->flags);
    case kKeyAxis:
      return read_number(text, 0, UINT32_MAX, &request->axis);
    case kKeyBlockSize:
      return read_number(text, 0, UINT32_MAX, &request->block_size);
    case kKeyScaleBufferIndex:
      return read_number(text, 0, UINT32_MAX, &request->scale_buffer_index);
    case kKeyZeroPointBufferIndex:
      return read_number(text, 0, UINT32_MAX, &request->zero_point_buffer_index);
    case kKeyScaleTypeTag:
      return read_byte(text, &request->scale_type_tag);
    case kKeyMode:
      return hurray_kit_text_is(text, "permissive");
    case kKeyLayout:
      if (!read_number(text, 0, 255, &number)) return false;
      request->layout = (uint8_t)number;
      return true;
    case kKeyByteOffset:
      return hurray_kit_read_unsigned(text, UINT64_MAX, &request->byte_offset);
    case kKeyMemberRole:
      return read_byte(text, &request->member_role);
    case kKeyGroupSize:
      return read_number(text, 0, UINT32_MAX, &request->group_size);
    case kKeyGroupMajor:
      return read_number(text, 0, UINT32_MAX, &request->group_major);
    case kKeyWordBytes:
      return read_number(text, 0, UINT32_MAX, &request->word_bytes);
    case kKeyTotal:
      return false;
    default:
      return read_array_value(request, key, text);
  }
}

// The key of this name, or kKeyTotal. Looks from `start` on, as keys mostly come in their order.
static unsigned find_key(struct kit_text name, unsigned start) {
  for (unsigned n = 0; n < kKeyTotal; ++n) {
    const unsigned key = (start + n) % kKeyTotal;
    if (hurray_kit_keys[key].length != name.length) continue;
    size_t same = 0;
    while (same < name.length && (uint8_t)hurray_kit_keys[key].name[same] == name.at[same]) ++same;
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
  const uint64_t taken =
      hurray_kit_verbs[request->verb].required | hurray_kit_verbs[request->verb].optional;
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

// The fields that a descriptor of the request's scheme has. An encoder is asked for schemes that do
// not exist by the fields of scheme 1.
static uint64_t scheme_fields(const struct kit_request* request) {
  const uint64_t fields = hurray_kit_scheme_keys(request->scheme);
  return request->verb == kVerbEncode && fields == 0 ? hurray_kit_scheme_keys(1) : fields;
}

// Keys that are required by other keys of the request, and not there.
static uint64_t missing_fields(const struct kit_request* request) {
  uint64_t required = 0;
  if (request->verb == kVerbEncode || request->verb == kVerbEncodeTensor) {
    if (kit_has(request, kKeyScheme)) required |= scheme_fields(request);
    if (kit_has(request, kKeyLayout) && request->layout == kStrided) required |= KEY(kKeyStrides);
    if (kit_has(request, kKeyParentShape)) required |= KEY(kKeyShardOffset);
    if (kit_has(request, kKeyShardOffset)) required |= KEY(kKeyParentShape);
  }
  return required & ~request->present;
}

// Keys that say something of which a request like this does not speak.
static uint64_t foreign_fields(const struct kit_request* request) {
  uint64_t none = 0;
  if (request->verb == kVerbEncode || request->verb == kVerbEncodeTensor) {
    none |= HURRAY_KIT_SCHEME_KEYS & ~(kit_has(request, kKeyScheme) ? scheme_fields(request) : 0);
    if (request->layout != kStrided) none |= KEY(kKeyStrides);
  }
  return none & request->present;
}

// Refuses the first of these keys, if there is one.
static void check_keys(struct kit_request* request, uint64_t keys, const char* why) {
  for (unsigned key = 0; keys != 0; ++key, keys >>= 1) {
    if ((keys & 1) == 0) continue;
    refuse(
        request, why,
        (struct kit_text){(const uint8_t*)hurray_kit_keys[key].name, hurray_kit_keys[key].length});
    return;
  }
}

void hurray_kit_read_request(struct kit_text line, struct kit_request* request) {
  // Not the arrays by key, which are looked at only if they are there.
  __builtin_memset(request, 0, offsetof(struct kit_request, arrays));
  if (line.length > 0 && line.at[line.length - 1] == '\r') --line.length;
  if (!read_id(&line, &request->id)) {
    refuse(request, "line without an id", (struct kit_text){line.at, 0});
    return;
  }
  const struct kit_text name = hurray_kit_next_word(&line);
  unsigned verb = 0;
  while (verb < kVerbCount && !hurray_kit_text_is(name, hurray_kit_verbs[verb].name)) ++verb;
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
  uint64_t missing = hurray_kit_verbs[verb].required & ~request->present;
  // The input may be left out when a null pointer takes its place.
  if ((request->null & kNullIn) != 0) missing &= ~KEY(kKeyIn);
  check_keys(request, missing | missing_fields(request), "missing key ");
  if (request->refusal == NULL) check_keys(request, foreign_fields(request), "unknown key ");
}
