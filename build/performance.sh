#!/usr/bin/env bash
# Measures what docs/performance.md says and prints that page. The machine should
# have nothing else to do; what it says of itself is at the top. DESKHAND_MANY names
# a folder to keep the large shop in; it is made if it is not there.
set -euo pipefail
cd "$(dirname "$0")/.."

if [ -n "$(git status --porcelain -- '*.go' '*.sql' go.mod)" ]; then
  echo "commit first: the page names the commit it measured" >&2
  exit 1
fi

# block COMMAND: a table of its benchmarks, each run three times.
block() {
  printf '\n`%s`\n\n' "$* -count 3"
  "$@" -count 3 | build/table-of-benchmarks.mjs
}

peers=$(cd build/bench && go run .)
floor=$(sed -nE 's/^\| floor \|.*\| ([0-9]+) \| 1\.0 \|$/\1/p' <<<"$peers")
: "${floor:?the table of libraries has no floor}"

cat <<EOF
<!-- Written by make performance; do not edit. -->

# Performance, measured

$(date -u +%Y-%m-%d), commit $(git rev-parse --short HEAD), $(nproc) cores ($(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -1)), $(go version | cut -d' ' -f3), $(uname -s) $(uname -m).
Nanoseconds depend on the machine and its mood; the ratios of one run are what is claimed. Tables of benchmarks have the median of three
runs, how far they spread, and what is to be reached where something is.

## One invocation, beside libraries that do part of it

Everybody gets the same arguments as JSON and owes the same result as JSON. \`build/bench/\` is a module of its own with these libraries
pinned; each has its turn in each round, and the figures are medians of the rounds. The libraries were made for other things than
this one: what each does on the way stands beside it.

$peers

## One invocation, beside what cannot be left out
EOF
block go test -run '^$' -bench OverMandatory ./bus
cat <<EOF

## Manifest, availability, search, events
EOF
block go test -run '^$' -bench 'Manifest|Events' ./bus
cat <<EOF

## Durable records

A writing invocation through the bus (validation, effect, effect rows, record, idempotency key, counts, chain) and a recorded read,
beside a bare 600-byte row with four indexes in SQLite with \`synchronous=FULL\` and group commit, and beside the same bytes appended
to a file with \`fdatasync\`.
EOF
block go test -run '^$' -bench Durable -benchtime 21x ./audit
echo
build/performance-machines.sh
cat <<EOF

## A grant tried on the log

A grant tried on 1000 recorded cards of one capability, and grants proposed from them: reading the records, deciding each again, and the
invocation that does it.
EOF
block go test -run '^$' -bench TryOut ./agent/policy
cat <<EOF

## A model tried on past sentences

Twenty sentences with one call each, said again on a copy of the sample shop to a model that answers at once: the copy, its bus, the way back
and two requests for each.
EOF
block go test -run '^$' -bench ModelTryOut -benchtime 10x ./internal/desk
cat <<EOF

## The command line starts

Beside a program that does nothing and links the same packages of others; *opens* reads a page of the catalog of the sample shop.
EOF
block go test -run '^$' -bench Starts -benchtime 1x ./internal/e2e
cat <<EOF

## The real window

The production build under Xvfb, on a shop of 10 000 products (\`make window-figures\`).

$(build/window-figures.sh build/bin/deskhand build/bin/oneword build/bin/painted)

## Two hundred pictures

The same shop of 10 000 products without pictures and with photographs of the first 200, in Chromium over the real bindings, in turn:
milliseconds, medians, and how long the page's own thread worked for it. The ratios of one run are what is claimed.
\`DESKHAND_PICTURED=DIR build/flows.sh build/bin/deskhand-dev picture-figures --grep @figures\`

| what | without | with | |
|---|---:|---:|---:|
$(DESKHAND_PICTURED=${DESKHAND_PICTURED:-build/bin/pictured} build/flows.sh build/bin/deskhand-dev picture-figures --grep @figures |
    build/table-of-pictures.mjs)

## A reply of 500 tokens

In the conversation, 10 ms from token to token, with a heading, a table and a list in it, in Chromium over the real bindings: how often
it is drawn, and how many milliseconds the longest task of the page's own thread computed. A task over 50 ms would be felt.
\`build/flows.sh build/bin/deskhand-dev chat-figures --grep @figures\`

| replies | drawn, each | longest task, median | longest task of all |
|---:|---:|---:|---:|
$(DESKHAND_TIMES=10 build/flows.sh build/bin/deskhand-dev chat-figures --grep @figures |
    sed -nE 's/^Assistant: a reply of 500 tokens +(\{.*\})$/\1/p' |
    node -e 'const { replies, drawn, task } = JSON.parse(require("fs").readFileSync(0, "utf8"));
      console.log(`| ${replies} | ${drawn} | ${task.p50} | ${task.most} |`);')

## What people wait for in a large shop

50 000 customers, 10 000 products, 200 000 orders, in Chromium over the real bindings: from the act to the frame with the answer, in
milliseconds, and how long the page's own thread worked for it. \`build/flows.sh build/bin/deskhand-dev many-figures --grep @figures\`
with \`DESKHAND_MANY\` set.

| what | median | 95 % within | the page worked |
|---|---:|---:|---:|
$(DESKHAND_MANY=${DESKHAND_MANY:-build/bin/many} build/flows.sh build/bin/deskhand-dev many-figures --grep @figures |
    sed -nE 's/^([A-Z][^{]*[^ {]) +(\{.*\})$/\1\t\2/p; s/^(reload[^{]*[^ {]) +(\{.*\})$/\1\t\2/p' |
    node -e 'const acts = [], [floor, set] = [Number(process.argv[1]), 845]; // ns here, and where 50 ms were set
    for (const line of require("fs").readFileSync(0, "utf8").trim().split("\n")) {
      const [what, json] = line.split("\t"), { took, worked, each } = JSON.parse(json);
      console.log(`| ${what} | ${took.p50} | ${took.p95} | ${worked?.p50 ?? "–"} |`);
      acts.push(...(each ?? []));
    }
    acts.sort((a, b) => a - b);
    const at = (share) => acts[Math.floor(acts.length * share)], soon = (most) => (100 * acts.filter((ms) => ms <= most).length / acts.length).toFixed(1);
    console.log(`| all acts as often | ${at(0.5)} | ${at(0.95)} | – |\n\n${soon(50)} % of them were drawn within 50 ms. The aim of 50 ms was set on a machine whose floor, above, is ${set} ns. This one took ${(floor / set).toFixed(2)} times\nas long for it, and ${soon(50 * floor / set)} % were drawn within ${Math.round(50 * floor / set)} ms. The files were held in memory, as on a warm disk.`);' "$floor")
EOF
