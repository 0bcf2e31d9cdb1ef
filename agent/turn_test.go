package agent_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/deskhand/deskhand/agent"
	"github.com/deskhand/deskhand/agent/model"
	"github.com/deskhand/deskhand/agent/policy"
	"github.com/deskhand/deskhand/bus"
	"github.com/google/go-cmp/cmp"
)

// holds: A1
func TestA1OnlyCallsAct(t *testing.T) {
	for _, s := range []string{`cart_clear({})`, "```json\n{\"tool\":\"cart_clear\"}\n```"} {
		r := newRoom(t, &script{Steps: []step{reply(s), reply("")}})
		u := r.Say("clear it")
		if len(r.Journal.Entries()) != 0 || u.Text() != s {
			t.Errorf("%s ran, or was not shown: %s", s, u.Text())
		}
	}
}

// TestA1AModelThatWritesACallIsToldOnce: a call that is written as text does nothing, so the bridge asks the model once
// to make the call. If the model writes text again, the turn ends with an error that suggests another model.
//
// holds: A1
func TestA1AModelThatWritesACallIsToldOnce(t *testing.T) {
	const written = "I will do it.\n" + `{"name": "cart_clear", "arguments": {}}`
	m := &script{Steps: []step{reply(written), reply("", use("a", "cart_clear", `{}`)), reply("It is empty.")}}
	r := newRoom(t, m)
	if u := r.Say("clear it"); len(u.Calls()) != 1 || u.Ended().Status != agent.StatusDone {
		t.Errorf("%v %+v", u.Calls(), u.Ended())
	}
	if note := m.Requests[1].Messages[2].Context; !strings.Contains(note, "written as text") {
		t.Errorf("told %q", note)
	}
	if end := newRoom(t, &script{Steps: []step{reply(written)}}).Say("clear it").Ended(); end.Status != agent.StatusError ||
		!strings.Contains(end.Error, "made for tools") {
		t.Errorf("%+v", end)
	}
	for _, harmless := range []string{`The file says {"name": "order.rush", "arguments": {}}.`, "Use cart_clear to do it."} {
		m := &script{Steps: []step{reply(harmless)}}
		if newRoom(t, m).Say("hm"); len(m.Requests) != 1 {
			t.Errorf("%q is taken for a call", harmless)
		}
	}
}

// holds: A4
func TestA4ResultsAreMatchedByCallID(t *testing.T) {
	m := &script{Steps: []step{reply("", use("b", "customer_search", `{"query":"Ana"}`),
		use("a", "catalog_search", `{"query":"Guji"}`)), reply("ok")}}
	r := newRoom(t, m)
	r.Say("go")
	res := m.Results(t)
	if res[0]["call_id"] != "b" || !strings.Contains(fmt.Sprint(res[0]), "cus_ana") || res[1]["call_id"] != "a" ||
		!strings.Contains(fmt.Sprint(res[1]), "prod_guji") {
		t.Error(res)
	}
}

// holds: A4
func TestA4RepeatedAndMissingCallIDsAreMadeUnique(t *testing.T) {
	m := &script{Steps: []step{reply("", use("", "cart_getSummary", `{}`),
		use("call_0", "cart_addItem", `{"productId":"p","quantity":1}`)),
		reply("", use("call_0", "cart_addItem", `{"productId":"p","quantity":1}`),
			use("call_0", "cart_addItem", `{"productId":"p","quantity":1}`)), reply("ok")}}
	r := newRoom(t, m)
	r.Say("go")
	seen := map[string]bool{}
	for _, x := range m.Results(t) {
		if id := x["call_id"].(string); id == "" || seen[id] {
			t.Errorf("id %q twice or empty", id)
		} else {
			seen[id] = true
		}
		if x["replayed"] == true {
			t.Error("two wishes were taken for one")
		}
	}
	if r.Journal.Row("cart", "open")["lines"] != 3 {
		t.Error(r.Journal.Row("cart", "open"))
	}
}

// TestATurnAtAnotherComputerTellsWhichOne: the records of a turn have the door with the name of the computer.
func TestATurnAtAnotherComputerTellsWhichOne(t *testing.T) {
	r := newRoom(t, &script{Steps: []step{reply("", use("a", "cart_clear", `{}`)), reply("ok")}})
	who := bus.Principal{ID: "p1", Name: "Kim", Scopes: []string{"*"}}
	who.Door = "till:Front"
	if err := r.Bridge.Send(t.Context(), agent.Turn{ConversationID: "chat_1", Text: "clear", Principal: who}, nil); err != nil {
		t.Fatal(err)
	}
	if door := r.Journal.Entries()[0].Invocation.Principal.Door; door != "bridge:Front" {
		t.Errorf("the door is %q", door)
	}
}

// holds: A4
func TestA4TheRecordLeadsBackToTheSentence(t *testing.T) {
	m := &script{Steps: []step{reply("I will clear it.", use("a", "cart_clear", `{}`)), reply("ok")}}
	r := newRoom(t, m)
	u := r.Say("clear the cart")
	inv := r.Journal.Entries()[0].Invocation
	want := bus.Caller{Type: bus.CallerAgent, Source: "chat_1", ParentRequestID: u[0].TurnID,
		TriggeringMessage: "clear the cart", Reasoning: "I will clear it."}
	if diff := cmp.Diff(want, inv.Caller); diff != "" {
		t.Error(diff)
	}
	if inv.TraceID != u[0].TurnID || inv.IdempotencyKey == "" || inv.Principal.Door != "bridge" ||
		inv.Principal.ConversationID != "chat_1" || inv.Principal.Model.Name != "script" || inv.Principal.ID != "p1" {
		t.Errorf("%+v", inv)
	}
}

// holds: A4
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
	m := &script{Steps: []step{reply("", use("1", "x_read", `{}`), use("2", "x_read", `{}`),
		use("3", "x_write", `{"n":1}`), use("4", "x_write", `{"n":2}`), use("5", "x_write", `{"n":3}`)), reply("ok")}}
	r := newRoom(t, m)
	r.Bus.MustRegister(capability("x.read", "Read", bus.Pure, object("", ""), read),
		capability("x.write", "Write", bus.UIOnly, object("n", `"n":{"type":"integer"}`), write))
	r.Say("go")
	if diff := cmp.Diff([]string{`{"n":1}`, `{"n":2}`, `{"n":3}`}, order); diff != "" {
		t.Error(diff)
	}
}

// holds: A4
func TestA4AnEndlessLoopHitsTheLimit(t *testing.T) {
	m := &script{Steps: []step{reply("again", use("", "cart_getSummary", `{}`))}}
	r := newRoom(t, m, func(o *agent.Options, _ *policy.Options) { o.MaxSteps = 5 })
	if e := r.Say("go").Ended(); e.Status != agent.StatusLimit || len(m.Requests) != 5 ||
		!strings.Contains(e.Error, "5 steps") {
		t.Errorf("%+v after %d requests", e, len(m.Requests))
	}
}

// holds: A4
func TestA4ATurnEndsWithItsTime(t *testing.T) {
	m := &script{Steps: []step{reply("", use("", "x_slow", `{}`))}}
	r := newRoom(t, m, func(o *agent.Options, _ *policy.Options) { o.MaxTime = 10 * time.Minute })
	r.Bus.MustRegister(capability("x.slow", "Slow", bus.Pure, object("", ""),
		func(context.Context, *bus.Call) (json.RawMessage, error) {
			r.Clock.Advance(5 * time.Minute)
			return raw("{}"), nil
		}))
	if e := r.Say("go").Ended(); e.Status != agent.StatusLimit || len(m.Requests) != 3 ||
		!strings.Contains(e.Error, "longer than 10 minutes") {
		t.Errorf("%+v after %d requests", e, len(m.Requests))
	}
}

// Calls beyond the limit are refused, each with a record.
// holds: A4
func TestA4TooManyCallsAreNotRun(t *testing.T) {
	var many []model.Call
	for range 8 {
		many = append(many, use("", "cart_clear", `{}`))
	}
	many = append(many, use("", "catalog_search", `{"query":"Guji"}`), use("", "order_rush", `{}`))
	m := &script{Steps: []step{reply("", many...), reply("ok")}}
	r := newRoom(t, m, func(o *agent.Options, _ *policy.Options) { o.MaxCalls = 9 })
	u := r.Say("go")
	if e := u.Ended(); e.Status != agent.StatusLimit || len(e.Actions) != 9 || len(r.Cards) > 0 {
		t.Errorf("%+v", e)
	}
	var got []string
	for _, e := range r.Journal.Entries() {
		got = append(got, fmt.Sprint(e.Invocation.Capability, " ", e.Result.Err.Code))
		if e.Invocation.TraceID != u[0].TurnID || e.Invocation.Caller.TriggeringMessage != "go" {
			t.Errorf("%+v", e.Invocation)
		}
	}
	want := append(slices.Repeat([]string{"cart.clear FORBIDDEN"}, 8), "catalog.search FORBIDDEN", "order_rush NOT_FOUND")
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// holds: A7
func TestA7TheModelIsToldOfEdits(t *testing.T) {
	m := &script{Steps: []step{reply("", use("", "cart_addItem", `{"productId":"p","quantity":1}`)),
		reply("", use("a", "checkout_submit", `{"shippingAddressId":"addr_h","paymentMethodId":"pm_visa"}`)), reply("ok")}}
	r := newRoom(t, m)
	r.Answer = func(c policy.Card) *policy.Answer {
		a := &policy.Answer{Answer: bus.AnswerAllow}
		if len(r.Cards) == 1 {
			a.Arguments = raw(`{"shippingAddressId":"addr_w","paymentMethodId":"pm_visa"}`)
		}
		return a
	}
	u := r.Say("go")
	res := m.Results(t)
	if note, _ := res[1]["note"].(string); !strings.Contains(note, "addr_w") || res[1]["status"] != "success" {
		t.Error(res)
	}
	for _, x := range u {
		if x.Type == agent.UpdateResult && x.CallID == "a" && !strings.Contains(string(x.Arguments), "addr_w") {
			t.Errorf("%+v", x)
		}
	}
}

// holds: A7
func TestA7TheCardSaysWhereValuesComeFrom(t *testing.T) {
	m := &script{Steps: []step{reply("", use("", "cart_addItem", `{"productId":"p","quantity":1}`),
		use("", "cart_getSummary", `{}`)),
		reply("", use("a", "checkout_submit",
			`{"shippingAddressId":"addr_h","paymentMethodId":"pm_pp","giftMessage":"Bye"}`)), reply("ok")}}
	r := newRoom(t, m)
	r.Say("submit my order to my HOME address")
	got := map[string]string{}
	for _, a := range r.Cards[0].Arguments {
		got[a.Pointer] = string(a.Origin) + " " + a.Text
	}
	want := map[string]string{"/shippingAddressId": "said 123 Main St (Home)", "/paymentMethodId": "looked_up PayPal",
		"/giftMessage": "guess Bye"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if c := r.Cards[0]; c.ConversationID != "chat_1" || c.RequestID == "" {
		t.Errorf("%+v", c)
	}
}

// holds: A4
func TestA4StopEndsTheTurnAndSaysWhatWasDone(t *testing.T) {
	args := `{"shippingAddressId":"addr_h","paymentMethodId":"pm_visa"}`
	m := &script{Steps: []step{reply("", use("a", "cart_addItem", `{"productId":"p","quantity":2}`),
		use("b", "checkout_submit", args), use("c", "cart_clear", `{}`)), reply("ok")}}
	r := newRoom(t, m)
	r.Answer = func(policy.Card) *policy.Answer { // the person stops the turn instead of answering
		if r.Bridge.Stop("chat_1", "p2") {
			t.Error("stopped by another person")
		}
		go r.Bridge.Stop("chat_1", kim.ID)
		return nil
	}
	u := r.Say("go")
	if u.Ended().Status != agent.StatusStopped || u.Text() != "Stopped. Done: 2 × p added. Not done: Submit order (It "+
		"was cancelled; nothing was changed); Clear the cart (The person stopped the turn before this was begun; it was "+
		"not done)." {
		t.Errorf("%s %s", u.Ended().Status, u.Text())
	}
	if len(m.Requests) != 1 || len(r.Policy.Pending("p1")) != 0 || r.Journal.Row("done", "cart.clear") != nil {
		t.Error("the turn went on")
	}
	m.Steps = []step{reply("hello")}
	if e := r.Say("are you there?").Ended(); e.Status != agent.StatusDone {
		t.Errorf("%+v", e)
	}
	if r.Bridge.Stop("chat_1", kim.ID) || r.Bridge.Stop("unknown", kim.ID) {
		t.Error("there was nothing to stop")
	}
	answered := map[string]bool{}
	for _, msg := range m.Last().Messages {
		answered[msg.CallID] = true
	}
	if !answered["a"] || !answered["b"] || !answered["c"] {
		t.Error("a call without a result is in the history")
	}
}

// holds: A4
func TestATurnThatIsSentWhenOneEndsIsTaken(t *testing.T) {
	r := newRoom(t, &script{Steps: []step{reply("one"), reply("two")}})
	turn := agent.Turn{ConversationID: "chat_1", Text: "go", Principal: kim}
	next := make(chan error, 1)
	err := r.Bridge.Send(t.Context(), turn, func(u agent.Update) {
		if u.Type != agent.UpdateTurnEnded {
			return
		}
		begun := make(chan struct{})
		go func() {
			close(begun)
			next <- r.Bridge.Send(context.Background(), turn, nil)
		}()
		<-begun
		select { // a refusal would come at once, and nothing else can come before this returns
		case err := <-next:
			t.Errorf("the second Send returned while the first turn was ending: %v", err)
			next <- nil
		case <-time.After(50 * time.Millisecond):
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := <-next; err != nil {
		t.Error(err)
	}
}

// holds: A4
func TestA4StopReachesTheModel(t *testing.T) {
	started := make(chan struct{})
	r := newRoom(t, waiting{started})
	go func() {
		<-started
		r.Bridge.Stop("chat_1", kim.ID)
	}()
	if u := r.Say("go"); u.Ended().Status != agent.StatusStopped || !strings.Contains(u.Text(), "Nothing was changed") {
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

// holds: A4
func TestA4ASilentModelIsSpokenFor(t *testing.T) {
	m := &script{Steps: []step{reply("", use("a", "cart_addItem", `{"productId":"p","quantity":2}`)), reply("")}}
	r := newRoom(t, m)
	if u := r.Say("go"); u.Text() != "Done: 2 × p added." || u.Ended().Status != agent.StatusDone {
		t.Errorf("%s", u.Text())
	}
	r = newRoom(t, &script{Steps: []step{reply("  ")}})
	if u := r.Say("go"); u.Ended().Status != agent.StatusError || !strings.Contains(u.Ended().Error, "empty reply") {
		t.Errorf("%+v", u.Ended())
	}
}

// holds: A2
func TestA2ACutCallGetsOneMoreChance(t *testing.T) {
	cut := func(model.Request) (model.Reply, error) {
		return model.Reply{Text: "I will", Finish: model.FinishLength, Dropped: 1}, nil
	}
	m := &script{Steps: []step{cut, reply("done")}}
	r := newRoom(t, m)
	if e := r.Say("go").Ended(); e.Status != agent.StatusDone ||
		!strings.Contains(m.Last().Messages[2].Context, "Nothing in it was run") {
		t.Errorf("%+v %+v", e, m.Last().Messages)
	}
	m = &script{Steps: []step{cut}}
	r = newRoom(t, m)
	if e := r.Say("go").Ended(); e.Status != agent.StatusLimit || len(m.Requests) != 2 ||
		!strings.Contains(e.Error, "not run") {
		t.Errorf("%+v after %d requests", e, len(m.Requests))
	}
}

// A note of the application within a turn is not sent in later turns, and it leaves no empty message.
//
// holds: A2
func TestA2NoEmptyMessageIsSent(t *testing.T) {
	cut := func(model.Request) (model.Reply, error) {
		return model.Reply{Text: "I will", Finish: model.FinishLength, Dropped: 1}, nil
	}
	m := &script{Steps: []step{cut, reply("done"), reply("yes?")}}
	r := newRoom(t, m)
	r.Say("go")
	r.Say("and now?")
	for _, msg := range m.Last().Messages {
		if msg.Text == "" && msg.Context == "" && len(msg.Calls) == 0 {
			t.Errorf("empty message in %+v", m.Last().Messages)
		}
	}
}

// A person who ends the program during a request has made no error.
// holds: A4
func TestA4AnEndedProgramIsNoError(t *testing.T) {
	var log strings.Builder
	started := make(chan struct{})
	r := newRoom(t, waiting{started}, func(o *agent.Options, _ *policy.Options) {
		o.Logger = slog.New(slog.NewTextHandler(&log, nil))
	})
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		<-started
		cancel()
	}()
	var u turn
	if err := r.Bridge.Send(ctx, agent.Turn{ConversationID: "chat_1", Text: "go", Principal: kim},
		func(x agent.Update) { u = append(u, x) }); err != nil {
		t.Fatal(err)
	}
	if u.Ended().Status != agent.StatusStopped || u.Ended().Error != "" || log.Len() > 0 {
		t.Errorf("%+v, logged %s", u.Ended(), log.String())
	}
}

// holds: A4
func TestA4AFailingModelEndsTheTurn(t *testing.T) {
	m := &script{Steps: []step{func(model.Request) (model.Reply, error) {
		return model.Reply{Text: "I", Calls: []model.Call{use("a", "cart_clear", `{}`)}}, errors.New("boom")
	}}}
	r := newRoom(t, m)
	if e := r.Say("go").Ended(); e.Status != agent.StatusError || e.Error != "The model failed. Try again." ||
		len(r.Journal.Entries()) != 0 {
		t.Errorf("%+v", e)
	}
}

// TestA4AFailureAfterActionsNamesThem: the person learns what was done before the model failed, and only then.
//
// holds: A4
func TestA4AFailureAfterActionsNamesThem(t *testing.T) {
	failing := func(model.Request) (model.Reply, error) { return model.Reply{}, errors.New("boom") }
	for name, tt := range map[string]struct {
		first step
		want  string
	}{
		"an action": {reply("", use("a", "cart_addItem", `{"productId":"prd_1","quantity":2}`)), "Done: "},
		"a read":    {reply("", use("a", "cart_getSummary", `{}`)), ""},
	} {
		u := newRoom(t, &script{Steps: []step{tt.first, failing}}).Say("go")
		if e := u.Ended(); e.Status != agent.StatusError || e.Error != "The model failed. Try again." ||
			!strings.HasPrefix(u.Text(), tt.want) || (tt.want == "") != (u.Text() == "") {
			t.Errorf("%s: %+v %q", name, e, u.Text())
		}
	}
}

// holds: A4
func TestA4OneTurnAtATime(t *testing.T) {
	started := make(chan struct{})
	r := newRoom(t, waiting{started})
	done := make(chan turn)
	go func() { done <- r.Say("go") }()
	<-started
	err := r.Bridge.Send(t.Context(), agent.Turn{ConversationID: "chat_1", Text: "me too", Principal: kim}, nil)
	if code(err) != bus.Conflict {
		t.Errorf("%v", err)
	}
	r.Bridge.Stop("chat_1", kim.ID)
	<-done
}

// holds: A4
func TestA4WhatCannotBeSentIsRefused(t *testing.T) {
	r := newRoom(t, nil, func(o *agent.Options, _ *policy.Options) { o.Model = func() model.Model { return nil } })
	for text, want := range map[string]bus.Code{"  ": bus.Validation, "hello": bus.PreconditionFailed,
		strings.Repeat("x", 64<<10+1): bus.Validation} {
		if err := r.Bridge.Send(t.Context(), agent.Turn{ConversationID: "c", Text: text, Principal: kim}, nil); code(err) !=
			want {
			t.Errorf("%.100q: %v", text, err)
		}
	}
}

// holds: M2
func TestM2ToolsFollowTheViewAndSayWhatIsImpossible(t *testing.T) {
	m := &script{Steps: []step{reply("ok")}}
	r := newRoom(t, m, func(o *agent.Options, _ *policy.Options) {
		o.View = func() bus.View { return bus.View{Route: "counter"} }
	})
	never := capability("x.never", "Never", bus.UIOnly, object("", ""), saying("x"))
	never.Checks.Available = func(context.Context, *bus.Call) error {
		return bus.Errorf(bus.PreconditionFailed, bus.ReasonUnavailable, "the shutter is down")
	}
	elsewhere := capability("x.elsewhere", "Elsewhere", bus.UIOnly, object("", ""), saying("x"))
	elsewhere.Listing.Routes = []string{"audit"}
	denied := capability("x.denied", "Denied", bus.UIOnly, object("", ""), saying("x"))
	denied.Checks.Access.Agent = bus.RuleDeny
	r.Bus.MustRegister(never, elsewhere, denied)
	r.Say("hi")
	tools := map[string]bool{}
	for _, tool := range m.Last().Tools {
		tools[tool.Name] = true
	}
	if !tools["x_never"] || tools["x_elsewhere"] || tools["x_denied"] {
		t.Errorf("%v", tools)
	}
	if note := m.Last().Messages[0].Context; !strings.Contains(note, "x_never: the shutter is down") ||
		strings.Contains(note, "x_denied") {
		t.Error(note)
	}
}
