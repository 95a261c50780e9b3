# SPDX-License-Identifier: Apache-2.0
"""Does the program do at the command line what its help says: exit codes, messages, output for machines?"""

import json
import os
import platform
import re
import shlex
import shutil
import subprocess
import tempfile
import unittest
import xml.etree.ElementTree

import harness
from harness import conform, doing, exec_target, scripted

ONE_ROW = ["--select", "HQ-PTA-008"]
SCALAR_LIB = os.path.join(harness.BUILD, "targets", "scalar", "libhurray_scalar.so")


class ExitCodes(unittest.TestCase):
    def check(self, code, *arguments, says=()):
        done = conform(*arguments)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        for part in says:
            self.assertIn(part, done.stdout + done.stderr)
        return done

    def usage(self, *arguments, says=()):
        # A usage error stands on standard error, is short, and names what was typed.
        done = self.check(2, *arguments, says=says)
        self.assertEqual(done.stdout, "")
        self.assertLess(done.stderr.count("\n"), 6, done.stderr)

    def test_0_is_as_expected(self):
        self.check(0, "run", "--target", "builtin:scalar", *ONE_ROW, says=["conformant"])

    def test_1_is_a_conformance_failure(self):
        self.check(1, "run", "--target", "builtin:fault-zero-point-unchecked", "--select", "HQ-PTA-011",
                   says=["HQ-PTA-011", "violated", "non-conformant"])

    def test_1_is_also_a_warning_under_strict(self):
        # Version 0 read as version 1 is excusable, and no longer so when asked to be strict.
        target = scripted(*doing("say:ok scheme=1 scale=3f000000 zero_point=3", "has:bytes=010000000000003f03"))
        self.check(0, "run", "--target", target, "--select", "HQ-PTA-003")
        self.check(1, "run", "--target", target, "--select", "HQ-PTA-003", "--strict")

    def test_3_is_a_broken_adapter(self):
        self.check(3, "run", "--target", exec_target("false"), *ONE_ROW, says=["broken"])

    def test_3_outweighs_1(self):
        self.check(3, "run", "--target", "builtin:fault-zero-point-unchecked", "--target", exec_target("false"),
                   "--select", "HQ-PTA-011")

    def test_2_is_nothing_to_do(self):
        self.usage(says=["subcommand"])
        self.usage("run", says=["--target", "for example"])

    def test_2_is_an_unknown_option_or_command(self):
        self.usage("run", "--target", "builtin:scalar", "--bogus", says=["--bogus"])
        self.usage("assess", says=["subcommand"])
        self.usage("list", "everything", says=["everything"])
        self.usage("run", "--target", "builtin:scalar", "--jobs", "many", says=["many"])
        self.usage("run", "--target", "builtin:scalar", "--jobs", "-1", says=["-1"])
        self.usage("run", "--target", "builtin:scalar", "--timeout", "0", says=["timeout"])

    def test_2_is_a_target_that_cannot_be_meant(self):
        self.usage("run", "--target", "scalar", *ONE_ROW, says=["`scalar`", "builtin:NAME", "for example"])
        self.usage("run", "--target", "telnet:host", *ONE_ROW, says=["telnet:host"])
        self.usage("run", "--target", "exec:", *ONE_ROW, says=["exec:"])
        self.usage("run", "--target", "builtin:nope", *ONE_ROW, says=["`nope`", "there are:", "scalar"])
        self.usage("run", "--target", "lib:/nonexistent/lib.so", *ONE_ROW, says=["/nonexistent/lib.so"])

    def test_2_is_one_name_for_two_targets(self):
        self.usage("run", "--target", "builtin:scalar", "--target", "builtin:scalar", *ONE_ROW,
                   says=["two targets", "NAME=ATTACHMENT"])

    def test_2_is_a_selection_of_nothing(self):
        self.usage("run", "--target", "builtin:scalar", "--select", "HQ-XYZ-*", says=["HQ-XYZ-*", "for example"])

    def test_2_is_a_list_that_cannot_be_read(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "list.toml")
            for content in ("", "[[target]\n", "name = ", "\0\1\2", '[[target]]\nname = "a"\n', "<xml/>"):
                with open(path, "w", encoding="utf-8") as file:
                    file.write(content)
                self.usage("run", "--expect", path, says=["--expect", path])
            self.usage("run", "--expect", os.path.join(folder, "missing.toml"), says=["missing.toml"])
            self.usage("run", "--expect", folder, says=["--expect"])

    def test_2_is_a_report_folder_that_cannot_be_made(self):
        with tempfile.NamedTemporaryFile() as file:
            for place in (file.name, file.name + "/below", "/proc/no-such-folder"):
                done = conform("run", "--target", "builtin:scalar", *ONE_ROW, "--report-dir", place)
                self.assertEqual(done.returncode, 2, place)
                self.assertIn(place, done.stderr)
                self.assertIn("cannot write reports into", done.stderr)
                self.assertEqual(done.stdout, "", "the run was made before the mistake was noticed")

    def test_2_is_an_empty_value(self):
        # An unset variable of a script must not mean `everything` or `no report`.
        for option in ("--select", "--report-dir", "--target", "--expect"):
            done = conform("run", "--target", "builtin:scalar", *ONE_ROW, option, "")
            self.assertEqual((done.returncode, done.stdout), (2, ""), option)
            self.assertIn("empty value", done.stderr)

    def test_2_is_a_time_that_is_none(self):
        for time in ("nan", "-1", "0", "1e99", "abc"):
            done = conform("run", "--target", "builtin:scalar", *ONE_ROW, "--timeout", time)
            self.assertEqual(done.returncode, 2, time)

    def test_a_mistake_names_the_command_and_where_help_is(self):
        for arguments, command in ((["run", "--taget", "x"], "hurray-conform run"), (["list"], "hurray-conform list"),
                                   (["nonsense"], "hurray-conform")):
            done = conform(*arguments)
            self.assertEqual(done.returncode, 2)
            self.assertTrue(done.stderr.startswith(command + ": "), done.stderr)
            self.assertIn(f"Try `{command} --help`", done.stderr)
        self.assertIn("--taget x", conform("run", "--taget", "x").stderr)
        self.assertIn("no subcommand nonsense; there are: run list ", conform("nonsense").stderr)

    def test_3_is_output_that_cannot_be_written(self):
        with open("/dev/full", "w") as full:
            done = subprocess.run([harness.PROGRAM, "run", "--table-only", "--target", "builtin:scalar", *ONE_ROW],
                                  stdout=full, stderr=subprocess.PIPE, text=True)
        self.assertEqual(done.returncode, 3)
        self.assertIn("cannot write", done.stderr)

    def test_3_is_a_target_that_claims_nothing_of_what_was_selected(self):
        done = conform("run", "--target", "builtin:ra8", "--select", "HQ-PTA-*")
        self.assertEqual(done.returncode, 3, done.stdout)
        self.assertRegex(done.stdout, r"(?m)^builtin:ra8 .* not judged$")

    def test_2_is_a_name_that_is_looked_up_in_vain(self):
        self.usage("explain", "HQ-PTA-999", says=["HQ-PTA-999", "list requirements"])
        self.usage("replay", "--target", "builtin:scalar", "decode/none", says=["decode/none", "list cases"])
        self.usage("inspect", "--type", "int7", "00", says=["int7", "for example"])
        self.usage("inspect", "--type", "int8", "0", says=["hexadecimal", "for example"])

    def test_help_is_no_error_and_names_the_exit_codes(self):
        for arguments in (["--help"], ["run", "--help"]):
            self.check(0, *arguments, says=["Exit codes", "exec:COMMAND"])
        self.check(0, "--version")


class Libraries(unittest.TestCase):
    def test_a_shared_object_is_judged(self):
        done = conform("run", "--target", f"lib:{SCALAR_LIB}", *ONE_ROW)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_one_that_cannot_be_loaded_is_broken_and_says_why(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "libnone.so")
            with open(path, "w", encoding="utf-8") as file:
                file.write("no shared object")
            done = conform("run", "--target", f"lib:{path}", *ONE_ROW)
            self.assertEqual(done.returncode, 3)
            self.assertIn("cannot load the shared object", done.stdout)

    def test_one_for_another_processor_is_a_usage_error_that_says_so(self):
        with open(SCALAR_LIB, "rb") as file:
            head = bytearray(file.read(64))
        aarch64, s390x = 183, 22
        here = int.from_bytes(head[18:20], "little" if head[5] == 1 else "big")
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "libforeign.so")
            for machine, order, name in ((aarch64, "little", "aarch64"), (s390x, "big", "s390x")):
                if machine == here:
                    continue
                head[5] = 1 if order == "little" else 2
                head[18:20] = machine.to_bytes(2, order)
                with open(path, "wb") as file:
                    file.write(head)
                done = conform("run", "--target", f"lib:{path}", *ONE_ROW)
                self.assertEqual(done.returncode, 2, done.stdout + done.stderr)
                for part in (path, f" is for {name}; this program is for ", "exec:", "PORTING.md"):
                    self.assertIn(part, done.stderr)

    def test_a_vector_set_of_another_family_is_not_merely_unknown(self):
        targets = conform("list", "targets").stdout
        if "builtin:simd" not in targets:
            self.skipTest("no vector kernels here")
        foreign = "simd-neon" if platform.machine() == "x86_64" else "simd-avx2"
        done = conform("run", "--target", f"builtin:{foreign}", *ONE_ROW)
        self.assertEqual(done.returncode, 2, done.stdout + done.stderr)
        for part in (f"`{foreign}`", "another processor family", "simd-"):
            self.assertIn(part, done.stderr)

    def test_with_the_table_alone_the_reason_is_said_too(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "libnone.so")
            with open(path, "w", encoding="utf-8") as file:
                file.write("no shared object")
            done = conform("run", "--table-only", "--target", f"lib:{path}", *ONE_ROW)
            self.assertEqual(done.returncode, 3)
            self.assertIn("cannot load the shared object", done.stdout)
            self.assertIn("broken\n", done.stdout.splitlines(True)[-1])

    @unittest.skipUnless(shutil.which("cc"), "needs a C compiler")
    def test_one_without_the_symbol_is_broken_and_the_symbol_named(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "libnone.so")
            subprocess.run(["cc", "-shared", "-fPIC", "-x", "c", "-", "-o", path], input="int nothing;", text=True,
                           check=True)
            done = conform("run", "--target", f"lib:{path}", *ONE_ROW)
            self.assertEqual(done.returncode, 3)
            self.assertIn("does not export the symbol hurray_target", done.stdout)


class Output(unittest.TestCase):
    def test_a_failure_is_shown_with_all_that_helps(self):
        done = conform("run", "--target", "builtin:fault-zero-point-unchecked", "--select", "HQ-PTA-011")
        for part in ("HQ-PTA-011 violated", "looks for ", "request ", "expected ", "got ", "class ", "replay ", "in C"):
            self.assertIn(part, done.stdout)

    def test_the_command_that_replays_a_failure_does(self):
        done = conform("run", "--target", "builtin:fault-zero-point-unchecked", "--select", "HQ-PTA-011")
        command = re.search(r"replay +hurray-conform (.*)", done.stdout)[1]
        again = subprocess.run(f"{harness.PROGRAM} {command}", shell=True, capture_output=True, text=True,
                               timeout=harness.STUCK_SECONDS)
        self.assertEqual(again.returncode, 1, again.stdout + again.stderr)
        for part in ("> 1 hello version=1", "< 1 ok version=1", "  may answer reject", "\nfail\n"):
            self.assertIn(part, again.stdout)

    def test_a_replay_of_a_crash_says_how_it_ended(self):
        target = scripted(*doing("crash", "verb:decode"))
        done = conform("replay", "--target", target, "decode/header/golden")
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        self.assertIn("killed by signal 11", done.stdout)

    def test_a_replay_of_a_broken_target_is_broken(self):
        done = conform("replay", "--target", exec_target("false"), "decode/header/golden")
        self.assertEqual(done.returncode, 3)

    def test_nothing_but_text_goes_into_a_pipe(self):
        # No colours and no progress line, which only a terminal understands.
        done = conform("run", "--target", "builtin:fault-zero-point-unchecked", "--select", "HQ-PTA-*")
        self.assertNotIn("\x1b", done.stdout + done.stderr)
        self.assertNotIn("\r", done.stdout + done.stderr)
        self.assertEqual(done.stderr, "")

    def on_terminal(self, **environment):
        """What the program writes to a terminal."""
        try:
            leader, follower = os.openpty()
        except OSError as error:  # a bare root without /dev/pts has no terminals to test
            self.skipTest(f"no pseudo-terminal on this machine: {error}")
        process = subprocess.Popen(
            [harness.PROGRAM, "run", "--target", "builtin:fault-zero-point-unchecked", "--select", "HQ-PTA-011"],
            stdout=follower, stderr=follower, env={**os.environ, "TERM": "xterm", **environment})
        os.close(follower)
        written = b""
        try:
            while chunk := os.read(leader, 65536):
                written += chunk
        except OSError:
            pass  # the other side is closed
        os.close(leader)
        process.wait(timeout=harness.STUCK_SECONDS)
        return written

    def test_colours_are_for_terminals_and_can_be_refused(self):
        # An empty NO_COLOR is none.
        self.assertIn(b"\x1b[31m", self.on_terminal(NO_COLOR=""))
        self.assertNotIn(b"\x1b[31m", self.on_terminal(NO_COLOR="1"))

    def test_a_reader_that_has_had_enough_is_no_error(self):
        done = subprocess.run(f"set -o pipefail; {harness.PROGRAM} list cases | head -n 1", shell=True,
                              executable="/bin/bash", capture_output=True, text=True, timeout=harness.STUCK_SECONDS)
        self.assertIn(done.returncode, (0, 141), done.stderr)
        self.assertEqual(done.stderr, "")

    def test_fail_fast_stops_early(self):
        full = conform("run", "--target", "builtin:fault-ties-to-even", "--select", "*quantize/*")
        done = conform("run", "--target", "builtin:fault-ties-to-even", "--select", "*quantize/*", "--fail-fast",
                       "--jobs", 1)
        self.assertEqual((full.returncode, done.returncode), (1, 1))
        self.assertLess(done.stdout.count(" violated "), full.stdout.count(" violated "))

    def test_a_target_that_fail_fast_kept_from_being_judged_says_so(self):
        done = conform("run", "--target", "builtin:fault-ties-to-even", "--target", "builtin:scalar",
                       "--fail-fast", "--jobs", 1)
        self.assertEqual(done.returncode, 1, done.stdout)
        self.assertRegex(done.stdout, r"(?m)^builtin:scalar .* not judged$")


class Replays(unittest.TestCase):
    def test_several_cases_are_judged_together(self):
        names = ("decode/header/golden", "quantize/order/near-tie")
        done = conform("replay", "--target", "builtin:fault-ties-to-even", *names)
        self.assertEqual(done.returncode, 1, done.stdout)
        self.assertEqual(done.stdout.count("> 1 hello version=1"), 2)
        self.assertIn("\npass\n", done.stdout)
        self.assertIn("\nfail\n", done.stdout)

    def test_limits_and_strictness_of_the_run_are_in_the_line(self):
        text = conform("run", "--target", "builtin:fault-zero-point-unchecked", "--select", "HQ-PTA-011",
                       "--timeout", 7, "--memory", 0, "--strict").stdout
        self.assertIn(" --timeout 7 --memory 0 --strict decode/", text)

    def test_3_is_a_case_that_the_target_does_not_claim(self):
        done = conform("replay", "--target", "builtin:ra8", "decode/header/golden")
        self.assertEqual(done.returncode, 3)
        self.assertIn("not judged: contract hurray is not claimed", done.stdout)


class Reports(unittest.TestCase):
    def reports(self, *arguments):
        with tempfile.TemporaryDirectory() as folder:
            place = os.path.join(folder, "new", "folder")
            conform("run", "--report-dir", place, *arguments)
            files = {}
            for name in os.listdir(place):
                with open(os.path.join(place, name), "rb") as file:
                    files[name] = file.read()
            return files

    def test_six_files_are_written_into_a_folder_that_is_made(self):
        files = self.reports("--target", "builtin:scalar", *ONE_ROW)
        self.assertEqual(set(files), {"report.json", "run.json", "junit.xml", "report.sarif", "summary.md", "report.html"})
        report, run = json.loads(files["report.json"]), json.loads(files["run.json"])
        self.assertEqual(set(report), {"suite", "strict", "targets"})
        self.assertTrue({"suite", "started", "seconds", "host", "jobs", "command", "targets"} <= set(run))
        self.assertGreaterEqual(run["jobs"], 1)  # one per processor is a number too
        self.assertRegex(run["started"], r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$")
        self.assertEqual(run["suite"]["digest"], report["suite"]["digest"])

    def test_junit_has_a_case_for_every_requirement(self):
        files = self.reports("--target", "bad=builtin:fault-zero-point-unchecked", "--target",
                             exec_target("false", name="gone"), "--select", "HQ-PTA-*")
        root = xml.etree.ElementTree.fromstring(files["junit.xml"])
        bad, gone = root.findall("testsuite")
        rows = len(json.loads(files["report.json"])["targets"][0]["requirements"])
        self.assertEqual((bad.get("name"), int(bad.get("tests")), len(bad.findall("testcase"))), ("bad", rows, rows))
        failed = {case.get("name") for case in bad.findall("testcase") if case.find("failure") is not None}
        self.assertIn("HQ-PTA-011", failed)
        self.assertEqual(int(bad.get("failures")), len(failed))
        self.assertEqual((int(gone.get("errors")), len(gone.findall("testcase/error"))), (1, 1))

    def test_files_can_be_read_whatever_a_target_says(self):
        # Bytes that are no UTF-8, control characters and markup, in answers, names and on standard error.
        nasty = "%ff%1b[31m<&>%22%01%c3"
        targets = [scripted(*doing(f"say:reject {nasty}", "verb:decode"), name="hint"),
                   scripted(*doing(f"say:{nasty}", "verb:decode"), name="line"),
                   scripted(*doing(f"say:ok version=1 name={nasty} contract=hurray types.decode=10,11", "hello"),
                            name="hello"),
                   scripted(*doing(f"say:ok version=1 name=x contract={nasty}", "hello"), name="contract"),
                   exec_target("sh", "-c", "printf 'bad \\377\\033[31m<&>\\n' >&2; exit 1", name="stderr")]
        for target in targets:
            files = self.reports("--target", target, "--select", "decode/header/*")
            with self.subTest(target.split("=")[0]):
                xml.etree.ElementTree.fromstring(files["junit.xml"])
                json.loads(files["report.json"].decode("utf-8"))
                json.loads(files["run.json"].decode("utf-8"))

    def test_what_a_target_says_does_not_steer_the_terminal(self):
        target = scripted(*doing("say:reject %1b]0;title%07%1b[2J", "verb:decode"))
        for arguments in (["run", "--target", target, "--select", "decode/header/*"],
                          ["replay", "--target", target, "decode/header/golden"]):
            done = conform(*arguments)
            self.assertEqual(done.returncode, 1)
            self.assertIn("]0;title", done.stdout)
            self.assertNotIn("\x1b", done.stdout, arguments[0])


class Lists(unittest.TestCase):
    def test_requirements(self):
        done = conform("list", "requirements")
        self.assertEqual(done.returncode, 0)
        self.assertRegex(done.stdout, r"(?m)^HQ-PTA-011 +MUST +\d+  A reader refuses a zero point")

    def test_requirements_for_machines(self):
        rows = json.loads(conform("list", "requirements", "--json").stdout)
        names = {case["name"] for case in harness.all_cases()}
        self.assertEqual(len(rows), 307)
        for row in rows:
            self.assertTrue({"id", "level", "contract", "clause", "text", "rulings", "cases"} <= set(row), row["id"])
            self.assertEqual("reason" in row, not row["cases"])
            self.assertTrue(set(row["cases"]) <= names)

    def test_cases(self):
        names = conform("list", "cases").stdout.splitlines()
        self.assertEqual(names, [case["name"] for case in harness.all_cases()])
        self.assertEqual(names, sorted(names))

    def test_cases_for_machines(self):
        document = json.loads(conform("list", "cases", "--json").stdout)
        self.assertEqual(set(document), {"suite", "cases"})
        self.assertEqual(document["suite"]["cases"], len(document["cases"]))
        for case in document["cases"]:
            self.assertEqual(set(case), {"name", "requirements", "why", "steps"})
            self.assertTrue(case["requirements"])
            for step in case["steps"]:
                self.assertEqual(set(step), {"request", "expect"})
                for expected in step["expect"]:
                    self.assertTrue({"answer", "verdict", "shows"} <= set(expected))

    def test_targets(self):
        names = conform("list", "targets").stdout.splitlines()
        self.assertIn("builtin:scalar", names)
        targets = json.loads(conform("list", "targets", "--json").stdout)
        self.assertEqual([target["attachment"] for target in targets], names)


    def test_faults(self):
        lines = conform("list", "faults").stdout.splitlines()
        self.assertIn("builtin:fault-zero-point-unchecked  HQ-PTA-011  "
                      "the decoder takes any int32 as the zero point, whatever the storage type", lines)
        zoo = json.loads(conform("list", "faults", "--json").stdout)
        self.assertEqual([row["attachment"] for row in zoo["faults"] + zoo["latitude"]],
                         [line.split("  ")[0] for line in lines])


class Explanations(unittest.TestCase):
    def test_of_a_requirement(self):
        done = conform("explain", "HQ-PTA-011")
        for part in ("HQ-PTA-011", "MUST", "contract hurray", "clause", "A03", "cases     "):
            self.assertIn(part, done.stdout)

    def test_of_a_requirement_without_cases(self):
        self.assertIn("not testable", conform("explain", "HQ-PBA-023").stdout)

    def test_of_a_requirement_that_a_compiler_judges_says_how_to_ask_it(self):
        self.assertIn("python3 targets/ra8/compile_test.py --row RA8-Q-023", conform("explain", "RA8-Q-023").stdout)
        listed = conform("list", "requirements").stdout
        self.assertRegex(listed, r"RA8-Q-033 .*\[compile test: python3 targets/ra8/compile_test.py --row RA8-Q-033\]")

    def test_of_a_case_shows_its_bytes(self):
        done = conform("explain", "decode/header/golden")
        for part in ("decode/header/golden", "Looks for tag", "scale 0.5", "HQ-HDR-001"):
            self.assertIn(part, done.stdout)


class Inspections(unittest.TestCase):
    def test_a_valid_descriptor(self):
        for type in ("int8", "10"):
            done = conform("inspect", "--type", type, "010100000000003f0300000000000000")
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
            self.assertIn("valid: code 3 stands for 0", done.stdout)

    def test_an_invalid_one_names_the_requirement(self):
        done = conform("inspect", "--type", "int8", "010100000000003f8000000000000000")
        self.assertEqual(done.returncode, 1)
        self.assertIn("breaks HQ-PTA-011", done.stdout)


class Doctor(unittest.TestCase):
    def test_says_what_works(self):
        done = conform("doctor")
        self.assertEqual(done.returncode, 0, done.stdout)
        for part in ("suite", "builtin:scalar", "exec:", "lib: +a shared object loads", "python3", "cc"):
            self.assertRegex(done.stdout, rf"(?m)^ok +{part}")
        self.assertRegex(done.stdout, r"(?m)^(ok|no) +qemu-system-arm")

    def test_says_what_is_missing(self):
        done = conform("doctor", environment={"PATH": "/nonexistent"})
        self.assertRegex(done.stdout, r"(?m)^no +python3 +.*package python3")


if __name__ == "__main__":
    harness.main()
