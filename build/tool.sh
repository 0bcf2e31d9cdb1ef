#!/usr/bin/env bash
# Runs a Go tool, built once into build/bin/tools. When the tool cannot be downloaded
# the check says "not checked: offline" and why, and passes.
# Usage: tool.sh PACKAGE@VERSION [ARGUMENTS]...
set -euo pipefail
package=$1; shift
path=${package%@*} name=${package%@*}
name=${name##*/}
root=$(cd "$(dirname "$0")/.." && pwd)
tools=$root/build/bin/tools/${package##*@}
if [ ! -x "$tools/$name" ]; then
  mkdir -p "$tools"
  log=$(mktemp)
  trap 'rm -f "$log"' EXIT
  code=0
  GOBIN=$tools timeout -k 5 600 go install "$package" >"$log" 2>&1 || code=$?
  if [ "$code" != 0 ]; then
    why=$(grep -vE '^go: downloading|^$' "$log" | cut -c1-200 | sed -n 1p || true)
    if [ "$code" = 124 ] || grep -qiE 'dial tcp|no such host|connection refused|timeout|module lookup disabled|TLS handshake' "$log"; then
      printf '%s: not checked: offline (%s)\n' "$name" "${why:-no answer within 600 s}"
      exit 0
    fi
    printf '%s could not be built from %s, code %s:\n' "$name" "$path" "$code" >&2
    cat "$log" >&2
    exit 1
  fi
fi
exec "$tools/$name" "$@"
