package remote_test

import (
	"context"
	"encoding/json"
	"net"
	"testing"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/bus/bustest"
	"github.com/deskhand/deskhand/bus/remote"
)

type putIn struct {
	ID    string `json:"id" jsonschema:"minLength=1,maxLength=40"`
	Count int    `json:"count" jsonschema:"minimum=1,maximum=99"`
}

type putOut struct {
	Count int `json:"count"`
}

// put counts things on a shelf.
func put() bus.Capability {
	return bus.Define(bus.Capability{Name: "shelf.put", Title: "Put", Description: "Put things on a shelf.",
		SideEffect: bus.Destructive, Permissions: []string{"shelf:write"}, Resources: []string{"database:write"},
		Facts: []string{"amount"},
		Checks: bus.Checks{Access: bus.Access{User: bus.RuleConfirm}, Preconditions: []bus.Precondition{{Name: "room",
			Message: "The shelf is full.", Hint: "Invoke shelf.list.",
			Check: func(context.Context, *bus.Call) error { return nil }}}},
		Run: bus.Run{Concurrency: "shelf", QueueDepth: 2, RateLimit: &bus.RateLimit{Requests: 30, Period: 60e9}},
	}, putOn)
}

func putOn(ctx context.Context, call *bus.Call, in putIn) (putOut, error) {
	if ctx.Err() != nil {
		return putOut{}, ctx.Err()
	}
	n, _ := bustest.Tables(ctx).Get("shelf", in.ID)["count"].(int)
	call.Changed("shelf", "things were put", in.ID)
	call.Fact("amount", in.Count)
	call.Summarize("Put %d on %s", in.Count, in.ID)
	return putOut{n + in.Count}, bustest.Tables(ctx).Set("shelf", in.ID, map[string]any{"count": n + in.Count})
}

// list is pure.
func list() bus.Capability {
	return bus.Define(bus.Capability{Name: "shelf.list", Title: "List", Description: "List the shelf.",
		SideEffect: bus.Pure, Permissions: []string{"shelf:read"}},
		func(context.Context, *bus.Call, struct{}) (struct {
			Items []putOut `json:"items"`
		}, error) {
			return struct {
				Items []putOut `json:"items"`
			}{[]putOut{{1}}}, nil
		})
}

// send reaches outside, for agents only.
func send() bus.Capability {
	say := func(context.Context, *bus.Call) (json.RawMessage, error) { return json.RawMessage(`{"sent":1}`), nil }
	return bus.Capability{Name: "shelf.send", Title: "Send", Description: "Send the shelf.", SideEffect: bus.Network,
		Handler: say, Run: bus.Run{Preview: say}, Assistant: bus.Assistant{Only: true},
		InputSchema: json.RawMessage(`{"type":"object","properties":{"to":{"type":"string","format":"email"}},` +
			`"required":["to"],"additionalProperties":false}`),
		OutputSchema: json.RawMessage(`{"type":"object","required":["sent"]}`)}
}

// shelf is an application of these capabilities.
func shelf(t testing.TB, caps ...bus.Capability) (*bus.Bus, *bustest.Journal) {
	t.Helper()
	b, j, _ := bustest.New(t, caps...)
	return b, j
}

// over opens both ends of a link: b is served to the first.
func over(t testing.TB, b *bus.Bus, v bus.View, o remote.Options) *remote.Link {
	t.Helper()
	here, there := net.Pipe()
	served := make(chan error, 1)
	go func() { served <- remote.Serve(t.Context(), there, b, v) }()
	l, err := remote.Open(t.Context(), here, o)
	if err != nil {
		t.Fatalf("open: %v; served: %v", err, <-served)
	}
	t.Cleanup(func() {
		l.Close()
		<-l.Done()
		<-served
	})
	return l
}

// through is a door for the conformance kit: each invocation goes over a link whose serving end stamps who it is for.
func through(t testing.TB) func(context.Context, *bus.Bus, bus.Invocation) bus.Result {
	return func(ctx context.Context, b *bus.Bus, inv bus.Invocation) bus.Result {
		l := over(t, b, bus.View{Caller: inv.Caller.Type, Principal: inv.Principal}, remote.Options{})
		defer l.Close()
		return l.Invoke(ctx, inv, nil)
	}
}

// holds: N2
func TestTheConformanceKitPassesOverALink(t *testing.T) {
	for _, c := range []bus.Capability{put(), list(), send()} {
		t.Run(c.Name, func(t *testing.T) {
			b, _ := shelf(t, put(), list(), send())
			for _, f := range bustest.Check(t.Context(), bustest.App{Bus: b, Invoke: through(t), Bodies: 60}, c.Name) {
				t.Errorf("%s: %s", f.Rule, f.Message)
			}
		})
	}
}
