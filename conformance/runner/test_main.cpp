// SPDX-License-Identifier: Apache-2.0
//
// main of the tests that start targets.

#include <gtest/gtest.h>

#include "conformance/runner/guardian.h"

int main(int argc, char** argv) {
  hurray::conformance::guard_if_asked(argc, argv);
  testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
