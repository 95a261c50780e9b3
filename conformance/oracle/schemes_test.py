#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Does the second oracle read and write the descriptors of schemes 02 to 05 as the texts say? Sections by
hand; what they say together with a shape is in tensors_test.py.
"""

import struct
import unittest

from by_hand import (ACCEPTED, MXFP, NF4, PBA, PCA, REJECTED, WARNED, ask, edit, open_choice, outcomes)

NONE = "ffffffff"
TYPE_OF = {PCA: "10", PBA: "10", NF4: "49", MXFP: "40"}


class Sections(unittest.TestCase):
    def assert_decode(self, section, expected, type_tag=None):
        got = outcomes(f"decode type={type_tag or TYPE_OF[section]} bytes={section}")
        self.assertEqual(got, expected, section)

    def assert_edits(self, golden, position, expected, *replacements):
        for replacement in replacements:
            with self.subTest(position=position, replacement=replacement):
                self.assert_decode(edit(golden, position, replacement), expected, TYPE_OF[golden])

    def test_golden(self):
        for type_tag, section, fields in [
                ("10", PCA,
                 "scheme=2 flags=0000 axis=0 scale_buffer_index=1 zero_point_buffer_index=2 scale_type_tag=03"),
                ("4b", PBA, "scheme=3 flags=0000 axis=1 block_size=8 scale_buffer_index=1 zero_point_buffer_index=2 "
                            "scale_type_tag=03"),
                ("49", NF4, "scheme=4 axis=0 block_size=8 scale_buffer_index=1"),
                ("44", MXFP, "scheme=5 axis=0 block_size=32 scale_buffer_index=1"),
                ("15", "0201010078563412020000" "00" "ffffffff03000000",
                 "scheme=2 flags=0001 axis=305419896 scale_buffer_index=2 zero_point_buffer_index=4294967295 scale_type_tag=03"),
                ("49", "03010100020000004000000003000000ffffffff02000000",
                 "scheme=3 flags=0001 axis=2 block_size=64 scale_buffer_index=3 zero_point_buffer_index=4294967295 "
                 "scale_type_tag=02")]:
            self.assertEqual(ask(f"decode type={type_tag} bytes={section}"), [(f"ok {fields}", "pass", {})])
            self.assertEqual(ask(f"encode type={type_tag} {fields}"), [(f"ok bytes={section}", "pass", {})])

    def test_header(self):
        for golden in (PCA, PBA, NF4, MXFP):
            self.assert_edits(golden, 1, REJECTED, "02", "7f", "ff")
            self.assert_edits(golden, 1, WARNED, "00")  # A11
            for bit in range(16):
                flags = struct.pack("<H", 1 << bit).hex()
                if bit > 0 or golden in (NF4, MXFP):
                    self.assert_edits(golden, 2, REJECTED, flags)
            for length in range(len(golden) // 2):
                self.assert_decode(golden[:2 * length], REJECTED, TYPE_OF[golden])
            for tail in ("00", "ff" * 64):
                self.assert_decode(golden + tail, open_choice("longer-section", "skip"), TYPE_OF[golden])
            self.assert_decode(golden, REJECTED, "47")
        for tag in ("00", "06", "3f", "60", "80", "ef", "f0", "fe", "ff"):
            self.assert_decode(tag + PBA[2:], REJECTED, "10")
        self.assert_decode("06", REJECTED, "10")

    def test_storage_types(self):
        affine = {"10", "11", "12", "13", "14", "15", "48", "49", "4a", "4b"}
        for section, legal in [(PCA, affine), (PBA, {"10", "11", "48", "49", "4a", "4b"}), (NF4, {"49"}),
                               (MXFP, {"40", "41", "43", "44", "45", "10", "48"})]:
            for tag in map("{:02x}".format, range(256)):
                self.assert_decode(section, ACCEPTED if tag in legal else REJECTED, tag)

    def test_scale_types_and_reserved_bytes(self):
        self.assert_edits(PCA, 16, REJECTED, "00", "01", "02", "04", "40", "ff")
        self.assert_edits(PBA, 20, REJECTED, "00", "04", "10", "40", "ff")
        self.assert_edits(PBA, 20, ACCEPTED, "01", "02", "03")
        for position in (17, 18, 19):
            self.assert_edits(PCA, position, REJECTED, "01", "80")
        for position in (21, 22, 23):
            self.assert_edits(PBA, position, WARNED, "01", "80")  # HQ-PBA-012 binds readers by A60 alone

    def test_block_sizes(self):
        def sizes(*numbers):
            return [struct.pack("<I", n).hex() for n in numbers]

        self.assert_edits(PBA, 8, REJECTED, *sizes(0))
        self.assert_edits(PBA, 8, WARNED, *sizes(1, 3, 5, 6, 7, 12, 4294967295))
        self.assert_edits(PBA, 8, ACCEPTED, *sizes(2, 4, 32, 1 << 31))
        self.assert_edits(NF4, 8, REJECTED, *sizes(0))
        self.assert_edits(NF4, 8, WARNED, *sizes(1, 2, 4, 12))
        self.assert_edits(NF4, 8, ACCEPTED, *sizes(8, 64, 128))
        self.assert_edits(MXFP, 8, REJECTED, *sizes(0, 1, 8, 24, 33, 4096, 1 << 31))
        self.assert_edits(MXFP, 8, ACCEPTED, *sizes(16, 32, 2048))

    def test_index_of_zero_points(self):
        self.assert_edits(PCA, 12, REJECTED, NONE)  # A19
        self.assert_edits(PBA, 16, REJECTED, NONE)
        symmetric = edit(PCA, 2, "01")
        for index, expected in [("00000000", REJECTED), ("02000000", WARNED), (NONE, ACCEPTED)]:  # A18
            self.assert_decode(edit(symmetric, 12, index), expected, "10")
        symmetric = edit(PBA, 2, "01")
        for index, expected in [("00000000", open_choice("symmetric-index", "ignore")),
                                ("02000000", open_choice("symmetric-index", "ignore")), (NONE, ACCEPTED)]:  # A17
            self.assert_decode(edit(symmetric, 16, index), expected, "10")
        # No other index is judged without a table of buffers.
        self.assert_edits(PCA, 8, ACCEPTED, "00000000", NONE)
        self.assert_edits(PCA, 12, ACCEPTED, "00000000", "01000000")

    def test_a_worse_defect_hides_a_milder_one(self):
        self.assert_decode(edit(edit(PBA, 1, "00"), 20, "00"), REJECTED, "10")
        both = edit(edit(edit(PBA, 21, "01"), 2, "01"), 16, "02000000")  # soft, and an open choice
        self.assert_decode(both, WARNED, "10")


class Writers(unittest.TestCase):
    FIELDS = {"2": "flags={flags} axis=0 scale_buffer_index=1 zero_point_buffer_index={index} scale_type_tag={scale}",
              "3": "flags={flags} axis=1 block_size={block} scale_buffer_index=1 zero_point_buffer_index={index} "
                   "scale_type_tag={scale}",
              "4": "axis=0 block_size={block} scale_buffer_index=1",
              "5": "axis=0 block_size={block} scale_buffer_index=1"}

    def encoded(self, scheme, type_tag="10", flags="0000", index=2, scale="03", block=8, more=""):
        fields = self.FIELDS[scheme].format(flags=flags, index=index, scale=scale, block=block)
        return ask(f"encode type={type_tag} scheme={scheme} {fields}{more}")

    def test_nothing_leaves_that_a_reader_should_refuse(self):
        for request in [dict(scheme="2", type_tag="16"), dict(scheme="2", flags="0002"), dict(scheme="2", scale="01"),
                        dict(scheme="2", index=4294967295), dict(scheme="3", block=0), dict(scheme="3", block=12),
                        dict(scheme="3", block=1), dict(scheme="3", scale="04"), dict(scheme="3", type_tag="12"),
                        dict(scheme="3", flags="8000"), dict(scheme="4", type_tag="48"),
                        dict(scheme="4", type_tag="49", block=4),
                        dict(scheme="5", type_tag="40", block=8), dict(scheme="5", type_tag="42", block=32)]:
            self.assertEqual(self.encoded(**request), [("reject", "pass", {})], request)

    def test_symmetric_with_an_index_is_refused_or_mended(self):
        for scheme, section in [("2", "0201010000000000" "01000000ffffffff03000000"),
                                ("3", "03010100010000000800000001000000ffffffff03000000")]:
            for index in (0, 2):
                self.assertEqual(self.encoded(scheme, flags="0001", index=index), [
                    (f"ok bytes={section}", "pass", {"writer-choice": ["write"]}),
                    ("reject", "pass", {"writer-choice": ["refuse"]})])
            self.assertEqual(self.encoded(scheme, flags="0001", index=4294967295),
                             [(f"ok bytes={section}", "pass", {})])

    def test_room(self):
        for scheme, type_tag, size in (("2", "10", 20), ("3", "10", 24), ("4", "49", 16), ("5", "48", 16)):
            block = 32 if scheme == "5" else 8
            enough = self.encoded(scheme, type_tag, block=block, more=f" capacity={size}")
            self.assertEqual([a[0][:5] for a in enough], ["ok by"])
            less = self.encoded(scheme, type_tag, block=block, more=f" capacity={size - 1} fill=a5")
            self.assertEqual([a[0] for a in less], ["reject under=0 over=0 in_changed=0 changed=0", "unsupported"])


if __name__ == "__main__":
    unittest.main()
