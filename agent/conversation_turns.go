package agent

import (
	"context"
	"database/sql"
	"encoding/json"
	"maps"
	"slices"

	"github.com/deskhand/deskhand/agent/internal/stored"
	"github.com/deskhand/deskhand/agent/model"
	"github.com/deskhand/deskhand/audit"
)

// saveTurn notes what a turn cost so far.
func saveTurn(ctx context.Context, add saving) error {
	cost, code := any(nil), ""
	if p := add.spent.price; p != nil {
		cost, code = add.spent.billionths, p.Currency
	}
	_, err := audit.Tx(ctx).ExecBridge(ctx,
		`INSERT INTO agent_turns (id, conversation, input, output, estimated, cost, currency, at)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?)
		ON CONFLICT (id) DO UPDATE SET input = excluded.input, output = excluded.output,
			estimated = excluded.estimated, cost = excluded.cost, currency = excluded.currency`,
		add.turn, add.conversation, add.spent.input, add.spent.output, add.spent.estimated, cost, code, add.at.UnixMilli())
	return err
}

// turnsOf lists the turns of a conversation, the oldest first.
func turnsOf(ctx context.Context, conversation string) ([]conversationTurn, error) {
	return stored.Rows(ctx, func(r *sql.Rows) (t conversationTurn, err error) {
		var cost sql.NullInt64
		var code string
		err = r.Scan(&t.ID, &t.At, &t.Tokens.Input, &t.Tokens.Output, &t.Tokens.Estimated, &cost, &code)
		if cost.Int64 > 0 {
			t.Tokens.Costs = []model.Cost{newCost(cost.Int64, code)}
		}
		return t, err
	}, `SELECT id, at, input, output, estimated, cost, currency FROM agent_turns WHERE conversation = ? ORDER BY at, id`,
		conversation)
}

// allTurns are the columns of a conversation c about all its turns together.
const allTurns = `(SELECT coalesce(sum(input), 0) FROM agent_turns t WHERE t.conversation = c.id),
	(SELECT coalesce(sum(output), 0) FROM agent_turns t WHERE t.conversation = c.id),
	(SELECT coalesce(max(estimated), 0) FROM agent_turns t WHERE t.conversation = c.id),
	(SELECT json_group_object(currency, billionths) FROM
		(SELECT currency, sum(cost) AS billionths FROM agent_turns t
			WHERE t.conversation = c.id AND cost > 0 GROUP BY currency))`

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
