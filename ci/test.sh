#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Tests the suite itself, in tiers. Ends with a line `N passed, M failed`.

set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

# name | packages of | what
tiers='quick      | build unit          | unit tests and suite tests, gcc, release
sanitizers | build unit          | unit tests and four targets judged, with address and undefined-behaviour sanitizers
firmware   | build unit firmware firmware-test | every firmware image built and judged, faults dropped in, emulator and link broken
emulated   | build emulated      | targets of aarch64 and s390x judged in an emulator; the program itself on s390x
tsan       | build unit          | unit tests and one target judged, with the thread sanitizer
clang      | build unit clang    | unit tests and suite tests, built by clang 19
exhaustive | build unit          | the quotient of the vector kernels as a product, for every mantissa of a scale
oss-fuzz   | build oss-fuzz      | fuzzers built as OSS-Fuzz builds them, without containers, and what comes out looked at
coverage   | build unit coverage | what unit tests reach of reference/, and inputs of corpus/ of readers and judges'
in_ci='quick firmware emulated'

help() {
  cat <<END
Usage: ${0##*/} [--no-install] [--list] [TIER…]

Tests the suite itself; without TIER: $in_ci, as CI does. Installs the Debian packages that are missing.

$(sed 's/|[^|]*|/ /; s/^/  /' <<<"$tiers")

  --list         only the names of the tiers
  --no-install   install nothing: say what is missing and exit with 2
  --help         this text

The last line is \`N passed, M failed\`. Exit codes: 0 nothing failed, 1 something did, 2 usage or something missing.
END
}

names=$(sed 's/ .*//' <<<"$tiers")
may_install=yes
chosen=()
for argument in "$@"; do
  case $argument in
    --no-install) may_install=no ;;
    --list) printf '%s\n' "$names"; exit ;;
    -h | --help) help; exit ;;
    -*) usage_error "unknown option $argument" ;;
    *) grep -qxF -- "$argument" <<<"$names" || usage_error "no tier $argument; there are: ${names//$'\n'/ }"
       chosen+=("$argument") ;;
  esac
done
((${#chosen[@]})) || read -ra chosen <<<"$in_ci"

cd "$root"
passed=0 failed=0

count() {  # what, whether it passed (0)
  if (($2 == 0)); then passed=$((passed + 1)); else failed=$((failed + 1)); printf 'FAILED: %s\n' "$1"; fi
}

# build PRESET [TARGET…]. A failure counts as one.
build() {
  local preset=$1 status=0
  shift
  # What is tested is no matter of luck here: without GoogleTest, RapidCheck and Highway this fails.
  quietly "configure-$preset" cmake --preset "$preset" -DCMAKE_REQUIRE_FIND_PACKAGE_GTest=ON \
      -DCMAKE_REQUIRE_FIND_PACKAGE_rapidcheck=ON -DHURRAY_REQUIRE_SIMD=ON &&
    quietly "build-$preset" cmake --build --preset "$preset" ${*:+--target "$@"} || status=$?
  ((status == 0)) || count "build of $preset" "$status"
  return "$status"
}

# run_ctest PRESET [ARGUMENT OF ctest…]: adds what ctest counted. Skipped tests count as neither.
run_ctest() {
  local preset=$1 log=$logs/ctest-$1.log status=0
  shift
  ctest --test-dir "build/$preset" --output-on-failure --no-tests=error -j "$(nproc)" "$@" 2>&1 | tee "$log" || status=$?
  local bad all skipped
  if ! read -r bad all < <(sed -nE 's/.*, ([0-9]+) tests? failed out of ([0-9]+)$/\1 \2/p' "$log"); then
    count "ctest in build/$preset" 1
    return
  fi
  skipped=$(awk '/\*\*\*(Skipped|Not Run \(Disabled\))/ { ++n } END { print n + 0 }' "$log")
  passed=$((passed + all - bad - skipped)) failed=$((failed + bad))
  ((status == 0 || bad > 0)) || count "ctest in build/$preset" "$status"
}

# judge PRESET TARGET…: the target must come out conformant. Sanitizers reserve more address space than any limit.
judge() {
  local preset=$1 target status
  shift
  for target in "$@"; do
    status=0
    "build/$preset/conformance/hurray-conform" run --memory 0 --timeout 60 --target "$target" || status=$?
    count "$target under $preset" "$status"
  done
}

tier_quick() {
  build release || return 0
  run_ctest release -LE firmware
}

tier_firmware() {
  build release programs || return 0
  local status=0
  quietly images ./ci/firmware.sh --no-install || status=$?
  count "build of the firmware images" "$status"
  ((status == 0)) || return 0
  build/release/conformance/hurray-conform run --table-only --expect targets/ra8/firmware/images.toml \
    --report-dir build/report-firmware || status=$?
  count "verdicts of the firmware images" "$status"
  run_ctest release -L firmware
}

tier_emulated() {
  build release programs || return 0
  local status=0
  local option=
  [[ $may_install == yes ]] || option=--no-install
  quietly emulated ./ci/emulated.sh $option || status=$?
  count "build for the emulated processors" "$status"
  ((status == 0)) || return 0
  # Three times what it takes on two busy cores: requests have limits of their own, an emulator that never ends has this.
  timeout --kill-after=10 1800 build/release/conformance/hurray-conform run --table-only --expect conformance/emulated.toml ||
    status=$?
  count "verdicts of the emulated processors" "$status"
  status=0
  timeout --kill-after=10 3600 python3 ci/emulated_test.py || status=$?
  count "reports made on an emulated processor" "$status"
}

tier_sanitizers() {
  build asan || return 0
  run_ctest asan -L unit
  judge asan builtin:reference builtin:scalar builtin:ra8 builtin:ra8-firmware
}

tier_tsan() {
  build tsan || return 0
  run_ctest tsan -L unit
  judge tsan builtin:scalar
}

tier_clang() {
  build clang || return 0
  run_ctest clang -LE firmware
}

tier_exhaustive() {
  build release simd_test || return 0
  local status=0
  HURRAY_EXHAUSTIVE=1 build/release/targets/simd/simd_test --gtest_filter='*Reciprocal*' || status=$?
  count "reciprocals of all mantissas" "$status"
}

tier_coverage() {
  build coverage reference_test hurray-replay || return 0
  local status=0
  ./ci/coverage.sh || status=$?
  count "coverage of reference/ by its unit tests" "$status"
  status=0
  ./ci/coverage.sh corpus || status=$?
  count "coverage of readers and judges by the inputs of corpus/" "$status"
}

tier_oss-fuzz() {
  local status=0 kind
  quietly oss-fuzz-controls python3 -B fuzz/oss_fuzz_out_test.py || status=$?
  count "small harnesses, each broken in one way, and what is said of them" "$status"
  for kind in files address-libfuzzer undefined-libfuzzer memory-libfuzzer address-afl; do
    status=0
    python3 -B fuzz/oss_fuzz_check.py "$kind" || status=$?
    count "$kind" "$status"
  done
}

users=$(for tier in "${chosen[@]}"; do sed -n "s/^$tier *|\([^|]*\)|.*/\1/p" <<<"$tiers"; done)
# shellcheck disable=SC2086  # words
need_packages "$may_install" $users
for tier in "${chosen[@]}"; do
  printf '== %s\n' "$tier"
  start=$SECONDS
  "tier_$tier"
  printf -- '-- %s: %d s\n\n' "$tier" $((SECONDS - start))
done
printf '%d passed, %d failed\n' "$passed" "$failed"
((failed == 0))
