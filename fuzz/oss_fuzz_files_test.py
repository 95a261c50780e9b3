#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The files for fuzzing services are as they should be; and each way to break one is told by its own sentence. Nothing
is built. What can only be told of a build: oss_fuzz_out_test.py.
"""

import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest
import zipfile

import oss_fuzz_files as files
import seed_zip

BUILD = (files.ROOT / "fuzz/oss-fuzz/build.sh").read_text()
PROJECT = (files.ROOT / "fuzz/oss-fuzz/project.yaml").read_text()
WORKFLOW = (files.ROOT / ".github/workflows/cifuzz.yml").read_text()


def edited(text, old, new):
    """Some text with one place changed; an edit that finds nothing to change is an error of this test."""
    if old not in text:
        raise AssertionError(f"nothing to edit: {old}")
    return text.replace(old, new)


class SaysTest(unittest.TestCase):
    def assert_says(self, wrong, sentence):
        self.assertTrue(any(sentence in each for each in wrong), f"`{sentence}` is not in {wrong}")


class FilesTest(SaysTest):
    def test_the_files_are_as_they_should_be(self):
        self.assertEqual(files.check_files(), [])

    def test_project_declares_exactly_this(self):
        for old, new, sentence in (
                ("  - memory\n", "", "declares sanitizers: ['address', 'undefined'], not"),
                ("  - memory\n", "  - memory\n  - thread\n", "declares sanitizers: ['address', 'undefined', 'memory', 'thread']"),
                ("  - centipede\n", "", "declares fuzzing_engines: ['libfuzzer', 'afl', 'honggfuzz'], not"),
                ("  - x86_64\n", "  - x86_64\n  - i386\n", "declares architectures: ['x86_64', 'i386'], not"),
                ("language: c++", "language: rust", "declares language: rust"),
                ("language: c++", "language: c++\nrun_tests: true", "declares run_tests, which nothing here knows"),
                ("language: c++", "language: [c++", "does not parse"),
                (PROJECT, "c++", "is no mapping")):
            with self.subTest(sentence):
                self.assert_says(files.check_project(edited(PROJECT, old, new)), sentence)

    def test_who_submits_may_add_what_only_they_know(self):
        self.assertEqual(files.check_project(PROJECT + "homepage: here\nmain_repo: there\nprimary_contact: me\n"), [])

    def test_flags_and_variables_of_the_build_are_the_callers(self):
        compiler = '-DCMAKE_C_COMPILER="$CC"'
        for old, new, sentence in (
                (compiler, f"-march=native {compiler}", "build.sh has -march=native"),
                (compiler, f"-mavx2 {compiler}", "build.sh has -mavx2"),
                ('"$CFLAGS $flags"', '"$CFLAGS -fsanitize=address"', "build.sh has -fsanitize=address"),
                ('static="', 'static="-fsanitize=float-cast-overflow,alignment ', "build.sh has -fsanitize=float-cast-overflow,alignment"),
                ("float-cast-overflow,alignment -f", "float-cast-overflow,alignment,bounds -f", "has -fsanitize=float-cast-overflow,alignment,bounds"),
                ("$SANITIZER == undefined", "$SANITIZER != memory", "build.sh has -fsanitize=float-cast-overflow,alignment"),
                ("float-cast-overflow,alignment -f", "float-cast-overflow -f", "does not append -fsanitize=float-cast-overflow,alignment"),
                (" -fno-sanitize-recover=float-cast-overflow,alignment", "", "does not append -fno-sanitize-recover"),
                ('"$CXXFLAGS $flags"', '"$CXXFLAGS -stdlib=libc++"', "build.sh has -stdlib=libc++"),
                ('"$CFLAGS $flags"', '"$flags"', "build.sh does not use $CFLAGS"),
                ('"$LIB_FUZZING_ENGINE"', "-lFuzzer", "build.sh does not use $LIB_FUZZING_ENGINE"),
                ("flags=\n", "flags=\nCXXFLAGS+=' -O3'\n", "build.sh changes $CXXFLAGS"),
                ("$WORK/", "$HOME/", "build.sh uses $HOME, which base-builder does not promise"),
                ("$SRC/hurray", "/src/hurray", "build.sh names /src/hurray")):
            with self.subTest(f"{new}: {sentence}"):
                self.assert_says(files.check_build(edited(BUILD, old, new)), sentence)

    def test_workflow_fuzzes_with_every_sanitizer(self):
        for old, new, sentence in (
                ("[address, undefined, memory]", "[address]", "cifuzz.yml fuzzes with ['address']"),
                ("actions/run_fuzzers@v1", "actions/bad@v1", "does not run fuzzers once"),
                ("language: c++\n          github", "github", None),
                ("sanitizer: ${{ matrix.sanitizer }}\n      - name: Run", "sanitizer: address\n      - name: Run", "does not build fuzzers once"),
                ("strategy:", "other:", "has no job `fuzz` with a matrix")):
            with self.subTest(new):
                wrong = files.check_workflow(edited(WORKFLOW, old, new))
                self.assert_says(wrong, sentence) if sentence else self.assertEqual(wrong, [])


class FolderTest(SaysTest):
    """Edits of a copy."""

    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.root = pathlib.Path(self.folder.name)
        for name in (*files.FOLDERS, ".github"):
            shutil.copytree(files.ROOT / name, self.root / name)
        for name in ("harnesses.txt", "CMakeLists.txt", "fields.dict", "text.dict"):
            shutil.copy(files.ROOT / "fuzz" / name, self.root / "fuzz" / name)

    def edit(self, name, old, new):
        path = self.root / name
        path.write_text(edited(path.read_text(), old, new))

    def test_a_copy_is_as_it_should_be(self):
        self.assertEqual(files.check_files(self.root), [])

    def test_both_folders_hold_the_same(self):
        for name, old, new, sentence in (
                ("build.sh", "flags=\n", "flags=\n\n", "build.sh differs between"),
                ("project.yaml", "  - afl\n", "", "project.yaml differs between"),
                ("Dockerfile", "ninja-build", "make", "Dockerfile differs between"),
                ("Dockerfile", "base-builder", "base-runner", ".clusterfuzzlite/Dockerfile does not begin with base-builder"),
                ("Dockerfile", "./.clusterfuzzlite/build.sh", "./build.txt", ".clusterfuzzlite/Dockerfile does not copy build.sh")):
            with self.subTest(sentence):
                before = (self.root / ".clusterfuzzlite" / name).read_text()
                self.edit(f".clusterfuzzlite/{name}", old, new)
                self.assert_says(files.check_files(self.root), sentence)
                (self.root / ".clusterfuzzlite" / name).write_text(before)

    def test_a_folder_holds_three_files(self):
        (self.root / "fuzz/oss-fuzz/notes.txt").write_text("")
        self.assert_says(files.check_files(self.root), "fuzz/oss-fuzz holds Dockerfile build.sh notes.txt project.yaml, not")

    def test_every_harness_is_in_the_table_and_in_the_build(self):
        self.edit("fuzz/harnesses.txt", "lines_are_answered     |", "lines_are_asked        |")
        wrong = files.check_table(self.root)
        self.assert_says(wrong, "fuzz/harnesses.txt has no lines_are_answered")
        self.assert_says(wrong, "fuzz/CMakeLists.txt has no lines_are_asked")

    def test_rows_of_the_table_are_whole(self):
        for old, new in (("|  320 |", "|    0 |"), ("|  320 |", "| many |"), ("|  320 | fields.dict |", "|  320 |"),
                         ("|  320 | fields.dict |", "|  320 | nowhere.dict |")):
            with self.subTest(new):
                before = (self.root / "fuzz/harnesses.txt").read_text()
                self.edit("fuzz/harnesses.txt", old, new)
                self.assert_says(files.check_table(self.root), "decoders_agree is no row")
                (self.root / "fuzz/harnesses.txt").write_text(before)

    def test_reasons_leave_harnesses_out_of_the_memory_sanitizer_only(self):
        left_out = {"fuzz_" + claim for claim, row in files.harness_rows().items() if row[2]}
        self.assertEqual(files.expected_harnesses("address") - files.expected_harnesses("memory"), left_out)
        self.assertIn("fuzz_decoders_agree", files.expected_harnesses("memory"))
        self.assertIn("fuzz_quantize_agrees", files.expected_harnesses("memory"))


class SeedZipTest(unittest.TestCase):
    def zipped(self, text):
        with tempfile.TemporaryDirectory() as folder:
            archive, out = pathlib.Path(folder) / "claim.txt", pathlib.Path(folder) / "seeds.zip"
            archive.write_text(text)
            done = subprocess.run([sys.executable, files.ROOT / "fuzz/seed_zip.py", archive, out], capture_output=True, text=True)
            members = []
            if out.exists():
                with zipfile.ZipFile(out) as each:
                    members = [each.read(name) for name in each.namelist()]
            return done.returncode, members, done.stderr

    def test_each_input_becomes_one_member_once(self):
        self.assertEqual(self.zipped("# head\na/b 00ff\n\nc \nd 00ff\n"), (0, [b"\x00\xff", b""], ""))

    def test_bad_archives_are_told_by_line(self):
        for text, sentence in (("a 00\nb 0g\n", "line 2 is not a name, a space"), ("a\n", "line 1 is not"), ("# none\n", "no inputs in")):
            with self.subTest(sentence):
                status, members, said = self.zipped(text)
                self.assertEqual((status, members), (2, []))
                self.assertIn(sentence, said)

    def test_archives_of_the_corpus_are_read_whole(self):
        for claim in files.harness_rows():
            for kind in ("seeds", "regressions"):
                path = files.ROOT / "corpus" / kind / f"{claim}.txt"
                lines = [line for line in path.read_text().splitlines() if line and not line.startswith("#")]
                self.assertEqual(len(seed_zip.inputs_of(path)), len(lines), path)


if __name__ == "__main__":
    unittest.main()
