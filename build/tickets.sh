#!/usr/bin/env bash
# Builds docs/examples/tickets as somebody else would: its page from the packed page kit and packages of its own, its
# program from the module as it is here; then drives it in Chromium over the real bindings.
# Usage: tickets.sh [playwright arguments]
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
example=$root/docs/examples/tickets
. "$root/build/offline.sh"
cd "$root/frontend" && npm run --silent pack-kit

# The packages are kept: only the kit is another one each time.
cd "$example/frontend"
if [ ! -e node_modules/.ready ] || [ package.json -nt node_modules/.ready ]; then
  log=$(mktemp)
  if ! npm install --no-package-lock --no-audit --no-fund --prefer-offline --loglevel=error >"$log" 2>&1; then
    cat "$log" >&2
    offline "$log" && { not_checked tickets 'its packages could not be downloaded'; exit 0; }
    exit 1
  fi
  touch node_modules/.ready
fi
rm -rf node_modules/@deskhand/kit
mkdir -p node_modules/@deskhand/kit
tar xzf "$root/build/bin/deskhand-kit.tgz" --strip-components 1 -C node_modules/@deskhand/kit
npm run --silent build -- --logLevel warn

cd "$example"
go build -tags dev,webkit2_41,netgo,osusergo -o "$root/build/bin/tickets-dev" .

. "$root/build/display.sh"
port=$((20000 + RANDOM % 12000))
TICKETS_URL=http://127.0.0.1:$port/
TICKETS=$work/tickets.db assetdir=$example/frontend/dist devserver=127.0.0.1:$port \
  "$root/build/bin/tickets-dev" >"$work/tickets.log" 2>&1 &
children=($! "${children[@]}")
for _ in $(seq 300); do curl -sf "$TICKETS_URL" >/dev/null && break; sleep 0.1; done
export TICKETS_URL
cd "$root/frontend"
DESKHAND_URLS=$TICKETS_URL npx playwright test --grep @tickets "$@" || { grep -v '^DEB' "$work/tickets.log" | tail -50 >&2; exit 1; }
