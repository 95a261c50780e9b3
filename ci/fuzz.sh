#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Runs every fuzzer for a while, from the committed inputs on, and says what it found.

set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

seconds=60
told() {  # a claim, and the column of its row in harnesses.txt: 2 the longest input, 3 the dictionary
  local rows='firmware | 128 | fields.dict |'  # of a slow emulator
  awk -F ' *[|] *' -v claim="$1" -v column="$2" '$1 == claim { print $column }' "$root/fuzz/harnesses.txt" - <<<"$rows"
}

help() {
  cat <<END
Usage: ${0##*/} [--no-install] [SECONDS] [CLAIM…]

Installs the Debian packages that are missing, builds the fuzzers in build/fuzz (clang 19, address and undefined
behaviour sanitizers) and runs each for SECONDS ($seconds if not given) on corpus/. What they learn stays in
build/fuzz/corpus/, what contradicts a claim in build/fuzz/findings/, each with a text beside it.

  CLAIM          only these; without: all, see fuzz/README.md. \`firmware\` is all that a firmware image can be asked,
                 in an emulator
  --no-install   install nothing: say what is missing and exit with 2
  --help         this text

HURRAY_FUZZ_TARGETS=reference,scalar in the environment compares only these targets; HURRAY_FUZZ_IMAGE=IMAGE is the
image instead of build/firmware/m85-helium-o2-fuzz/image.elf (./ci/firmware.sh --fuzz).
Examples: ${0##*/}
          ${0##*/} 600 tensors_agree firmware
Exit codes: 0 nothing found, 1 something found, 2 usage or something missing, 3 the build failed.
END
}

find_claims
# What an image is asked, in the order of fuzz/fuzz_firmware_target.h.
mapfile -t of_firmware < <(sed -nE 's/^ *\{"([a-z_]+)", [a-z_]+, .*\},$/\1/p' "$root/fuzz/fuzz_firmware_target.h")
claims+=(firmware)
may_install=yes
chosen=()
has_seconds=no
for argument in "$@"; do
  case $argument in
    --no-install) may_install=no ;;
    -h | --help) help; exit ;;
    -*) usage_error "unknown option $argument" ;;
    *[!0-9]*) grep -qxF -- "$argument" <<<"$(printf '%s\n' "${claims[@]}")" ||
                usage_error "no claim $argument; there are: ${claims[*]}"
              chosen+=("$argument") ;;
    *) [[ $has_seconds == no && $argument =~ ^[1-9][0-9]{0,6}$ ]] ||
         usage_error "$argument: one number of seconds, from 1 to 9999999"
       seconds=$argument has_seconds=yes ;;
  esac
done
((${#chosen[@]})) || chosen=("${claims[@]}")

has_firmware=no
[[ " ${chosen[*]} " != *" firmware "* ]] || has_firmware=yes
users=(build clang fuzz)
[[ $has_firmware == no ]] || users+=(firmware firmware-test)
need_packages "$may_install" "${users[@]}"
cd "$root"
quietly configure-fuzz cmake --preset fuzz -DBUILD_TESTING=OFF || exit 3
quietly build-fuzz cmake --build --preset fuzz --target "${chosen[@]/#/fuzz_}" hurray-replay hurray-replay-firmware ||
  exit 3
if [[ $has_firmware == yes && -z ${HURRAY_FUZZ_IMAGE:-} ]]; then
  quietly images-fuzz ./ci/firmware.sh --no-install --fuzz || exit 3
fi

progress() {  # only for people
  if [[ -t 2 ]]; then printf '\r\033[K%s' "$1" >&2; fi
}

fold=build/fuzz
mkdir -p "$fold/findings" "$logs"
found=0
printf '%-24s %12s %14s %8s  %s\n' claim executions per-CPU-second inputs found
for claim in "${chosen[@]}"; do
  work=$fold/corpus/$claim given=$fold/given/$claim log=$logs/fuzz-$claim.log
  rm -rf "$given"
  mkdir -p "$work" "$given"
  for kind in seeds regressions; do
    if [[ $claim == firmware ]]; then
      for each in "${of_firmware[@]}"; do
        quietly unpack "$fold/fuzz/hurray-replay-firmware" "$each" "corpus/$kind/$each.txt" --unpack "$given/$kind" ||
          exit 3
      done
    else
      quietly unpack "$fold/fuzz/hurray-replay" "$claim" "corpus/$kind/$claim.txt" --unpack "$given/$kind" || exit 3
    fi
  done
  status=0
  "$fold/fuzz/fuzz_$claim" -max_total_time="$seconds" -max_len="$(told "$claim" 2)" -dict="fuzz/$(told "$claim" 3)" \
    -timeout=60 -rss_limit_mb=4096 -print_final_stats=1 \
    -artifact_prefix="$fold/findings/$claim-" "$work" "$given/seeds" "$given/regressions" \
    >"$log" 2>&1 </dev/null &
  fuzzer=$!
  # Only when this script is interrupted: then the fuzzer may have ended by itself, which is as well, and the trap must
  # not change the exit code. How it ended otherwise is what `wait` returns, below.
  trap 'kill "$fuzzer" 2>/dev/null || true' EXIT
  if [[ -t 2 ]]; then
    start=$SECONDS
    while kill -0 "$fuzzer" 2>/dev/null; do
      progress "$claim: $((SECONDS - start)) of $seconds s, $(sed -nE 's/^#([0-9]+).*/\1/p' "$log" | tail -n 1) executions"
      sleep 1
    done
    progress ''
  fi
  wait "$fuzzer" || status=$?
  trap - EXIT
  executions=$(sed -nE 's/^stat::number_of_executed_units: ([0-9]+)$/\1/p' "$log")
  rate=$(sed -nE 's/^stat::executions_per_cpu_second: ([0-9]+)$/\1/p' "$log")
  what=-
  if ((status != 0)); then
    found=$((found + 1))
    artifact=$(sed -nE 's/.*Test unit written to (.*)$/\1/p' "$log" | tail -n 1)
    what=${artifact:-"exit code $status"}
    [[ -z $artifact ]] || cp "$log" "$artifact.log"
  fi
  printf '%-24s %12s %14s %8s  %s\n' "$claim" "${executions:-?}" "${rate:-?}" "$(find "$work" -type f | wc -l)" "$what"
  if ((status != 0)); then
    sed -n '/does not hold/,/^kind/p; /^SUMMARY/p' "$log" | cut -c1-400 | head -n 60
  fi
done
if ((found > 0)); then
  printf '%d of %d claims contradicted. When it is repaired, add a line to corpus/regressions/CLAIM.txt:\n' \
    "$found" "${#chosen[@]}"
  printf 'found/WORD and what stands behind `input` above, as: found/reads-behind-odd-nibbles 0001fd2c\n'
  exit 1
fi
