# SPDX-License-Identifier: Apache-2.0
"""Is a firmware's own source judged on this machine as the documents say: HURRAY_RA8_SOURCES and the rest given
to CMake, the target ra8-firmware built?"""

import os
import shutil
import subprocess
import tempfile
import unittest

import harness
from harness import Run

FAULTY = os.path.join(harness.SOURCE, "targets", "ra8", "firmware", "faults", "ra8_npu_quant_faulty.c")
SELECT = ["--select", "ra8/*"]


class Host(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory()
        cls.folder = cls.temporary.name

    @classmethod
    def tearDownClass(cls):
        cls.temporary.cleanup()

    def target(self, build, *definitions, source=FAULTY, include="", flags="", sanitize=""):
        folder = os.path.join(self.folder, build)
        for command in (
                ["cmake", "-G", "Ninja", "-S", harness.SOURCE, "-B", folder, "-DBUILD_TESTING=OFF", "-DHURRAY_WERROR=ON",
                 f"-DHURRAY_RA8_SOURCES={source}", f"-DHURRAY_RA8_INCLUDE_DIRS={include}", f"-DHURRAY_RA8_FLAGS={flags}",
                 f"-DHURRAY_RA8_DEFINITIONS={';'.join(definitions)}", f"-DHURRAY_SANITIZE={sanitize}"],
                ["cmake", "--build", folder, "--target", "hurray-ra8-firmware"]):
            done = subprocess.run(command, capture_output=True, text=True)
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return harness.exec_target(os.path.join(folder, "targets", "ra8", "hurray-ra8-firmware"))

    def test_what_ships_conforms_under_both_contracts(self):
        run = Run("--target", "builtin:ra8-firmware")
        self.assertEqual((run.code, run.target["contracts"]), (0, ["hurray", "ra8"]), run.text[-2000:])

    def test_a_source_in_c_with_definitions(self):
        run = Run("--target", self.target("c"), *SELECT)
        self.assertEqual((run.code, run.violated()), (0, set()), run.text[-2000:])
        run = Run("--target", self.target("c", "FAULT_ADD_HALF"), *SELECT)
        self.assertEqual(run.code, 1, run.text[-2000:])
        self.assertIn("RA8-Q-003", run.violated())

    def test_a_source_in_cpp_with_a_header_and_flags_of_its_own(self):
        own = os.path.join(self.folder, "own")
        os.mkdir(own)
        source = shutil.copy(FAULTY, os.path.join(own, "quant.cpp"))
        with open(os.path.join(harness.SOURCE, "targets", "ra8", "ra8_npu_quant.h"), encoding="utf-8") as file:
            header = file.read()
        with open(os.path.join(own, "ra8_npu_quant.h"), "w", encoding="utf-8") as file:
            file.write(header.replace('"ra8_err.h"', "<ra8_err.h>") + "\n#define OWN_HEADER 1\n")
        with open(source, "a", encoding="utf-8") as file:
            file.write("#if !OWN_HEADER || !OWN_FLAG\n#error the header or the flags are not mine\n#endif\n")
        target = self.target("cpp", "FAULT_CAP", source=source, include=own, flags="-O1 -DOWN_FLAG=1")
        run = Run("--target", target, *SELECT)
        self.assertEqual(run.code, 1, run.text[-2000:])
        self.assertIn("RA8-Q-008", run.violated())
        self.assertNotIn("RA8-Q-003", run.violated())

    def test_sanitizers_watch_over_it(self):
        # What is converted is thrown away, so that no result shows it.
        sanitize = "undefined,float-cast-overflow"
        limits = ["--select", "ra8/quantize-i8/*", "--memory", "0"]
        run = Run("--target", self.target("ubsan", sanitize=sanitize), *limits)
        self.assertEqual((run.code, run.violated()), (0, set()), run.text[-2000:])
        run = Run("--target", self.target("ubsan", "FAULT_UNDEFINED_CAST", sanitize=sanitize), *limits)
        self.assertEqual((run.code, set(run.outcomes().values())), (1, {"crashed"}), run.text[-2000:])
        self.assertIn("RA8-Q-006", run.violated())
        run = Run("--target", self.target("c", "FAULT_UNDEFINED_CAST"), *limits)
        self.assertEqual((run.code, run.violated()), (0, set()), run.text[-2000:])


if __name__ == "__main__":
    harness.main()
