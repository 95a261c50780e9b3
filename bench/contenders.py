# SPDX-License-Identifier: Apache-2.0
"""Who is measured beside whom, by the names that the programs give: sets of vector kernels, and everything else."""

SETS = ("ssse3", "sse4", "avx2", "avx512", "avx512dl", "neon", "sve", "sve2", "sve_256", "sve2_128")  # as in targets/simd/
PEER = "xnnpack"
# All that is no set of vector kernels and no attachment, and which kind it is.
KINDS = {PEER: "peer", "xnnpack, operator made": "peer", "reference": "plain", "scalar": "plain", "division": "plain",
         "cached": "plain", "limit": "limit", "limit, streamed": "limit"}
LIMITS = tuple(name for name, kind in KINDS.items() if kind == "limit")


def kind_of(name):
    return KINDS.get(name, "ours")
