#!/usr/bin/env bash
# Starts the production build in a real window on a shop of 10 000 products, without
# pictures and with pictures of the first ones, and prints how soon it is painted and
# stands, how much memory it takes once it was used, and what it costs while nobody touches
# it, beside a window of one word that is made the same way. STARTS says how often they are
# started, MINUTES how long each is used, PRODUCTS and PICTURES how many there are. The
# machine should have nothing else to do.
# Usage: window-figures.sh BINARY ONEWORD PAINTED
set -euo pipefail
binary=$(realpath "$1")
oneword=$(realpath "$2")
painted=$(realpath "$3")
starts=${STARTS:-7}
minutes=${MINUTES:-2}
products=${PRODUCTS:-10000}
pictures=${PICTURES:-200}
here=$(cd "$(dirname "$0")" && pwd)
. "$(dirname "$0")/display.sh"

fail() { echo "window-figures: $1" >&2; [ -e "$work/app.log" ] && tail -20 "$work/app.log" >&2; exit 1; }
now() { date +%s%3N; }

"$here/pictured.sh" "$binary" "$work/shops" "$products" "$pictures"

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

key() { xdotool key --window "$window" "$@"; }
page() { xdotool mousemove --window "$window" 42 $((70 + 50 * $1)) click 1; sleep 0.4; } # by its place in the rail
wheel() { xdotool mousemove --window "$window" 500 450 click --repeat "$1" --delay 20 5; }

# use: every page, the wheel, searches and the palette, for some minutes; first past all pictures, on the
# counter and in the catalog. $fresh and $after are the memory before and after, $used how often.
use() {
  window=$(xdotool search --onlyvisible --name '^Deskhand$' | head -n 1)
  [ -n "$window" ] || fail "no window of that name"
  xdotool windowfocus "$window"
  sleep 3
  fresh=$(pss)
  local until=$(($(now) + minutes * 60000)) n
  page 1; wheel 160; page 4; wheel 160
  used=0
  while [ "$(now)" -lt "$until" ]; do
    for n in 0 1 2 3 4 5 6 7; do page "$n"; wheel 15; done
    key F2
    xdotool type --window "$window" --delay 30 "number $(printf %05d $((RANDOM % products + 1)))"
    key Return
    key ctrl+k
    xdotool type --window "$window" --delay 30 "order"
    key Escape
    used=$((used + 1))
  done
  after=$(pss)
}

words=() paints=() stands=() pictured=() picturedStands=()
for n in $(seq "$starts"); do # in turn, so that all have the same mood of the machine
  start "$oneword"
  words+=("$paint")
  [ "$n" -lt "$starts" ] || sleep 3
  least=$(pss)
  stop
  start "$binary" --data "$work/shops/with"
  pictured+=("$paint") picturedStands+=("$stand")
  if [ "$n" -eq "$starts" ]; then
    use
    picturedFresh=$fresh picturedAfter=$after
  fi
  stop
  start "$binary" --data "$work/shops/without"
  paints+=("$paint") stands+=("$stand")
  [ "$n" -eq "$starts" ] || stop
done
use
word=$(median "${words[@]}") first=$(median "${paints[@]}") whole=$(median "${stands[@]}")
picturedFirst=$(median "${pictured[@]}") picturedWhole=$(median "${picturedStands[@]}")
sleep 5
before=$(ticks)
sleep 30
idle=$(($(ticks) - before))
hz=$(getconf CLK_TCK)

ratio() { awk -v a="$1" -v b="$2" 'BEGIN { printf "%.1f ×", a / b }'; }
share() { awk -v a="$1" -v b="$2" 'BEGIN { printf "%.2f ×", a / b }'; }
cat <<TXT
| | the window | one word | | with $pictures pictures | to without |
|---|---|---|---|---|---|
| first paint after the start of the program, median of $((starts - 1)) warm starts | $first ms | $word ms | $(ratio "$first" "$word") | $picturedFirst ms | $(share "$picturedFirst" "$first") |
| the page with what is on it, as above | $whole ms | | $(ratio "$whole" "$word") | $picturedWhole ms | $(share "$picturedWhole" "$whole") |
| the same two at the first start | ${paints[0]} ms, ${stands[0]} ms | ${words[0]} ms | | ${pictured[0]} ms, ${picturedStands[0]} ms | |
| the same two, the slowest of the others | $(slowest "${paints[@]}") ms, $(slowest "${stands[@]}") ms | $(slowest "${words[@]}") ms | | $(slowest "${pictured[@]}") ms, $(slowest "${picturedStands[@]}") ms | |
| memory of the program and WebKit (PSS), just opened | $fresh MB | $least MB | $(ratio "$fresh" "$least") | $picturedFresh MB | $(share "$picturedFresh" "$fresh") |
| the same after $minutes minutes of use: every page, the wheel past all pictures, searches, the palette, $used times | $after MB | | $(ratio "$after" "$least") | $picturedAfter MB | $(share "$picturedAfter" "$after") |
| processor, idle for 30 s | $(awk -v t="$idle" -v hz="$hz" 'BEGIN { printf "%.2f %%", 100 * t / hz / 30 }') | | | | |

$products products. One word is Wails with a page of one word (\`build/testdata/oneword\`): what no window made this way goes below.
Without and with pictures are two shops of the same products, started in turn; the first $pictures of both lists have a photograph in the one.
The display goes on when a window is closed, as a desk does, and its picture is read from memory (\`build/testdata/painted\`).
TXT
