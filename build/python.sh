#!/usr/bin/env bash
# Checks with mypy --strict what `deskhand gen --py` writes, and the programs that use it: what the tests generate is
# checked as Python 3.9 and 3.11 has it. mypy is the one of Debian 12, 1.0.1; a later one of another system serves too.
# Where there is none, as without a network when make check sets up, the line says "not checked".
# Usage: python.sh
set -euo pipefail
cd "$(dirname "$0")/.."
. build/offline.sh
if ! mypy=$(command -v mypy); then
  not_checked "Types of the client in Python" "there is no mypy; install the package mypy of Debian, or put mypy 1.0.1 or later on the PATH"
  exit 0
fi
CGO_ENABLED=0 go test -count 1 -run Python ./bus/codegen -mypy "$mypy"
CGO_ENABLED=0 go test -count 1 -run Python ./internal/e2e -mypy "$mypy"
"$mypy" --version
