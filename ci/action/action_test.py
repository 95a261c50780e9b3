#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What can be told of the GitHub Action, its workflow and the Containerfile without GitHub and containers: that they parse,
that names fit together, and that judge.sh, run as the action runs it, passes, fails and tells as it should.
"""

import os
import pathlib
import re
import subprocess
import tempfile
import unittest

import yaml

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(os.environ["HURRAY_BUILD"])
ACTION = (ROOT / "ci/action/action.yml").read_text()
WORKFLOW = (ROOT / ".github/workflows/conformance.yml").read_text()
CONTAINER = (ROOT / "ci/Containerfile").read_text()
TARGET = "mine=builtin:scalar"


def check_action(text):
    """What is wrong with an action.yml, a sentence each."""
    action, wrong = yaml.safe_load(text), []
    declared, used = set(action["inputs"]), set(re.findall(r"\$\{\{ inputs\.([\w-]+) \}\}", text))
    wrong += [f"input {name} is not used" for name in sorted(declared - used)]
    wrong += [f"input {name} is not declared" for name in sorted(used - declared)]
    steps = action["runs"]["steps"]
    for name, each in action["inputs"].items():
        if not each["required"] and "default" not in each:
            wrong.append(f"input {name} has no default")
    ids = {step["id"] for step in steps if "id" in step}
    wrong += [f"no step {name}" for name in sorted(set(re.findall(r"steps\.([\w-]+)\.outputs", text)) - ids)]
    for step in steps:
        if "run" in step and step.get("shell") != "bash":
            wrong.append("a step that runs has to name its shell")
        if "run" not in step and "@" not in step.get("uses", ""):
            wrong.append("a step neither runs nor uses a version of an action")
        # An input in the text of a script would be code.
        if "inputs." in step.get("run", ""):
            wrong.append("an input stands in a script")
    if action["runs"]["using"] != "composite":
        wrong.append("is not composite")
    return wrong


def check_workflow(text):
    workflow, wrong = yaml.safe_load(text), []
    declared = yaml.safe_load(ACTION)["inputs"]
    steps = [step for job in workflow["jobs"].values() for step in job["steps"]]
    own = [step for step in steps if step.get("uses") == "./ci/action"]
    if not own:
        wrong.append("does not use the action")
    for step in own:
        wrong += [f"gives {name}, which is no input" for name in step["with"] if name not in declared]
        wrong += [f"does not give {name}" for name, each in declared.items() if each["required"] and name not in step["with"]]
    if not any(step.get("uses", "").startswith("actions/checkout@") for step in steps):
        wrong.append("does not check anything out")
    if workflow.get("permissions") != "read-all":
        wrong.append("may write")
    return wrong


def check_container(text):
    lines = [line for line in text.splitlines() if not line.startswith("#")]
    copied = {word for line in lines if line.startswith("COPY ") and "--from" not in line for word in line.split()[1:-1]}
    listed = (ROOT / "CMakeLists.txt").read_text() + (ROOT / "ci/HurrayPackage.cmake").read_text()
    needed = set(re.findall(r"add_subdirectory\((\w+)\)", listed)) | {"ci", "corpus", "CMakeLists.txt", "CMakePresets.json"}
    needed |= set(re.findall(r"(?<![\w/])([A-Z]+\.md|LICENSE)\b", re.search(r"foreach\(file (.*?)\)", listed, re.S)[1]))
    wrong = [f"does not copy {name}" for name in sorted(needed - copied) if (ROOT / name).exists()]
    wrong += [f"copies {name}, which is not there" for name in sorted(copied) if not (ROOT / name).exists()]
    wrong += [] if [line for line in lines if line.startswith("FROM debian:bookworm")] else ["is not Debian 12"]
    return wrong


def edited(text, old, new):
    if old not in text:
        raise AssertionError(f"nothing to edit: {old}")
    return text.replace(old, new)


class FilesTest(unittest.TestCase):
    def test_the_files_are_as_they_should_be(self):
        self.assertEqual((check_action(ACTION), check_workflow(WORKFLOW), check_container(CONTAINER)), ([], [], []))

    def test_each_way_to_break_them_is_told(self):
        for check, text, old, new, sentence in (
                (check_action, ACTION, "${{ inputs.select }}", "", "input select is not used"),
                (check_action, ACTION, "${{ inputs.select }}", "${{ inputs.chosen }}", "input chosen is not declared"),
                (check_action, ACTION, '    default: conformance-report\n', "", "input report-dir has no default"),
                (check_action, ACTION, "    - id: source\n", "    - id: sources\n", "no step source"),
                (check_action, ACTION, "    - id: judge\n      shell: bash\n", "    - id: judge\n", "has to name its shell"),
                (check_action, ACTION, "actions/cache@v4", "actions/cache", "nor uses a version"),
                (check_action, ACTION, "judge.sh\"'", "judge.sh\" ${{ inputs.target }}'", "an input stands in a script"),
                (check_action, ACTION, "using: composite", "using: node20", "is not composite"),
                (check_workflow, WORKFLOW, "uses: ./ci/action", "uses: ./ci/actions", "does not use the action"),
                (check_workflow, WORKFLOW, "strict: true", "strictly: true", "gives strictly, which is no input"),
                (check_workflow, WORKFLOW, "target: mine", "select: mine", "does not give target"),
                (check_workflow, WORKFLOW, "read-all", "write-all", "may write"),
                (check_container, CONTAINER, "COPY reference reference\n", "", "does not copy reference"),
                (check_container, CONTAINER, " CHANGELOG.md", "", "does not copy CHANGELOG.md"),
                (check_container, CONTAINER, "COPY corpus corpus", "COPY corpora corpus", "copies corpora, which is not there")):
            with self.subTest(sentence):
                self.assertTrue(any(sentence in each for each in check(edited(text, old, new))), sentence)


class JudgeTest(unittest.TestCase):
    def judge(self, **given):
        """Exit code, output, outputs of the step, summary."""
        with tempfile.TemporaryDirectory() as folder:
            inputs = {name: each.get("default", "") for name, each in yaml.safe_load(ACTION)["inputs"].items()}
            inputs.update({"target": TARGET, "select": "HQ-PTA-*", "report-dir": f"{folder}/report"}, **given)
            step = next(step for step in yaml.safe_load(ACTION)["runs"]["steps"] if step.get("id") == "judge")
            environment = {name: re.sub(r"\$\{\{ inputs\.([\w-]+) \}\}", lambda match: inputs[match[1]], value)
                           for name, value in step["env"].items()}
            environment.update(GITHUB_ACTION_PATH=str(ROOT / "ci/action"), GITHUB_OUTPUT=f"{folder}/output",
                               GITHUB_STEP_SUMMARY=f"{folder}/summary", PATH=f"{BUILD}/conformance:{os.environ['PATH']}")
            done = subprocess.run(["bash", "-e", "-c", step["run"]], env={**os.environ, **environment}, cwd=folder,
                                  stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
            told = [pathlib.Path(folder, name) for name in ("output", "summary")]
            self.reports = sorted(path.name for path in pathlib.Path(folder).glob("report/*"))
            return done.returncode, done.stdout, *(path.read_text() if path.exists() else "" for path in told)

    def test_what_conforms_passes(self):
        code, output, outputs, summary = self.judge()
        self.assertEqual((code, outputs), (0, "verdict=conformant\n"), output)
        self.assertRegex(summary, r"(?m)^\| mine \| .* conformant \| \d+ of \d+ ")
        self.assertIn("junit.xml", self.reports)

    def test_what_does_not_fails_and_shows_why(self):
        code, output, outputs, summary = self.judge(target="mine=builtin:fault-zero-point-unchecked")
        self.assertEqual((code, outputs), (1, "verdict=non-conformant\n"), output)
        self.assertIn("::error::hurray-conform: non-conformant (exit code 1)", output)
        self.assertRegex(summary, r"(?m)^\| HQ-PTA-011 \| .* accepts")

    def test_what_is_known_passes_and_keeps_its_verdict(self):
        with tempfile.TemporaryDirectory() as folder:
            known, target = f"{folder}/known.toml", "mine=builtin:fault-zero-point-unchecked"
            subprocess.run([f"{BUILD}/conformance/hurray-conform", "run", "--target", target, "--select", "HQ-PTA-*",
                            "--known", known, "--update-known"], stdout=subprocess.DEVNULL)
            code, output, outputs, _ = self.judge(target=target, known=known)
            self.assertEqual((code, outputs), (0, "verdict=non-conformant\n"), output)
            code, output, *_ = self.judge(known=known)
            self.assertEqual(code, 1, output)
            self.assertIn("not as known", output)

    def test_what_is_broken_is_no_verdict_of_conformance(self):
        code, _, outputs, _ = self.judge(target="mine=exec:false")
        self.assertEqual((code, outputs), (3, "verdict=broken\n"))

    def test_what_cannot_be_meant_fails_with_the_message(self):
        code, output, outputs, _ = self.judge(target="mine")
        self.assertEqual((code, outputs), (2, "verdict=none\n"))
        self.assertIn("`mine` is not a target", output)
        code, output, *_ = self.judge(strict="yes")
        self.assertEqual(code, 2)
        self.assertIn("expected true or false", output)

    def test_strict_is_handed_on(self):
        code, output, *_ = self.judge(strict="true", select="HQ-NOT-*")
        self.assertEqual(code, 2, output)


if __name__ == "__main__":
    unittest.main(verbosity=2)
