#!/usr/bin/env bash
# Sells at the counter of the production build in its real window, by a scanner and the keyboard: thirty scans from
# anywhere (after a sale, on another page, in a dialog, on a card, while the page or the program stands still) are
# thirty pieces in the books, and sales of eight kinds are what they were meant to be. A question of another program,
# asked while the person works elsewhere, is told of by the desktop and in the title, and allowed by its key. Then a first
# run in each of two countries that the web view has under several codes.
# SHOT=FILE keeps a screenshot when something fails.
set -euo pipefail
binary=$(realpath "$1")
here=$(dirname "$(realpath "$0")")
. "$here/drive.sh"

bag=2004391521913 bag2=2007750787722 mug=2009113959364 # $17.60, $17.20, $16.00 and 88 cents of tax
scan() { node "$here/scanner.mjs" "$@"; }
six() { scan $bag $mug $bag $mug $bag $mug; }

# asks EXPRESSION CAPABILITY ARGUMENTS: what EXPRESSION says of d, the data of an answer.
asks() {
  deskhand --json invoke "$2" "$3" >"$work/answer" 2>>"$work/app.log"
  found=$(node -p "const d = JSON.parse(require('fs').readFileSync('$work/answer', 'utf8')).data; ($1) || ''")
  [ -n "$found" ]
}
pieces() { asks "d.items.reduce((sum, { quantity }) => sum + quantity, 0) === $1" cart.getSummary '{}'; }
# done_by CAPABILITY [EXPRESSION]: the person did it since, and EXPRESSION is true of its record; $found is its number.
told=0
done_by() {
  newest "r.seq > $told && r.caller.type === 'ui' && r.status === 'success' && (${2:-true}) && r.seq" --status success --capability "$1" &&
    told=$found
}
submitted() { newest "r.seq > $told && r.status === 'success' && r.seq + ' ' + r.data.orderId" --capability checkout.submit; }
# sells WHAT EXPRESSION KEY...: the cart is sold by the keys, and EXPRESSION is true of the order.
sells() {
  local what=$1 expression=$2; shift 2
  xdotool key "$@"
  until_true "$what: nothing was sold" submitted
  read -r told order <<<"$found"
  asks "$expression" order.get "{\"orderId\":\"$order\"}" || fail "$what: $order is another than was meant: $(cat "$work/answer")"
}
# unfolds WHAT KEY...: keys that open something.
unfolds() {
  local what=$1; shift
  still
  look place
  xdotool key "$@"
  until_true "$what does not open" other place $some
  still
}

# A bus of a desktop, which starts no services, and what is said on it.
cat >"$work/bus.conf" <<END
<busconfig><type>session</type><listen>unix:tmpdir=$work</listen><policy context="default">
<allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/><allow own="*"/></policy></busconfig>
END
dbus-daemon --config-file "$work/bus.conf" --nofork --print-address=1 >"$work/bus" 2>>"$work/app.log" &
children=($! "${children[@]}")
until_true "there is no bus" test -s "$work/bus"
DBUS_SESSION_BUS_ADDRESS=$(cat "$work/bus")
export DBUS_SESSION_BUS_ADDRESS
stdbuf -oL dbus-monitor "interface='org.freedesktop.Notifications'" >"$work/told" 2>>"$work/app.log" &
children=($! "${children[@]}")

asks "d.orders[0].id" order.search '{"status":"pending","limit":1}' || fail "the sample has no order to cancel"
pending=$found
start

# Thirty scans.
xdotool key alt+2
until_true "the counter does not open" done_by navigation.go "r.arguments.page === 'counter'"
six
until_true "six scans at the counter are not six pieces" pieces 6
sells "the first six" "d.lines.every(({ quantity }) => quantity === 3) && d.lines.length === 2" F9
first=$order
six # where the focus is on the last sale
until_true "six scans after a sale are not six pieces of the next" pieces 6
xdotool key alt+6
until_true "Alt+6 does not lead to the reports" done_by navigation.go "r.arguments.page === 'reports'"
six
until_true "six scans on another page are not twelve pieces" pieces 12
xdotool key alt+2
until_true "Alt+2 does not lead to the counter" done_by navigation.go "r.arguments.page === 'counter'"
unfolds "the dialog of held carts" F6
scan $bag $mug $bag $mug
page=$(pgrep -P "$app" WebKitWebProces) || fail "there is no process of a page"
for halted in "$page" "$app"; do # their keys wait in the program, and in the X server
  kill -STOP "$halted"
  scan $([ "$halted" = "$page" ] && echo $bag || echo $mug)
  kill -CONT "$halted"
done
until_true "six scans in a dialog are not eighteen pieces" pieces 18
unfolds "the counter under the dialog" Escape
unfolds "the assistant" ctrl+j
say "Cancel order $pending, no longer needed."
until_true "there is no card" other unsaid
still
six
until_true "six scans on a card are not twenty-four pieces" pieces 24
if newest true --capability order.cancel; then fail "a scan answered a card: $(cat "$work/record")"; fi
xdotool key F8 Tab Tab Return # Deny, the reason, Allow once
until_true "the card was not allowed" newest "r.status === 'success' && r.decision.answer === 'allow'" --capability order.cancel
unfolds "the counter beside the assistant" ctrl+j
sells "the other twenty-four" "d.lines.every(({ quantity }) => quantity === 12) && d.lines.length === 2" F9
rest=$order

# A day, shortened: sales of eight kinds.
types() { xdotool type --delay 60 "$1"; } # as a person: slower than a scanner
cart() { # cart CODE: it is in the cart
  scan "$1"
  until_true "$1 is not in the cart" pieces 1
}
paid='d.payments[0].amount.amount === d.total.amount && d.payments[0].label'
cart $bag
xdotool key F4
types 20
sells "cash" "$paid === 'Cash' && d.total.amount === 1760 && d.payments[0].change.amount === 240 && d.status === 'delivered'" F9
sale=$order

for code in $bag $bag2 $mug; do scan $code; done
until_true "three codes are not three pieces" pieces 3
xdotool key F5
types 1,5
xdotool key Return
still
pieces 3 || fail "one and a half pieces are taken for another number"
xdotool key ctrl+a
types 3
xdotool key Return
sells "several" "$paid === 'Cash' && d.total.amount === 1760 + 1720 + 3 * 1688" F9

cart $bag
unfolds "the discount" F10
types 10
xdotool key Return
until_true "there is no discount" done_by cart.applyDiscount
sells "a discount" "$paid === 'Cash' && d.total.amount === 1584 && d.discount.amount === 176" F9

cart $mug
sells "a card" "$paid === 'Card' && d.total.amount === 1688" F4 F4 Return
faulty=$order

cart $bag2
xdotool key shift+F4
until_true "it is not picked up" asks "d.fulfilment === 'pickUp'" cart.getSummary '{}'
sells "to be picked up" "$paid === 'Cash' && d.total.amount === 1720 && d.fulfilment === 'pickUp' && d.status === 'pending'" F9

unfolds "the choice of a customer" F3
types "Ana Ruiz"
xdotool key Return
until_true "Ana Ruiz is not chosen" done_by cart.setCustomer
cart $bag
sells "to be delivered" "$paid === 'Visa ending 4242' && d.total.amount === 1760 + 495 && d.customer.name === 'Ana Ruiz' && d.status === 'pending'" F9

unfolds "the form of a new customer" shift+F3
types "Kim Park"
xdotool key Tab Tab Tab Tab Tab
types "1 Pier Road"
xdotool key Tab Tab
types Bath
xdotool key Tab Tab
types 04530
xdotool key Return
until_true "nobody was added" done_by customer.create
cart $bag2
sells "a new customer" "$paid === 'Cash' && d.total.amount === 1720 + 495 && d.customer.name === 'Kim Park' && d.shippingAddress.line1 === '1 Pier Road'" F9

opens() { # opens ORDER: by its number
  unfolds "the search" ctrl+k
  look place
  types "$1"
  until_true "the search finds nothing" other place $some
  still
  xdotool key Return
  until_true "$1 does not open" done_by navigation.go "r.arguments.id === '$1'"
}
opens "$sale"
unfolds "the return" F4
xdotool key c Return # changed their mind
refunded="d.payments.some(({ kind, amount }) => kind === 'refund' && amount.amount === 1760)"
until_true "nothing came back and was refunded" asks "$refunded && d.requests[0].reason === 'changed mind'" \
  order.get "{\"orderId\":\"$sale\"}"

opens "$faulty"
unfolds "the exchange" F5
xdotool key Tab Tab Down
still
xdotool key Return Tab f # the same again, faulty
still
xdotool key Return
until_true "nothing was exchanged" done_by order.exchange "r.arguments.orderId === '$faulty' && r.arguments.reason === 'faulty'"
unfolds "what came back" F5
xdotool key Return
until_true "the exchange was not received" done_by order.receiveExchange "r.arguments.orderId === '$faulty'"

# A question while the person works elsewhere.
titled() { [ "$(xdotool getwindowname "$window")" = "$1" ]; }
asks "d.orders[0].id" order.search '{"status":"pending","limit":1}'
pending=$found
xdotool mousemove 1 1 # with the pointer in it GTK takes the focus of the root for the window's
xdotool windowfocus "$(xdotool search --maxdepth 0 '' 2>/dev/null | head -n 1)"
still
cancel='{"capability":"order.cancel","arguments":{"orderId":"ORDER","reason":"no longer needed"},'
cancel+='"caller":{"type":"agent","source":"script"}}'
deskhand bus --approve ask >"$work/bus.out" 2>&1 <<<"${cancel/ORDER/$pending}" &
children=($! "${children[@]}")
until_true "the title does not say that a question waits" titled "(1) Deskhand"
until_true "the desktop was not told" grep -q "Waiting for your answer" "$work/told"
grep -q "Cancel" "$work/told" || fail "the desktop was not told of what: $(cat "$work/told")"
if grep -F "$pending" "$work/told"; then fail "the desktop was told a value"; fi
xdotool windowfocus --sync "$window"
still
xdotool key shift+F8
until_true "Shift+F8 does not allow it" newest "r.arguments.orderId === '$pending' && r.status === 'success' && r.decision.answer === 'allow'" --capability order.cancel
until_true "the title says that a question waits" titled Deskhand

pgrep -P "$app" WebKitWebProces | grep -qx "$page" || fail "the page ended on the way"
logged=$(grep -c 'level=ERROR' "$work/app.log" || true)
[ "$logged" = 0 ] || fail "$logged errors were logged"
deskhand audit verify >/dev/null || fail "the log does not verify"
kill "$app"
until_true "the window does not end" ended

begins() { # begins WORDS COUNTRY CURRENCY ZONE: a first run, of the country that WORDS find first
  rm -r "$work/shop"
  start
  xdotool key shift+Tab
  still
  types "$1"
  still
  xdotool key Return Tab Tab Tab
  still
  types "$1 shop"
  xdotool key Return
  until_true "no shop is made" newest true --capability shop.setUp --status success
  asks "d.shop.country === '$2' && d.shop.currency === '$3' && d.shop.timeZone === '$4'" settings.get '{}' ||
    fail "a first run with $1 is of another country: $(cat "$work/answer")"
  kill "$app"
  until_true "the window does not end" ended
}
begins serbia RS RSD Europe/Belgrade # the web view knows three of this name
begins germ DE EUR Europe/Berlin

echo "till-window: 30 scans are 30 pieces in $first and $rest, and a sale of each of eight kinds by keyboard," \
  "a question told of elsewhere, two first runs, in $SECONDS s"
