// SPDX-License-Identifier: Apache-2.0
//
// The four functions that a compiler calls without being asked, under their C names and under those
// of the Arm run-time ABI. The build keeps the compiler from recognizing the loops as what they
// implement. Words are moved wherever they stand: every processor here loads and stores them so.

#include <stddef.h>
#include <stdint.h>

void* memcpy(void* restrict to, const void* restrict from, size_t length);
void* memmove(void* to, const void* from, size_t length);
void* memset(void* to, int value, size_t length);
int memcmp(const void* left, const void* right, size_t length);

typedef uint32_t __attribute__((may_alias, aligned(1))) word;

// From the lowest address up: right for overlapping memory too if `to` lies below `from`.
static void copy_up(uint8_t* to, const uint8_t* from, size_t length) {
  for (; length >= 4; length -= 4, to += 4, from += 4)
    *(word*)(void*)to = *(const word*)(const void*)from;
  while (length-- > 0) *to++ = *from++;
}

void* memcpy(void* restrict to, const void* restrict from, size_t length) {
  copy_up(to, from, length);
  return to;
}

void* memmove(void* to, const void* from, size_t length) {
  if ((uintptr_t)to - (uintptr_t)from >= length) {
    copy_up(to, from, length);
  } else {
    while (length-- > 0) ((uint8_t*)to)[length] = ((const uint8_t*)from)[length];
  }
  return to;
}

void* memset(void* to, int value, size_t length) {
  uint8_t* at = to;
  const uint8_t byte = (uint8_t)value;
  const word four = byte * 0x01010101u;
  for (; length >= 16; length -= 16, at += 16) {
    word* words = (word*)(void*)at;
    words[0] = words[1] = words[2] = words[3] = four;
  }
  for (; length >= 4; length -= 4, at += 4) *(word*)(void*)at = four;
  while (length-- > 0) *at++ = byte;
  return to;
}

int memcmp(const void* left, const void* right, size_t length) {
  const uint8_t* a = left;
  const uint8_t* b = right;
  for (; length > 0; --length, ++a, ++b) {
    if (*a != *b) return *a < *b ? -1 : 1;
  }
  return 0;
}

// Run-time ABI for the Arm Architecture, 4.3.4. The digit promises an alignment.

#define ABI_MOVER(NAME, FUNCTION)                       \
  void NAME(void* to, const void* from, size_t length); \
  void NAME(void* to, const void* from, size_t length) { (void)FUNCTION(to, from, length); }
#define ABI_SETTER(SET, CLEAR)                                                      \
  void SET(void* to, size_t length, int value);                                     \
  void SET(void* to, size_t length, int value) { (void)memset(to, value, length); } \
  void CLEAR(void* to, size_t length);                                              \
  void CLEAR(void* to, size_t length) { (void)memset(to, 0, length); }

ABI_MOVER(__aeabi_memcpy, memcpy)
ABI_MOVER(__aeabi_memcpy4, memcpy)
ABI_MOVER(__aeabi_memcpy8, memcpy)
ABI_MOVER(__aeabi_memmove, memmove)
ABI_MOVER(__aeabi_memmove4, memmove)
ABI_MOVER(__aeabi_memmove8, memmove)
ABI_SETTER(__aeabi_memset, __aeabi_memclr)
ABI_SETTER(__aeabi_memset4, __aeabi_memclr4)
ABI_SETTER(__aeabi_memset8, __aeabi_memclr8)
