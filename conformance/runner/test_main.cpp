// SPDX-License-Identifier: Apache-2.0
//
// main of the tests that start targets.

#include <gtest/gtest.h>

#include <cstring>

#include "conformance/runner/attachment.h"
#include "conformance/runner/guardian.h"

int main(int argc, char** argv) {
  hurray::conformance::guard_if_asked(argc, argv);
  if (argc == 3 && std::strcmp(argv[1], "serve") == 0) {
    return hurray::conformance::serve_attachment(argv[2]);
  }
  testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
