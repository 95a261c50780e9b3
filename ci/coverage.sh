#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Which lines and branches of the oracle do its unit tests reach? Prints llvm-cov's table for reference/ and
# fails below 98 %. Wants build/coverage (cmake --preset coverage) with reference_test in it.

set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
least=98

cd "$root/build/coverage"
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
