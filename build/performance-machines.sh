#!/usr/bin/env bash
# Measures several machines and prints that section of docs/performance.md: everything runs on this one, over loopback.
set -euo pipefail
cd "$(dirname "$0")/.."

# block COMMAND: a table of its benchmarks, each run three times.
block() {
  printf '\n`%s`\n\n' "$* -count 3"
  "$@" -count 3 | build/table-of-benchmarks.mjs
}

cat <<EOF
## Several machines

$(date -u +%Y-%m-%d), commit $(git rev-parse --short HEAD). Both ends, the server and the disk share the cores of this machine, so a rate is lower than
between computers; [Scaling](scaling.md) says what follows from the figures.

A call over a link beside a bare request of NATS with the same bytes, and the call itself:
EOF
block go test -run '^$' -bench 'Invoke/in' -benchtime 2s ./bus/remote/natsbus
cat <<EOF

Fifty callers in one program beside fifty tills of a host, over TLS; an event at the fiftieth till; a call that was made as the link was cut:
EOF
block go test -run '^$' -bench Tills -benchtime 3x -timeout 0 ./internal/host
cat <<EOF

A window in Chromium and two desks without one sell at a host that is killed and whose links are cut: the sales of each, and how long after
the host listens again the window has its link. \`build/flows.sh build/bin/deskhand-dev desks.spec -g 'without one sell'\`

$(DESKHAND_FLOWS=all build/flows.sh build/bin/deskhand-dev desks.spec -g 'without one sell' | sed -n 's/^Desks: /    /p')

An archive that takes records beside a log that records what people look at, and writing while the log is published beside writing alone:
EOF
block go test -run '^$' -bench . -benchtime 3x -timeout 0 ./audit/archive
