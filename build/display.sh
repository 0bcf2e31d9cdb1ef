# Sourced: starts a display of its own and cleans up whatever the script started.
work=$(mktemp -d)
children=()
finish() {
  local p
  for p in "${children[@]}"; do kill "$p" 2>/dev/null && wait "$p" 2>/dev/null; done || true
  rm -rf "$work"
}
trap finish EXIT

# As on a desk it goes on when a window is closed; it would begin anew, and the next
# window wait for that, if nobody else were there.
exec {free}<>"$work/display"
mkdir "$work/screen" # its picture, as a file
Xvfb -displayfd "$free" -noreset -fbdir "$work/screen" -screen 0 1400x900x24 >/dev/null 2>&1 &
children=($! "${children[@]}")
for _ in $(seq 600); do [ -s "$work/display" ] && break; sleep 0.1; done
# On a busy machine the keys of a scanner keep their times, where this is allowed.
renice -n -10 -p "${children[0]}" >/dev/null 2>&1 || true
[ -s "$work/display" ] || { echo "Xvfb did not start" >&2; exit 1; }
DISPLAY=:$(tr -d '[:space:]' <"$work/display")
export DISPLAY
# Settings of a desktop that is not there: kept in memory, nobody is told that they could not be saved.
export GSETTINGS_BACKEND=memory
