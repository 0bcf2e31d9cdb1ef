package agent_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/deskhand/deskhand/agent"
	"github.com/deskhand/deskhand/agent/model"
	"github.com/deskhand/deskhand/agent/policy"
	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/bus/bustest"
)

// room is a desk with a bridge in it, and a person who answers cards.
type room struct {
	t       *testing.T
	bus     *bus.Bus
	journal *bustest.Journal
	policy  *policy.Policy
	bridge  *agent.Bridge
	answer  func(policy.Card) *policy.Answer // nil: leaves the card open

	mu    sync.Mutex
	cards []policy.Card
}

func (r *room) card(e policy.CardEvent) {
	if e.Type != policy.CardOpened {
		return
	}
	r.mu.Lock()
	r.cards = append(r.cards, e.Card)
	r.mu.Unlock()
	if a := r.answer(e.Card); a != nil {
		a.ApprovalID = e.Card.ApprovalID
		if err := r.policy.Decide(*a); err != nil {
			r.t.Errorf("decide: %v", err)
		}
	}
}

func allow(policy.Card) *policy.Answer { return &policy.Answer{Answer: policy.AnswerAllow, By: "p1"} }

func counter() func(string) string {
	var mu sync.Mutex
	n := map[string]int{}
	return func(prefix string) string {
		mu.Lock()
		defer mu.Unlock()
		n[prefix]++
		return fmt.Sprintf("%s_%d", prefix, n[prefix])
	}
}

func newRoom(t *testing.T, m model.Model, change ...func(*agent.Options, *policy.Options)) *room {
	t.Helper()
	r := &room{t: t, answer: allow}
	o := agent.Options{Model: func() model.Model { return m }, NewID: counter(), Sleep: func(context.Context, time.Duration) error { return nil }}
	p := policy.Options{OnCard: r.card}
	for _, c := range change {
		c(&o, &p)
	}
	r.policy = policy.New(p)
	bo, j, clock := bustest.Options()
	bo.Approver = r.policy
	r.journal, r.bus = j, bus.New(bo)
	r.bus.MustRegister(desk()...)
	o.Bus, o.Policy, o.Clock, o.Logger = r.bus, r.policy, clock.Now, bo.Logger
	r.bridge = agent.New(o)
	t.Cleanup(r.bridge.Close)
	return r
}

// turn is what one sentence led to.
type turn []agent.Update

func (r *room) say(text string) turn {
	r.t.Helper()
	var all turn
	err := r.bridge.Send(r.t.Context(), agent.Turn{ConversationID: "chat_1", Text: text, Principal: kim}, func(u agent.Update) { all = append(all, u) })
	if err != nil {
		r.t.Fatalf("%q: %v", text, err)
	}
	return all
}

// calls lists the capabilities called with their arguments.
func (u turn) calls() []string {
	var list []string
	for _, x := range u {
		if x.Type == agent.UpdateCall {
			list = append(list, x.Capability+" "+string(x.Arguments))
		}
	}
	return list
}

func (u turn) text() string {
	var list []string
	for _, x := range u {
		if x.Type == agent.UpdateMessage {
			list = append(list, x.Text)
		}
	}
	return strings.Join(list, "\n")
}

func (u turn) ended() agent.Update { return u[len(u)-1] }

func roles(messages []wireMessage) []string {
	var list []string
	for _, m := range messages {
		list = append(list, m.Role)
	}
	return list
}

func TestA4ClosingWaitsForTheRecordOfWhatWasAsked(t *testing.T) {
	m := &script{steps: []step{reply("", use("a", "cart_addItem", `{"productId":"p","quantity":2}`),
		use("b", "checkout_submit", `{"shippingAddressId":"addr_h","paymentMethodId":"pm_visa"}`)), reply("ok")}}
	r := newRoom(t, m)
	asked, ended := make(chan struct{}), make(chan turn, 1)
	r.answer = func(policy.Card) *policy.Answer { close(asked); return nil }
	go func() { ended <- r.say("go") }()
	<-asked
	r.bridge.Close()
	found := false
	for _, e := range r.journal.Entries() {
		found = found || e.Invocation.Capability == "checkout.submit"
	}
	if !found || len(r.policy.Pending()) != 0 {
		t.Error("closed before the question had its record")
	}
	if u := <-ended; u.ended().Status != agent.StatusStopped {
		t.Errorf("%+v", u.ended())
	}
	if err := r.bridge.Send(t.Context(), agent.Turn{ConversationID: "chat_2", Text: "hello", Principal: kim}, nil); code(err) != bus.Transient {
		t.Errorf("a turn after closing: %v", err)
	}
}
