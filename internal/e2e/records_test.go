package e2e

import (
	"context"
	"encoding/json"
	"testing"
	"time"

	"github.com/deskhand/deskhand/audit"
	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/internal/desk"
	"github.com/deskhand/deskhand/internal/desk/desktest"
)

// ending is a capability that ends in a given way, after writing a row.
func ending(name string, h handler) bus.Capability {
	return bus.Capability{Name: name, Title: name, Description: name, SideEffect: bus.UIOnly,
		Resources: []string{"database:write"},
		InputSchema: json.RawMessage(
			`{"type":"object","properties":{"n":{"type":"integer","minimum":1}},"additionalProperties":false}`),
		Handler: func(ctx context.Context, call *bus.Call) (json.RawMessage, error) {
			if _, err := audit.Tx(ctx).ExecContext(ctx, oneWrite); err != nil {
				return nil, err
			}
			return h(ctx, call)
		}}
}

// brief gives a capability little time.
func brief(c bus.Capability) bus.Capability {
	c.Run.Timeout = 200 * time.Millisecond
	return c
}

// TestU1EveryEndHasOneRecordInTheLog drives invocations to every kind of end on
// the real journal: one result, one record, and effects only with success.
// holds: U1
func TestU1EveryEndHasOneRecordInTheLog(t *testing.T) {
	d := desktest.Sample(t, desk.Options{})
	fine := func(context.Context, *bus.Call) (json.RawMessage, error) { return nil, nil }
	asks := ending("end.asks", fine)
	asks.Checks.Access.Agent = bus.RuleConfirm
	secret := ending("end.secret", fine)
	secret.Permissions = []string{"vault:write"}
	seldom := ending("end.seldom", fine)
	seldom.Run.RateLimit = &bus.RateLimit{Requests: 1, Period: time.Hour}
	d.Bus.MustRegister(asks, secret, seldom,
		ending("end.fine", fine),
		ending("end.panics", func(context.Context, *bus.Call) (json.RawMessage, error) { panic("on purpose") }),
		brief(ending("end.late", func(ctx context.Context, _ *bus.Call) (json.RawMessage, error) {
			<-ctx.Done()
			return nil, ctx.Err()
		})),
		brief(ending("end.deaf", func(context.Context, *bus.Call) (json.RawMessage, error) {
			time.Sleep(time.Second)
			return nil, nil
		})),
		ending("end.uncoded", func(context.Context, *bus.Call) (json.RawMessage, error) { return nil, context.Canceled }),
		ending("end.refuses", func(context.Context, *bus.Call) (json.RawMessage, error) {
			return nil, bus.Errorf(bus.PreconditionFailed, bus.ReasonState, "Not now.")
		}))
	clerk := d.Person
	clerk.Scopes = []string{"cart:read"}
	cases := []struct {
		outcome string
		inv     bus.Invocation
		code    bus.Code
	}{
		{"success", bus.Invocation{Capability: "end.fine", IdempotencyKey: "k"}, ""},
		{"replayed", bus.Invocation{Capability: "end.fine", IdempotencyKey: "k"}, ""},
		{"key with other arguments", bus.Invocation{Capability: "end.fine", IdempotencyKey: "k",
			Arguments: json.RawMessage(`{"n":2}`)}, bus.Validation},
		{"dry run", bus.Invocation{Capability: "end.fine", DryRun: true}, ""},
		{"unknown", bus.Invocation{Capability: "order.rush"}, bus.NotFound},
		{"rejected", bus.Invocation{Capability: "end.fine", Arguments: json.RawMessage(`{"n":0}`)}, bus.Validation},
		{"not JSON", bus.Invocation{Capability: "end.fine", Arguments: json.RawMessage(`{`)}, bus.Validation},
		{"without the scope", bus.Invocation{Capability: "end.secret", Principal: clerk}, bus.Forbidden},
		{"declined", bus.Invocation{Capability: "end.asks", Caller: bus.Caller{Type: bus.CallerAgent}}, bus.Forbidden},
		{"first of few", bus.Invocation{Capability: "end.seldom"}, ""},
		{"too many", bus.Invocation{Capability: "end.seldom"}, bus.Transient},
		{"panicking", bus.Invocation{Capability: "end.panics"}, bus.Internal},
		{"timed out", bus.Invocation{Capability: "end.late"}, bus.Transient},
		{"timed out without looking", bus.Invocation{Capability: "end.deaf"}, bus.Transient},
		{"uncoded", bus.Invocation{Capability: "end.uncoded"}, bus.Internal},
		{"refused by the handler", bus.Invocation{Capability: "end.refuses"}, bus.PreconditionFailed},
	}
	for _, c := range cases {
		before := stockOf(t, d)
		if c.inv.Caller.Type == "" {
			c.inv.Caller.Type = bus.CallerTest
		}
		if c.inv.Principal.ID == "" {
			c.inv.Principal = d.Person
		}
		r := d.Bus.Invoke(t.Context(), c.inv)
		if got := codeOf(r); got != c.code {
			t.Errorf("%s: code %q, want %q", c.outcome, got, c.code)
		}
		trace, err := d.Log.Trace(t.Context(), r.RequestID)
		if err != nil || len(trace.Records) != 1 {
			t.Errorf("%s: %d records (%v)", c.outcome, len(trace.Records), err)
			continue
		}
		changed := stockOf(t, d) != before
		if want := r.OK() && !r.Replayed && !r.DryRun; changed != want {
			t.Errorf("%s: rows changed: %v", c.outcome, changed)
		}
		if record := trace.Records[0]; record.Code != c.code || changed && len(record.Effects) == 0 {
			t.Errorf("%s: recorded %q with %d effects", c.outcome, record.Code, len(record.Effects))
		}
	}
	if v, err := d.Log.Verify(t.Context(), nil); err != nil || !v.OK {
		t.Errorf("%+v %v", v, err)
	}
}

func codeOf(r bus.Result) bus.Code {
	if r.Err == nil {
		return ""
	}
	return r.Err.Code
}

// handler is the type of [bus.Capability.Handler].
type handler = func(ctx context.Context, call *bus.Call) (json.RawMessage, error)
