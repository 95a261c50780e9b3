# SPDX-License-Identifier: Apache-2.0
"""The operations: what each refuses, what it answers, and which rulings leave it open.

Which alternatives does a request have? One function for each verb, in the order of the checks that the
clauses imply; every `choose` names a behaviour of README.md. Here are the verbs on arrays with one scale
and the table of all verbs; arithmetic is in kernels.py, everything on descriptors in files of its own.
"""

import struct

import conversion
import elements
import exact
import kernels
import schemes
import tensor_values
import tensors
from alternatives import HIDDEN, REJECT, Answer, RequestError, walk
from request import Request

DISCIPLINE = {"in_off", "out_off", "fill", "guard", "fenv", "threads", "repeat"}
ARRAYS = {"bytes", "q", "out", "zero_points", "packed", "values"}  # answer fields that hold an array
INVALID_ARG, NULL_PTR = "0103", "0504"


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
    is_recipe = bits == 4 and order == "low-first"
    if not is_recipe and choose(HIDDEN + "other-form", "known", "unsupported") == "unsupported":
        return Answer("unsupported")  # A27: the recipe's form is the one that everybody has
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
    "decode": (schemes.decode, {"type", "bytes"}),
    "encode": (schemes.encode, schemes.KEYS | {"type", "scheme", "capacity"}),
    "dequantize": (dequantize, {"type", "scale", "zero_point", "count", "q"}),
    "quantize": (quantize, {"type", "scale", "zero_point", "count", "in"}),
    "normalize": (normalize, {"bits", "bias", "order", "count", "packed"}),
    "ra8": (ra8, {"fn", "scale", "zero_point", "count", "in", "null"}),
    "pack": (elements.ask_pack, {"type", "count", "values"}),
    "unpack": (elements.ask_unpack, {"type", "count", "packed"}),
    "packed_bytes": (elements.ask_packed_bytes, {"type", "count"}),
    "widen": (elements.ask_widen, {"type", "count", "packed"}),
    "decode_tensor": (tensors.decode_tensor, {"bytes", "mode"}),
    "encode_tensor": (tensors.encode_tensor, tensors.KEYS),
    "dequantize_tensor": (tensor_values.dequantize_tensor, tensor_values.KEYS),
    "convert": (conversion.convert, conversion.KEYS),
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
