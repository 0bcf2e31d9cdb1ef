package agent_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/deskhand/deskhand/agent"
	"github.com/deskhand/deskhand/agent/model"
	"github.com/deskhand/deskhand/agent/policy"
	"github.com/deskhand/deskhand/bus"
	"github.com/google/go-cmp/cmp"
)

// holds: A5
func TestA5EqualOutwardCallsOfATurnAreOne(t *testing.T) {
	args := `{"shippingAddressId":"addr_h","paymentMethodId":"pm_visa"}`
	m := &script{Steps: []step{reply("", use("a", "cart_addItem", `{"productId":"p","quantity":2}`)),
		reply("", use("b", "checkout_submit", args), use("c", "checkout_submit",
			`{"paymentMethodId":"pm_visa","shippingAddressId":"addr_h"}`)),
		reply("", use("d", "checkout_submit", args)), reply("ok"),
		reply("", use("e", "cart_addItem", `{"productId":"p","quantity":1}`)), reply("", use("f", "checkout_submit", args)),
		reply("ok")}}
	r := newRoom(t, m)
	u := r.Say("submit it")
	if len(r.Cards) != 1 || len(u.Ended().Actions) != 4 || !u.Ended().Actions[3].Replayed {
		t.Errorf("%d cards, %+v", len(r.Cards), u.Ended().Actions)
	}
	r.Say("submit it again")
	if len(r.Cards) != 2 {
		t.Errorf("another turn asks again: %d cards", len(r.Cards))
	}
	was, now := r.Cards[0].Why, r.Cards[1].Why
	if strings.Contains(was, "done before") || !strings.Contains(now, "In this conversation it was done before: ") {
		t.Errorf("the earlier result: %q, %q", was, now)
	}
}

// holds: A14
func TestA14HallucinatedToolsAreNotFound(t *testing.T) {
	m := &script{Steps: []step{reply("", use("a", "order_rush", `{}`), use("b", "rm -rf / .", `{}`)),
		reply("There is no such thing.")}}
	r := newRoom(t, m)
	u := r.Say("rush my order")
	for i, res := range m.Results(t) {
		if res["code"] != "NOT_FOUND" || res["status"] != "error" {
			t.Errorf("%d: %v", i, res)
		}
	}
	if len(r.Journal.Entries()) != 2 || u.Ended().Status != agent.StatusDone ||
		u.Ended().Actions[0].Outcome != agent.ActionRefused {
		t.Errorf("%d records, %+v", len(r.Journal.Entries()), u.Ended())
	}
}

// holds: A2
func TestA2BrokenArgumentsBecomeAValidationResult(t *testing.T) {
	bad := use("a", "cart_addItem", "{}")
	bad.Broken = `{"productId": oops`
	m := &script{Steps: []step{reply("", bad), reply("sorry")}}
	r := newRoom(t, m)
	r.Say("go")
	if res := m.Results(t)[0]; res["code"] != "VALIDATION" {
		t.Error(res)
	}
	for _, msg := range m.Last().Messages {
		for _, c := range msg.Calls {
			if string(c.Arguments) != "{}" {
				t.Errorf("sent back: %s", c.Arguments)
			}
		}
	}
	if len(r.Journal.Entries()) != 1 {
		t.Errorf("%d records", len(r.Journal.Entries()))
	}
}

// holds: A14
func TestA14ForbiddenAndInternalAreNotRepeatedInATurn(t *testing.T) {
	broken := capability("x.broken", "Break", bus.UIOnly, object("", ""),
		func(context.Context, *bus.Call) (json.RawMessage, error) { return nil, errors.New("boom") })
	for tool, want := range map[string]string{"x_broken": "INTERNAL", "checkout_submit": "FORBIDDEN"} {
		args := map[string]string{"x_broken": `{}`,
			"checkout_submit": `{"shippingAddressId":"addr_h","paymentMethodId":"pm_visa"}`}[tool]
		m := &script{Steps: []step{reply("", use("", "cart_addItem", `{"productId":"p","quantity":1}`)),
			reply("", use("", tool, args)), reply("", use("", tool, args)), reply("ok"), reply("", use("", tool, args)),
			reply("ok")}}
		r := newRoom(t, m)
		r.Bus.MustRegister(broken)
		r.Answer = func(policy.Card) *policy.Answer { return &policy.Answer{Answer: bus.AnswerDeny, Reason: "no"} }
		r.Say("go")
		if n := len(r.Journal.Entries()); n != 2 {
			t.Errorf("%s: %d invocations", tool, n)
		}
		for _, res := range m.Results(t)[1:] {
			if res["code"] != want {
				t.Errorf("%s: %v", tool, res)
			}
		}
		r.Say("try again")
		if n := len(r.Journal.Entries()); n != 3 {
			t.Errorf("%s: the next turn may try again: %d invocations", tool, n)
		}
	}
}

// TestA14EachCodeHasItsConduct: in one turn a model may call twice more after VALIDATION, once for each set of
// arguments after NOT_FOUND and PRECONDITION_FAILED until something was changed, and not again after FORBIDDEN and INTERNAL.
//
// holds: A14
func TestA14EachCodeHasItsConduct(t *testing.T) {
	fail := func(n int) step { return reply("", use("", "x_fail", fmt.Sprintf(`{"n":%d}`, n))) }
	both := func(n, m int) step {
		return reply("", use("", "x_fail", fmt.Sprintf(`{"n":%d}`, n)), use("", "x_fail", fmt.Sprintf(`{"n":%d}`, m)))
	}
	change, read := reply("", use("", "x_change", `{}`)), reply("", use("", "x_read", `{}`))
	wrong := bus.Errorf(bus.Validation, bus.ReasonArguments, "No.")
	state := bus.Errorf(bus.PreconditionFailed, bus.ReasonState, "No.").WithHint("Change it first.")
	missing := bus.Errorf(bus.NotFound, bus.ReasonRecord, "No.")
	for name, tc := range map[string]struct {
		err   *bus.Error
		steps []step
		runs  int
	}{
		"wrong in six ways":            {wrong, []step{fail(1), fail(2), fail(3), fail(4), fail(5), fail(6)}, 3},
		"wrong in one reply":           {wrong, []step{both(1, 2), both(3, 4)}, 4},
		"wrong, and right between":     {wrong, []step{fail(1), fail(2), fail(0), fail(3), fail(4), fail(5), fail(6)}, 6},
		"a state, four times":          {state, []step{fail(1), fail(1), fail(1), fail(1)}, 1},
		"a state of others":            {state, []step{fail(1), fail(2), fail(3), fail(4)}, 4},
		"a state, and a change":        {state, []step{fail(1), change, fail(1), fail(1)}, 2},
		"a state, and a read":          {state, []step{fail(1), read, fail(1)}, 1},
		"nothing there":                {missing, []step{fail(1), fail(1), fail(2)}, 2},
		"nothing there until a change": {missing, []step{fail(1), change, fail(1)}, 2},
		"forbidden":                    {bus.Errorf(bus.Forbidden, bus.ReasonPermission, "No."), []step{fail(1), fail(2)}, 1},
		"failed":                       {bus.Errorf(bus.Internal, bus.ReasonUncoded, "No."), []step{fail(1), fail(2)}, 1},
		"over a limit, and another one": {bus.Errorf(bus.Forbidden, bus.ReasonLimit, "No."), []step{fail(1), fail(1),
			fail(2)}, 2},
	} {
		t.Run(name, func(t *testing.T) {
			var runs atomic.Int32 // reads of one reply are made at once
			m := &script{Steps: append(tc.steps, reply("ok"))}
			r := newRoom(t, m)
			r.Bus.MustRegister(capability("x.fail", "Fail", bus.Pure, object("n", `"n":{"type":"integer"}`),
				func(_ context.Context, call *bus.Call) (json.RawMessage, error) {
					if runs.Add(1); strings.Contains(string(call.Arguments), "0") {
						return raw("{}"), nil
					}
					return nil, tc.err
				}), capability("x.change", "Change", bus.UIOnly, object("", ""),
				func(context.Context, *bus.Call) (json.RawMessage, error) { return raw("{}"), nil }),
				capability("x.read", "Read", bus.Pure, object("", ""),
					func(context.Context, *bus.Call) (json.RawMessage, error) { return raw("{}"), nil }))
			r.Say("go")
			if n := int(runs.Load()); n != tc.runs {
				t.Errorf("it ran %d times, want %d", n, tc.runs)
			}
			for _, res := range m.Results(t) {
				if code := res["code"]; code != nil && code != string(tc.err.Code) {
					t.Errorf("%v", res)
				}
			}
		})
	}
}

// holds: A14
func TestA14WhatMayPassIsRepeatedAfterAWait(t *testing.T) {
	limited := bus.Errorf(bus.Transient, bus.ReasonRateLimit, "No.")
	limited.RetryAfter = 10 * time.Second
	late := bus.Errorf(bus.Transient, bus.ReasonRateLimit, "No.")
	late.RetryAfter = 11 * time.Second
	for name, tc := range map[string]struct {
		err    *bus.Error
		effect bus.SideEffect
		waits  []time.Duration
	}{
		"a busy place, once":    {bus.Errorf(bus.Conflict, bus.ReasonBusy, "No."), bus.Pure, []time.Duration{time.Second}},
		"of what can be undone": {bus.Errorf(bus.Conflict, bus.ReasonBusy, "No."), bus.UIOnly, []time.Duration{time.Second}},
		"a changed world":       {bus.Errorf(bus.Conflict, bus.ReasonChanged, "No."), bus.Pure, nil},
		"a network": {bus.Errorf(bus.Transient, bus.ReasonNetwork, "No."), bus.Pure,
			[]time.Duration{time.Second, 2 * time.Second}},
		"a rate that says when":   {limited, bus.Pure, []time.Duration{10 * time.Second, 10 * time.Second}},
		"a rate that says late":   {late, bus.Pure, nil},
		"a call that was stopped": {bus.Errorf(bus.Transient, bus.ReasonCancelled, "No."), bus.Pure, nil},
		"what reaches outside":    {bus.Errorf(bus.Conflict, bus.ReasonBusy, "No."), bus.Network, nil},
	} {
		var waits []time.Duration
		n := 0
		c := capability("x.flaky", "Flaky", tc.effect, object("", ""),
			func(context.Context, *bus.Call) (json.RawMessage, error) { n++; return nil, tc.err })
		c.Run.Preview = func(context.Context, *bus.Call) (json.RawMessage, error) { return raw("{}"), nil }
		if tc.effect != bus.Network {
			c.Run.Preview = nil
		}
		m := &script{Steps: []step{reply("", use("a", "x_flaky", `{}`)), reply("ok")}}
		r := newRoom(t, m, func(o *agent.Options, _ *policy.Options) {
			o.Sleep = func(_ context.Context, d time.Duration) error { waits = append(waits, d); return nil }
		})
		r.Bus.MustRegister(c)
		r.Say("go")
		if d := cmp.Diff(tc.waits, waits); d != "" || n != len(waits)+1 || len(r.Journal.Entries()) != n {
			t.Errorf("%s: %d runs, waits (-want +got):\n%s", name, n, d)
		}
	}
}

// After a restart, the bridge has no calls of earlier turns in memory, and an identical call is still another one.
//
// holds: A4
func TestA4ACallOfAnotherTurnIsAnotherCall(t *testing.T) {
	add := reply("", use("a", "cart_addItem", `{"productId":"p","quantity":1}`))
	m := &script{Steps: []step{add, reply("ok"), add, reply("ok")}}
	r := newRoom(t, m)
	r.Say("one")
	r.Bridge.Close()
	r.Bridge = agent.New(agent.Options{Bus: r.Bus, Policy: r.Policy, Model: func() model.Model { return m }})
	t.Cleanup(r.Bridge.Close)
	r.Say("another")
	if e := r.Journal.Entries(); len(e) != 2 || e[1].Result.Replayed || e[0].Key.Value == e[1].Key.Value {
		t.Errorf("%d records", len(e))
	}
}

// holds: A14
func TestA14TransientReadsAreRepeated(t *testing.T) {
	n := 0
	flaky := capability("x.flaky", "Flaky", bus.Pure, object("", ""),
		func(context.Context, *bus.Call) (json.RawMessage, error) {
			if n++; n < 3 {
				return nil, bus.Errorf(bus.Transient, bus.ReasonNetwork, "Not now.")
			}
			return raw("{}"), nil
		})
	m := &script{Steps: []step{reply("", use("a", "x_flaky", `{}`)), reply("ok")}}
	r := newRoom(t, m)
	r.Bus.MustRegister(flaky)
	r.Say("go")
	if res := m.Results(t); len(res) != 1 || res[0]["status"] != "success" {
		t.Error(res)
	}
}
