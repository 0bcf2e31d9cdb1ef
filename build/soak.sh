#!/usr/bin/env bash
# Runs the long suites one after the other, prints a table of them and writes it to
# docs/reliability.md. SCALE is the share of the whole length (1 takes hours, 0.1
# about a tenth); ONLY is a pattern of suites for trying one of them out, which
# writes no page. Flows want build/bin/deskhand-dev and the page built. A suite that fails does not keep the others from running. What is
# known so far is in build/bin/soak all the time.
set -euo pipefail
cd "$(dirname "$0")/.."
scale=${SCALE:-1}
only=${ONLY:-}
logs=$(realpath -m build/bin/soak)

if [ -z "$only" ] && [ -n "$(git status --porcelain -- '*.go' '*.sql' go.mod build/soak.sh)" ]; then
  echo "commit first: docs/reliability.md names the commit it is about" >&2
  exit 1
fi
commit=$(git rev-parse --short HEAD)
begun=$(date -u '+%Y-%m-%d %H:%M')
rm -rf "$logs" && mkdir -p "$logs"

# n WHOLE LEAST: so many of something at this scale.
n() { awk -v whole="$1" -v least="$2" -v scale="$scale" 'BEGIN { k = int(whole * scale); print (k > least ? k : least) }'; }

# Of the hundreds of writes of a program every nth meets its faults.
nth=$(awk -v scale="$scale" 'BEGIN { n = int(1 / scale); print (n < 1 ? 1 : n > 12 ? 12 : n) }')
writes=$([ "$nth" = 1 ] && echo "each too" || echo "one in $nth")

rows=() said=() failures=0

# suite NAME PROVES RUNS COMMAND...: a row of the table. Found is how many tests,
# seeds or inputs failed; a command that ran nothing has not passed.
suite() {
  local name=$1 proves=$2 runs=$3 log code=0 found result seconds=$SECONDS
  shift 3
  [[ $name =~ $only ]] || return 0
  log=$logs/${name// /-}.log
  printf '\n\033[1m== %s\033[0m  %s\n   %s\n' "$name" "$runs" "$*"
  env CGO_ENABLED=0 "$@" >"$log" 2>&1 || code=$?
  seconds=$((SECONDS - seconds))
  found=$(grep -cE '^ *--- FAIL' "$log" || true)
  # Go before 1.27 may report the end of -fuzztime as a failure; no input failed then (go.dev/issue/75804).
  if [[ $name == Fuzz* ]] && grep -qE '^ +context deadline exceeded$' "$log" && ! grep -qE '_test\.go:|Failing input' "$log"; then
    code=0 found=0
  fi
  if [ "$code" != 0 ]; then
    result=FAILED
    [ "$found" != 0 ] || found=1
  elif ! grep -qE '^--- PASS|^fuzz: elapsed|^ +[0-9]+ passed' "$log"; then
    result="RAN NOTHING" code=1
  else
    result=passed
  fi
  [ "$code" = 0 ] || { failures=$((failures + 1)); tail -30 "$log"; }
  # Fuzzing says how many inputs it ran, and that is what its row says.
  local execs
  execs=$(sed -nE 's/^fuzz: elapsed: .* execs: ([0-9]+) .*/\1/p' "$log" | tail -1)
  rows+=("| $name | $proves | $runs${execs:+: $execs inputs} | $found | $seconds | $result |")
  printf '   %s, found %s, %s s\n' "$result" "$found" "$seconds"
  local words
  words=$(sed -nE 's/^ +[a-z_]+_test\.go:[0-9]+: +//p' "$log" | grep -vE ' done +[0-9]+ refused$' | sed -E 's/ +/ /g' | cut -c1-400 | head -14 || true)
  [ -z "$words" ] || said+=("**$name**"$'\n\n'"$(sed 's/^/- /' <<<"$words")"$'\n')
  page "The run was stopped here: the suites that come after *$name* did not run." >"$logs/reliability.md"
}

table() {
  echo "| suite | what it proves | runs | found | seconds | result |"
  echo "|---|---|---|---:|---:|---|"
  printf '%s\n' "${rows[@]}"
}

# page ENDED: what is known so far; ENDED says how the run came to its end.
page() {
  cat <<TXT
<!-- Written by make soak; do not edit. -->

# Reliability, as it was last soaked

Begun $begun UTC, commit $commit, **scale $scale** (1 is the whole length), $((SECONDS / 60)) minutes on $(nproc) cores
($(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -1)), $(go version | cut -d' ' -f3), $(uname -s) $(uname -m); load average at the end $(cut -d' ' -f1 /proc/loadavg).

\`make soak\` runs these suites and writes this page; \`make soak SCALE=0.1\` takes a tenth of their length. Seeds are fixed: the same commit
walks the same ways, apart from fuzzing, kills and races. *Found* counts failed tests, seeds or inputs. Mutants that no test notices have
[a list](evidence/mutants.md).

**${#rows[@]} suites, $failures failed.** $1

$(table)

## What they said

$(printf '%s\n' "${said[@]}")

## What no suite here shows

The power cuts are simulated: a disk that says it has written, and has not, loses what was answered. How well a given model understands
people is not a property of this program.
TXT
}

long() { echo go test -count 1 -timeout 0 -v; }

suite "fault in a system call, journal" "a program that writes meets an I/O error, a full disk or its death at each single call that changes a file: nothing acknowledged is lost" "each call × each end" \
  $(long) -tags soak -run EverySystemCallMayFailOnce ./audit
suite "journal killed" "\`kill -9\` at any moment, also within a restore: no effect without record, no record without effect, no key twice" "$(n 1000 20) kills, $(n 300 12) within a restore" \
  $(long) -run Killing ./audit -soak "$scale"
suite "limits over programs" "three programs on one file that ask and answer each other's cards, killed at random: an exclusive capability runs once at a time, no rate limit and no budget is exceeded, no card has two answers, nothing stays held" "$(n 60 0) minutes, at least 6 rounds" \
  $(long) -run NothingIsExceeded ./agent/policy -soak "$scale"
suite "chain" "each single change of a stored record is found and named" "$scale of all places, at least 6" \
  $(long) -run 'EverySingleChange|FirstOfManyBad|NamesTheFirstBad' ./audit -soak "$scale"
suite "tampering" "each change of a row of the log and of the rows it explains, and each flipped byte, is found or listed in docs/audit.md" "each table, column and row; $(n 20000 60) flipped bytes" \
  $(long) -run 'EachTampering|AByteThatFlips' ./audit -soak "$scale"
suite "undo and replay" "an undo restores the state or is refused; a replay reaches the same state" "$(n 10000 1000) undone walks, $(n 10000 800) replayed steps" \
  $(long) -run 'UndoRestoresTheState|ReplayReachesTheSame' ./audit -soak "$scale"
suite "neighbours in a commit" "invocations that share a commit are not harmed by one that fails, is cancelled or tries to end the transaction" "$(n 400 25) batches" \
  $(long) -run RandomNeighbours ./audit -soak "$scale"
suite "erasure" "an erased person is in no byte of the files" "among $(n 4000 400) people, $(n 10000 3000) rows" \
  $(long) -run 'ErasedPersonIsNowhere|ErasedRowsLeave' ./audit -soak "$scale"
suite "interleavings" "groups never overlap, queues stay within their depth, each call ends with one result and one record; two buses on one journal, one of them killed, do no key twice and have effect, record and key together or not at all" "$(n 10000 500) walks" \
  $(long) -run 'Interleavings|TwoBuses' ./bus -walks "$(n 10000 500)"
suite "bodies, shop" "every capability of the shop answers any body with a result or one of seven codes, and a refused one changes nothing" "$(n 10000 200) bodies each" \
  $(long) -run EveryCapabilityConforms ./shop -bodies "$(n 10000 200)"
suite "bodies, assistant" "the same of the assistant's own capabilities" "$(n 10000 20) bodies each" \
  $(long) -run EveryCapabilityConforms ./agent -bodies "$(n 10000 20)"
suite "random desk" "after any sequence of actions money balances to the last cent, stock equals its movements, and the state of each order is a possible one" "$(n 110 3) seeds × 1 000 actions" \
  $(long) -run RandomDeskWork ./shop -soak "$scale"
suite "export after random desk" "what such days leave goes out and in again whole" "$(n 40 2) seeds × 1 000 actions" \
  $(long) -run ExportAfterRandom ./shop -soak "$scale"
suite "grants" "no sequence of racing calls uses a grant more often or for more than it was given" "$(n 10000 15) sequences × 8 goroutines" \
  $(long) -run NoSequenceOfCalls ./agent/policy -soak "$scale"
suite "archive" "the logs of 20 programs reach an archive as they are while the leader of a cluster of three NATS servers is stopped ten times, publishers die anywhere, copies are restored and records erased" "ten rounds, at every scale" \
  env ARCHIVE_LONG=1 $(long) -run TestN7 ./audit/archive
suite "tills" "three tills sell while their links are cut and the program of their host is killed: each sale is in the log once, stock adds up" "$(n 60 1) minutes" \
  env DESKHAND_KILLING="$(n 60 1)m" $(long) -run WhileTheHostIsKilled ./internal/host
suite "tills, one with a window" "the same of a window in a browser and two desks without one" "$(n 400 6) interruptions" \
  env DESKHAND_FLOWS=all DESKHAND_CUTS="$(n 400 6)" build/flows.sh build/bin/deskhand-dev desks.spec -g "without one sell"
suite "cards" "each value that is executed is on its approval card as it is, and nothing else: random calls with hostile values at a terminal, over MCP, and in the window in two languages; no answer counts that was typed before the card" "$(n 60 1) minutes" \
  build/cards.sh "$(n 60 1)"
suite "phrases" "what the built-in assistant makes of each sentence, and of the day at the desk in words" "every sentence" \
  $(long) -run 'Phrases|ServiceDeskInWords' ./internal/e2e
suite "damaged files" "an import of a damaged file is refused with its place, and nothing is half imported" "$(n 1000 76) files" \
  $(long) -run DamagedFiles ./shop -damages "$(n 1000 76)"
suite "large shop" "a shop goes in and out as a file byte for byte, in memory that does not grow with it" "$(n 50000 300) customers" \
  $(long) -run ManyAreMoved ./shop -customers "$(n 50000 300)"
suite "large product file" "an export of products is imported in memory that does not grow with it" "$(n 33 6) MB" \
  $(long) -run AProductExport ./shop -csv "$(n 33 6)"
suite "long log" "a log of real records is searched, counted and verified" "$(n 1000000 3000) records" \
  $(long) -run ALongHistory ./internal/e2e -records "$(n 1000000 3000)"
suite "answers after their sync" "no answer leaves the program before the kernel has synced what was written for it" "two orders, traced" \
  $(long) -tags soak -run EveryAnswerFollows ./internal/e2e
suite "power cut" "what may lie on the disk after a power cut at any moment of 24 kinds of work opens and is whole, and has all that was answered, with nothing, a part or a torn part of what was not synced; a sync that is left out is found" "$(n 1200 40) states of a kind, fewer where one takes long" \
  $(long) -tags soak,host -run 'APowerCut|ASyncThatIsMissing' ./internal/e2e -cuts "$(n 1200 0)"
suite "fault in a system call, program" "two programs on one shop, one meets a fault at each call: everything can be said again, the other does not notice" "each call, of writes $writes × each end" \
  $(long) -tags soak -run EverySystemCallOfTheProgram ./internal/e2e -writes "$nth"
suite "program killed" "two programs under mixed load killed at random: what was answered is there, once" "$(n 1000 50) kills" \
  $(long) -run KillLosesNothing ./internal/e2e -kills "$(n 1000 50)"
# Most of it is what any share runs: all mutants of authorise, approve and verify.
if awk -v s="$scale" 'BEGIN { exit s < 0.1 }'; then
  suite "mutants" "what no test would notice if it were wrong is known, and listed in docs/evidence/mutants.md" "$scale of all, each of authorise, approve and verify" \
    $(long) -run MutantsDie ./internal/repo -mutants . -share "$scale"
fi
suite "flows and looks" "every flow in a browser, each surface in both themes and sizes, the audit over a long log" "$(n 1000000 20000) records" \
  env DESKHAND_LOOK=every DESKHAND_FLOWS=all DESKHAND_RECORDS="$(n 1000000 20000)" build/flows.sh build/bin/deskhand-dev
for room in $(go list -f '{{if .TestGoFiles}}{{.Dir}}{{else if .XTestGoFiles}}{{.Dir}}{{end}}' ./... | sed "s|^$PWD|.|"); do
  for target in $(grep -hoE '^func Fuzz[A-Za-z0-9]+' "$room"/*_test.go | cut -c6- || true); do
    suite "$target" "no input breaks what the target states (\`${room#./}\`)" "$(n 600 20) s" \
      go test -run '^$' -fuzz "^$target\$" -fuzztime "$(n 600 20)s" -fuzzminimizetime 20x "$room"
  done
done

printf '\n\033[1m== %s suites, %s failed, %s s\033[0m\n' "${#rows[@]}" "$failures" "$SECONDS"
table
[ -n "$only" ] || page "" >docs/reliability.md
[ "$failures" = 0 ]
