#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Builds the suite and judges what ships here.

set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

help() {
  cat <<END
Usage: ${0##*/} [--no-install] [OPTION OF hurray-conform run]…

Installs the Debian packages that are missing, builds the suite in build/release and firmware images in
build/firmware, and runs
  hurray-conform run --expect conformance/bundled.toml --report-dir report
which leaves report/report.html, for people, and says so.
With --target or --expect, that is judged instead of what ships here, and no image is built.

  --no-install   install nothing: say what is missing and exit with 2
  --help         this text; the other options: hurray-conform run --help

Examples: ${0##*/}
          ${0##*/} --select 'HQ-PTA-*'
          ${0##*/} --target mine=lib:./libmine.so
Exit codes: 0 as expected, 1 a conformance failure, 2 usage or something missing,
            3 the adapter or the suite is broken.
END
}

may_install=yes
own_list=(--expect "$root/conformance/bundled.toml")
own_folder=(--report-dir "$root/report")
arguments=()
for argument in "$@"; do
  case $argument in
    --no-install) may_install=no; continue ;;
    -h | --help) help; exit ;;
    --target | --target=* | --expect | --expect=*) own_list=() ;;
    --report-dir | --report-dir=*) own_folder=() ;;
    # A misspelt option must not cost an installation and a build: the program's own list decides.
    -*) grep -qF "\"${argument%%=*}\"" "$root"/conformance/cli/{main,options,report_options}.cpp ||
          usage_error "unknown option $argument" ;;
  esac
  arguments+=("$argument")
done

images=()
users=(build)
if ((${#own_list[@]})); then
  # Those that the list names.
  mapfile -t images < <(sed -nE 's|.*\{bin\}/\.\./firmware/([^/]+)/.*|\1|p' "$root/conformance/bundled.toml")
  users+=(firmware firmware-test)
fi
need_packages "$may_install" "${users[@]}"
# A broken build is a broken suite.
(cd "$root" && quietly configure cmake --preset release) || exit 3
(cd "$root" && quietly build cmake --build --preset release --target programs) || exit 3
if ((${#images[@]})); then
  quietly images "$root/ci/firmware.sh" --no-install "${images[@]}" || exit 3
fi
exec "$root/build/release/conformance/hurray-conform" run "${own_list[@]}" "${own_folder[@]}" "${arguments[@]}"
