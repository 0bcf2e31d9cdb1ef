#!/usr/bin/env bash
# Tests the example of a journal on PostgreSQL, a Go module of its own. Its test starts a cluster on a socket in a
# temporary folder, as the user postgres where it runs as root. Without PostgreSQL the check says so and ends with code 0.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
. "$root/build/offline.sh"
if ! compgen -G '/usr/lib/postgresql/*/bin/initdb' >/dev/null || { [ "$(id -u)" = 0 ] && ! id postgres >/dev/null 2>&1; }; then
  echo "PostgreSQL: not checked: PostgreSQL is not installed" | tee -a "${NOT_CHECKED:-/dev/null}"
  exit 0
fi
cd "$root/docs/examples/postgres"
log=$(mktemp)
trap 'rm -f "$log"' EXIT
if ! go mod download >"$log" 2>&1; then
  if offline "$log"; then
    not_checked PostgreSQL "$(grep -vE '^go: downloading|^$' "$log" | cut -c1-200 | sed -n 1p)"
    exit 0
  fi
  cat "$log" >&2
  exit 1
fi
go vet ./...
go test -race -count 1 -timeout 10m ./...
