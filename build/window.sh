#!/usr/bin/env bash
# Drives the production build in its real window, by keyboard: it is painted, the
# worked example goes through and is in the audit log, a window that is closed and
# opened again and one whose page was killed are where they were, and the program
# listens on no socket of any kind.
# AGAIN=N opens it so many times more; SHOT=FILE keeps a screenshot of the confirmation card.
set -euo pipefail
binary=$(realpath "$1")
. "$(dirname "$0")/display.sh"
# What the web view keeps goes with the rest.
export XDG_DATA_HOME=$work/home/data XDG_CONFIG_HOME=$work/home/config XDG_CACHE_HOME=$work/home/cache
mkdir -p "$XDG_CACHE_HOME"

deskhand() { "$binary" --data "$work/shop" "$@"; }
fail() {
  echo "window: $1" >&2
  cat "$work/app.log" >&2
  deskhand audit tail -n 10 >&2
  [ -z "${SHOT:-}" ] || import -window root "$SHOT"
  exit 1
}
# until_true WHAT COMMAND...: tries until it does, and fails with WHAT after 2 minutes.
until_true() {
  local what=$1 began=$SECONDS; shift
  until "$@"; do
    [ $((SECONDS - began)) -lt 120 ] || fail "$what"
    sleep 0.2
  done
}
# newest EXPRESSION FILTER...: what EXPRESSION says of r, the newest record that matches; false when it says nothing.
newest() {
  local expression=$1; shift
  deskhand --json audit query --limit 1 "$@" >"$work/record" 2>>"$work/app.log"
  found=$(node -p "const r = JSON.parse(require('fs').readFileSync('$work/record', 'utf8') || 'null'); (r && ($expression)) || ''")
  [ -n "$found" ]
}

# What is seen, in pixels that are clearly others: a caret or a clock is few, a line
# painted a pixel further or a focus is some, a page or a panel is many.
few=600 some=2000 many=20000
differs() { printf '%.0f' "$(compare -fuzz 5% -metric AE "$work/$1.ppm" "$work/$2.ppm" null: 2>&1)" 2>/dev/null || true; }
look() { import -window root "$work/$1.ppm"; }
same() { look now; [ "$(differs "$1" now)" -le "${2:-$few}" ]; }
other() { look now; [ "$(differs "$1" now)" -gt $many ]; }
at_rest() { look before; sleep 0.2; same before && sleep 0.2 && same before; }
still() { until_true "the window does not come to rest" at_rest; }
painted() { look now; [ "$(identify -format '%k' "$work/now.ppm")" -gt 100 ]; }
ended() { ! kill -0 "$app" 2>/dev/null; }
seen() { window=$(xdotool search --onlyvisible --name '^Deskhand$' 2>/dev/null | head -n 1) && [ -n "$window" ]; }

opened() { # opens the window, and waits until it is painted
  "$binary" --data "$work/shop" >>"$work/app.log" 2>&1 &
  app=$!
  children=($app "${children[@]}")
  until_true "no window of that name" seen
  until_true "the window stayed blank" painted
}
start() { # opens the window, and waits until it is painted and has the keyboard
  opened
  xdotool windowfocus --sync "$window"
  still
}
say() { # types a sentence to the assistant, which is open
  xdotool type --delay 8 "$1"
  still
  look unsaid
  xdotool key Return
}

deskhand init --sample >/dev/null
deskhand invoke tour.leave '{"tour":"desk"}' >/dev/null # nobody new works here
start
colours=$(identify -format '%k' "$work/now.ppm")

# The worked example: one sentence, the card, allowed by keyboard.
look closed
xdotool key ctrl+j
until_true "Ctrl+J does not open the assistant" other closed
still
say "Add two bags of the Guji to Ana's cart and submit the order to her home address."
until_true "nothing was put into the cart" newest "r.caller.type === 'agent' && r.status === 'success' && r.trace_id" --capability cart.addItem
trace=$found
until_true "there is no card" other unsaid
still
[ -z "${SHOT:-}" ] || import -window root "$SHOT"
if newest true --capability checkout.submit; then fail "the order was submitted before anybody allowed it"; fi
xdotool key F8 Tab Tab Return # Deny, the reason, Allow once
until_true "the order was not submitted" newest \
  "r.caller.type === 'agent' && r.status === 'success' && r.decision.answer === 'allow' && r.trace_id === '$trace' && r.data.orderId" --capability checkout.submit
order=$found
deskhand --json invoke order.get "{\"orderId\":\"$order\"}" | grep -F '"status":"pending"' >/dev/null || fail "there is no order $order"

# To the order, through the assistant, the search of the list and its keys.
still
say "open the orders page"
until_true "the assistant does not open the orders" newest "r.status === 'success' && r.arguments.page === 'orders'" --capability navigation.go
still
xdotool key ctrl+j
still
xdotool key slash
xdotool type --delay 8 "${order#\#}"
still
xdotool key Down Return
here="r.caller.type === 'ui' && r.status === 'success' && r.arguments.page === 'orders' && r.arguments.id === '$order'"
until_true "the order does not open" newest "$here && r.seq" --capability navigation.go
told=$found
# again: the page was opened anew since, and is where it was.
again() { newest "$here && r.seq > $told && r.seq" --capability navigation.go && told=$found; }

# Closed and opened again.
still
look place
xdotool windowsize --sync "$window" 1180 760
until_true "the page does not follow the size of the window" other place
still
look place
size=$(xdotool getwindowgeometry "$window" | grep Geometry)
xdotool windowquit "$window" 2>/dev/null || kill -TERM "$app" # an older xdotool has no such command; the program closes its window the same way
until_true "the window does not close" ended
wait "$app" || fail "the program did not end well"
start
until_true "the window is not where it was" again
[ "$(xdotool getwindowgeometry "$window" | grep Geometry)" = "$size" ] || fail "the window has another size than before: $(xdotool getwindowgeometry "$window")"
until_true "the page is another than before: $(differs place now) pixels" same place $some

# Again and again: what can go wrong while a window is made goes wrong now and then.
for _ in $(seq "${AGAIN:-1}"); do
  kill -TERM "$app"
  wait "$app" || fail "the program did not end well"
  opened
done
logged=$(grep -c 'level=ERROR' "$work/app.log" || true)
[ "$logged" = 0 ] || fail "$logged errors were logged"
xdotool windowfocus --sync "$window"
still

# Its page killed, with a sentence half typed.
xdotool key ctrl+j
until_true "Ctrl+J does not open the assistant" other place
still
xdotool type --delay 8 "half a sentence"
still
look place
page=$(pgrep -P "$app" WebKitWebProces) || fail "there is no process of a page"
kill -KILL $page
until_true "the page was not loaded again" again
until_true "the page is another than before it was killed" same place $some

# It is as light as it can be: the page's process knows what it was told, and this one draws with no driver.
frugal() { page=$(pgrep -P "$app" WebKitWebProces) && grep -qz '^JSC_useDFGJIT=0$' "/proc/$page/environ"; }
until_true "the page was not told to be frugal" frugal
if grep -E 'swrast_dri|libgallium|libLLVM' "/proc/$app/maps" >&2; then fail "the program itself loads a GL driver"; fi

# The program and everything it started (WebKit's own processes) listen nowhere.
# The look must be able to see: it has to find a listener of ours first.
listeners() { ss -H -ltup -x | grep -E 'LISTEN|UNCONN' | grep -F "pid=$1," || true; }
node -e 'require("net").createServer().listen(0, "127.0.0.1")' &
control=$!
children=($control "${children[@]}")
heard() { [ -n "$(listeners "$1")" ]; }
until_true "ss does not show a socket that is there" heard $control

family=$app
for _ in 1 2 3; do family="$app $(pgrep -P "$(echo $family | tr ' ' ',')" | tr '\n' ' ' || true) $family"; done
family=$(echo $family | tr ' ' '\n' | sort -u)
for p in $family; do
  heard=$(listeners "$p")
  [ -z "$heard" ] || fail "process $p listens: $heard"
done
deskhand audit verify >/dev/null || fail "the log does not verify"
echo "window: painted ($colours colours), $order by the assistant and allowed by keyboard, the same place after closing and after a killed page," \
  "no listening socket in $(echo "$family" | wc -l) processes, in $SECONDS s"
