# SPDX-License-Identifier: Apache-2.0
"""Does `hurray-conform fuzz` say what its help says: nothing of what is right, something of what is wrong, the same for
the same seed, and a clear end with targets that crash, hang or babble?
"""

import json
import os
import pathlib
import re
import shlex
import shutil
import signal
import subprocess
import tempfile
import time
import unittest

import harness
from harness import conform, doing, exec_target, scripted

RUNS = 6000
# Answers the dequantize behind a decode that was refused with zeros.
FORGETFUL = shlex.join(["python3", "-u", "-c", """
import re, subprocess, sys
inner = subprocess.Popen(sys.argv[1], shell=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)
was_refused = False
for line in sys.stdin:
    inner.stdin.write(line)
    answer = inner.stdout.readline()
    verb = line.split()[1]
    if verb == "decode":
        was_refused = " reject" in answer
    elif verb == "dequantize":
        print(re.sub("out=([0-9a-f]*)", lambda found: "out=" + "0" * len(found[1]), answer) if was_refused else answer, end="")
        was_refused = False
        continue
    print(answer, end="")
"""])


def fault(name):
    return exec_target(harness.FAULT, name)


class Fuzz(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def fuzz(self, target, *arguments, code, runs=RUNS):
        done = conform("fuzz", "--target", target, "--runs", runs, *arguments)
        self.assertEqual(done.returncode, code, done.stdout[-3000:] + done.stderr)
        self.assertEqual(done.stderr if code != 2 else done.stdout, "")
        return done.stdout

    def files(self, name="out"):
        return {path.name: path.read_bytes() for path in pathlib.Path(self.folder, name).iterdir()}


class Right(Fuzz):
    def test_0_is_no_finding(self):
        for target in ("builtin:scalar", "builtin:reference", "builtin:ra8"):
            text = self.fuzz(target, code=0, runs=20000)
            self.assertRegex(text, r"^[a-z0-9]+: 20000 cases, \d+ requests, seed 1: 0 kinds of findings\n$|"
                                   r"^builtin:[a-z0-9-]+: 20000 cases, \d+ requests, seed 1: 0 kinds of findings\n$")

    def test_what_the_adapter_in_python_claims_is_right(self):
        self.fuzz(exec_target("python3", harness.PYTHON_ADAPTER), code=0, runs=4000)

    def test_a_seed_is_other_requests(self):
        counts = {self.fuzz("builtin:scalar", "--seed", seed, code=0, runs=2000).split("seed")[0] for seed in (1, 2, 3)}
        self.assertGreater(len(counts), 1)


class Wrong(Fuzz):
    def test_1_is_a_finding_that_says_what_and_how_to_see_it_again(self):
        text = self.fuzz(fault("ties-to-even"), "--out", os.path.join(self.folder, "out"), code=1)
        for part in (r"^it: fail quantize \S+: ties-to-even \(draw \d+, \d+ in all\)$", r"^  (about |beside)    HC-QNT-\d+: ",
                     r"^  request   quantize type=.. scale=\S+ zero_point=\S+ count=1 in=[0-9a-f]{8}$",
                     r"^  class     ties-to-even: ", r"^  replay    hurray-conform replay --target .* --vector .*\.json$"):
            self.assertRegex(text, re.compile(part, re.M))
        files = self.files()
        self.assertEqual(files.pop("findings.txt").decode(), text[:text.index("findings in ")])
        names = {name.rsplit(".", 1)[0] for name in files}
        self.assertEqual(files.keys(), {f"{name}.{kind}" for name in names for kind in ("c", "json", "toml", "txt")})
        # Kinds with the same smallest request share its files.
        self.assertEqual(names, set(re.findall(r"([^/\s']+)\.json\b", text)))

    def test_the_replay_command_shows_it_again_and_nothing_with_who_is_right(self):
        text = self.fuzz(fault("zero-point-unchecked"), "--out", os.path.join(self.folder, "out"), code=1)
        command = shlex.split(re.search(r"replay +hurray-conform (replay .*)", text)[1])
        again = conform(*command)
        self.assertEqual(again.returncode, 1, again.stdout + again.stderr)
        self.assertIn("\nfail\n", again.stdout)
        command[command.index("--target") + 1] = "builtin:scalar"
        self.assertEqual(conform(*command).returncode, 0)

    def test_files_are_a_vector_a_case_lines_and_c(self):
        self.fuzz(fault("product-divides"), "--out", os.path.join(self.folder, "out"), code=1)
        files = self.files()
        name = next(name[:-5] for name in files if name.endswith(".json"))
        vector = json.loads(files[name + ".json"])
        self.assertEqual(vector["id"], f"fuzz/{name}")
        request = vector["steps"][-1]["request"]
        self.assertIn(request, files[name + ".txt"].decode())
        toml = files[name + ".toml"].decode()
        self.assertIn(f'[[requirement.case]]\nname = "{name}"', toml)
        # The lines give the wrong answer when a person pipes them into the adapter.
        said = subprocess.run([harness.FAULT, "product-divides"], input=files[name + ".txt"], capture_output=True,
                              timeout=harness.STUCK_SECONDS).stdout.decode().splitlines()[-1].split(" ", 1)[1]
        self.assertNotIn(said, [each["answer"] for each in vector["steps"][-1]["expect"]])
        # The reason is that of the finding, and not of the case that it was found beside.
        self.assertRegex(vector["why"], r"^dequantize \S+: .* \(found by fuzz beside \S+\)$")
        self.assertIn(vector["why"], toml)

    def test_the_same_seed_and_runs_give_the_same_bytes_however_many_jobs(self):
        outputs = []
        for jobs in (1, 2, 3):
            out = os.path.join(self.folder, "out")
            text = self.fuzz(fault("ties-to-even"), "--seed", 5, "--jobs", jobs, "--out", out, code=1)
            outputs.append((text, self.files()))
            shutil.rmtree(out)
        self.assertEqual(outputs[0], outputs[1])
        self.assertEqual(outputs[0], outputs[2])

    def test_one_kind_is_told_once_and_has_one_set_of_files(self):
        text = self.fuzz(fault("int4-not-sign-extended"), "--out", os.path.join(self.folder, "out"), code=1)
        heads = re.findall(r"^it: fail ([^(]*) \(draw", text, re.M)
        self.assertEqual(len(heads), len({name for name in self.files() if name.endswith(".json")}))
        about = re.findall(r"^it: fail ([^(]*) \(draw.*\n  about     \S+:", text, re.M)
        self.assertEqual(len(set(heads)), len(heads) - (len(about) - len(set(about))), text)

    def test_what_is_remembered_of_a_request_is_found_with_it(self):
        # What it refused to decode it holds against the next array of int8: no request alone shows that.
        text = self.fuzz(f"it=exec:{FORGETFUL} {harness.SCALAR}", "--out", os.path.join(self.folder, "out"), code=1)
        self.assertIn("behind those requests it does", text)
        steps = {name: len(json.loads(content)["steps"]) for name, content in self.files().items()
                 if name.endswith(".json") and "dequantize" in name}
        name = min((name for name in steps if steps[name] > 1), key=steps.get)
        self.assertEqual(steps[name], 2)
        vector = os.path.join(self.folder, "out", name)
        again = conform("replay", "--target", f"it=exec:{FORGETFUL} {harness.SCALAR}", "--vector", vector)
        self.assertEqual(again.returncode, 1, again.stdout + again.stderr)
        self.assertEqual(conform("replay", "--target", "builtin:scalar", "--vector", vector).returncode, 0)

    def test_fail_fast_stops_at_the_first(self):
        text = self.fuzz(fault("ties-to-even"), "--fail-fast", code=1, runs=1000000)
        self.assertEqual(text.count("it: fail "), 1)
        self.assertLess(int(re.search(r"(\d+) cases", text)[1]), 100000)

    def test_what_two_draws_contradict_is_a_finding_of_both(self):
        # Each choice is legal, and not the one here and the other there.
        text = self.fuzz("it=builtin:latitude-mixes-wrap-by-count", code=1, runs=20000)
        self.assertIn(": inconsistent (", text)
        self.assertRegex(text, r"after     dequantize[^\n]*\n  request   dequantize[^\n]*\n(  input[^\n]*\n)?  expected  int32-difference")

    def test_strict_makes_findings_of_warnings(self):
        self.fuzz("it=builtin:latitude-version-0-read", code=0)
        self.assertIn("it: warn ", self.fuzz("it=builtin:latitude-version-0-read", "--strict", code=1))


# A target of the build as `hurray_target` and as the functions of the firmware.
SERVED = """
#define HURRAY_TARGET_SYMBOL hurray_target_scalar
#include "faults/faults.h"
#define FIRMWARE(NAME, IN, OUT) \\
  uint16_t ra8_npu_##NAME(const IN* in, OUT* out, size_t count, float scale, int32_t zero_point) { \\
    return hurray_target.ra8->NAME(in, out, count, scale, zero_point); \\
  }
struct hurray_target hurray_target;
__attribute__((constructor)) static void choose(void) {
  hurray_target = FAULT[0] ? *hurray_fault_target(FAULT) : hurray_target_scalar;
}
FIRMWARE(quantize_i8, float, int8_t)
FIRMWARE(quantize_u8, float, uint8_t)
FIRMWARE(dequantize_i8, int8_t, float)
FIRMWARE(dequantize_u8, uint8_t, float)
"""


class TestsInC(Fuzz):
    """The programs in C that come with findings: they hold for who is right, and not for who was fuzzed."""

    def built(self, source, name, wrong):
        targets = os.path.join(harness.SOURCE, "targets")
        served = pathlib.Path(self.folder, "served.c")
        served.write_text(SERVED)
        installed = pathlib.Path(self.folder, "include")
        installed.mkdir(exist_ok=True)
        if not (installed / "hurray").exists():
            (installed / "hurray").symlink_to(targets)
        program = os.path.join(self.folder, name)
        folders = os.path.join(harness.BUILD, "targets")
        done = subprocess.run(["cc", "-std=c11", "-Wall", "-Werror", f'-DFAULT="{wrong}"', f"-I{installed}", f"-I{targets}", f"-I{targets}/ra8",
                               "-o", program, source, served, f"{folders}/faults/libhurray_faults.a",
                               f"{folders}/scalar/libhurray_builtin_scalar.a", "-lm"], capture_output=True, text=True)
        if '#error "' in pathlib.Path(source).read_text():
            self.assertIn("use the vector", done.stderr)
            return None
        self.assertEqual(done.returncode, 0, done.stderr)
        return program

    def test_each_fails_with_who_was_fuzzed_and_holds_with_who_is_right(self):
        # Codes, values, a section that is taken, fields, bytes that are written.
        for name, verbs in (("ties-to-even", ("quantize", "ra8 quantize")), ("product-divides", ("dequantize",)),
                            ("ra8-difference-wraps", ("ra8 dequantize",)), ("zero-point-unchecked", ("decode",)),
                            ("scale-sign-lost", ("decode",)), ("encode-zero-point-biased", ("encode",)),
                            ("elements-nibbles-swapped", ("unpack", "widen")), ("bias-forgotten", ("normalize",)),
                            ("pack-nibbles-swapped", ("pack",)), ("size-one-more", ("packed_bytes",)),
                            ("write-section-padded", ("encode_tensor",))):
            out = os.path.join(self.folder, name)
            self.fuzz(fault(name), "--out", out, code=1)
            for verb in verbs:
                sources = [path for path in sorted(pathlib.Path(out).glob("*.c"))
                           if re.search(rf"fuzz: {verb}( |,|_[iu]8)", path.read_text())]
                self.assertTrue(sources, f"{name}: {verb}")
                compared = 0
                for source in sources:
                    if compared == 3:
                        break
                    with self.subTest(name, verb=verb, source=source.name):
                        right = self.built(source, "right", "")
                        if not right:
                            continue
                        compared += 1
                        run = subprocess.run([right], capture_output=True, text=True)
                        self.assertEqual(run.returncode, 0, run.stderr + source.read_text())
                        run = subprocess.run([self.built(source, "wrong", name)], capture_output=True, text=True)
                        self.assertEqual(run.returncode, -signal.SIGABRT, f"holds with {name}\n{source.read_text()}")
                        self.assertIn("Assertion", run.stderr)
                self.assertGreater(compared, 0, f"{name}: {verb}: none is compared")


class Ends(Fuzz):
    """Whatever ends a run, what was found by then is said."""

    def started(self, target, *arguments):
        return subprocess.Popen([harness.PROGRAM, "fuzz", "--target", target, *map(str, arguments)], stdout=subprocess.PIPE,
                                stderr=subprocess.PIPE, text=True)

    def wait_for_a_file(self, folder):
        end = time.monotonic() + harness.STUCK_SECONDS
        while not list(pathlib.Path(folder).glob("*.json")):
            self.assertLess(time.monotonic(), end, "no finding was written")
            time.sleep(0.05)

    def test_findings_are_written_at_once_and_a_signal_keeps_them(self):
        for number in (signal.SIGINT, signal.SIGTERM):
            out = os.path.join(self.folder, f"out{number}")
            run = self.started(fault("ties-to-even"), "--seconds", 600, "--out", out)
            self.wait_for_a_file(out)
            run.send_signal(number)
            text, errors = run.communicate(timeout=harness.STUCK_SECONDS)
            self.assertEqual(run.returncode, 1, text + errors)
            self.assertRegex(text, r"(?m)^it: interrupted: [1-9]\d* cases")
            self.assertRegex(text, r"(?m)^it: fail .*ties-to-even")
            names = {path.name for path in pathlib.Path(out).glob("*.json")}
            self.assertEqual(names, set(re.findall(r"[a-z0-9-]+\.json", pathlib.Path(out, "findings.txt").read_text())))

    def test_a_second_signal_ends_it(self):
        marker = pathlib.Path(self.folder, "started")
        run = self.started(exec_target("sh", "-c", f"touch {marker}; sleep 600"), "--seconds", 600, "--timeout", 600)
        end = time.monotonic() + harness.STUCK_SECONDS
        while not marker.exists():
            self.assertLess(time.monotonic(), end, "the target was not started")
            time.sleep(0.05)
        run.send_signal(signal.SIGTERM)
        time.sleep(1)
        self.assertIsNone(run.poll())
        run.send_signal(signal.SIGTERM)
        self.assertEqual(run.wait(timeout=harness.STUCK_SECONDS), -signal.SIGTERM)
        run.communicate()

    def test_who_hangs_on_everything_is_a_finding_and_not_silence(self):
        text = conform("fuzz", "--target", scripted(*doing("hang", "has: type=")), "--seconds", 0.1, "--timeout", 0.5).stdout
        self.assertRegex(text, r"it: fail .*: hang \(|it: broken: ")

    def test_4_is_what_could_not_be_written_and_is_shown(self):
        out = pathlib.Path(self.folder, "out")
        run = self.started(fault("ties-to-even"), "--seconds", 600, "--out", out)
        self.wait_for_a_file(out)
        # A folder that is no longer there can be written to by nobody, root included.
        out.rename(pathlib.Path(self.folder, "elsewhere"))
        out.write_text("")
        run.send_signal(signal.SIGTERM)
        text, errors = run.communicate(timeout=harness.STUCK_SECONDS)
        self.assertEqual(run.returncode, 4, text + errors)
        self.assertRegex(text, r"(?m)^it: fail .*ties-to-even")
        self.assertIn("cannot write ", errors)

    def test_2_is_a_folder_that_holds_something(self):
        done = conform("fuzz", "--target", "builtin:scalar", "--runs", 5, "--out", harness.SOURCE)
        self.assertEqual(done.returncode, 2)
        self.assertIn("not empty", done.stderr)


class Broken(Fuzz):
    def test_a_crash_is_a_finding_with_its_request(self):
        text = self.fuzz(scripted(*doing("crash", "has:scheme=2 ")), code=1, runs=2000)
        self.assertIn("crash", text)
        self.assertRegex(text, r"request   encode\S* .*scheme=2 ")

    def test_a_hang_is_a_finding(self):
        text = self.fuzz(scripted(*doing("hang", "has:count=129 ")), "--timeout", 2, code=1, runs=500)
        self.assertIn(": hang (", text)

    def test_3_is_garbage(self):
        text = self.fuzz(scripted(*doing("noise", "verb:widen")), code=3, runs=500)
        self.assertIn("some answers do not follow the protocol", text)
        self.assertIn("garbled-answer", text)

    def test_3_is_who_does_not_start_or_dies_at_once_or_falls_silent(self):
        for target in (exec_target("false"), exec_target("cat"), exec_target("sh", "-c", "sleep 600"),
                       scripted(*doing("say:ok", "unknown-verb"))):
            text = self.fuzz(target, "--timeout", 1, code=3, runs=500)
            self.assertIn("it: broken: ", text)

    def test_who_fails_again_and_again_is_given_up(self):
        text = self.fuzz(exec_target("sh", "-c", f"head -n 1 | {harness.SCALAR}; exit 3"), code=3, runs=2000)
        self.assertIn("it: broken: ", text)

    def test_2_is_usage(self):
        for arguments, says in ((["--runs", 0], "--runs"), (["--seconds", 1, "--runs", 5], "excludes"),
                                (["--target", ""], "--target"), (["--seed", "x"], "--seed"), (["--seed", "-1"], "--seed"),
                                (["--seed", "99999999999999999999999"], "--seed"), (["--seed", "0x10"], "--seed"),
                                (["--seconds", "nan"], "--seconds"), (["--seconds", "inf"], "--seconds")):
            done = conform("fuzz", *([] if "--target" in arguments else ["--target", "builtin:scalar"]), *arguments)
            self.assertEqual(done.returncode, 2, done.stdout)
            self.assertIn(says, done.stderr)
        self.assertEqual(conform("fuzz", "--target", "builtin:nobody", "--runs", 5).returncode, 2)
        self.assertEqual(conform("replay", "--target", "builtin:scalar", "--vector", "/nowhere").returncode, 2)
        self.assertEqual(conform("replay", "--target", "builtin:scalar").returncode, 2)


class Sampled(Fuzz):
    """Ten faults of the zoo over exec:, each with a number of runs that finds it: bench/blackbox_fuzz.py has the rest."""

    FAULTS = ["tag-unchecked", "reserved-ignored", "int4-not-sign-extended", "ra8-difference-wraps", "bias-forgotten",
              "ties-to-even-in-the-tail", "pca-flags-ignored", "nf4-version-unchecked", "mxfp-flags-ignored",
              "tensor-magic-unchecked"]

    def test_each_is_found(self):
        for name in self.FAULTS:
            with self.subTest(name):
                self.fuzz(fault(name), "--fail-fast", code=1, runs=200000)


if __name__ == "__main__":
    harness.main()
