#!/usr/bin/env bash
# Opens the window; without a display plays the worked example in the terminal.
set -euo pipefail
deskhand=$1 data=$2
if [ -n "${DISPLAY:-}${WAYLAND_DISPLAY:-}" ]; then
  echo "== Opening the window (close it to come back)"
  exec "$deskhand" --data "$data"
fi
cat <<TXT

== There is no display here: the worked example, in the terminal, over the same bus
TXT
"$deskhand" --data "$data" chat --approve allow "add two bags of the Guji to Ana's cart" "submit my order to my home address"
cat <<TXT

== The same, as the audit log has it
TXT
"$deskhand" --data "$data" audit tail -n 6
cat <<TXT

To open the window: on a desktop run  make run
                    without one      xvfb-run make run   (apt-get install xvfb xauth)
TXT
