#!/usr/bin/env bash
# Runs make targets as named steps and prints a table of them, with seconds and processor seconds, and a last line
# "N passed, N failed", with ", N not checked" if there are any. A failing step is named with the command that runs it
# alone, and the others still run. Marks before a target:
#   !TARGET  nothing after it can run without it
#   &TARGET  it may run beside the next one with this mark: two at a time, each printed when it ends
# A step that writes to the file $NOT_CHECKED could not check something, for want of a network or because a flow or
# a test passed only the second time: it has neither passed nor failed.
# Usage: steps.sh NAME TARGET [NAME TARGET]...
set -uo pipefail
rows=() passed=0 failed=0 unchecked=0 began=$SECONDS
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
jobs=() # those that run in the background: "ID NAME|TARGET"

ends() {
  printf '\n%-48s %8s %10s\n' step seconds processor
  printf '%s\n' "${rows[@]}"
  printf '%-48s %8d %10d\n\n%d passed, %d failed' "all of them" $((SECONDS - began)) "$(processor)" "$passed" "$failed"
  [ "$unchecked" = 0 ] || printf ', %d not checked' "$unchecked"
  echo
  [ "$failed" = 0 ]
}
# processor prints the processor seconds of all steps that have ended.
processor() { cat "$work"/*.processor 2>/dev/null | awk '{ sum += $1 } END { printf "%d", sum }'; }
# row NAME ID NOTE: adds a line to the table.
row() {
  rows+=("$(printf '%-48s %8d %10d%s' "$1" "$(cat "$work/$2.seconds" 2>/dev/null || echo 0)" \
    "$(cat "$work/$2.processor" 2>/dev/null || echo 0)" "${3:+  $3}")")
}
# An interrupted step has not failed by itself, and nothing more is run.
stopped() {
  trap - INT TERM
  kill $(jobs -p) 2>/dev/null
  wait
  rows+=("$(printf '%-48s %8s %10s  interrupted' "$name" - -)")
  failed=$((failed + 1))
  ends
  exit 130
}
trap stopped INT TERM

title() { printf '\n\033[1m== %s\033[0m (make %s)\n' "$1" "$2"; }
# execute ID TARGET: runs the target; what it took and its exit code are left in files.
execute() (
  since=$SECONDS
  NOT_CHECKED=$work/$1.unchecked make --no-print-directory "$2"
  echo $? >"$work/$1.code"
  echo $((SECONDS - since)) >"$work/$1.seconds"
  times >"$work/$1.times" # not in a pipe: its first part is a process of its own
  awk -F'[ms ]+' 'NR == 2 { printf "%d\n", $1 * 60 + $2 + $3 * 60 + $4 + 0.5 }' "$work/$1.times" >"$work/$1.processor"
)
# judge ID NAME TARGET: counts a step that has ended.
judge() {
  local code
  code=$(cat "$work/$1.code" 2>/dev/null || echo 1)
  if [ "$code" = 0 ] && [ -s "$work/$1.unchecked" ]; then
    unchecked=$((unchecked + 1))
    row "$2" "$1" "not checked: $(sed 's/: not checked.*//' "$work/$1.unchecked" | sort -u | paste -sd, | sed 's/,/, /g')"
  elif [ "$code" = 0 ]; then
    passed=$((passed + 1))
    row "$2" "$1"
  else
    failed=$((failed + 1))
    row "$2" "$1" "FAILED, alone: make $3"
    printf '\n\033[1m== FAILED: %s\033[0m ended with code %d. To run it alone: make %s\n' "$2" "$code" "$3"
    return 1
  fi
}
# finish_one: waits until one of the steps in the background has ended, prints it and counts it.
finish_one() {
  local i id rest
  while :; do
    for i in "${!jobs[@]}"; do
      id=${jobs[i]%% *} rest=${jobs[i]#* }
      [ -e "$work/$id.processor" ] || continue
      unset "jobs[i]"
      title "${rest%|*}" "${rest#*|}"
      cat "$work/$id.output"
      judge "$id" "${rest%|*}" "${rest#*|}"
      return
    done
    wait -n
  done
}

id=0
while [ $# -gt 1 ]; do
  name=$1 target=${2#[\&\!]} id=$((id + 1))
  mark=${2%"$target"}
  shift 2
  if [ "$mark" = '&' ]; then
    [ ${#jobs[@]} -lt 2 ] || finish_one
    execute "$id" "$target" >"$work/$id.output" 2>&1 &
    jobs+=("$id $name|$target")
    continue
  fi
  while [ ${#jobs[@]} -gt 0 ]; do finish_one; done
  title "$name" "$target"
  execute "$id" "$target"
  judge "$id" "$name" "$target" || [ "$mark" != '!' ] || { echo "   Nothing after it can run without it."; break; }
done
while [ ${#jobs[@]} -gt 0 ]; do finish_one; done
ends
