#!/usr/bin/env bash
# Has the bus ask cards for random calls with hostile values, reads them at a terminal and as a client of the protocol,
# and then in the window in both languages: what is executed is on the card as it is, and nothing else. A bound that a
# person types on a card is given as it stands, a sale is what the counter shows, and a question of the built-in
# assistant shows what its answer does. Rounds of another seed each go on for MINUTES, and one at least; CARD_SEED is
# the first. Usage: cards.sh MINUTES
set -euo pipefail
cd "$(dirname "$0")/.."
end=$((SECONDS + $(awk -v m="$1" 'BEGIN { print int(m * 60) }')))
seed=${CARD_SEED:-1}
cards=$(mktemp)
trap 'rm -f "$cards"' EXIT
test=$(mktemp -u)
CGO_ENABLED=0 go test -c -o "$test" ./internal/cli
CGO_ENABLED=0 go test -c -o "$test.asks" ./agent/builtin
trap 'rm -f "$cards" "$test" "$test.asks"' EXIT
rounds=0 shown=0 values=0
while :; do
  said=$(cd internal/cli && "$test" -test.v -test.run 'ACardTellsTheTruth$' -card-seed "$seed" -card-calls 400 -cards-to "$cards") ||
    { echo "$said" | grep -v '^ *--- PASS\|^=== RUN' | tail -40; echo "to try it again: CARD_SEED=$seed build/cards.sh 0"; exit 1; }
  (cd agent/builtin && "$test.asks" -test.run 'AnAnswerDoesWhatItsQuestionShowed$' -card-seed "$seed") >"$cards.log" 2>&1 ||
    { tail -40 "$cards.log"; echo "to try it again: CARD_SEED=$seed build/cards.sh 0"; exit 1; }
  (cd frontend && DESKHAND_CARDS=$cards CARD_SEED=$seed npx vitest run --reporter=dot --testTimeout 600000 \
    src/shop/cardTruth.test.tsx src/features/counter/selling.test.tsx) >"$cards.log" 2>&1 ||
    { grep -v '^ *at ' "$cards.log" | tail -60; echo "to try it again: CARD_SEED=$seed build/cards.sh 0"; exit 1; }
  read -r n v < <(sed -nE 's/.* ([0-9]+) cards with ([0-9]+) values.*/\1 \2/p' <<<"$said")
  rounds=$((rounds + 1)) shown=$((shown + n)) values=$((values + v)) seed=$((seed + 1))
  [ "$SECONDS" -lt "$end" ] || break
done
rm -f "$cards.log"
echo "--- PASS: cards"
echo "    cards_test.go:1: $rounds seeds up to $((seed - 1)): $shown cards with $values values, each at a terminal, over MCP and in the window in two languages"
