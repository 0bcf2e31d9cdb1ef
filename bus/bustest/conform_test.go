package bustest_test

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/bus/bustest"
)

type putIn struct {
	ID    string `json:"id" jsonschema:"minLength=1,maxLength=40"`
	Count int    `json:"count" jsonschema:"minimum=1,maximum=99"`
	Kind  string `json:"kind,omitempty" jsonschema:"enum=a,enum=b"`
}

type putOut struct {
	Count int `json:"count"`
}

// put is a well-made writing capability with something of everything.
func put() bus.Capability {
	return bus.Define(bus.Capability{
		Name: "shelf.put", Title: "Put", Description: "Put things on a shelf.", SideEffect: bus.Destructive,
		Permissions: []string{"shelf:write", "shelf:read", "shelf.open"}, Resources: []string{"database:write"},
		Checks: bus.Checks{
			Access: bus.Access{User: bus.RuleConfirm},
			Preconditions: []bus.Precondition{{Name: "room", Message: "The shelf is full.", Hint: "Invoke shelf.list.",
				Check: func(context.Context, *bus.Call) error { return nil }}},
			Requires:  []string{"shelf.list"},
			Available: func(context.Context, *bus.Call) error { return nil },
		},
		Run: bus.Run{
			Concurrency: "shelf",
			QueueDepth:  2,
			RateLimit:   &bus.RateLimit{Requests: 3, Period: 60e9},
		},
	}, func(ctx context.Context, call *bus.Call, in putIn) (putOut, error) {
		if ctx.Err() != nil {
			return putOut{}, ctx.Err()
		}
		row := bustest.Tables(ctx).Get("shelf", in.ID)
		n, _ := row["count"].(int)
		call.Changed("shelf", "things were put", in.ID)
		return putOut{n + in.Count}, bustest.Tables(ctx).Set("shelf", in.ID, map[string]any{"count": n + in.Count})
	})
}

// list is a well-made pure capability.
func list() bus.Capability {
	return bus.Define(bus.Capability{Name: "shelf.list", Title: "List", Description: "List the shelf.",
		SideEffect: bus.Pure, Permissions: []string{"shelf:read"},
		Assistant: bus.Assistant{Hidden: true}},
		func(context.Context, *bus.Call, struct{}) (struct {
			Items []putOut `json:"items"`
		}, error) {
			return struct {
				Items []putOut `json:"items"`
			}{[]putOut{{1}}}, nil
		})
}

// send is a well-made capability that reaches outside, for agents only.
func send() bus.Capability {
	say := func(context.Context, *bus.Call) (json.RawMessage, error) { return json.RawMessage(`{"sent":1}`), nil }
	return bus.Capability{Name: "shelf.send", Title: "Send", Description: "Send the shelf.", SideEffect: bus.Network,
		Handler: say,
		InputSchema: json.RawMessage(
			`{"type":"object","properties":{"to":{"type":"string","format":"email"}},"required":["to"],"additionalProperties":false}`),
		OutputSchema: json.RawMessage(`{"type":"object","required":["sent"]}`),
		Run:          bus.Run{Preview: say},
		Assistant:    bus.Assistant{Only: true}}
}

// shelf opens an application of capabilities on a journal.
func shelf(t testing.TB, journal bus.Journal, caps ...bus.Capability) *bus.Bus {
	t.Helper()
	o, _, _ := bustest.Options()
	if journal != nil {
		o.Journal = journal
	}
	o.Conditions = map[string]func(context.Context, *bus.Call) error{
		"shelf.open": func(context.Context, *bus.Call) error { return nil }}
	b := bus.New(o)
	if err := b.Register(caps...); err != nil {
		t.Fatal(err)
	}
	return b
}

func TestAWellMadeApplicationConforms(t *testing.T) {
	bustest.Conform(t, shelf(t, nil, put(), list(), send()))
}
