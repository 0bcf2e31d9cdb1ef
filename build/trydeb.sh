#!/usr/bin/env bash
# In a bare Debian (12 and 13, or those that SUITES names; 13 has the library names of Ubuntu 24.04): puts a program of
# an earlier number there that makes a shop, installs the .deb over it, opens the window, runs the worked example on that
# shop, and removes the package: what is left must be the data folder and the cache of its web view. The portable archive
# is unpacked elsewhere, moved, and works on the same shop.
# Wants root, debootstrap and a network. Usage: trydeb.sh PACKAGE.deb ARCHIVE.tar.gz [FOLDER FOR PICTURES]
set -euo pipefail
package=$(realpath "$1")
archive=$(realpath "$2")
pictures=$(realpath -m "${3:-build/bin}")
mirror=${DEBIAN_MIRROR:-http://deb.debian.org/debian}
work=$(mktemp -d)
mounted=()
finish() {
  for m in "${mounted[@]}"; do umount -l "$m" || true; done
  rm -rf --one-file-system "$work"
}
trap finish EXIT

say() { printf '\n== %s\n' "$1"; }
inside() { chroot "$root" env -i HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive "$@"; }
files() { (cd "$root" && find etc home root usr var/lib -xdev \( -type f -o -type l \) ! -path 'var/lib/dpkg/*' ! -path 'var/lib/apt/*' ! -path '*/cache/*' ! -name '*.cache' | sort); }
order() { inside "$1" --json invoke order.search '{"query":"Ana Ruiz","limit":1}' | grep -o '"#W[0-9]*"' | head -n 1; }

# The same program with an earlier number, as a version that is installed.
earlier() {
  dpkg-deb -R "$package" "$work/earlier"
  sed -i 's/^Version: .*/Version: 0.0.1/' "$work/earlier/DEBIAN/control"
  dpkg-deb --root-owner-group -Zgzip -z1 --build "$work/earlier" "$1" >/dev/null
  rm -rf "$work/earlier"
}

try_in() { # try_in SUITE
  local suite=$1 m colours made left
  root=$work/$suite
  say "A bare Debian: $suite"
  mkdir "$root"
  debootstrap --variant=minbase "$suite" "$root" "$mirror" >"$work/log" 2>&1 || { tail "$work/log"; exit 1; }
  cp /etc/resolv.conf "$root/etc/resolv.conf"
  cp -a /etc/apt/apt.conf.d/. "$root/etc/apt/apt.conf.d/"
  for m in proc dev dev/shm sys; do
    mkdir -p "$root/$m"
    mount --rbind "/$m" "$root/$m" && mounted=("$root/$m" "${mounted[@]}")
  done
  inside apt-get update -qq
  inside apt-get install -y -qq --no-install-recommends xvfb xauth imagemagick >/dev/null # to see a window, not to have one

  say "$suite: install an earlier version, and make a shop"
  earlier "$root/root/earlier.deb"
  cp "$package" "$root/root/deskhand.deb"
  inside apt-get install -y -qq --no-install-recommends /root/earlier.deb >/dev/null
  inside deskhand init --sample
  made=$(order deskhand)
  [ -n "$made" ] || { echo "the shop has no order of Ana's" >&2; exit 1; }

  say "$suite: install this one over it"
  inside apt-get install -y -qq --no-install-recommends /root/deskhand.deb >/dev/null
  inside dpkg-query -W -f '${Package} ${Version}\n' deskhand
  inside deskhand version
  inside deskhand doctor || true
  inside deskhand audit verify
  [ "$(order deskhand)" = "$made" ] || { echo "the shop is not what it was" >&2; exit 1; }

  say "$suite: the worked example"
  inside deskhand chat --approve allow "Add two bags of the Guji to Ana's cart."
  inside deskhand chat --approve allow "Submit my order to my home address."
  inside deskhand audit verify

  say "$suite: the window"
  inside sh -c 'xvfb-run -a -s "-screen 0 1280x800x24" sh -c "
    deskhand >/root/window.log 2>&1 & pid=\$!
    for _ in \$(seq 90); do
      sleep 1; import -window root /root/window.png
      [ \$(identify -format %k /root/window.png) -gt 100 ] && break
    done
    kill \$pid; wait \$pid 2>/dev/null || true"'
  cp "$root/root/window.png" "$pictures/trydeb-$suite.png"
  colours=$(inside identify -format %k /root/window.png)
  echo "the picture has $colours colours: $pictures/trydeb-$suite.png"
  [ "$colours" -gt 100 ] || { cat "$root/root/window.log"; echo "nothing was painted" >&2; exit 1; }

  say "$suite: remove"
  rm "$root"/root/{window.png,window.log,deskhand.deb,earlier.deb}
  inside apt-get purge -y -qq deskhand >/dev/null
  left=$(files | grep -i deskhand || true)
  echo "$left"
  if grep -vE '^root/.(local/share|cache)/deskhand/' <<<"$left" | grep -q .; then
    echo "more than the data folder and the web view's cache is left" >&2
    exit 1
  fi
  inside dpkg -s deskhand >/dev/null 2>&1 && { echo "still installed" >&2; exit 1; }

  say "$suite: the portable archive, in a folder that is moved, on the shop that was left"
  mkdir -p "$root/opt/a"
  tar -xzf "$archive" -C "$root/opt/a"
  mv "$root/opt/a" "$root/opt/another folder"
  for program in "$root"/opt/another\ folder/*/{deskhand,deskhand-cli,deskhand-host}; do
    program=${program#"$root"}
    inside "$program" version
    inside "$program" audit verify
    inside "$program" chat --approve allow "show the last order"
  done
  for m in "${mounted[@]}"; do umount -l "$m"; done
  mounted=()
  rm -rf --one-file-system "$root"
}
for suite in ${SUITES:-bookworm trixie}; do try_in "$suite"; done
say "Only the data folder and the web view's cache are left, in ${SUITES:-bookworm trixie}"
