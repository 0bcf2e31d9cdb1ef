#!/usr/bin/env bash
# Drives the production build in its real window, by keyboard: it is painted, the
# worked example goes through and is in the audit log, a window that is closed and
# opened again and one whose page was killed are where they were, and the program
# listens on no socket of any kind.
# AGAIN=N opens it so many times more; SHOT=FILE keeps a screenshot of the confirmation card.
set -euo pipefail
binary=$(realpath "$1")
. "$(dirname "$0")/drive.sh"

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
