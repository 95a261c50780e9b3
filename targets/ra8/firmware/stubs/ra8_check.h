// SPDX-License-Identifier: Apache-2.0
//
// Stands in for the firmware's argument checks: RA8_CHECK_NULL_PTR(in, s_tag) and the like, used as
// a statement of its own. Returns k_ra8_err_null_ptr from the function around it if any of the
// pointers is null; a tag or a message among them never is, wherever it stands.

#ifndef RA8_STUBS_RA8_CHECK_H
#define RA8_STUBS_RA8_CHECK_H

#include <ra8_err.h>
#include <stddef.h>

#define RA8_CHECK_NULL_PTR(...)                                                              \
  do {                                                                                       \
    const void* const ra8_checked_[] = {__VA_ARGS__};                                        \
    for (size_t ra8_i_ = 0; ra8_i_ < sizeof ra8_checked_ / sizeof *ra8_checked_; ++ra8_i_) { \
      if (ra8_checked_[ra8_i_] == NULL) return k_ra8_err_null_ptr;                           \
    }                                                                                        \
  } while (0)

#endif  // RA8_STUBS_RA8_CHECK_H
