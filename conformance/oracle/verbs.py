# SPDX-License-Identifier: Apache-2.0
"""The operations: what each refuses, what it answers, and which rulings leave it open.

Which alternatives does a request have? One function for each verb, in the order of the checks that the
clauses imply; every `choose` names a behaviour of README.md. Arithmetic is in kernels.py.
"""

import struct

import exact
import kernels
from alternatives import HIDDEN, Answer, RequestError, walk

DISCIPLINE = {"in_off", "out_off", "fill", "guard", "fenv", "threads", "repeat"}
ARRAYS = {"bytes", "q", "out", "zero_points"}  # answer fields that hold an array
OTHER_SCHEMES = (2, 3, 4, 5)
INVALID_ARG, NULL_PTR = "0103", "0504"
REJECT = Answer("reject")


class Request:
    """Typed access to the keys of one request."""

    def __init__(self, keys):
        self.keys = keys

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


def descriptor_is_legal(tag, scale, zero_point):
    """HQ-PTA-006..009, 011, 016, 017 for a reader, and by HQ-PTA-026 for a writer."""
    if tag not in kernels.STORAGE:
        return False
    if exact.is_nan(scale) or exact.is_inf(scale) or exact.is_zero(scale):  # -0.0 too: A07
        return False
    low, high = kernels.bounds(tag)
    return low <= zero_point <= high  # an int32, so uint32 ends at 2147483647 by itself (A03)


def refused_or_unsupported(choose):
    """A16: a known scheme that is not asked about here need not be known to the target."""
    return Answer(choose(HIDDEN + "other-scheme", "reject", "unsupported"))


def decode(request, choose):
    tag, section = request.bits("type", 2), request.data("bytes")
    if section and section[0] in OTHER_SCHEMES:
        return refused_or_unsupported(choose)
    if len(section) < 16:
        return REJECT  # HQ-PTA-015
    scheme, version, flags, scale, zero_point, reserved = struct.unpack("<BBHIiI", section[:16])
    # HQ-PTA-001, 003, 004, 013; version 0 is dealt with below
    if scheme != 1 or version > 1 or flags or reserved:
        return REJECT
    if not descriptor_is_legal(tag, scale, zero_point):
        return REJECT
    if len(section) > 16 and choose("longer-section", "refuse", "skip") == "refuse":
        return REJECT  # A12
    verdict = "pass"
    if version == 0:
        # A11: refusing is right, reading it is a warning, and neither has to be consistent.
        if choose(HIDDEN + "version-0", "refuse", "read") == "refuse":
            return REJECT
        verdict = "warn"
    fields = [("scheme", 1), ("scale", f"{scale:08x}"), ("zero_point", zero_point)]
    return Answer("ok", fields, verdict)


def encode(request, choose):
    tag, scheme = request.bits("type", 2), request.number("scheme")
    scale, zero_point = request.bits("scale", 8), request.int32("zero_point")
    if scheme in OTHER_SCHEMES:
        return refused_or_unsupported(choose)
    if scheme != 1 or not descriptor_is_legal(tag, scale, zero_point):
        return REJECT  # HQ-PTA-026, HQ-HDR-012, 013
    if "capacity" in request.keys and request.number("capacity") < 16:
        # hurray_target.h: room for so many bytes. That it is too little makes no input invalid.
        return Answer(choose(HIDDEN + "no-room", "reject", "unsupported"))
    # HQ-PTA-001, 002, 004, 005, 010, 013, 014, 024
    section = struct.pack("<BBHIiI", 1, 1, 0, scale, zero_point, 0)
    return Answer("ok", [("bytes", section.hex())])


def dequantize(request, choose):
    tag, count = request.bits("type", 2), request.count()
    scale, zero_point = request.bits("scale", 8), request.int32("zero_point")
    if tag not in kernels.STORAGE:
        return REJECT
    size_bytes = kernels.packed_bytes(kernels.STORAGE[tag][0], count)
    data = request.data("q", size_bytes)
    as_signed, narrow = tag, None
    if tag == kernels.UINT32 and choose("uint32-codes", "reinterpret", "unsigned") == "reinterpret":
        as_signed = kernels.INT32  # A02
    if tag in (kernels.INT32, kernels.UINT32):
        if choose("int32-difference", "widen", "wrap") == "wrap":
            narrow = kernels.wrap_int32  # A01
    codes = kernels.unpack(as_signed, count, data)
    return Answer("ok", [("out", words_hex(kernels.dequantize(codes, scale, zero_point, narrow)))])


def quantize(request, choose):
    tag, count = request.bits("type", 2), request.count()
    scale, zero_point = request.bits("scale", 8), request.int32("zero_point")
    inputs = kernels.words(request.data("in", 4 * count))
    if tag not in kernels.STORAGE or exact.is_nan(scale) or exact.is_zero(scale):
        return REJECT
    if exact.is_inf(scale) and choose("infinite-scale", "refuse", "zero-point") == "refuse":
        return REJECT  # R03
    if scale & exact.SIGN and choose("quantize-negative-scale", "divide", "refuse") == "refuse":
        return REJECT  # A09
    low, high = kernels.bounds(tag)
    if not low <= zero_point <= high:
        if choose("quantize-zero-point-range", "compute", "refuse") == "refuse":
            return REJECT
    if has_no_quotient(inputs, scale) and choose("nan-input", "value", "refuse") == "refuse":
        return REJECT  # R01
    quotient = choose("quotient", "binary32", "exact")  # R06
    codes, free = kernels.quantize(inputs, tag, scale, zero_point, quotient)
    return Answer("ok", [("q", kernels.pack(tag, codes).hex())], free=free)


def normalize(request, choose):
    bits, bias, order = request.number("bits"), request.number("bias"), request.text("order")
    count, packed = request.count(), request.data("packed")
    if order == "high-first" and choose(HIDDEN + "other-order", "known", "unsupported") == "unsupported":
        return Answer("unsupported")  # A27: the recipe's order is the one that everybody has
    if bits not in (2, 4, 8) or order not in ("low-first", "high-first"):
        return REJECT
    size_bytes = kernels.packed_bytes(bits, count)
    if len(packed) < size_bytes:
        return REJECT  # HQ-ZP-015
    shifts = range(0, 8, bits) if order == "low-first" else range(8 - bits, -1, -bits)
    mask = (1 << bits) - 1
    stored = [byte >> shift & mask for byte in packed[:size_bytes] for shift in shifts][:count]
    zero_points = [n + bias for n in stored]  # HQ-ZP-007, 008: in a wider integer
    if any(n != kernels.wrap_int32(n) for n in zero_points):
        return REJECT  # no int32 holds it
    return Answer("ok", [("zero_points", struct.pack(f"<{count}i", *zero_points).hex())])


def ra8(request, choose):
    fn, count = request.text("fn"), request.count()
    scale, zero_point = request.bits("scale", 8), request.int32("zero_point")
    operation, _, suffix = fn.partition("_")
    if operation not in ("quantize", "dequantize") or suffix not in ("i8", "u8"):
        raise RequestError(f"no firmware function is called {fn[:40]!r}")
    tag = 0x10 if suffix == "i8" else 0x11
    null = request.keys.get("null")
    untouched = []
    if "fill" in request.keys:
        size_bytes = count if operation == "quantize" else 4 * count
        untouched = [("out", f"{request.bits('fill', 2):02x}" * size_bytes)]

    def refusal(code):
        return Answer("ok", [("code", code)] + untouched)  # RA8-Q-015

    null_refused = null is not None and (
        count > 0 or choose("null-with-count-0", "null_ptr", "ok") == "null_ptr")  # RA8-Q-012, R11
    bad_scale = exact.is_nan(scale) or exact.is_zero(scale) or scale & exact.SIGN != 0

    if operation == "dequantize":
        if null_refused:
            return refusal(NULL_PTR)
        if bad_scale or exact.is_inf(scale):
            if choose("dequantize-bad-scale", "compute", "other") == "other":  # RA8-Q-022, R09
                return Answer("ok", [("code", "any")], "record")
        flush_operands, flush_results = False, False
        if exact.is_subnormal(scale):
            # With a normal scale no product is subnormal: the smallest |q - zero_point| but 0 is 1.
            flush_operands, flush_results = subnormals(choose)
        codes = () if null else kernels.unpack(tag, count, request.data("in", count))
        out = kernels.dequantize(codes, scale, zero_point, None, flush_operands, flush_results)
        return Answer("ok", [("code", "0000"), ("out", words_hex(out))])

    if not bad_scale and exact.is_inf(scale):
        bad_scale = choose("infinite-scale", "refuse", "zero-point") == "refuse"  # R03
    bad_scale_refused = bad_scale and (  # RA8-Q-009, 010, R02, R18
        count > 0 or choose("bad-scale-with-count-0", "invalid_arg", "ok") == "invalid_arg")  # R12
    if null_refused and bad_scale_refused:  # R13
        order = choose("null-and-bad-scale", "invalid_arg", "null_ptr")
        return refusal(INVALID_ARG if order == "invalid_arg" else NULL_PTR)
    if null_refused or bad_scale_refused:
        return refusal(NULL_PTR if null_refused else INVALID_ARG)
    inputs = () if null else kernels.words(request.data("in", 4 * count))
    if has_no_quotient(inputs, scale) and choose("nan-input", "value", "refuse") == "refuse":
        return refusal("error")  # R01
    quotient, flush_operands = choose("quotient", "binary32", "exact"), False
    if exact.is_subnormal(scale) or any(map(exact.is_subnormal, inputs)):
        flush_operands, _ = subnormals(choose)
    codes, free = kernels.quantize(inputs, tag, scale, zero_point, quotient, flush_operands)
    return Answer("ok", [("code", "0000"), ("out", kernels.pack(tag, codes).hex())], free=free)


def has_no_quotient(inputs, scale):
    """R01, R03: some input is a NaN, or infinite over an infinite scale."""
    infinite_scale = exact.is_inf(scale)
    return any(exact.is_nan(x) or (infinite_scale and exact.is_inf(x)) for x in inputs)


def subnormals(choose):
    """R15: (operands are flushed, results are flushed)."""
    option = choose("subnormals", "flush", "flush-operands", "flush-results", "gradual")
    return option in ("flush", "flush-operands"), option in ("flush", "flush-results")


def words_hex(words):
    return struct.pack(f"<{len(words)}I", *words).hex()


# verb: (function, its keys)
VERBS = {
    "decode": (decode, {"type", "bytes"}),
    "encode": (encode, {"type", "scheme", "scale", "zero_point", "capacity"}),
    "dequantize": (dequantize, {"type", "scale", "zero_point", "count", "q"}),
    "quantize": (quantize, {"type", "scale", "zero_point", "count", "in"}),
    "normalize": (normalize, {"bits", "bias", "order", "count", "packed"}),
    "ra8": (ra8, {"fn", "scale", "zero_point", "count", "in", "null"}),
}


def alternatives(verb, keys):
    """The list that README.md describes, for one parsed request."""
    function, known = VERBS.get(verb, (None, set()))
    if function is None or not keys.keys() <= known | DISCIPLINE:
        return [{"answer": "unsupported", "verdict": "pass", "shows": {}}]
    request = Request(keys)

    def answered(choose):
        answer = function(request, choose)
        mode = keys.get("fenv", "nearest")
        if mode != "nearest" and choose("rounding-mode", "follow", "ignore") == "follow":
            answer = with_any_result(answer, verb)
        suffix = []
        if "fill" in keys:
            suffix = [("under", 0), ("over", 0), ("in_changed", 0)]
            suffix += [("changed", 0)] if answer.word == "reject" else []
        if "fenv" in keys:
            suffix.append(("fenv", "kept"))
        return answer, answer.line([] if answer.word == "unsupported" else suffix)

    found = walk(answered)
    if keys.get("fenv", "nearest") != "nearest":
        # Under a mode of the caller's, nothing else can be told from the numbers.
        for each in found:
            each["shows"] = {name: shown for name, shown in each["shows"].items()
                             if name == "rounding-mode"}
    return found


def with_any_result(answer, verb):
    """What a target answers that lets the caller's mode into its result."""
    fields = [(key, "any" if key in ARRAYS or verb == "decode" else value)
              for key, value in answer.fields]
    return Answer(answer.word, fields, "record")
