#!/usr/bin/env bash
# Installs the packages that a goal needs and the machine lacks. The goals: cli (the command line, which needs Go alone),
# window, test, check (and soak), package, try (a package).
# Usage: setup.sh GOAL
set -euo pipefail
goal=$1

need() { command -v "$1" >/dev/null 2>&1 || { echo "deskhand needs $1: $2" >&2; exit 1; }; }
need go "install Go 1.26 or newer from https://go.dev/dl/"
case $(go env GOVERSION || true) in # go 1.21 and newer download the version that go.mod names
go1.2[6-9]* | go1.[3-9][0-9]* | go[2-9]*) ;;
*)
  echo "deskhand needs Go 1.26 or newer, this is $(GOTOOLCHAIN=local go version): see https://go.dev/dl/" >&2
  exit 1 ;;
esac
[ "$goal" != cli ] || exit 0
need node "install Node.js 20.19 or newer from https://nodejs.org/"
need npm "it comes with Node.js"
node -e 'const [major, minor] = process.versions.node.split(".").map(Number); process.exit(major > 20 || (major === 20 && minor >= 19) ? 0 : 1)' ||
  { echo "deskhand needs Node.js 20.19 or newer, this is $(node --version): see https://nodejs.org/" >&2; exit 1; }

case $(uname -s) in
Darwin)
  echo "== macOS: nothing to install beyond the Xcode command line tools (xcode-select --install)"
  exit 0 ;;
Linux) ;;
*)
  echo "On this platform install the WebView2 runtime and run: go build -tags desktop,production ." >&2
  exit 1 ;;
esac

missing=()
package() { # package NAME CHECK...: NAME is missing when CHECK fails
  local name=$1; shift
  "$@" >/dev/null 2>&1 || missing+=("$name")
}
package gcc command -v gcc
package libc6-dev test -e /usr/include/stdlib.h
package pkg-config command -v pkg-config
package libgtk-3-dev pkg-config --exists gtk+-3.0
package libwebkit2gtk-4.1-dev pkg-config --exists webkit2gtk-4.1
package git command -v git
if [ "$goal" = test ] || [ "$goal" = check ]; then
  package xvfb command -v Xvfb
  package xauth command -v xauth
  package xdotool command -v xdotool
  package dbus-daemon command -v dbus-daemon
  # Debian's shell without windows is enough, and quicker.
  package chromium-headless-shell sh -c 'command -v chromium-headless-shell || command -v chromium'
  package imagemagick command -v import
  package python3 command -v python3
  package iproute2 command -v ss
  package procps command -v pgrep
  package fonts-dejavu-core test -d /usr/share/fonts/truetype/dejavu
fi
if [ "$goal" = check ]; then
  package strace command -v strace
  # Without them a step says "not checked".
  if command -v apt-get >/dev/null 2>&1; then
    package postgresql compgen -G '/usr/lib/postgresql/*/bin/initdb'
    package mypy command -v mypy
  fi
fi
if [ "$goal" = try ]; then
  package debootstrap command -v debootstrap
fi
if [ "$goal" = package ]; then
  package dpkg-dev command -v dpkg-shlibdeps
  package librsvg2-bin command -v rsvg-convert
  package nsis command -v makensis
  package zip command -v zip
fi
[ ${#missing[@]} -eq 0 ] && exit 0

if ! command -v apt-get >/dev/null 2>&1; then
  cat >&2 <<TXT
Missing here: ${missing[*]}
Install them with your package manager, for example
  Fedora:  sudo dnf install gcc gtk3-devel webkit2gtk4.1-devel pkgconf
  Arch:    sudo pacman -S gcc gtk3 webkit2gtk-4.1 pkgconf
then run make again.
TXT
  exit 1
fi
root=()
if [ "$(id -u)" != 0 ]; then
  command -v sudo >/dev/null 2>&1 || { echo "Run as root: apt-get install ${missing[*]}" >&2; exit 1; }
  root=(sudo)
fi
echo "== Installing ${missing[*]}: this takes about a minute"
failed() { echo "set-up: $1; the packages that are missing: ${missing[*]}" >&2; exit 1; }
"${root[@]}" apt-get update -qq || failed "apt-get update ended with code $?"
apt-cache show chromium-headless-shell >/dev/null 2>&1 || missing=("${missing[@]/chromium-headless-shell/chromium}")
DEBIAN_FRONTEND=noninteractive "${root[@]}" apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null ||
  failed "apt-get install ended with code $?"
