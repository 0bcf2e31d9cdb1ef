package agent

import (
	"cmp"
	"context"
	"encoding/json"
	"maps"
	"slices"
	"strconv"

	"github.com/deskhand/deskhand/agent/internal/stored"
	"github.com/deskhand/deskhand/agent/model"
	"github.com/deskhand/deskhand/bus"
)

// saveTurn stores the cost of a turn so far.
func (s *Store) saveTurn(ctx context.Context, add saving) error {
	cost, code, estimated := any(nil), "", 0
	if p := add.spent.price; p != nil {
		cost, code = add.spent.billionths, p.Currency
	}
	if add.spent.estimated {
		estimated = 1
	}
	return s.db.Exec(ctx,
		`INSERT INTO agent_turns (id, conversation, endpoint, model, input, output, estimated, cost, currency, at)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
		ON CONFLICT (id) DO UPDATE SET input = excluded.input, output = excluded.output,
			estimated = excluded.estimated, cost = excluded.cost, currency = excluded.currency`,
		add.turn, add.conversation, add.by.Endpoint, add.by.Name, add.spent.input, add.spent.output,
		estimated, cost, code, add.at.UnixMilli())
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

// allTurns are the columns with the totals of all turns of a conversation c.
const allTurns = `(SELECT coalesce(sum(input), 0) FROM agent_turns t WHERE t.conversation = c.id),
	(SELECT coalesce(sum(output), 0) FROM agent_turns t WHERE t.conversation = c.id),
	(SELECT coalesce(max(estimated), 0) > 0 FROM agent_turns t WHERE t.conversation = c.id),
	(SELECT '{' || coalesce(string_agg('"' || currency || '":' || billionths, ','), '') || '}' FROM
		(SELECT currency, sum(cost) AS billionths FROM agent_turns t
			WHERE t.conversation = c.id AND cost > 0 GROUP BY currency) AS costs)`

// costsIn parses the amounts by currency in the last column of allTurns.
func costsIn(raw string) (costs []model.Cost, err error) {
	var byCode map[string]int64
	if err := json.Unmarshal([]byte(raw), &byCode); err != nil {
		return nil, err
	}
	return costsOf(byCode), nil
}

// costsOf formats amounts in billionths, by currency.
func costsOf(byCode map[string]int64) (costs []model.Cost) {
	for _, code := range slices.Sorted(maps.Keys(byCode)) {
		costs = append(costs, newCost(byCode[code], code))
	}
	return costs
}

// maxRetold limits the bytes of a result in the updates of a stored turn; the record has the complete one.
const maxRetold = 16 << 10

// rebuilder rebuilds the updates of stored turns from their messages.
type rebuilder struct {
	lookup       func(string) (*bus.Capability, bool)
	conversation string
	turn         string
	calls        map[string]model.Call // by id
	actions      []Action              // of the turn
	updates      []any
}

func (r *rebuilder) emit(u Update) {
	u.ConversationID, u.TurnID = r.conversation, r.turn
	r.updates = append(r.updates, u)
}

// rebuilt returns the updates of all turns: those in memory unchanged, the others rebuilt from the store. Messages
// without a turn belong to a turn with the id of the conversation.
func (o conversationGetOutput) rebuilt(lookup func(string) (*bus.Capability, bool), messages []messageRow) []any {
	known, usage := map[string]bool{}, map[string]model.Usage{}
	for _, told := range o.Updates {
		if u := told.(Update); u.Type == UpdateTurnStarted {
			known[u.TurnID] = true
		}
	}
	for _, t := range o.Turns {
		usage[t.ID] = t.Tokens
	}
	r := rebuilder{lookup: lookup, conversation: o.ID, calls: map[string]model.Call{}}
	for _, m := range messages {
		id := cmp.Or(m.turn, o.ID)
		if known[id] {
			continue
		}
		if id != r.turn {
			r.end(usage[r.turn], o.Running)
			r.turn = id
		}
		r.message(m)
	}
	r.end(usage[r.turn], o.Running)
	return append(r.updates, slices.DeleteFunc(o.Updates, func(told any) bool { return !known[told.(Update).TurnID] })...)
}

// end ends the turn, unless it is still running.
func (r *rebuilder) end(cost model.Usage, running string) {
	if r.turn != "" && r.turn != running {
		u := Update{Type: UpdateTurnEnded, Status: StatusDone, Actions: r.actions}
		if cost.Input+cost.Output > 0 {
			u.Usage = &cost
		}
		r.emit(u)
	}
	r.actions = nil
}

func (r *rebuilder) message(m messageRow) {
	switch m.body.Role {
	case model.RoleUser:
		r.emit(Update{Type: UpdateTurnStarted, Text: m.body.Text})
	case model.RoleAssistant:
		if m.body.Text != "" {
			r.emit(Update{Type: UpdateMessage, MessageID: "msg_" + strconv.FormatInt(m.id, 10), Text: m.body.Text,
				Choices: m.body.Choices})
		}
		for _, c := range m.body.Calls {
			r.calls[c.ID] = c
		}
	case model.RoleTool:
		r.result(r.calls[m.body.CallID], []byte(m.body.Text))
		r.review(m.body)
	}
}

// result adds the update of a call with its result. It skips a call without a stored result, which runs in the
// background or was erased.
func (r *rebuilder) result(c model.Call, answer []byte) {
	j := job{call: c, capability: c.Capability, entry: bus.ManifestEntry{Title: c.Capability}}
	if c.Capability == "" || json.Unmarshal(answer, &j.result) != nil || j.result.Status == "" {
		return
	}
	if known, is := r.lookup(c.Capability); is {
		j.entry = bus.ManifestEntry{Title: known.Title, SideEffect: known.SideEffect, Reversible: known.Reversible,
			InputSchema: known.InputSchema}
	}
	if !j.pure() {
		r.actions = append(r.actions, j.action())
	}
	if len(j.result.Data) > maxRetold {
		j.result.Data = nil
	}
	arguments := editedIn(answer)
	if arguments == nil {
		arguments = c.Arguments
	}
	r.emit(Update{Type: UpdateResult, CallID: c.ID, RequestID: j.result.RequestID, Capability: c.Capability,
		Title: j.entry.Title, SideEffect: j.entry.SideEffect, Arguments: arguments, Result: &j.result})
}

// review adds the update of the card that showed text of other people in a result.
func (r *rebuilder) review(m model.Message) {
	c, known := r.lookup(nameReview)
	again := slices.ContainsFunc(r.updates, func(u any) bool { return u.(Update).RequestID == m.Shown })
	if m.Shown == "" || again || !known {
		return
	}
	res := &bus.Result{Status: bus.StatusSuccess, RequestID: m.Shown}
	if m.Held != "" {
		res.Status, res.Err = bus.StatusError, bus.Errorf(bus.Forbidden, bus.ReasonDeclined, "%s", m.Held)
	}
	r.emit(Update{Type: UpdateResult, CallID: m.CallID + reviewOf, RequestID: m.Shown, Capability: c.Name,
		Title: c.Title, SideEffect: c.SideEffect, Result: res})
}
