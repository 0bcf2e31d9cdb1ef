#!/usr/bin/env bash
# Drives the page in Chromium over the real bindings of the development build: on
# new sample shops, one for each of DESKHAND_WORKERS (default 2), and in folders
# without a shop. With DESKHAND_FLOWS=all the flows tagged @long run too, on a shop
# with a long history: DESKHAND_RECORDS says how long it is (default 20000),
# DESKHAND_HISTORY names a folder to keep it in: a million records are worth keeping.
# DESKHAND_MANY names a folder for a shop of DESKHAND_CUSTOMERS customers (default
# 50000) and four times as many orders, made if it is not there; without it no such
# shop is opened. DESKHAND_PICTURED names a folder for two shops of 10 000 products, made if
# it is not there: one has pictures of 200.
# With DESKHAND_RETRIES=1 a flow that fails runs once more; one that passes then is named at the end and in $NOT_CHECKED.
# Usage: flows.sh BINARY [playwright arguments]
set -euo pipefail
binary=$(realpath "$1"); shift
root=$(cd "$(dirname "$0")/.." && pwd)
. "$root/build/display.sh"
export DESKHAND_WORKERS=${DESKHAND_WORKERS:-2}
export DESKHAND_DRIVEN=1 # the window of each application stays empty: the page is in the browser

# Free ports, all different, below those that the system gives to connections of its own.
read -ra ports < <(node -e '
  const { createServer } = require("net"), free = new Set();
  const next = () => {
    if (free.size >= process.argv[1]) return console.log([...free].join(" "));
    const port = 20000 + Math.floor(Math.random() * 12000);
    const server = createServer().once("error", next).listen(port, "127.0.0.1", () => server.close(() => next(free.add(port))));
  };
  next();' $((DESKHAND_WORKERS + 10)))
# Where models on this computer are looked for: a flow starts a server there, and one for the folders without a shop.
export DESKHAND_LOCAL_MODELS="Ollama=http://127.0.0.1:${ports[0]}/v1 LM_Studio=http://127.0.0.1:${ports[1]}/v1 llama.cpp=http://127.0.0.1:${ports[2]}/v1"
export DESKHAND_FIRST_MODELS="Ollama=http://127.0.0.1:${ports[3]}/v1"
ports=("${ports[@]:4}")
# The parts of the page that axe has seen, for all workers; soak leaves nothing out.
[ "${DESKHAND_LOOK:-}" = every ] || export DESKHAND_LOOKED="$work/looked"
# What an application has the system open is written down instead.
export DESKHAND_OPENED="$work/opened"
mkdir -p "$work/bin"
printf '#!/bin/sh\necho "$1" >>"$DESKHAND_OPENED"\n' >"$work/bin/xdg-open"
chmod +x "$work/bin/xdg-open"
export PATH="$work/bin:$PATH"

# serve SHOP NAME: opens the application on a shop; its address is in $work/NAME.url when it answers.
serve() {
  local port=${ports[0]}
  ports=("${ports[@]:1}")
  assetdir="$root/frontend/dist" devserver="127.0.0.1:$port" "$binary" --data "$1" >"$work/$2.log" 2>&1 &
  children=($! "${children[@]}")
  echo "http://127.0.0.1:$port/" >"$work/$2.url"
}
# answering NAME: waits until the application answers, and prints where.
answering() {
  node -e '
    const [url] = process.argv.slice(1), began = Date.now();
    const ask = () => fetch(url).then((r) => process.exit(r.ok ? 0 : 1), () => (Date.now() - began > 120_000 ? process.exit(1) : setTimeout(ask, 50)));
    ask();' "$(cat "$work/$1.url")" || { echo "flows: the application does not answer:" >&2; cat "$work/$1.log" >&2; exit 1; }
  cat "$work/$1.url"
}

# One sample shop is made and copied. Who works there is no longer new: a tour is not offered.
"$binary" --data "$work/sample" init --sample >/dev/null
"$binary" --data "$work/sample" invoke tour.leave '{"tour":"desk"}' >/dev/null
for worker in $(seq "$DESKHAND_WORKERS"); do
  cp -r "$work/sample" "$work/shop-$worker"
  serve "$work/shop-$worker" "app-$worker"
done
DESKHAND_LOCAL_MODELS=$DESKHAND_FIRST_MODELS serve "$work/new" new-app
DESKHAND_LOCAL_MODELS= serve "$work/moved" moved-app
if [ "${DESKHAND_FLOWS:-}" = all ]; then
  export DESKHAND_RECORDS=${DESKHAND_RECORDS:-20000}
  history=$(realpath -m "${DESKHAND_HISTORY:-$work/history}")
  (cd "$root" && CGO_ENABLED=0 go test -count 1 -timeout 60m -run '^TestALongHistory$' ./internal/e2e -history "$history" -records "$DESKHAND_RECORDS") >"$work/history.log" 2>&1 ||
    { cat "$work/history.log" >&2; exit 1; }
  serve "$history" history-app
  DESKHAND_HISTORY_URL=$(answering history-app)
  export DESKHAND_HISTORY_URL
fi
if [ -n "${DESKHAND_MANY:-}" ]; then
  if [ ! -e "$DESKHAND_MANY/shop.db" ]; then
    mkdir -p "$DESKHAND_MANY"
    (cd "$root" && CGO_ENABLED=0 go test -count 1 -timeout 60m -run '^TestAShopOfMany$' ./shop -kept "$(realpath "$DESKHAND_MANY")/shop.db" -customers "${DESKHAND_CUSTOMERS:-50000}") >"$work/many.log" 2>&1 ||
      { cat "$work/many.log" >&2; exit 1; }
  fi
  serve "$DESKHAND_MANY" many-app
  # What is measured there is measured on a warm disk.
  go -C "$root" build -o "$work/warm" ./build/testdata/warm
  "$work/warm" "$DESKHAND_MANY/shop.db" "$binary" $(ls -d /usr/lib/chromium/{chromium,*.pak,*.dat} 2>/dev/null) >"$work/warm.out" &
  children=($! "${children[@]}")
  until [ -s "$work/warm.out" ]; do
    kill -0 "${children[0]}" 2>/dev/null || { echo "the files are not held in memory, so nothing is measured" >&2; exit 1; }
    sleep 0.2
  done
  DESKHAND_MANY_URL=$(answering many-app)
  export DESKHAND_MANY_URL
fi
if [ -n "${DESKHAND_PICTURED:-}" ]; then
  [ -e "$DESKHAND_PICTURED/with/shop.db" ] || "$root/build/pictured.sh" "$binary" "$DESKHAND_PICTURED" 10000 200
  serve "$DESKHAND_PICTURED/without" without-app
  serve "$DESKHAND_PICTURED/with" with-app
  DESKHAND_PICTURED_URLS="$(answering without-app) $(answering with-app)"
  export DESKHAND_PICTURED_URLS
fi
DESKHAND_URLS=
for worker in $(seq "$DESKHAND_WORKERS"); do DESKHAND_URLS+="$(answering "app-$worker") "; done
export DESKHAND_PROGRAM=$binary DESKHAND_SHOPS="$work/shop-" # for a flow that runs another program on its shop
DESKHAND_NEW_URL=$(answering new-app)
DESKHAND_MOVED_URL=$(answering moved-app)
export DESKHAND_URLS DESKHAND_NEW_URL DESKHAND_MOVED_URL

cd "$root/frontend"
if ! npx playwright test "$@" | tee "$work/flows.out"; then
  for log in "$work"/*app*.log; do
    echo "== the log of the $(basename "$log" .log) itself" >&2
    grep -v '^DEB' "$log" | tail -50 >&2
  done
  # Last what failed, for those who read only the end.
  sed -n '/^  1) /,$p' "$work/flows.out" | grep -v '^ *$' | cut -c1-200 | head -150 >&2
  exit 1
fi
sed -nE '/^ +[0-9]+ flaky$/,/^ +[0-9]+ (skipped|passed)/s/^ +([^ ]+\.spec\.ts:[0-9]+).*/\1 failed once, then passed: not checked/p' "$work/flows.out" |
  tee -a "${NOT_CHECKED:-/dev/null}"
