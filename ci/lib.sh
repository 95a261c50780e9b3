# SPDX-License-Identifier: Apache-2.0
#
# What the scripts of this folder share: packages, names of fuzzers, quiet steps, usage errors. Sourced, not run.

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
logs=$root/build/logs

usage_error() {
  printf '%s: %s\nTry %s --help\n' "${0##*/}" "$1" "$0" >&2
  exit 2
}

# Fills the array claims with the names of all fuzzers, in the order of fuzz/harnesses.txt.
find_claims() {
  mapfile -t claims < <(awk -F ' *[|] *' '!/^#/ && NF { print $1 }' "$root/fuzz/harnesses.txt")
  ((${#claims[@]})) || { printf '%s: no rows in fuzz/harnesses.txt\n' "${0##*/}" >&2; exit 2; }
}

is_there() {  # kind, what
  case $1 in
    command) command -v "$2" >/dev/null ;;
    header)
      if command -v c++ >/dev/null; then
        printf '#if !__has_include(<%s>)\n#error missing\n#endif\n' "$2" |
          c++ -x c++ -fsyntax-only - 2>/dev/null
      else
        [[ -e /usr/include/$2 || -e /usr/local/include/$2 ]]
      fi ;;
    file) compgen -G "$2" >/dev/null ;;
  esac
}

# Fills the arrays missing (packages) and explained (a line each) for these users of packages.txt.
find_missing() {
  missing=() explained=()
  local package users user kind what why
  while IFS='|' read -r package users what why; do
    read -r package <<<"$package"
    [[ -z $package || $package == \#* ]] && continue
    for user in $users; do [[ " $* " == *" $user "* ]] && break; user=; done
    [[ -z $user ]] && continue
    read -r kind what <<<"$what"
    is_there "$kind" "$what" && continue
    missing+=("$package")
    explained+=("$(printf '  %-20s %s %s: %s' "$package" "$kind" "$what" "${why# }")")
  done <"$root/ci/packages.txt"
}

# need_packages yes|no USER…: installs what is missing, or with `no` only says what it is and exits with 2.
need_packages() {
  local may_install=$1
  shift
  find_missing "$@"
  ((${#missing[@]} == 0)) && return
  if [[ $may_install == no ]] || ! command -v apt-get >/dev/null; then
    printf 'Missing, by Debian package:\n'
    printf '%s\n' "${explained[@]}"
    if command -v apt-get >/dev/null; then
      printf 'To install them: apt-get install %s\n' "${missing[*]}"
    else
      printf 'This system has no apt-get: install what corresponds to these packages, then run this again.\n'
    fi
    exit 2
  fi
  local as_root=()
  if ((EUID != 0)); then
    if ! command -v sudo >/dev/null; then
      printf 'Not root and no sudo. As root: apt-get install %s\n' "${missing[*]}" >&2
      exit 2
    fi
    as_root=(sudo)
  fi
  printf 'Installing with apt-get, because they are missing here:\n'
  printf '%s\n' "${explained[@]}"
  # One source of several may be out of reach, and the lists that are here good enough: whether they are, the
  # installation below decides, and it fails if not.
  quietly update "${as_root[@]}" apt-get update ||
    printf 'The lists of packages could not be brought up to date; going on with those that are here.\n' >&2
  quietly install "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
    apt-get install -y --no-install-recommends "${missing[@]}" || exit 2
  find_missing "$@"
  if ((${#missing[@]} > 0)); then
    printf 'Installed, and yet not found:\n' >&2
    printf '%s\n' "${explained[@]}" >&2
    exit 2
  fi
}

# quietly NAME COMMAND…: output goes to build/logs/NAME.log and is shown if the command fails.
quietly() {
  local log=$logs/$1.log
  shift
  mkdir -p "$logs"
  if "$@" >"$log" 2>&1 </dev/null; then return 0; fi
  printf 'failed: %s\n' "$*" >&2
  tail -n 60 "$log" >&2
  printf '(the whole output is in %s)\n' "${log#"$PWD/"}" >&2
  return 1
}
