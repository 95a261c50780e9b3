#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Builds targets for processors that this machine is not, for judgement in an emulator.

set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

help() {
  cat <<END
Usage: ${0##*/} [--no-install]

Builds reference/ and targets/ for Linux on aarch64 (little-endian, NEON, SVE and SVE2) and on s390x (big-endian), and
the whole program for s390x, in build/aarch64 and build/s390x. conformance/emulated.toml says how they are run and what is
expected:
  build/release/conformance/hurray-conform run --table-only --expect conformance/emulated.toml
  ci/emulated_test.py compares what the program says on s390x with what it says here

The libraries that the program is made of are fetched for s390x into build/s390x-root; nothing of it is installed.

  --no-install   install and fetch nothing: say what is missing and exit with 2
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

# Debian's packages of the other processor, unpacked into a folder. apt-get keeps its lists of that processor there
# too: those of this machine stay as they are. libfmt9 and libtomlplusplus3 are named for their versions in Debian 12;
# another release has other names, and apt-get says that it knows none of these.
foreign=$root/build/s390x-root
foreign_packages=(libssl-dev libssl3 libfmt-dev libfmt9 libtomlplusplus-dev libtomlplusplus3 nlohmann-json3-dev libcli11-dev)
fetch_foreign() {
  local state=$root/build/s390x-apt
  rm -rf "$foreign" "$state"
  mkdir -p "$foreign" "$state"/{lists,archives}/partial || return
  local apt=(apt-get -o APT::Architecture=s390x -o APT::Architectures::=s390x -o "Dir::State=$state"
    -o "Dir::Cache=$state" -o Debug::NoLocking=1)
  "${apt[@]}" update && (cd "$state" && "${apt[@]}" download "${foreign_packages[@]}") || return
  local package
  for package in "$state"/*.deb; do dpkg -x "$package" "$foreign" || return; done
  rm -rf "$state"
  touch "$foreign/complete"
}
if [[ ! -e $foreign/complete ]]; then
  if [[ $may_install == no ]]; then
    printf 'Missing for s390x, and fetched without --no-install: %s\n' "${foreign_packages[*]}"
    exit 2
  fi
  quietly fetch-s390x fetch_foreign || exit 2
fi

# configure NAME OPTION…
configure() {
  local name=$1
  shift
  quietly "configure-$name" cmake -S . -B "build/$name" -G Ninja -DCMAKE_BUILD_TYPE=Release -DHURRAY_WERROR=ON \
    "-DCMAKE_TOOLCHAIN_FILE=$root/ci/toolchain-$name-linux.cmake" "$@" || exit 3
}
configure aarch64 -DHURRAY_TARGETS_ONLY=ON
quietly build-aarch64 cmake --build build/aarch64 --target hurray-scalar hurray-reference hurray-simd hurray-simd-set \
  hurray-fault-simd-{neon,sve,sve2,sve_256,sve2_128} || exit 3
# No vector kernels there: its programs show that no byte order is taken for granted, however well they are optimized.
configure s390x -DBUILD_TESTING=OFF "-DCMAKE_CXX_FLAGS_RELEASE=-O1 -DNDEBUG" "-DCMAKE_FIND_ROOT_PATH=$foreign"
quietly build-s390x cmake --build build/s390x --target hurray-conform hurray-scalar hurray-reference libhurray_scalar.so \
  hurray-fault-native-order || exit 3
