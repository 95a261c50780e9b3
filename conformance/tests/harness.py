# SPDX-License-Identifier: Apache-2.0
"""What the system tests share: where things are, how the program is run, what a report says.

CMake sets HURRAY_BUILD (the build folder) and HURRAY_SOURCE (the checkout) for every test.
"""

import functools
import json
import os
import shlex
import subprocess
import sys
import tempfile
import time
import unittest
import uuid

import scripted_target

BUILD = os.environ["HURRAY_BUILD"]
SOURCE = os.environ["HURRAY_SOURCE"]
PROGRAM = os.path.join(BUILD, "conformance", "hurray-conform")
SCALAR = os.path.join(BUILD, "targets", "scalar", "hurray-scalar")
FAULT = os.path.join(BUILD, "targets", "faults", "hurray-fault")
SCRIPTED = os.path.join(SOURCE, "conformance", "tests", "scripted_target.py")
PYTHON_ADAPTER = os.path.join(SOURCE, "conformance", "adapters", "python", "hurray_adapter.py")

GARBLED_REASON = "some answers do not follow the protocol"
# A run that takes longer is stuck, whatever the load of the machine.
STUCK_SECONDS = 100


def conform(*arguments, environment=None, timeout=STUCK_SECONDS, **options):
    """Runs the program to its end and returns the completed process, its output as text."""
    return subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, text=True, errors="replace",
                          timeout=timeout, env={**os.environ, **(environment or {})}, **options)


def exec_target(*words, name="it"):
    return f"{name}=exec:exec {shlex.join(map(str, words))}"


def scripted(*options, backend=(SCALAR,), marker=None, name="it"):
    """The attachment of a scripted target."""
    words = [sys.executable, SCRIPTED, *options]
    if marker:
        words += ["--marker", marker]
    return exec_target(*words, "--", *backend, name=name)


class InFolder(unittest.TestCase):
    """Tests that need files: each has a folder of its own."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def path(self, name):
        return os.path.join(self.folder, name)


def doing(what, when):
    return ["--do", what, "--when", when]


class Run:
    """One run with its report."""

    def __init__(self, *arguments, **options):
        with tempfile.TemporaryDirectory() as folder:
            self.process = conform("run", "--report-dir", folder, *arguments, **options)
            self.code = self.process.returncode
            self.text = self.process.stdout + self.process.stderr
            path = os.path.join(folder, "report.json")
            self.bytes = b""
            if os.path.exists(path):
                with open(path, "rb") as file:
                    self.bytes = file.read()
                with open(os.path.join(folder, "junit.xml"), "rb") as file:
                    self.junit = file.read()
        self.report = json.loads(self.bytes) if self.bytes else None

    @property
    def target(self):
        return self.report["targets"][0]

    def failed(self):
        """{requirement id: {case name: outcome}} of the cases that failed or warned."""
        return {each["id"]: {case["case"]: case["outcome"] for case in each["failed"]}
                for each in self.target["requirements"] if each["failed"]}

    def verdicts(self):
        return {each["id"]: each["verdict"] for each in self.target["requirements"]}

    def violated(self):
        return {id for id, verdict in self.verdicts().items() if verdict == "violated"}

    def outcomes(self):
        """{case name: outcome} over all requirements."""
        return {name: outcome for cases in self.failed().values() for name, outcome in cases.items()}


@functools.lru_cache(maxsize=None)
def all_cases():
    return json.loads(conform("list", "cases", "--json").stdout)["cases"]


def cases_hit(when, prefix):
    """Names of the cases below `prefix` that a scripted target is made to act on."""
    return {case["name"] for case in all_cases() if case["name"].startswith(prefix) and any(
        scripted_target.body_hits(when, step["request"]) for step in case["steps"])}


def requirements_of(names):
    """{requirement id: {case name}} for these cases."""
    wanted = {}
    for case in all_cases():
        if case["name"] in names:
            for requirement in case["requirements"]:
                wanted.setdefault(requirement, set()).add(case["name"])
    return wanted


def new_marker():
    return f"marker-{uuid.uuid4().hex}"


def survivors(marker):
    """Command lines of live processes that carry the marker, after a moment for dying ones."""
    deadline = time.monotonic() + 5
    while True:
        found = []
        for entry in filter(str.isdigit, os.listdir("/proc")):
            try:
                with open(f"/proc/{entry}/cmdline", "rb") as file:
                    line = file.read().replace(b"\0", b" ").decode(errors="replace")
            except OSError:
                continue
            if marker in line:
                found.append(f"{entry}: {line}")
        if not found or time.monotonic() > deadline:
            return found
        time.sleep(0.05)


def main():
    unittest.main(verbosity=2)
