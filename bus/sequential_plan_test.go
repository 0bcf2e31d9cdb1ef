package bus_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/deskhand/deskhand/bus"
)

// mailing reaches outside and says what it would send; during runs while it does.
func mailing(during func() error) bus.Capability {
	return bus.Capability{Name: "mail.send", Title: "Send", Description: "Sends.", SideEffect: bus.Network,
		Handler: func(_ context.Context, call *bus.Call) (json.RawMessage, error) {
			call.Summarize("Sent a mail")
			return json.RawMessage(`{"sent":1}`), during()
		},
		Run: bus.Run{Preview: func(_ context.Context, call *bus.Call) (json.RawMessage, error) {
			call.Summarize("Send a mail")
			return json.RawMessage(`{"to":"ana"}`), nil
		}}}
}

const (
	addSeven = `{"capability":"till.add","arguments":{"coins":7}}`
	sendMail = `{"capability":"mail.send"}`
)

// outside is a bus with a till and a post that does what during says.
func outside(t *testing.T, during func(b *bus.Bus) error) (*bus.Bus, *approver, func() (total any),
	func(n int) bus.Entry) {
	a := &approver{rule: bus.RuleConfirm, say: yes}
	var b *bus.Bus
	b, j := planBus(t, a, mailing(func() error { return during(b) }))
	return b, a, func() any { return j.Row("till", "main")["total"] },
		func(n int) bus.Entry { t.Helper(); return records(t, j, n) }
}

// holds: A12
func TestA12APlanThatReachesOutsideIsDoneStepByStep(t *testing.T) {
	sent := 0
	b, a, total, last := outside(t, func(*bus.Bus) error { sent++; return nil })
	inv := plan(addSeven + `,` + sendMail + `,{"capability":"till.add","arguments":{"coins":{"$from":"/0/total"}}}`)
	inv.IdempotencyKey = "k"
	r := b.Invoke(t.Context(), inv)
	wantOK(t, r)
	if len(a.asked) != 1 || a.asked[0].Summary != "1. Add 7 coins, 7 in all; 2. Send a mail; 3. Add 7 coins, 14 in all" ||
		sent != 1 || total() != 14 {
		t.Fatalf("asked %+v, %d sent, %v in the till", a.asked, sent, total())
	}
	e := last(4)
	if e.Invocation.RequestID != r.RequestID || e.SideEffect != bus.Network || len(e.Effects) != 0 ||
		!strings.Contains(string(r.Data), `"sent":1`) || !strings.Contains(string(r.Data), `"oneByOne":true`) {
		t.Errorf("the plan's record %+v of %s", e, r.Data)
	}
	r = b.Invoke(t.Context(), inv)
	if wantOK(t, r); !r.Replayed || sent != 1 || total() != 14 {
		t.Errorf("once more: %s", wire(t, r))
	}
}

// holds: A12
func TestA12EachStepOfAPlanThatReachesOutsideHasItsRecord(t *testing.T) {
	a := &approver{rule: bus.RuleConfirm, say: yes}
	b, j := planBus(t, a, mailing(func() error { return nil }))
	r := b.Invoke(t.Context(), plan(addSeven+`,`+sendMail))
	wantOK(t, r)
	want := []string{"till.add", "mail.send", "plan.propose"}
	for i, e := range j.Entries() {
		step := i < 2
		if e.Invocation.Capability != want[i] || e.Decision == nil || e.Decision.By != "p1" ||
			step != (e.Invocation.Caller.ParentRequestID == r.RequestID) ||
			step && e.Decision.Answer != "allow" || e.Result.Err != nil {
			t.Errorf("record %d: %+v, decision %+v", i, e.Invocation, e.Decision)
		}
	}
	if in := j.Inflight(); len(in) != 0 {
		t.Errorf("still under way: %v", in)
	}
}

// holds: A12
func TestA12TheFirstStepThatFailsEndsAPlanThatReachesOutside(t *testing.T) {
	refused := bus.Errorf(bus.PreconditionFailed, bus.ReasonState, "The post is closed.")
	for name, tt := range map[string]struct {
		steps  string
		during func(*bus.Bus) error
		code   bus.Code
		words  string
		total  any
		n      int
	}{
		"the first": {sendMail + `,` + addSeven, func(*bus.Bus) error { return refused }, bus.PreconditionFailed,
			"Step 1 (mail.send): The post is closed. Nothing after it was begun.", nil, 2},
		"a later one": {addSeven + `,` + sendMail + `,` + addSeven, func(*bus.Bus) error { return refused },
			bus.PreconditionFailed,
			"Step 2 (mail.send): The post is closed. Step 1 was done and stays done; nothing after this one was begun.", 7, 3},
		"one that breaks": {addSeven + `,` + sendMail, func(*bus.Bus) error { return errors.New("no route") }, bus.Internal,
			"Step 1 was done and stays done", 7, 3},
		"one that is not what was shown any more": {addSeven + `,` + sendMail + `,` + addSeven, func(b *bus.Bus) error {
			wantOK(t, b.Invoke(context.Background(), call("till.add", `{"coins":100}`)))
			return nil
		}, bus.Conflict, "Step 3 (till.add): It is not any more what was shown, so it was not done. Steps 1 to 2 were " +
			"done and stay done", 107, 5},
	} {
		t.Run(name, func(t *testing.T) {
			b, _, total, last := outside(t, tt.during)
			r := b.Invoke(t.Context(), plan(tt.steps))
			if r.Err == nil || r.Err.Code != tt.code || !strings.Contains(r.Err.Message, tt.words) || total() != tt.total {
				t.Errorf("%v in the till, %s", total(), wire(t, r))
			}
			last(tt.n)
		})
	}
}

// holds: A12
func TestA12APlanThatFailedGoesOnUnderItsKeyWhereItStopped(t *testing.T) {
	closed := true
	b, _, total, _ := outside(t, func(*bus.Bus) error {
		if closed {
			return bus.Errorf(bus.PreconditionFailed, bus.ReasonState, "The post is closed.")
		}
		return nil
	})
	inv := plan(`{"capability":"till.read"},` + sendMail + `,` + addSeven)
	inv.IdempotencyKey = "k"
	if r := b.Invoke(t.Context(), inv); r.Err == nil {
		t.Fatal("done with the post closed")
	}
	closed = false
	wantOK(t, b.Invoke(t.Context(), inv))
	if total() != 7 {
		t.Errorf("%v in the till", total())
	}
}

// holds: A12
func TestA12WhatAStepOutsideWillGiveIsNotReferredTo(t *testing.T) {
	b, a, total, last := outside(t, func(*bus.Bus) error { t.Error("sent"); return nil })
	r := b.Invoke(t.Context(), plan(sendMail+`,{"capability":"till.add","arguments":{"coins":{"$from":"/0/sent"}}}`))
	if r.Err == nil || r.Err.Code != bus.Validation || len(a.asked) != 0 || total() != nil {
		t.Errorf("%s", wire(t, r))
	}
	last(1)
}

// holds: A12
func TestA12APlanThatReachesOutsideIsAskedAgainWhenTheWorldChanges(t *testing.T) {
	sent := 0
	b, a, total, _ := outside(t, func(*bus.Bus) error { sent++; return nil })
	a.say = func(n int, p *bus.Preview) bus.Decision {
		if n == 1 {
			wantOK(t, b.Invoke(context.Background(), call("till.add", `{"coins":100}`)))
		}
		return yes(n, p)
	}
	wantOK(t, b.Invoke(t.Context(), plan(addSeven+`,`+sendMail)))
	if len(a.asked) != 2 || total() != 107 || sent != 1 {
		t.Errorf("asked %d times, %v in the till, %d sent", len(a.asked), total(), sent)
	}
}

// holds: A12
func TestA12ADryRunOfAPlanReachesNobody(t *testing.T) {
	b, _, total, last := outside(t, func(*bus.Bus) error { t.Error("sent"); return nil })
	inv := plan(addSeven + `,` + sendMail)
	inv.DryRun = true
	wantOK(t, b.Invoke(t.Context(), inv))
	if total() != nil {
		t.Errorf("%v in the till", total())
	}
	last(1)
}

// holds: A12
func TestA12APlanThatCannotBeNotedIsNotBegun(t *testing.T) {
	a := &approver{rule: bus.RuleConfirm}
	b, j := planBus(t, a, mailing(func() error { t.Error("sent"); return nil }))
	a.say = func(n int, p *bus.Preview) bus.Decision {
		j.Fail(errors.New("the disk is full"))
		return yes(n, p)
	}
	if r := b.Invoke(t.Context(), plan(addSeven+`,`+sendMail)); r.Err == nil || r.Err.Code != bus.Transient {
		t.Errorf("%s", wire(t, r))
	}
	if j.Row("till", "main") != nil {
		t.Error("a step was done")
	}
}
