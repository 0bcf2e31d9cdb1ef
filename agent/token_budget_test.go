package agent_test

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/deskhand/deskhand/agent"
	"github.com/deskhand/deskhand/agent/model"
	"github.com/deskhand/deskhand/agent/policy"
	"github.com/deskhand/deskhand/bus"
)

// small is a model with a context of size tokens.
type small struct {
	*script
	size int
}

func (s small) ContextSize(context.Context) int { return s.size }

// filler returns n capabilities that match no sentence of the tests.
func filler(n int) (caps []bus.Capability) {
	for i := range n {
		c := capability(fmt.Sprintf("aa%d.thing", i), fmt.Sprintf("Thing %d", i), bus.Pure,
			object("", `"one":{"type":"string","description":"`+strings.Repeat("long words ", 10)+`"}`), nil)
		c.Handler = func(context.Context, *bus.Call) (json.RawMessage, error) {
			return json.RawMessage(`{"rows":[` + strings.Repeat(`{"id":"row_1","name":"A row of many"},`, 400) + `{}]}`), nil
		}
		caps = append(caps, c)
	}
	return caps
}

// TestM2ASmallModelIsGivenWhatItNeedsAndTheWayToTheRest: with a context of 4 000 tokens the tools take no more than a
// third. The tools that match the sentence and the most used ones come first, and a called tool stays.
//
// holds: M2 M3
func TestM2ASmallModelIsGivenWhatItNeedsAndTheWayToTheRest(t *testing.T) {
	m := &script{Steps: []step{reply("", use("a", "theme_set", `{"theme":"dark"}`)), reply("It is dark."), reply("Bye.")}}
	r := newRoom(t, small{m, 4000}, func(o *agent.Options, _ *policy.Options) {
		o.Core = func(context.Context) []string { return []string{"checkout.submit", "order.search"} }
	})
	r.Bus.MustRegister(bus.Capabilities()...)
	r.Bus.MustRegister(filler(60)...)
	r.Say("use the dark theme")
	r.Say("thank you")
	for i, req := range m.Requests {
		size := 0
		for _, tool := range req.Tools {
			size += len(tool.Name) + len(tool.Description) + len(tool.Parameters)
		}
		if size/4 > 4000/3 {
			t.Errorf("request %d has tools of %d bytes", i, size)
		}
		for _, name := range []string{"capability.list", "capability.describe", "theme.set", "checkout.submit",
			"order.search"} {
			if !slices.Contains(toolNames(req), name) {
				t.Errorf("request %d lacks %s: %v", i, name, toolNames(req))
			}
		}
	}
	if note := m.Requests[0].Messages[0].Context; !strings.Contains(note, "more tools") {
		t.Errorf("the model is not told that there are more: %s", note)
	}
	for _, size := range []int{0, 200_000} {
		large := &script{Steps: []step{reply("hm")}}
		r = newRoom(t, small{large, size})
		all := len(r.Bus.Capabilities())
		if r.Say("hm"); len(large.Last().Tools) < all || strings.Contains(large.Last().Messages[0].Context, "more tools") {
			t.Errorf("a model of %d has %d of %d tools, which are few", size, len(large.Last().Tools), all)
		}
		large = &script{Steps: []step{reply("hm")}}
		r = newRoom(t, small{large, size})
		r.Bus.MustRegister(filler(60)...)
		r.Say("hm")
		if n := len(large.Last().Tools); n < 15 || n > 25 || !strings.Contains(large.Last().Messages[0].Context, "more tools") {
			t.Errorf("a model of %d has %d tools of many", size, n)
		}
	}
}

// TestA13ATurnFitsIntoTheModel: every request stays within the context of the model, however many results a turn has. A
// shortened result has the number of missing rows.
//
// holds: A13
func TestA13ATurnFitsIntoTheModel(t *testing.T) {
	m := &script{Steps: []step{func(req model.Request) (model.Reply, error) {
		n := 0
		for _, msg := range req.Messages {
			n += len(msg.Calls)
		}
		if n == 12 {
			return model.Reply{Text: "done"}, nil
		}
		return model.Reply{Calls: []model.Call{use("", fmt.Sprintf("aa%d_thing", n), `{}`)}}, nil
	}}}
	r := newRoom(t, small{m, 6000})
	r.Bus.MustRegister(filler(12)...)
	if end := r.Say("look at all").Ended(); end.Status != agent.StatusDone {
		t.Fatalf("%+v", end)
	}
	for i, req := range m.Requests {
		size := len(req.System)
		for _, tool := range req.Tools {
			size += len(tool.Name) + len(tool.Description) + len(tool.Parameters)
		}
		for _, msg := range req.Messages {
			size += len(msg.Text) + len(msg.Context)
		}
		if size/4 > 6000*4/5 {
			t.Errorf("request %d has %d bytes", i, size)
		}
		if req.Messages[0].Text != "look at all" {
			t.Errorf("request %d has lost the sentence", i)
		}
	}
	messages := m.Last().Messages
	var last struct {
		Data struct {
			Rows []any
			Left int `json:"rows_left_out"`
		}
	}
	if err := json.Unmarshal([]byte(messages[len(messages)-1].Text), &last); err != nil ||
		len(last.Data.Rows)+last.Data.Left != 401 || last.Data.Left < 200 {
		t.Errorf("%v: %d rows, %d left out", err, len(last.Data.Rows), last.Data.Left)
	}
	if first := messages[2].Text; !strings.Contains(first, "left out; call it again") {
		t.Errorf("the first result is still there: %d bytes", len(first))
	}
}

// TestA4AModelIsToldWhatDayItIs: the note has the date, and every text names tools as the model knows them.
//
// holds: A4 M4
func TestA4AModelIsToldWhatDayItIs(t *testing.T) {
	m := &script{Steps: []step{reply("", use("a", "checkout_submit", `{"shippingAddressId":"a","paymentMethodId":"b"}`),
		use("b", "capability.describe", `{"name":"order_get"}`), use("c", "secret_do", `{}`)), reply("ok")}}
	r := newRoom(t, m, func(o *agent.Options, _ *policy.Options) {
		o.Context = func(context.Context, bus.Principal) (any, error) { return map[string]any{"next": "cart.addItem"}, nil }
	})
	r.Bus.MustRegister(bus.Capabilities()...)
	secret := capability("secret.do", "Do the secret", bus.UIOnly, object("", ""),
		func(context.Context, *bus.Call) (json.RawMessage, error) {
			return nil, bus.Errorf(bus.PreconditionFailed, bus.ReasonState, "Not now.").WithHint("Invoke vault.open first.")
		})
	vault := secret
	vault.Name, vault.Title, vault.Checks.Access.Agent = "vault.open", "Open the vault", bus.RuleDeny
	r.Bus.MustRegister(secret, vault)
	r.Say("go")
	note := m.Requests[0].Messages[0].Context
	if !strings.Contains(note, "Now: Monday, 2026-03-02 09:00, UTC") || !strings.Contains(note, `"next":"cart_addItem"`) {
		t.Errorf("told %s", note)
	}
	for _, tool := range m.Requests[0].Tools {
		if strings.Contains(tool.Description, "cart.getSummary") {
			t.Errorf("%s: %s", tool.Name, tool.Description)
		}
	}
	results := m.Results(t)
	if hint := results[0]["recovery_hint"]; hint != "Invoke cart_addItem to put something in it." {
		t.Errorf("the hint is %q", hint)
	}
	if data, _ := results[1]["data"].(map[string]any); data["name"] != "order.get" {
		t.Errorf("described %v", results[1])
	}
	if hint := results[2]["recovery_hint"]; hint != "Invoke “Open the vault”, which only a person can do first." {
		t.Errorf("the hint is %q", hint)
	}
}

// TestA4APromptIsMadeWithoutAConversation: the test of a model sends the prompt of a person without a conversation.
//
// holds: A4
func TestA4APromptIsMadeWithoutAConversation(t *testing.T) {
	b := openBooth(t, policy.Options{})
	bridge, _ := b.Stored()
	req, err := bridge.Prompt(t.Context(), owner, 0)
	if err != nil || req.System == "" || len(req.Tools) == 0 {
		t.Errorf("the prompt has %d bytes and %d tools: %v", len(req.System), len(req.Tools), err)
	}
}
