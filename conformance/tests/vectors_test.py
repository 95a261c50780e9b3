# SPDX-License-Identifier: Apache-2.0
"""Are the vectors in corpus/vectors what this program exports, does `vectors check` see every kind of damage, and do
the two smallest readers of them tell a right implementation from a wrong one?
"""

import hashlib
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

import harness
from harness import conform

VECTORS = pathlib.Path(harness.SOURCE, "corpus", "vectors")
CONSUME_PY = VECTORS / "consume.py"
CONSUME_C = os.path.join(harness.BUILD, "conformance", "tests", "vectors-consume")
PYTHON = f"{sys.executable} {harness.PYTHON_ADAPTER}"
BY_HAND = ["README.md", "consume.c", "consume.py"]


def export(folder, *options):
    done = conform("vectors", "export", *options, folder)
    if done.returncode != 0:
        raise AssertionError(done.stdout + done.stderr)
    return {path.name: path.read_bytes() for path in pathlib.Path(folder).iterdir()}


def groups_of(files):
    return {name: json.loads(content) for name, content in files.items()
            if name.endswith(".json") and name not in ("manifest.json", "vectors.schema.json")}


class Kept(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.all = export(cls.folder.name)
        cls.kept = {path.name: path.read_bytes() for path in VECTORS.iterdir() if path.name not in BY_HAND}

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def test_the_repository_has_what_the_program_exports(self):
        with tempfile.TemporaryDirectory() as folder:
            fresh = export(folder, "--small")
        self.assertEqual(sorted(self.kept), sorted(fresh))
        for name, content in fresh.items():
            self.assertTrue(content == self.kept[name],
                            f"{name} is out of date; run: hurray-conform vectors export --small corpus/vectors")
        self.assertEqual(conform("vectors", "check", VECTORS).returncode, 0)

    def test_a_whole_export_has_every_case_and_is_checked(self):
        exported = {vector["id"]: vector for group in groups_of(self.all).values() for vector in group["vectors"]}
        cases = {case["name"]: case for case in harness.all_cases()}
        self.assertEqual(exported.keys(), cases.keys())
        for name, case in cases.items():
            vector = exported[name]
            self.assertEqual((vector["requirements"], vector["why"]), (case["requirements"], case["why"]))
            for step, asked in zip(vector["steps"], case["steps"], strict=True):
                self.assertEqual(step["request"], asked["request"])
                self.assertEqual([(each["answer"], each["verdict"], each.get("shows", {}), each.get("free", []))
                                  for each in step["expect"]],
                                 [(each["answer"], each["verdict"], each["shows"], each.get("free", []))
                                  for each in asked["expect"]])
        self.assertEqual(conform("vectors", "check", self.folder.name).returncode, 0)

    def test_every_requirement_that_has_cases_has_vectors_in_the_repository(self):
        judged = {each for case in harness.all_cases() for each in case["requirements"]}
        kept = {each for group in groups_of(self.kept).values() for vector in group["vectors"]
                for each in vector["requirements"]}
        self.assertEqual(judged - kept, set())

    def test_what_is_left_out_is_counted_and_digested(self):
        left_out = {each["family"]: each for group in groups_of(self.kept).values() for each in group["omitted"]}
        kept = {vector["id"] for group in groups_of(self.kept).values() for vector in group["vectors"]}
        lines = {}
        for name in groups_of(self.all):
            for line in self.all[name].decode().splitlines():
                if line.startswith('{"id":'):
                    vector = json.loads(line.rstrip(","))["id"]
                    if vector not in kept:
                        lines.setdefault("/".join(vector.split("/")[:2]), []).append(line.rstrip(",") + "\n")
        self.assertEqual(left_out.keys(), lines.keys())
        for family, each in left_out.items():
            self.assertEqual(each["cases"], len(lines[family]))
            self.assertEqual(each["digest"], hashlib.sha256("".join(lines[family]).encode()).hexdigest(), family)


class Check(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name, "vectors")
        shutil.copytree(VECTORS, self.folder)

    def edit(self, name, old, new, sums=False):
        path = self.folder / name
        text = path.read_text()
        self.assertIn(old, text)
        path.write_text(text.replace(old, new, 1))
        if sums:
            self.seal()

    def seal(self):
        files = sorted(path for path in self.folder.iterdir() if path.name not in BY_HAND + ["SHA256SUMS"])
        (self.folder / "SHA256SUMS").write_text(
            "".join(f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n" for path in files))

    def check(self, code, *says):
        done = conform("vectors", "check", self.folder)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        for part in says:
            self.assertIn(part, done.stdout + done.stderr)

    def test_3_is_a_file_with_another_digest(self):
        self.edit("decode.json", "reject", "refuse")
        self.check(3, "decode.json: its SHA-256 is ", "damaged")

    def test_3_is_a_file_that_is_missing_or_that_nobody_listed(self):
        (self.folder / "ra8.txt").unlink()
        (self.folder / "more.json").write_text("{}")
        self.check(3, "ra8.txt: missing", "more.json: not listed")

    def test_3_is_a_file_that_does_not_fit_the_schema(self):
        self.edit("decode.json", '"verdict":"pass"', '"verdict":"perhaps"', sums=True)
        self.check(3, "decode.json: does not fit the schema: at <root>[vectors][0]")

    def test_3_is_a_line_that_is_none(self):
        self.edit("decode.json", '"request":"decode ', '"request":"decode decode ', sums=True)
        self.check(3, "a request is no request line")

    def test_3_is_a_list_of_digests_that_is_none(self):
        (self.folder / "SHA256SUMS").write_text("nothing\n")
        self.check(3, "SHA256SUMS: `nothing` is not a digest")
        (self.folder / "SHA256SUMS").unlink()
        self.check(3, "SHA256SUMS: missing")

    def test_3_is_a_manifest_without_its_selection(self):
        self.edit("manifest.json", '"selection"', '"collection"', sums=True)
        self.check(3, "manifest.json: does not say `selection`")

    def test_1_is_a_whole_export_of_another_suite_and_names_what_differs(self):
        self.edit("decode.json", '"answer":"reject"', '"answer":"unsupported"', sums=True)
        self.edit("encode.json", '"id":"encode/', '"id":"encode/older-', sums=True)
        self.check(1, "decode.json: 1 other vectors: decode/", "encode.json: 1 vectors only here: encode/older-",
                   "1 vectors only in this program: encode/", "another version")

    def test_2_is_no_folder(self):
        shutil.rmtree(self.folder)
        self.check(2, "is no folder")


class Readers(unittest.TestCase):
    def read_in_python(self, command, *names):
        return subprocess.run([sys.executable, CONSUME_PY, command, *(VECTORS / f"{name}.json" for name in names)],
                              capture_output=True, text=True, timeout=harness.STUCK_SECONDS)

    def read_in_c(self, command, name):
        script = f"sed -n 's/^> //p' '{VECTORS}/{name}.txt' | {command} | '{CONSUME_C}' '{VECTORS}/{name}.txt'"
        return subprocess.run(["sh", "-c", script], capture_output=True, text=True, timeout=harness.STUCK_SECONDS)

    def test_both_find_the_adapter_in_python_right(self):
        done = self.read_in_python(PYTHON, *sorted(path.stem for path in VECTORS.glob("[!mv]*.json")), "mxfp", "values")
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertRegex(done.stdout, r"^\d{5} requests, \d{5} as expected, \d+ unsupported, 0 wrong\n$")
        for path in sorted(VECTORS.glob("*.txt")):
            done = self.read_in_c(PYTHON, path.stem)
            self.assertIn(" 0 wrong\n", done.stdout, path)

    def test_the_reader_in_python_says_how_it_is_used_and_takes_one_vector(self):
        done = subprocess.run([sys.executable, CONSUME_PY], capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertIn("For example: ", done.stderr)
        vector = json.loads((VECTORS / "decode.json").read_text())["vectors"][0]
        with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
            json.dump(vector, file)
            file.flush()
            done = subprocess.run([sys.executable, CONSUME_PY, f"echo gossip >&2; exec {harness.SCALAR}", file.name],
                                  capture_output=True, text=True, timeout=harness.STUCK_SECONDS)
            self.assertEqual(done.returncode, 0, done.stdout)
            self.assertIn("gossip", done.stderr)
            said = conform("replay", "--target", "builtin:scalar", "--vector", file.name)
            self.assertEqual((said.returncode, said.stderr), (0, ""))
            vector["steps"][0]["expect"] = [{"answer": "ok code=0000", "verdict": "pass"}]
            file.seek(0)
            file.truncate()
            json.dump(vector, file)
            file.flush()
            said = conform("replay", "--target", "builtin:scalar", "--vector", file.name)
            self.assertEqual(said.returncode, 0, said.stdout)
            self.assertIn("its expectations are not those of this program", said.stderr)

    def test_digests_with_carriage_returns_and_what_is_no_file_are_named(self):
        with tempfile.TemporaryDirectory() as folder:
            export(folder, "--small")
            sums = pathlib.Path(folder, "SHA256SUMS")
            sums.write_bytes(sums.read_bytes().replace(b"\n", b"\r\n"))
            done = conform("vectors", "check", folder)
            self.assertEqual(done.returncode, 3, done.stdout)
            self.assertEqual(done.stdout.count("carriage returns"), 1)
            pathlib.Path(folder, "decode.json").unlink()
            os.mkfifo(pathlib.Path(folder, "decode.json"))
            done = conform("vectors", "check", folder)
            self.assertEqual(done.returncode, 2, done.stdout)
            self.assertIn("not a regular file", done.stderr)

    def test_both_find_the_scalar_target_right_in_everything(self):
        for path in sorted(VECTORS.glob("*.txt")):
            done = self.read_in_c(harness.SCALAR, path.stem)
            self.assertEqual(done.returncode, 0, done.stdout)
            self.assertRegex(done.stdout, r"^(\d+) requests, \1 as expected, 0 unsupported, 0 wrong\n$")
        done = self.read_in_python(harness.SCALAR, "decode", "quantize", "ra8", "tensor", "values", "widen")
        self.assertRegex(done.stdout, r"^(\d+) requests, \1 as expected, 0 unsupported, 0 wrong\n$")

    def test_both_name_what_is_wrong(self):
        for fault, group, name in (("ties-to-even", "quantize", "quantize/"), ("tag-unchecked", "decode", "decode/"),
                                   ("product-divides", "dequantize", "dequantize/")):
            for done in (self.read_in_python(f"{harness.FAULT} {fault}", group),
                         self.read_in_c(f"{harness.FAULT} {fault}", group)):
                self.assertEqual(done.returncode, 1, done.stdout)
                self.assertTrue(done.stdout.startswith(name), done.stdout)
                self.assertNotIn(" 0 wrong", done.stdout)

    def test_silence_is_wrong(self):
        self.assertEqual(self.read_in_python("true", "widen").returncode, 1)
        self.assertEqual(self.read_in_c("true", "widen").returncode, 1)


if __name__ == "__main__":
    harness.main()
