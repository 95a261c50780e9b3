# SPDX-License-Identifier: Apache-2.0
"""Does a fault in somebody's own source, dropped into an image by the documented command, violate the row that
it breaks, and leave alone the rows that it does not touch?"""

import os
import re
import tempfile
import unittest
from concurrent.futures import ThreadPoolExecutor

import firmware
import harness
from harness import Run

QUANTIZING = {f"RA8-Q-{number:03}" for number in range(1, 12)}
DEQUANTIZING = {"RA8-Q-019", "RA8-Q-020", "RA8-Q-021", "RA8-Q-022", "HQ-PTA-018", "HQ-PTA-020"}

# macro: (rows that it must violate, a class that must be among the failures, rows that must hold)
FAULTS = {
    "FAULT_ADD_HALF": ({"RA8-Q-003", "HC-QNT-002"}, "half-added", DEQUANTIZING),
    "FAULT_NAN_SCALE": ({"RA8-Q-010"}, "accepts-invalid", DEQUANTIZING | QUANTIZING - {"RA8-Q-010"}),
    "FAULT_NAN_BY_SIGN": ({"RA8-Q-006"}, "inconsistent", DEQUANTIZING | {"RA8-Q-003", "RA8-Q-010"}),
    "FAULT_ZERO_POINT_OVERFLOW": ({"RA8-Q-007"}, "zero-point-overflow", DEQUANTIZING | {"RA8-Q-003"}),
    "FAULT_CAP": ({"RA8-Q-008"}, "capped-quotient", DEQUANTIZING | {"RA8-Q-003", "RA8-Q-005"}),
    "FAULT_SUBTRACTION_OVERFLOW": ({"RA8-Q-021"}, "int32-wrap", QUANTIZING | {"HQ-PTA-018"}),
    "FAULT_PLAIN_CHAR": ({"RA8-Q-019", "HQ-PTA-018"}, "sign-extension", QUANTIZING | {"RA8-Q-020"}),
    "FAULT_TAIL_WRITTEN": ({"RA8-Q-016", "HC-CALL-001"}, "writes-outside", QUANTIZING),
    "FAULT_TAIL_READ": ({"RA8-Q-016", "HC-CALL-002"}, "crash", {"HC-CALL-001"}),
    "FAULT_OUTPUT_ON_ERROR": ({"RA8-Q-015"}, "writes-on-error", QUANTIZING | DEQUANTIZING),
    "FAULT_STATE": ({"RA8-Q-018", "HC-CALL-007"}, None, DEQUANTIZING),
}
# Every crash costs a boot or three, so that not every case is asked.
FEW = ["--select", "*call/[bg]*s/quantize?i*8/count-[15]/*"]
SELECT = {"FAULT_TAIL_WRITTEN": FEW, "FAULT_TAIL_READ": FEW}
# On one input alone, in memory order: (its bits, outcome of every case with it, a row that is violated)
ON_ONE_INPUT = {
    "FAULT_HARD_FAULT": (0x49f42400, "crashed", "RA8-Q-008"),
    "FAULT_ENDLESS_LOOP": (0x405cce70, "timed out", "RA8-Q-005"),
}


def cases_with_input(bits):
    """Names of the cases in which an int8 or uint8 quantizer meets this binary32."""
    pattern = bits.to_bytes(4, "little").hex()
    asked = re.compile(r"(ra8 fn=quantize|quantize type=1[01] ).* in=(?:.{8})*?" + pattern + r"(?:.{8})*( |$)")
    return {case["name"] for case in harness.all_cases() if any(asked.match(step["request"]) for step in case["steps"])}


class Faults(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        macros = ["FAULT_NONE", *FAULTS, *(f"{macro}=0x{bits:08x}" for macro, (bits, _, _) in ON_ONE_INPUT.items())]
        with ThreadPoolExecutor(2) as pool:
            # The next image is built while the last one is judged.
            runs = {}
            for macro in macros:
                name = macro.split("=")[0]
                image = firmware.build(os.path.join(cls.folder.name, name + ".elf"), macro)
                runs[name] = pool.submit(Run, "--timeout", "5", "--target", firmware.target(image, name),
                                         *SELECT.get(name, []))
            cls.runs = {name: run.result() for name, run in runs.items()}

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def test_the_source_without_a_fault_conforms(self):
        run = self.runs["FAULT_NONE"]
        self.assertEqual((run.code, run.violated()), (0, set()), run.text)

    def check(self, macro):
        run = self.runs[macro]
        violates, of_class, holds = FAULTS[macro]
        self.assertEqual((run.code, run.target["verdict"]), (1, "non-conformant"), run.text[-2000:])
        self.assertLessEqual(violates, run.violated())
        self.assertEqual(holds & run.violated(), set())
        classes = {case["class"] for row in run.target["requirements"] for case in row["failed"]}
        if of_class:
            self.assertIn(of_class, classes)

    def check_on_one_input(self, macro):
        run = self.runs[macro]
        bits, outcome, row = ON_ONE_INPUT[macro]
        wanted = cases_with_input(bits)
        self.assertGreaterEqual(len(wanted), 2)
        self.assertEqual(run.outcomes(), {name: outcome for name in wanted})
        self.assertIn(row, run.violated())
        self.assertEqual(run.code, 1)

    def test_a_fault_of_the_processor_is_reported_with_its_address(self):
        failed = [case["counter_example"]["got"] for row in self.runs["FAULT_HARD_FAULT"].target["requirements"]
                  for case in row["failed"] if "counter_example" in case]
        self.assertGreaterEqual(len(failed), 1)
        for got in failed:
            self.assertRegex(got, r"^exited with status 70: fault: usage, undefined instruction, pc [0-9a-f]{8}, lr ")
        failed = [case["counter_example"]["got"] for row in self.runs["FAULT_TAIL_READ"].target["requirements"]
                  for case in row["failed"] if "counter_example" in case]
        for got in failed:
            self.assertRegex(got, r"^exited with status 68: fault: memory management, data access, address [0-9a-f]{8}, ")


def add(macro, check):
    setattr(Faults, "test_" + macro.lower(), lambda self: getattr(self, check)(macro))


for each in FAULTS:
    add(each, "check")
for each in ON_ONE_INPUT:
    add(each, "check_on_one_input")

if __name__ == "__main__":
    harness.main()
