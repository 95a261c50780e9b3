#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Builds firmware images: those of firmware-images.txt, or one around sources of your own.

set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
table=$root/ci/firmware-images.txt
fuzzed='m85-helium-o2 m85-portable-o2'

help() {
  cat <<END
Usage: ${0##*/} [--no-install] [--list] [--fuzz] [IMAGE…]
       ${0##*/} [--no-install] [--fuzz] --source FILE… [OPTION]…

Builds the images of ci/firmware-images.txt, or those named, into build/firmware/IMAGE/image.elf. With --source
it builds one image in which your files take the place of the quantization functions that ship here.

  --source FILE        C or C++; repeat for several         or HURRAY_RA8_SOURCES=FILE;FILE…
  --include-dir DIR    where their headers are; repeat      or HURRAY_RA8_INCLUDE_DIRS=DIR;DIR…
  --define NAME[=X]    repeat                               or HURRAY_RA8_DEFINITIONS=NAME;NAME=X…
  --flags FLAGS        of the compiler, by default -O2      or HURRAY_RA8_FLAGS=FLAGS
  --toolchain NAME     by default clang-m85; there are:
                         $(toolchains)
  --name NAME          by default own: the image becomes build/firmware/NAME/image.elf

  --fuzz         for fuzz_firmware (fuzz/README.md) instead of hurray-conform: the image serves a fuzzer and counts
                 for it what runs, becomes build/firmware/NAME-fuzz/image.elf, and wants a toolchain of clang;
                 without IMAGE: $fuzzed
  --list         only the names of the images
  --no-install   install nothing: say what is missing and exit with 2
  --help         this text

Examples: ${0##*/} m85-helium-o2
          ${0##*/} --source ~/fw/src/ra8_npu_quant.c --include-dir ~/fw/include --flags '-Os -fno-math-errno'
Exit codes: 0 built, 1 a build failed, 2 usage or something missing.
END
}

rows() { sed -E '/^(#|$)/d; s/ *\| */|/g' "$table"; }

toolchains() {
  local file names=
  for file in "$root"/ci/toolchain-*-*.cmake; do
    file=${file##*/toolchain-}
    names+=" ${file%.cmake}"
  done
  printf '%s' "${names# }"
}

# Appends to a list in the form of CMake.
append() {  # variable, value
  [[ -n $2 ]] || usage_error "an option without a value"
  printf -v "$1" '%s' "${!1:+${!1};}$2"
}

append_path() {  # variable, path
  [[ -e $2 ]] || usage_error "no such file or folder: $2"
  append "$1" "$(realpath -- "$2")"
}

# build NAME TOOLCHAIN KERNELS FLAGS
build() {
  local folder=$root/build/firmware/$1$suffix mark fresh=--fresh
  # Only a new folder learns of another toolchain.
  mark="$2 $(cat "$root"/ci/toolchain-*.cmake | cksum)"
  [[ -f $folder/image.elf && -f $folder/toolchain && $(<"$folder/toolchain") == "$mark" ]] && fresh=
  quietly "firmware-$1$suffix" cmake ${fresh:+"$fresh"} -G Ninja -S "$root/targets/ra8/firmware" -B "$folder" \
    --toolchain "$root/ci/toolchain-$2.cmake" -DHURRAY_RA8_KERNELS="$3" -DHURRAY_RA8_FLAGS="$4" \
    -DHURRAY_RA8_SOURCES="$sources" -DHURRAY_RA8_INCLUDE_DIRS="$include_dirs" \
    -DHURRAY_RA8_DEFINITIONS="$definitions" -DHURRAY_FUZZ="${suffix:+ON}" &&
    quietly "firmware-$1$suffix" cmake --build "$folder" &&
    printf '%s\n' "$mark" >"$folder/toolchain" &&
    printf '%s\n' "${folder#"$PWD/"}/image.elf"
}

names=$(rows | cut -d '|' -f 1)
may_install=yes
chosen=()
sources=${HURRAY_RA8_SOURCES:-} include_dirs=${HURRAY_RA8_INCLUDE_DIRS:-} definitions=${HURRAY_RA8_DEFINITIONS:-}
flags=${HURRAY_RA8_FLAGS:--O2} toolchain=clang-m85 name=own suffix=
while (($# > 0)); do
  case $1 in
    --no-install) may_install=no ;;
    --fuzz) suffix=-fuzz ;;
    --list) printf '%s\n' "$names"; exit ;;
    -h | --help) help; exit ;;
    --*=*) set -- "${1%%=*}" "${1#*=}" "${@:2}"; continue ;;
    --source | --include-dir | --define) (($# > 1)) || usage_error "$1 without a value" ;;&
    --source) append_path sources "${2:-}"; shift ;;
    --include-dir) append_path include_dirs "${2:-}"; shift ;;
    --define) append definitions "${2:-}"; shift ;;
    --flags | --toolchain | --name)
      (($# > 1)) || usage_error "$1 without a value"
      printf -v "${1#--}" '%s' "$2"
      shift ;;
    -*) usage_error "unknown option $1" ;;
    *) grep -qxF -- "$1" <<<"$names" || usage_error "no image $1; there are: ${names//$'\n'/ }"
       chosen+=("$1") ;;
  esac
  shift
done
[[ " $(toolchains) " == *" $toolchain "* ]] || usage_error "no toolchain $toolchain; there are: $(toolchains)"
[[ $name =~ ^[A-Za-z0-9][A-Za-z0-9._-]*$ ]] || usage_error "a name of letters, digits, . _ and -, not $name"

if [[ -n $sources ]]; then
  ((${#chosen[@]} == 0)) || usage_error "either images that ship here or --source"
  need_packages "$may_install" firmware
  build "$name" "$toolchain" portable "$flags" || exit 1
  exit
fi

need_packages "$may_install" firmware
[[ -z $suffix ]] || ((${#chosen[@]})) || read -ra chosen <<<"$fuzzed"
failed=0
while IFS='|' read -r image toolchain kernels flags; do
  ((${#chosen[@]} == 0)) || [[ " ${chosen[*]} " == *" $image "* ]] || continue
  build "$image" "$toolchain" "$kernels" "$flags" || failed=1
done < <(rows)
exit $failed
