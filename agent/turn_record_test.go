package agent_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/deskhand/deskhand/agent"
	"github.com/deskhand/deskhand/agent/model"
	"github.com/deskhand/deskhand/agent/policy"
	"github.com/deskhand/deskhand/audit"
	"github.com/deskhand/deskhand/bus"
	"github.com/google/go-cmp/cmp"
)

// turnRecord is the part of the record of a turn that the tests read.
type turnRecord struct {
	Endpoint, Model, Digest, Status string
	Left                            bool
	Requests, Calls                 int
	Tokens                          model.Usage
}

// Turns are the records of turns in the log, the oldest first.
func (b *booth) Turns() (records []audit.Record, said []turnRecord) {
	b.T.Helper()
	found, err := b.Log.Search(b.T.Context(), audit.Query{Capability: agent.TurnCapability})
	if err != nil {
		b.T.Fatal(err)
	}
	for i := len(found.Records) - 1; i >= 0; i-- {
		r := found.Records[i]
		var in turnRecord
		if err := json.Unmarshal(r.Arguments, &in); err != nil {
			b.T.Fatal(err)
		}
		records, said = append(records, r), append(said, in)
	}
	return records, said
}

// TestA17EachTurnIsRecordedWithoutItsWords: the record of a turn with a remote model reports that data left the
// computer, also where the turn made no call. For a local model it reports that no data did.
//
// holds: A17 A13
func TestA17EachTurnIsRecordedWithoutItsWords(t *testing.T) {
	b := openBooth(t, policy.Options{})
	far := &chatty{say: []func(model.Request) model.Reply{func(model.Request) model.Reply {
		return model.Reply{Text: "Good morning.", Usage: model.Usage{Input: 12, Output: 3}}
	}, func(model.Request) model.Reply {
		return model.Reply{Calls: []model.Call{use("c", "purse_list", `{}`)}, Usage: model.Usage{Input: 20, Output: 4}}
	}, func(model.Request) model.Reply {
		return model.Reply{Text: "Two purses.", Usage: model.Usage{Input: 30, Output: 5}}
	}}}
	models := []model.Model{far}
	bridge := agent.New(agent.Options{Bus: b.Bus, Policy: b.Policy, Clock: b.Clock.Now, Store: b.Store,
		Model: func() model.Model { return models[0] }})
	t.Cleanup(bridge.Close)
	b.Says(bridge, "chat_1", "I am Zoe Zander")
	for _, tool := range far.requests[0].Tools {
		if tool.Capability == agent.TurnCapability {
			t.Error("the model is told of it")
		}
	}
	b.Does(nil, "policy.set", `{"rules":[{"class":"pure","rule":"forbidden"}]}`) // is no rule for the record
	b.Says(bridge, "chat_1", "which purses?")
	models[0] = &script{Steps: []step{reply("Here.")}}
	b.Says(bridge, "chat_2", "and you?")

	records, said := b.Turns()
	if len(said) != 3 {
		t.Fatalf("%d records", len(said))
	}
	for i, r := range records {
		raw, _ := json.Marshal(r)
		if r.Status != bus.StatusSuccess || r.Caller.Type != string(bus.CallerAgent) || r.ConversationID == "" ||
			bytes.Contains(raw, []byte("Zoe")) || bytes.Contains(raw, []byte("purses")) {
			t.Errorf("%d: %s", i, raw)
		}
	}
	if said[0].Digest == said[1].Digest || len(said[0].Digest) != 64 || len(said[1].Digest) != 64 {
		t.Errorf("digests %q and %q", said[0].Digest, said[1].Digest)
	}
	said[0].Digest, said[1].Digest = "", ""
	want := []turnRecord{
		{Endpoint: "https://models.example/v1", Model: "far", Status: "done", Left: true, Requests: 1,
			Tokens: model.Usage{Input: 12, Output: 3}},
		{Endpoint: "https://models.example/v1", Model: "far", Status: "done", Left: true, Requests: 2, Calls: 1,
			Tokens: model.Usage{Input: 50, Output: 9}},
		{Endpoint: "test", Model: "script", Status: "done", Requests: 1},
	}
	if diff := cmp.Diff(want, said); diff != "" {
		t.Error(diff)
	}
	trace, err := b.Log.Trace(t.Context(), records[1].RequestID)
	if err != nil || len(trace.Records) != 2 {
		t.Errorf("the trace of a turn has %d records, %v", len(trace.Records), err)
	}
	stats, err := b.Log.Stats(t.Context(), 0, 0)
	if err != nil || stats.Trust.Turns != 3 || stats.Trust.Calls != 1 {
		t.Errorf("%+v, %v", stats.Trust, err)
	}
}

// TestA17NoModelWritesTheRecordOfATurn: nor does a person.
//
// holds: A17
func TestA17NoModelWritesTheRecordOfATurn(t *testing.T) {
	b := openBooth(t, policy.Options{Fixed: bus.AnswerAllow})
	forged := `{"endpoint":"built-in","left":false,"requests":0,"tokens":{},"calls":0,"status":"done"}`
	bridge, _ := b.Stored(reply("", use("1", "agent_turn", forged)), reply("", use("2", "agent.turn", forged)),
		reply("", use("3", "plan_propose", `{"steps":[{"capability":"remark.add","arguments":{"text":"a"}},
			{"capability":"agent.turn","arguments":`+forged+`}]}`)), reply("done"))
	for _, r := range b.Says(bridge, "chat_1", "forge it") {
		if r.OK() {
			t.Errorf("it was done: %+v", r)
		}
	}
	b.Fails(b.Person(agent.TurnCapability, "%s", forged), bus.Forbidden, bus.ReasonPermission, "")
	records, _ := b.Turns()
	var done int
	for _, r := range records {
		if r.Status == bus.StatusSuccess {
			done++
		}
	}
	if done != 1 || len(records) != 4 { // the turn's own; two attempts and the person's are recorded too
		t.Errorf("%d records, %d of them successes", len(records), done)
	}
}

// TestA13ABudgetIsSaidBeforeItStops: a turn reports a budget in tokens or in money that is nearly used up, before the
// budget stops turns. The cost of removed conversations counts.
//
// holds: A13
func TestA13ABudgetIsSaidBeforeItStops(t *testing.T) {
	for _, c := range []struct{ name, budget, near, over string }{
		{"tokens", `{"tokens":2600}`, "nearly used up: 2400 of 2600 tokens", "is used up (3600 of 2600 tokens)"},
		{"money", `{"amount":{"amount":1,"currency":"USD"}}`, "nearly used up: $0.0090 of $0.01",
			"is used up ($0.0135 of $0.01)"},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := openBooth(t, policy.Options{})
			bridge := b.Priced(counting(1000, 200, "", use("1", "purse_list", `{}`)), counting(0, 0, "two"))
			b.Does(nil, "assistant.setBudget", "%s", c.budget)
			say := func(conversation string) (end agent.Update) {
				t.Helper()
				err := bridge.Send(t.Context(), agent.Turn{ConversationID: conversation, Text: "go", Principal: owner},
					func(u agent.Update) { end = u })
				if err != nil {
					t.Fatal(err)
				}
				return end
			}
			if end := say("chat_1"); end.Notice != "" || end.Status != agent.StatusDone {
				t.Errorf("%+v", end)
			}
			b.Does(nil, "conversation.remove", `{"conversationId":"chat_1"}`)
			if end := say("chat_2"); !strings.Contains(end.Notice, c.near) || end.Status != agent.StatusDone {
				t.Errorf("%+v", end)
			}
			if end := say("chat_2"); end.Status != agent.StatusLimit || !strings.Contains(end.Error, c.over) {
				t.Errorf("in the middle of a turn: %+v", end)
			}
			end := say("chat_3")
			if end.Status != agent.StatusLimit || !strings.Contains(end.Error, c.over) ||
				!strings.Contains(end.Error, "in the settings, under “What it may cost”") {
				t.Errorf("%+v", end)
			}
			_, said := b.Turns()
			if last := said[len(said)-1]; last.Requests != 0 || last.Left || last.Status != "limit" {
				t.Errorf("%+v", last)
			}
			var used struct {
				Turns         int
				Tokens, Today model.Usage
				Budget        json.RawMessage
			}
			b.Does(&used, "assistant.usage", `{}`)
			if used.Turns != 4 || used.Tokens.Input != 3000 || !cmp.Equal(used.Tokens, used.Today) ||
				string(used.Budget) != c.budget {
				t.Errorf("%+v", used)
			}
			b.Clock.Advance(24 * time.Hour)
			if end := say("chat_3"); end.Status != agent.StatusDone {
				t.Errorf("the next day: %+v", end)
			}
			b.Does(&used, "assistant.usage", `{}`)
			if used.Turns != 5 || used.Today.Input != 1000 {
				t.Errorf("the next day: %+v", used)
			}
		})
	}
}

// holds: A13
func TestA13ABudgetInMoneyNeedsAPrice(t *testing.T) {
	b := openBooth(t, policy.Options{})
	b.Fails(b.Person("assistant.setBudget", `{"amount":{"amount":1,"currency":"QQQ"}}`), bus.Validation,
		bus.ReasonArguments, "QQQ is no currency.")
	b.Fails(b.Agent("assistant.setBudget", `{}`), bus.Forbidden, bus.ReasonAgentForbidden, "")
	b.Does(nil, "assistant.setBudget", `{"amount":{"amount":1,"currency":"EUR"}}`)
	var end agent.Update
	err := b.Priced(counting(40, 10, "one")).Send(t.Context(), agent.Turn{ConversationID: "chat_1", Text: "go",
		Principal: owner}, func(u agent.Update) { end = u })
	if err != nil || !strings.Contains(end.Notice, "The budget is in EUR") {
		t.Errorf("%+v, %v", end, err)
	}
	b.Does(nil, "assistant.setBudget", `{}`)
	err = b.Priced(counting(40, 10, "one")).Send(t.Context(), agent.Turn{ConversationID: "chat_1", Text: "go",
		Principal: owner}, func(u agent.Update) { end = u })
	if err != nil || end.Notice != "" {
		t.Errorf("%+v, %v", end, err)
	}
}
