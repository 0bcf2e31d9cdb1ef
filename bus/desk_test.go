package bus_test

import (
	"context"
	"encoding/json"
	"errors"
	"testing"
	"time"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/bus/bustest"
)

// The tests' application: a till that takes coins.

type addIn struct {
	Coins int    `json:"coins" jsonschema:"minimum=1,maximum=1000"`
	Note  string `json:"note,omitempty" jsonschema:"maxLength=20"`
	Times int    `json:"times,omitempty" jsonschema:"default=1,minimum=1"`
}

type addOut struct {
	Total int    `json:"total"`
	ID    string `json:"id"`
}

func total(ctx context.Context) int {
	row := bustest.Tables(ctx).Get("till", "main")
	if row == nil {
		return 0
	}
	return row["total"].(int)
}

// add is a writing, confirmed-for-agents capability.
func add() bus.Capability {
	return bus.Define(bus.Capability{
		Name: "till.add", Title: "Add coins", Description: "Add coins to the till.", SideEffect: bus.Destructive,
		Permissions: []string{"till:write"}, Resources: []string{"database:write"}, Facts: []string{"amount"},
	}, func(ctx context.Context, call *bus.Call, in addIn) (addOut, error) {
		sum := total(ctx) + in.Coins*in.Times
		if err := bustest.Tables(ctx).Set("till", "main", map[string]any{"total": sum}); err != nil {
			return addOut{}, err
		}
		call.Fact("amount", in.Coins)
		call.Summarize("Add %d coins, %d in all", in.Coins, sum)
		call.Changed("till", "coins added", "main")
		return addOut{Total: sum, ID: call.NewID("coin")}, nil
	})
}

// read is a pure capability.
func read() bus.Capability {
	return bus.Define(bus.Capability{
		Name: "till.read", Title: "Read the till", Description: "How many coins there are.", SideEffect: bus.Pure,
		Permissions: []string{"till:read"},
	}, func(ctx context.Context, _ *bus.Call, _ struct{}) (addOut, error) {
		return addOut{Total: total(ctx)}, nil
	})
}

// doing is a capability with any handler at all.
func doing(name string, effect bus.SideEffect, h handler) bus.Capability {
	c := bus.Capability{Name: name, Title: name, Description: name, SideEffect: effect, Handler: h}
	if effect == bus.UIOnly || effect == bus.Destructive {
		c.Resources = []string{"database:write"}
	}
	if effect == bus.Network {
		c.Run.Preview = ok
	}
	return c
}

func ok(context.Context, *bus.Call) (json.RawMessage, error) { return json.RawMessage(`{}`), nil }

var clerk = bus.Principal{ID: "p1", Name: "Kim", Scopes: []string{"till:read", "till:write"}, Door: "test"}

func call(name, args string) bus.Invocation {
	return bus.Invocation{Capability: name, Arguments: json.RawMessage(args),
		Caller: bus.Caller{Type: bus.CallerTest, Source: "t"}, Principal: clerk}
}

func byAgent(inv bus.Invocation) bus.Invocation {
	inv.Caller.Type = bus.CallerAgent
	return inv
}

// approver is a scripted bus.Approver.
type approver struct {
	rule  bus.Rule
	code  bus.Reason
	asked []bus.Preview
	saw   []*bus.Preview // Changed of each ask
	say   func(n int, p *bus.Preview) bus.Decision
}

func (a *approver) Authorize(_ context.Context, req *bus.ApprovalRequest) (bus.Decision, error) {
	rule := a.rule
	if rule == "" {
		rule = bus.RuleConfirm
		if req.Capability.SideEffect == bus.Pure {
			rule = bus.RuleAllow
		}
	}
	return bus.Decision{Rule: rule, By: "test", Code: a.code}, nil
}

func (a *approver) Approve(ctx context.Context, req *bus.ApprovalRequest, p *bus.Preview) (bus.Decision, error) {
	a.asked, a.saw = append(a.asked, *p), append(a.saw, req.Changed)
	if ctx.Err() != nil {
		return bus.Decision{}, ctx.Err()
	}
	return a.say(len(a.asked), p), nil
}

func yes(int, *bus.Preview) bus.Decision {
	return bus.Decision{Allowed: true, Answer: "allow", By: "p1"}
}

// withApprover makes a bus whose agent calls go through a.
func withApprover(t *testing.T, a bus.Approver, caps ...bus.Capability) (*bus.Bus, *bustest.Journal) {
	t.Helper()
	o, j, _ := bustest.Options()
	o.Approver = a
	b := bus.New(o)
	b.MustRegister(caps...)
	return b, j
}

func wantError(t *testing.T, r bus.Result, code bus.Code, reason bus.Reason) {
	t.Helper()
	if r.Err == nil || r.Err.Code != code || r.Err.Reason != reason {
		t.Fatalf("got %s, want %s/%s", wire(t, r), code, reason)
	}
}

func wantOK(t *testing.T, r bus.Result) {
	t.Helper()
	if !r.OK() {
		t.Fatalf("got %s, want success", wire(t, r))
	}
}

func wire(t *testing.T, r bus.Result) string {
	t.Helper()
	raw, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

// oneRecord checks that n invocations left n records, and returns the last.
func records(t *testing.T, j *bustest.Journal, n int) bus.Entry {
	t.Helper()
	es := j.Entries()
	if len(es) != n {
		t.Fatalf("%d records, want %d", len(es), n)
	}
	return es[n-1]
}

var errPlain = errors.New("the disk ate it")

const soon = 10 * time.Millisecond

// handler is the type of [bus.Capability.Handler].
type handler = func(ctx context.Context, call *bus.Call) (json.RawMessage, error)
