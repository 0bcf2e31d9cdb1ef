package policy_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/deskhand/deskhand/agent"
	"github.com/deskhand/deskhand/agent/policy"
	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/bus/bustest"
	"github.com/google/go-cmp/cmp"
)

// cardFor gives the card that asks about a refund with these arguments.
func cardFor(t *testing.T, args string) map[string]string {
	t.Helper()
	shown := map[string]string{}
	var p *policy.Policy
	p = policy.New(policy.Options{OnCard: func(e policy.CardEvent) {
		if e.Type != policy.CardOpened {
			return
		}
		for _, a := range e.Card.Arguments {
			shown[a.Pointer] = a.Text
		}
		decide(t, p, policy.Answer{ApprovalID: e.Card.ApprovalID, Answer: policy.AnswerDeny, By: e.Card.Person})
	}})
	o, _, _ := bustest.Options()
	o.Approver = p
	b := bus.New(o)
	b.MustRegister(capability("till.refund", "Refund", bus.Destructive,
		object("", `"sum":{"type":"object"},"note":{"type":"string"}`),
		func(context.Context, *bus.Call) (json.RawMessage, error) { return json.RawMessage(`{}`), nil }))
	b.Invoke(t.Context(), bus.Invocation{Capability: "till.refund", Arguments: raw("%s", args),
		Caller: bus.Caller{Type: bus.CallerAgent}, Principal: kim})
	return shown
}

// holds: A7
func TestA7TheCardShowsTheAmountNotWhatTheModelSaysAboutIt(t *testing.T) {
	for args, want := range map[string]string{
		`{"sum":{"amount":99999,"currency":"USD","text":"$1.00"}}`: "$999.99",
		`{"sum":{"amount":4783,"currency":"USD"}}`:                 "$47.83",
		`{"sum":{"amount":5000,"currency":"JPY"}}`:                 "¥5,000",
		`{"sum":{"amount":-250,"currency":"EUR"}}`:                 "-€2.50",
	} {
		if got := cardFor(t, args)["/sum"]; got != want {
			t.Errorf("%s: %q", args, got)
		}
	}
}

// holds: A7
func TestA7TheCardShowsAValueWhole(t *testing.T) {
	long := strings.Repeat("pay it all ", 45) + "END"
	if got := cardFor(t, `{"note":"`+long+`"}`)["/note"]; got != long {
		t.Errorf("%q", got)
	}
}

// holds: A7
func TestA7WhatAPersonPutsInPlaceIsTheirOwn(t *testing.T) {
	var b *booth
	var origins []policy.Origin
	b = openBooth(t, policy.Options{OnCard: func(e policy.CardEvent) {
		if e.Type != policy.CardOpened {
			return
		}
		for _, a := range e.Card.Arguments {
			origins = append(origins, a.Origin)
		}
		a := policy.Answer{ApprovalID: e.Card.ApprovalID, Answer: policy.AnswerAllow, By: e.Card.Person}
		if len(origins) == 1 {
			a.Arguments = json.RawMessage(`{"text":"call her back tomorrow"}`)
		}
		if err := b.Policy.Decide(a); err != nil {
			t.Error(err)
		}
	}})
	bridge, _ := b.Stored(reply("", use("1", "remark_add", `{"text":"call her now"}`)), reply("done"))
	if err := bridge.Send(t.Context(), agent.Turn{ConversationID: "chat_1", Text: "remember it", Principal: owner},
		func(agent.Update) {}); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]policy.Origin{policy.OriginGuess, policy.OriginSaid}, origins); diff != "" {
		t.Error(diff)
	}
}
