#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Does the second oracle answer what the texts say? Values written by hand from the requirements (HQ-…,
HC-…, RA8-…) and the rulings (A.., R..), among them inputs on which kernels are known to go wrong.
Arithmetic by itself: exact_test.py; the tool: compare_test.py.
"""

import struct
import unittest

import exact
import second_oracle
from alternatives import RequestError

ONE, HALF, TENTH = "3f800000", "3f000000", "3dcccccd"


def f32(*numbers):
    """Little-endian hexadecimal of numbers (which binary32 holds, or rounds as the text means)."""
    return struct.pack(f"<{len(numbers)}f", *numbers).hex()


def patterns(*bits):
    return struct.pack(f"<{len(bits)}I", *bits).hex()


def answers(line):
    return [alternative["answer"] for alternative in second_oracle.ask(line)]


def ask_dequantize(tag, scale, zero_point, count, q):
    return f"dequantize type={tag} scale={scale} zero_point={zero_point} count={count} q={q}"


def ask_quantize(tag, scale, zero_point, inputs):
    count = len(inputs) // 8
    return f"quantize type={tag} scale={scale} zero_point={zero_point} count={count} in={inputs}"


def ask_ra8(fn, scale, zero_point, data, more=""):
    count = len(data) // (8 if fn.startswith("quantize") else 2)
    return f"ra8 fn={fn} scale={scale} zero_point={zero_point} count={count} in={data}{more}"


class Descriptors(unittest.TestCase):
    GOOD = "010100000000003f0300000000000000"

    def assert_decode(self, tag, section, *expected):
        self.assertEqual(answers(f"decode type={tag} bytes={section}"), list(expected))

    def section(self, position, edit):
        return self.GOOD[:2 * position] + edit + self.GOOD[2 * position + len(edit):]

    def test_golden(self):
        self.assert_decode("10", self.GOOD, "ok scheme=1 scale=3f000000 zero_point=3")
        self.assertEqual(answers("encode type=10 scheme=1 scale=3f000000 zero_point=3"),
                         [f"ok bytes={self.GOOD}"])
        # Zero point 128 is outside int8 and inside uint8.
        tensor = "01010000" "0ad7a33c" "80000000" "00000000"
        self.assert_decode("10", tensor, "reject")
        self.assert_decode("11", tensor, "ok scheme=1 scale=3ca3d70a zero_point=128")

    def test_every_header_and_reserved_bit_is_refused(self):
        for position in (0, 2, 3, 12, 13, 14, 15):
            for bit in range(8):
                byte = bytes.fromhex(self.GOOD)[position] ^ 1 << bit
                self.assert_decode("10", self.section(position, f"{byte:02x}"), "reject")
        for version in ("02", "7f", "ff"):
            self.assert_decode("10", self.section(1, version), "reject")

    def test_version_0_may_be_read_with_a_warning(self):
        self.assertEqual(second_oracle.ask(f"decode type=10 bytes={self.section(1, '00')}"), [
            {"answer": "ok scheme=1 scale=3f000000 zero_point=3", "verdict": "warn", "shows": {}},
            {"answer": "reject", "verdict": "pass", "shows": {}}])
        self.assert_decode("10", self.section(1, "00")[:24] + "01000000", "reject")

    def test_scales(self):
        for scale in ("0000c07f", "0100807f", "0000c0ff", "ffffffff", "0000807f", "000080ff",
                      "00000000", "00000080"):
            self.assert_decode("10", self.section(4, scale), "reject")
            big_endian = bytes.fromhex(scale)[::-1].hex()
            self.assertEqual(answers(f"encode type=10 scheme=1 scale={big_endian} zero_point=3"), ["reject"])
        for scale in ("bf000000", "00000001", "80000001", "7f7fffff", "00800000", "007fffff"):
            little_endian = bytes.fromhex(scale)[::-1].hex()
            self.assert_decode("10", self.section(4, little_endian), f"ok scheme=1 scale={scale} zero_point=3")

    def test_zero_points_at_the_ends_of_each_type(self):
        ends = {"10": (-128, 127), "11": (0, 255), "12": (-32768, 32767), "13": (0, 65535),
                "48": (-8, 7), "49": (0, 15), "4a": (-2, 1), "4b": (0, 3),
                "14": (-2147483648, 2147483647), "15": (0, 2147483647)}
        for tag, (low, high) in ends.items():
            for zero_point in {low, high, low - 1, high + 1}:
                if not -2147483648 <= zero_point <= 2147483647:
                    continue
                legal = low <= zero_point <= high
                section = self.section(8, struct.pack("<i", zero_point).hex())
                self.assert_decode(tag, section, f"ok scheme=1 scale=3f000000 zero_point={zero_point}"
                                   if legal else "reject")
                self.assertEqual(answers(f"encode type={tag} scheme=1 scale={HALF} zero_point={zero_point}"),
                                 [f"ok bytes={section}" if legal else "reject"])

    def test_other_storage_types_are_refused(self):
        listed = {0x10, 0x11, 0x12, 0x13, 0x14, 0x15, 0x48, 0x49, 0x4A, 0x4B}
        for tag in set(range(256)) - listed:
            for line in (f"decode type={tag:02x} bytes={self.GOOD}",
                         f"encode type={tag:02x} scheme=1 scale={HALF} zero_point=0",
                         f"dequantize type={tag:02x} scale={HALF} zero_point=0 count=0 q=",
                         f"quantize type={tag:02x} scale={HALF} zero_point=0 count=0 in="):
                self.assertEqual(answers(line), ["reject"])

    def test_lengths(self):
        for length in range(16):
            self.assert_decode("10", self.GOOD[:2 * length], "reject")
        self.assertEqual(second_oracle.ask(f"decode type=10 bytes={self.GOOD}deadbeef"), [
            {"answer": "ok scheme=1 scale=3f000000 zero_point=3", "verdict": "pass",
             "shows": {"longer-section": ["skip"]}},
            {"answer": "reject", "verdict": "pass", "shows": {"longer-section": ["refuse"]}}])
        self.assert_decode("10", self.section(12, "01000000") + "00", "reject")

    def test_an_encoder_without_room_writes_nothing(self):
        line = f"encode type=10 scheme=1 scale={HALF} zero_point=3"
        self.assertEqual(answers(line + " capacity=16"), [f"ok bytes={self.GOOD}"])
        self.assertEqual(answers(line + " capacity=64 fill=a5"),
                         [f"ok bytes={self.GOOD} under=0 over=0 in_changed=0"])
        for capacity in (0, 15):
            self.assertEqual(answers(f"{line} capacity={capacity} fill=a5"),
                             ["reject under=0 over=0 in_changed=0 changed=0", "unsupported"])
        self.assertEqual(answers(line.replace("zero_point=3", "zero_point=128") + " capacity=4"), ["reject"])
        self.assertEqual(answers(f"decode type=10 bytes={self.GOOD} capacity=16"), ["unsupported"])

    def test_no_other_scheme_has_these_fields(self):
        for scheme, expected in [(0, ["reject"]), (2, ["reject", "unsupported"]),
                                 (5, ["reject", "unsupported"]), (255, ["reject"])]:
            self.assertEqual(answers(f"encode type=10 scheme={scheme} scale={HALF} zero_point=3"), expected)


class Dequantize(unittest.TestCase):
    def test_golden(self):
        for tag, scale, zero_point, count, q, out in [
                ("10", HALF, 3, 2, "00ff", f32(-1.5, -2)),                      # PROTOCOL.md
                ("14", "40400000", 0, 1, "01000001", f32(50331648)),           # HQ-PTA-020
                ("12", ONE, -32768, 1, "ff7f", f32(65535)),                    # HQ-PTA-019
                ("13", ONE, 65535, 1, "0000", f32(-65535)),
                ("10", "3ca3d70a", 7, 1, "09", patterns(0x3D23D70A)),          # HQ-PTA-025
                ("11", HALF, 5, 1, "02", f32(-1.5)),                           # HQ-PTA-019: signed also for uint8
                ("11", TENTH, 3, 2, "0103", patterns(0xBE4CCCCD, 0)),          # HQ-PTA-020: not fused
                ("11", TENTH, 163, 1, "a4", patterns(0x3DCCCCCD)),             # nor multiplied out
                ("14", TENTH, 0, 1, "01000001", patterns(0x49CCCCCD)),         # nor in double
                ("10", "00000001", 0, 1, "03", patterns(3)),                   # A05: result kept
                ("10", "00400000", 0, 1, "04", patterns(0x01000000)),          # A05: scale kept
                ("10", "bf000000", 3, 2, "0503", patterns(0xBF800000, 1 << 31)),  # HQ-PTA-018: a negative scale
                ("48", ONE, 0, 2, "98", f32(-8, -7)),                          # HQ-PACK-005
                ("48", ONE, 0, 8, "1a12131e", f32(-6, 1, 2, 1, 3, 1, -2, 1)),  # no borrow from the next byte
                ("4a", ONE, 0, 4, "e4", f32(0, 1, -2, -1)),                    # HQ-PACK-008
                ("10", "3baaaaab", 0, 1, "01", patterns(0x3BAAAAAB)),          # all digits of 1/192
                ("10", "7f7fffff", -128, 2, "7f80", patterns(exact.INF, 0)),   # A05: overflow is +inf
                ("49", ONE, 0, 3, "c5f3", f32(5, 12, 3)),                      # HQ-PACK-004, A43
                ("4b", ONE, 0, 3, "27", f32(3, 1, 2)),                         # HQ-PACK-007
                ("4b", ONE, 0, 5, "6303", f32(3, 0, 2, 1, 3)),                 # HQ-PACK-007
                ("10", ONE, 0, 0, "", "")]:
            with self.subTest(tag=tag, scale=scale, q=q):
                self.assertEqual(second_oracle.ask(ask_dequantize(tag, scale, zero_point, count, q)),
                                 [{"answer": f"ok out={out}", "verdict": "pass", "shows": {}}])

    def assert_open(self, tag, q, zero_point, expected):
        line = ask_dequantize(tag, ONE, zero_point, 1, struct.pack("<I", q & 0xFFFFFFFF).hex())
        self.assertEqual({a["answer"]: a["shows"] for a in second_oracle.ask(line)},
                         {f"ok out={f32(real)}": shows for real, shows in expected.items()})

    def test_int32_differences(self):  # A01
        wrap, widen = {"int32-difference": ["wrap"]}, {"int32-difference": ["widen"]}
        self.assert_open("14", 2147483647, -2147483648, {4294967296.0: widen, -1.0: wrap})
        self.assert_open("14", 2147483647, -1, {2147483648.0: widen, -2147483648.0: wrap})
        self.assert_open("14", 2147483647, 1, {2147483646.0: {}})

    def test_uint32_codes(self):  # A02
        self.assert_open("15", 0x7FFFFFFF, 5, {2147483642.0: {}})
        unsigned = {"int32-difference": ["widen"], "uint32-codes": ["unsigned"]}
        # Negative is what was reinterpreted, or wrapped, or both: no option is excluded, a pair of them is.
        tie = {"int32-difference+uint32-codes": ["widen+reinterpret", "wrap+reinterpret", "wrap+unsigned"]}
        self.assert_open("15", 0xFFFFFFFF, 0, {4294967295.0: unsigned, -1.0: tie})
        reinterpret = {"int32-difference": ["widen"], "uint32-codes": ["reinterpret"]}
        self.assert_open("15", 0x80000000, 1024, {
            2147482624.0: {"int32-difference+uint32-codes": ["widen+unsigned", "wrap+reinterpret", "wrap+unsigned"]},
            -2147484672.0: reinterpret})


class Quantize(unittest.TestCase):
    def test_golden(self):
        for tag, scale, zero_point, inputs, codes in [
                ("10", HALF, 3, f32(-1.5, -2), "00ff"),                             # PROTOCOL.md
                ("10", ONE, 0, f32(.5, -.5, 1.5, -1.5, 2.5, -2.5), "01ff02fe03fd"),  # RA8-Q-003
                ("10", ONE, 0, patterns(0x3EFFFFFF, 0xBEFFFFFF, 1, 1 << 31), "00000000"),  # R05
                ("11", ONE, 0, f32(1.7), "02"),                                     # HC-QNT-001
                ("10", ONE, 1, f32(-.5), "00"),                                     # HC-QNT-003
                ("11", ONE, 200, patterns(0x3EFFFFFF, 0xBF000000), "c8c7"),
                ("10", TENTH, 1, patterns(0x3D4CCCCC), "01"),                       # not fused
                ("10", "3c74c7e7", -128, patterns(0x405CCE70), "67"),               # clamped at the end only
                ("11", ONE, 128, f32(-100), "1c"), ("10", ONE, 10, f32(127), "7f"),
                ("10", ONE, 0, f32(200, 100, -100, -128, -300), "7f649c8080"),      # HC-QNT-004
                ("11", ONE, 0, f32(200, 300), "c8ff"),
                ("11", HALF, 1, f32(4294967296), "ff"),                             # HC-QNT-007
                ("10", ONE, 0, patterns(0x7F800000, 0xFF800000), "7f80"),           # HC-QNT-004
                ("10", "3727c5ac", 0, f32(3e38), "7f"),                             # HC-QNT-004
                ("10", ONE, 0, f32(5e6, 1e30, -1e30, 3e9), "7f7f807f"),             # HC-QNT-004
                ("11", ONE, 2, f32(-3), "00"),                                      # a negative sum
                ("10", TENTH, 0, patterns(0x3E199999), "01"),                       # below a tie by one ulp
                ("10", "442d941a", 0, f32(7984), "0b"),                             # below a tie by 1e-3
                ("48", ONE, 0, f32(0, -8), "80"), ("48", ONE, 0, f32(-1, 2), "2f"),  # HQ-PACK-002, HQ-PACK-004
                ("49", ONE, 0, f32(1, 2, 3), "2103"), ("49", ONE, 0, f32(5, 12, 3), "c503"),  # HC-QNT-008
                ("4b", ONE, 0, f32(3, 1, 2), "27"), ("4a", ONE, 0, f32(-2, 1, -1, 9, -9), "7602"),
                ("12", ONE, 0, f32(-2, 1e6), "feffff7f"), ("13", ONE, 1, f32(65534, -2), "ffff0000"),
                ("14", ONE, 2147483647, f32(1, -4294967296.0), "ffffff7f" "00000080"),
                ("15", ONE, 0, f32(4294967040.0, 1e10, -1), "00ffffff" "ffffffff" "00000000")]:
            with self.subTest(tag=tag, scale=scale, inputs=inputs):
                self.assertEqual(second_oracle.ask(ask_quantize(tag, scale, zero_point, inputs)),
                                 [{"answer": f"ok q={codes}", "verdict": "pass", "shows": {}}])

    def test_the_quotient_may_be_exact(self):  # R06
        # The scale is 13421773 * 2^-27, and 2.5 of it would be 33554432.5 * 2^-27, a little above the
        # input 0.25 = 33554432 * 2^-27. The exact quotient is below the tie, its binary32 is 2.5.
        self.assertEqual(second_oracle.ask(ask_quantize("10", TENTH, 0, f32(.25, -.25))), [
            {"answer": "ok q=02fe", "verdict": "pass", "shows": {"quotient": ["exact"]}},
            {"answer": "ok q=03fd", "verdict": "pass", "shows": {"quotient": ["binary32"]}}])

    def test_scales_that_no_one_divides_by(self):
        for scale in ("7fc00000", "ffffffff", "00000000", "80000000"):
            self.assertEqual(second_oracle.ask(ask_quantize("10", scale, 300, patterns(0x7FC00000))),
                             [{"answer": "reject", "verdict": "pass", "shows": {}}])

    def test_open_refusals(self):
        refuse = lambda name: {"answer": "reject", "verdict": "pass", "shows": {name: ["refuse"]}}
        self.assertEqual(second_oracle.ask(ask_quantize("10", "bf000000", 3, f32(1, .25))), [
            {"answer": "ok q=0102", "verdict": "pass", "shows": {"quantize-negative-scale": ["divide"]}},
            refuse("quantize-negative-scale")])
        self.assertEqual(second_oracle.ask(ask_quantize("11", ONE, 300, f32(0, -100))), [
            {"answer": "ok q=ffc8", "verdict": "pass", "shows": {"quantize-zero-point-range": ["compute"]}},
            refuse("quantize-zero-point-range")])
        self.assertEqual(second_oracle.ask(ask_quantize("10", ONE, 3, f32(1, float("nan"), 2))), [
            {"answer": "ok q=040305", "verdict": "pass", "shows": {}, "free": [1]}, refuse("nan-input")])
        self.assertEqual(second_oracle.ask(ask_quantize("10", "7f800000", 3, f32(1, float("inf"), -9))), [
            {"answer": "ok q=030303", "verdict": "pass", "shows": {"infinite-scale": ["zero-point"]},
             "free": [1]}, {"answer": "reject", "verdict": "pass", "shows": {}}])

    def test_several_open_refusals_at_once_name_none(self):
        self.assertEqual(second_oracle.ask(ask_quantize("10", "bf800000", 3, f32(1, float("nan")))), [
            {"answer": "ok q=0203", "verdict": "pass", "shows": {"quantize-negative-scale": ["divide"]},
             "free": [1]},
            {"answer": "reject", "verdict": "pass", "shows": {}}])


class Normalize(unittest.TestCase):
    def test_golden(self):
        for bits, bias, order, count, packed, zero_points in [
                (4, 1, "low-first", 4, "6778", [8, 7, 9, 8]), (4, 0, "low-first", 4, "6778", [7, 6, 8, 7]),
                (4, 1, "low-first", 3, "6778", [8, 7, 9]), (4, 1, "low-first", 2, "ff", [16, 16]),
                (4, 1, "low-first", 2, "87", [8, 9]), (4, 1, "low-first", 2, "f0", [1, 16]),
                (4, 1, "low-first", 2, "0f", [16, 1]), (4, 1, "low-first", 2, "32", [3, 4]),
                (4, 1, "low-first", 8, "10325476", list(range(1, 9))),
                (4, 0, "high-first", 3, "6778", [6, 7, 7]), (4, -9, "high-first", 2, "32", [-6, -7]),
                (2, 1, "low-first", 4, "27", [4, 2, 3, 1]), (2, 0, "high-first", 5, "1b80", [0, 1, 2, 3, 2]),
                (8, 1, "low-first", 2, "00ff", [1, 256]), (4, 1, "low-first", 0, "", [])]:
            with self.subTest(packed=packed, order=order):
                line = f"normalize bits={bits} bias={bias} order={order} count={count} packed={packed}"
                # A27: who knows the recipe's form only may say so.
                unknown = [] if (bits, order) == (4, "low-first") else ["unsupported"]
                self.assertEqual(answers(line), ["ok zero_points=" + struct.pack(
                    f"<{count}i", *zero_points).hex()] + unknown)

    def test_too_few_bytes(self):  # HQ-ZP-015
        self.assertEqual(answers("normalize bits=4 bias=1 order=low-first count=4 packed=67"), ["reject"])
        self.assertEqual(answers("normalize bits=4 bias=1 order=high-first count=4 packed=67 fill=00"),
                         ["reject under=0 over=0 in_changed=0 changed=0", "unsupported"])


class Firmware(unittest.TestCase):
    def assert_ra8(self, line, *expected):
        found = [(a["answer"], a["shows"], a.get("free", [])) for a in second_oracle.ask(line)]
        defaults = (None, {}, [])
        self.assertEqual(found, [answer + defaults[len(answer):] for answer in expected])

    def test_golden(self):
        for fn, scale, zero_point, data, out in [
                ("quantize_i8", HALF, 3, f32(-1.5, -2), "00ff"),
                ("quantize_i8", ONE, -1, f32(.5), "00"),                    # RA8-Q-004
                ("quantize_i8", ONE, 2147483647, f32(1), "7f"),            # RA8-Q-007
                ("quantize_u8", ONE, -2147483648, f32(-1), "00"),
                ("quantize_i8", ONE, -1999900, f32(2e6), "64"),            # RA8-Q-008
                ("quantize_u8", ONE, 300, f32(0, -100), "ffc8"), ("quantize_u8", ONE, -50, f32(100), "32"),
                ("dequantize_i8", ONE, -2147483648, "7f", f32(2147483648)),  # RA8-Q-021
                ("dequantize_u8", ONE, -2147483648, "ff", f32(2147483904)),
                ("quantize_i8", ONE, 0, "", "")]:
            self.assert_ra8(ask_ra8(fn, scale, zero_point, data), (f"ok code=0000 out={out}",))

    def test_bad_scales_of_quantize(self):  # RA8-Q-009, 010
        for scale in ("00000000", "80000000", "bf800000", "ff800000", "80000001", "7fc00000", "ffc00000"):
            self.assert_ra8(ask_ra8("quantize_u8", scale, 0, f32(1)), ("ok code=0103",))
            self.assert_ra8(ask_ra8("quantize_u8", scale, 0, f32(1, 2), " fill=a5"),
                            ("ok code=0103 out=a5a5 under=0 over=0 in_changed=0",))
        self.assert_ra8(ask_ra8("quantize_i8", "7fc00000", 0, ""),
                        ("ok code=0000 out=", {"bad-scale-with-count-0": ["ok"]}),
                        ("ok code=0103", {"bad-scale-with-count-0": ["invalid_arg"]}))

    def test_null(self):
        self.assert_ra8(ask_ra8("dequantize_i8", ONE, 0, "01", " null=in fill=00"),
                        ("ok code=0504 out=00000000 under=0 over=0 in_changed=0",))
        self.assert_ra8(ask_ra8("quantize_i8", ONE, 0, "", " null=in,out"),
                        ("ok code=0000 out=", {"null-with-count-0": ["ok"]}),
                        ("ok code=0504", {"null-with-count-0": ["null_ptr"]}))
        self.assert_ra8(ask_ra8("quantize_i8", "80000000", 0, f32(1), " null=out"),
                        ("ok code=0103", {"null-and-bad-scale": ["invalid_arg"]}),
                        ("ok code=0504", {"null-and-bad-scale": ["null_ptr"]}))

    def test_infinite_scale_and_nan_input(self):
        self.assert_ra8(ask_ra8("quantize_i8", "7f800000", 300, f32(1, float("nan"), float("inf"))),
                        ("ok code=0000 out=7f7f7f", {"infinite-scale": ["zero-point"]}, [1, 2]),
                        ("ok code=0103", {"infinite-scale": ["refuse"]}),
                        ("ok code=error", {"infinite-scale": ["zero-point"], "nan-input": ["refuse"]}))

    def test_dequantize_with_a_bad_scale(self):
        for scale, out in [("00000000", patterns(1 << 31)), ("bf800000", f32(1)),
                           ("ff800000", patterns(0x7F800000)), ("7fc00000", patterns(exact.NAN))]:
            found = second_oracle.ask(ask_ra8("dequantize_i8", scale, 0, "ff"))
            self.assertEqual([(a["answer"], a["verdict"], a["shows"]) for a in found], [
                (f"ok code=0000 out={out}", "pass", {"dequantize-bad-scale": ["compute"]}),
                ("ok code=any", "record", {"dequantize-bad-scale": ["other"]})])

    def test_flushing(self):  # R15
        flushed, kept = ["flush", "flush-operands", "flush-results"], ["gradual"]
        self.assert_ra8(ask_ra8("dequantize_i8", "00000001", 0, "03"),
                        ("ok code=0000 out=" + patterns(0), {"subnormals": flushed}),
                        ("ok code=0000 out=" + patterns(3), {"subnormals": kept}))
        self.assert_ra8(ask_ra8("dequantize_i8", "00400000", 0, "fc"),
                        ("ok code=0000 out=" + patterns(1 << 31), {"subnormals": ["flush", "flush-operands"]}),
                        ("ok code=0000 out=" + patterns(0x81000000),
                         {"subnormals": ["flush-results", "gradual"]}))
        # Scale 2^-149: 0 stays the zero point; a normal input saturates either way.
        self.assert_ra8(ask_ra8("quantize_i8", "00000001", 5, f32(0, 1, -1)), ("ok code=0000 out=057f80",))
        # Inputs 3 * 2^-149 and 2^-126 over 2^-127: the first over itself would be 0 anyway.
        self.assert_ra8(ask_ra8("quantize_i8", "00400000", 5, patterns(0x00400000, 0x80800000)),
                        ("ok code=0000 out=0580", {"subnormals": ["flush", "flush-operands"]}),
                        ("ok code=0000 out=0603", {"subnormals": ["flush-results", "gradual"]}))


class Discipline(unittest.TestCase):
    LINE = "dequantize type=10 scale=3f000000 zero_point=3 count=1 q=00"

    def test_suffixes(self):
        value = "ok out=0000c0bf"
        self.assertEqual(answers(self.LINE + " in_off=3 out_off=1 guard=after threads=4"), [value])
        self.assertEqual(answers(self.LINE + " fill=a5 fenv=nearest"),
                         [value + " under=0 over=0 in_changed=0 fenv=kept"])
        self.assertEqual(answers("decode type=10 bytes= fill=a5"),
                         ["reject under=0 over=0 in_changed=0 changed=0"])

    def test_rounding_mode(self):
        self.assertEqual(second_oracle.ask(self.LINE + " fenv=upward"), [
            {"answer": "ok out=0000c0bf fenv=kept", "verdict": "pass", "shows": {"rounding-mode": ["ignore"]}},
            {"answer": "ok out=any fenv=kept", "verdict": "record", "shows": {"rounding-mode": ["follow"]}}])
        self.assertEqual(second_oracle.ask("decode type=10 bytes= fenv=flush"),
                         [{"answer": "reject fenv=kept", "verdict": "pass", "shows": {}}])
        self.assertIn("ok scheme=any scale=any zero_point=any fenv=kept",
                      answers(f"decode type=10 bytes={Descriptors.GOOD} fenv=downward"))
        self.assertIn("ok code=0000 out=any fenv=kept",
                      answers(ask_ra8("quantize_i8", ONE, 0, f32(1), " fenv=toward-zero")))

    def test_unknown_questions(self):
        for line in ("guess type=10", self.LINE + " sign=1", self.LINE + " null=in"):
            self.assertEqual(answers(line), ["unsupported"])

    def test_malformed_requests_are_named(self):
        for line in ("", "decode type=10", "decode type=10 bytes=0", "decode type=10 bytes=00 bytes=00",
                     "decode type=10 x", self.LINE.replace("=3 ", "=x "), self.LINE + "00",
                     self.LINE.replace("3f000000", "-f000000"), self.LINE.replace("=3 ", "=2147483648 ")):
            with self.subTest(line), self.assertRaises(RequestError):
                if second_oracle.ask(line) == [{"answer": "unsupported", "verdict": "pass", "shows": {}}]:
                    raise RequestError("the empty line asks nothing")


if __name__ == "__main__":
    unittest.main()
