package agent_test

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/deskhand/deskhand/agent"
	"github.com/deskhand/deskhand/agent/internal/agenttest"
	"github.com/deskhand/deskhand/agent/model"
	"github.com/deskhand/deskhand/agent/policy"
	"github.com/deskhand/deskhand/bus"
	"github.com/google/go-cmp/cmp"
)

func told(req model.Request) string {
	var b strings.Builder
	for _, m := range req.Messages {
		fmt.Fprintf(&b, "%s:%s", m.Role, m.Text)
		for _, c := range m.Calls {
			fmt.Fprintf(&b, " [%s %s]", c.Tool, c.Arguments)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// holds: A13
func TestA13AConversationIsContinuedAfterARestart(t *testing.T) {
	b := openBooth(t, policy.Options{})
	b.Grants(forAna, `{"uses":100}`)
	b.Does(nil, "remark.add", `{"text":"pay me"}`)
	first, _ := b.Stored(reply("Let me look.", use("c1", "remark_list", `{}`)), reply("There is one remark."))
	b.Says(first, "chat_1", "what was remarked?")
	first.Close()

	second, s := b.Stored(reply("", use("c1", "purse_pay", payAna)), reply("as before"))
	if r := b.Says(second, "chat_1", "go on"); r[0].OK() {
		t.Error("what taints the conversation was forgotten")
	}
	for _, want := range []string{"user:what was remarked?", "assistant:Let me look. [remark_list {}]",
		`tool:{"data":{"remarks":`, "assistant:There is one remark.", "user:go on"} {
		if !strings.Contains(told(s.Requests[0]), want) {
			t.Errorf("%q is missing in\n%s", want, told(s.Requests[0]))
		}
	}
	for _, m := range s.Last().Messages {
		if m.Role == model.RoleTool && m.CallID == "" {
			t.Error("a result without its call")
		}
	}
	if last := s.Last().Messages[len(s.Last().Messages)-1]; last.CallID == "c1" {
		t.Error("a call has the id of one before the restart")
	}
}

// TestA5TheEarlierResultIsSaidAfterARestart: the card for a repeated call names the earlier result, also after a
// restart. The test has a call that ran unchanged, a call that a person changed, and a call without a value that has a
// default.
//
// holds: A5
func TestA5TheEarlierResultIsSaidAfterARestart(t *testing.T) {
	b, cards := answering(t, func(n int, _ policy.Card) policy.Answer {
		if n == 2 {
			return policy.Answer{Answer: bus.AnswerAllow, Arguments: raw(`{"purse":"purse_0","amount":%s}`, amount(7))}
		}
		return policy.Answer{Answer: bus.AnswerAllow}
	})
	b.Bus.MustRegister(bus.Define(bus.Capability{Name: "purse.tip", Title: "Tip", Description: "Gives a tip.",
		SideEffect: bus.Destructive, Resources: []string{"database:write"}},
		func(_ context.Context, call *bus.Call, in struct {
			Coins int `json:"coins" jsonschema:"default=5"`
		}) (struct{}, error) {
			call.Changed("purse", fmt.Sprintf("%d coins were given.", in.Coins))
			return struct{}{}, nil
		}))
	pay := func(id, purse string, coins int) step {
		return reply("", use(id, "purse_pay", fmt.Sprintf(`{"amount":%s,"purse":%q}`, amount(coins), purse)))
	}
	first, _ := b.Stored(pay("a", "purse_ana", 5), pay("b", "purse_0", 5), reply("", use("c", "purse_tip", `{}`)),
		reply("", use("d", "purse_list", `{}`)), reply("done"))
	b.Says(first, "chat_1", "pay, pay and tip")
	first.Close()
	before := len(*cards)

	second, _ := b.Stored(pay("e", "purse_ana", 5), pay("f", "purse_ana", 6), pay("g", "purse_0", 5),
		pay("h", "purse_0", 7), reply("", use("i", "purse_tip", `{"coins":5}`)), reply("done"))
	b.Says(second, "chat_1", "and again")
	var said []string
	for _, c := range (*cards)[before:] {
		said = append(said, c.Why)
	}
	paid := "In this conversation it was done before: Pay out"
	if d := cmp.Diff([]string{paid, "", "", paid, "In this conversation it was done before: 5 coins were given."},
		said); d != "" {
		t.Error(d)
	}
}

// TestAModelIsToldOfNoEditWhereACardWasAskedAnew: *More time* is between the person and the card.
func TestAModelIsToldOfNoEditWhereACardWasAskedAnew(t *testing.T) {
	b, cards := answering(t, func(n int, _ policy.Card) policy.Answer {
		return policy.Answer{Answer: map[bool]bus.Answer{true: policy.AnswerAgain, false: bus.AnswerAllow}[n == 1]}
	})
	bridge, script := b.Stored(
		reply("", use("a", "purse_pay", fmt.Sprintf(`{"purse":"purse_0","amount":%s}`, amount(5)))), reply("done"))
	b.Says(bridge, "chat_1", "pay five coins")
	if len(*cards) != 2 || len(script.Requests) != 2 {
		t.Fatalf("%d cards, %d requests", len(*cards), len(script.Requests))
	}
	last := script.Requests[1].Messages
	if told := last[len(last)-1].Text; strings.Contains(told, "changed the arguments") {
		t.Error(told)
	}
}

// amount is money as a capability of the booth takes it.
func amount(coins int) string { return fmt.Sprintf(`{"amount":%d,"currency":"USD"}`, coins) }

// TestA13ATurnThatGoesOnIsTold: the store has a turn from its first sentence. So a stored turn may still be running,
// and conversation.get reports which one is.
//
// holds: A13
func TestA13ATurnThatGoesOnIsTold(t *testing.T) {
	b := openBooth(t, policy.Options{})
	type conversation struct {
		Running string
		Turns   []struct{ ID string }
		Updates []struct{ Type, Text string }
	}
	said := func(c conversation, what string) bool {
		return slices.ContainsFunc(c.Updates, func(u struct{ Type, Text string }) bool { return u.Type+" "+u.Text == what })
	}
	get := func() (got conversation) {
		b.Does(&got, "conversation.get", `{"conversationId":"chat_1"}`)
		return got
	}
	var during conversation
	slow := func(model.Request) (model.Reply, error) {
		during = get()
		return model.Reply{Text: "at last"}, nil
	}
	bridge, _ := b.Stored(slow)
	b.Thread = bridge.Thread
	var end conversation
	err := bridge.Send(t.Context(), agent.Turn{ConversationID: "chat_1", Text: "take your time", Principal: owner},
		func(u agent.Update) {
			if u.Type == agent.UpdateTurnEnded {
				end = get()
			}
		})
	if err != nil {
		t.Fatal(err)
	}
	if len(during.Turns) != 1 || during.Running != during.Turns[0].ID || !said(during, "turn_started take your time") {
		t.Errorf("while it ran: %+v", during)
	}
	for when, got := range map[string]conversation{"as its end was told": end, "afterwards": get()} {
		if got.Running != "" || !said(got, "message at last") {
			t.Errorf("%s: %+v", when, got)
		}
	}
}

// TestA13WhatATurnToldIsToldAgain: a page that is loaded again reads the updates that it missed, also those of the
// running turn.
//
// holds: A13
func TestA13WhatATurnToldIsToldAgain(t *testing.T) {
	b := openBooth(t, policy.Options{})
	get := func() (updates []agent.Update) {
		var got struct{ Updates []agent.Update }
		b.Does(&got, "conversation.get", `{"conversationId":"chat_1"}`)
		return got.Updates
	}
	types := func(updates []agent.Update) (list []agent.UpdateType) {
		for _, u := range updates {
			list = append(list, u.Type)
		}
		return list
	}
	bridge, _ := b.Stored(reply("first"), reply("second"), reply("third"))
	b.Thread = bridge.Thread
	var during []agent.Update
	send := func(text string) {
		t.Helper()
		err := bridge.Send(t.Context(), agent.Turn{ConversationID: "chat_1", Text: text, Principal: owner},
			func(u agent.Update) {
				if u.Type == agent.UpdateMessage && text == "two" {
					during = get()
				}
			})
		if err != nil {
			t.Fatal(err)
		}
	}
	send("one")
	send("two")
	turn := []agent.UpdateType{agent.UpdateTurnStarted, agent.UpdateMessage, agent.UpdateTurnEnded}
	if got, want := types(during), append(slices.Clone(turn), turn[:2]...); !slices.Equal(got, want) {
		t.Errorf("during the second: %v, want %v", got, want)
	}
	if got, want := types(get()), slices.Concat(turn, turn); !slices.Equal(got, want) {
		t.Errorf("afterwards: %v, want %v", got, want)
	}
	b.Says(bridge, "chat_2", "three")
	b.Does(nil, "conversation.remove", `{"conversationId":"chat_2"}`) // noticed as an erasure is
	if got, want := types(get()), slices.Concat(turn, turn); !slices.Equal(got, want) {
		t.Errorf("after an erasure, from the store: %v, want %v", got, want)
	}
}

// TestA13AStoredTurnIsToldAgainWithItsCalls: another program that opens the conversation reads the calls with their
// arguments, results and records, and whether they can be undone. An erased person appears in none of them.
//
// holds: A13
func TestA13AStoredTurnIsToldAgainWithItsCalls(t *testing.T) {
	b, _ := answering(t, func(int, policy.Card) policy.Answer {
		return policy.Answer{Answer: bus.AnswerAllow, Arguments: raw(`{"purse":"purse_0","amount":%s}`, amount(7))}
	})
	bridge, _ := b.Stored(reply("I look first.", use("a", "purse_list", `{}`)),
		reply("", use("b", "purse_pay", fmt.Sprintf(`{"amount":%s,"purse":"purse_0"}`, amount(5)))),
		reply("", use("c", "purse_pay", `{}`)), reply("Seven are paid."))
	b.Thread = bridge.Thread
	b.Says(bridge, "chat_1", "pay five coins")
	get := func() (updates []agent.Update) {
		var got struct{ Updates []agent.Update }
		b.Does(&got, "conversation.get", `{"conversationId":"chat_1"}`)
		return got.Updates
	}
	told := get()
	b.Thread = nil // another program
	again := get()
	of := func(updates []agent.Update, as agent.UpdateType) (found []string) {
		for _, u := range updates {
			if u.Type == as {
				u.MessageID, u.Arguments, u.Usage = "", nil, nil
				for i := range u.Actions {
					u.Actions[i].Text, u.Actions[i].Texts = "", nil // the store has no texts for the single fields of a refused call
				}
				raw, err := json.Marshal(u)
				if err != nil {
					t.Fatal(err)
				}
				found = append(found, string(raw))
			}
		}
		return found
	}
	for _, as := range []agent.UpdateType{agent.UpdateMessage, agent.UpdateResult, agent.UpdateTurnEnded} {
		if d := cmp.Diff(of(told, as), of(again, as)); d != "" {
			t.Errorf("%s: as it was told, then from the store: %s", as, d)
		}
	}
	if n := len(of(again, agent.UpdateResult)); n != 3 {
		t.Errorf("%d calls are told again, want 3", n)
	}
	for _, u := range again {
		if u.CallID == "b" && !strings.Contains(string(u.Arguments), `"amount":7`) {
			t.Errorf("the arguments of the person: %s", u.Arguments)
		}
	}
}

// holds: A13
func TestA13AConversationIsItsPersonsOwn(t *testing.T) {
	b := openBooth(t, policy.Options{})
	bridge, _ := b.Stored(reply("hello"))
	b.Says(bridge, "chat_1", "a secret")
	other := owner
	other.ID = "p_other"
	for range 2 { // from memory, and from the store
		err := bridge.Send(t.Context(), agent.Turn{ConversationID: "chat_1", Text: "go on", Principal: other},
			func(agent.Update) {})
		if code(err) != bus.NotFound {
			t.Errorf("%v", err)
		}
		bridge, _ = b.Stored(reply("hello"))
	}
	for name, args := range map[string]string{"conversation.get": `{"conversationId":"chat_1"}`,
		"conversation.remove": `{"conversationId":"chat_1"}`,
		"conversation.rename": `{"conversationId":"chat_1","title":"mine"}`} {
		r := b.Bus.Invoke(t.Context(), bus.Invocation{Capability: name, Arguments: raw("%s", args),
			Caller: bus.Caller{Type: bus.CallerUI}, Principal: other})
		b.Fails(r, bus.NotFound, bus.ReasonRecord, "no such conversation")
		b.Fails(b.Agent(name, "%s", args), bus.Forbidden, bus.ReasonAgentForbidden, "")
	}
}

// holds: A13
func TestA13ConversationsAreListedRenamedAndRemoved(t *testing.T) {
	b := openBooth(t, policy.Options{})
	counted := func(model.Request) (model.Reply, error) {
		return model.Reply{Text: "yes", Usage: model.Usage{Input: 10, Output: 3}}, nil
	}
	bridge, s := b.Stored(counted)
	for _, id := range []string{"chat_1", "chat_2", "chat_1"} {
		b.Says(bridge, id, "hello "+id)
		b.Clock.Advance(1e9)
	}
	type listing struct {
		Conversations []struct {
			ID, Title string
			Tokens    model.Usage
		}
		HasMore    bool
		NextCursor string
	}
	var list listing
	b.Does(&list, "conversation.list", `{"limit":1}`)
	if len(list.Conversations) != 1 || !list.HasMore || list.Conversations[0].ID != "chat_1" ||
		list.Conversations[0].Title != "hello chat_1" ||
		!cmp.Equal(list.Conversations[0].Tokens, model.Usage{Input: 20, Output: 6}) {
		t.Errorf("%+v", list)
	}
	next := list.NextCursor
	list = listing{}
	b.Does(&list, "conversation.list", `{"limit":1,"cursor":%q}`, next)
	if len(list.Conversations) != 1 || list.HasMore || list.Conversations[0].ID != "chat_2" {
		t.Errorf("%+v", list)
	}
	b.Does(nil, "conversation.rename", `{"conversationId":"chat_2","title":"Another\u0007 title"}`)
	var got struct {
		Title   string
		Updates []struct{ Type, Text string }
	}
	b.Does(&got, "conversation.get", `{"conversationId":"chat_2"}`)
	if got.Title != "Another title" || len(got.Updates) != 3 || got.Updates[0].Text != "hello chat_2" {
		t.Errorf("%+v", got)
	}
	b.Does(nil, "conversation.remove", `{"conversationId":"chat_1"}`)
	b.Says(bridge, "chat_1", "again")
	if text := told(s.Last()); strings.Contains(text, "hello") {
		t.Errorf("a removed conversation goes on:\n%s", text)
	}
}

// holds: A13
func TestA13ALongConversationLosesItsOldestResultsFirst(t *testing.T) {
	b := openBooth(t, policy.Options{})
	s := &script{Steps: []step{func(req model.Request) (model.Reply, error) {
		if last := req.Messages[len(req.Messages)-1]; last.Role == model.RoleTool {
			return model.Reply{Text: "done " + strings.Repeat("x", 20)}, nil
		}
		return model.Reply{Calls: []model.Call{use("", "purse_list", `{}`)}}, nil
	}}}
	const limit = 1000
	bridge := agent.New(agent.Options{Bus: b.Bus, Policy: b.Policy, Store: b.Store, MaxHistory: limit,
		Model: func() model.Model { return profiled{s} }})
	t.Cleanup(bridge.Close)
	stubs, dropped, shorter := false, false, 0
	before := 0
	for n := range 40 {
		b.Says(bridge, "chat_1", fmt.Sprintf("turn %d", n))
		text := told(s.Last())
		if len(text)/4 > limit {
			t.Fatalf("turn %d sends %d bytes", n, len(text))
		}
		if !strings.Contains(text, fmt.Sprintf("user:turn %d\n", n)) ||
			!strings.Contains(text[strings.LastIndex(text, "user:"):], "purse_ana") {
			t.Fatalf("turn %d is not whole:\n%s", n, text)
		}
		isDropped := !strings.Contains(text, "user:turn 0\n")
		stubs = stubs || strings.Contains(text, "left out") && !isDropped
		dropped = dropped || isDropped
		if len(text) < before {
			shorter++
		}
		before = len(text)
		if s.Last().Messages[0].Role != model.RoleUser {
			t.Fatalf("turn %d begins in the middle of another:\n%s", n, text)
		}
		calls := map[string]bool{}
		for _, m := range s.Last().Messages {
			for _, c := range m.Calls {
				calls[c.ID] = true
			}
			if m.Role == model.RoleTool && !calls[m.CallID] {
				t.Fatal("a result is told without its call")
			}
		}
	}
	if !stubs || !dropped || shorter > 15 {
		t.Errorf("results left out %v, turns left out %v, cut %d times", stubs, dropped, shorter)
	}
}

// TestOnlyTheConversationsUsedLastAreInMemory: the bridge keeps 32 conversations in memory and reads the others from
// the store when they continue.
func TestOnlyTheConversationsUsedLastAreInMemory(t *testing.T) {
	const many = 40
	var replies []agenttest.Step
	for i := range many + 1 {
		replies = append(replies, reply(fmt.Sprintf("reply %d", i)))
	}
	inMemory := func(bridge *agent.Bridge) (n int) {
		for i := range many {
			if _, told, _ := bridge.Thread(fmt.Sprintf("chat_%d", i)); len(told) > 0 {
				n++
			}
		}
		return n
	}
	b := openBooth(t, policy.Options{})
	bridge, s := b.Stored(replies...)
	for i := range many {
		b.Says(bridge, fmt.Sprintf("chat_%d", i), fmt.Sprintf("sentence %d", i))
	}
	if n := inMemory(bridge); n != 32 {
		t.Errorf("%d conversations are in memory", n)
	}
	b.Says(bridge, "chat_0", "go on")
	for _, want := range []string{"user:sentence 0", "assistant:reply 0", "user:go on"} {
		if said := told(s.Last()); !strings.Contains(said, want) {
			t.Errorf("%q is missing in\n%s", want, said)
		}
	}
	if n := inMemory(bridge); n != 32 {
		t.Errorf("%d conversations are in memory after one was read again", n)
	}
}
