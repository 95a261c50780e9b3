# SPDX-License-Identifier: Apache-2.0
"""Do the commands that README.md and PORTING.md give to firmware engineers work as they stand, on files as a
firmware has them?"""

import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

import harness

ROOT = pathlib.Path(harness.SOURCE)
BLOCK = re.compile(r"<!-- firmware: ([\w-]+) -->\n```sh\n(.*?)```", re.S)
RECIPE = re.compile(r"\n\*\*… judge my firmware.*?\n\n((?:    [^\n]*\n)+)", re.S)


class Documents(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        home = pathlib.Path(cls.folder.name)
        for folder in ("fw/src", "fw/include"):
            (home / folder).mkdir(parents=True)
        shutil.copy(ROOT / "targets/ra8/ra8_npu_quant.c", home / "fw/src")
        for header in ("ra8_npu_quant.h", "ra8_err.h"):
            shutil.copy(ROOT / "targets/ra8" / header, home / "fw/include")
        programs = os.path.dirname(harness.PROGRAM)
        cls.environment = {**os.environ, "HOME": str(home), "PATH": programs + os.pathsep + os.environ["PATH"]}
        cls.blocks = dict(BLOCK.findall((ROOT / "conformance/PORTING.md").read_text()))

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def run_lines(self, lines):
        done = subprocess.run(["bash", "-euc", lines], cwd=ROOT, env=self.environment, capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stdout[-3000:] + done.stderr[-3000:])
        return done.stdout

    def test_porting(self):
        self.assertEqual(list(self.blocks), ["image", "host", "sweep", "compile"])
        for name in ("image", "host"):
            self.assertRegex(self.run_lines(self.blocks[name]), r"(?m)^mine .* conformant$")
        self.assertIn("1048576 inputs, all as the reference", self.run_lines(self.blocks["sweep"]))
        self.assertEqual(self.run_lines(self.blocks["compile"]).count("  conforms  "), 7)

    def test_readme(self):
        said = self.run_lines(RECIPE.search((ROOT / "README.md").read_text())[1])
        self.assertRegex(said, r"(?m)^mine .* conformant$")
        self.assertEqual(said.count("  conforms  "), 7)
        self.assertIn("65536 inputs, all as the reference", said)


if __name__ == "__main__":
    harness.main()
