# SPDX-License-Identifier: Apache-2.0
"""What is in the packages, and does it work where nothing else is: dependencies, manual pages, find_package?"""

import os
import pathlib
import re
import shutil
import subprocess
import tarfile
import tempfile
import unittest

import harness
import packages

# libgcc-s1 is a part of libstdc++6's own dependencies; dpkg-shlibdeps names it too.
ALLOWED = {"libc6", "libstdc++6", "libgcc-s1", "libssl3"}
PROJECT = '''cmake_minimum_required(VERSION 3.25)
project(mine C)
include(CTest)
find_package(hurray-conformance VERSION REQUIRED)
add_library(mine MODULE mine.c)
target_link_libraries(mine PRIVATE hurray::target)
add_executable(mine_program mine.c)
target_link_libraries(mine_program PRIVATE hurray::kit_main)
hurray_add_conformance_test(NAME mine_lib TARGET lib:$<TARGET_FILE:mine>)
hurray_add_conformance_test(NAME mine_exec TARGET exec:$<TARGET_FILE:mine_program> ARGUMENTS --strict)
'''


def run(*words, **options):
    done = subprocess.run([str(word) for word in words], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **options)
    return done.returncode, done.stdout


class PackageTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = pathlib.Path(folder.name)
        cls.deb, cls.tar = packages.make(cls.folder, "DEB", "TGZ")
        cls.root = cls.folder / "root"
        subprocess.run(["dpkg", "-x", cls.deb, cls.root], check=True)
        cls.prefix = cls.root / "usr"

    def setUp(self):
        self.program = self.prefix / "bin/hurray-conform"

    def control(self, field):
        return subprocess.run(["dpkg-deb", "--field", self.deb, field], check=True, stdout=subprocess.PIPE, text=True).stdout.strip()

    def files(self):
        return {str(path.relative_to(self.root)) for path in self.root.rglob("*") if not path.is_dir()}

    def test_it_depends_on_three_libraries_only(self):
        names = {each.split()[0] for each in self.control("Depends").split(", ")}
        self.assertLessEqual(names, ALLOWED)
        self.assertLessEqual({"libc6", "libstdc++6", "libssl3"}, names)

    def test_name_and_version_are_those_of_the_program(self):
        version = run(self.program, "--version")[1].splitlines()
        self.assertEqual((self.control("Package"), self.control("Version")), ("hurray-conformance", version[0]))
        self.assertIn(version[0], self.deb.name)
        self.assertRegex(version[1], r"^cases \d+\.\d+\.\d+: \d+ requirements, \d+ cases, digest [0-9a-f]{16}$")

    def test_the_changelog_begins_with_both_versions(self):
        suite, cases = run(self.program, "--version")[1].splitlines()
        text = (self.prefix / "share/hurray-conformance/CHANGELOG.md").read_text()
        first = re.search(r"^## \[(\d+\.\d+\.\d+)\].*\n\n(?:.*\n)*?Cases (\d+\.\d+\.\d+)\.", text, re.M)
        self.assertEqual(first.groups(), (suite, cases.split()[1].rstrip(":")))

    def test_both_packages_have_the_same_files_and_all_below_usr(self):
        with tarfile.open(self.tar) as tar:
            of_tar = {"usr/" + each.name.split("/", 1)[1] for each in tar.getmembers() if each.isfile()}
        self.assertEqual(of_tar, self.files())
        self.assertEqual({each.split("/")[0] for each in self.files()}, {"usr"})

    def test_nothing_of_this_machine_is_in_it(self):
        for name in sorted(self.files()):
            content = (self.root / name).read_bytes()
            for folder in (harness.SOURCE, harness.BUILD):
                self.assertNotIn(folder.encode() + b"/", content, name)

    def test_every_subcommand_has_a_page_with_all_its_options(self):
        names = re.findall(r"^  ([a-z]+) ", run(self.program, "--help")[1].split("Subcommands:")[1].split("\n\n")[0], re.M)
        self.assertIn("run", names)
        for words in [[], *([name] for name in names), ["vectors", "export"]]:
            page = (self.prefix / "share/man/man1" / ("-".join(["hurray-conform", *words]) + ".1")).read_text()
            for option in re.findall(r"^  (?:-\w,)?(--[\w-]+)", run(self.program, *words, "--help")[1], re.M):
                self.assertIn("\\fB" + option.replace("-", "\\-") + "\\fR", page, words)

    @unittest.skipUnless(shutil.which("man"), "no man here")
    def test_pages_are_shown_without_warnings(self):
        for page in sorted((self.prefix / "share/man/man1").iterdir()):
            done = subprocess.run(["man", "--warnings", "-E", "UTF-8", "-l", page], stdout=subprocess.PIPE,
                                  stderr=subprocess.PIPE, text=True, env={**os.environ, "MANWIDTH": "100", "LC_ALL": "C.UTF-8"})
            self.assertEqual((done.returncode, done.stderr), (0, ""), page.name)
            self.assertIn("SYNOPSIS", done.stdout)

    def configure(self, version):
        project = pathlib.Path(tempfile.mkdtemp(dir=self.folder))
        (project / "CMakeLists.txt").write_text(PROJECT.replace("VERSION R", f"{version} R"))
        shutil.copy(self.prefix / "share/hurray-conformance/conformance/adapters/c/minimal_target.c", project / "mine.c")
        return project, run("cmake", "-G", "Ninja", "-S", project, "-B", project / "build", f"-DCMAKE_PREFIX_PATH={self.prefix}")

    def test_find_package_gives_header_kit_and_a_test(self):
        project, (code, output) = self.configure("0.1")
        self.assertEqual(code, 0, output)
        code, output = run("cmake", "--build", project / "build")
        self.assertEqual(code, 0, output)
        code, output = run("ctest", "--test-dir", project / "build", "--output-on-failure", "--no-tests=error")
        self.assertEqual(code, 0, output)
        self.assertRegex(output, "100% tests passed, 0 tests failed out of 2")
        # The test judges: a wrong kernel fails it.
        source = (project / "mine.c").read_text()
        (project / "mine.c").write_text(source.replace("code - zero_point", "code + zero_point"))
        run("cmake", "--build", project / "build")
        code, output = run("ctest", "--test-dir", project / "build", "--output-on-failure", "-R", "mine_lib")
        self.assertEqual(code, 8, output)
        self.assertIn("HQ-PTA-018 violated", output)

    def test_find_package_refuses_another_minor_version(self):
        _, (code, output) = self.configure("0.2")
        self.assertEqual(code, 1)
        self.assertIn("hurray-conformance", output)

    def test_it_judges_from_where_it_was_unpacked(self):
        code, output = run(self.program, "run", "--target", "builtin:scalar", "--select", "HQ-PTA-*")
        self.assertEqual(code, 0, output)
        adapter = self.prefix / "share/hurray-conformance/conformance/adapters/python/hurray_adapter.py"
        self.assertTrue(os.access(adapter, os.X_OK))
        self.assertEqual(sorted(path.name for path in adapter.parents[1].iterdir() if path.is_dir()),
                         ["c", "cpp", "java", "javascript", "python", "rust"])


if __name__ == "__main__":
    harness.main()
