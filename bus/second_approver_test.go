package bus_test

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/deskhand/deskhand/bus"
)

var (
	manager = bus.Principal{ID: "p2", Name: "Lee", Role: "manager", Scopes: []string{"till:write", "till:lots"},
		Authentication: "pin"}
	boss = bus.Principal{ID: "p3", Name: "Mo", Role: "owner", Scopes: []string{"*"}, Authentication: "pin"}
)

// joining is an approver at whose desk others can step in.
type joining struct {
	*approver
	staff []bus.Principal
	shown []bus.ApprovalRequest
}

func (a *joining) SecondApprovers(_ context.Context, _ *bus.ApprovalRequest, may func(bus.Principal) bool) (
	able []bus.Principal, err error) {
	for _, p := range a.staff {
		if may(p) {
			able = append(able, p)
		}
	}
	return able, nil
}

func (a *joining) Approve(ctx context.Context, req *bus.ApprovalRequest, p *bus.Preview) (bus.Decision, error) {
	a.shown = append(a.shown, *req)
	return a.approver.Approve(ctx, req, p)
}

// allowedBy answers every card with the yes of one person.
func allowedBy(p bus.Principal) func(int, *bus.Preview) bus.Decision {
	return func(int, *bus.Preview) bus.Decision {
		return bus.Decision{Allowed: true, Answer: "allow", By: p.ID, Authentication: p.Authentication}
	}
}

// limitedAdd is add with a limit of ten coins for those without till:lots.
func limitedAdd() bus.Capability {
	c := add()
	c.Checks.Limit = func(_ context.Context, call *bus.Call) error {
		var in addIn
		if err := call.Decode(&in); err != nil {
			return err
		}
		if in.Coins > 10 && !call.Person.Has("till:lots") {
			return bus.Errorf(bus.Forbidden, bus.ReasonLimit, "More than 10 coins need a manager.")
		}
		return nil
	}
	return c
}

func called(people []bus.Principal) (all []string) {
	for _, p := range people {
		all = append(all, p.Name)
	}
	return all
}

// holds: A7
func TestA7WhoLacksARightIsJoinedByOneWhoHasIt(t *testing.T) {
	for name, tt := range map[string]struct {
		inv  bus.Invocation
		able []string
	}{
		"a person over a limit":          {call("till.add", `{"coins":11}`), []string{"Lee", "Mo"}},
		"an assistant at work for them":  {byAgent(call("till.add", `{"coins":11}`)), []string{"Lee", "Mo"}},
		"a person without the scope":     {call("till.close", `{}`), []string{"Mo"}},
		"an assistant without the scope": {byAgent(call("till.close", `{}`)), []string{"Mo"}},
	} {
		t.Run(name, func(t *testing.T) {
			a := &joining{approver: &approver{say: allowedBy(boss)}, staff: []bus.Principal{clerk, manager, boss}}
			shut := doing("till.close", bus.UIOnly, ok)
			shut.Permissions = []string{"till:close"}
			b, j := withApprover(t, a, limitedAdd(), shut)
			wantOK(t, b.Invoke(t.Context(), tt.inv))
			if len(a.shown) != 1 || a.shown[0].Refused == nil {
				t.Fatalf("asked %+v", a.shown)
			}
			if diff := cmp.Diff(tt.able, called(a.shown[0].Approvers)); diff != "" {
				t.Error(diff)
			}
			e := records(t, j, 1)
			if e.Invocation.Principal.ID != clerk.ID || len(e.Invocation.Principal.Scopes) != len(clerk.Scopes) {
				t.Errorf("the caller became %+v", e.Invocation.Principal)
			}
			if d := e.Decision; d.By != boss.ID || d.Authentication != "pin" || d.Rule != bus.RuleConfirm ||
				d.Answer != "allow" {
				t.Errorf("decision %+v", d)
			}
		})
	}
}

// holds: A7
func TestA7AJoinedCallRunsOnceForItsKey(t *testing.T) {
	a := &joining{approver: &approver{say: allowedBy(manager)}, staff: []bus.Principal{manager}}
	b, j := withApprover(t, a, limitedAdd())
	inv := call("till.add", `{"coins":11}`)
	inv.IdempotencyKey = "k"
	wantOK(t, b.Invoke(t.Context(), inv))
	if r := b.Invoke(t.Context(), inv); !r.Replayed || j.Row("till", "main")["total"] != 11 || len(a.shown) != 1 {
		t.Errorf("%s, %v, asked %d times", wire(t, r), j.Row("till", "main"), len(a.shown))
	}
}

// holds: A7
func TestA7OnlyAYesOfOneWhoCouldGiveItCounts(t *testing.T) {
	unproven := manager
	unproven.Authentication = ""
	for name, d := range map[string]bus.Decision{
		"the clerk's own":         allowedBy(clerk)(0, nil),
		"nobody's":                {Allowed: true, Answer: "allow"},
		"a stranger's":            allowedBy(bus.Principal{ID: "p9", Authentication: "pin"})(0, nil),
		"one that proved nothing": allowedBy(unproven)(0, nil),
		"with nobody there":       {Answer: "nobody"},
	} {
		a := &joining{approver: &approver{say: func(int, *bus.Preview) bus.Decision { return d }},
			staff: []bus.Principal{manager, boss}}
		b, j := withApprover(t, a, limitedAdd())
		r := b.Invoke(t.Context(), call("till.add", `{"coins":11}`))
		if r.Err == nil || r.Err.Reason != bus.ReasonLimit || j.Row("till", "main") != nil {
			t.Errorf("%s: %s", name, wire(t, r))
		}
		records(t, j, 1)
	}
}

// holds: A7
func TestA7WhatNobodyCanAllowIsRefusedAsBefore(t *testing.T) {
	pure := read()
	pure.Permissions = []string{"till:look"}
	secret := bus.Define(bus.Capability{Name: "till.lock", Title: "Lock", Description: "Lock the till.",
		SideEffect: bus.UIOnly, Permissions: []string{"till:lock"}},
		func(context.Context, *bus.Call, struct {
			PIN string `json:"pin" jsonschema:"writeOnly=true"`
		}) (struct{}, error) {
			return struct{}{}, nil
		})
	stranger := call("till.add", `{"coins":11}`)
	stranger.Principal = bus.Principal{Door: "test"}
	for name, tt := range map[string]struct {
		inv    bus.Invocation
		staff  []bus.Principal
		reason bus.Reason
	}{
		"nobody else is there": {call("till.add", `{"coins":11}`), nil, bus.ReasonLimit},
		"no one has the right": {call("till.add", `{"coins":11}`),
			[]bus.Principal{{ID: "p4", Scopes: clerk.Scopes, Authentication: "pin"}}, bus.ReasonLimit},
		"a read of a page":            {call("till.read", `{}`), []bus.Principal{boss}, bus.ReasonPermission},
		"what carries a secret":       {call("till.lock", `{"pin":"1234"}`), []bus.Principal{boss}, bus.ReasonPermission},
		"nobody is signed in":         {stranger, []bus.Principal{boss}, bus.ReasonPermission},
		"an assistant that may never": {byAgent(call("till.burn", `{}`)), []bus.Principal{boss}, bus.ReasonPermission},
	} {
		burn := doing("till.burn", bus.Destructive, ok)
		burn.Permissions, burn.Checks.Access.Agent = []string{"till:burn"}, bus.RuleDeny
		a := &joining{approver: &approver{say: allowedBy(boss)}, staff: tt.staff}
		b, _ := withApprover(t, a, limitedAdd(), pure, secret, burn)
		r := b.Invoke(t.Context(), tt.inv)
		if r.Err == nil || r.Err.Code != bus.Forbidden || r.Err.Reason != tt.reason || len(a.shown) != 0 {
			t.Errorf("%s: %s, asked %d times", name, wire(t, r), len(a.shown))
		}
	}
}

// TestA7TheOneWhoAllowedMustStillBeThere: roles change while a card is open, and
// between the answer and the effect.
// holds: A7
func TestA7TheOneWhoAllowedMustStillBeThere(t *testing.T) {
	demoted := manager
	demoted.Scopes = clerk.Scopes
	for name, tt := range map[string]struct {
		left  []bus.Principal
		asked int
		ok    bool
	}{
		"gone, another is asked": {[]bus.Principal{boss}, 2, true},
		"gone, and nobody left":  {nil, 1, false},
		"no manager any more":    {[]bus.Principal{demoted}, 1, false},
	} {
		a := &joining{approver: &approver{}, staff: []bus.Principal{manager, boss}}
		a.say = func(n int, p *bus.Preview) bus.Decision {
			if n == 1 {
				a.staff = tt.left
				return allowedBy(manager)(n, p)
			}
			return allowedBy(boss)(n, p)
		}
		b, j := withApprover(t, a, limitedAdd())
		r := b.Invoke(t.Context(), call("till.add", `{"coins":11}`))
		if r.OK() != tt.ok || len(a.shown) != tt.asked || (j.Row("till", "main") != nil) != tt.ok {
			t.Errorf("%s: %s, asked %d times, %v", name, wire(t, r), len(a.shown), j.Row("till", "main"))
		}
		records(t, j, 1)
	}
}

// holds: A7
func TestA7WhatIsShownIsWhatTheLentRightGives(t *testing.T) {
	c := limitedAdd()
	plain := c.Handler
	c.Handler = func(ctx context.Context, call *bus.Call) (out json.RawMessage, err error) {
		out, err = plain(ctx, call)
		if call.Person.Has("till:lots") {
			call.Summarize("Add many")
		}
		return out, err
	}
	a := &joining{approver: &approver{say: allowedBy(boss)}, staff: []bus.Principal{manager, boss}}
	b, _ := withApprover(t, a, c)
	dry := call("till.add", `{"coins":11}`)
	dry.DryRun = true
	wantOK(t, b.Invoke(t.Context(), dry))
	if len(a.shown) != 0 {
		t.Error("a dry run asked somebody")
	}
	wantOK(t, b.Invoke(t.Context(), call("till.add", `{"coins":11}`)))
	if len(a.asked) != 1 || a.asked[0].Summary != "Add many" {
		t.Errorf("shown %+v", a.asked)
	}
}

// holds: A7
func TestA7EditedArgumentsFindTheirOwnApprovers(t *testing.T) {
	for args, joined := range map[string]bool{`{"coins":5}`: false, `{"coins":500}`: true} {
		a := &joining{approver: &approver{}, staff: []bus.Principal{manager, boss}}
		a.say = func(n int, p *bus.Preview) bus.Decision {
			if n == 1 {
				return bus.Decision{Allowed: true, Answer: "edit", By: clerk.ID, Arguments: []byte(args)}
			}
			return bus.Decision{Allowed: true, Answer: "allow", By: clerk.ID}
		}
		b, j := withApprover(t, a, limitedAdd())
		r := b.Invoke(t.Context(), call("till.add", `{"coins":11}`))
		if r.OK() == joined || len(a.shown) != 2 || (a.shown[1].Refused != nil) != joined ||
			(j.Row("till", "main") != nil) == joined {
			t.Errorf("%s: %s", args, wire(t, r))
		}
	}
}
