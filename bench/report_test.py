#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Does report.py say what a recorded measurement says, and machine.py how the programs were compiled? Expected figures are
worked out by hand from testdata/."""

import contextlib
import io
import json
import pathlib
import re
import shutil
import tempfile
import unittest
import xml.etree.ElementTree

import machine
import report

RECORDED = pathlib.Path(__file__).resolve().parent / "testdata"


class Report(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        for path in RECORDED.iterdir():
            shutil.copy(path, self.folder)

    def made(self):
        report.main(self.folder)
        return (self.folder / "report.md").read_text(), (self.folder / "report.html").read_text()

    def test_medians_of_repetitions_and_their_ratios_are_what_is_shown(self):
        # avx2 15, 16 and 1: median 15. xnnpack 11, 4, 12: median 11. 15 / 11 = 1.36; 15 / 20 = 0.75.
        text, _ = self.made()
        self.assertIn("|  |  | ssse3 | avx2 | xnnpack | limit | limit, streamed | best / xnnpack | best / limit |\n", text)
        self.assertIn("| int8 | L1 | 5.00 | 15.00 | 11.00 | 20.00 | 4.50 | 1.36 | 0.75 |\n", text)
        self.assertNotIn("99", text)  # what Google Benchmark sums up is not counted once more

    def test_small_things_are_times(self):
        text, _ = self.made()
        self.assertIn("| int8 | call | 20.0 |\n", text)
        self.assertIn("| descriptor | decode | 40.0 | 20.0 |\n", text)
        self.assertIn("| decode | pipelined | 612,346 |\n", text)

    def test_machine_and_differences_are_stated(self):
        text, page = self.made()
        self.assertIn("| processor | AMD EPYC <test> |", text)
        self.assertIn("| xnnpack | quantize int8 | 151 | 4,278,190,082 binary32 inputs |", text)
        self.assertIn("| xnnpack | dequantize int8 | 0 | 256 codes |", text)
        self.assertIn("<td>AMD EPYC &lt;test&gt;</td>", page)
        self.assertIn("<td>151</td>", page)

    def test_the_page_has_a_bar_for_each_figure_in_proportion_and_needs_nothing_else(self):
        _, page = self.made()
        figure = re.search(r'<svg role="img" aria-label="dequantize int8 L1".*?</svg>', page)[0]
        bars = xml.etree.ElementTree.fromstring(figure)
        names = [each.text for each in bars.findall("text")[::2]]
        self.assertEqual(names, ["limit", "avx2", "xnnpack", "ssse3", "limit, streamed"])
        widths = [float(each.get("width")) for each in bars.findall("rect")]
        self.assertAlmostEqual(widths[1] / widths[0], 15 / 20, places=2)
        self.assertEqual([each.get("class") for each in bars.findall("rect")], ["limit", "ours", "peer", "ours", "limit"])
        # Neither of those that read descriptors has vectors.
        figure = re.search(r'<svg role="img" aria-label="codec descriptor decode".*?</svg>', page)[0]
        self.assertEqual(re.findall(r'<rect class="(\w+)"', figure), ["plain", "plain"])
        self.assertIn("prefers-color-scheme: dark", page)
        for each in re.findall(r'<svg role="img".*?</svg>', page):
            xml.etree.ElementTree.fromstring(each)  # names with `<` among them
        self.assertIsNone(re.search(r"https?:|src=|@import|<script", page))

    def test_flags_are_those_of_the_command_that_compiled_what_is_measured(self):
        (self.folder / "CMakeCache.txt").write_text("CMAKE_BUILD_TYPE:STRING=Release\nCMAKE_CXX_COMPILER:FILEPATH=/nowhere/c++\n")
        command = "ccache c++ -DA=-O0 -I/x -isystem /y -O3 -DNDEBUG -fPIC -ffp-contract=on -Wall -std=c++20 -mavx2 -o b.o -c"
        (self.folder / "compile_commands.json").write_text(json.dumps(
            [{"directory": "/", "file": "/x/other.cpp", "command": "c++ -O1 -c /x/other.cpp"},
             {"directory": "/", "file": "/x/bench/codec.cpp", "command": f"{command} /x/bench/codec.cpp"}]))
        self.assertEqual(machine.build(self.folder),
                         ("/nowhere/c++", "Release: -O3 -DNDEBUG -fPIC -ffp-contract=on -std=c++20 -mavx2"))

    def test_what_was_not_measured_is_left_out(self):
        for name in ("001.bench.json", "differences.json", "machine.json"):
            (self.folder / name).unlink()
        text, page = self.made()
        for each in (text, page):
            self.assertNotIn("Codes to floats", each)
            self.assertNotIn("Differences", each)
            self.assertIn("Descriptors", each)

    def refused(self):
        with contextlib.redirect_stderr(io.StringIO()), self.assertRaises(SystemExit) as stopped:
            report.main(self.folder)
        return str(stopped.exception)

    def test_nothing_measured_and_a_failed_measurement_are_errors(self):
        path = self.folder / "002.bench.json"
        path.write_text(path.read_text().replace('"items_per_second": 25.0e6', '"error_occurred": true, "error_message": "no answer"'))
        self.assertEqual(self.refused(), "002.bench.json: codec/descriptor/decode/reference: no answer")
        for each in self.folder.glob("*.json"):
            each.unlink()
        self.assertIn("nothing was measured", self.refused())


if __name__ == "__main__":
    unittest.main()
