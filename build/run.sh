#!/usr/bin/env bash
# Opens the window on a sample shop. Without a display it plays the worked example in the terminal, with the command
# line, which needs Go alone. Sets up and builds what is missing.
# Usage: run.sh FOLDER
set -euo pipefail
cd "$(dirname "$0")/.."
data=$1
# shop PROGRAM: makes the sample shop if the folder has none.
shop() {
  printf '\n== A sample shop in %s\n' "$data"
  test -e "$data/shop.db" || "$1" --data "$data" init --sample
}

if [ -n "${DISPLAY:-}${WAYLAND_DISPLAY:-}" ] || [ "$(uname -s)" != Linux ]; then
  build/setup.sh window
  make --no-print-directory build/bin/deskhand
  shop build/bin/deskhand
  echo "== Opening the window (close it to come back)"
  exec build/bin/deskhand --data "$data"
fi

echo "== There is no display here, so this builds the command line and plays the worked example in the terminal"
build/setup.sh cli
make --no-print-directory build/bin/deskhand-cli
deskhand=build/bin/deskhand-cli
shop "$deskhand"
printf '\n== The worked example: two sentences, through the same bus as the window\n'
"$deskhand" --data "$data" chat --approve allow "add two bags of the Guji to Ana's cart" "submit my order to my home address"
printf '\n== The same actions in the audit log\n'
"$deskhand" --data "$data" audit tail -n 6
cat <<TXT

To open the window: on a desktop run  make run
                    without one      xvfb-run make run   (apt-get install xvfb xauth)
TXT
