// SPDX-License-Identifier: Apache-2.0
//
// Stands in for the firmware's ra8_err.h: result codes, and with them everything else that a
// quantization source takes from the firmware around it, so that it does not matter by which name
// it asks. A folder given as --include-dir comes first and replaces any of these files, which is
// why they include each other in angle brackets.

#ifndef RA8_STUBS_RA8_ERR_H
#define RA8_STUBS_RA8_ERR_H

#include <stdint.h>

// The header that ships here brings its own along, for a source that comes without one.
#ifndef RA8_ERR_H
#define RA8_ERR_H
typedef uint16_t ra8_err_t;
enum { k_ra8_ok = 0x000, k_ra8_err_invalid_arg = 0x103, k_ra8_err_null_ptr = 0x504 };
#endif

#include <ra8_check.h>
#include <ra8_log.h>

#endif  // RA8_STUBS_RA8_ERR_H
