#!/usr/bin/env bash
# Makes a Flatpak from the tree of the .deb (make package), on the GNOME runtime, which has WebKitGTK 4.1. Untried: it
# wants flatpak-builder and the runtime from Flathub. Usage: flatpak.sh [FOLDER WITH THE .deb]
set -euo pipefail
cd "$(dirname "$0")/../.."
out=$(realpath "${1:-build/bin/packages}")
command -v flatpak-builder >/dev/null || { echo "flatpak-builder is missing" >&2; exit 1; }
version=$(sed -n 's/^const Version = "\(.*\)"$/\1/p' internal/desk/desk.go)
id=io.github.deskhand.Deskhand
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

dpkg-deb -x "$out/deskhand_${version}_$(dpkg --print-architecture).deb" "$work/tree"
# The window and its shop, models and printers that are reached by the network, and secrets.
cat >"$work/$id.yaml" <<YAML
id: $id
runtime: org.gnome.Platform
runtime-version: '48'
sdk: org.gnome.Sdk
command: deskhand
finish-args:
  - --socket=wayland
  - --socket=fallback-x11
  - --share=ipc
  - --share=network
  - --talk-name=org.freedesktop.secrets
  - --talk-name=org.freedesktop.Notifications
modules:
  - name: deskhand
    buildsystem: simple
    build-commands:
      - cp -r usr/* /app/
    sources:
      - type: dir
        path: tree
YAML
flatpak-builder --force-clean --repo="$work/repo" "$work/build" "$work/$id.yaml"
flatpak build-bundle "$work/repo" "$out/deskhand-$version.flatpak" "$id"
