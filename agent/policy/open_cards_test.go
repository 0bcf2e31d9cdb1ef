package policy_test

import (
	"context"
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"github.com/deskhand/deskhand/agent/policy"
	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/bus/bustest"
)

// TestA25AnAssistantAsksABoundedNumberOfQuestions: one client or conversation has 20 that wait, all have 100; an answer
// makes room for the next. People and routines are not counted.
//
// holds: A25
func TestA25AnAssistantAsksABoundedNumberOfQuestions(t *testing.T) {
	clock := bustest.NewClock()
	opened := make(chan policy.Card, 1000)
	p := policy.New(policy.Options{Clock: clock.Now, OnCard: func(e policy.CardEvent) {
		if e.Type == policy.CardOpened {
			opened <- e.Card
		}
	}})
	o, _, _ := bustest.Options()
	o.Approver = p
	b := bus.New(o)
	c := capability("till.refund", "Refund", bus.Destructive, object("", `"n":{"type":"integer"}`),
		func(context.Context, *bus.Call) (json.RawMessage, error) { return json.RawMessage(`{}`), nil })
	c.Checks.Access.User = bus.RuleConfirm
	b.MustRegister(c)
	results := make(chan bus.Result, 1000)
	n := 0
	ask := func(kind bus.CallerType, who bus.Principal) {
		n++
		inv := bus.Invocation{Capability: "till.refund", Arguments: raw(`{"n":%d}`, n), Principal: who,
			Caller: bus.Caller{Type: kind}}
		go func() { results <- b.Invoke(t.Context(), inv) }()
	}
	opens := func(kind bus.CallerType, who bus.Principal) policy.Card {
		t.Helper()
		ask(kind, who)
		select {
		case card := <-opened:
			return card
		case r := <-results:
			t.Fatalf("card %d: %+v", n, r.Err)
		}
		return policy.Card{}
	}
	refused := func(limit int, kind bus.CallerType, who bus.Principal) {
		t.Helper()
		ask(kind, who)
		select {
		case <-opened:
			t.Fatalf("card %d is one too many", n)
		case r := <-results:
			if r.Err == nil || r.Err.Code != bus.Transient || r.Err.Reason != bus.ReasonRateLimit || r.Err.Hint == "" ||
				r.Err.Limit != limit || r.Err.RetryAfter != 5*time.Minute {
				t.Fatalf("%+v", r.Err)
			}
		}
	}
	in := func(conversation string) bus.Principal {
		who := kim
		who.ConversationID = conversation
		return who
	}
	client := func(name, session string) bus.Principal {
		who := in(session)
		who.Door, who.Model = "mcp", &bus.ModelID{Endpoint: "mcp", Name: name}
		return who
	}
	first := opens(bus.CallerAgent, client("probe", "s0"))
	for i := range 19 {
		opens(bus.CallerAgent, client("probe", fmt.Sprint("s", i))) // a new session is the same client
	}
	refused(20, bus.CallerAgent, client("probe", "s99"))
	decide(t, p, policy.Answer{ApprovalID: first.ApprovalID, Answer: bus.AnswerDeny, By: kim.ID})
	<-results
	opens(bus.CallerAgent, client("probe", "s99"))
	refused(20, bus.CallerAgent, client("probe", "s99"))
	for i := range 80 {
		opens(bus.CallerAgent, in(fmt.Sprint("chat", i/20)))
	}
	refused(100, bus.CallerAgent, in("another"))
	opens(bus.CallerUI, kim)
	opens(bus.CallerSchedule, kim)
}

// TestA25TheCardsOfAllProgramsCount: a client that runs the program several times gets no more.
//
// holds: A25
func TestA25TheCardsOfAllProgramsCount(t *testing.T) {
	b, cards := asking(t)
	programs := []*booth{b, b.another(func(_ *booth, e policy.CardEvent) { cards <- e })}
	for i := range 20 {
		paying(programs[i%2], cards)
	}
	result := make(chan bus.Result, 1)
	go func() { result <- programs[1].Pays("purse_ana", 7) }()
	select {
	case e := <-cards:
		t.Errorf("another card: %+v", e.Card)
	case r := <-result:
		if r.Err == nil || r.Err.Reason != bus.ReasonRateLimit || r.Err.Limit != 20 {
			t.Errorf("%+v", r.Err)
		}
	}
}
