#!/usr/bin/env bash
# Runs a command with its temporary files in memory, where there are 6 GB for them and programs may be started there:
# tests sync thousands of small files.
# Usage: in-memory.sh COMMAND [ARGUMENTS]
set -euo pipefail
free=$(df --output=avail -k /dev/shm 2>/dev/null | tail -1) || free=0
if [ "${free:-0}" -gt 6000000 ]; then
  memory=$(mktemp -d -p /dev/shm)
  trap 'chmod -R u+w "$memory" && rm -rf "$memory"' EXIT
  printf '#!/bin/sh\n' >"$memory/starts" && chmod +x "$memory/starts"
  if "$memory/starts" 2>/dev/null; then export TMPDIR=$memory; fi
fi
"$@"
