#!/usr/bin/env bash
# Asks the public databases whether a hole is known in what is shipped. A hole that
# is found ends in an error; a database that does not answer is said plainly and is
# none: whoever is offline can still work, and nobody is told that all is well.
set -euo pipefail
cd "$(dirname "$0")/.."
GOVULNCHECK=golang.org/x/vuln/cmd/govulncheck@v1.1.4
found=0

log=$(mktemp)
trap 'rm -f "$log"' EXIT
unchecked() {
  local why
  why=$(grep -vE '^(go: downloading|npm warn|npm notice|exit status|$)' "$log" | head -1 | cut -c1-200)
  printf '%s: not checked: %s\n' "$1" "${why:-no answer within the time}"
}

if timeout 60 go run "$GOVULNCHECK" -tags desktop,production,webkit2_41 . >"$log" 2>&1; then
  echo "Go modules: no known vulnerability is reached"
elif grep -q '^Vulnerability #' "$log"; then
  cat "$log"
  found=1
else
  unchecked "Go modules"
fi

if (cd frontend && timeout 30 npm audit --omit dev --audit-level low) >"$log" 2>&1; then
  echo "npm packages: no known vulnerability"
elif grep -qE '^[0-9]+ (.*)?vulnerabilit' "$log"; then
  cat "$log"
  found=1
else
  unchecked "npm packages"
fi
exit $found
