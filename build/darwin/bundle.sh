#!/usr/bin/env bash
# Makes Deskhand.app on a Mac, from a built page (make build there): one program for
# Apple silicon and Intel. It is signed for this machine only; to give it to others
# sign and notarise it with your identity.
# Usage: bundle.sh [FOLDER]
set -euo pipefail
out=$(mkdir -p "${1:-build/bin/packages}" && cd "${1:-build/bin/packages}" && pwd)
cd "$(dirname "$0")/../.."
[ "$(uname -s)" = Darwin ] || { echo "a bundle is made on a Mac: it needs its linker, iconutil and codesign" >&2; exit 1; }
[ -e frontend/dist/index.html ] || { echo "the page is not built: run make build first" >&2; exit 1; }

version=$(sed -n 's/^const Version = "\(.*\)"$/\1/p' internal/desk/desk.go)
app=$out/Deskhand.app
rm -rf "$app" && mkdir -p "$app/Contents/MacOS" "$app/Contents/Resources"
sed "s/@VERSION@/$version/" build/darwin/Info.plist >"$app/Contents/Info.plist"
cp LICENSE "$app/Contents/Resources/LICENSE"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for arch in arm64 amd64; do
  GOOS=darwin GOARCH=$arch CGO_ENABLED=1 go build -trimpath -buildvcs=auto -tags desktop,production -ldflags '-s -w' -o "$work/$arch" .
done
lipo -create -output "$app/Contents/MacOS/deskhand" "$work/arm64" "$work/amd64"

# An icon of each size, twice for screens of double density. qlmanage draws SVG.
set=$work/deskhand.iconset && mkdir "$set"
qlmanage -t -s 1024 -o "$work" build/deskhand.svg >/dev/null
for size in 16 32 128 256 512; do
  sips -z $size $size "$work/deskhand.svg.png" --out "$set/icon_${size}x$size.png" >/dev/null
  sips -z $((2 * size)) $((2 * size)) "$work/deskhand.svg.png" --out "$set/icon_${size}x${size}@2x.png" >/dev/null
done
iconutil -c icns -o "$app/Contents/Resources/deskhand.icns" "$set"

codesign --force --sign - "$app"
echo "$app"
