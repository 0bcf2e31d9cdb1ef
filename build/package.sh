#!/usr/bin/env bash
# Makes what people install, in build/bin/packages: for this machine's architecture a .deb,
# one of the host of several desks and a portable archive, and for Windows an installer and
# a portable archive. The same commit gives the same bytes. Wants makensis and rsvg-convert.
# Usage: package.sh [FOLDER]
set -euo pipefail
out=$(realpath -m "${1:-build/bin/packages}")
cd "$(dirname "$0")/.."

version=$(sed -n 's/^const Version = "\(.*\)"$/\1/p' internal/desk/desk.go)
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)
export SOURCE_DATE_EPOCH TZ=UTC LC_ALL=C
day=$(date -u -d "@$SOURCE_DATE_EPOCH" +%Y-%m-%d)
arch=$(go env GOARCH)
name=deskhand-$version-linux-$arch
id=io.github.deskhand.Deskhand
stage=$(mktemp -d)
trap 'rm -rf "$stage"; rm -f rsrc_windows_amd64.syso' EXIT
rm -rf "$out" && mkdir -p "$out"

# still gives every file below a folder the time of the commit.
still() { find "$1" -exec touch -h -d "@$SOURCE_DATE_EPOCH" {} +; }
# pack FOLDER ARCHIVE: a tar that does not tell when or by whom it was made.
pack() {
  still "$1"
  tar -C "$(dirname "$1")" --sort=name --owner=0 --group=0 --numeric-owner --mtime="@$SOURCE_DATE_EPOCH" -cf - "$(basename "$1")" | gzip -n9 >"$2"
}

# deb NAME TREE: packs a folder; standard input has the fields that only this package has.
deb() {
  local fields
  fields=$(cat)
  mkdir "$2/DEBIAN"
  cat >"$2/DEBIAN/control" <<TXT
Package: $1
Version: $version
Architecture: $(dpkg --print-architecture)
Maintainer: The Deskhand authors <deskhand@users.noreply.github.com>
Section: misc
Priority: optional
Installed-Size: $(du -ks --apparent-size --exclude=DEBIAN "$2" | cut -f1)
Homepage: https://github.com/deskhand/deskhand
$fields
TXT
  (cd "$2" && find usr -type f -print0 | sort -z | xargs -0 md5sum >DEBIAN/md5sums)
  find "$2" -type d -exec chmod 755 {} +
  still "$2"
  dpkg-deb --root-owner-group -Zxz --build "$2" "$out/$1_${version}_$(dpkg --print-architecture).deb" >/dev/null
}

echo "== Linux $arch"
tree=$stage/deb
install -Dm755 build/bin/deskhand "$tree/usr/bin/deskhand"
install -Dm644 "build/linux/$id.desktop" -t "$tree/usr/share/applications"
install -Dm644 build/deskhand.svg "$tree/usr/share/icons/hicolor/scalable/apps/$id.svg"
for size in 48 128 256; do
  mkdir -p "$tree/usr/share/icons/hicolor/${size}x$size/apps"
  rsvg-convert -w "$size" build/deskhand.svg -o "$tree/usr/share/icons/hicolor/${size}x$size/apps/$id.png"
done
mkdir -p "$tree/usr/share/metainfo"
sed "s/@VERSION@/$version/; s/@DATE@/$day/" "build/linux/$id.metainfo.xml" >"$tree/usr/share/metainfo/$id.metainfo.xml"
install -Dm644 LICENSE "$tree/usr/share/doc/deskhand/copyright"
gzip -n9 <CHANGELOG.md >"$tree/usr/share/doc/deskhand/changelog.gz"
# What the program is linked with, by the names of the packages that have it.
mkdir "$stage/debian" && printf 'Source: deskhand\n\nPackage: deskhand\nArchitecture: any\n' >"$stage/debian/control"
needs=$(cd "$stage" && dpkg-shlibdeps -O "$tree/usr/bin/deskhand" 2>/dev/null | sed -n 's/^shlibs:Depends=//p')
deb deskhand "$tree" <<TXT
Depends: $needs
Recommends: gnome-keyring | kwalletmanager | keepassxc
Suggests: fonts-noto-core, fonts-noto-cjk, deskhand-host
Description: order desk of a small shop
 Staff find a customer, take an order, change it, cancel it, take a return and
 look at the week's sales: with buttons, shortcuts, the command palette, or by
 saying it. Whoever asks, the same rules hold, and all that happens is kept in
 one audit log with what it changed.
TXT

host=$stage/host
mkdir -p "$host/usr/bin"
CGO_ENABLED=0 go build -trimpath -buildvcs=auto -tags host,netgo,osusergo -ldflags '-s -w' -o "$host/usr/bin/deskhand-host" .
install -Dm644 build/linux/deskhand-host.service -t "$host/usr/lib/systemd/system"
sed -i 's,/usr/local/bin,/usr/bin,' "$host/usr/lib/systemd/system/deskhand-host.service"
install -Dm644 LICENSE "$host/usr/share/doc/deskhand-host/copyright"
deb deskhand-host "$host" <<TXT
Description: serves a Deskhand shop to several desks
 The program on the computer that holds the shop. It has no window and needs no
 library. Its unit for systemd is off until it has a key:
 /usr/lib/systemd/system/deskhand-host.service says how.
TXT

portable=$stage/$name
mkdir "$portable"
install -m755 build/bin/deskhand build/bin/deskhand-cli "$host/usr/bin/deskhand-host" "$portable"
install -m644 LICENSE README.md CHANGELOG.md "$portable"
pack "$portable" "$out/$name.tar.gz"

echo "== Windows amd64"
windows=$stage/deskhand-$version-windows-amd64
mkdir "$windows"
for size in 16 32 48 256; do rsvg-convert -w $size build/deskhand.svg -o "$stage/$size.png"; done
cat >"$stage/winres.json" <<TXT
{"RT_GROUP_ICON": {"APP": {"0000": ["16.png", "32.png", "48.png", "256.png"]}},
 "RT_MANIFEST": {"#1": {"0409": {"identity": {"name": "Deskhand", "version": "$version.0"}, "minimum-os": "win10",
   "execution-level": "as invoker", "dpi-awareness": "per monitor v2", "use-common-controls-v6": true}}},
 "RT_VERSION": {"#1": {"0000": {"fixed": {"file_version": "$version.0", "product_version": "$version.0"},
   "info": {"0409": {"ProductName": "Deskhand", "FileDescription": "The order desk of a small shop", "ProductVersion": "$version",
     "LegalCopyright": "The Deskhand authors, MIT licence"}}}}}}
TXT
go run github.com/tc-hib/go-winres@v0.3.3 make --in "$stage/winres.json" --arch amd64 --out rsrc >/dev/null
GOOS=windows GOARCH=amd64 CGO_ENABLED=0 go build -trimpath -buildvcs=auto -tags desktop,production -ldflags '-s -w -H windowsgui' -o "$windows/deskhand.exe" .
GOOS=windows GOARCH=amd64 CGO_ENABLED=0 go build -trimpath -buildvcs=auto -ldflags '-s -w' -o "$windows/deskhand-cli.exe" .
GOOS=windows GOARCH=amd64 CGO_ENABLED=0 go build -trimpath -buildvcs=auto -tags host -ldflags '-s -w' -o "$windows/deskhand-host.exe" .
go run github.com/tc-hib/go-winres@v0.3.3 extract --dir "$stage/icon" "$windows/deskhand.exe" >/dev/null
cp "$stage"/icon/*.ico "$windows/deskhand.ico"
cp LICENSE "$windows/LICENSE.txt"
still "$windows"
(cd "$stage" && find "$(basename "$windows")" -type f | sort | zip -qX "$out/$(basename "$windows").zip" -@)
makensis -V2 -DVERSION="$version" -DSTAGE="$windows" -DOUT="$out/deskhand-$version-windows-amd64-setup.exe" build/windows/installer.nsi

echo "== What is in it"
node build/sbom.mjs "$version" build/bin/deskhand >"$out/deskhand-$version.cdx.json"
(cd "$out" && sha256sum -- * >SHA256SUMS && cat SHA256SUMS)
