#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Measures kernels, codec and attachments, and makes a page of it.

set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

help() {
  cat <<END
Usage: ${0##*/} [--no-install] [--quick] [FILTER]

Installs the Debian packages that are missing, builds in build/release, measures, and writes
build/bench/report.md and build/bench/report.html. Alone on a machine all of it takes about ten minutes.

  FILTER         an extended regular expression: only what is named so, GROUP/TYPE/LEVEL/CONTENDER, and
                 \`differences\`, which counts on how many inputs peers differ from the reference
  --quick        one short repetition instead of nine, two minutes after the build: for looking, not for quoting
  --no-install   install nothing: say what is missing and exit with 2
  --help         this text

Examples: ${0##*/} --quick
          ${0##*/} 'quantize/u?int8/(L1|DRAM)/'
          ${0##*/} '^(codec|requests)/'
Exit codes: 0 measured, 1 something could not be measured, 2 usage or something missing, 3 the build failed.
END
}

may_install=yes
repetitions=9 seconds=0.03 counted=(xnnpack division simd scalar)
filter=
for argument in "$@"; do
  case $argument in
    --no-install) may_install=no ;;
    --quick) repetitions=1 seconds=0.01 counted=(xnnpack) ;;
    -h | --help) help; exit ;;
    -*) usage_error "unknown option $argument" ;;
    *) [[ -z $filter ]] || usage_error "two filters, $filter and $argument"
       filter=$argument ;;
  esac
done
status=0
grep -qE -- "$filter" <<<'' || status=$?
((status < 2)) || usage_error "$filter is no extended regular expression"

need_packages "$may_install" build bench
cd "$root"
release=$root/build/release
folder=$root/build/bench
printf 'building, see build/logs/build.log\n' >&2
(quietly configure cmake --preset release -DHURRAY_REQUIRE_SIMD=ON) || exit 3
(quietly build cmake --build --preset release --target benchmarks hurray-scalar hurray_lib_scalar) || exit 3

attachments=(builtin:scalar "lib:$release/targets/scalar/libhurray_scalar.so" "exec:$release/targets/scalar/hurray-scalar")
# An image and its emulator, where they are.
image=$root/build/firmware/m85-portable-o2/image.elf
if [[ -e $image ]] && command -v qemu-system-arm >/dev/null; then
  attachments+=("qemu:$image")
fi

# Names of a program that match, without the contender: those are measured side by side.
groups_of() {  # program, argument…
  local names matching status=0
  names=$("$release/bench/$1" --benchmark_list_tests=true "${@:2}") || return
  # 1: nothing of this program is named so, which is fine. The expression itself was tried above.
  matching=$(grep -E -- "$filter" <<<"$names") || status=$?
  ((status < 2)) || return "$status"
  sed -E 's|/real_time$||; s|/[^/]*$||' <<<"$matching" | awk 'NF && !seen[$0]++'
}

say() { if [[ -t 2 ]]; then printf '\r\e[K%s' "$1" >&2; fi }

declare -A groups
list() {  # program, argument…
  groups[$1]=$(groups_of "$@") || { printf '%s cannot list what it measures\n' "$1" >&2; exit 1; }
}
list kernels
list codec
list attachments "${attachments[@]}"
here=()
if grep -qE -- "$filter" <<<differences; then
  for each in "${counted[@]}"; do
    if "$release/bench/differences" --here "$each"; then here+=("$each"); fi
  done
fi
if [[ -z ${groups[kernels]}${groups[codec]}${groups[attachments]} ]] && ((${#here[@]} == 0)); then
  usage_error "nothing is named $filter; names: build/release/bench/kernels --benchmark_list_tests=true"
fi

# Now that there is something to measure, the last figures go.
mkdir -p "$folder"
rm -f "$folder"/*.json "$folder"/report.*
python3 bench/machine.py "$release" >"$folder/machine.json"

number=0
measure() {  # program, argument…
  local program=$1 group out
  shift
  while IFS= read -r group; do
    [[ -n $group ]] || continue
    say "$group"
    printf -v out '%s/%03d.bench.json' "$folder" $((number += 1))
    # Contenders stay together although the filter may name only some: a figure alone says little.
    quietly bench "$release/bench/$program" --benchmark_filter="^$group/" --benchmark_repetitions=$repetitions \
      --benchmark_min_time=$seconds --benchmark_enable_random_interleaving=true \
      --benchmark_out="$out" --benchmark_out_format=json "$@" || exit 1
  done <<<"${groups[$program]}"
}

measure kernels
measure codec
measure attachments "${attachments[@]}"
if ((${#here[@]})); then
  say differences
  "$release/bench/differences" "${here[@]}" >"$folder/differences.json"
fi
say ''
PYTHONDONTWRITEBYTECODE=1 python3 bench/report.py "$folder"
printf 'build/bench/report.md, build/bench/report.html\n'
