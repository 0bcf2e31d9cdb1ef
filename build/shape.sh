#!/usr/bin/env bash
# Names the ten production functions of the highest cyclomatic complexity, fails when
# one is over 25, or over 15 in agent/builtin, or a line is over 120 columns. Tests and generated files are exempt.
# It also prints the size of each room, which has no limit; only tests import shop/fake, so it counts as a test.
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

# report ROOM FILES: prints the number of lines and files.
report() { printf '  %-12s %7d %6d\n' "$1" "$(xargs cat <<<"$2" | wc -l)" "$(wc -l <<<"$2")"; }
# largest FILES: prints the three folders with the most files.
largest() { xargs -n 1 dirname <<<"$1" | sort | uniq -c | sort -rn | awk 'NR < 4 {printf "  %-32s %6d files\n", $2, $1}'; }
go=$(git ls-files '*.go' | grep -vE "$exempt|^(docs|build)/")
page=$(git ls-files 'frontend/src/*.ts' 'frontend/src/*.tsx' | grep -vE '\.(test|gen)\.tsx?$|^frontend/src/shop/fake/')
printf '\nProduction code:  lines  files\n'
for room in agent audit bus internal shop; do report "$room" "$(grep "^$room/" <<<"$go")"; done
report 'other Go' "$(grep -vE '^(agent|audit|bus|internal|shop)/' <<<"$go")"
report 'all Go' "$go"
report TypeScript "$page"
echo 'The largest folders:'
largest "$go"
largest "$page"
exit $failed
