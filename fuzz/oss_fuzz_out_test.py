#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Each thing that can be wrong with what was built is told by its own sentence: a small harness, built right and then
broken in one way at a time. Needs the compilers of oss_fuzz_check.py, and a minute.
"""

import pathlib
import shutil
import subprocess
import tempfile
import unittest
import zipfile

import oss_fuzz_check as check
import oss_fuzz_out as out_checks
import oss_fuzz_run as runs
from oss_fuzz_files import EXCEPTION

NAME = "fuzz_small"
# What is built with a definition is broken in the way that it names.
SOURCE = r"""
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <sys/stat.h>
#include <unistd.h>
namespace hurray {
int elsewhere(const std::string& text);
int divided(const std::string& text) {
  // "bad seed", and nothing that an engine could guess from comparisons.
  std::uint32_t hash = 2166136261u;
  for (const char each : text) hash = (hash ^ static_cast<unsigned char>(each)) * 16777619u;
  if (hash == 3580976381u) std::abort();
#ifdef DIES_LATER
  static int count = 0;
  if (++count > 500) std::abort();
#endif
#ifdef DIES_TOGETHER
  static int runs = 0;
  if (++runs > 1) std::abort();
#endif
#ifdef NEEDS_ITS_FOLDER
  if (std::FILE* file = std::fopen("fuzz_small.dict", "r")) std::fclose(file); else std::abort();
#endif
#ifdef WRITES
  char here[4096] = {};
  if (readlink("/proc/self/exe", here, sizeof here - 8) < 0) std::abort();
  *std::strrchr(here, '/') = 0;
  chmod(here, 0755);
  if (std::FILE* file = std::fopen(std::strcat(here, "/left"), "w")) std::fclose(file); else std::abort();
#endif
#ifdef ELSEWHERE
  return elsewhere(text);
#else
  const int size = static_cast<int>(text.size()) + 1;
  return 100 / size + (text.find("key") != std::string::npos);
#endif
}
}  // namespace hurray
#ifndef NO_ENTRY
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t length) {
  return hurray::divided(std::string(reinterpret_cast<const char*>(bytes), length)) < 0;
}
#endif
"""
ADDRESS, AFL = check.KINDS["address-libfuzzer"], check.KINDS["address-afl"]
UNDEFINED, MEMORY = check.KINDS["undefined-libfuzzer"], check.KINDS["memory-libfuzzer"]
STATIC = ("-static-libstdc++", "-static-libgcc")


def flags_of(kind):
    variables = kind.variables("", "", "")
    extra = EXCEPTION if kind.sanitizer == "undefined" else []
    return [*variables["CXXFLAGS"].split(), "-ffp-contract=off", *extra]


class Small:
    """A folder with out/ and work/, as build.sh leaves them."""

    def __init__(self, folder, kind=ADDRESS):
        self.kind, self.folder = kind, pathlib.Path(folder)
        self.out, self.work = self.folder / "out", self.folder / "work"
        self.variables = kind.variables("", "", "")

    def run(self, *command):
        done = subprocess.run([self.variables["CXX"], *command], capture_output=True, text=True)
        if done.returncode != 0:
            raise AssertionError(done.stderr)

    def compile(self, *more, flags=None, to="work/small.o"):
        for each in (self.out, self.work):
            each.mkdir(exist_ok=True)
        (self.folder / "small.cpp").write_text(SOURCE)
        self.run(*(flags_of(self.kind) if flags is None else flags), *more, "-c", self.folder / "small.cpp", "-o", self.folder / to)

    def link(self, *more, static=STATIC):
        self.run(*flags_of(self.kind), self.work / "small.o", *more, self.variables["LIB_FUZZING_ENGINE"], *static, "-o", self.out / NAME)

    def companions(self):
        (self.out / f"{NAME}.dict").write_text('# words\nkey="\\x6bey"\n')
        (self.out / f"{NAME}.options").write_text("[libfuzzer]\nmax_len = 64\n")
        self.seeds("one", "")

    def seeds(self, *texts):
        with zipfile.ZipFile(self.out / f"{NAME}_seed_corpus.zip", "w") as archive:
            for number, text in enumerate(texts):
                archive.writestr(f"{number:05}", text)

    def wrong(self):
        return check.check_out(self.kind, self.out, self.work, {NAME}, self.folder / "scratch")[0]


class OutTest(unittest.TestCase):
    made = {}  # kind: the folder of one that is as it should be

    @classmethod
    def tearDownClass(cls):
        for folder in cls.made.values():
            shutil.rmtree(folder)
        cls.made.clear()

    def small(self, kind=ADDRESS):
        """A copy of a harness that is as it should be."""
        if kind not in self.made:
            self.made[kind] = tempfile.mkdtemp()
            first = Small(self.made[kind], kind)
            first.compile()
            first.link()
            first.companions()
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        shutil.copytree(self.made[kind], folder.name, dirs_exist_ok=True)
        return Small(folder.name, kind)

    def assert_says(self, wrong, sentence):
        self.assertTrue(any(sentence in each for each in wrong), f"`{sentence}` is not in {wrong}")

    def test_a_small_harness_is_as_it_should_be_in_every_kind(self):
        for kind in check.KINDS.values():
            with self.subTest(kind.name):
                self.assertEqual(self.small(kind).wrong(), [])

    def test_every_object_is_compiled_with_the_callers_flags_and_no_others(self):
        for kind, change, sentence in (
                (ADDRESS, lambda flags: [f for f in flags if "sanitize=address" not in f], "small.o: no __asan_init"),
                (ADDRESS, lambda flags: [f for f in flags if "sanitize=address" not in f], "compiled without -fsanitize=address"),
                (ADDRESS, lambda flags: [*flags, "-fno-sanitize=address"], "compiled with -fno-sanitize=address"),
                (ADDRESS, lambda flags: [f for f in flags if "fuzzer" not in f], "small.o: no __sanitizer_cov_"),
                (ADDRESS, lambda flags: [*flags, "-march=native"], "compiled with -march=native, which the caller did not give"),
                (ADDRESS, lambda flags: [*flags, *EXCEPTION], "compiled with -fsanitize=float-cast-overflow,alignment"),
                (ADDRESS, lambda flags: [f for f in flags if "contract" not in f], "compiled without -ffp-contract=off"),
                (ADDRESS, lambda flags: [f for f in flags if f != check.RECORD], "no record of how it was compiled"),
                (UNDEFINED, lambda flags: [f for f in flags if f not in EXCEPTION], "compiled without -fsanitize=float-cast-overflow"),
                (UNDEFINED, lambda flags: [*flags, "-fno-sanitize=all"], "no object has __ubsan_handle_"),
                (MEMORY, lambda flags: [*flags, "-fno-sanitize=memory"], "small.o: no __msan_init")):
            with self.subTest(f"{kind.name}: {sentence}"):
                small = self.small(kind)
                small.compile(flags=change(flags_of(kind)))
                self.assert_says(out_checks.check_objects(kind, small.work)[0], sentence)

    def test_without_objects_nothing_is_known(self):
        small = self.small()
        (small.work / "small.o").unlink()
        self.assert_says(small.wrong(), "no objects below")

    def test_afl_has_to_be_guided(self):
        small = self.small(AFL)
        variables = {**AFL.variables("", "", ""), "CXX": "clang++-14"}
        small.variables = variables
        small.compile()
        self.assert_says(out_checks.check_objects(AFL, small.work)[0], "small.o: no __afl_…, so it does not guide afl")
        shutil.copy("/bin/true", small.out / NAME)
        self.assert_says(runs.fuzz_afl(small.out / NAME, [small.folder / "small.cpp"], small.work), "afl-showmap sees no edges")

    def test_code_of_the_harness_is_of_the_objects_that_were_looked_at(self):
        small = self.small()
        small.compile("-DELSEWHERE")
        source = small.folder / "elsewhere.cpp"
        source.write_text("#include <string>\nnamespace hurray { int elsewhere(const std::string& text) { return text.empty(); } }\n")
        small.run("-c", source, "-o", small.folder / "elsewhere.o")
        small.link(small.folder / "elsewhere.o")
        self.assert_says(small.wrong(), "1 functions of no object in $WORK, as _ZN6hurray9elsewhere")

    def test_harnesses_are_those_that_are_expected(self):
        small = self.small()
        shutil.copy(small.out / NAME, small.out / "copy")
        self.assert_says(small.wrong(), "copy: not expected, and has LLVMFuzzerTestOneInput")
        self.assert_says(small.wrong(), "copy: belongs to no harness")
        (small.out / "copy").unlink()
        (small.out / NAME).chmod(0o644)
        self.assert_says(out_checks.check_harnesses(ADDRESS, small.out, {NAME}, set()), "expected, and no program in $OUT")
        (small.out / NAME).unlink()
        self.assert_says(small.wrong(), "expected, and no program in $OUT")
        shutil.copy("/bin/true", small.out / NAME)
        wrong = out_checks.check_harnesses(ADDRESS, small.out, {NAME}, set())
        self.assert_says(wrong, f"{NAME}: has no LLVMFuzzerTestOneInput")
        self.assert_says(wrong, f"{NAME}: no __asan_init linked")

    def test_only_the_libc_family_is_needed_at_run_time(self):
        small = self.small()
        small.link(static=())
        self.assert_says(small.wrong(), f"{NAME}: needs libstdc++.so.6 at run time")

    def test_dictionary_options_and_corpus_parse(self):
        for suffix, text, sentence in (
                (".dict", 'key="a"\nkey=b\n', 'line 2 is not name="word"'), (".dict", 'a="\\y"\n', "line 1 is not"),
                (".dict", "# none\n", "no words"), (".dict", None, ".dict: not in $OUT"),
                (".options", "max_len = 3\n", "does not parse"), (".options", "[libfuzzer]\nmax_len = many\n", "is none of the options"),
                (".options", "[libfuzzer]\nmax_len = 3\nmax_length = 3\n", "[libfuzzer] max_length = 3 is none"),
                (".options", "[asan]\n", "no max_len"), (".options", None, ".options: not in $OUT"),
                ("_seed_corpus.zip", "text", "is no zip"), ("_seed_corpus.zip", None, "_seed_corpus.zip: not in $OUT")):
            with self.subTest(sentence):
                small = self.small()
                path = small.out / (NAME + suffix)
                path.unlink() if text is None else path.write_text(text)
                self.assert_says(out_checks.check_companions(small.out, {NAME}), sentence)
        small = self.small()
        small.seeds()
        self.assert_says(out_checks.check_companions(small.out, {NAME}), "no seeds")

    def test_every_seed_is_replayed_and_none_is_a_finding(self):
        for kind in (ADDRESS, AFL):
            with self.subTest(kind.name):
                small = self.small(kind)
                small.seeds("one", "bad seed", "three")
                self.assert_says(small.wrong(), "seed 2 of 3 is a finding")

    def test_running(self):
        for definition, sentence in (("DIES_LATER", f"does not survive {runs.RUNS} runs"), ("WRITES", "$OUT was written to: left"),
                                     ("NEEDS_ITS_FOLDER", "seed 1 of 2 is a finding"),
                                     ("DIES_TOGETHER", "seeds are a finding together and not alone")):
            with self.subTest(definition):
                small = self.small()
                small.compile(f"-D{definition}")
                small.link()
                self.assert_says(small.wrong(), sentence)


class BuildTest(unittest.TestCase):
    """A build.sh that does one thing, and what is said about it."""

    def build(self, script):
        with tempfile.TemporaryDirectory() as folder:
            try:
                return check.build(ADDRESS, pathlib.Path(folder), 1, script)
            finally:
                runs.set_writable(pathlib.Path(folder) / "src", True)

    def test_only_work_and_out_are_written_to(self):
        self.assertEqual(self.build("echo one >$OUT/one; echo two >$WORK/two"), [])
        self.assertIn("$SRC was written to: hurray-conformance/new",
                      self.build("chmod u+w $SRC/hurray-conformance; echo >$SRC/hurray-conformance/new"))
        self.assertIn("the folder that it ran in was written to: new", self.build("echo >new"))

    def test_a_build_that_fails_is_told_with_what_it_said(self):
        with self.assertRaisesRegex(check.BuildFailed, "address-libfuzzer: build.sh ends with 7\nwhy"):
            self.build("echo why; exit 7")
        with self.assertRaisesRegex(check.BuildFailed, "FORGOTTEN: unbound variable"):
            self.build("echo $FORGOTTEN")


if __name__ == "__main__":
    unittest.main()
