#!/usr/bin/env bash
# Makes the packages of the last commit twice, from two fresh clones in folders of
# different names and depth, and says whether they are the same bytes. Each compiles
# everything for itself; with SHARED=1 they share Go's build cache, whose keys are
# the contents of what is compiled: that is quicker and shows less.
# Usage: reproducible.sh [FOLDER TO KEEP THEM IN]
set -euo pipefail
cd "$(dirname "$0")/.."
commit=$(git rev-parse HEAD)
if [ -n "${1:-}" ]; then
  place=$(realpath -m "$1")
  mkdir -p "$place"
else
  place=$(mktemp -d)
  trap 'rm -rf "$place"' EXIT
fi

make_in() { # make_in FOLDER: the packages of a fresh clone there
  printf '\n== %s\n' "$1"
  git clone --quiet --no-hardlinks . "$1"
  git -C "$1" -c advice.detachedHead=false checkout --quiet "$commit"
  if [ -n "${SHARED:-}" ]; then
    make -C "$1" --no-print-directory package
  else
    GOCACHE="$1/build/bin/cache" make -C "$1" --no-print-directory package
  fi
}
one=$place/one
other=$place/deeper/in/another-folder
make_in "$one"
make_in "$other"

printf '\n== Both builds of %s\n' "$commit"
differ=0
for file in "$one"/build/bin/packages/*; do
  name=$(basename "$file")
  if cmp --silent "$file" "$other/build/bin/packages/$name"; then
    printf 'same      %s\n' "$name"
  else
    printf 'DIFFERENT %s\n' "$name"
    differ=1
  fi
done
[ "$(ls "$one/build/bin/packages")" = "$(ls "$other/build/bin/packages")" ] || { echo "they are not the same files"; differ=1; }
exit $differ
