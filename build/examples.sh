#!/usr/bin/env bash
# Vets and tests every example that is a Go module of its own, the bus in TypeScript and the store of the rooms; all are
# run, whatever one says. The tests of the journal on PostgreSQL and of the loans on it start a cluster on a socket in a
# temporary folder, as the user postgres where they run as root; without PostgreSQL the check says so.
# Usage: examples.sh [flags of go test]
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
. "$root/build/offline.sh"
log=$(mktemp)
trap 'rm -f "$log"' EXIT
failed=0

# has_postgres: whether a cluster can be started here.
has_postgres() {
  compgen -G '/usr/lib/postgresql/*/bin/initdb' >/dev/null && { [ "$(id -u)" != 0 ] || id postgres >/dev/null 2>&1; }
}
for module in "$root"/docs/examples/*/go.mod; do
  cd "${module%/go.mod}"
  name=$(basename "$PWD")
  if { [ "$name" = postgres ] || [ "$name" = loans ]; } && ! has_postgres; then
    echo "$name: not checked: PostgreSQL is not installed" | tee -a "${NOT_CHECKED:-/dev/null}"
  elif go mod download >"$log" 2>&1; then
    go vet ./... && go test -count 1 -timeout 10m "$@" ./... || failed=1
  elif offline "$log"; then
    not_checked "the example $name" "$(grep -vE '^go: downloading|^$' "$log" | cut -c1-200 | sed -n 1p)"
  else
    cat "$log" >&2
    failed=1
  fi
done
node "$root/docs/examples/bus-ts/test/check.mjs" || failed=1
node "$root/docs/examples/rooms/page/check.mjs" || failed=1
exit $failed
