#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Makes corpus/seeds/ of the cases of the suite: of each claim the inputs that reach something first, shortest first, and
# those of fuzz/always.txt.

set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

help() {
  cat <<END
Usage: ${0##*/} [--no-install] [--check] [CLAIM…]

Installs the Debian packages that are missing, builds the suite's cases as inputs (build/release) and what counts where
inputs get to (build/fuzz, clang 19), and writes corpus/seeds/CLAIM.txt. The same sources and compiler give the same files.

  CLAIM          only these; without: all, see fuzz/README.md
  --check        write nothing: say which files would change, and exit with 1 if one would
  --no-install   install nothing: say what is missing and exit with 2
  --help         this text

Example: ${0##*/} decoders_agree
Exit codes: 0 done, 1 a file would change, 2 usage or something missing, 3 a build failed.
END
}

find_claims
may_install=yes
check=no
chosen=()
for argument in "$@"; do
  case $argument in
    --no-install) may_install=no ;;
    --check) check=yes ;;
    -h | --help) help; exit ;;
    -*) usage_error "unknown option $argument" ;;
    *) grep -qxF -- "$argument" <<<"$(printf '%s\n' "${claims[@]}")" ||
         usage_error "no claim $argument; there are: ${claims[*]}"
       chosen+=("$argument") ;;
  esac
done
((${#chosen[@]})) || chosen=("${claims[@]}")

need_packages "$may_install" build clang fuzz
cd "$root"
quietly configure-release cmake --preset release || exit 3
quietly build-seeds cmake --build --preset release --target hurray-seeds || exit 3
quietly configure-fuzz cmake --preset fuzz -DBUILD_TESTING=OFF || exit 3
quietly build-fuzz cmake --build --preset fuzz --target hurray-replay || exit 3

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
other=0
printf '%-24s %8s %8s\n' claim cases seeds
for claim in "${chosen[@]}"; do
  build/release/fuzz/hurray-seeds list "$claim" >"$work/all.txt"
  # The reference and the scalar target: the same on every machine.
  build/fuzz/fuzz/hurray-replay "$claim" --targets reference,scalar --covering --always fuzz/always.txt "$work/all.txt" \
    >"$work/$claim.txt"
  note=
  if ! cmp -s "$work/$claim.txt" "corpus/seeds/$claim.txt"; then
    if [[ $check == yes ]]; then
      note='  corpus/seeds/ has others' other=$((other + 1))
    else
      cp "$work/$claim.txt" "corpus/seeds/$claim.txt"
      note='  written'
    fi
  fi
  printf '%-24s %8d %8d%s\n' "$claim" "$(grep -vc '^#' "$work/all.txt")" "$(grep -vc '^#' "$work/$claim.txt")" "$note"
done
if ((other > 0)); then
  printf '%d files of corpus/seeds/ are not what ./ci/seeds.sh makes.\n' "$other"
  exit 1
fi
