#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Does the second oracle read and write tensor descriptors as the texts say? Goldens of the specification,
and descriptors by hand with one thing wrong in each. Values: tensor_values_test.py.
"""

import struct
import unittest

import by_hand
from by_hand import (ACCEPTED, DISCOURAGED, DYNAMIC, MXFP, NF4, PBA, PCA, PTA, REJECTED, WARNED, edit, handle,
                     open_choice, tensor, u64)

EXAMPLE = ("4852525901003d00000000000000030102000000030000000000000004000000000000000000000000000000"
           "01c000000000000000400000000000" "0000")  # HQ-MD-038
AFFINE = ("4852525901005100000001000000100102000000020000000000000004000000000000000000000000000000"
          "010800000000000000400000000000000010000000010100000ad7a33c8000000000000000")
RECIPE = ("4852525901007900000001000000100102000000020000000000000010000000000000000000000000000000"
          "03200000000000000040000000000000001000000000000000400000000000000010000000000000004000000000000000"
          "18000000030100000100000008000000010000000200000003000000")


def le32(n):
    return struct.pack("<I", n).hex()


class Tensors(unittest.TestCase):
    def assert_tensor(self, data, expected, mode=""):
        line = f"decode_tensor bytes={data if isinstance(data, str) else data.hex()}{mode}"
        self.assertEqual(by_hand.outcomes(line), expected, line)


class Reading(Tensors):
    def test_goldens_both_ways(self):
        for data, fields in [
                (EXAMPLE, "type=03 layout=1 shape=03000000000000000400000000000000 byte_offset=0 "
                          "buffers=c0000000000000004000000000000000"),
                (edit(AFFINE, 14, "11"), "type=11 layout=1 shape=02000000000000000400000000000000 byte_offset=0 "
                 "buffers=08000000000000004000000000000000 scheme=1 scale=3ca3d70a zero_point=128"),
                (RECIPE, "type=10 layout=1 shape=02000000000000001000000000000000 byte_offset=0 "
                 "buffers=200000000000000040000000000000001000000000000000400000000000000010000000000000004000000000000000 "
                 "scheme=3 flags=0000 axis=1 block_size=8 scale_buffer_index=1 zero_point_buffer_index=2 scale_type_tag=03")]:
            self.assertEqual(by_hand.ask(f"decode_tensor bytes={data}"),
                             [(f"ok length={len(data) // 2} version=1.0 {fields}", "pass", {})])
            self.assertEqual(by_hand.ask(f"decode_tensor bytes={data}{data}"),  # HQ-MD-009
                             [(f"ok length={len(data) // 2} version=1.0 {fields}", "pass", {})])
            self.assertEqual(by_hand.ask(f"encode_tensor {fields}"), [(f"ok bytes={data}", "pass", {})])
            for cut in range(len(data) // 2):
                self.assert_tensor(data[:2 * cut], REJECTED)  # A51: what is missing cannot be read
                self.assert_tensor(edit(data, 6, le32(cut)), REJECTED)  # HQ-MD-007, 008
        self.assert_tensor(AFFINE, REJECTED)  # 128 is outside int8

    def test_all_sections_in_their_order(self):
        tail = u64(8, 4, 6, 0) + b"\x3f" + bytes(71) + b"\x01" + bytes(15)
        data = tensor(0x11, (2, 4), [8 + 5], PTA, layout=3, strides=(1, 2), byte_offset=5, flags=2 + 8 + 16, tail=tail)
        fields = ("type=11 layout=3 shape=02000000000000000400000000000000 byte_offset=5 "
                  "strides=01000000000000000200000000000000 buffers=0d000000000000004000000000000000 "
                  "scheme=1 scale=3f000000 zero_point=3 parent_shape=08000000000000000400000000000000 "
                  f"shard_offset=06000000000000000000000000000000 statistics=3f{'00' * 71} member_role=01")
        self.assertEqual(by_hand.ask(f"decode_tensor bytes={data.hex()}"),
                         [(f"ok length={len(data)} version=1.0 {fields}", "pass", {})])
        self.assertEqual(by_hand.ask(f"encode_tensor {fields}"), [(f"ok bytes={data.hex()}", "pass", {})])

    def test_private_types(self):
        extension = bytes(range(20))
        data = tensor(0xF0, (3,), [5], flags=4 + 16, tail=extension + bytes(16))
        fields = ("type=f0 layout=1 shape=0300000000000000 byte_offset=0 buffers=05000000000000004000000000000000 "
                  f"member_role=00 extension_type={extension.hex()}")
        self.assertEqual(by_hand.ask(f"decode_tensor bytes={data.hex()}"), [
            (f"ok length={len(data)} version=1.0 {fields}", "pass", {"private-type": ["accept"]}),
            ("reject", "pass", {"private-type": ["refuse"]})])
        self.assertEqual(by_hand.ask(f"encode_tensor {fields}"), [
            (f"ok bytes={data.hex()}", "pass", {"writer-choice": ["write"]}),
            ("reject", "pass", {"writer-choice": ["refuse"]})])
        self.assert_tensor(tensor(0xF0, (3,), [5]), WARNED)
        self.assert_tensor(tensor(0x10, (3,), [5], flags=4, tail=extension), WARNED)
        self.assert_tensor(tensor(0xF0, (3,), [5], PTA, flags=4, tail=extension), REJECTED)
        for tag in (0x00, 0x05, 0x47, 0x80, 0xEF, 0xFF):
            self.assert_tensor(tensor(tag, (3,), [5]), REJECTED)

    def test_fixed_header(self):
        good = tensor(0x10, (2,), [2]).hex()
        self.assert_tensor(good, ACCEPTED)
        for position in range(4):
            self.assert_tensor(edit(good, position, "00"), REJECTED)
        for major, expected in [("00", WARNED), ("02", REJECTED), ("ff", REJECTED)]:
            self.assert_tensor(edit(good, 4, major), expected)
        self.assert_tensor(edit(good, 5, "07"), DISCOURAGED)
        for bit in range(5, 32):
            self.assert_tensor(edit(good, 10, le32(1 << bit)), REJECTED)
        for layout in set(range(256)) - {1, 2, 3}:
            self.assert_tensor(edit(good, 15, f"{layout:02x}"), REJECTED)
        self.assert_tensor(tensor(0x10, (1,) * 64, [1]), ACCEPTED)
        self.assert_tensor(tensor(0x10, (1,) * 65, [1]), REJECTED)
        self.assert_tensor(tensor(0x10, (), [1]), ACCEPTED)
        self.assert_tensor(tensor(0x10, (), [1], layout=2), WARNED)
        self.assert_tensor(tensor(0x10, (), [1], layout=3, strides=()), WARNED)

    def test_lengths(self):
        trailing = {"ok": ("pass", {"trailing-bytes": ["accept"]}), "reject": ("pass", {"trailing-bytes": ["refuse"]})}
        self.assert_tensor(tensor(0x10, (2,), [2], tail=b"\0"), trailing)
        self.assert_tensor(tensor(0x10, (2,), [2], tail=b"\0", version=(1, 1)), DISCOURAGED)
        self.assert_tensor(tensor(0x10, (2,), [2], longer_by=1), WARNED)
        self.assert_tensor(tensor(0x10, (2,), [2], PTA, longer_by=1), WARNED)
        for length, expected in [(15, REJECTED), (0, REJECTED), (17, REJECTED), (0xFFFFFFFF, REJECTED)]:
            self.assert_tensor(tensor(0x10, (2,), [2], PTA, section_length=length), expected)
        longer = tensor(0x10, (2,), [2], PTA + "00ff", flags=2, tail=u64(9, 7))
        self.assert_tensor(longer, open_choice("longer-section", "skip"))
        answer = by_hand.ask(f"decode_tensor bytes={longer.hex()}")[0][0]
        self.assertTrue(answer.endswith("parent_shape=0900000000000000 shard_offset=0700000000000000"), answer)

    def test_handles(self):
        def alone(**fields):
            return tensor(0x10, (2,), [handle(2, **fields)])

        for alignment, expected in [(0, REJECTED), (63, REJECTED), (96, REJECTED), (32, WARNED), (1, WARNED),
                                    (64, ACCEPTED), (4096, ACCEPTED), (1 << 31, ACCEPTED)]:
            self.assert_tensor(alone(alignment=alignment), expected)
            if expected is WARNED:
                expected = open_choice("empty-buffer-alignment")
            self.assert_tensor(tensor(0x10, (0,), [handle(0, alignment=alignment)]), expected)
        classes = {0: 2, 1: 3, 2: 3, 3: 2, 4: 3, 5: 0, 6: 2, 7: 3, 8: 2}
        for device in range(256):
            for memory in (0, 1, 2, 3, 4, 0xEF, 0xF0, 0xFE, 0xFF):
                private = 0xF0 <= device <= 0xFE
                legal = memory in (0, 0xF0, 0xFE) if private else memory <= classes.get(device, -1)
                expected = REJECTED if not legal else open_choice("handle-bytes") if memory else ACCEPTED
                self.assert_tensor(alone(device=device, memory=memory), expected)
        for sync in range(256):
            self.assert_tensor(alone(sync=sync), REJECTED if sync else ACCEPTED)
            self.assert_tensor(alone(device=1, sync=sync), ACCEPTED if sync == 0 else
                               open_choice("handle-bytes") if sync < 3 else REJECTED)
        self.assert_tensor(alone(reserved=1), REJECTED)
        self.assert_tensor(tensor(0x10, (2, 2), [4, handle(16, device=1), 16], edit(PBA, 8, le32(2))), REJECTED)
        cuda = [handle(size, device=1, memory=memory) for size, memory in ((4, 0), (8, 1), (8, 0))]
        self.assert_tensor(tensor(0x10, (2, 2), cuda, edit(PBA, 8, le32(2))), REJECTED)

    def test_data_buffer(self):
        for tag, shape, size, expected in [
                (0x10, (3,), 3, ACCEPTED), (0x10, (3,), 2, WARNED), (0x10, (3,), 400, ACCEPTED),
                (0x49, (5,), 3, ACCEPTED), (0x49, (5,), 2, WARNED), (0x44, (5,), 6, ACCEPTED), (0x44, (5,), 5, WARNED),
                (0x10, (3, 0, 5), 0, ACCEPTED), (0x04, (1 << 40, 1 << 40), 1 << 60, WARNED),
                (0x10, (DYNAMIC,), 0, ACCEPTED)]:
            self.assert_tensor(tensor(tag, shape, [size]), expected)
            self.assert_tensor(tensor(tag, shape, [size], layout=2), expected)
        self.assert_tensor(tensor(0x10, (0,), [4], byte_offset=4), ACCEPTED)
        self.assert_tensor(tensor(0x10, (0,), [4], byte_offset=5), WARNED)
        self.assert_tensor(tensor(0x10, (3,), [4], byte_offset=2), WARNED)
        for strides, size, offset, expected in [((4, 1), 7, 0, ACCEPTED), ((4, 1), 6, 0, WARNED),
                                                ((-4, 1), 7, 4, ACCEPTED),
                                                ((-4, 1), 7, 3, WARNED), ((0, 0), 1, 0, ACCEPTED),
                                                (((1 << 63) - 1, 1), 9, 0, WARNED)]:
            self.assert_tensor(tensor(0x10, (2, 3), [size], layout=3, strides=strides, byte_offset=offset), expected)
        self.assert_tensor(tensor(0x10, (2,), []), REJECTED)
        self.assert_tensor(tensor(0x10, (2,), [2, 2]), WARNED)

    def test_shards_statistics_members(self):
        for parent, offset, size, expected in [(8, 6, 2, ACCEPTED), (8, 7, 2, REJECTED), (8, 2**64 - 1, 2, REJECTED),
                                               (8, 2**64 - 2, 2, REJECTED), (2, 0, 2, ACCEPTED)]:
            self.assert_tensor(tensor(0x10, (size,), [2], flags=2, tail=u64(parent, offset)), expected)
        for bit in range(32):
            statistics = struct.pack("<I", 1 << bit) + bytes(68)
            self.assert_tensor(tensor(0x10, (2,), [2], flags=8, tail=statistics), ACCEPTED if bit < 6 else REJECTED)
        for role in (0, 1, 2, 0xFF):
            self.assert_tensor(tensor(0x10, (2,), [2], flags=16, tail=bytes([role]) + bytes(15)),
                               ACCEPTED if role < 2 else REJECTED)
        for at in range(1, 16):
            self.assert_tensor(tensor(0x10, (2,), [2], flags=16, tail=bytes(at) + b"\x80" + bytes(15 - at)), REJECTED)


class Quantized(Tensors):
    """What a scheme asks of shape and buffers."""

    def test_number_of_buffers(self):
        symmetric = edit(edit(PCA, 2, "01"), 12, "ffffffff")
        for tag, section, sizes in [(0x10, PTA, [4]), (0x10, PCA, [4, 16, 16]), (0x10, symmetric, [4, 16]),
                                    (0x49, NF4, [4, 4]), (0x10, MXFP, [32, 1])]:
            shape = {NF4: (8,), MXFP: (32,)}.get(section, (4,))
            self.assert_tensor(tensor(tag, shape, sizes, section), ACCEPTED)
            self.assert_tensor(tensor(tag, shape, sizes + [0], section), WARNED)
            if len(sizes) > 1:
                self.assert_tensor(tensor(tag, shape, sizes[:-1], section), REJECTED)

    def test_axis(self):
        for axis, shape, expected in [(0, (4,), ACCEPTED), (1, (4,), REJECTED), (0xFFFFFFFF, (4,), REJECTED),
                                      (0, (), REJECTED),
                                      (1, (2, 4), ACCEPTED), (0, (DYNAMIC,), REJECTED), (0, (0,), WARNED),
                                      (1, (DYNAMIC, 4), open_choice("dynamic-dimension")), (1, (4, DYNAMIC), REJECTED)]:
            self.assert_tensor(tensor(0x10, shape, [8, 16, 16], edit(PCA, 4, le32(axis))), expected)
        self.assert_tensor(tensor(0x10, (DYNAMIC, 2), [0], PTA), open_choice("dynamic-dimension"))
        self.assert_tensor(tensor(0x10, (0,), [0, 0, 0], PCA), ACCEPTED)
        self.assert_tensor(tensor(0x10, (3, 0, 5), [0, 12, 12], PCA), ACCEPTED)

    def test_indices(self):
        for position, index in [(8, 0), (8, 3), (8, 0xFFFFFFFF), (12, 0), (12, 3), (12, 0xFFFFFFFF)]:
            self.assert_tensor(tensor(0x10, (4,), [4, 16, 16], edit(PCA, position, le32(index))), REJECTED)
        # 2 for both is a shared entry: too short for two arrays, or long enough beside an idle entry.
        self.assert_tensor(tensor(0x10, (4,), [4, 16, 16], edit(PCA, 8, le32(2))), REJECTED)
        self.assert_tensor(tensor(0x10, (4,), [4, 16, 32], edit(PCA, 8, le32(2))), WARNED)
        for index in (0, 2, 0xFFFFFFFF):
            self.assert_tensor(tensor(0x49, (8,), [4, 4], edit(NF4, 12, le32(index))), REJECTED)
            self.assert_tensor(tensor(0x10, (32,), [32, 1], edit(MXFP, 12, le32(index))), REJECTED)
        symmetric = edit(PBA, 2, "01")
        for index, expected in [(2, open_choice("symmetric-index", "ignore")),
                                (0, open_choice("symmetric-index", "ignore")),
                                (0xFFFFFFFF, ACCEPTED)]:
            self.assert_tensor(tensor(0x10, (2, 16), [32, 16], edit(symmetric, 16, le32(index))), expected)

    def test_shared_parameter_buffer(self):
        section = edit(PCA, 12, "01000000")
        for size, expected in [(32, open_choice("shared-parameter-buffer")), (31, REJECTED), (16, REJECTED),
                               (33, WARNED)]:
            self.assert_tensor(tensor(0x10, (4,), [4, size], section), expected)
        self.assert_tensor(tensor(0x10, (4,), [4, 32, 0], section), WARNED)
        self.assert_tensor(tensor(0x10, (4,), [4, 32], edit(section, 8, "0000000000000000")), REJECTED)

    def test_parameter_sizes(self):
        def pba(sizes, width="03"):
            return tensor(0x10, (2, 16), [32, *sizes], edit(PBA, 20, width))

        for width, size in (("01", 8), ("02", 8), ("03", 16)):
            for more, expected in [(-1, REJECTED), (0, ACCEPTED), (1, WARNED)]:
                self.assert_tensor(pba([size + more, 16], width), expected)
                self.assert_tensor(pba([size, 16 + more], width), expected)
        for more, expected in [(-1, REJECTED), (0, ACCEPTED), (1, WARNED)]:
            self.assert_tensor(tensor(0x10, (4,), [4, 16 + more, 16], PCA), expected)
            self.assert_tensor(tensor(0x10, (4,), [4, 16, 16 + more], PCA), expected)
            self.assert_tensor(tensor(0x49, (16, 3), [24, 24 + more], NF4), expected)
            self.assert_tensor(tensor(0x40, (64, 3), [192, 6 + more], MXFP), expected)
        huge = (1 << 63, 1 << 63)
        self.assert_tensor(tensor(0x10, huge, [32, 0, 0], PBA), REJECTED)  # 2^123 blocks do not wrap around

    def test_blocks(self):
        for section, tag, size, block, expected in [
                (PBA, 0x10, 31, 32, REJECTED), (PBA, 0x10, 32, 32, ACCEPTED), (NF4, 0x49, 63, 64, REJECTED),
                (NF4, 0x49, 64, 64, ACCEPTED), (PBA, 0x10, 0, 32, ACCEPTED), (PBA, 0x10, 0, 3, WARNED),
                (NF4, 0x49, 0, 8, ACCEPTED), (MXFP, 0x40, 0, 32, WARNED), (MXFP, 0x40, 31, 32, REJECTED),
                (MXFP, 0x40, 33, 32, REJECTED), (MXFP, 0x40, 40, 32, REJECTED), (MXFP, 0x40, 64, 32, ACCEPTED)]:
            blocks, data = -(-size // block), size if tag != 0x49 else size // 2
            section = edit(edit(section, 4, le32(0)), 8, le32(block))
            table = [data, blocks if tag == 0x40 else 4 * blocks] + ([4 * blocks] if tag == 0x10 else [])
            self.assert_tensor(tensor(tag, (size,), table, section), expected)
        for block, expected in ((32, WARNED), (16, ACCEPTED)):  # A34
            self.assert_tensor(tensor(0x10, (0, 16), [0, 0, 0], edit(PBA, 8, le32(block))), expected)
        self.assert_tensor(tensor(0x10, (2, 0), [0, 4, 0], PBA), WARNED)

    def test_partial_blocks(self):
        section = edit(edit(PBA, 4, le32(0)), 8, le32(32))
        for size, expected in [
                (64, {"ok": ("pass", {}), "reject": ("pass", {"partial-block-data": ["unpadded"]})}),
                (40, {"ok": ("pass", {}), "reject": ("pass", {"partial-block-data": ["padded"]})}),
                (63, {"ok": ("pass", {}), "reject": ("pass", {"partial-block-data": ["padded"]})}),
                (39, WARNED), (65, ACCEPTED)]:
            self.assert_tensor(tensor(0x10, (40,), [size, 8, 8], section), expected)
        self.assert_tensor(tensor(0x10, (40, 2), [80, 16, 16], section), ACCEPTED)
        self.assert_tensor(tensor(0x10, (40,), [64, 4, 8], section), REJECTED)  # a block of its own: A30

    def test_storage_types_and_layouts(self):
        self.assert_tensor(tensor(0x12, (2, 16), [64, 16, 16], PBA), REJECTED)
        self.assert_tensor(tensor(0x03, (4,), [16], PTA), REJECTED)
        self.assert_tensor(tensor(0x10, (2, 16), [32, 16, 16], PBA, layout=2), ACCEPTED)
        self.assert_tensor(tensor(0x10, (2, 16), [32, 16, 16], PBA, layout=3, strides=(1, 2)), ACCEPTED)

    def test_permissive(self):
        for tag in ("06", "3f", "60", "80", "f0", "fe"):
            data = tensor(0x10, (2, DYNAMIC), [4, 9], tag + "ff" * 7)
            fields = (f"ok length={len(data)} version=1.0 type=10 layout=1 shape=0200000000000000{'ff' * 8} byte_offset=0 "
                      f"buffers={handle(4).hex()}{handle(9).hex()} scheme={int(tag, 16)}")
            self.assertEqual(by_hand.ask(f"decode_tensor bytes={data.hex()} mode=permissive"), [
                (fields, "pass", {"unknown-scheme": ["skip"]}), ("reject", "pass", {"unknown-scheme": ["refuse"]}),
                ("unsupported", "pass", {"unknown-scheme": ["refuse"]})])
            self.assert_tensor(data, REJECTED)
        for section in ("00010000" "00000000", "ff010000" "00000000", "06", "060100", "020100"):
            self.assert_tensor(tensor(0x10, (2,), [4], section), REJECTED, " mode=permissive")
        self.assert_tensor(RECIPE, ACCEPTED, " mode=permissive")


class Writing(unittest.TestCase):
    def encoded(self, type_tag, shape, table, more="", layout=1):
        table = b"".join(entry if isinstance(entry, bytes) else handle(entry) for entry in table)
        return by_hand.outcomes(f"encode_tensor type={type_tag} layout={layout} shape={u64(*shape).hex()} byte_offset=0 "
                                f"buffers={table.hex()}{more}")

    def test_nothing_leaves_that_a_reader_should_refuse(self):
        pca = (" scheme=2 flags=0000 axis={} scale_buffer_index={} zero_point_buffer_index=2 scale_type_tag=03")
        for request in [("47", (2,), [2]), ("10", (2,), []), ("10", (2,), [2, 2]), ("10", (2,), [1]),
                        ("10", (2,), [2] * 256),
                        ("10", (1,) * 65, [1]), ("10", (2,), [handle(2, alignment=32)]),
                        ("10", (2,), [handle(2, device=9)]),
                        ("10", (4,), [4, 16, 16], pca.format(1, 1)), ("10", (4,), [4, 16, 16], pca.format(0, 0)),
                        ("10", (4,), [4, 16, 16], pca.format(0, 3)), ("10", (4,), [4, 17, 16], pca.format(0, 1)),
                        ("10", (4,), [4], " scheme=1 scale=00000000 zero_point=0"), ("10", (4,), [4], " scheme=6"),
                        ("10", (2,), [2], " member_role=02"), ("f1", (2,), [2]), ("10", (), [1], "", 2),
                        ("10", (2,), [2], f" extension_type={'00' * 20}"), ("10", (2,), [2], "", 7),
                        ("10", (2,), [2], f" parent_shape={u64(2).hex()} shard_offset={u64(1).hex()}")]:
            self.assertEqual(self.encoded(*request), REJECTED, request)

    def test_what_is_open_is_written_or_refused(self):
        choice = {"ok": ("pass", {"writer-choice": ["write"]}), "reject": ("pass", {"writer-choice": ["refuse"]})}
        shared = " scheme=2 flags=0000 axis=0 scale_buffer_index=1 zero_point_buffer_index=1 scale_type_tag=03"
        partial = " scheme=4 axis=0 block_size=8 scale_buffer_index=1"
        for request in [("10", (4,), [4, 32], shared), ("10", (2,), [handle(2, memory=1)]),
                        ("10", (0,), [handle(0, alignment=1)]),
                        ("10", (DYNAMIC,), [4], " scheme=1 scale=3f000000 zero_point=0"),
                        ("49", (12,), [6, 8], partial), ("49", (12,), [8, 8], partial)]:
            self.assertEqual(self.encoded(*request), choice, request)
        self.assertEqual(self.encoded("10", (DYNAMIC,), [4]), ACCEPTED)


if __name__ == "__main__":
    unittest.main()
