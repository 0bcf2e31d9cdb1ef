#!/usr/bin/env bash
# Runs a Go tool, built once into build/bin/tools. When there is no network to download
# the tool from, the check says "not checked: offline" and why, and ends with code 0. A
# tool that cannot be built for another reason fails the check.
# Usage: tool.sh PACKAGE@VERSION [ARGUMENTS]...
set -euo pipefail
package=$1; shift
path=${package%@*} name=${package%@*}
name=${name##*/}
root=$(cd "$(dirname "$0")/.." && pwd)
tools=$root/build/bin/tools/${package##*@}
if [ ! -x "$tools/$name" ]; then
  . "$root/build/offline.sh"
  log=$(mktemp)
  trap 'rm -f "$log"' EXIT
  code=0
  GOBIN=$tools timeout -k 5 600 go install "$package" >"$log" 2>&1 || code=$?
  if [ "$code" != 0 ]; then
    if [ "$code" != 124 ] && offline "$log"; then
      not_checked "$name" "$(grep -vE '^go: downloading|^$' "$log" | cut -c1-200 | sed -n 1p)"
      exit 0
    fi
    printf '%s could not be built from %s, code %s:\n' "$name" "$path" "$code" >&2
    cat "$log" >&2
    exit 1
  fi
fi
exec "$tools/$name" "$@"
