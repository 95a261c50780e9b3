#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Do a header and a source of the firmware functions keep the rows of RA8-Q that no call can show: what the
compiler knows of them, what is in the object, what the linker can drop?

Every row is asked of every compiler that is here: gcc and clang for this machine, gcc and clang for Arm. A
language counts where it is complete, with types under enumerations: C++20, and C23 from clang 19 or gcc 13 on.
"""

import argparse
import itertools
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

import elf

HERE = pathlib.Path(__file__).resolve().parent
EXAMPLE = "python3 targets/ra8/compile_test.py --source ~/fw/src/ra8_npu_quant.c --include-dir ~/fw/include"
HELP = f"""
Example: {EXAMPLE}
Exit codes: 0 every row conforms, 1 a row is violated, 2 usage or no compiler, 3 a row could not be judged.
"""

FUNCTIONS = {"ra8_npu_quantize_i8": ("float", "int8_t"), "ra8_npu_dequantize_i8": ("int8_t", "float"),
             "ra8_npu_quantize_u8": ("float", "uint8_t"), "ra8_npu_dequantize_u8": ("uint8_t", "float")}
HEADER = "#include <ra8_npu_quant.h>\n"
LIBM = set("""acos acosh asin asinh atan atan2 atanh cbrt ceil copysign cos cosh erf erfc exp exp2 expm1 fabs fdim
 floor fma fmax fmin fmod frexp hypot ilogb ldexp lgamma llrint llround log log10 log1p log2 logb lrint lround
 modf nan nearbyint nextafter pow remainder remquo rint round roundeven scalbln scalbn sin sinh sqrt tan tanh
 tgamma trunc""".split())
LIBM |= {name + suffix for name in LIBM for suffix in "fl"}

C_LANGUAGES = {"C11": ["-std=c11"], "C23": ["-std=c2x"]}
LANGUAGES = {**C_LANGUAGES, "C++20": ["-std=c++20"]}
COMMON = ["-ffreestanding", "-ffp-contract=off"]


class Compiler(NamedTuple):
    name: str
    c: tuple
    cxx: tuple
    link: tuple  # for a program without any library
    is_host: bool

    def command(self, language):
        return [*(self.c if language in C_LANGUAGES else self.cxx), *LANGUAGES[language], *COMMON]


def compilers():
    m85 = ("--target=arm-none-eabi", "-mcpu=cortex-m85", "-mfloat-abi=hard", "-mthumb")
    m55 = ("-mcpu=cortex-m55", "-mfloat-abi=hard", "-mthumb")
    bare = ("-nostdlib",)
    return [Compiler("gcc", ("gcc",), ("g++",), bare, True),
            Compiler("clang", ("clang-19",), ("clang++-19",), bare, True),
            Compiler("gcc-arm", ("arm-none-eabi-gcc", *m55), ("arm-none-eabi-g++", *m55), bare, False),
            Compiler("clang-arm", ("clang-19", *m85), ("clang++-19", *m85), ("-fuse-ld=lld", *bare), False)]


class Mode(NamedTuple):
    compiler: Compiler
    language: str
    is_complete: bool  # a header may name the type under an enumeration

    def __str__(self):
        return f"{self.compiler.name} {self.language}"


def run(command):
    done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          text=True, errors="replace")
    return done.returncode, done.stdout


def first_error(output):
    lines = output.strip().splitlines() or ["it says nothing"]
    chosen = next((line for line in lines if "error" in line or "undefined" in line), lines[0])
    return re.sub(r"^\S*/(?=[^/\s]+:\d)", "", chosen).strip()


class Bench:
    """What is judged, and the compilers to judge it by. Its checks return None or what is wrong."""

    def __init__(self, arguments, folder):
        self.folder, self.numbers = pathlib.Path(folder), itertools.count()
        self.sources = arguments.source or [HERE / "ra8_npu_quant.c"]
        self.flags = arguments.flags.split() + ["-D" + each for each in arguments.define]
        # The folders that ci/firmware.sh gives a source of one's own, in the same order.
        own = [*arguments.include_dir, HERE / "firmware" / "stubs"] if arguments.source else []
        self.includes = [word for each in [*own, *arguments.include_dir, HERE] for word in ("-I", str(each))]
        self.modes, self.missing = self.find_modes(arguments)

    def find_modes(self, arguments):
        modes, missing = [], []
        for compiler in compilers():
            if arguments.compiler and compiler.name not in arguments.compiler:
                continue
            if not shutil.which(compiler.c[0]):
                missing.append(f"{compiler.name}: no {compiler.c[0]} here")
                continue
            for language in LANGUAGES:
                mode = Mode(compiler, language, language != "C11")
                if self.compile(mode, "#include <stddef.h>\n#include <stdint.h>\n"):
                    missing.append(f"{mode}: not known to this compiler")
                    continue
                if self.compile(mode, "enum e : int { k };\n", "-pedantic-errors"):
                    mode = mode._replace(is_complete=False)
                if mode.is_complete or arguments.older:
                    modes.append(mode)
                elif language != "C11":
                    missing.append(f"{mode}: cannot name the type under an enumeration; --older tries all the same")
        return modes, missing

    def new_path(self, suffix):
        return self.folder / f"{next(self.numbers)}{suffix}"

    def write(self, text, language):
        path = self.new_path(".c" if language in C_LANGUAGES else ".cpp")
        path.write_text(text)
        return path

    def compile(self, mode, text, *options, to=None):
        """None, or the compiler's complaint about a text."""
        includes = self.includes if HEADER in text else []
        path = self.write(text, mode.language)
        code, output = run([*mode.compiler.command(mode.language), *includes, *options, "-c", str(path), "-o",
                            str(to or os.devnull)])
        return None if code == 0 else first_error(output)

    def source_modes(self, source):
        is_c = pathlib.Path(source).suffix == ".c"
        return [mode for mode in self.modes if (mode.language in C_LANGUAGES) == is_c]

    def objects(self, mode_of, *options):
        """The sources as objects, each by the mode for its language, or (None, the complaint)."""
        made = []
        for source in self.sources:
            mode, path = mode_of(source), self.new_path(".o")
            code, output = run([*mode.compiler.command(mode.language), *self.includes, *self.flags, *options,
                                "-c", str(source), "-o", str(path)])
            if code != 0:
                return None, "the source does not compile: " + first_error(output)
            made.append(path)
        return made, None

    # --- Rows that the header decides: one check per mode ----------------------------------------------------

    def asserts(self, mode, text):
        prelude = ("#ifdef __cplusplus\n#define ASSERT static_assert\n#else\n#define ASSERT _Static_assert\n#endif\n"
                   "#define LIKE(K) __typeof__(K)\n")
        if mode.language == "C++20":
            prelude += ("template <typename A, typename B> struct same { static constexpr bool value = false; };\n"
                        "template <typename A> struct same<A, A> { static constexpr bool value = true; };\n"
                        "#define IS(K, T) same<__underlying_type(LIKE(K)), T>::value\n")
        else:
            prelude += "#define IS(K, T) _Generic((LIKE(K))0, T: 1, default: 0)\n"
        return self.compile(mode, HEADER + prelude + text)

    def nodiscard(self, mode):
        calls = [f"void call_{i}(const {FUNCTIONS[name][0]}* in, {FUNCTIONS[name][1]}* out);\n"
                 f"void call_{i}(const {FUNCTIONS[name][0]}* in, {FUNCTIONS[name][1]}* out) "
                 f"{{ {name}(in, out, 1, 1.0f, 0); }}\n" for i, name in enumerate(FUNCTIONS)]
        for name, call in zip(FUNCTIONS, calls):
            path = self.write(HEADER + call, mode.language)
            command = [*mode.compiler.command(mode.language), *self.includes, "-S", str(path), "-o", os.devnull]
            code, output = run([*command, "-Wunused-result"])
            if code != 0:
                return first_error(output)
            if "-Wunused-result" not in output:
                return f"the result of {name} may be ignored without a warning"
        return None

    def range_enumerators(self, mode):
        values = {"i8_min": -128, "i8_max": 127, "u8_min": 0, "u8_max": 255}
        text = "".join(f'ASSERT(k_ra8_npu_quant_{name} == {value}, "k_ra8_npu_quant_{name} is {value}");\n'
                       for name, value in values.items())
        if mode.is_complete:
            text += "".join(f'ASSERT(IS(k_ra8_npu_quant_{name}, int32_t), "k_ra8_npu_quant_{name} has the type '
                            f'int32_t");\n' for name in values)
        else:
            text += ('ASSERT(sizeof(ra8_npu_quant_range_t) == sizeof(int32_t), "the range type has 32 bits");\n'
                     'ASSERT((ra8_npu_quant_range_t)-1 < 0, "the range type has a sign");\n')
        return self.asserts(mode, text)

    def result_codes(self, mode):
        return self.asserts(mode, 'ASSERT(k_ra8_ok == 0, "k_ra8_ok is 0");\n'
                                  'ASSERT(k_ra8_err_invalid_arg == 0x103, "k_ra8_err_invalid_arg is 0x103");\n'
                                  'ASSERT(k_ra8_err_null_ptr == 0x504, "k_ra8_err_null_ptr is 0x504");\n'
                                  'ASSERT(sizeof(ra8_err_t) == 2, "ra8_err_t has 16 bits");\n'
                                  'ASSERT((ra8_err_t)-1 > 0, "ra8_err_t has no sign");\n')

    def prototypes(self, mode):
        text = ""
        for name, (read, written) in FUNCTIONS.items():
            pointer = f"ra8_err_t (*{{}})(const {read}*, {written}*, size_t, float, int32_t)"
            if mode.language == "C++20":
                # A pointer takes nothing but exactly this type, with or without noexcept.
                text += f"extern {pointer.format('p_' + name)};\n{pointer.format('p_' + name)} = &{name};\n"
            else:
                text += (f"ASSERT(_Generic(&{name}, {pointer.format('')}: 1, default: 0), "
                         f'"{name} has the parameters of the header");\n')
        return self.asserts(mode, text)

    def caller(self, mode, function):
        lines = [f"  {{ const {read} in[1] = {{0}}; {written} out[1] = {{0}}; sum |= (int)"
                 f"{name}(in, out, 1, 1.0f, 0); }}\n" for name, (read, written) in FUNCTIONS.items()]
        linkage = 'extern "C" ' if mode.language == "C++20" else ""
        return (f"{linkage}int {function}(void);\n{linkage}int {function}(void) {{\n  int sum = 0;\n"
                f"{''.join(lines)}  return sum;\n}}\n")

    def header_alone(self, mode):
        path = self.new_path(".o")
        if wrong := self.compile(mode, HEADER + HEADER + self.caller(mode, "call"), "-URA8_HAS_NPU", "-O0", to=path):
            return wrong
        needed = {each.name for each in elf.read(path)[0] if each.section == elf.UNDEFINED}
        if lost := sorted(set(FUNCTIONS) - needed):
            return f"a caller does not ask for the C symbol {lost[0]} but for {', '.join(sorted(needed))}"
        return None

    # --- Rows that the object decides: one check per mode of the source's language -----------------------------

    def callers_link(self, mode):
        """C and C++ callers in one program, which runs. Whether it needs the mathematics library is another row."""
        if not mode.compiler.is_host:
            return None
        made, wrong = self.objects(lambda source: self.mode_for(mode, source))
        if wrong:
            return wrong
        callers = []
        for caller in self.modes:
            if caller.compiler.name != mode.compiler.name:
                continue
            made.append(self.new_path(".o"))
            callers.append(f"call_{len(callers)}")
            if wrong := self.compile(caller, HEADER + self.caller(caller, callers[-1]), to=made[-1]):
                return wrong
        made.append(self.new_path(".o"))
        main = "".join(f"int {name}(void);\n" for name in callers)
        main += f"int main(void) {{ return {' | '.join(f'{name}()' for name in callers)}; }}\n"
        host = Mode(mode.compiler, "C11", False)
        if wrong := self.compile(host, main, to=made[-1]):
            return wrong
        program = self.new_path("")
        code, output = run([*mode.compiler.c, *map(str, made), "-o", str(program), "-lm"])
        if code == 0:
            code, output = run([str(program)])
            return None if code == 0 else f"a program that calls the four functions ends with {code} {output}".rstrip()
        return first_error(output)

    def mode_for(self, mode, source):
        """The mode of the same compiler for another source's language."""
        fitting = [each for each in self.source_modes(source) if each.compiler.name == mode.compiler.name]
        return mode if mode in fitting or not fitting else fitting[-1]

    def no_libm(self, mode):
        for level in ([], ["-O0"]):
            made, wrong = self.objects(lambda source: self.mode_for(mode, source), *level)
            if wrong:
                return wrong
            defined, needed = set(), set()
            for path in made:
                for each in elf.read(path)[0]:
                    (needed if each.section == elf.UNDEFINED else defined).add(each.name)
            if found := sorted((needed - defined) & LIBM):
                return f"needs {', '.join(found)} of the mathematics library ({' '.join(self.flags + level)})"
        return None

    def symbols(self, mode):
        made, wrong = self.objects(lambda source: self.mode_for(mode, source))
        if wrong:
            return wrong
        defined = {each.name for path in made for each in elf.read(path)[0]
                   if each.section != elf.UNDEFINED and not each.is_local}
        lost = sorted(set(FUNCTIONS) - defined)
        return f"the object does not define the C symbol {lost[0]}" if lost else None

    def nothing_left(self, mode):
        made, wrong = self.objects(lambda source: self.mode_for(mode, source), "-ffunction-sections", "-fdata-sections")
        if wrong:
            return wrong
        start = self.new_path(".o")
        text = "void _start(void);\nvoid _start(void) { for (;;) { } }\n"
        if wrong := self.compile(Mode(mode.compiler, "C11", False), text, to=start):
            return wrong
        images = []
        for parts in ([start], [start, *made]):
            images.append(self.new_path(""))
            code, output = run([*mode.compiler.c, *mode.compiler.link, "-Wl,--gc-sections", *map(str, parts), "-o",
                                str(images[-1])])
            if code != 0:
                return first_error(output)
        of_unit = {each.name for path in made for each in elf.read(path)[0] if each.section != elf.UNDEFINED}
        if left := sorted({each.name for each in elf.read(images[1])[0]} & of_unit):
            return f"an image that calls nothing keeps {', '.join(left)}"
        # A linker may keep bytes and drop their name.
        without, with_unit = ({each.name: each.size for each in elf.read(image)[1] if each.is_loaded}
                              for image in images)
        if grown := sorted(name for name, size in with_unit.items() if size > without.get(name, 0)):
            return f"an image that calls nothing has more in {', '.join(grown)}"
        return None


# id: (checks of the header, checks of the source)
ROWS = {
    "RA8-Q-023": ([Bench.nodiscard], []),
    "RA8-Q-024": ([Bench.range_enumerators], []),
    "RA8-Q-025": ([Bench.header_alone], [Bench.callers_link]),
    "RA8-Q-026": ([], [Bench.no_libm]),
    "RA8-Q-031": ([Bench.result_codes], []),
    "RA8-Q-032": ([Bench.prototypes], [Bench.symbols]),
    "RA8-Q-033": ([], [Bench.nothing_left]),
}


def judge(bench, id, pool):
    """(number of checks, the complaints)"""
    of_header, of_source = ROWS[id]
    modes = {mode for source in bench.sources for mode in bench.source_modes(source)}
    jobs = [(check, mode) for check in of_header for mode in bench.modes]
    jobs += [(check, mode) for check in of_source for mode in bench.modes if mode in modes]
    answers = list(pool.map(lambda job: job[0](bench, job[1]), jobs))
    return len(jobs), [f"{mode}: {wrong}" for (_, mode), wrong in zip(jobs, answers) if wrong]


def parse(arguments):
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0], epilog=HELP,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    add = parser.add_argument
    add("--source", action="append", default=[], metavar="FILE",
        help="C or C++ instead of what ships here; repeat for several")
    add("--include-dir", action="append", default=[], metavar="DIR", help="where its headers are; repeat")
    add("--define", action="append", default=[], metavar="NAME[=X]", help="repeat")
    add("--flags", default="-O2", help="of the compiler for the source, by default -O2; -O0 is tried as well")
    add("--row", action="append", default=[], metavar="ID", help="only this requirement; repeat")
    add("--compiler", action="append", default=[], metavar="NAME",
        help="only gcc, clang, gcc-arm or clang-arm; repeat")
    add("--older", action="store_true",
        help="also C11, and C23 by compilers that cannot name the type under an enumeration")
    add("--require-all", action="store_true", help="a compiler that is missing is an error")
    add("--list", action="store_true", help="only the requirement ids")
    # A value that begins with a dash is one all the same: --flags -Os, as ci/firmware.sh takes it.
    if "--flags" in arguments[:-1]:
        at = arguments.index("--flags")
        arguments = [*arguments[:at], "=".join(arguments[at:at + 2]), *arguments[at + 2:]]
    chosen = parser.parse_args(arguments)
    for path in [*chosen.source, *chosen.include_dir]:
        if not os.path.exists(path):
            parser.error(f"no such file or folder: {path}")
    names = [each.name for each in compilers()]
    for what, known in ((chosen.row, ROWS), (chosen.compiler, names)):
        for each in what:
            if each not in known:
                parser.error(f"{each} is none of {' '.join(known)}")
    return chosen


def main(words):
    arguments = parse(words)
    if arguments.list:
        print("\n".join(ROWS))
        return 0
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(os.cpu_count()) as pool:
        bench = Bench(arguments, folder)
        for each in bench.missing:
            print(f"not checked: {each}", file=sys.stderr)
        if not bench.modes or (arguments.require_all and any(" here" in each for each in bench.missing)):
            print("a compiler is missing", file=sys.stderr)
            return 2
        code = 0
        for id in arguments.row or ROWS:
            checks, wrong = judge(bench, id, pool)
            verdict = "not run" if checks == 0 else "violated" if wrong else "conforms"
            print(f"{id}  {verdict}  {checks - len(wrong)}/{checks}", *wrong, sep="\n  ", flush=True)
            code = max(code, {"conforms": 0, "violated": 1, "not run": 3}[verdict])
        return code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
