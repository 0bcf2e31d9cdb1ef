#!/usr/bin/env bash
# Builds the command line for Windows and does with it under Wine what build/wine.mjs lists. A Wine that is installed is
# used if it can start a program of Go (9 or newer); otherwise Debian 13's is, in a root of its own that is kept in ROOT
# (default build/bin/wine), which wants root, debootstrap and a network. Usage: wine.sh [DESKHAND.exe]
set -euo pipefail
cd "$(dirname "$0")/.."
root=$(realpath -m "${ROOT:-build/bin/wine}")
mirror=${DEBIAN_MIRROR:-http://deb.debian.org/debian}
work=$(mktemp -d)
mounted=()
finish() {
  WINEPREFIX=${prefix:-} "${wine[@]}" wineboot -k >/dev/null 2>&1 || true
  for m in "${mounted[@]}"; do umount -l "$m" || true; done
  rm -rf --one-file-system "$work"
}
wine=(true)
trap finish EXIT

program=${1:-}
if [ -z "$program" ]; then
  program=$work/deskhand.exe
  GOOS=windows GOARCH=amd64 CGO_ENABLED=0 go build -trimpath -ldflags '-s -w' -o "$program" .
fi

export WINEDEBUG=-all WINEDLLOVERRIDES='mscoree,mshtml=' DISPLAY=
major() { "$@" --version 2>/dev/null | sed -n 's/^wine-\([0-9]*\).*/\1/p'; }
here=$(command -v wine64 || command -v wine || true)
version=$([ -z "$here" ] || major "$here" || true)
if [ "${version:-0}" -ge 9 ]; then
  wine=("$here")
  prefix=$work/prefix drive=$work/prefix/drive_c
else
  if ! [ -e "$root/ready" ]; then
    echo "== Debian 13 with its Wine, in $root"
    rm -rf --one-file-system "$root" && mkdir -p "$root"
    debootstrap --variant=minbase trixie "$root" "$mirror" >"$work/log" 2>&1 || { tail "$work/log"; exit 1; }
    cp -a /etc/apt/apt.conf.d/. "$root/etc/apt/apt.conf.d/"
    cp /etc/resolv.conf "$root/etc/resolv.conf"
    chroot "$root" apt-get update -qq
    DEBIAN_FRONTEND=noninteractive chroot "$root" apt-get install -y -qq --no-install-recommends wine64 >/dev/null
    touch "$root/ready"
  fi
  for m in proc dev; do mount --rbind "/$m" "$root/$m" && mounted=("$root/$m" "${mounted[@]}"); done
  wine=(chroot "$root" env HOME=/root WINEPREFIX=/tmp/prefix /usr/lib/wine/wine64)
  prefix=/tmp/prefix drive=$root/tmp/prefix/drive_c
  rm -rf "$root/tmp/prefix"
fi
export WINEPREFIX=$prefix
echo "== $("${wine[@]}" --version)"
"${wine[@]}" wineboot -i >/dev/null 2>&1
install -D "$program" "$drive/deskhand/deskhand.exe"
DRIVE=$drive node build/wine.mjs "${wine[@]}" 'C:\deskhand\deskhand.exe'
