#!/usr/bin/env bash
# Runs go test. A package that fails without a race or a hang runs once more, alone; the tests that failed only the first
# time are named at the end and in $NOT_CHECKED.
# Usage: go-again.sh [flags of go test] -- PACKAGE...
set -uo pipefail
flags=()
while [ "$1" != -- ]; do flags+=("$1"); shift; done
shift
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
go test "${flags[@]}" "$@" 2>&1 | tee "$work/first" && exit 0
packages=$(sed -nE 's/^FAIL\t(\S+)\t[0-9.]+s$/\1/p' "$work/first" | sort -u)
if [ -z "$packages" ] || grep -qE '^WARNING: DATA RACE|^panic: |^FAIL.*\[' "$work/first"; then exit 1; fi
echo "once more: $packages" | tr '\n' ' '; echo
# shellcheck disable=SC2086 # names of packages have no spaces
go test -count 1 "${flags[@]}" $packages || exit 1
sed -nE 's/^--- FAIL: (\S+).*/\1 failed once, then passed: not checked/p' "$work/first" | tee -a "${NOT_CHECKED:-/dev/null}"
