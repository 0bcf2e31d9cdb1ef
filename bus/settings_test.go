package bus_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/bus/bustest"
	"github.com/google/go-cmp/cmp"
)

// Each setting of a capability has an effect of its own: a test for each.

// breaking fails with err each time, and counts.
func breaking(err error, n *int) bus.Capability {
	return doing("a.b", bus.UIOnly, func(context.Context, *bus.Call) (json.RawMessage, error) {
		*n++
		return nil, err
	})
}

// wantAttempts fails unless a capability that is always busy is tried at these times.
func wantAttempts(t *testing.T, policy bus.RetryPolicy, want ...time.Duration) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		var at []time.Duration
		start := time.Now()
		c := doing("a.b", bus.UIOnly, func(context.Context, *bus.Call) (json.RawMessage, error) {
			at = append(at, time.Since(start))
			return nil, bus.Errorf(bus.Transient, bus.ReasonNetwork, "Busy.")
		})
		c.Run.Retry = &policy
		b, j, _ := bustest.New(t, c)
		wantError(t, b.Invoke(t.Context(), call("a.b", `{}`)), bus.Transient, bus.ReasonNetwork)
		if d := cmp.Diff(want, at); d != "" {
			t.Errorf("attempts (-want +got):\n%s", d)
		}
		if e := records(t, j, 1); e.Attempts != len(want) {
			t.Errorf("%d attempts recorded", e.Attempts)
		}
	})
}

// holds: C10
func TestC10RetryAt0And1000And2000Ms(t *testing.T) {
	wantAttempts(t, bus.RetryPolicy{MaxAttempts: 3, InitialDelay: time.Second, BackoffMultiplier: 2, MaxDelay: 10 * time.Second},
		0, time.Second, 3*time.Second)
}

// holds: C10
func TestC10TheDelayGrowsUpToItsMaximum(t *testing.T) {
	wantAttempts(t, bus.RetryPolicy{MaxAttempts: 5, InitialDelay: time.Second, BackoffMultiplier: 10, MaxDelay: 3 * time.Second},
		0, time.Second, 4*time.Second, 7*time.Second, 10*time.Second)
}

// holds: C10
func TestC10OnlyTheReasonsOfThePolicyAreRetried(t *testing.T) {
	for name, tc := range map[string]struct {
		err  error
		on   []bus.Reason
		want int
	}{
		"named":             {bus.Errorf(bus.Transient, bus.ReasonNetwork, "No."), []bus.Reason{bus.ReasonNetwork}, 3},
		"any, none named":   {bus.Errorf(bus.Transient, bus.ReasonNetwork, "No."), nil, 3},
		"another than that": {bus.Errorf(bus.Transient, bus.ReasonNetwork, "No."), []bus.Reason{bus.ReasonTimeout}, 1},
		"a conflict":        {bus.Errorf(bus.Conflict, bus.ReasonChanged, "No."), nil, 1},
		"a bug":             {errPlain, nil, 1},
		"cancelled":         {bus.Errorf(bus.Transient, bus.ReasonCancelled, "No."), nil, 1},
	} {
		synctest.Test(t, func(t *testing.T) {
			n := 0
			c := breaking(tc.err, &n)
			c.Run.Retry = &bus.RetryPolicy{MaxAttempts: 3, InitialDelay: 10 * time.Millisecond, RetryOn: tc.on}
			b, _, _ := bustest.New(t, c)
			b.Invoke(t.Context(), call("a.b", `{}`))
			if n != tc.want {
				t.Errorf("%s: %d attempts, want %d", name, n, tc.want)
			}
		})
	}
}

// holds: C10
func TestC10ABurstIsSmallerThanTheRate(t *testing.T) {
	c := doing("a.b", bus.Pure, ok)
	c.Run.RateLimit = &bus.RateLimit{Requests: 60, Period: time.Minute, Burst: 2}
	b, _, clock := bustest.New(t, c)
	for range 2 {
		wantOK(t, b.Invoke(t.Context(), call("a.b", `{}`)))
	}
	wantError(t, b.Invoke(t.Context(), call("a.b", `{}`)), bus.Transient, bus.ReasonRateLimit)
	clock.Advance(time.Second)
	wantOK(t, b.Invoke(t.Context(), call("a.b", `{}`)))
	wantError(t, b.Invoke(t.Context(), call("a.b", `{}`)), bus.Transient, bus.ReasonRateLimit)
}

// TestC10AnEmptyBucketIsEmptyToTheNanosecond: the clock of a call goes in milliseconds, a period need not.
//
// holds: C10
func TestC10AnEmptyBucketIsEmptyToTheNanosecond(t *testing.T) {
	c := doing("a.b", bus.Pure, ok)
	c.Run.RateLimit = &bus.RateLimit{Requests: 1, Period: time.Millisecond + 1}
	b, _, clock := bustest.New(t, c)
	wantOK(t, b.Invoke(t.Context(), call("a.b", `{}`)))
	clock.Advance(time.Millisecond)
	wantError(t, b.Invoke(t.Context(), call("a.b", `{}`)), bus.Transient, bus.ReasonRateLimit)
	clock.Advance(time.Millisecond)
	wantOK(t, b.Invoke(t.Context(), call("a.b", `{}`)))
}

// withKey is a call with an idempotency key.
func withKey(name, args string) bus.Invocation {
	inv := call(name, args)
	inv.IdempotencyKey = "k"
	return inv
}

// holds: B4
func TestA5AResultIsKeptForItsWindow(t *testing.T) {
	kept, expiring := doing("a.kept", bus.UIOnly, ok), doing("a.expiring", bus.UIOnly, ok)
	kept.Run.KeepResult = true
	for window, want := range map[time.Duration]time.Duration{0: 30 * 24 * time.Hour, time.Hour: time.Hour} {
		o, j, _ := bustest.Options()
		o.IdempotencyWindow = window
		b := bus.New(o)
		b.MustRegister(kept, expiring)
		wantOK(t, b.Invoke(t.Context(), withKey("a.kept", `{}`)))
		wantOK(t, b.Invoke(t.Context(), withKey("a.expiring", `{}`)))
		if e := j.Entries(); e[0].Key.Window != 0 || e[1].Key.Window != want {
			t.Errorf("windows %v and %v, want for ever and %v", e[0].Key.Window, e[1].Key.Window, want)
		}
	}
}

// holds: A5 B4
func TestA5AKeyIsItsCallersOwn(t *testing.T) {
	n := 0
	counting := func(name string) bus.Capability {
		return doing(name, bus.UIOnly, func(context.Context, *bus.Call) (json.RawMessage, error) {
			n++
			return json.RawMessage(`{}`), nil
		})
	}
	b, _, _ := bustest.New(t, counting("a.b"), counting("a.c"))
	first := b.Invoke(t.Context(), withKey("a.b", `{}`))
	again := b.Invoke(t.Context(), withKey("a.b", `{}`))
	if n != 1 || !again.Replayed || again.RequestID == first.RequestID {
		t.Errorf("%d runs; the second answer: %s", n, wire(t, again))
	}
	elsewhere, other := withKey("a.b", `{}`), withKey("a.b", `{}`)
	elsewhere.Caller.Source, other.Caller.Type = "another", bus.CallerUI
	for i, inv := range []bus.Invocation{elsewhere, other, withKey("a.c", `{}`)} {
		if r := b.Invoke(t.Context(), inv); r.Replayed || n != i+2 {
			t.Errorf("%s by %v: replayed", inv.Capability, inv.Caller)
		}
	}
}

// present is a journal that writes nothing for a caller who is gone.
type present struct{ *bustest.Journal }

func (p present) Record(ctx context.Context, e *bus.Entry) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	return p.Journal.Record(ctx, e)
}

// holds: B12
func TestB12TheRecordIsWrittenAfterTheCallerHasGone(t *testing.T) {
	o, j, _ := bustest.Options()
	o.Journal = present{j}
	b := bus.New(o)
	ctx, leave := context.WithCancel(t.Context())
	b.MustRegister(doing("a.b", bus.Pure, func(context.Context, *bus.Call) (json.RawMessage, error) {
		leave()
		return nil, context.Canceled
	}))
	wantError(t, b.Invoke(ctx, call("a.b", `{}`)), bus.Transient, bus.ReasonCancelled)
	records(t, j, 1)
}

// holds: B6
func TestB6ABusySlotIsSeenBeforeAPersonIsAsked(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := &approver{say: yes}
		slow := doing("a.slow", bus.Network, func(context.Context, *bus.Call) (json.RawMessage, error) {
			time.Sleep(time.Second)
			return json.RawMessage(`{}`), nil
		})
		slow.Run.Concurrency = bus.Exclusive
		b, _ := withApprover(t, a, slow)
		done := make(chan bus.Result)
		go func() { done <- b.Invoke(context.Background(), call("a.slow", `{}`)) }()
		synctest.Wait()
		wantError(t, b.Invoke(t.Context(), byAgent(call("a.slow", `{}`))), bus.Conflict, bus.ReasonBusy)
		if len(a.asked) > 0 {
			t.Error("a person was asked")
		}
		wantOK(t, <-done)
	})
}

// holds: B1
func TestB1AnAgentIsNotLedToAHiddenName(t *testing.T) {
	hidden := doing("till.open", bus.Pure, ok)
	hidden.Assistant.Hidden = true
	b, _, _ := bustest.New(t, hidden, doing("till.often", bus.Pure, ok))
	person := b.Invoke(t.Context(), call("till.opem", `{}`))
	agent := b.Invoke(t.Context(), byAgent(call("till.opem", `{}`)))
	if !strings.Contains(person.Err.Hint, "till.open") {
		t.Errorf("a person: %s", person.Err.Hint)
	}
	if strings.Contains(agent.Err.Hint, "till.open") || !strings.Contains(agent.Err.Hint, "till.often") {
		t.Errorf("an agent: %s", agent.Err.Hint)
	}
}

// holds: C1
func TestC1ANameMayBeginWithADomain(t *testing.T) {
	b, _, _ := bustest.New(t, doing("com.example.till.add", bus.Pure, ok))
	wantOK(t, b.Invoke(t.Context(), call("com.example.till.add", `{}`)))
}

// holds: C4
func TestC4WhatIsNotEnforcedIsRefusedInDefinitionsToo(t *testing.T) {
	for _, of := range []string{"$defs", "definitions"} {
		c := doing("a.b", bus.Pure, ok)
		c.InputSchema = json.RawMessage(`{"type":"object","` + of + `":{"coin":{"type":"integer","minimun":1}},
			"properties":{"coin":{"$ref":"#/` + of + `/coin"}}}`)
		o, _, _ := bustest.Options()
		if err := bus.New(o).Register(c); err == nil || !strings.Contains(err.Error(), "/"+of+"/coin/minimun") {
			t.Errorf("%s: %v", of, err)
		}
	}
}

// holds: C4
func TestC4DefaultsAreFilledInsideLists(t *testing.T) {
	var got string
	c := doing("a.b", bus.Pure, func(_ context.Context, c *bus.Call) (json.RawMessage, error) {
		got = string(c.Arguments)
		return json.RawMessage(`{}`), nil
	})
	c.InputSchema = json.RawMessage(`{"type":"object","properties":{"lines":{"type":"array","items":{"type":"object",
		"properties":{"n":{"type":"integer","default":3}}}}}}`)
	b, _, _ := bustest.New(t, c)
	wantOK(t, b.Invoke(t.Context(), call("a.b", `{"lines":[{},{"n":1}]}`)))
	if got != `{"lines":[{"n":3},{"n":1}]}` {
		t.Error(got)
	}
}

// holds: B7
func TestB7TheConditionsOfAStepHoldForThePlan(t *testing.T) {
	closed := grantable(add())
	closed.Name = "till.late"
	closed.Checks.Preconditions = []bus.Precondition{{Name: "open", Check: func(context.Context, *bus.Call) error {
		return bus.Errorf(bus.PreconditionFailed, bus.ReasonState, "The till is closed.")
	}}}
	limited := doing("till.rare", bus.UIOnly, ok)
	limited.Run.RateLimit = &bus.RateLimit{Requests: 1, Period: time.Minute}
	b, j := planBus(t, &approver{rule: bus.RuleConfirm, say: yes}, closed, limited)
	wantError(t, b.Invoke(t.Context(), plan(`{"capability":"till.late","arguments":{"coins":1}}`)),
		bus.PreconditionFailed, bus.ReasonState)
	wantError(t, b.Invoke(t.Context(), plan(`{"capability":"till.rare"}`)), bus.Validation, bus.ReasonArguments)
	many := strings.TrimSuffix(strings.Repeat(`{"capability":"till.read"},`, 21), ",")
	wantError(t, b.Invoke(t.Context(), plan(many)), bus.Validation, bus.ReasonArguments)
	if j.Row("till", "main") != nil {
		t.Error("it was done")
	}
}
