#!/usr/bin/env bash
# Runs make targets as named steps, one after the other. A step says its name when it
# begins; one that fails says which it was, how it ended and how to run it alone, and
# the others still run, unless nothing can run without it (TARGET begins with !). A step
# that notes in $NOT_CHECKED what it could not check for want of a network has neither
# passed nor failed. Last come a table of seconds and a line "N passed, N failed", with
# ", N not checked" if there are any.
# Usage: steps.sh NAME TARGET [NAME TARGET]...
set -uo pipefail
rows=() passed=0 failed=0 unchecked=0 began=$SECONDS
NOT_CHECKED=$(mktemp)
export NOT_CHECKED
trap 'rm -f "$NOT_CHECKED"' EXIT

ends() {
  printf '\n%-48s %8s\n' step seconds
  printf '%s\n' "${rows[@]}"
  printf '%-48s %8d\n\n%d passed, %d failed' "all of them" $((SECONDS - began)) "$passed" "$failed"
  [ "$unchecked" = 0 ] || printf ', %d not checked' "$unchecked"
  echo
  [ "$failed" = 0 ]
}
stopped() { # an interrupted step is not the step's fault, and nothing more is run
  rows+=("$(printf '%-48s %8d  interrupted' "$name" $((SECONDS - since)))")
  failed=$((failed + 1))
  ends
  exit 130
}
trap stopped INT TERM

while [ $# -gt 1 ]; do
  name=$1 target=${2#!} since=$SECONDS code=0
  must=$([ "$2" = "$target" ] || echo yes)
  shift 2
  printf '\n\033[1m== %s\033[0m (make %s)\n' "$name" "$target"
  : >"$NOT_CHECKED"
  make --no-print-directory "$target" || code=$?
  if [ "$code" = 0 ] && [ -s "$NOT_CHECKED" ]; then
    unchecked=$((unchecked + 1))
    what=$(sed 's/: not checked.*//' "$NOT_CHECKED" | sort -u | paste -sd, | sed 's/,/, /g')
    rows+=("$(printf '%-48s %8d  not checked: %s' "$name" $((SECONDS - since)) "$what")")
    continue
  fi
  if [ "$code" = 0 ]; then
    passed=$((passed + 1))
    rows+=("$(printf '%-48s %8d' "$name" $((SECONDS - since)))")
    continue
  fi
  failed=$((failed + 1))
  rows+=("$(printf '%-48s %8d  FAILED, alone: make %s' "$name" $((SECONDS - since)) "$target")")
  printf '\n\033[1m== FAILED: %s\033[0m ended with code %d. To run it alone: make %s\n' "$name" "$code" "$target"
  [ -z "$must" ] || { echo "   Nothing after it can run without it."; break; }
done
ends
