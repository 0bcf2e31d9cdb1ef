# Sourced: drives the program "$binary" in its real window, on a display and a shop of its own.
. "$(dirname "${BASH_SOURCE[0]}")/display.sh"
# What the web view keeps goes with the rest.
export XDG_DATA_HOME=$work/home/data XDG_CONFIG_HOME=$work/home/config XDG_CACHE_HOME=$work/home/cache
mkdir -p "$XDG_CACHE_HOME"

deskhand() { "$binary" --data "$work/shop" "$@"; }
fail() {
  echo "$(basename "$0" .sh): $1" >&2
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
other() { look now; [ "$(differs "$1" now)" -gt "${2:-$many}" ]; }
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
