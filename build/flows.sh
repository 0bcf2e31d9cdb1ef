#!/usr/bin/env bash
# Drives the page in Chromium over the real bindings of the development build.
# Usage: flows.sh BINARY [playwright arguments]
set -euo pipefail
binary=$(realpath "$1"); shift
root=$(cd "$(dirname "$0")/.." && pwd)
. "$root/build/display.sh"

port=$(node -e 'const s = require("net").createServer().listen(0, "127.0.0.1", () => { console.log(s.address().port); s.close(); })')
url="http://127.0.0.1:$port/"
answers() { node -e 'fetch(process.argv[1]).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))' "$url"; }

"$binary" --data "$work/shop" init --sample >/dev/null
assetdir="$root/frontend/dist" devserver="127.0.0.1:$port" "$binary" --data "$work/shop" >"$work/app.log" 2>&1 &
children=($! "${children[@]}")
for _ in $(seq 100); do
  answers && break
  kill -0 "${children[0]}" 2>/dev/null || break
  sleep 0.2
done
answers || { echo "the app does not answer:" >&2; cat "$work/app.log" >&2; exit 1; }

cd "$root/frontend"
if ! DESKHAND_URL="$url" npx playwright test "$@"; then
  echo "== the app's own log" >&2
  grep -v '^DEB' "$work/app.log" | tail -50 >&2
  exit 1
fi
