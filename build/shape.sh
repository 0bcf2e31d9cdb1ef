#!/usr/bin/env bash
# Names the ten production functions of the highest cyclomatic complexity, fails when
# one is over 25, or over 15 in agent/builtin, or a line is over 120 columns. Tests and generated files are exempt.
# Usage: shape.sh GOCYCLO@VERSION
set -euo pipefail
cd "$(dirname "$0")/.."
exempt='_test\.go$|\.gen\.go$|/testdata/'
failed=0
echo "The ten functions of the highest complexity:"
build/tool.sh "$1" -top 10 -ignore "$exempt" .
build/tool.sh "$1" -over 25 -ignore "$exempt" . >/dev/null || { echo "over 25: split the function or make it a table" >&2; failed=1; }
build/tool.sh "$1" -over 15 -ignore "$exempt" agent/builtin >/dev/null ||
  { echo "over 15 in agent/builtin: it is a finder of actions, no parser" >&2; failed=1; }
mapfile -t files < <(git ls-files '*.go' | grep -vE "$exempt")
code=0
long=$(LC_ALL=C.UTF-8 grep -nP '^.{121,}' "${files[@]}" | cut -c1-100) || code=$?
[ "$code" -le 1 ] || { echo "lines could not be measured: grep ended with code $code" >&2; failed=1; }
if [ -n "$long" ]; then
  printf 'over 120 columns: %s lines, among them\n' "$(wc -l <<<"$long")" >&2
  head -10 <<<"$long" >&2
  failed=1
fi
exit $failed
