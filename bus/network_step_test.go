package bus_test

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/bus/bustest"
)

// mail is a network step that goes where the tables say.
func mail(sent *[]string) bus.Capability {
	to := func(ctx context.Context) string {
		row := bustest.Tables(ctx).Get("contact", "main")
		if row == nil {
			return "nobody"
		}
		return row["to"].(string)
	}
	c := doing("mail.send", bus.Network, func(ctx context.Context, _ *bus.Call) (json.RawMessage, error) {
		*sent = append(*sent, to(ctx))
		return json.RawMessage(`{}`), nil
	})
	c.Run.Preview = func(ctx context.Context, call *bus.Call) (json.RawMessage, error) {
		call.Summarize("Mail to %s", to(ctx))
		return json.RawMessage(`{}`), nil
	}
	return c
}

func move() bus.Capability {
	return doing("contact.move", bus.UIOnly, func(ctx context.Context, call *bus.Call) (json.RawMessage, error) {
		var in struct{ To string }
		if err := call.Decode(&in); err != nil {
			return nil, err
		}
		return nil, bustest.Tables(ctx).Set("contact", "main", map[string]any{"to": in.To})
	})
}

// holds: B7
func TestB7NetworkStepThatBecameAnotherIsAskedAgain(t *testing.T) {
	var sent []string
	a := &approver{}
	b, j := withApprover(t, a, mail(&sent), move())
	wantOK(t, b.Invoke(t.Context(), call("contact.move", `{"to":"ana"}`)))
	a.say = func(n int, p *bus.Preview) bus.Decision {
		if n == 1 {
			wantOK(t, b.Invoke(context.Background(), call("contact.move", `{"to":"mallory"}`)))
			return yes(n, p)
		}
		return bus.Decision{Answer: "deny"}
	}
	wantError(t, b.Invoke(t.Context(), byAgent(call("mail.send", `{}`))), bus.Forbidden, bus.ReasonDeclined)
	if len(sent) != 0 || len(a.asked) != 2 || a.asked[1].Summary != "Mail to mallory" || len(j.Inflight()) != 0 {
		t.Errorf("sent to %v after %+v", sent, a.asked)
	}
}

// holds: B7
func TestB7LimitHoldsForEditedArguments(t *testing.T) {
	c := add()
	c.Checks.Limit = func(_ context.Context, call *bus.Call) error {
		var in addIn
		if err := call.Decode(&in); err != nil {
			return err
		}
		if in.Coins > 10 {
			return bus.Errorf(bus.Forbidden, bus.ReasonLimit, "Too many.")
		}
		return nil
	}
	b, j := withApprover(t, &approver{say: func(n int, p *bus.Preview) bus.Decision {
		d := yes(n, p)
		if n == 1 {
			d.Arguments = json.RawMessage(`{"coins":999}`)
		}
		return d
	}}, c)
	wantError(t, b.Invoke(t.Context(), byAgent(call("till.add", `{"coins":1}`))), bus.Forbidden, bus.ReasonLimit)
	if j.Row("till", "main") != nil {
		t.Error("it ran")
	}
}

// holds: B4
func TestB4RetryAfterAnEditFindsTheResult(t *testing.T) {
	b, j := withApprover(t, &approver{say: func(n int, p *bus.Preview) bus.Decision {
		d := yes(n, p)
		if n == 1 {
			d.Arguments = json.RawMessage(`{"coins":2}`)
		}
		return d
	}}, add())
	inv := byAgent(keyed(`{"coins":7}`, "k"))
	wantOK(t, b.Invoke(t.Context(), inv))
	if r := b.Invoke(t.Context(), inv); !r.OK() || !r.Replayed || j.Row("till", "main")["total"] != 2 {
		t.Errorf("%s, row %v", wire(t, r), j.Row("till", "main"))
	}
}

// holds: U10
func TestU10CancelledBetweenAttemptsStillEndsItsNote(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(context.Background())
		c := doing("mail.send", bus.Network, func(context.Context, *bus.Call) (json.RawMessage, error) {
			return nil, bus.Errorf(bus.Transient, bus.ReasonNetwork, "Busy.")
		})
		c.Run.Retry = &bus.RetryPolicy{MaxAttempts: 3, InitialDelay: time.Second, BackoffMultiplier: 2}
		b, j, _ := bustest.New(t, c)
		time.AfterFunc(500*time.Millisecond, cancel)
		wantError(t, b.Invoke(ctx, call("mail.send", `{}`)), bus.Transient, bus.ReasonCancelled)
		if records(t, j, 1); len(j.Inflight()) != 0 {
			t.Error("the note stayed: the next start would record it again")
		}
	})
}

// holds: U10
func TestU10UnknownOutcomeIsNotRetried(t *testing.T) {
	var ran atomic.Int32
	c := doing("mail.send", bus.Network, func(ctx context.Context, _ *bus.Call) (json.RawMessage, error) {
		ran.Add(1)
		<-ctx.Done()
		return nil, ctx.Err()
	})
	c.Run.Timeout = soon
	c.Run.Retry = &bus.RetryPolicy{MaxAttempts: 3, InitialDelay: time.Millisecond, BackoffMultiplier: 1}
	b, j, _ := bustest.New(t, c)
	r := b.Invoke(t.Context(), call("mail.send", `{}`))
	wantError(t, r, bus.Transient, bus.ReasonInterrupted)
	if ran.Load() != 1 || r.Err.Retryable() || strings.Contains(r.Err.Message, "nothing") {
		t.Errorf("ran %d times: %s", ran.Load(), wire(t, r))
	}
	records(t, j, 1)
}

// TestU10WhatBreaksOnItsWayOutIsUnknown: after the handler was there nobody says that nothing was changed, and the same
// key does not run it again.
// holds: U10 B4
func TestU10WhatBreaksOnItsWayOutIsUnknown(t *testing.T) {
	answering := func(answer string) handler {
		return func(context.Context, *bus.Call) (json.RawMessage, error) { return json.RawMessage(answer), nil }
	}
	for name, tt := range map[string]struct {
		h       handler
		reason  bus.Reason
		unknown bool
	}{
		"an answer of another shape":   {answering(`{"sent":"yes"}`), bus.ReasonResponse, true},
		"an answer that lacks a field": {answering(`{}`), bus.ReasonResponse, true},
		"no JSON":                      {answering(`<html>`), bus.ReasonResponse, true},
		"a fact that is not declared": {func(_ context.Context, call *bus.Call) (json.RawMessage, error) {
			call.Fact("to", "ana")
			return json.RawMessage(`{"sent":1}`), nil
		}, bus.ReasonUncoded, true},
		"an error without a code": {func(context.Context, *bus.Call) (json.RawMessage, error) { return nil, errPlain },
			bus.ReasonUncoded, true},
		"a panic": {func(context.Context, *bus.Call) (json.RawMessage, error) { panic("no") }, bus.ReasonPanic, true},
		"the other end's words": {func(context.Context, *bus.Call) (json.RawMessage, error) {
			return nil, bus.Errorf(bus.Internal, bus.ReasonResponse, "It was done, and its answer is too large.")
		}, bus.ReasonResponse, true},
		"a refusal": {func(context.Context, *bus.Call) (json.RawMessage, error) {
			return nil, bus.Errorf(bus.NotFound, bus.ReasonRecord, "There is no such address.")
		}, bus.ReasonRecord, false},
	} {
		ran := 0
		c := doing("mail.send", bus.Network, func(ctx context.Context, call *bus.Call) (json.RawMessage, error) {
			ran++
			return tt.h(ctx, call)
		})
		c.OutputSchema = json.RawMessage(`{"type":"object","required":["sent"],"properties":{"sent":{"type":"integer"}}}`)
		b, j, _ := bustest.New(t, c)
		inv := keyedCall("mail.send", `{}`, "once")
		first := b.Invoke(t.Context(), inv)
		again := b.Invoke(t.Context(), inv)
		if first.Err == nil || first.Err.Reason != tt.reason || strings.Contains(first.Err.Message, "nothing was changed") ||
			first.Err.Retryable() || len(j.Inflight()) > 0 {
			t.Errorf("%s: %s", name, wire(t, first))
		}
		if (ran == 1) != tt.unknown || tt.unknown && (again.Err == nil || again.Err.Reason != bus.ReasonInterrupted) {
			t.Errorf("%s: ran %d times, then %s", name, ran, wire(t, again))
		}
		broken := tt.reason == bus.ReasonResponse && name != "the other end's words"
		if e := j.Entries()[0]; (e.Kind == bus.KindSchemaViolation) != broken || broken && (first.Err.SchemaSide != "response" ||
			len(first.Err.Violations) == 0 || len(e.Response) == 0) {
			t.Errorf("%s: recorded as %+v", name, e)
		}
	}
}

// TestC14AStepOutsideReadsWhatItsResourcesName: as its preview does.
// holds: C14
func TestC14AStepOutsideReadsWhatItsResourcesName(t *testing.T) {
	for _, resources := range [][]string{nil, {"network:write"}, {"network:write", "database:read"}} {
		var refused []bool
		note := func(ctx context.Context, _ *bus.Call) (json.RawMessage, error) {
			refused = append(refused, bus.NoDatabase(ctx))
			return json.RawMessage(`{}`), nil
		}
		c := doing("mail.send", bus.Network, note)
		c.Resources, c.Run.Preview = resources, note
		b, _ := withApprover(t, &approver{say: yes}, c)
		wantOK(t, b.Invoke(t.Context(), byAgent(call("mail.send", `{}`)))) // shown, shown again, done
		if want := len(resources) < 2; !slices.Equal(refused, []bool{want, want, want}) {
			t.Errorf("%v: refused %v", resources, refused)
		}
	}
}

// holds: C13
func TestC13SecretsOfARefusedCallAreNotKept(t *testing.T) {
	c := doing("a.pin", bus.UIOnly, ok)
	c.InputSchema = json.RawMessage(
		`{"type":"object","properties":{"pin":{"type":"string","maxLength":4,"pattern":"^[0-9]+$","writeOnly":true}}}`)
	b, j, _ := bustest.New(t, c)
	for _, args := range []string{`{"pin":"hunter22"}`, `{"pin":{"deep":"hunter22"}}`, `{"pin":"hunter22"`,
		`{"pin":"hunter22","pin":"1"}`, `["hunter22"]`} {
		r := b.Invoke(t.Context(), call("a.pin", args))
		wantError(t, r, bus.Validation, bus.ReasonArguments)
		e := j.Entries()[len(j.Entries())-1]
		if got := string(e.Invocation.Arguments) + wire(t, r); strings.Contains(got, "hunter22") {
			t.Errorf("%s: %s", args, got)
		}
	}
}

// holds: A6
func TestA6UnknownRuleIsDenied(t *testing.T) {
	b, _ := withApprover(t, &approver{rule: "confirm", say: yes}, add())
	wantError(t, b.Invoke(t.Context(), byAgent(call("till.add", `{"coins":1}`))), bus.Forbidden,
		bus.ReasonCapabilityNotGranted)
}

// holds: B8
func TestB8SlowOrPanickingCheckEndsLikeAHandler(t *testing.T) {
	for reason, check := range map[bus.Reason]func(n int32) error{
		bus.ReasonTimeout: func(n int32) error {
			if n > 1 {
				time.Sleep(20 * soon)
			}
			return nil
		},
		bus.ReasonPanic: func(n int32) error {
			if n > 1 {
				panic("no")
			}
			return nil
		},
	} {
		var n atomic.Int32
		c := add()
		if reason == bus.ReasonTimeout {
			c.Run.Timeout = soon
		}
		c.Checks.Available = func(context.Context, *bus.Call) error { return check(n.Add(1)) }
		b, j, _ := bustest.New(t, c)
		r := b.Invoke(t.Context(), call("till.add", `{"coins":1}`))
		if r.Err == nil || r.Err.Reason != reason {
			t.Errorf("%s: %s", reason, wire(t, r))
		}
		records(t, j, 1)
	}
}

func TestCloseWaitsForEveryRecord(t *testing.T) {
	started := make(chan struct{})
	b, j, _ := bustest.New(t, doing("a.b", bus.UIOnly, func(ctx context.Context, _ *bus.Call) (json.RawMessage, error) {
		close(started)
		<-ctx.Done()
		return nil, ctx.Err()
	}))
	done := make(chan bus.Result, 1)
	go func() { done <- b.Invoke(context.Background(), call("a.b", `{}`)) }()
	<-started
	if err := b.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	records(t, j, 1)
	wantError(t, <-done, bus.Transient, bus.ReasonCancelled)
	wantError(t, b.Invoke(t.Context(), call("a.b", `{}`)), bus.Transient, bus.ReasonCancelled)
}

// A digest of a PIN is as good as the PIN: there are only so many.
// holds: C13
func TestC13ASecretCannotBeGuessedFromWhatIsStored(t *testing.T) {
	c := doing("a.pin", bus.UIOnly, ok)
	c.InputSchema = json.RawMessage(`{"type":"object","properties":{"pin":{"type":"string","writeOnly":true}}}`)
	c.Checks.Access.User = bus.RuleConfirm
	stored := map[string]bool{}
	for range 2 {
		b, j := withApprover(t, &approver{say: yes}, c)
		for range 2 {
			wantOK(t, b.Invoke(t.Context(), keyedCall("a.pin", `{"pin":"1234"}`, "k")))
		}
		wantError(t, b.Invoke(t.Context(), keyedCall("a.pin", `{"pin":"9999"}`, "k")), bus.Validation,
			bus.ReasonIdempotencyMismatch)
		e := j.Entries()[0]
		for _, digest := range []string{e.Key.Arguments, e.Decision.Digest} {
			if stored[digest] {
				t.Errorf("%s comes from the arguments alone", digest)
			}
			stored[digest] = true
		}
	}
}

func keyedCall(name, arguments, key string) bus.Invocation {
	inv := call(name, arguments)
	inv.IdempotencyKey = key
	return inv
}

// holds: C13
func TestC13WhatCannotBeReadIsNotRecorded(t *testing.T) {
	b, j, _ := bustest.New(t, add())
	b.InvokeJSON(t.Context(), []byte(`{"capability":"a.pin","arguments":{"pin":"hunter22"}`), func(*bus.Invocation) {})
	if got := string(records(t, j, 1).Invocation.Arguments); got != `"52 bytes"` {
		t.Errorf("recorded %s", got)
	}
}

// holds: C13
func TestC13AnAgentIsToldNoSecrets(t *testing.T) {
	c := read()
	c.OutputSchema = json.RawMessage(
		`{"type":"object","properties":{"user":{"type":"string"},"token":{"type":"string","writeOnly":true}}}`)
	c.Handler = func(context.Context, *bus.Call) (json.RawMessage, error) {
		return json.RawMessage(`{"user":"kim","token":"hush"}`), nil
	}
	b, _, _ := bustest.New(t, c)
	person, agent := call("till.read", `{}`), byAgent(call("till.read", `{}`))
	person.IdempotencyKey, agent.IdempotencyKey = "k", "k"
	for range 2 { // the second time from the store
		if r := b.Invoke(t.Context(), person); !strings.Contains(string(r.Data), "hush") {
			t.Errorf("a person: %s", r.Data)
		}
		if r := b.Invoke(t.Context(), agent); strings.Contains(string(r.Data), "hush") ||
			!strings.Contains(string(r.Data), "kim") {
			t.Errorf("an agent: %s", r.Data)
		}
	}
}

// holds: B7
func TestB7ANetworkStepThatWasCancelledBeforeItBeganDidNotHappen(t *testing.T) {
	var sent []string
	b, j, _ := bustest.New(t, mail(&sent))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	wantError(t, b.Invoke(ctx, call("mail.send", `{}`)), bus.Transient, bus.ReasonCancelled)
	if len(sent) != 0 || len(j.Inflight()) != 0 {
		t.Errorf("sent %v, in flight %v", sent, j.Inflight())
	}
}
