#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Does second_oracle.py tell agreement from difference, and both from input that it cannot read? Runs
the tool on documents made for it.
"""

import json
import os
import subprocess
import sys
import tempfile
import unittest

LINE = "dequantize type=10 scale=3f000000 zero_point=3 count=1 q=00"


class Tool(unittest.TestCase):
    TOOL = os.path.join(os.path.dirname(os.path.abspath(__file__)), "second_oracle.py")

    def run_tool(self, *arguments):
        return subprocess.run([sys.executable, self.TOOL, *arguments], capture_output=True, text=True)

    def compare(self, text):
        with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
            file.write(text)
            file.flush()
            return self.run_tool(file.name)

    def document(self, answer, free=None, name="pta.one"):
        expected = {"answer": answer, "verdict": "pass", "shows": {}}
        if free is not None:
            expected["free"] = free
        return json.dumps({"cases": [{"name": name, "steps": [
            {"request": LINE, "expect": [expected]}]}]})

    def test_agreement(self):
        for free in (None, []):
            done = self.compare(self.document("ok out=0000c0bf", free))
            self.assertEqual((done.returncode, done.stdout),
                             (0, "1 cases, 1 requests, 1 elements, 0 differences\n"))

    def test_differences_are_named(self):
        for document in (self.document("ok out=0000c03f"), self.document("ok out=0000c0bf", [0]),
                         self.document("ok out=0000c0bf").replace("pass", "warn"),
                         self.document("ok out=0000c0bf").replace('"shows": {}', '"shows": {"quotient": []}'),
                         self.document("ok out=0000c0bf").replace("q=00", "q=0000")):
            done = self.compare(document)
            self.assertEqual(done.returncode, 1, done)
            self.assertTrue(done.stdout.startswith("pta.one: "), done)
            self.assertIn("1 cases, 1 requests", done.stdout)
            self.assertTrue(done.stdout.endswith(" 1 differences\n"), done)

    def test_nothing_compared_is_no_agreement(self):
        self.assertEqual(self.compare('{"cases": []}').returncode, 1)

    def test_unreadable_input(self):
        for text in ("", "[]", '{"cases": [{}]}', '{"cases": [{"name": "a", "steps": []}]}',
                     '{"cases": [{"name": "a", "steps": [{"request": "x"}]}]}'):
            done = self.compare(text)
            self.assertEqual((done.returncode, done.stdout), (2, ""), text)
            self.assertNotIn("Traceback", done.stderr)
        for arguments in ([], ["/nonexistent.json"], ["--jobs", "0", "x"], ["--ask", "decode type=10"]):
            self.assertEqual(self.run_tool(*arguments).returncode, 2)

    def test_ask(self):
        done = self.run_tool("--ask", LINE)
        self.assertEqual(json.loads(done.stdout)[0]["answer"], "ok out=0000c0bf")


if __name__ == "__main__":
    unittest.main()
