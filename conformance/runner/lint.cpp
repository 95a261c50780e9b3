// SPDX-License-Identifier: Apache-2.0
//
// All checks in order, see lint.h.

#include "conformance/runner/lint.h"

#include <fmt/format.h>

#include "conformance/runner/inspect.h"
#include "reference/tensor.h"

namespace hurray::conformance {

const char* const kLintFileInPython =
    R"(import struct
rows, columns, group = 64, 256, 32            # uint4 weights, groups along axis 1
blocks = rows * columns // group              # weights, scales, zero_points: bytes
sizes = [rows * columns // 2, 4 * blocks, 4 * blocks]
body = struct.pack("<QQQB", rows, columns, 0, 3) + b"".join(struct.pack("<QI4x", size, 64) for size in sizes)
body += struct.pack("<IBBHIIIIB3x", 24, 3, 1, 0, 1, group, 1, 2, 3)
descriptor = b"HRRY" + struct.pack("<BBIIBBI", 1, 0, 20 + len(body), 1, 0x49, 1, 2) + body
with open("weights.hrry", "wb") as file:
    for part in (descriptor, weights, scales, zero_points):
        file.write(part + bytes(-len(part) % 64))
)";

LintReport lint(std::span<const std::uint8_t> bytes) {
  LintReport report;
  const TensorFile file = read_tensor_file(bytes);
  if (!file.problem.empty()) {
    report.problem = file.problem;
    return report;
  }
  report.summary = tensor_summary(file.tensor);
  const bool is_quantized = file.tensor.has(kHasQuantization);
  const std::optional<QuantizedValues> values = is_quantized ? read_values(file) : std::nullopt;
  check_rules(file, values ? &*values : nullptr, report);
  check_file(file, report);
  if (!is_quantized) {
    report.notes.emplace_back("not quantized: there are no scales or zero points to look at");
    return report;
  }
  check_filler(file, report);
  if (!values) {
    report.notes.emplace_back(
        "values are not looked at: a dimension is dynamic, a stride is negative, or elements lie "
        "outside of the data");
    return report;
  }
  if (values->elements == 0) {
    report.notes.emplace_back("the tensor is empty");
    return report;
  }
  check_bias(file, *values, report);
  check_offset(file, *values, report);
  check_zero_point_range(file, *values, report);
  check_scales(file, *values, report);
  check_codes(file, *values, report);
  return report;
}

}  // namespace hurray::conformance
