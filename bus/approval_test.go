package bus_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/deskhand/deskhand/bus"
)

// holds: B7
func TestB7PureCallsAreNotAsked(t *testing.T) {
	a := &approver{say: yes}
	b, j := withApprover(t, a, read())
	wantOK(t, b.Invoke(t.Context(), byAgent(call("till.read", `{}`))))
	if len(a.asked) != 0 || records(t, j, 1).Read {
		t.Error("a pure call was asked, or an agent's read was put with the people's")
	}
}

// holds: B7
func TestB7AllowRunsExactlyWhatWasShown(t *testing.T) {
	a := &approver{say: yes}
	b, j := withApprover(t, a, add())
	wantOK(t, b.Invoke(t.Context(), byAgent(call("till.add", `{"coins":7}`))))
	p := a.asked[0]
	if p.Summary != "Add 7 coins, 7 in all" || len(p.Effects) != 1 || p.Facts["amount"] != 7.0 {
		t.Errorf("preview %+v", p)
	}
	d := records(t, j, 1).Decision
	if d == nil || d.Answer != "allow" || d.Digest != p.Digest {
		t.Errorf("decision %+v", d)
	}
}

// holds: B7
func TestB7DeniedExpiredAndNobodyAreDeclined(t *testing.T) {
	for answer, want := range map[bus.Answer]string{"deny": "too dear", "expired": "in time", "nobody": "nobody"} {
		a := &approver{say: func(int, *bus.Preview) bus.Decision { return bus.Decision{Answer: answer, Reason: "too dear"} }}
		b, j := withApprover(t, a, add())
		r := b.Invoke(t.Context(), byAgent(call("till.add", `{"coins":7}`)))
		wantError(t, r, bus.Forbidden, bus.ReasonDeclined)
		if !strings.Contains(r.Err.Message, want) || j.Row("till", "main") != nil {
			t.Errorf("%s: %s", answer, r.Err.Message)
		}
		record := records(t, j, 1)
		if answer == "expired" && record.Decision.By != "" {
			t.Errorf("an expired card was answered by %q", record.Decision.By)
		}
		if fmt.Sprint(record.Declined) != "map[amount:7]" { // which the person was shown
			t.Errorf("%s: the record has the facts %v", answer, record.Declined)
		}
	}
}

// holds: B7
func TestB7WithoutApproverNobodyIsThere(t *testing.T) {
	b, j := withApprover(t, nil, add())
	wantError(t, b.Invoke(t.Context(), byAgent(call("till.add", `{"coins":7}`))), bus.Forbidden, bus.ReasonDeclined)
	records(t, j, 1)
}

// holds: B7
func TestB7PeopleAreAskedWhereAccessSaysSo(t *testing.T) {
	c := add()
	c.Checks.Access.User = bus.RuleConfirm
	a := &approver{say: yes}
	b, _ := withApprover(t, a, c)
	wantOK(t, b.Invoke(t.Context(), call("till.add", `{"coins":7}`)))
	if len(a.asked) != 1 {
		t.Errorf("asked %d times", len(a.asked))
	}
}

// holds: B7
func TestB7ChangedWorldVoidsTheAnswer(t *testing.T) {
	a := &approver{}
	b, j := withApprover(t, a, add())
	a.say = func(n int, p *bus.Preview) bus.Decision {
		if n == 1 { // somebody else is quicker
			wantOK(t, b.Invoke(context.Background(), call("till.add", `{"coins":100}`)))
		}
		return yes(n, p)
	}
	wantOK(t, b.Invoke(t.Context(), byAgent(call("till.add", `{"coins":7}`))))
	if len(a.asked) != 2 || a.saw[0] != nil || a.saw[1] == nil || a.asked[1].Summary != "Add 7 coins, 107 in all" {
		t.Errorf("asked %+v, changed %+v", a.asked, a.saw)
	}
	records(t, j, 2)
}

// holds: B7
func TestB7NeverEndingChangeIsConflict(t *testing.T) {
	a := &approver{}
	b, j := withApprover(t, a, add())
	a.say = func(n int, p *bus.Preview) bus.Decision {
		wantOK(t, b.Invoke(context.Background(), call("till.add", `{"coins":1}`)))
		return yes(n, p)
	}
	wantError(t, b.Invoke(t.Context(), byAgent(call("till.add", `{"coins":7}`))), bus.Conflict, bus.ReasonChanged)
	if j.Row("till", "main")["total"] != 5 {
		t.Errorf("till %v", j.Row("till", "main"))
	}
}

// holds: B7
func TestB7EditedArgumentsAreValidatedAndShownAgain(t *testing.T) {
	edit := func(args string) func(int, *bus.Preview) bus.Decision {
		return func(n int, p *bus.Preview) bus.Decision {
			d := yes(n, p)
			if n == 1 {
				d.Arguments = json.RawMessage(args)
			}
			return d
		}
	}
	a := &approver{say: edit(`{"coins":2}`)}
	b, j := withApprover(t, a, add())
	wantOK(t, b.Invoke(t.Context(), byAgent(call("till.add", `{"coins":7}`))))
	if len(a.asked) != 2 || j.Row("till", "main")["total"] != 2 ||
		string(records(t, j, 1).Invocation.Arguments) != `{"coins":2,"times":1}` {
		t.Errorf("asked %d, row %v", len(a.asked), j.Row("till", "main"))
	}
	a = &approver{say: edit(`{"coins":-2}`)}
	b, j = withApprover(t, a, add())
	wantError(t, b.Invoke(t.Context(), byAgent(call("till.add", `{"coins":7}`))), bus.Validation, bus.ReasonArguments)
	records(t, j, 1)
}

// holds: B7
func TestB7ApprovalWaitCanBeCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	a := &approver{say: yes}
	b, j := withApprover(t, waiting{a, cancel}, add())
	wantError(t, b.Invoke(ctx, byAgent(call("till.add", `{"coins":7}`))), bus.Transient, bus.ReasonCancelled)
	if records(t, j, 1).Effects != nil {
		t.Error("a cancelled call had effects")
	}
}

// waiting is an approver whose person never answers.
type waiting struct {
	*approver
	cancel context.CancelFunc
}

func (w waiting) Approve(ctx context.Context, _ *bus.ApprovalRequest, _ *bus.Preview) (bus.Decision, error) {
	w.cancel()
	<-ctx.Done()
	return bus.Decision{}, ctx.Err()
}

// holds: A6
func TestA6PolicyDenyWins(t *testing.T) {
	a := &approver{rule: bus.RuleDeny, say: yes}
	b, j := withApprover(t, a, read())
	wantError(t, b.Invoke(t.Context(), byAgent(call("till.read", `{}`))), bus.Forbidden, bus.ReasonCapabilityNotGranted)
	if d := records(t, j, 1).Decision; d == nil || d.Rule != bus.RuleDeny {
		t.Errorf("decision %+v", d)
	}
}

func TestWhatWritesAFileDescribesItselfBeforeAPersonAllowsIt(t *testing.T) {
	written := 0
	c := doing("log.save", bus.UIOnly, func(context.Context, *bus.Call) (json.RawMessage, error) {
		written++
		return json.RawMessage(`{"rows":5}`), nil
	})
	c.Resources = nil
	c.Run.Preview = func(_ context.Context, call *bus.Call) (json.RawMessage, error) {
		call.Summarize("Write a file")
		return json.RawMessage(`{"format":"csv"}`), nil
	}
	a := &approver{say: func(int, *bus.Preview) bus.Decision { return bus.Decision{Answer: "deny"} }}
	b, _ := withApprover(t, a, c)
	wantError(t, b.Invoke(t.Context(), byAgent(call("log.save", `{}`))), bus.Forbidden, bus.ReasonDeclined)
	if written != 0 || a.asked[0].Summary != "Write a file" {
		t.Errorf("written %d times before the answer to %q", written, a.asked[0].Summary)
	}
	a.say = yes
	wantOK(t, b.Invoke(t.Context(), byAgent(call("log.save", `{}`))))
	if written != 1 {
		t.Errorf("written %d times", written)
	}
}

// holds: A8 C16
func TestNetworkPreviewIsItsOwn(t *testing.T) {
	sent := 0
	c := doing("mail.send", bus.Network, func(context.Context, *bus.Call) (json.RawMessage, error) {
		sent++
		return json.RawMessage(`{"sent":true}`), nil
	})
	c.Run.Preview = func(_ context.Context, call *bus.Call) (json.RawMessage, error) {
		call.Summarize("Send a mail to kim@example.com")
		return json.RawMessage(`{"to":"kim@example.com"}`), nil
	}
	a := &approver{say: yes}
	b, j := withApprover(t, a, c)
	wantOK(t, b.Invoke(t.Context(), byAgent(call("mail.send", `{}`))))
	if a.asked[0].Summary != "Send a mail to kim@example.com" || sent != 1 {
		t.Errorf("summary %q, sent %d", a.asked[0].Summary, sent)
	}
	if records(t, j, 1); len(j.Inflight()) != 0 {
		t.Error("the note stayed")
	}
}

// holds: B7
func TestB7ARecordTellsAChangedCallFromAYes(t *testing.T) {
	for edited, want := range map[string]string{
		`{"coins":8}`:            "edit8",
		`{"coins":7,"times":2}`:  "edit14",
		`{ "times":1,"coins":7}`: "allow7", // the same call, written otherwise
	} {
		a := &approver{say: func(n int, p *bus.Preview) bus.Decision {
			d := yes(n, p)
			if n == 1 {
				d.Answer, d.Arguments = bus.AnswerEdit, json.RawMessage(edited)
			}
			return d
		}}
		b, j := withApprover(t, a, add())
		wantOK(t, b.Invoke(t.Context(), byAgent(call("till.add", `{"coins":7}`))))
		if got := fmt.Sprint(records(t, j, 1).Decision.Answer, j.Row("till", "main")["total"]); got != want {
			t.Errorf("%s: %s, want %s", edited, got, want)
		}
	}
}
