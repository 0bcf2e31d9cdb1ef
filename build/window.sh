#!/usr/bin/env bash
# Starts the production build in a real window and looks at it: it is there, it
# is painted, and the program listens on no socket of any kind.
set -euo pipefail
binary=$(realpath "$1")
work=$(mktemp -d)
display=:$((90 + RANDOM % 100))
Xvfb "$display" -screen 0 1400x900x24 >/dev/null 2>&1 &
server=$!
app=
finish() {
  for p in $app $server; do kill "$p" 2>/dev/null && wait "$p" 2>/dev/null; done || true
  rm -rf "$work"
}
trap finish EXIT
export DISPLAY=$display
for _ in $(seq 50); do xdotool getdisplaygeometry >/dev/null 2>&1 && break; sleep 0.1; done

"$binary" --data "$work/shop" init --sample >/dev/null
"$binary" --data "$work/shop" >"$work/app.log" 2>&1 &
app=$!
fail() { echo "window: $1" >&2; cat "$work/app.log" >&2; exit 1; }

window=
for _ in $(seq 100); do
  window=$(xdotool search --onlyvisible --name '^Deskhand$' 2>/dev/null | head -n 1) && [ -n "$window" ] && break
  kill -0 "$app" 2>/dev/null || fail "the program ended"
  sleep 0.1
done
[ -n "$window" ] || fail "no window of that name"

colours=0
for _ in $(seq 100); do
  import -window root "$work/shot.png"
  colours=$(identify -format '%k' "$work/shot.png")
  [ "$colours" -gt 100 ] && break
  sleep 0.1
done
[ "$colours" -gt 100 ] || fail "the window stayed blank ($colours colours)"
[ -z "${SHOT:-}" ] || cp "$work/shot.png" "$SHOT"

# The program and everything it started (WebKit's own processes).
family=$app
for _ in 1 2 3; do family="$family $(pgrep -P "${family// /,}" | tr '\n' ' ' || true)"; family=$(echo $family); done
for p in $family; do
  heard=$(ss -H -ltnupx state listening 2>/dev/null | grep -F "pid=$p," || true)
  [ -z "$heard" ] || fail "process $p listens: $heard"
done
echo "window: painted ($colours colours), no listening socket in $(echo "$family" | wc -w) processes"
