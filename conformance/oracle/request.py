# SPDX-License-Identifier: Apache-2.0
"""Typed access to the keys of one request.

What does a key say? A missing key, or one that PROTOCOL.md does not allow to look like this, is a
RequestError: the runner would never send it, so no oracle has an answer.
"""

import struct

import kernels
from alternatives import RequestError

UINT64_MAX = (1 << 64) - 1


class Request:
    def __init__(self, keys):
        self.keys = keys

    def __contains__(self, key):
        return key in self.keys

    def read(self, key, convert, what):
        try:
            return convert(self.keys[key])
        except KeyError:
            raise RequestError(f"key {key} is missing") from None
        except ValueError:
            raise RequestError(f"{key} should be {what}, got {self.keys[key][:40]!r}") from None

    def text(self, key):
        return self.read(key, str, "text")

    def number(self, key):
        return self.read(key, int, "a decimal number")

    def natural(self, key, bits):
        n = self.number(key)
        if not 0 <= n < 1 << bits:
            raise RequestError(f"{key} should be a number of {bits} bits, got {n}")
        return n

    def int32(self, key):
        n = self.number(key)
        if n != kernels.wrap_int32(n):
            raise RequestError(f"{key} should be an int32, got {n}")
        return n

    def count(self):
        n = self.number("count")
        if n < 0:
            raise RequestError(f"count should not be negative, got {n}")
        return n

    def bits(self, key, digits):
        pattern = self.data(key, digits // 2)
        return int.from_bytes(pattern, "big")  # a number is written from its most significant digit

    def data(self, key, size_bytes=None):
        data = self.read(key, bytes.fromhex, "bytes in hexadecimal")
        if size_bytes is not None and len(data) != size_bytes:
            raise RequestError(f"{key} should have {size_bytes} bytes, got {len(data)}")
        return data

    def array(self, key, letter, count=None):
        """A tuple of little-endian integers, `letter` as in struct."""
        size_bytes = struct.calcsize(f"<{letter}")
        data = self.data(key, None if count is None else count * size_bytes)
        if len(data) % size_bytes:
            raise RequestError(f"{key} should have a multiple of {size_bytes} bytes, got {len(data)}")
        return struct.unpack(f"<{len(data) // size_bytes}{letter}", data)
