#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Builds the packages that users install.

set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

help() {
  cat <<END
Usage: ${0##*/} [--no-install] [FOLDER]

Installs the Debian packages that are missing, builds in build/release what is packaged, and writes a .deb and a
.tar.gz into FOLDER, build/packages unless it is given. Their names are the last lines of the output.

  --no-install   install nothing: say what is missing and exit with 2
  --help         this text

Example: ${0##*/} && sudo apt-get install ./build/packages/*.deb
Exit codes: 0 done, 2 usage or something missing, 3 the build is broken.
END
}

may_install=yes
folder=$root/build/packages
for argument in "$@"; do
  case $argument in
    --no-install) may_install=no ;;
    -h | --help) help; exit ;;
    -*) usage_error "unknown option $argument" ;;
    *) folder=$argument ;;
  esac
done

mkdir -p "$folder" 2>/dev/null && [[ -w $folder ]] || usage_error "cannot write into $folder; expected a folder"
folder=$(cd "$folder" && pwd)
need_packages "$may_install" build package
cd "$root"
quietly configure-package cmake --preset release || exit 3
quietly build-package cmake --build --preset release \
  --target hurray-conform hurray_kit hurray_kit_posix hurray_kit_main || exit 3
quietly package cpack --config build/release/CPackConfig.cmake -B "$folder" || exit 3
rm -rf "$folder/_CPack_Packages"
ls "$folder"/*.deb "$folder"/*.tar.gz
