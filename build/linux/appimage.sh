#!/usr/bin/env bash
# Makes an AppImage from the tree of the .deb (make package). Untried: appimagetool is no Debian package and is taken from
# PATH. The image brings no libraries: the system must have GTK 3 and WebKitGTK 4.1, as for the portable archive.
# Usage: appimage.sh [FOLDER WITH THE .deb]
set -euo pipefail
cd "$(dirname "$0")/../.."
out=$(realpath "${1:-build/bin/packages}")
command -v appimagetool >/dev/null || { echo "appimagetool is not in PATH: https://github.com/AppImage/appimagetool" >&2; exit 1; }
version=$(sed -n 's/^const Version = "\(.*\)"$/\1/p' internal/desk/desk.go)
id=io.github.deskhand.Deskhand
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

app=$work/AppDir
dpkg-deb -x "$out/deskhand_${version}_$(dpkg --print-architecture).deb" "$app"
cp "$app/usr/share/applications/$id.desktop" "$app/$id.desktop"
cp "$app/usr/share/icons/hicolor/256x256/apps/$id.png" "$app/$id.png"
ln -s usr/bin/deskhand "$app/AppRun"
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)
export SOURCE_DATE_EPOCH
ARCH=$(uname -m) appimagetool --no-appstream "$app" "$out/deskhand-$version-$(uname -m).AppImage"
