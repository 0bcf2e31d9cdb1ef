package bus_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/bus/bustest"
	"github.com/google/go-cmp/cmp"
)

// holds: A12
func TestA12AFailedPlanSaysThatNothingOfItWasDone(t *testing.T) {
	b, _ := planBus(t, &approver{rule: bus.RuleConfirm, say: yes}, doing("till.break", bus.UIOnly, failing1(errPlain)))
	r := b.Invoke(t.Context(), plan(addSeven+`,{"capability":"till.add","arguments":{"coins":0,"times":0}}`))
	wantError(t, r, bus.Validation, bus.ReasonArguments)
	if !strings.HasSuffix(r.Err.Message, " Nothing of the plan was done.") || len(r.Err.Violations) != 2 ||
		r.Err.Violations[0].Path != "/steps/1/arguments/coins" || r.Err.Violations[1].Path != "/steps/1/arguments/times" {
		t.Errorf("%s", wire(t, r))
	}
	r = b.Invoke(t.Context(), plan(`{"capability":"till.break"}`))
	wantError(t, r, bus.Internal, bus.ReasonUncoded)
	if why := errors.Unwrap(r.Err); !strings.Contains(why.Error(), "step 1 of a plan, till.break") ||
		!errors.Is(why, errPlain) {
		t.Error(why)
	}
}

// holds: A12
func TestA12APlanIsRecordedAsItWasEdited(t *testing.T) {
	a := &approver{rule: bus.RuleConfirm}
	a.say = func(n int, p *bus.Preview) bus.Decision {
		d := yes(n, p)
		if n == 1 {
			d.Answer, d.Arguments = "edit", json.RawMessage(`{"steps":[{"capability":"note.add"}]}`)
		}
		return d
	}
	b, j := planBus(t, a, doing("note.add", bus.UIOnly, ok))
	wantOK(t, b.Invoke(t.Context(), plan(addSeven+`,{"capability":"note.add"}`)))
	e := records(t, j, 1)
	if !slices.Equal(e.Steps, []string{"note.add"}) || e.SideEffect != bus.UIOnly {
		t.Errorf("%v %s", e.Steps, e.SideEffect)
	}
}

// holds: A12
func TestA12APlanIsFiledByItsGravestStep(t *testing.T) {
	b, j := planBus(t, &approver{rule: bus.RuleConfirm, say: yes}, doing("note.add", bus.UIOnly, ok))
	for steps, want := range map[string]bus.SideEffect{`{"capability":"till.read"}`: bus.UIOnly,
		`{"capability":"note.add"},{"capability":"till.read"}`: bus.UIOnly,
		addSeven + `,{"capability":"note.add"}`:                bus.Destructive} {
		wantOK(t, b.Invoke(t.Context(), plan(steps)))
		if es := j.Entries(); es[len(es)-1].SideEffect != want {
			t.Errorf("%s: %s", steps, es[len(es)-1].SideEffect)
		}
	}
}

// hearing notes what policy is told of a call.
type hearing struct {
	approver
	heard []string
}

func (h *hearing) Authorize(ctx context.Context, req *bus.ApprovalRequest) (bus.Decision, error) {
	h.heard = append(h.heard, string(req.Invocation.Arguments))
	return h.approver.Authorize(ctx, req)
}

// holds: B10 A12
func TestA12PolicySeesAPlanAsItWasSentAndTheRecordWithoutItsSecrets(t *testing.T) {
	h := &hearing{approver: approver{rule: bus.RuleConfirm, say: yes}}
	b, j := planBus(t, h)
	const sent = `{"steps":[{"arguments":{"pin":"4711"},"capability":"no.such"}]}`
	wantError(t, b.Invoke(t.Context(), plan(`{"arguments":{"pin":"4711"},"capability":"no.such"}`)), bus.NotFound,
		bus.ReasonCapability)
	if len(h.heard) != 1 || h.heard[0] != sent {
		t.Errorf("%s", h.heard)
	}
	if got := string(records(t, j, 1).Invocation.Arguments); strings.Contains(got, "4711") {
		t.Error(got)
	}
	if got := string(b.Redacted("no.such", json.RawMessage(`["4711"]`))); got != `"[redacted]"` {
		t.Error(got)
	}
}

// holds: A12
func TestA12AStepThatIsNotAnyMoreWhatWasShownIsNotDone(t *testing.T) {
	for name, say := range map[string]func(changed bool) (summary, data string){
		"the sentence": func(changed bool) (string, string) { return fmt.Sprint("Count ", changed), `{}` },
		"the data":     func(changed bool) (string, string) { return "Count", fmt.Sprintf(`{"x":%v}`, changed) },
		"nothing":      func(bool) (string, string) { return "Count", `{"x":1}` },
	} {
		changed := false
		count := doing("till.count", bus.UIOnly, func(_ context.Context, c *bus.Call) (json.RawMessage, error) {
			summary, data := say(changed)
			c.Summarize("%s", summary)
			return json.RawMessage(data), nil
		})
		a := &approver{rule: bus.RuleConfirm, say: yes}
		b, _ := planBus(t, a, count, mailing(func() error { changed = true; return nil }))
		r := b.Invoke(t.Context(), plan(sendMail+`,{"capability":"till.count"}`))
		if name == "nothing" {
			wantOK(t, r)
			continue
		}
		if wantError(t, r, bus.Conflict, bus.ReasonChanged); !strings.Contains(r.Err.Message, "Step 2 (till.count)") {
			t.Errorf("%s: %s", name, r.Err.Message)
		}
	}
}

// ruling is an approver with a rule for each capability.
type ruling struct {
	approver
	rules map[string]bus.Rule
}

func (r *ruling) Authorize(_ context.Context, req *bus.ApprovalRequest) (bus.Decision, error) {
	return bus.Decision{Rule: r.rules[req.Capability.Name], By: "test"}, nil
}

// holds: A12 B10
func TestA12TheRecordsOfASequentialPlanHangTogether(t *testing.T) {
	a := &ruling{approver{say: yes}, map[string]bus.Rule{"plan.propose": bus.RuleConfirm, "till.add": bus.RuleAllow,
		"mail.send": bus.RuleConfirm}}
	for key, want := range map[string][]string{"": {"", "", ""}, "k": {"k step 1", "k step 2", "k"}} {
		b, j := planBus(t, a, mailing(func() error { return nil }))
		inv := plan(addSeven + `,` + sendMail)
		inv.IdempotencyKey = key
		r := b.Invoke(t.Context(), inv)
		if wantOK(t, r); r.Facts["steps"] != 2.0 {
			t.Errorf("%s", wire(t, r))
		}
		var keys, summaries []string
		var rules []bus.Rule
		digests := map[string]bool{}
		for _, e := range j.Entries() {
			keys, summaries = append(keys, e.Invocation.IdempotencyKey), append(summaries, e.Summary)
			rules, digests[e.Decision.Digest] = append(rules, e.Decision.Rule), true
		}
		if diff := cmp.Diff([]any{want, []string{"Add 7 coins, 7 in all", "Sent a mail",
			"1. Add 7 coins, 7 in all; 2. Send a mail"}, []bus.Rule{bus.RuleAllow, bus.RuleConfirm, bus.RuleConfirm}},
			[]any{keys, summaries, rules}); diff != "" || len(digests) != 3 {
			t.Errorf("%s %d digests", diff, len(digests))
		}
	}
}

// refusing is a journal whose transactions of one capability cannot be committed.
type refusing struct {
	*bustest.Journal
	capability string
}

func (j refusing) Do(ctx context.Context, e *bus.Entry, run func(context.Context, bus.Exec) error) error {
	if e.Invocation.Capability == j.capability {
		return errors.New("the disk is full")
	}
	return j.Journal.Do(ctx, e, run)
}

// holds: A12
func TestA12ASequentialPlanEndsWithTheFirstStepThatFails(t *testing.T) {
	sent, reads := 0, 0
	look := doing("till.look", bus.Pure, func(context.Context, *bus.Call) (json.RawMessage, error) {
		if reads++; reads > 2 { // after the card, and when the plan begins
			return nil, bus.Errorf(bus.NotFound, bus.ReasonRecord, "It is gone.")
		}
		return json.RawMessage(`{}`), nil
	})
	for first, reason := range map[string]bus.Reason{`{"capability":"till.look"}`: bus.ReasonRecord,
		addSeven: bus.ReasonJournal} {
		o, j, _ := bustest.Options()
		o.Journal, o.Approver = refusing{j, "till.add"}, &approver{rule: bus.RuleConfirm, say: yes}
		b := bus.New(o)
		b.MustRegister(look, grantable(add()), mailing(func() error { sent++; return nil }), bus.Capabilities()[3])
		r := b.Invoke(t.Context(), plan(first+`,`+sendMail))
		if r.Err == nil || r.Err.Reason != reason || sent != 0 || !strings.Contains(r.Err.Message, "Step 1 (") {
			t.Errorf("%s: %s, %d sent", first, wire(t, r), sent)
		}
		if reason == bus.ReasonRecord && r.Err.Hint != "Propose what is left as a new plan." {
			t.Error(r.Err.Hint)
		}
	}
}
