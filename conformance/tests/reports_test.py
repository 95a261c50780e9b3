# SPDX-License-Identifier: Apache-2.0
"""Do the reports have what their readers require (the tables of REPORTS.md), and are the pages whole, self-contained and
within their limits?"""

import copy
import gzip
import json
import os
import re
import tempfile
import xml.etree.ElementTree as ElementTree
from html.parser import HTMLParser

import harness

WRONG = ["--target", "wrong=builtin:fault-ties-to-even", "--target", "good=builtin:scalar"]
DOCUMENT = os.path.join(harness.SOURCE, "conformance", "REPORTS.md")


def table(name):
    """The fields of a table of REPORTS.md."""
    with open(DOCUMENT, encoding="utf-8") as file:
        part = file.read().split(f"<!-- table: {name} -->")[1]
    return re.findall(r"^\| `([^`]+)` \|", part.split("\n\n")[0], re.M)


# --- SARIF

def values_at(json_value, path):
    """(container, key) of every place that a path such as `runs[].tool.name` names; None where it is missing."""
    places = [("", {"": json_value}, "")]
    for part in path.split("."):
        name, is_array = re.fullmatch(r"(.*?)(\[\])?", part).groups()
        following = []
        for where, container, key in places:
            value = container[key] if not isinstance(container, dict) or key in container else None
            if not isinstance(value, dict) or name not in value:
                return None
            if is_array:
                if not value[name]:
                    return None
                following += [(where, value[name], i) for i in range(len(value[name]))]
            else:
                following.append((where, value, name))
        places = following
    return [(container, key) for _, container, key in places]


def sarif_problems(log):
    return [path for path in table("sarif")
            if (places := values_at(log, path)) is None or
            any(container[key] in ("", None, [], {}) for container, key in places)]


class Pages(HTMLParser):
    """What a browser would fetch, ids, links and tables of a page."""

    def __init__(self, text):
        super().__init__()
        self.ids, self.anchors, self.fetched, self.tags, self.open = [], [], [], [], []
        self.problems = []
        self.feed(text)
        self.close()
        if self.open:
            self.problems.append(f"never closed: {self.open}")

    VOID = {"meta", "br", "img", "link", "input", "hr"}

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        self.tags.append(tag)
        if tag not in self.VOID:
            self.open.append(tag)
        if "id" in attributes:
            self.ids.append(attributes["id"])
        for name in ("src", "srcset", "data", "poster", "action", "xlink:href"):
            if name in attributes:
                self.fetched.append(attributes[name])
        if tag == "a" and attributes.get("href", "").startswith("#"):
            self.anchors.append(attributes["href"][1:])
        elif "href" in attributes and (tag != "a" or not re.match(r"https?://", attributes["href"])):
            self.fetched.append(attributes["href"])
        if tag == "svg" and attributes.get("aria-hidden") != "true" and not attributes.get("aria-label"):
            self.problems.append("a picture without words")

    def handle_startendtag(self, tag, attributes):
        self.handle_starttag(tag, attributes)
        if tag not in self.VOID:
            self.handle_endtag(tag)

    def handle_endtag(self, tag):
        if not self.open or self.open[-1] != tag:
            self.problems.append(f"closes {tag} in {self.open[-3:]}")
        else:
            self.open.pop()


def page_problems(text):
    """What is wrong with a page that has to be whole and need nothing else."""
    page = Pages(text)
    problems = page.problems + [f"fetches {each}" for each in page.fetched]
    problems += [f"two of id {each}" for each in set(page.ids) if page.ids.count(each) > 1]
    problems += [f"no #{each}" for each in page.anchors if each not in page.ids]
    problems += [f"has {each}" for each in ("script", "link", "iframe", "object", "embed") if each in page.tags]
    style = re.search(r"<style>(.*?)</style>", text, re.S)[1]
    problems += [f"style has {each}" for each in ("url(", "@import", "http") if each in style]
    if not text.startswith("<!doctype html>\n<html lang=\"en\">"):
        problems.append("no doctype or language")
    problems += [f"no {each}" for each in ("title", "main", "h1") if each not in page.tags]
    if "prefers-color-scheme: dark" not in style:
        problems.append("not for the dark")
    return problems


class Reports(harness.InFolder):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.kept = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.kept.cleanup)
        cls.summary = os.path.join(cls.kept.name, "job.md")
        with open(cls.summary, "w", encoding="utf-8") as file:
            file.write("before\n")
        cls.done = harness.conform("run", *WRONG, "--select", "*-QNT-*", "--report-dir", cls.kept.name,
                                   "--summary", cls.summary)
        cls.sarif = json.loads(cls.read("report.sarif"))

    @classmethod
    def read(cls, name):
        with open(os.path.join(cls.kept.name, name), encoding="utf-8") as file:
            return file.read()

    def test_the_run_says_where_its_page_is(self):
        self.assertEqual(self.done.returncode, 1, self.done.stderr)
        self.assertIn(f"for people: {self.kept.name}/report.html", self.done.stdout)

    def test_sarif_has_every_field_that_is_required(self):
        self.assertGreater(len(table("sarif")), 15)
        self.assertEqual(sarif_problems(self.sarif), [])

    def test_every_field_of_sarif_is_missed(self):
        for path in table("sarif"):
            log = copy.deepcopy(self.sarif)
            places = values_at(log, path)
            container, key = places[-1]
            del container[key]
            if path.endswith("[]"):
                container.clear()
            self.assertIn(path, sarif_problems(log))

    def test_sarif_is_within_the_limits(self):
        self.assertEqual(self.sarif["version"], "2.1.0")
        self.assertEqual(len(self.sarif["runs"]), 1)
        run = self.sarif["runs"][0]
        rules = run["tool"]["driver"]["rules"]
        self.assertLessEqual(max(len(run["results"]), len(rules)), 25000)
        self.assertEqual(len({rule["id"] for rule in rules}), len(rules))
        for rule in rules:
            self.assertLessEqual(len(rule["properties"]["tags"]), 20)
            self.assertIn(rule["defaultConfiguration"]["level"], ("error", "warning", "note"))
            for part in ("shortDescription", "fullDescription"):
                self.assertLessEqual(len(rule[part]["text"]), 1024)
        seen = set()
        for result in run["results"]:
            self.assertEqual(rules[result["ruleIndex"]]["id"], result["ruleId"])
            self.assertIn(result["level"], ("error", "warning", "note"))
            for location in result["locations"]:
                uri = location["physicalLocation"]["artifactLocation"]["uri"]
                self.assertRegex(uri, r"^[A-Za-z0-9._~%-][A-Za-z0-9._~%/-]*$")
            seen.add(result["partialFingerprints"]["primaryLocationLineHash"])
        self.assertEqual(len(seen), len(run["results"]), "two results with one identity")
        self.assertLess(len(gzip.compress(self.read("report.sarif").encode())), 10_000_000)

    def test_sarif_has_a_result_for_each_violation(self):
        report = json.loads(self.read("report.json"))
        violated = {row["id"] for target in report["targets"] for row in target["requirements"]
                    if row["verdict"] in ("violated", "warned")}
        self.assertTrue(violated)
        self.assertEqual({each["ruleId"] for each in self.sarif["runs"][0]["results"]}, violated)

    def junit_problems(self, root):
        problems = []
        for path in table("junit"):
            name, _, field = path.partition("/")
            found = [root] if root.tag == name else root.findall(f".//{name}")
            has = (lambda e: e.get(field[1:]) is not None) if field.startswith("@") else \
                (lambda e: bool((e.text or "").strip())) if field else (lambda e: True)
            if not found or not all(has(each) for each in found):
                problems.append(path)
        return problems

    def test_junit_has_every_field_that_is_required(self):
        root = ElementTree.fromstring(self.read("junit.xml"))
        self.assertGreater(len(table("junit")), 10)
        self.assertEqual(self.junit_problems(root), [])
        for suite in root.findall("testsuite"):
            cases = suite.findall("testcase")
            self.assertEqual(int(suite.get("tests")), len(cases))
            for tag, attribute in (("failure", "failures"), ("error", "errors"), ("skipped", "skipped")):
                self.assertEqual(int(suite.get(attribute)), len(suite.findall(f"testcase/{tag}")), attribute)
            names = [(case.get("classname"), case.get("name")) for case in cases]
            self.assertEqual(len(set(names)), len(names))
        for attribute in ("tests", "failures", "errors", "skipped"):
            self.assertEqual(int(root.get(attribute)), sum(int(s.get(attribute)) for s in root.findall("testsuite")))

    def test_every_field_of_junit_is_missed(self):
        for path in table("junit"):
            root = ElementTree.fromstring(self.read("junit.xml"))
            name, _, field = path.partition("/")
            if not field:
                root = ElementTree.Element("other")
            else:
                element = root.find(f".//{name}")
                if field == "text()":
                    element.text = " "
                else:
                    del element.attrib[field[1:]]
            self.assertIn(path, self.junit_problems(root))

    def test_the_summary_is_appended_and_short(self):
        text = self.read("job.md")
        self.assertEqual(text, "before\n" + self.read("summary.md"))
        self.assertIn("## Hurray conformance: 1 of 2 targets conformant", text)
        self.assertIn("| wrong | ❌ non-conformant |", text)
        self.assertIn("HC-QNT-002", text)
        self.assertLess(len(text.encode()), 200 << 10)
        widths = {line.count("|") for line in text.splitlines() if line.startswith("| HC")}
        self.assertEqual(widths, {7})

    def test_the_page_is_whole_and_needs_nothing_else(self):
        text = self.read("report.html")
        self.assertEqual(page_problems(text), [])
        for part in ("Hurray conformance: 1 of 2 targets conformant", "✗ non-conformant", "✓ conformant",
                     "HC-QNT-002 violated", "ties-to-even", "inputs get another code", "class=\"plot\"", "Profiles"):
            self.assertIn(part, text)

    def test_a_page_that_is_not_is_noticed(self):
        text = self.read("report.html")
        for old, new in (("<main>", '<main><img src="http://x/y.png">'), ("</style>", "@import 'x';</style>"),
                         ("<main>", "<main><script>1</script>"), ("</main>", ""), ('id="t0"', 'id="t1"'),
                         ('href="#t0"', 'href="#t7"'), ("prefers-color-scheme: dark", "all"),
                         ('<svg class="plot"', '<svg'), ("<h1>", "<h5>")):
            self.assertIn(old, text)
            changed = text.replace(old, new, 1)
            if new == "<svg":
                changed = re.sub(r'<svg viewBox="[^"]*" role="img" aria-label="[^"]*"', "<svg", changed)
            self.assertNotEqual(page_problems(changed), [], new)

    def test_reports_are_the_same_in_every_run(self):
        again = self.path("again")
        harness.conform("run", *WRONG, "--select", "*-QNT-*", "--report-dir", again, "--jobs", "1")
        for name in ("report.json", "report.html", "report.sarif", "junit.xml", "summary.md"):
            with open(os.path.join(again, name), encoding="utf-8") as file:
                self.assertEqual(file.read(), self.read(name), name)

    def test_alerts_stand_at_the_file_that_is_said(self):
        folder = self.path("said")
        harness.conform("run", *WRONG, "--select", "HC-QNT-002", "--report-dir", folder, "--source", "src/my file.c")
        with open(os.path.join(folder, "report.sarif"), encoding="utf-8") as file:
            result = json.load(file)["runs"][0]["results"][0]
        self.assertEqual(result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"], "src/my%20file.c")

    def test_a_hostile_target_stays_text(self):
        nasty = "ok scheme=1 scale=3f000000 zero_point=<script>alert(1)</script>"
        target = harness.scripted(*harness.doing(f"say:{nasty}", "has:verb=decode"), name="<b>|`nasty`")
        folder = self.path("nasty")
        harness.conform("run", "--target", target, "--select", "HQ-PTA-00*", "--report-dir", folder)
        with open(os.path.join(folder, "report.html"), encoding="utf-8") as file:
            text = file.read()
        self.assertEqual(page_problems(text), [])
        self.assertNotIn("<b>|", text)
        self.assertIn("&lt;script&gt;", text, "what it answered is shown")
        with open(os.path.join(folder, "summary.md"), encoding="utf-8") as file:
            self.assertNotIn("<b>", file.read())


class Compare(harness.InFolder):
    @classmethod
    def setUpClass(cls):
        kept = tempfile.TemporaryDirectory()
        cls.addClassCleanup(kept.cleanup)
        cls.a, cls.b = (os.path.join(kept.name, name, "report.json") for name in "ab")
        for path, targets in ((cls.a, WRONG), (cls.b, ["--target", "wrong=builtin:reference"])):
            harness.conform("run", *targets, "--select", "HC-QNT-*", "--report-dir", os.path.dirname(path))

    def test_reports_stand_side_by_side(self):
        done = harness.conform("compare", self.a, "--html", self.a)
        self.assertEqual(done.returncode, 2)
        self.assertIn("is what is read", done.stderr)
        # Nor what happens to be called as a file in the making.
        os.makedirs(self.path("new"))
        os.symlink(self.a, self.path("new/compare.html.new"))
        page = self.path("new/compare.html")
        done = harness.conform("compare", self.a, self.b, "--html", page)
        self.assertEqual((done.returncode, done.stderr), (0, ""), done.stdout)
        self.assertRegex(done.stdout, r"(?m)^wrong \(.*/a\) +\d+ +0 +[1-9]\d* +non-conformant$")
        self.assertRegex(done.stdout, r"(?m)^wrong \(.*/b\) +\d+ +0 +0 +conformant$")
        with open(page, encoding="utf-8") as file:
            text = file.read()
        self.assertEqual(page_problems(text), [])
        for part in ("3 implementations side by side", "HC-QNT-002", "ties-to-even", "Choices that differ"):
            self.assertIn(part, text)
        self.assertNotIn("class=\"notice\"", text)

    def test_a_report_can_be_named(self):
        done = harness.conform("compare", f"ours={self.b}", f"theirs={self.b}")
        self.assertRegex(done.stdout, r"(?m)^ours .*\ntheirs ")
        done = harness.conform("compare", f"both={self.a}")
        self.assertEqual(done.returncode, 2)
        self.assertIn("has 2 targets, which keep their names", done.stderr)

    def test_another_suite_is_said(self):
        other = self.path("other.json")
        with open(self.b, encoding="utf-8") as file, open(other, "w", encoding="utf-8") as out:
            out.write(re.sub(r'"digest": "....', '"digest": "0000', file.read()))
        done = harness.conform("compare", self.b, other, "--html", self.path("page.html"))
        self.assertEqual(done.returncode, 0)
        self.assertIn("is of other cases", done.stderr)
        with open(self.path("page.html"), encoding="utf-8") as file:
            self.assertIn("is of other cases", file.read())

    def test_what_is_no_report_is_refused(self):
        page = self.path("page.html")
        for content in ("", "{", "[]", '{"suite": 1}', "\0\xff"):
            with open(self.path("bad.json"), "w", encoding="utf-8") as file:
                file.write(content)
            done = harness.conform("compare", self.path("bad.json"), "--html", page)
            self.assertEqual((done.returncode, done.stdout), (2, ""), content)
            self.assertIn("bad.json", done.stderr)
            self.assertIn("for example\n  hurray-conform compare", done.stderr)
        for arguments in ([self.path("none.json")], [self.folder], []):
            self.assertEqual(harness.conform("compare", *arguments).returncode, 2)
        self.assertFalse(os.path.exists(page))


if __name__ == "__main__":
    harness.main()
