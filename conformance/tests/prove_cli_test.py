# SPDX-License-Identifier: Apache-2.0
"""Does `hurray-conform prove` say what its help says: agreement, the first difference, shards that fit together or not?

Over every built-in target that claims a sweep, one pair on a sixty-fourth of the inputs.
"""

import json
import os
import re
import subprocess
import unittest

import harness
from harness import InFolder, conform, doing, exec_target, scripted

INT8 = ["--op", "quantize", "--type", "int8", "--scale", "0.1", "--zero-point", 3]
INT16_CODES = ["--op", "dequantize", "--type", "int16", "--scale", "0.001", "--zero-point", -7]
CODES = ["--set", "default", "--op", "dequantize"]
# A fault in the product that 8-bit codes show.
WRONG_FLOAT = "product-divides"


class Proofs(unittest.TestCase):
    def prove(self, *arguments, code):
        done = conform("prove", *arguments)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        self.assertEqual(done.stderr if code != 2 else done.stdout, "")
        return done.stdout if code != 2 else done.stderr

    def usage(self, *arguments, says):
        text = self.prove(*arguments, code=2)
        for part in says:
            self.assertIn(part, text)


class OneFunction(Proofs):
    def test_every_builtin_target_that_claims_a_sweep_is_right_on_a_part(self):
        # 1.0 lies in the shard 17/64.
        targets = conform("list", "targets").stdout.split()
        attachments = [each for each in targets if each.startswith("builtin:") and
                       not re.match("builtin:(fault|latitude|liar)-", each)]
        judged = 0
        for target in attachments:
            for function in (INT8, ["--fn", "quantize_i8", "--scale", "0.1", "--zero-point", 3]):
                done = conform("prove", "--target", target, *function, "--shard", "17/64")
                with self.subTest(target, function=function):
                    self.assertIn(done.returncode, (0, 3), done.stdout)
                    self.assertIn("66846720 inputs, all as the reference" if done.returncode == 0 else "is not claimed",
                                  done.stdout)
                judged += done.returncode == 0
        self.assertGreaterEqual(judged, 3)

    def test_0_is_agreement_of_every_code(self):
        text = self.prove("--target", "builtin:scalar", *INT16_CODES, code=0)
        self.assertEqual(text, "builtin:scalar: 65536 codes, all as the reference\n")
        text = self.prove("--target", "builtin:scalar", "--op", "dequantize", "--type", "int4", "--scale", "-0.5",
                          "--zero-point", 3, code=0)
        self.assertEqual(text, "builtin:scalar: 16 codes, all as the reference (zeros=ieee)\n")

    def test_1_is_a_difference_and_the_same_as_that_of_a_sweep(self):
        function = ["--type", "int8", "--scale", 1, "--zero-point", 3]
        target = ["--target", "even=builtin:fault-ties-to-even"]
        text = self.prove(*target, "--op", "quantize", *function, "--jobs", 2, "--shard", "16/64", code=1)
        swept = conform("sweep", *target, *function, "--first", "3bc40000", "--count", 66846720).stdout
        self.assertIn("even: differs at input 3f000000 (0.5)\n  expected  4\n  got       3   (-1)\n", text)
        self.assertEqual(text[:text.index("  reading")], swept[:swept.index("  reading")])
        self.assertEqual(text[text.index("  request"):], swept[swept.index("  request"):])

    def test_a_wrong_float_is_shown_between_its_neighbours_and_can_be_asked_again(self):
        text = self.prove("--target", f"builtin:fault-{WRONG_FLOAT}", "--op", "dequantize", "--type", "int8", "--scale",
                          "0.1", "--zero-point", 3, code=1)
        for part in (": differs at code ", "  expected  ", "  got       ", "  class     ", "dequantize(0x10,"):
            self.assertIn(part, text)
        request = re.search(r"request +(.*)", text)[1]
        answer = subprocess.run([harness.FAULT, WRONG_FLOAT], input=f"1 {request}\n", capture_output=True, text=True,
                                timeout=harness.STUCK_SECONDS).stdout
        got = int.from_bytes(bytes.fromhex(answer.split("out=")[1]), "little")
        self.assertIn(f"  got       {got:08x} (", text)

    def test_1_is_a_crash_that_is_named_by_its_code(self):
        text = self.prove("--target", scripted(*doing("crash", "has:first=00000000")), *INT16_CODES, code=1)
        self.assertIn("crashes at code 0000 (0)", text)

    def test_3_is_not_claimed_or_broken(self):
        python = exec_target("python3", harness.PYTHON_ADAPTER, name="python")
        self.assertEqual(self.prove("--target", python, *INT8, code=3),
                         "python: not judged: sweep is not claimed\n  its answer to hello has to name "
                         "contract=hurray ops=sweep types.quantize=10\n  a table in C gets that from the kit with "
                         ".contracts |= HURRAY_CONTRACT_HURRAY, .quantize_types |= HURRAY_TYPE_INT8 and .quantize\n")
        self.assertEqual(self.prove("--target", python, *INT16_CODES, code=3),
                         "python: not judged: sweep.dequantize is not claimed\n  its answer to hello has to name "
                         "contract=hurray ops=sweep.dequantize types.dequantize=12\n  a table in C gets that from the "
                         "kit with .contracts |= HURRAY_CONTRACT_HURRAY, .dequantize_types |= HURRAY_TYPE_INT16 and "
                         ".dequantize\n")
        self.assertIn("not judged: no row is claimed", self.prove("--target", python, "--set", "default", code=3))
        self.assertIn("broken", self.prove("--target", exec_target("false"), *INT8, code=3))
        self.assertIn("broken", self.prove("--target", exec_target("false"), *CODES, code=3))

    def test_2_is_what_cannot_be_proved(self):
        target = ["--target", "builtin:scalar"]
        self.usage(*INT8, says=["no --target", "for example"])
        self.usage(*target, says=["--set default", "for example"])
        self.usage(*target, *INT8[:-2], says=["--zero-point"])
        self.usage(*target, *INT8, "--fn", "quantize_i8", says=["--fn"])
        self.usage(*target, *INT8, "--set", "default", says=["--set"])
        self.usage(*target, *INT8, "--list", says=["--set"])
        self.usage(*target, "--op", "sing", says=["--op"])
        self.usage(*target, *INT8, "--jobs", -1, says=["--jobs"])
        self.usage(*target, "--set", "default", "--type", "int7", says=["--type int7", "--list"])
        self.usage(*target, "--op", "quantize", "--type", "int8", "--scale", "-1", "--zero-point", 3,
                   says=["--scale -1", "above zero"])
        self.usage(*target, "--op", "dequantize", "--type", "int8", "--scale", "0", "--zero-point", 3,
                   says=["--scale 0", "other than zero"])
        for shard in ("3", "0/3", "4/3", "1/0", "-1/3", "1/65537", "1/3/5", "a/b", "1/"):
            self.usage(*target, *INT8, "--shard", shard, says=[f"--shard {shard}", "for example 3/16"])
        self.usage(*target, "--op", "dequantize", "--type", "int2", "--scale", 1, "--zero-point", 0, "--shard", "1/64",
                   says=["--shard 1/64", "int2 has only 4 codes"])
        self.usage(*target, *INT8, "--merge", "a.json", says=["--merge"])


class TheSet(Proofs):
    def test_the_list_has_a_reason_for_each_row(self):
        rows = self.prove("--set", "default", "--list", code=0).splitlines()
        self.assertGreaterEqual(len(rows), 20)
        for row in rows:
            self.assertRegex(row, r"^(de)?quantize +u?int\d+ +[0-9a-f]{8} \(\S+\) +-?\d+  \S.{10,}$")
        narrow = self.prove("--set", "default", "--list", "--type", "int16", code=0).splitlines()
        self.assertEqual([row.split()[:2] for row in narrow], [["quantize", "int16"], ["dequantize", "int16"]])

    def test_one_line_per_row_and_a_total(self):
        text = self.prove("--target", "builtin:scalar", *CODES, "--shard", "1/4096", code=0)
        rows = text.splitlines()
        self.assertEqual(len(rows), len(self.prove(*CODES, "--list", code=0).splitlines()) + 1)
        self.assertRegex(rows[0], r"^dequantize int8, scale 3dcccccd \(0.1.*\), zero point -128 +\d+ +codes +"
                                  r"(as the reference|nothing in this shard), \d+\.\d s$")
        self.assertRegex(rows[-1], r"^builtin:scalar: 11 rows, \d+ inputs and codes, all as the reference$")

    def test_a_row_that_differs_is_shown_at_length_and_counted(self):
        text = self.prove("--target", f"wrong=builtin:fault-{WRONG_FLOAT}", *CODES, "--type", "int8", code=1)
        self.assertIn("wrong: differs at code ", text)
        self.assertRegex(text.splitlines()[-1], r"^wrong: 2 rows, \d+ inputs and codes, (1 row differs|2 rows differ)$")

    def test_firmware_is_asked_for_its_functions(self):
        text = self.prove("--target", "builtin:ra8", "--set", "default", "--type", "uint8", "--shard", "1/4096", code=0)
        self.assertIn("quantize_u8, scale 3b808081", text)
        self.assertRegex(text, r"; \d rows? not claimed\n$")


class Shards(Proofs, InFolder):
    def shard(self, i, of=3, target="mine=builtin:scalar", function=INT16_CODES, code=0, name=None):
        path = self.path(name or f"{i}.json")
        self.prove("--target", target, *function, "--shard", f"{i}/{of}", "--out", path, code=code)
        return path

    def test_a_file_says_what_was_proved(self):
        with open(self.shard(2), encoding="utf-8") as file:
            proof = json.load(file)
        self.assertEqual(proof, {
            "format": "hurray-conform proof 1", "suite_version": conform("--version").stdout.splitlines()[0], "target": "mine",
            "files": [], "proofs": [{"op": "dequantize", "type": "int16", "scale": "3a83126f", "zero_point": -7, "first": "00005555",
                        "count": 21845, "verdict": "as-reference", "inputs": 21845, "readings": ["zeros=ieee"]}]})

    def test_shards_of_one_proof_give_its_verdict(self):
        files = [self.shard(i) for i in (1, 2, 3)]
        self.assertEqual(self.prove("--merge", files[2], files[0], files[1], code=0),
                         self.prove("--target", "mine=builtin:scalar", *INT16_CODES, code=0))
        sets = [self.shard(i, function=[*CODES, "--type", "uint16"], name=f"set{i}.json") for i in (1, 2, 3)]
        self.assertIn("all as the reference", self.prove("--merge", *sets, code=0))

    def test_shards_with_a_difference_say_what_one_proof_says(self):
        function = ["--op", "dequantize", "--type", "int8", "--scale", "0.1", "--zero-point", 3]
        target = f"mine=builtin:fault-{WRONG_FLOAT}"
        whole = self.prove("--target", target, *function, code=1)
        files = []
        for i in (1, 2, 3):
            path = self.path(f"{i}.json")
            conform("prove", "--target", target, *function, "--shard", f"{i}/3", "--out", path)
            files.append(path)
        self.assertEqual(self.prove("--merge", *files, code=1), whole)

    def test_readings_that_exclude_each_other_are_a_difference(self):
        # As if a target had widened on two machines and wrapped on a third.
        files = []
        for i, reading in ((1, "widen"), (2, "wrap"), (3, "widen")):
            path = self.path(f"{i}.json")
            with open(self.shard(i, name="one.json"), encoding="utf-8") as file:
                proof = json.load(file)
            row = proof["proofs"][0]
            row.update(type="int32", first=f"{(i - 1) << 30:08x}", readings=[f"int32-difference={reading}"],
                       count=1 << 30 if i < 3 else 1 << 31)
            row["inputs"] = row["count"]
            with open(path, "w", encoding="utf-8") as file:
                json.dump(proof, file)
            files.append(path)
        text = self.prove("--merge", *files, code=1)
        for part in ("differs at the 1073741824 codes from 40000000", "class     inconsistent", "2.json",
                     "reading   int32-difference=wrap here", "int32-difference=widen on the 1073741824 codes before"):
            self.assertIn(part, text)

    def test_3_is_what_was_not_claimed(self):
        python = exec_target("python3", harness.PYTHON_ADAPTER, name="python")
        files = [self.shard(i, of=2, target=python, code=3) for i in (1, 2)]
        self.assertIn("not judged: sweep.dequantize is not claimed", self.prove("--merge", *files, code=3))

        codes = ["--op", "dequantize", "--scale", "0.1", "--zero-point", 1]
        for kind in ("int4", "int2"):
            self.shard(1, of=1, target=python, function=[*codes, "--type", kind], code=3, name=f"{kind}.json")
        self.assertIn("python: not judged: no row is claimed",
                      self.prove("--merge", self.path("int4.json"), self.path("int2.json"), code=3))
        # Beside a row that is claimed it counts as one that is not: here another target's, by the name of this one.
        whole = self.shard(1, of=1, target="python=builtin:scalar", name="whole.json")
        with open(self.path("int4.json"), encoding="utf-8") as file, open(whole, encoding="utf-8") as other:
            proof = {**json.load(other), "files": json.load(file)["files"]}
        with open(whole, "w", encoding="utf-8") as file:
            json.dump(proof, file)
        self.assertRegex(self.prove("--merge", self.path("int4.json"), whole, code=0),
                         r"python: 1 row, 65536 inputs and codes, all as the reference; 1 row not claimed\n$")

    def test_a_target_that_is_wrong_in_one_start_only_is_wrong(self):
        # Parts are swept by processes of their own, and once more if readings have to be told apart.
        for wrong in (2, 6, 9):
            script = self.path(f"flaky{wrong}.sh")
            with open(script, "w", encoding="utf-8") as file:
                file.write(f"""n=$(mkdir '{script}.1' 2>/dev/null && echo 1 || {{ i=2; while ! mkdir "{script}.$i" 2>/dev/null; do i=$((i+1)); done; echo $i; }})
if [ $n = {wrong} ]; then '{harness.SCALAR}' | sed -u 's/ok digest=.*/ok digest=0123456789abcdef/'; else exec '{harness.SCALAR}'; fi
""")
            out = self.path(f"{wrong}.json")
            self.prove("--jobs", 2, "--target", exec_target("sh", script, name="flaky"), *INT8, "--shard", "17/64",
                       "--out", out, code=1)
            with open(out, encoding="utf-8") as file:
                self.assertEqual(json.load(file)["proofs"][0]["verdict"], "differs")

    def test_a_fault_of_the_vector_body_comes_through_shards(self):
        function = ["--op", "quantize", "--type", "int8", "--scale", "1", "--zero-point", 3]
        text = self.prove("--target", "mine=builtin:fault-ties-to-even-in-the-body", *function, "--shard", "8/32",
                          "--out", self.path("8.json"), code=1)
        self.assertRegex(text, r"^mine: differs at input 3f000000 \(0\.5\), only in calls of \d+ inputs\n")
        with open(self.path("8.json"), encoding="utf-8") as file:
            proof = json.load(file)
        finding = proof["proofs"][0]["finding"]
        self.assertEqual(finding["in_one_call"], "3f000000")
        # The others, as if they had been proved elsewhere.
        for name, first, next in (("a", 0, int(proof["proofs"][0]["first"], 16)),
                                  ("b", int(proof["proofs"][0]["first"], 16) + proof["proofs"][0]["count"], 1 << 32)):
            nans = sum(max(0, min(next, sign + 0x80000000) - max(first, sign + 0x7f800001)) for sign in (0, 0x80000000))
            row = {**proof["proofs"][0], "first": f"{first:08x}", "count": next - first, "verdict": "as-reference",
                   "inputs": next - first - nans}
            del row["finding"]
            with open(self.path(f"{name}.json"), "w", encoding="utf-8") as file:
                json.dump({**proof, "proofs": [row]}, file)
        merged = self.prove("--merge", *(self.path(f"{name}.json") for name in ("a", "8", "b")), code=1)
        self.assertEqual(merged[:merged.index("  reading")], text[:text.index("  reading")])

    def test_2_is_shards_of_another_build(self):
        program, files = self.path("adapter"), []
        for i in (1, 2):
            with open(program, "w", encoding="utf-8") as file:
                file.write(f"#!/bin/sh\n# build {i}\nexec '{harness.SCALAR}'\n")
            os.chmod(program, 0o755)
            files.append(self.shard(i, of=2, target=exec_target(program, name="mine")))
        self.usage("--merge", *files, says=[f"1.json was made with {program} (SHA-256 ", "2.json with ", "one build", "again"])
        files[0] = self.shard(1, of=2, target=exec_target(program, name="mine"))
        self.assertIn("65536 codes, all as the reference", self.prove("--merge", *files, code=0))

    def test_what_was_proved_before_an_interruption_is_in_the_file(self):
        # int8 is answered, int16 never.
        target = scripted(*doing("hang", "has:type=12"))
        out = self.path("part.json")
        with subprocess.Popen([harness.PROGRAM, "prove", "--target", target, *CODES, "--jobs", "1", "--out", out],
                              stdout=subprocess.PIPE, text=True) as process:
            rows = []
            for line in process.stdout:
                rows.append(line)
                if line.startswith("dequantize uint8"):
                    break
            process.terminate()
            process.communicate()
        with open(out, encoding="utf-8") as file:
            proofs = json.load(file)["proofs"]
        self.assertEqual(len(proofs), len(rows))

    def test_2_is_shards_that_do_not_fit_together(self):
        one, two, three = (self.shard(i) for i in (1, 2, 3))
        self.usage("--merge", one, three, says=["no file has the inputs 00005555 to 0000aaa9",
                                                "dequantize int16, scale 3a83126f (0.001", "all shards"])
        self.usage("--merge", one, two, two, three, says=["2.json and", "both have the inputs 00005555 to", "once"])
        self.usage("--merge", one, two, self.shard(3, target="yours=builtin:scalar", name="4.json"),
                   says=["the target mine", "about yours", "NAME="])
        other = [*INT16_CODES[:-1], 8]
        self.usage("--merge", one, two, self.shard(3, function=other, name="5.json"), says=["no file has the inputs"])

    def test_2_is_a_file_that_is_none(self):
        self.usage("--merge", self.path("nowhere.json"), says=["nowhere.json"])
        self.usage("--merge", self.folder, says=["folder"])
        for content in ("", "garbage", "{}", "[1]", '{"format": "hurray-conform proof 1"}'):
            with open(self.path("garbage.json"), "w", encoding="utf-8") as file:
                file.write(content)
            self.usage("--merge", self.path("garbage.json"), says=["garbage.json: ", "prove --out"])
        self.usage("--target", "builtin:scalar", *INT16_CODES, "--out", self.folder, says=[self.folder, "folder"])


if __name__ == "__main__":
    harness.main()
