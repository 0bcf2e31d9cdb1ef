#!/usr/bin/env bash
# Measures and prints docs/evidence/measurements.md, of which build/performance.mjs
# makes docs/performance.md. The machine should have nothing else to do. ONLY is a pattern of titles: the other sections stay as
# they are in the page, each with the day and the commit it was measured at.
# DESKHAND_MANY names a folder to keep the large shop in; it is made if it is not there.
set -euo pipefail
cd "$(dirname "$0")/.."
only=${ONLY:-}
page=docs/evidence/measurements.md

if [ -n "$(git status --porcelain -- '*.go' '*.sql' go.mod)" ]; then
  echo "commit first: the page names the commit it measured" >&2
  exit 1
fi

measured= # set by the first section that is measured
floor= # of the table of libraries, in ns
floor_of() { sed -nE 's/^\| floor \|.*\| ([0-9]+) \| 1\.0 \|$/\1/p'; }

# section TITLE FUNCTION: what the function prints, or what the page has of it.
section() {
  printf '\n## %s\n\n' "$1"
  if [[ $1 =~ $only ]]; then
    measured=1
    printf '\n== %s\n' "$1" >&2
    printf 'Measured on %s, commit %s.\n\n' "$(date -u +%Y-%m-%d)" "$(git rev-parse --short HEAD)"
    "$2"
  else
    awk -v title="## $1" '$0 == title { in_it = 1; next } /^## / { in_it = 0 } in_it' "$page" | sed -e '1{/^$/d}' -e '${/^$/d}'
  fi
}

# benchmarks PACKAGE PATTERN FLAG...: a table of them, each run three times.
benchmarks() {
  local command=(go test -run '^$' -bench "$2" -count 3 "${@:3}" "$1")
  printf '\n`%s`\n\n' "${command[*]}"
  "${command[@]}" | build/table-of-benchmarks.mjs
}

libraries() {
  local table
  table=$(cd build/bench && go run .)
  floor=$(floor_of <<<"$table")
  cat <<EOF
Everybody gets the same arguments as JSON and owes the same result as JSON. \`build/bench/\` is a module of its own with these libraries
pinned; each has its turn in each round, and the figures are medians of the rounds. The libraries were made for other things than
this one: what each does on the way stands beside it.

$table
EOF
}

mandatory() {
  cat <<EOF
A handler runs in a goroutine of its own, so that a deadline is answered even if the handler does not look. Go wakes an idle processor
for each goroutine that becomes ready, which costs more than the rest that the bus adds. On one processor there is none to wake.
EOF
  benchmarks ./bus OverMandatory
}

manifest() {
  benchmarks ./bus 'Manifest|Events'
}

durable() {
  cat <<EOF
A writing invocation through the bus (validation, effect, effect rows, record, idempotency key, counts, chain) and a recorded read,
beside a bare 600-byte row with four indexes in SQLite with \`synchronous=FULL\` and group commit, and beside the same bytes appended
to a file with \`fdatasync\`.
EOF
  benchmarks ./audit Durable -benchtime 21x
}

machines() {
  cat <<EOF
Both ends, the server and the disk share the cores of this machine, so a rate is lower than between computers; [Several desks](../tills.md#size)
says what follows from the figures.

A call over a link beside a bare request of NATS with the same bytes, and the call itself:
EOF
  benchmarks ./bus/remote/natsbus Invoke/in -benchtime 2s
  cat <<EOF

Fifty callers in one program beside fifty tills of a host, over TLS; an event at the fiftieth till; a call that was made as the link was cut:
EOF
  benchmarks ./internal/host Tills -benchtime 3x -timeout 0
  cat <<EOF

A window in Chromium and two desks without one sell at a host that is killed and whose links are cut: the sales of each, and how long after
the host listens again the window has its link. \`build/flows.sh build/bin/deskhand-dev desks.spec -g 'without one sell'\`

$(DESKHAND_FLOWS=all build/flows.sh build/bin/deskhand-dev desks.spec -g 'without one sell' | sed -n 's/^Desks: /    /p')

An archive that takes records beside a log that records what people look at, and writing while the log is published beside writing alone:
EOF
  benchmarks ./audit/archive . -benchtime 3x -timeout 0
}

grants() {
  cat <<EOF
A grant tried on 1000 recorded cards of one capability, and grants proposed from them: reading the records, deciding each again, and the
invocation that does it.
EOF
  benchmarks ./agent/policy TryOut
}

models() {
  cat <<EOF
Twenty sentences with one call each, said again on a copy of the sample shop to a model that answers at once: the copy, its bus, the way back
and two requests for each.
EOF
  benchmarks ./internal/desk ModelTryOut -benchtime 10x
}

starts() {
  cat <<EOF
Beside a program that does nothing and links the same packages of others; *opens* reads a page of the catalog of the sample shop.
At commit fe4970ae opening took 0.49 (0.48 – 0.50) of the time that it took before commit c08997b3, in alternating runs.
EOF
  benchmarks ./internal/e2e Starts -benchtime 1x
}

first_run() {
  cat <<EOF
A fresh clone with an empty home and empty caches of Go and npm, system packages installed before (\`build/first-run.sh\`). *Processor* and
*others* are processor seconds: those of the command, and those of all other programs meanwhile.

$(build/first-run.sh run window test warm)
EOF
}

window() {
  cat <<EOF
The production build under Xvfb, on a shop of 10 000 products (\`make window-figures\`).

$(build/window-figures.sh build/bin/deskhand build/bin/oneword build/bin/painted)
EOF
}

pictures() {
  cat <<EOF
The same shop of 10 000 products without pictures and with photographs of the first 200, in Chromium over the real bindings, in turn:
milliseconds, medians, and how long the page's own thread worked for it. The ratios of one run are what is claimed.
\`DESKHAND_PICTURED=DIR build/flows.sh build/bin/deskhand-dev picture-figures --grep @figures\`

| what | without | with | |
|---|---:|---:|---:|
$(DESKHAND_PICTURED=${DESKHAND_PICTURED:-build/bin/pictured} build/flows.sh build/bin/deskhand-dev picture-figures --grep @figures |
    build/table-of-pictures.mjs)
EOF
}

reply() {
  cat <<EOF
In the conversation, 10 ms from token to token, with a heading, a table and a list in it, in Chromium over the real bindings: how often
it is drawn, and how many milliseconds the longest task of the page's own thread computed. A task over 50 ms would be felt.
\`build/flows.sh build/bin/deskhand-dev chat-figures --grep @figures\`

| replies | drawn, each | longest task, median | longest task of all |
|---:|---:|---:|---:|
$(DESKHAND_TIMES=10 build/flows.sh build/bin/deskhand-dev chat-figures --grep @figures |
    sed -nE 's/^Assistant: a reply of 500 tokens +(\{.*\})$/\1/p' |
    node -e 'const { replies, drawn, task } = JSON.parse(require("fs").readFileSync(0, "utf8"));
      console.log(`| ${replies} | ${drawn} | ${task.p50} | ${task.most} |`);')
EOF
}

many() {
  : "${floor:=$(floor_of <"$page")}"
  cat <<EOF
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
}

{
cat <<EOF
<!-- Written by make performance; do not edit. -->

# Measurements

On $(nproc) cores ($(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -1)), $(go version | cut -d' ' -f3), $(uname -s) $(uname -m). Absolute times depend on the machine; the
ratios of one run do not. Each table of benchmarks has the median of three runs, their spread and the aim. Aims in µs were set on a machine
that marshals the whole manifest in 4 080. [Performance](../performance.md) is the short version.
EOF
section 'One invocation, beside libraries that do part of it' libraries
section 'One invocation, beside what cannot be left out' mandatory
section 'Manifest, availability, search, events' manifest
section 'Durable records' durable
section 'Several machines' machines
section 'A grant tried on the log' grants
section 'A model tried on past sentences' models
section 'The command line starts' starts
section 'The first run' first_run
section 'The real window' window
section 'Two hundred pictures' pictures
section 'A reply of 500 tokens' reply
section 'What people wait for in a large shop' many
[ -n "$measured" ] || { echo "no section has a title like $only" >&2; exit 1; }
} | cat -s
