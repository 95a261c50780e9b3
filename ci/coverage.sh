#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Which lines and branches of the oracle do its unit tests reach? Prints llvm-cov's table for reference/ and
# fails below 98 %. Wants build/coverage (cmake --preset coverage) with reference_test in it.
# As `coverage.sh corpus`, with hurray-replay in it: what do the committed inputs alone reach in the readers and judges
# of the reference and the scalar target? Prints a table, fails where fuzz/unreached.tsv does not say what is left.

set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
least=98

case ${1-} in
  '' | corpus) ;;
  -h | --help) sed -n '4,7s/^# //p' "$0"; exit ;;
  *) usage_error "unknown argument $1; there is: corpus" ;;
esac
cd "$root/build/coverage"

if [[ ${1-} == corpus ]]; then
  program=fuzz/hurray-replay
  for claim in decoders_agree encoders_agree tensors_agree; do
    LLVM_PROFILE_FILE=corpus-$claim.profraw quietly "corpus-$claim" "./$program" "$claim" --targets reference,scalar \
      "$root/corpus/seeds/$claim.txt" "$root/corpus/regressions/$claim.txt" || exit 1
  done
  llvm-profdata-19 merge -sparse corpus-*.profraw -o corpus.profdata
  for format in text lcov; do
    llvm-cov-19 export "$program" -instr-profile=corpus.profdata -format=$format -ignore-filename-regex='^/usr/' \
      >corpus-coverage.$format
  done
  exec python3 "$root/ci/corpus_coverage.py" "$root" corpus-coverage.text corpus-coverage.lcov "$root/fuzz/unreached.tsv"
fi

program=reference/reference_test
LLVM_PROFILE_FILE=reference.profraw quietly coverage-run "./$program"
llvm-profdata-19 merge -sparse reference.profraw -o reference.profdata
# Tests, GoogleTest and the standard library are not what is asked about.
report() { llvm-cov-19 "$@" "$program" -instr-profile=reference.profdata -ignore-filename-regex='(_test\.cpp|^/usr/)'; }
report report
report export -summary-only | python3 -c "
import json, sys
totals = json.load(sys.stdin)['data'][0]['totals']
for what in 'lines', 'branches':
    percent = totals[what]['percent']
    print(f'{what}: {percent:.2f} %, at least $least wanted')
    if percent < $least: sys.exit('too little of reference/ is reached by its tests')
"
