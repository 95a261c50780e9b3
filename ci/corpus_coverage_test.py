# SPDX-License-Identifier: Apache-2.0
#
# Does corpus_coverage.py fail when the committed inputs reach less than is listed, or more? On a file of four lines
# and what llvm-cov would export of it.

import contextlib
import io
import json
import pathlib
import tempfile
import unittest

import corpus_coverage

SOURCE = "int f(int a, int b) {\n  if (a && b)\n    return 1;\n  return 0;\n}\n"
NAME = "reference/example.cpp"


class CorpusCoverage(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        (self.root / NAME).parent.mkdir()
        (self.root / NAME).write_text(SOURCE)
        files = corpus_coverage.FILES
        corpus_coverage.FILES = [NAME]
        self.addCleanup(setattr, corpus_coverage, "FILES", files)

    def run_with(self, lines, branches, listed="", mcdc=2, name=NAME, calls=3):
        """Exit code or message, what was printed and what was complained of."""
        path = str(self.root / name)
        exported = {"filename": path, "branches": [[2, column, 2, column + 1, *counts, 0, 0, 4]
                                                   for column, counts in branches],
                    "summary": {"mcdc": {"count": mcdc, "covered": mcdc}}}
        (self.root / "json").write_text(json.dumps(
            {"data": [{"files": [exported], "functions": [
                {"count": calls, "filenames": [path], "regions": [[1, 21, 5, 2, calls, 0, 0, 0]]}]}]}))
        (self.root / "lcov").write_text(f"SF:{path}\n" + "".join(f"DA:{n},{c}\n" for n, c in lines.items()))
        (self.root / "tsv").write_text(listed)
        out, err = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            try:
                code = corpus_coverage.main([str(self.root), *(str(self.root / f) for f in ("json", "lcov", "tsv"))])
            except SystemExit as end:
                code = end.code
        return code, out.getvalue(), err.getvalue()

    ALL = {1: 3, 2: 3, 3: 1, 4: 2}
    BOTH = [(7, (2, 1)), (12, (1, 1))]

    def test_all_reached(self):
        code, out, err = self.run_with(self.ALL, self.BOTH)
        self.assertEqual((code, err), (0, ""))
        self.assertIn(f"| {NAME} | all 4 | all 4 | all 2 |", out)

    def test_a_line_that_is_not_reached(self):
        code, out, err = self.run_with({**self.ALL, 3: 0}, self.BOTH)
        self.assertEqual(code, 1)
        self.assertIn("3 of 4", out)
        self.assertIn(f"{NAME}:3: line never reached, 1 of them, and 0 in", err)

    def test_an_outcome_that_is_not_reached(self):
        code, _, err = self.run_with(self.ALL, [(7, (2, 1)), (12, (1, 0))])
        self.assertEqual(code, 1)
        self.assertIn(f"{NAME}:2: false never reached", err)

    def test_what_is_listed_may_be_left(self):
        row = f"{NAME}\tfalse\tif (a && b)\tno caller has it\n"
        code, out, err = self.run_with(self.ALL, [(7, (2, 1)), (12, (1, 0))], row)
        self.assertEqual((code, err), (0, ""))
        self.assertIn("no caller has it", out)
        # One row is for one outcome: two conditions of a line need two.
        code, _, err = self.run_with(self.ALL, [(7, (2, 0)), (12, (1, 0))], row)
        self.assertEqual(code, 1)
        self.assertIn("2 of them, and 1 in", err)
        self.assertEqual(self.run_with(self.ALL, [(7, (2, 0)), (12, (1, 0))], row + row)[0], 0)

    def test_a_function_that_is_not_called_is_one_thing(self):
        nothing = {line: 0 for line in self.ALL}, [(7, (0, 0)), (12, (0, 0))]
        code, _, err = self.run_with(*nothing, calls=0)
        self.assertEqual(code, 1)
        self.assertEqual(len(err.splitlines()), 1)
        self.assertIn(f"{NAME}:1: function never reached", err)
        self.assertEqual(self.run_with(*nothing, f"{NAME}\tfunction\tint f(int a, int b) {{\tfor others\n", calls=0)[0], 0)

    def test_what_is_listed_and_reached(self):
        code, _, err = self.run_with(self.ALL, self.BOTH, f"{NAME}\tline\treturn 1;\tgone\n")
        self.assertEqual(code, 1)
        self.assertIn("reached now, or gone", err)

    def test_what_was_not_measured(self):
        self.assertIn("no MC/DC", self.run_with(self.ALL, self.BOTH, mcdc=0)[0])
        self.assertIn("not in what was measured", self.run_with(self.ALL, self.BOTH, name="reference/other.cpp")[0])
        self.assertIn("tabs between", self.run_with(self.ALL, self.BOTH, "no tabs\n")[0])


if __name__ == "__main__":
    unittest.main()
