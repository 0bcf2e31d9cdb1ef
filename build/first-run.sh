#!/usr/bin/env bash
# Measures the wait of a new user: a fresh clone of the last commit, an empty HOME, empty caches of Go and npm. System
# packages stay as they are. Prints a table with the seconds, the processor seconds of the commands and the load of the
# machine, where "others" are the processor seconds of all other programs meanwhile.
#   run      make run without a display
#   window   make run with a display, until the window is there
#   test     make test after "window", in the same clone
#   warm     make test again
#   ci       .ci/run after "warm"
# LOGS keeps the output of each in a folder.
# Usage: first-run.sh [run] [window [test [warm [ci]]]]
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
[ $# -gt 0 ] || set -- run window test warm
. "$root/build/display.sh" # makes $work and removes it; its display is for "window"
logs=${LOGS:-$work/logs}
mkdir -p "$logs"
screen=$DISPLAY
unset DISPLAY WAYLAND_DISPLAY

# busy prints the processor seconds of the whole machine since it was started.
busy() { awk -v hz="$(getconf CLK_TCK)" '$1 == "cpu" { printf "%d\n", ($2 + $3 + $4 + $7 + $8) / hz }' /proc/stat; }
# clean COMMAND...: runs it in the clone with the empty home and nothing else of this environment.
clean() { (cd "$work/clone" && env -i HOME="$work/home" PATH="$PATH" LANG=C.UTF-8 ${DISPLAY:+DISPLAY="$DISPLAY"} "$@"); }
fresh() {
  rm -rf "$work/clone"
  [ ! -e "$work/home" ] || { chmod -R u+w "$work/home" && rm -rf "$work/home"; } # Go's module cache is read-only
  mkdir "$work/home"
  [ ! -e ~/.npmrc ] || cp ~/.npmrc "$work/home"
  git clone --quiet "$root" "$work/clone"
}
# closes_itself: make run, whose window is closed as soon as it is there.
closes_itself() {
  export DISPLAY=$screen
  clean make run &
  until xdotool search --onlyvisible --name Deskhand >/dev/null 2>&1; do
    kill -0 $! 2>/dev/null || { wait $!; return; }
    sleep 0.2
  done
  pkill -TERM -f "^build/bin/deskhand --data $work/clone" || true
  wait $!
}
measure() { # measure NAME TITLE COMMAND...
  local name=$1 title=$2 since=$(busy) load code=0
  shift 2
  read -r load _ </proc/loadavg
  TIMEFORMAT='%R %U %S'
  { time "$@" >"$logs/$name.log" 2>&1; } 2>"$work/took" || code=$?
  read -r wall user system < <(tail -1 "$work/took")
  awk -v title="$title" -v wall="$wall" -v own="$(awk "BEGIN { print $user + $system }")" -v all="$(($(busy) - since))" -v load="$load" \
    'BEGIN { others = all - own; printf "| %s | %d | %d | %d | %s |\n", title, wall, own, (others > 0 ? others : 0), load }'
  [ "$code" = 0 ] || { echo "first-run: $title ended with code $code:" >&2; tail -40 "$logs/$name.log" >&2; exit 1; }
}

echo '| | seconds | processor | others | load before |'
echo '|---|---:|---:|---:|---:|'
for what; do
  case $what in
  run) fresh; measure run '`make run` without a display' clean make run ;;
  window) fresh; measure window '`make run` with a display' closes_itself ;;
  test) measure test '`make test` after it' clean make test ;;
  warm) measure warm '`make test` again' clean make test ;;
  ci) measure ci '`.ci/run` after it' clean bash .ci/run ;;
  *) echo "first-run: there is no $what" >&2; exit 1 ;;
  esac
done
