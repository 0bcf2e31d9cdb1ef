#!/usr/bin/env bash
# Compares what the public packages export with the revision that build/api.txt names. An
# incompatible change that does not stand there fails the check, and so does a line there
# that says something else than what was changed. In a clone without that revision, such as
# a shallow one, nothing is compared and the line says so.
# Usage: api.sh APIDIFF@VERSION
set -euo pipefail
cd "$(dirname "$0")/.."
. build/offline.sh
root=$PWD tool=$1
revision=$(sed -n 's/^revision //p' build/api.txt)
[[ $revision =~ ^[^[:space:]]+$ ]] || { echo 'build/api.txt must name one revision' >&2; exit 1; }
if ! git cat-file -e "$revision^{commit}" 2>/dev/null; then
  printf 'API: not checked: this clone lacks the revision %s\n' "$revision" | tee -a "${NOT_CHECKED:-/dev/null}"
  exit 0
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/old"
git archive "$revision" go.mod go.sum bus audit agent internal | tar -x -C "$work/old"

# packages FOLDER: the public packages of the module there.
packages() {
  (cd "$1" && for room in bus audit agent; do [ ! -d "$room" ] || go list "./$room/..."; done) |
    grep -v /internal | sort
}
if ! packages "$work/old" >"$work/before" 2>"$work/log"; then
  offline "$work/log" || { cat "$work/log" >&2; exit 1; }
  not_checked API "$(grep -vE '^go: downloading|^$' "$work/log" | cut -c1-200 | sed -n 1p)"
  exit 0
fi
packages . >"$work/now"
comm -23 "$work/before" "$work/now" | sed 's/$/: package removed/' >"$work/found"
for package in $(comm -12 "$work/before" "$work/now"); do
  (cd "$work/old" && "$root/build/tool.sh" "$tool" -w "$work/export" "$package")
  [ -e "$work/export" ] || exit 0 # the tool could not be downloaded, which tool.sh said
  build/tool.sh "$tool" -incompatible "$work/export" "$package" | sed -n "s|^- |$package: |p" >>"$work/found"
done
sed -i 's|^github.com/deskhand/deskhand/||' "$work/found"
sort -u -o "$work/found" "$work/found"
grep -vE '^(#|revision |$)' build/api.txt | sort -u >"$work/told" || true

failed=0
# told HEADING LINES: prints the lines, if there are any, and fails the check.
told() { [ -z "$2" ] || { printf '%s\n%s\n' "$1" "$2" >&2; failed=1; }; }
told "incompatible with $revision, and not in build/api.txt:" "$(comm -13 "$work/told" "$work/found")"
told "in build/api.txt, and not so:" "$(comm -23 "$work/told" "$work/found")"
[ "$failed" = 0 ] || exit 1
printf 'API: %d packages, %d incompatible changes since %s, each in build/api.txt\n' \
  "$(wc -l <"$work/now")" "$(wc -l <"$work/found")" "$revision"
