package agent_test

import (
	"context"
	"encoding/json"
	"errors"
	"testing"

	"github.com/deskhand/deskhand/agent"
	"github.com/deskhand/deskhand/agent/policy"
	"github.com/deskhand/deskhand/bus"
)

func TestA5EqualOutwardCallsOfATurnAreOne(t *testing.T) {
	args := `{"shippingAddressId":"addr_h","paymentMethodId":"pm_visa"}`
	m := &script{steps: []step{reply("", use("a", "cart_addItem", `{"productId":"p","quantity":2}`)),
		reply("", use("b", "checkout_submit", args), use("c", "checkout_submit", `{"paymentMethodId":"pm_visa","shippingAddressId":"addr_h"}`)),
		reply("", use("d", "checkout_submit", args)), reply("ok"),
		reply("", use("e", "cart_addItem", `{"productId":"p","quantity":1}`)), reply("", use("f", "checkout_submit", args)), reply("ok")}}
	r := newRoom(t, m)
	u := r.say("submit it")
	if len(r.cards) != 1 || len(u.ended().Actions) != 4 || !u.ended().Actions[3].Replayed {
		t.Errorf("%d cards, %+v", len(r.cards), u.ended().Actions)
	}
	r.say("submit it again")
	if len(r.cards) != 2 {
		t.Errorf("another turn asks again: %d cards", len(r.cards))
	}
}

func TestA14HallucinatedToolsAreNotFound(t *testing.T) {
	m := &script{steps: []step{reply("", use("a", "order_rush", `{}`), use("b", "rm -rf / .", `{}`)), reply("There is no such thing.")}}
	r := newRoom(t, m)
	u := r.say("rush my order")
	for i, res := range m.results(t) {
		if res["code"] != "NOT_FOUND" || res["status"] != "error" {
			t.Errorf("%d: %v", i, res)
		}
	}
	if len(r.journal.Entries()) != 2 || u.ended().Status != agent.StatusDone || u.ended().Actions[0].Outcome != agent.ActionRefused {
		t.Errorf("%d records, %+v", len(r.journal.Entries()), u.ended())
	}
}

func TestA2BrokenArgumentsBecomeAValidationResult(t *testing.T) {
	bad := use("a", "cart_addItem", "{}")
	bad.Broken = `{"productId": oops`
	m := &script{steps: []step{reply("", bad), reply("sorry")}}
	r := newRoom(t, m)
	r.say("go")
	if res := m.results(t)[0]; res["code"] != "VALIDATION" {
		t.Error(res)
	}
	for _, msg := range m.last().Messages {
		for _, c := range msg.Calls {
			if string(c.Arguments) != "{}" {
				t.Errorf("sent back: %s", c.Arguments)
			}
		}
	}
	if len(r.journal.Entries()) != 1 {
		t.Errorf("%d records", len(r.journal.Entries()))
	}
}

func TestA14WrongArgumentsAreTakenThreeTimes(t *testing.T) {
	m := &script{steps: []step{reply("", use("", "cart_addItem", `{"quantity":-1}`))}}
	r := newRoom(t, m, func(o *agent.Options, _ *policy.Options) { o.MaxSteps = 6 })
	r.say("go")
	if n := len(r.journal.Entries()); n != 3 {
		t.Errorf("%d invocations", n)
	}
	if res := m.results(t); res[len(res)-1]["code"] != "VALIDATION" {
		t.Error(res)
	}
}

func TestA14ForbiddenAndInternalAreNotRepeatedInATurn(t *testing.T) {
	broken := capability("x.broken", "Break", bus.UIOnly, object("", ""), func(context.Context, *bus.Call) (json.RawMessage, error) { return nil, errors.New("boom") })
	for tool, want := range map[string]string{"x_broken": "INTERNAL", "checkout_submit": "FORBIDDEN"} {
		args := map[string]string{"x_broken": `{}`, "checkout_submit": `{"shippingAddressId":"addr_h","paymentMethodId":"pm_visa"}`}[tool]
		m := &script{steps: []step{reply("", use("", "cart_addItem", `{"productId":"p","quantity":1}`)), reply("", use("", tool, args)), reply("", use("", tool, args)), reply("ok"), reply("", use("", tool, args)), reply("ok")}}
		r := newRoom(t, m)
		r.bus.MustRegister(broken)
		r.answer = func(policy.Card) *policy.Answer { return &policy.Answer{Answer: policy.AnswerDeny, Reason: "no"} }
		r.say("go")
		if n := len(r.journal.Entries()); n != 2 {
			t.Errorf("%s: %d invocations", tool, n)
		}
		for _, res := range m.results(t)[1:] {
			if res["code"] != want {
				t.Errorf("%s: %v", tool, res)
			}
		}
		r.say("try again")
		if n := len(r.journal.Entries()); n != 3 {
			t.Errorf("%s: the next turn may try again: %d invocations", tool, n)
		}
	}
}

func TestA14TransientReadsAreRepeated(t *testing.T) {
	n := 0
	flaky := capability("x.flaky", "Flaky", bus.Pure, object("", ""), func(context.Context, *bus.Call) (json.RawMessage, error) {
		if n++; n < 3 {
			return nil, bus.Errorf(bus.Transient, bus.ReasonNetwork, "Not now.")
		}
		return raw("{}"), nil
	})
	m := &script{steps: []step{reply("", use("a", "x_flaky", `{}`)), reply("ok")}}
	r := newRoom(t, m)
	r.bus.MustRegister(flaky)
	r.say("go")
	if res := m.results(t); len(res) != 1 || res[0]["status"] != "success" {
		t.Error(res)
	}
}
