#!/usr/bin/env bash
# Starts the production build in a real window and looks at it: it is there, it
# is painted, and the program listens on no socket of any kind.
# SHOT=FILE keeps the screenshot.
set -euo pipefail
binary=$(realpath "$1")
. "$(dirname "$0")/display.sh"

"$binary" --data "$work/shop" init --sample >/dev/null
"$binary" --data "$work/shop" >"$work/app.log" 2>&1 &
app=$!
children=($app "${children[@]}")
fail() { echo "window: $1" >&2; cat "$work/app.log" >&2; exit 1; }

window=
for _ in $(seq 100); do
  window=$(xdotool search --onlyvisible --name '^Deskhand$' 2>/dev/null | head -n 1 || true)
  [ -n "$window" ] && break
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

# The program and everything it started (WebKit's own processes) listen nowhere.
# The look must be able to see: it has to find a listener of ours first.
listeners() { ss -H -ltup -x | grep -E 'LISTEN|UNCONN' | grep -F "pid=$1," || true; }
node -e 'require("net").createServer().listen(0, "127.0.0.1")' &
control=$!
children=($control "${children[@]}")
for _ in $(seq 50); do [ -n "$(listeners $control)" ] && break; sleep 0.1; done
[ -n "$(listeners $control)" ] || fail "ss does not show a socket that is there"

family=$app
for _ in 1 2 3; do family="$app $(pgrep -P "$(echo $family | tr ' ' ',')" | tr '\n' ' ' || true) $family"; done
family=$(echo $family | tr ' ' '\n' | sort -u)
for p in $family; do
  heard=$(listeners "$p")
  [ -z "$heard" ] || fail "process $p listens: $heard"
done
echo "window: painted ($colours colours), no listening socket in $(echo "$family" | wc -l) processes"
