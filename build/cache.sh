#!/usr/bin/env bash
# Checks that the command line and the window share every compiled package, except those that import Wails. A flag that
# differs between two builds would compile everything twice.
# Usage: cache.sh TAGS-OF-THE-WINDOW
set -euo pipefail
cd "$(dirname "$0")/.."
# list FLAG...: path and build of each package of the program, with "wails" behind those that import Wails, through
# others too.
list() {
  go list -export -deps -f '{{.ImportPath}} {{.BuildID}} {{range .Deps}}{{if eq . "github.com/wailsapp/wails/v2"}}wails{{end}}{{end}}' "$@" . | sort
}
CGO_ENABLED=0 list >build/bin/packages-of-cli
list -tags "$1" >build/bin/packages-of-window
twice=$(join build/bin/packages-of-cli build/bin/packages-of-window | awk '$2 != $3 && $4 != "wails" { print $1 }')
if [ -n "$twice" ]; then
  printf 'compiled twice, once for the command line and once for the window:\n%s\n' "$twice" >&2
  exit 1
fi
echo "Build cache: the command line and the window share $(join build/bin/packages-of-cli build/bin/packages-of-window | awk '$2 == $3' | wc -l) packages"
