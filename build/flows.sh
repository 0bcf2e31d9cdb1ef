#!/usr/bin/env bash
# Drives the page in Chromium over the real bindings of the development build.
# Usage: flows.sh BINARY [playwright arguments]
set -euo pipefail
binary=$(realpath "$1"); shift
root=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d)
port=${DESKHAND_PORT:-34117}
app=
finish() {
  [ -z "$app" ] || { kill "$app" 2>/dev/null; wait "$app" 2>/dev/null; } || true
  rm -rf "$work"
}
trap finish EXIT

"$binary" --data "$work/shop" init --sample >/dev/null
export assetdir="$root/frontend/dist" devserver="127.0.0.1:$port"
xvfb-run -a "$binary" --data "$work/shop" >"$work/app.log" 2>&1 &
app=$!
for _ in $(seq 150); do
  curl -fs -o /dev/null "http://127.0.0.1:$port/" 2>/dev/null && break
  kill -0 "$app" 2>/dev/null || { echo "the app ended:" >&2; cat "$work/app.log" >&2; exit 1; }
  sleep 0.2
done
cd "$root/frontend"
if ! DESKHAND_URL="http://127.0.0.1:$port/" npx playwright test "$@"; then
  echo "== the app's own log" >&2; tail -50 "$work/app.log" >&2
  exit 1
fi
