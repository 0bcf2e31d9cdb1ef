package builtin_test

import (
	"context"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/deskhand/deskhand/agent"
	"github.com/deskhand/deskhand/agent/builtin"
	"github.com/deskhand/deskhand/agent/internal/agenttest"
	"github.com/deskhand/deskhand/agent/model"
	"github.com/deskhand/deskhand/agent/policy"
	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/bus/bustest"
)

// room is the tests' application with the built-in assistant, and a person who answers cards.
type room struct {
	t      *testing.T
	bus    *bus.Bus
	bridge *agent.Bridge
	answer func(policy.Card) *policy.Answer // nil: leaves the card open
	cards  []policy.Card
}

func newRoom(t *testing.T) *room {
	t.Helper()
	r := &room{t: t, answer: func(policy.Card) *policy.Answer {
		return &policy.Answer{Answer: policy.AnswerAllow, By: agenttest.Kim.Person}
	}}
	var p *policy.Policy
	p = policy.New(policy.Options{OnCard: func(e policy.CardEvent) {
		if e.Type != policy.CardOpened {
			return
		}
		r.cards = append(r.cards, e.Card)
		if a := r.answer(e.Card); a != nil {
			a.ApprovalID = e.Card.ApprovalID
			if err := p.Decide(*a); err != nil {
				t.Errorf("decide: %v", err)
			}
		}
	}})
	options, _, clock := bustest.Options()
	options.Approver = p
	r.bus = bus.New(options)
	r.bus.MustRegister(agenttest.Capabilities()...)
	var n atomic.Int64
	r.bridge = agent.New(agent.Options{Bus: r.bus, Policy: p, Model: func() model.Model { return builtin.New(agenttest.Vocabulary()) },
		NewID: func(prefix string) string { return fmt.Sprintf("%s_%d", prefix, n.Add(1)) },
		Sleep: func(context.Context, time.Duration) error { return nil }, Clock: clock.Now, Logger: options.Logger})
	t.Cleanup(r.bridge.Close)
	return r
}

// turn is what one sentence led to.
type turn []agent.Update

func (r *room) say(text string) turn {
	r.t.Helper()
	var all turn
	err := r.bridge.Send(r.t.Context(), agent.Turn{ConversationID: "chat_1", Text: text, Principal: agenttest.Kim}, func(u agent.Update) { all = append(all, u) })
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
