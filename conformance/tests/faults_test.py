# SPDX-License-Identifier: Apache-2.0
"""Is every implementation that is wrong on purpose caught, by the requirement that it violates? And does `faults`
say so in a form that machines and people can read?"""

import json
import os
import tempfile
import unittest
from html.parser import HTMLParser

import harness

# A suite that catches fewer kinds has lost some.
LEAST_FAULTS = 500
LEAST_SEPARATE = 10
LEAST_VARIANTS = {"choice": 50, "lenient": 5, "mixture": 50}


class Page(HTMLParser):
    """What is on the page, and whether every element is closed."""

    VOID = {"meta"}

    def __init__(self):
        super().__init__()
        self.open, self.sources = [], []

    def handle_starttag(self, tag, attributes):
        if tag not in self.VOID:
            self.open.append(tag)
        self.sources += [value for name, value in attributes if name in ("src", "href")]

    def handle_startendtag(self, tag, attributes):
        pass

    def handle_endtag(self, tag):
        if tag not in self.VOID:
            assert self.open and self.open[-1] == tag, f"</{tag}> closes {self.open[-3:]}"
            self.open.pop()


class Faults(unittest.TestCase):
    def check_score(self, found_file):
        """What certificates carry is what there is; machines differ in which faults they can build."""
        with open(found_file, encoding="utf-8") as file:
            found = json.load(file)
        with open(os.path.join(harness.SOURCE, "conformance", "kill_score.json"), encoding="utf-8") as file:
            kept = json.load(file)
        for score in (found, kept):
            self.assertEqual(score["caught"], score["faults"])
        self.assertEqual((found["suite"], found["cases"]), (kept["suite"], kept["cases"]),
                         "write it anew: hurray-conform faults --score conformance/kill_score.json")
        self.assertEqual(found["faults"] + found["absent"], kept["faults"] + kept["absent"])
        self.assertEqual(found["requirements"], kept["requirements"])

    def test_all_are_caught_by_what_they_violate(self):
        with tempfile.TemporaryDirectory() as folder:
            matrix_file, page_file = os.path.join(folder, "new", "matrix.json"), os.path.join(folder, "page.html")
            score_file = os.path.join(folder, "score.json")
            done = harness.conform("faults", "--matrix", matrix_file, "--html", page_file, "--score", score_file,
                                   timeout=1100)
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
            self.assertEqual(done.stderr, "")
            with open(matrix_file, encoding="utf-8") as file:
                matrix = json.load(file)
            with open(page_file, encoding="utf-8") as file:
                text = file.read()
            self.check_score(score_file)

        faults = matrix["faults"]
        self.assertGreaterEqual(len(faults), LEAST_FAULTS)
        self.assertEqual([each["id"] for each in faults if not each["caught"]], [])
        self.assertEqual([each["id"] for each in faults if each["caught_by"] != each["requirement"]], [])
        self.assertEqual([each["id"] for each in faults if each["cases"] == 0], [])
        self.assertEqual(matrix["score"], {"faults": len(faults), "caught": len(faults)})
        self.assertEqual(matrix["problems"], [])
        separate = [each["id"] for each in faults] + matrix["absent"]
        separate = [each for each in separate if each.startswith("hurray-fault-")]
        self.assertGreaterEqual(len(separate), LEAST_SEPARATE)

        self.assertEqual([each["id"] for each in matrix["latitude"] if not each["as_meant"]], [])
        for kind, least in LEAST_VARIANTS.items():
            self.assertGreaterEqual(len([each for each in matrix["latitude"] if each["kind"] == kind]), least)

        # Both directions say the same.
        for row in matrix["requirements"]:
            named = [each["id"] for each in faults if each["requirement"] == row["id"]]
            self.assertEqual(row["faults"], named)
            self.assertEqual(row["caught"], named)
            self.assertTrue(named or row["without"], row["id"])
        catches = {}
        for each in faults:
            for family in each["families"]:
                catches.setdefault(family, []).append(each)
        for row in matrix["cases"]:
            here = catches.get(row["family"], [])
            self.assertEqual(row["catches"], len(here))
            self.assertEqual(row["alone"], [each["id"] for each in here if len(each["families"]) == 1])

        page = Page()
        page.feed(text)
        self.assertEqual(page.open, [])
        self.assertEqual(page.sources, [], "one file, nothing from elsewhere")
        self.assertIn(f"{len(faults)} of {len(faults)} wrong implementations", text)
        self.assertIn('class="meant"', text)
        self.assertNotIn('class="missed"', text)

    def test_a_part_can_be_chosen(self):
        done = harness.conform("faults", "--select", "zero-point-unchecked")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn("1 of 1 caught by the requirement that they violate: 100 %", done.stdout)

    def test_a_device_is_written_to_and_stays_one(self):
        done = harness.conform("faults", "--select", "zero-point-unchecked", "--matrix", "/dev/stdout")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn('"caught_by": "HQ-PTA-011"', done.stdout)
        self.assertFalse(os.path.isfile("/dev/stdout"))

    def test_a_link_to_a_file_stays_a_link(self):
        with tempfile.TemporaryDirectory() as folder:
            target, link = os.path.join(folder, "target"), os.path.join(folder, "link")
            with open(target, "w", encoding="utf-8"):
                pass
            os.symlink(target, link)
            done = harness.conform("faults", "--select", "zero-point-unchecked", "--matrix", link)
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
            self.assertTrue(os.path.islink(link))
            self.assertGreater(os.path.getsize(target), 1000)

    def test_a_score_is_that_of_all(self):
        done = harness.conform("faults", "--select", "zero-point-unchecked", "--score", "/dev/null")
        self.assertEqual(done.returncode, 2)
        self.assertIn("--score is that of all faults", done.stderr)

    def test_nothing_to_judge_is_an_error(self):
        done = harness.conform("faults", "--select", "no-such-fault")
        self.assertEqual(done.returncode, 2)
        self.assertIn("no fault or variant has an id like that", done.stderr)

    def test_a_place_that_cannot_be_written_to_is_told_before_the_work(self):
        for option in ("--matrix", "--html"):
            done = harness.conform("faults", option, "/proc/nothing/here")
            self.assertEqual(done.returncode, 2, done.stdout)
            self.assertIn("cannot write reports into /proc/nothing", done.stderr)


if __name__ == "__main__":
    harness.main()
