#!/usr/bin/env bash
# Starts the production build in a real window on a shop of 10 000 products and
# prints how soon it is painted, how much memory it takes once it was used, and
# what it costs while nobody touches it, beside a window of one word that is made
# the same way. STARTS says how often they are started, MINUTES how long it is used,
# PRODUCTS how many there are. The machine should have nothing else to do.
# Usage: window-figures.sh BINARY ONEWORD
set -euo pipefail
binary=$(realpath "$1")
oneword=$(realpath "$2")
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

# What the display shows before there is a window: one colour. It is painted when there are many.
colours() { import -window root -resize 25% "$work/shot.png" && identify -format '%k' "$work/shot.png"; }

start() { # starts a program and waits until its window is painted; $paint is how long that took at most
  local began
  began=$(now)
  "$@" >"$work/app.log" 2>&1 &
  app=$!
  children=($app "${children[@]}")
  until [ "$(colours)" -gt 60 ]; do
    kill -0 "$app" 2>/dev/null || fail "the program ended"
    [ $(($(now) - began)) -lt 60000 ] || fail "nothing was painted within a minute"
  done
  paint=$(($(now) - began))
}

stop() {
  kill "$app"
  wait "$app" 2>/dev/null || true
  until [ "$(colours)" -le 2 ]; do sleep 0.1; done
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
warm() { printf '%s\n' "${paints[@]:1}" | sort -n; }
median() { warm | sed -n "$((starts / 2))p"; }

paints=()
for _ in $(seq "$starts"); do
  start "$oneword"
  paints+=("$paint")
  [ "${#paints[@]}" -lt "$starts" ] || sleep 3
  least=$(pss)
  stop
done
word=$(median)

paints=()
for _ in $(seq "$starts"); do
  start "$binary" --data "$work/shop"
  paints+=("$paint")
  [ "${#paints[@]}" -eq "$starts" ] || stop
done

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
| first paint after the start of the program, median of $((starts - 1)) warm starts | ≤ $(median) ms | ≤ $word ms | $(ratio "$(median)" "$word") |
| the first start, and the slowest of the others | ${paints[0]} ms, $(warm | tail -1) ms | | |
| memory of the program and WebKit (PSS), just opened | $fresh MB | $least MB | $(ratio "$fresh" "$least") |
| the same after $minutes minutes of use: every page, the wheel, searches, the palette, $used times | $after MB | | $(ratio "$after" "$least") |
| processor while nobody touches it, over 30 s | $(awk -v t="$idle" -v hz="$hz" 'BEGIN { printf "%.2f %%", 100 * t / hz / 30 }') | | |

$products products. One word is Wails with a page of one word (\`build/testdata/oneword\`): what no window made this way goes below. A
paint is noticed by a picture of the display, so the figures are that much too high.
TXT
