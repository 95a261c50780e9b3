// SPDX-License-Identifier: Apache-2.0
//
// Is what is measured the way to a result? A refusal is faster than any result, so that a
// measurement that meets one ends with a message.

#ifndef HURRAY_BENCH_EXPECT_OK_H
#define HURRAY_BENCH_EXPECT_OK_H

#include <cstdio>
#include <cstdlib>
#include <string>

#include "hurray_target.h"

namespace hurray::bench {

//   what   the name of the measurement, or of what it was to start from
inline void expect_ok(hurray_status status, const std::string& what) {
  if (status == HURRAY_OK) return;
  std::fprintf(stderr, "%s: %s; nothing is measured, as a refusal costs less than any result\n",
               what.c_str(), status == HURRAY_REJECTED ? "rejected" : "unsupported");
  std::exit(1);
}

}  // namespace hurray::bench

#endif  // HURRAY_BENCH_EXPECT_OK_H
