package agent_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/deskhand/deskhand/agent"
	"github.com/deskhand/deskhand/agent/model"
	"github.com/deskhand/deskhand/agent/policy"
	"github.com/deskhand/deskhand/bus"
	"github.com/google/go-cmp/cmp"
)

// script is a model that says what it is told to, in order; the last step for ever.
type script struct {
	mu       sync.Mutex
	steps    []step
	requests []model.Request
}

type step func(model.Request) (model.Reply, error)

func (s *script) Profile() bus.ModelID { return bus.ModelID{Endpoint: "test", Name: "script"} }

func (s *script) Stream(_ context.Context, req model.Request, onDelta func(model.Delta)) (model.Reply, error) {
	s.mu.Lock()
	n := min(len(s.requests), len(s.steps)-1)
	s.requests = append(s.requests, req)
	s.mu.Unlock()
	reply, err := s.steps[n](req)
	if reply.Text != "" {
		onDelta(model.Delta{Text: reply.Text})
	}
	return reply, err
}

func (s *script) last() model.Request { return s.requests[len(s.requests)-1] }

func reply(text string, calls ...model.Call) step {
	return func(model.Request) (model.Reply, error) {
		return model.Reply{Text: text, Calls: append([]model.Call(nil), calls...)}, nil
	}
}

func use(id, tool, args string) model.Call {
	return model.Call{ID: id, Tool: tool, Arguments: raw("%s", args)}
}

// results reads the tool messages a model was given last.
func (s *script) results(t *testing.T) []map[string]any {
	t.Helper()
	var list []map[string]any
	for _, m := range s.last().Messages {
		if m.Role == model.RoleTool {
			var res map[string]any
			if err := json.Unmarshal([]byte(m.Text), &res); err != nil {
				t.Fatal(err)
			}
			res["call_id"] = m.CallID
			list = append(list, res)
		}
	}
	return list
}

func TestA1OnlyCallsAct(t *testing.T) {
	for _, s := range []string{`cart_clear({})`, `<tool_call>{"name":"cart_clear","arguments":{}}</tool_call>`, "```json\n{\"tool\":\"cart_clear\"}\n```"} {
		r := newRoom(t, &script{steps: []step{reply(s)}})
		u := r.say("clear it")
		if len(r.journal.Entries()) != 0 || u.text() != s {
			t.Errorf("%s ran, or was not shown: %s", s, u.text())
		}
	}
}

func TestA4ResultsAreMatchedByCallID(t *testing.T) {
	m := &script{steps: []step{reply("", use("b", "customer_search", `{"query":"Ana"}`), use("a", "catalog_search", `{"query":"Guji"}`)), reply("ok")}}
	r := newRoom(t, m)
	r.say("go")
	res := m.results(t)
	if res[0]["call_id"] != "b" || !strings.Contains(fmt.Sprint(res[0]), "cus_ana") || res[1]["call_id"] != "a" || !strings.Contains(fmt.Sprint(res[1]), "prod_guji") {
		t.Error(res)
	}
}

func TestA4RepeatedAndMissingCallIDsAreMadeUnique(t *testing.T) {
	m := &script{steps: []step{reply("", use("", "cart_getSummary", `{}`), use("call_0", "cart_addItem", `{"productId":"p","quantity":1}`)),
		reply("", use("call_0", "cart_addItem", `{"productId":"p","quantity":1}`), use("call_0", "cart_addItem", `{"productId":"p","quantity":1}`)), reply("ok")}}
	r := newRoom(t, m)
	r.say("go")
	seen := map[string]bool{}
	for _, x := range m.results(t) {
		if id := x["call_id"].(string); id == "" || seen[id] {
			t.Errorf("id %q twice or empty", id)
		} else {
			seen[id] = true
		}
		if x["replayed"] == true {
			t.Error("two wishes were taken for one")
		}
	}
	if r.journal.Row("cart", "open")["lines"] != 3 {
		t.Error(r.journal.Row("cart", "open"))
	}
}

func TestA4TheRecordLeadsBackToTheSentence(t *testing.T) {
	m := &script{steps: []step{reply("I will clear it.", use("a", "cart_clear", `{}`)), reply("ok")}}
	r := newRoom(t, m)
	u := r.say("clear the cart")
	inv := r.journal.Entries()[0].Invocation
	want := bus.Caller{Type: bus.CallerAgent, Source: "chat_1", ParentRequestID: u[0].TurnID, TriggeringMessage: "clear the cart", Reasoning: "I will clear it."}
	if diff := cmp.Diff(want, inv.Caller); diff != "" {
		t.Error(diff)
	}
	if inv.TraceID != u[0].TurnID || inv.IdempotencyKey == "" || inv.Principal.Door != "bridge" || inv.Principal.ConversationID != "chat_1" || inv.Principal.Model.Name != "script" || inv.Principal.Person != "p1" {
		t.Errorf("%+v", inv)
	}
}

func TestA4ReadsRunTogetherAndTheRestInOrder(t *testing.T) {
	var mu sync.Mutex
	var order []string
	both := make(chan struct{}, 2)
	read := func(_ context.Context, call *bus.Call) (json.RawMessage, error) {
		both <- struct{}{}
		for len(both) < 2 { // each waits for the other: only together they end
		}
		return raw("{}"), nil
	}
	write := func(ctx context.Context, call *bus.Call) (json.RawMessage, error) {
		mu.Lock()
		order = append(order, string(call.Arguments))
		mu.Unlock()
		return raw("{}"), nil
	}
	m := &script{steps: []step{reply("", use("1", "x_read", `{}`), use("2", "x_read", `{}`), use("3", "x_write", `{"n":1}`), use("4", "x_write", `{"n":2}`), use("5", "x_write", `{"n":3}`)), reply("ok")}}
	r := newRoom(t, m)
	r.bus.MustRegister(capability("x.read", "Read", bus.Pure, object("", ""), read), capability("x.write", "Write", bus.UIOnly, object("n", `"n":{"type":"integer"}`), write))
	r.say("go")
	if diff := cmp.Diff([]string{`{"n":1}`, `{"n":2}`, `{"n":3}`}, order); diff != "" {
		t.Error(diff)
	}
}

func TestA4AnEndlessLoopHitsTheLimit(t *testing.T) {
	m := &script{steps: []step{reply("again", use("", "cart_getSummary", `{}`))}}
	r := newRoom(t, m, func(o *agent.Options, _ *policy.Options) { o.MaxSteps = 5 })
	if e := r.say("go").ended(); e.Status != agent.StatusLimit || len(m.requests) != 5 || !strings.Contains(e.Error, "5 steps") {
		t.Errorf("%+v after %d requests", e, len(m.requests))
	}
}

func TestA4TooManyCallsAreNotRun(t *testing.T) {
	var many []model.Call
	for range 10 {
		many = append(many, use("", "cart_clear", `{}`))
	}
	m := &script{steps: []step{reply("", many...), reply("ok")}}
	r := newRoom(t, m, func(o *agent.Options, _ *policy.Options) { o.MaxCalls = 9 })
	if e := r.say("go").ended(); e.Status != agent.StatusLimit || len(r.journal.Entries()) != 0 {
		t.Errorf("%+v, %d records", e, len(r.journal.Entries()))
	}
}

func TestA7TheModelIsToldOfEdits(t *testing.T) {
	m := &script{steps: []step{reply("", use("", "cart_addItem", `{"productId":"p","quantity":1}`)),
		reply("", use("a", "checkout_submit", `{"shippingAddressId":"addr_h","paymentMethodId":"pm_visa"}`)), reply("ok")}}
	r := newRoom(t, m)
	r.answer = func(c policy.Card) *policy.Answer {
		a := &policy.Answer{Answer: policy.AnswerAllow}
		if len(r.cards) == 1 {
			a.Arguments = raw(`{"shippingAddressId":"addr_w","paymentMethodId":"pm_visa"}`)
		}
		return a
	}
	u := r.say("go")
	res := m.results(t)
	if note, _ := res[1]["note"].(string); !strings.Contains(note, "addr_w") || res[1]["status"] != "success" {
		t.Error(res)
	}
	for _, x := range u {
		if x.Type == agent.UpdateResult && x.CallID == "a" && !strings.Contains(string(x.Arguments), "addr_w") {
			t.Errorf("%+v", x)
		}
	}
}

func TestA7TheCardSaysWhereValuesComeFrom(t *testing.T) {
	m := &script{steps: []step{reply("", use("", "cart_addItem", `{"productId":"p","quantity":1}`), use("", "cart_getSummary", `{}`)),
		reply("", use("a", "checkout_submit", `{"shippingAddressId":"addr_h","paymentMethodId":"pm_pp","giftMessage":"Bye"}`)), reply("ok")}}
	r := newRoom(t, m)
	r.say("submit my order to my HOME address")
	got := map[string]string{}
	for _, a := range r.cards[0].Arguments {
		got[a.Pointer] = string(a.Origin) + " " + a.Text
	}
	want := map[string]string{"/shippingAddressId": "said 123 Main St (Home)", "/paymentMethodId": "looked_up PayPal", "/giftMessage": "guess Bye"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if c := r.cards[0]; c.ConversationID != "chat_1" || c.RequestID == "" {
		t.Errorf("%+v", c)
	}
}

func TestA4StopEndsTheTurnAndSaysWhatWasDone(t *testing.T) {
	args := `{"shippingAddressId":"addr_h","paymentMethodId":"pm_visa"}`
	m := &script{steps: []step{reply("", use("a", "cart_addItem", `{"productId":"p","quantity":2}`), use("b", "checkout_submit", args), use("c", "cart_clear", `{}`)), reply("ok")}}
	r := newRoom(t, m)
	r.answer = func(policy.Card) *policy.Answer { // the person stops the turn instead of answering
		go r.bridge.Stop("chat_1")
		return nil
	}
	u := r.say("go")
	if u.ended().Status != agent.StatusStopped || u.text() != "Stopped. Done: 2 × p added. Not done: Submit order (It was cancelled; nothing was changed); Clear the cart (The person stopped the turn before this was begun; it was not done)." {
		t.Errorf("%s %s", u.ended().Status, u.text())
	}
	if len(m.requests) != 1 || len(r.policy.Pending()) != 0 || r.journal.Row("done", "cart.clear") != nil {
		t.Error("the turn went on")
	}
	m.steps = []step{reply("hello")}
	if e := r.say("are you there?").ended(); e.Status != agent.StatusDone {
		t.Errorf("%+v", e)
	}
	if r.bridge.Stop("chat_1") || r.bridge.Stop("unknown") {
		t.Error("there was nothing to stop")
	}
	answered := map[string]bool{}
	for _, msg := range m.last().Messages {
		answered[msg.CallID] = true
	}
	if !answered["a"] || !answered["b"] || !answered["c"] {
		t.Error("a call without a result is in the history")
	}
}

func TestA4StopReachesTheModel(t *testing.T) {
	started := make(chan struct{})
	r := newRoom(t, waiting{started})
	go func() {
		<-started
		r.bridge.Stop("chat_1")
	}()
	if u := r.say("go"); u.ended().Status != agent.StatusStopped || !strings.Contains(u.text(), "Nothing was changed") {
		t.Errorf("%+v", u)
	}
}

// waiting is a model that never answers.
type waiting struct{ started chan struct{} }

func (waiting) Profile() bus.ModelID { return bus.ModelID{} }

func (w waiting) Stream(ctx context.Context, _ model.Request, _ func(model.Delta)) (model.Reply, error) {
	close(w.started)
	<-ctx.Done()
	return model.Reply{}, ctx.Err()
}

func TestA4ASilentModelIsSpokenFor(t *testing.T) {
	m := &script{steps: []step{reply("", use("a", "cart_addItem", `{"productId":"p","quantity":2}`)), reply("")}}
	r := newRoom(t, m)
	if u := r.say("go"); u.text() != "Done: 2 × p added." || u.ended().Status != agent.StatusDone {
		t.Errorf("%s", u.text())
	}
	r = newRoom(t, &script{steps: []step{reply("  ")}})
	if u := r.say("go"); u.ended().Status != agent.StatusError || !strings.Contains(u.ended().Error, "empty reply") {
		t.Errorf("%+v", u.ended())
	}
}

func TestA2ACutCallGetsOneMoreChance(t *testing.T) {
	cut := func(model.Request) (model.Reply, error) {
		return model.Reply{Text: "I will", Finish: model.FinishLength, Dropped: 1}, nil
	}
	m := &script{steps: []step{cut, reply("done")}}
	r := newRoom(t, m)
	if e := r.say("go").ended(); e.Status != agent.StatusDone || !strings.Contains(m.last().Messages[2].Note, "Nothing in it was run") {
		t.Errorf("%+v %+v", e, m.last().Messages)
	}
	m = &script{steps: []step{cut}}
	r = newRoom(t, m)
	if e := r.say("go").ended(); e.Status != agent.StatusLimit || len(m.requests) != 2 || !strings.Contains(e.Error, "not run") {
		t.Errorf("%+v after %d requests", e, len(m.requests))
	}
}

func TestA4AFailingModelEndsTheTurn(t *testing.T) {
	m := &script{steps: []step{func(model.Request) (model.Reply, error) {
		return model.Reply{Text: "I", Calls: []model.Call{use("a", "cart_clear", `{}`)}}, errors.New("boom")
	}}}
	r := newRoom(t, m)
	if e := r.say("go").ended(); e.Status != agent.StatusError || e.Error != "The model failed. Try again." || len(r.journal.Entries()) != 0 {
		t.Errorf("%+v", e)
	}
}

func TestA4OneTurnAtATime(t *testing.T) {
	started := make(chan struct{})
	r := newRoom(t, waiting{started})
	done := make(chan turn)
	go func() { done <- r.say("go") }()
	<-started
	err := r.bridge.Send(t.Context(), agent.Turn{ConversationID: "chat_1", Text: "me too", Principal: kim}, nil)
	if code(err) != bus.Conflict {
		t.Errorf("%v", err)
	}
	r.bridge.Stop("chat_1")
	<-done
}

func TestA4WhatCannotBeSentIsRefused(t *testing.T) {
	r := newRoom(t, nil, func(o *agent.Options, _ *policy.Options) { o.Model = func() model.Model { return nil } })
	for text, want := range map[string]bus.Code{"  ": bus.Validation, "hello": bus.PreconditionFailed} {
		if err := r.bridge.Send(t.Context(), agent.Turn{ConversationID: "c", Text: text, Principal: kim}, nil); code(err) != want {
			t.Errorf("%q: %v", text, err)
		}
	}
}

func TestM2ToolsFollowTheViewAndSayWhatIsImpossible(t *testing.T) {
	m := &script{steps: []step{reply("ok")}}
	r := newRoom(t, m, func(o *agent.Options, _ *policy.Options) {
		o.View = func() bus.View { return bus.View{Route: "counter"} }
	})
	never := capability("x.never", "Never", bus.UIOnly, object("", ""), saying("x"))
	never.Available = func(context.Context, *bus.Call) error {
		return bus.Errorf(bus.PreconditionFailed, bus.ReasonUnavailable, "the shutter is down")
	}
	elsewhere := capability("x.elsewhere", "Elsewhere", bus.UIOnly, object("", ""), saying("x"))
	elsewhere.Routes = []string{"audit"}
	denied := capability("x.denied", "Denied", bus.UIOnly, object("", ""), saying("x"))
	denied.Access.Agent = bus.RuleDeny
	r.bus.MustRegister(never, elsewhere, denied)
	r.say("hi")
	tools := map[string]bool{}
	for _, tool := range m.last().Tools {
		tools[tool.Name] = true
	}
	if !tools["x_never"] || tools["x_elsewhere"] || tools["x_denied"] {
		t.Errorf("%v", tools)
	}
	if note := m.last().Messages[0].Note; !strings.Contains(note, "x_never: the shutter is down") || strings.Contains(note, "x_denied") {
		t.Error(note)
	}
}
