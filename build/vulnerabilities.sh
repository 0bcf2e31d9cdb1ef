#!/usr/bin/env bash
# Asks the public databases whether a vulnerability is known in what is shipped. A known
# one fails the check, and so does a check that goes wrong. A database that cannot be
# reached or does not answer does not: the line then says "not checked: offline" and why,
# so that work offline is possible and no silence passes for an answer.
# GOVULNDB names another database of Go modules (https://, http:// or file://), and
# NPM_CONFIG_REGISTRY another registry of npm packages.
# Usage: vulnerabilities.sh
set -euo pipefail
cd "$(dirname "$0")/.."
. build/offline.sh
govulncheck=golang.org/x/vuln/cmd/govulncheck@v1.1.4
database=${GOVULNDB:-https://vuln.go.dev}
failed=0
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# limited SECONDS COMMAND...: runs it with its output in $work/log; 124 when the time is up.
limited() {
  local seconds=$1; shift
  timeout -k 5 "$seconds" "$@" >"$work/log" 2>&1 </dev/null
}
# unanswered WHAT CODE SECONDS: says that WHAT was not checked, if the network is the
# reason; any other one fails the check.
unanswered() {
  if [ "$2" = 124 ] || [ "$2" = 137 ]; then
    not_checked "$1" "no answer within $3 s"
  elif offline "$work/log" || grep -q '^npm error audit endpoint returned an error' "$work/log"; then
    not_checked "$1" "$(sed -nE 's/^npm (warn|error) (audit )?//; /^(go: downloading|Unknown user config|A complete log|audit endpoint|exit status|[[:space:]{}"]|$)/!p' "$work/log" | cut -c1-200 | sed -n 1p)"
  else
    printf '%s: the check itself failed with code %s:\n' "$1" "$2" >&2
    cat "$work/log" >&2
    failed=1
  fi
}

go_modules() {
  local code=0
  GOBIN=$work limited 180 go install "$govulncheck" || { unanswered "Go modules" $? 180; return; }
  # A short question first: the long one would wait for a database that is not there.
  limited 20 "$work/govulncheck" -db "$database" -mode query -format json stdlib@v1.0.0 || { unanswered "Go modules" $? 20; return; }
  limited 600 "$work/govulncheck" -db "$database" -tags desktop,production,webkit2_41 . || code=$?
  case $code in
  0) echo "Go modules: no known vulnerability is reached" ;;
  3) cat "$work/log"; failed=1 ;;
  *) unanswered "Go modules" $code 600 ;;
  esac
}

npm_packages() {
  local code=0
  limited 60 npm --prefix frontend audit --omit dev --audit-level low --fetch-retries 1 --fetch-timeout 15000 || code=$?
  if [ $code = 0 ]; then
    echo "npm packages: no known vulnerability"
  elif grep -qE '^[0-9]+ (.*)?vulnerabilit' "$work/log"; then
    cat "$work/log"
    failed=1
  else
    unanswered "npm packages" $code 60
  fi
}

go_modules
npm_packages
exit $failed
