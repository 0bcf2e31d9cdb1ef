#!/usr/bin/env bash
# Starts the production build in a real window on a shop of 10 000 products and
# prints how soon it is painted and stands, how much memory it takes once it was used, and
# what it costs while nobody touches it, beside a window of one word that is made
# the same way. STARTS says how often they are started, MINUTES how long it is used,
# PRODUCTS how many there are. The machine should have nothing else to do.
# Usage: window-figures.sh BINARY ONEWORD PAINTED
set -euo pipefail
binary=$(realpath "$1")
oneword=$(realpath "$2")
painted=$(realpath "$3")
starts=${STARTS:-7}
minutes=${MINUTES:-2}
products=${PRODUCTS:-10000}
. "$(dirname "$0")/display.sh"

fail() { echo "window-figures: $1" >&2; [ -e "$work/app.log" ] && tail -20 "$work/app.log" >&2; exit 1; }
now() { date +%s%3N; }

{
  echo "Handle,Title,Option1 Name,Option1 Value,Variant SKU,Variant Price,Variant Inventory Qty"
  for n in $(seq $products); do echo "product-$n,Product number $n,Title,Default Title,SKU-$n,$((n % 90 + 9)).50,$((n % 40))"; done
} >"$work/products.csv"
"$binary" --data "$work/shop" init --from "$work/products.csv" >/dev/null

start() { # starts a program; $paint is how long its first paint took, $stand how long until it came to rest
  local began first settled
  began=$(now)
  "$@" >"$work/app.log" 2>&1 &
  app=$!
  children=($app "${children[@]}")
  read -r first settled < <("$painted" "$work/screen/Xvfb_screen0") || fail "nothing was painted"
  paint=$((first - began)) stand=$((settled - began))
}

stop() {
  kill "$app"
  wait "$app" 2>/dev/null || true
  sleep 0.3
}

family() { # the program and all that it started, WebKit's processes among them
  local all=$app
  for _ in 1 2 3; do all=$(printf '%s\n' $all $(pgrep -P "$(echo $all | tr ' ' ',')" || true) | sort -u | tr '\n' ' '); done
  echo $all
}

pss() { # in MB, of all of them
  local p total=0 kb
  for p in $(family); do
    kb=$(awk '/^Pss:/ { print $2 }' "/proc/$p/smaps_rollup" 2>/dev/null) || continue
    total=$((total + ${kb:-0}))
  done
  echo $((total / 1024))
}

ticks() { # of processor time, of all of them
  local p total=0 spent
  for p in $(family); do
    spent=$(sed 's/.*) //' "/proc/$p/stat" 2>/dev/null | awk '{ print $12 + $13 }') || continue
    total=$((total + ${spent:-0}))
  done
  echo "$total"
}

# The first start reads the program from the disk; the others are what somebody sees who works with it.
warm() { printf '%s\n' "${@:2}" | sort -n; }
median() { warm "$@" | sed -n "$((starts / 2))p"; }
slowest() { warm "$@" | tail -n 1; }

words=() paints=() stands=()
for n in $(seq "$starts"); do # in turn, so that both have the same mood of the machine
  start "$oneword"
  words+=("$paint")
  [ "$n" -lt "$starts" ] || sleep 3
  least=$(pss)
  stop
  start "$binary" --data "$work/shop"
  paints+=("$paint") stands+=("$stand")
  [ "$n" -eq "$starts" ] || stop
done
word=$(median "${words[@]}") first=$(median "${paints[@]}") whole=$(median "${stands[@]}")

window=$(xdotool search --onlyvisible --name '^Deskhand$' | head -n 1)
[ -n "$window" ] || fail "no window of that name"
xdotool windowfocus "$window"
sleep 3
fresh=$(pss)
key() { xdotool key --window "$window" "$@"; }
until=$(($(now) + minutes * 60000))
used=0
while [ "$(now)" -lt "$until" ]; do
  for y in 60 110 160 210 260 310 360; do # the pages, one after the other
    xdotool mousemove --window "$window" 42 $((y + 10)) click 1
    sleep 0.4
    xdotool mousemove --window "$window" 500 450 click --repeat 15 --delay 20 5 # the wheel
  done
  key F2
  xdotool type --window "$window" --delay 30 "number $((RANDOM % products))"
  key Return
  key ctrl+k
  xdotool type --window "$window" --delay 30 "order"
  key Escape
  used=$((used + 1))
done
after=$(pss)
sleep 5
before=$(ticks)
sleep 30
idle=$(($(ticks) - before))
hz=$(getconf CLK_TCK)

ratio() { awk -v a="$1" -v b="$2" 'BEGIN { printf "%.1f ×", a / b }'; }
cat <<TXT
| | the window | one word | |
|---|---|---|---|
| first paint after the start of the program, median of $((starts - 1)) warm starts | $first ms | $word ms | $(ratio "$first" "$word") |
| the page with what is on it, as above | $whole ms | | $(ratio "$whole" "$word") |
| the same two at the first start | ${paints[0]} ms, ${stands[0]} ms | ${words[0]} ms | |
| the same two, the slowest of the others | $(slowest "${paints[@]}") ms, $(slowest "${stands[@]}") ms | $(slowest "${words[@]}") ms | |
| memory of the program and WebKit (PSS), just opened | $fresh MB | $least MB | $(ratio "$fresh" "$least") |
| the same after $minutes minutes of use: every page, the wheel, searches, the palette, $used times | $after MB | | $(ratio "$after" "$least") |
| processor while nobody touches it, over 30 s | $(awk -v t="$idle" -v hz="$hz" 'BEGIN { printf "%.2f %%", 100 * t / hz / 30 }') | | |

$products products. One word is Wails with a page of one word (\`build/testdata/oneword\`): what no window made this way goes below.
The display goes on when a window is closed, as a desk does, and its picture is read from memory (\`build/testdata/painted\`).
TXT
