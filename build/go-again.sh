#!/usr/bin/env bash
# Runs go test. Tests that fail without a race or a hang run once more, alone; those that pass then are named at the end
# and in $NOT_CHECKED.
# Usage: go-again.sh [flags of go test] -- PACKAGE...
set -uo pipefail
flags=()
while [ "$1" != -- ]; do flags+=("$1"); shift; done
shift
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
go test "${flags[@]}" "$@" 2>&1 | tee "$work/first" && exit 0
packages=$(sed -nE 's/^FAIL\t(\S+)\t[0-9.]+s$/\1/p' "$work/first" | sort -u)
if [ -z "$packages" ] || grep -qE '^WARNING: DATA RACE|^(panic|fatal error|signal): |^exit status|^FAIL.*\[' "$work/first"; then exit 1; fi
# A package that failed without a test that failed has crashed.
awk '/^--- FAIL: /{named=1} /^FAIL\t/{if(!named)crashed=1} /^(ok|FAIL|\?)[ \t]+[^ \t]+\t/{named=0} END{exit crashed}' "$work/first" || exit 1
tests=$(sed -nE 's/^--- FAIL: (\S+).*/\1/p' "$work/first" | sort -u)
echo "once more:" $tests in $packages
# shellcheck disable=SC2086 # names of packages have no spaces
go test -count 1 "${flags[@]}" -run "^($(echo $tests | tr ' ' '|'))\$" $packages || exit 1
printf '%s failed once, then passed: not checked\n' $tests | tee -a "${NOT_CHECKED:-/dev/null}"
