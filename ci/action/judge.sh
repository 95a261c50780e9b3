#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The last step of action.yml: judges HURRAY_TARGET and tells GitHub. The step passes if hurray-conform says so.

set -uo pipefail

arguments=(run --target "$HURRAY_TARGET" --report-dir "$HURRAY_REPORT_DIR" --summary "$GITHUB_STEP_SUMMARY")
[[ -z $HURRAY_KNOWN ]] || arguments+=(--known "$HURRAY_KNOWN")
[[ -z $HURRAY_SELECT ]] || arguments+=(--select "$HURRAY_SELECT")
case $HURRAY_STRICT in
  true) arguments+=(--strict) ;;
  false) ;;
  *) printf '::error::strict is `%s`; expected true or false\n' "$HURRAY_STRICT"; exit 2 ;;
esac

output=$(hurray-conform "${arguments[@]}" 2>&1)
status=$?
printf '%s\n' "$output"
# The last word of the row behind the header of the table.
verdict=$(sed -n '/^target .* verdict$/,$p' <<<"$output" | sed -n '2s/.* //p')
printf 'verdict=%s\n' "${verdict:-none}" >>"$GITHUB_OUTPUT"
((status == 0)) || printf '::error::hurray-conform: %s (exit code %d)\n' "${verdict:-not judged}" "$status"
exit "$status"
