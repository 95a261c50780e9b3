#!/bin/bash -eu
# SPDX-License-Identifier: Apache-2.0
#
# Builds the fuzzers as OSS-Fuzz and ClusterFuzzLite want them, from nothing but the variables of their base-builder.
# Each gets what fuzz/harnesses.txt says: a dictionary, options, a corpus; with the memory sanitizer some are left out.
# The same file lies in fuzz/oss-fuzz/ and .clusterfuzzlite/; fuzz/oss_fuzz_check.py runs it without containers.

source_dir=$SRC/hurray-conformance
fuzz=$source_dir/fuzz
build=$WORK/hurray-conformance

flags=
if [[ $SANITIZER == undefined ]]; then
  # Not in the list of base-builder: there, a NaN becomes an integer in silence.
  flags="-fsanitize=float-cast-overflow,alignment -fno-sanitize-recover=float-cast-overflow,alignment"
fi
static=
# Of gcc's C++ library, the programs carry their own; libc++ is static in base-builder.
# shellcheck disable=SC2086  # words
if $CXX $CXXFLAGS -x c++ -E -dM -include version /dev/null | grep -q __GLIBCXX__; then
  static="-static-libstdc++ -static-libgcc"
fi

claims=()
while IFS='|' read -r claim longest dictionary not_memory; do
  read -r claim <<<"$claim"
  [[ -z $claim || $claim == \#* ]] && continue
  if [[ $SANITIZER == memory && -n ${not_memory// /} ]]; then
    printf '%s: left out, it %s\n' "$claim" "${not_memory# }"
    continue
  fi
  claims+=("$claim")
  cp "$fuzz/${dictionary// /}" "$OUT/fuzz_$claim.dict"
  printf '[libfuzzer]\nmax_len = %s\n' "${longest// /}" >"$OUT/fuzz_$claim.options"
  python3 "$fuzz/seed_zip.py" "$source_dir/corpus/seeds/$claim.txt" "$source_dir/corpus/regressions/$claim.txt" \
    "$OUT/fuzz_${claim}_seed_corpus.zip"
done <"$fuzz/harnesses.txt"

# Headers from beside the source, as the Dockerfile puts them there, else from where the system has them. No flags of
# a build type: all are the caller's.
cmake -S "$source_dir" -B "$build" -G Ninja -DHURRAY_FUZZERS_ONLY=ON -DHURRAY_FUZZING_ENGINE="$LIB_FUZZING_ENGINE" \
  -DHURRAY_REQUIRE_SIMD=ON -DCMAKE_INCLUDE_PATH="$SRC/fmt/include;$SRC/tomlplusplus/include;$SRC/highway" \
  -DCMAKE_BUILD_TYPE=None -DCMAKE_C_COMPILER="$CC" -DCMAKE_CXX_COMPILER="$CXX" \
  -DCMAKE_C_FLAGS="$CFLAGS $flags" -DCMAKE_CXX_FLAGS="$CXXFLAGS $flags" -DCMAKE_EXE_LINKER_FLAGS="$static"
cmake --build "$build" --target "${claims[@]/#/fuzz_}"
cp "${claims[@]/#/$build/fuzz/fuzz_}" "$OUT/"
