package agenttest

import (
	"cmp"
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

// Room is a desk with a bridge in it, and a person who answers cards.
type Room struct {
	T       testing.TB
	Bus     *bus.Bus
	Journal *bustest.Journal
	Clock   *bustest.Clock
	Policy  *policy.Policy
	Bridge  *agent.Bridge
	Answer  func(policy.Card) *policy.Answer // nil: leaves the card open

	mu    sync.Mutex
	Cards []policy.Card
}

func (r *Room) card(e policy.CardEvent) {
	if e.Type != policy.CardOpened {
		return
	}
	r.mu.Lock()
	r.Cards = append(r.Cards, e.Card)
	r.mu.Unlock()
	if a := r.Answer(e.Card); a != nil {
		a.ApprovalID, a.By = e.Card.ApprovalID, e.Card.Person
		if err := r.Policy.Decide(*a); err != nil {
			r.T.Errorf("decide: %v", err)
		}
	}
}

// Allow answers every card with yes.
func Allow(policy.Card) *policy.Answer { return &policy.Answer{Answer: bus.AnswerAllow, By: "p1"} }

// Counter gives ids by number: msg_1, msg_2.
func Counter() func(string) string {
	var mu sync.Mutex
	n := map[string]int{}
	return func(prefix string) string {
		mu.Lock()
		defer mu.Unlock()
		n[prefix]++
		return fmt.Sprintf("%s_%d", prefix, n[prefix])
	}
}

// NewRoom puts a model into the application.
func NewRoom(t testing.TB, m model.Model, change ...func(*agent.Options, *policy.Options)) *Room {
	t.Helper()
	r := &Room{T: t, Answer: Allow}
	o := agent.Options{Model: func() model.Model { return m }, NewID: Counter(),
		Sleep: func(context.Context, time.Duration) error { return nil }}
	p := policy.Options{OnCard: r.card}
	for _, c := range change {
		c(&o, &p)
	}
	r.Policy = policy.New(p)
	bo, j, clock := bustest.Options()
	bo.Approver = r.Policy
	r.Journal, r.Clock, r.Bus = j, clock, bus.New(bo)
	r.Bus.MustRegister(Capabilities()...)
	o.Bus, o.Policy, o.Clock, o.Logger = r.Bus, r.Policy, clock.Now, cmp.Or(o.Logger, bo.Logger)
	r.Bridge = agent.New(o)
	t.Cleanup(r.Bridge.Close)
	return r
}

// Turn holds the updates of one sentence.
type Turn []agent.Update

// Say gives a sentence to the bridge.
func (r *Room) Say(text string) Turn {
	r.T.Helper()
	var all Turn
	err := r.Bridge.Send(r.T.Context(), agent.Turn{ConversationID: "chat_1", Text: text, Principal: Kim},
		func(u agent.Update) { all = append(all, u) })
	if err != nil {
		r.T.Fatalf("%q: %v", text, err)
	}
	return all
}

// Calls lists the capabilities called with their arguments.
func (u Turn) Calls() []string {
	var list []string
	for _, x := range u {
		if x.Type == agent.UpdateCall {
			list = append(list, x.Capability+" "+string(x.Arguments))
		}
	}
	return list
}

// Text joins the messages to the person.
func (u Turn) Text() string {
	var list []string
	for _, x := range u {
		if x.Type == agent.UpdateMessage {
			list = append(list, x.Text)
		}
	}
	return strings.Join(list, "\n")
}

// Ended is the last update.
func (u Turn) Ended() agent.Update { return u[len(u)-1] }

// Types are the kinds of updates in their order.
func (u Turn) Types() string {
	var list []string
	for _, x := range u {
		list = append(list, string(x.Type))
	}
	return strings.Join(list, " ")
}
