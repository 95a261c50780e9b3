#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Builds targets for processors that this machine is not, for judgement in an emulator.

set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

help() {
  cat <<END
Usage: ${0##*/} [--no-install]

Builds reference/ and targets/ for Linux on aarch64 (little-endian, NEON, SVE and SVE2) and on s390x (big-endian)
in build/aarch64 and build/s390x. conformance/emulated.toml says how they are run and what is expected:
  build/release/conformance/hurray-conform run --table-only --expect conformance/emulated.toml

  --no-install   install nothing: say what is missing and exit with 2
  --help         this text

Exit codes: 0 built, 2 usage or something missing, 3 the build is broken.
END
}

may_install=yes
for argument in "$@"; do
  case $argument in
    --no-install) may_install=no ;;
    -h | --help) help; exit ;;
    *) usage_error "unknown option $argument" ;;
  esac
done

need_packages "$may_install" build emulated
cd "$root"
# s390x has no vector kernels: its programs show that no byte order is taken for granted.
for processor in aarch64:hurray-scalar,hurray-reference,hurray-simd,hurray-simd-set s390x:hurray-scalar,hurray-reference; do
  name=${processor%%:*}
  targets=${processor#*:}
  quietly "configure-$name" cmake -S . -B "build/$name" -G Ninja -DCMAKE_BUILD_TYPE=Release -DHURRAY_WERROR=ON \
    -DHURRAY_TARGETS_ONLY=ON "-DCMAKE_TOOLCHAIN_FILE=$root/ci/toolchain-$name-linux.cmake" || exit 3
  quietly "build-$name" cmake --build "build/$name" --target ${targets//,/ } || exit 3
done
