// SPDX-License-Identifier: Apache-2.0
//
// Stands in for the firmware's log, which is not judged: takes a tag, a format and its arguments,
// and writes nothing.

#ifndef RA8_STUBS_RA8_LOG_H
#define RA8_STUBS_RA8_LOG_H

#define RA8_STUBS_LOG(NAME)                                           \
  static inline void NAME(const char* tag, const char* format, ...) { \
    (void)tag;                                                        \
    (void)format;                                                     \
  }
RA8_STUBS_LOG(ra8_log_error)
RA8_STUBS_LOG(ra8_log_warn)
RA8_STUBS_LOG(ra8_log_info)
RA8_STUBS_LOG(ra8_log_debug)

#endif  // RA8_STUBS_RA8_LOG_H
