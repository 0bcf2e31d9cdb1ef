#!/usr/bin/env bash
# Makes two shops of the same products in a folder, and pictures of the first ones in one of them: without and with.
# Usage: pictured.sh BINARY FOLDER PRODUCTS PICTURES
set -euo pipefail
binary=$(realpath "$1")
folder=$(realpath -m "$2")
cd "$(dirname "$0")/.."
goods=$(mktemp -d)
trap 'rm -rf "$goods"' EXIT
go run ./build/testdata/goods "$goods" "$3" "$4"
for shop in without with; do
  "$binary" --data "$folder/$shop" init --from "$goods/products.csv"
done >/dev/null 2>&1
"$binary" --data "$folder/with" invoke catalog.addPictures "{\"file\":\"$goods/pictures\"}" >/dev/null 2>&1
