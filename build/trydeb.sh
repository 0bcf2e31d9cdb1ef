#!/usr/bin/env bash
# Installs the .deb in a bare Debian 12, opens the window there, runs the worked
# example, and removes it again: what is left must be the data folder and the cache of its web view.
# Wants root, debootstrap and a network. Usage: trydeb.sh PACKAGE.deb [SCREENSHOT.png]
set -euo pipefail
package=$(realpath "$1")
picture=$(realpath -m "${2:-build/bin/trydeb.png}")
mirror=${DEBIAN_MIRROR:-http://deb.debian.org/debian}
root=$(mktemp -d)
log=$(mktemp)
mounted=()
finish() {
  for m in "${mounted[@]}"; do umount -l "$m" || true; done
  rm -rf --one-file-system "$root" "$log"
}
trap finish EXIT

say() { printf '\n== %s\n' "$1"; }
inside() { chroot "$root" env -i HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive "$@"; }
files() { (cd "$root" && find etc home root usr var/lib -xdev \( -type f -o -type l \) ! -path 'var/lib/dpkg/*' ! -path 'var/lib/apt/*' ! -path '*/cache/*' ! -name '*.cache' | sort); }

say "A bare Debian 12"
debootstrap --variant=minbase bookworm "$root" "$mirror" >"$log" 2>&1 || { tail "$log"; exit 1; }
cp /etc/resolv.conf "$root/etc/resolv.conf"
cp -a /etc/apt/apt.conf.d/. "$root/etc/apt/apt.conf.d/"
for m in proc dev dev/shm sys; do
  mkdir -p "$root/$m"
  mount --rbind "/$m" "$root/$m" && mounted=("$root/$m" "${mounted[@]}")
done
inside apt-get update -qq
inside apt-get install -y -qq --no-install-recommends xvfb xauth imagemagick >/dev/null # to see a window, not to have one

say "Install"
cp "$package" "$root/root/deskhand.deb"
inside apt-get install -y -qq --no-install-recommends /root/deskhand.deb >/dev/null
inside deskhand version
inside deskhand doctor || true

say "The worked example"
inside deskhand init --sample
inside deskhand chat --approve allow "Add two bags of the Guji to Ana's cart."
inside deskhand chat --approve allow "Submit my order to my home address."
inside deskhand audit verify

say "The window"
inside sh -c 'xvfb-run -a -s "-screen 0 1280x800x24" sh -c "
  deskhand >/root/window.log 2>&1 & pid=\$!
  for _ in \$(seq 90); do
    sleep 1; import -window root /root/window.png
    [ \$(identify -format %k /root/window.png) -gt 100 ] && break
  done
  kill \$pid; wait \$pid 2>/dev/null || true"'
cp "$root/root/window.png" "$picture"
colours=$(inside identify -format %k /root/window.png)
echo "the picture has $colours colours: $picture"
[ "$colours" -gt 100 ] || { cat "$root/root/window.log"; echo "nothing was painted" >&2; exit 1; }

say "Remove"
rm "$root/root/window.png" "$root/root/window.log" "$root/root/deskhand.deb"
inside apt-get purge -y -qq deskhand >/dev/null
left=$(files | grep -i deskhand || true)
echo "$left"
if grep -vE '^root/.(local/share|cache)/deskhand/' <<<"$left" | grep -q .; then
  echo "more than the data folder and the web view's cache is left" >&2
  exit 1
fi
inside dpkg -s deskhand >/dev/null 2>&1 && { echo "still installed" >&2; exit 1; }
say "Only the data folder and the web view's cache are left"
