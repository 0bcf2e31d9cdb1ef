package agent

import (
	"context"
	"encoding/json"
	"maps"
	"slices"

	"github.com/deskhand/deskhand/agent/internal/stored"
	"github.com/deskhand/deskhand/agent/model"
)

// saveTurn notes what a turn cost so far.
func (s *Store) saveTurn(ctx context.Context, add saving) error {
	cost, code, estimated := any(nil), "", 0
	if p := add.spent.price; p != nil {
		cost, code = add.spent.billionths, p.Currency
	}
	if add.spent.estimated {
		estimated = 1
	}
	return s.db.Exec(ctx,
		`INSERT INTO agent_turns (id, conversation, input, output, estimated, cost, currency, at)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
		ON CONFLICT (id) DO UPDATE SET input = excluded.input, output = excluded.output,
			estimated = excluded.estimated, cost = excluded.cost, currency = excluded.currency`,
		add.turn, add.conversation, add.spent.input, add.spent.output, estimated, cost, code, add.at.UnixMilli())
}

// turnsOf lists the turns of a conversation, the oldest first.
func (s *Store) turnsOf(ctx context.Context, conversation string) ([]conversationTurn, error) {
	return stored.Rows(ctx, s.db, func(scan stored.Scan) (t conversationTurn, err error) {
		var cost int64
		var code string
		err = scan(&t.ID, &t.At, &t.Tokens.Input, &t.Tokens.Output, &t.Tokens.Estimated, &cost, &code)
		if cost > 0 {
			t.Tokens.Costs = []model.Cost{newCost(cost, code)}
		}
		return t, err
	}, `SELECT id, at, input, output, estimated > 0, coalesce(cost, 0), currency FROM agent_turns
		WHERE conversation = $1 ORDER BY at, id`, conversation)
}

// allTurns are the columns of a conversation c about all its turns together.
const allTurns = `(SELECT coalesce(sum(input), 0) FROM agent_turns t WHERE t.conversation = c.id),
	(SELECT coalesce(sum(output), 0) FROM agent_turns t WHERE t.conversation = c.id),
	(SELECT coalesce(max(estimated), 0) > 0 FROM agent_turns t WHERE t.conversation = c.id),
	(SELECT '{' || coalesce(string_agg('"' || currency || '":' || billionths, ','), '') || '}' FROM
		(SELECT currency, sum(cost) AS billionths FROM agent_turns t
			WHERE t.conversation = c.id AND cost > 0 GROUP BY currency) AS costs)`

// costsIn reads the amounts by currency that allTurns has.
func costsIn(raw string) (costs []model.Cost, err error) {
	var byCode map[string]int64
	if err := json.Unmarshal([]byte(raw), &byCode); err != nil {
		return nil, err
	}
	for _, code := range slices.Sorted(maps.Keys(byCode)) {
		costs = append(costs, newCost(byCode[code], code))
	}
	return costs, nil
}
