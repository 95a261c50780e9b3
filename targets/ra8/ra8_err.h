// SPDX-License-Identifier: Apache-2.0
//
// What do the firmware functions answer? Result codes of the RA8 contract with their pinned numbers
// (RA8-Q-031). Self-contained; C11, C23 and C++11 or later. Only the codes that the quantization
// functions use are here; the firmware's own header has more.

#ifndef RA8_ERR_H
#define RA8_ERR_H

#include <stdint.h>

// 16 bits wide in every language, so a table of `uint16_t (*)(…)` holds the functions as they are.
typedef uint16_t ra8_err_t;

// The numbers travel in logs and over the wire: never renumber.
enum {
  k_ra8_ok = 0x000,               // done
  k_ra8_err_invalid_arg = 0x103,  // an argument is outside its documented range
  k_ra8_err_null_ptr = 0x504      // a pointer that must address memory is null
};

#endif  // RA8_ERR_H
