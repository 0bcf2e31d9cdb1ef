package agent_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/deskhand/deskhand/agent"
	"github.com/deskhand/deskhand/agent/internal/agenttest"
	"github.com/deskhand/deskhand/agent/model"
	"github.com/deskhand/deskhand/agent/policy"
	"github.com/deskhand/deskhand/bus"
)

// canForget registers person.forget, which erases a name from the log and the conversations.
func (b *booth) canForget() {
	b.Bus.MustRegister(bus.Define(bus.Capability{Name: "person.forget", Title: "Forget", Description: "Forgets.",
		SideEffect: bus.Destructive, Resources: []string{"database:write"}},
		func(ctx context.Context, _ *bus.Call, in struct {
			Name string `json:"name"`
		}) (struct{}, error) {
			if _, err := b.Log.Erase(ctx, in.Name); err != nil {
				return struct{}{}, err
			}
			return struct{}{}, b.Store.Forget(ctx, in.Name)
		}))
}

// forgets erases Zoe Zander in the name of the owner.
func (b *booth) forgets() { b.Does(nil, "person.forget", `{"name":"Zoe Zander"}`) }

// holds: U11
func TestU11ErasureReachesConversations(t *testing.T) {
	b := openBooth(t, policy.Options{Fixed: bus.AnswerAllow})
	b.canForget()
	erase := use("e", "person_forget", `{"name":"Zoe Zander"}`)
	bridge, s := b.Stored(reply("Zoe Zander is a customer."), reply("I will forget Zoe Zander.", erase),
		reply("Zoe Zander is forgotten."), reply("Who?"))
	b.Says(bridge, "chat_1", "who is Zoe Zander?")
	b.Says(bridge, "chat_2", "forget Zoe Zander")
	for _, chat := range []string{"chat_1", "chat_2"} {
		b.Says(bridge, chat, "and now?")
		if text := told(s.Last()); strings.Contains(text, "Zander") || !strings.Contains(text, "and now?") ||
			!strings.Contains(text, "[erased]") {
			t.Errorf("%s:\n%s", chat, text)
		}
	}
	var list json.RawMessage
	b.Does(&list, "conversation.list", `{}`)
	if strings.Contains(string(list), "Zander") {
		t.Errorf("%s", list)
	}
}

// holds: U11
func TestU11AnErasureThatIsTakenBackErasesNothing(t *testing.T) {
	b := openBooth(t, policy.Options{})
	b.canForget()
	bridge, _ := b.Stored(reply("", use("e", "person_forget", `{"name":"Zoe Zander"}`)), reply("Zoe Zander stays."))
	b.Says(bridge, "chat_1", "forget Zoe Zander") // previewed; no person is there to allow it
	bridge.Close()
	bridge, s := b.Stored(reply("yes"))
	b.Says(bridge, "chat_1", "still there?")
	if text := told(s.Last()); !strings.Contains(text, "Zoe Zander stays.") {
		t.Errorf("%s", text)
	}
}

// kept returns the stored text of all conversations and cards.
func (b *booth) kept() string {
	b.T.Helper()
	var all strings.Builder
	for _, column := range []string{"title FROM agent_conversations", "body FROM agent_messages",
		"body FROM agent_cards"} {
		if err := b.Log.View(context.Background(), func(ctx context.Context) error {
			return b.Log.Query(ctx, func(scan func(...any) error) error {
				var text string
				err := scan(&text)
				all.WriteString(text + "\n")
				return err
			}, "SELECT "+column)
		}); err != nil {
			b.T.Fatal(err)
		}
	}
	return all.String()
}

// TestU11ErasureReachesARunningTurnOfAnotherProgram: after an erasure at any moment the turn stores no text about the
// person, makes no call and sends no request. The next turn sends the earlier messages without that text.
// holds: U11
func TestU11ErasureReachesARunningTurnOfAnotherProgram(t *testing.T) {
	note := use("n", "remark_add", `{"text":"Zoe Zander called"}`)
	for name, erasing := range map[string]func(b, at *booth, erase func()) []step{
		"before the model answers in words": func(_, _ *booth, erase func()) []step {
			return []step{func(model.Request) (model.Reply, error) {
				erase()
				return model.Reply{Text: "Zoe Zander lives in Bern."}, nil
			}}
		},
		"before the model makes a call": func(_, _ *booth, erase func()) []step {
			return []step{func(model.Request) (model.Reply, error) {
				erase()
				return model.Reply{Text: "I note that about Zoe Zander.", Calls: []model.Call{note}}, nil
			}, reply("Zoe Zander is noted.")}
		},
		"while a call runs": func(_, at *booth, erase func()) []step {
			at.Bus.MustRegister(bus.Define(bus.Capability{Name: "wait.here", Title: "Wait", Description: "Waits.",
				SideEffect: bus.Pure}, func(context.Context, *bus.Call, struct{}) (thing, error) {
				erase()
				return thing{"about": "Zoe"}, nil
			}))
			return []step{reply("Zoe Zander, one moment.", use("w", "wait_here", `{}`), note), reply("Zoe Zander is here.")}
		},
	} {
		t.Run(name, func(t *testing.T) {
			b := openBooth(t, policy.Options{})
			b.canForget()
			other := &booth{agenttest.OpenBoothAt(t, b.Path, policy.Options{Fixed: bus.AnswerAllow})}
			erased := 0
			steps := erasing(b, other, func() { b.forgets(); erased++ })
			bridge, s := other.Stored(append([]step{reply("Zoe Zander is a customer.")}, steps...)...)
			other.Says(bridge, "chat_1", "who is Zoe Zander?")
			other.Says(bridge, "chat_1", "and where does Zoe Zander live?")
			if erased != 1 || len(s.Requests) != 2 {
				t.Fatalf("%d erasures, %d requests", erased, len(s.Requests))
			}
			if kept := b.kept(); strings.Contains(kept, "Zander") || strings.Contains(kept, "Bern") {
				t.Errorf("stored:\n%s", kept)
			}
			var remarks struct{ Remarks []thing }
			if b.Does(&remarks, "remark.list", `{}`); len(remarks.Remarks) > 0 {
				t.Errorf("%v", remarks)
			}
			s.Steps = []step{reply("Yes.")}
			other.Says(bridge, "chat_1", "are you there?")
			if text := told(s.Last()); strings.Contains(text, "Zander") || !strings.Contains(text, "are you there?") {
				t.Errorf("the next turn sends\n%s", text)
			}
			if kept := b.kept(); !strings.Contains(kept, "are you there?") {
				t.Errorf("the next turn is not stored:\n%s", kept)
			}
		})
	}
}

// TestU11ATurnThatAnErasureEndsSaysWhatItDid: a turn that an erasure ends reports its actions and the erasure as the
// reason, and no failure of the model.
//
// holds: U11
func TestU11ATurnThatAnErasureEndsSaysWhatItDid(t *testing.T) {
	b := openBooth(t, policy.Options{Fixed: bus.AnswerAllow})
	b.canForget()
	bridge, s := b.Stored(reply("", use("e", "person_forget", `{"name":"Zoe Zander"}`)), reply("Zoe Zander is gone."))
	var last []agent.Update
	if err := bridge.Send(t.Context(), agent.Turn{ConversationID: "chat_1", Text: "forget Zoe Zander", Principal: owner},
		func(u agent.Update) { last = append(last, u) }); err != nil {
		t.Fatal(err)
	}
	end, said := last[len(last)-1], last[len(last)-2].Text
	if len(s.Requests) != 1 || end.Status != agent.StatusDone || len(end.Actions) != 1 ||
		!strings.Contains(said, "Done: ") || !strings.Contains(said, "was erased meanwhile") {
		t.Errorf("%d requests, %q, %+v", len(s.Requests), said, end)
	}
}

// TestU11NoEventAboutAnErasedPersonIsTold: the model reads no change that names an erased person, and no result of a
// background task that does.
//
// holds: U11
func TestU11NoEventAboutAnErasedPersonIsTold(t *testing.T) {
	b := openBooth(t, policy.Options{})
	b.canForget()
	b.Bus.MustRegister(bus.Define(bus.Capability{Name: "person.add", Title: "Add", Description: "Adds.",
		SideEffect: bus.UIOnly}, func(_ context.Context, call *bus.Call, _ struct{}) (struct{}, error) {
		call.Changed("person", "Zoe Zander was added.")
		return struct{}{}, nil
	}))
	begun, goOn := make(chan struct{}), make(chan struct{})
	b.Bus.MustRegister(bus.Capability{Name: "report.make", Title: "Make a report", Description: "Makes a report.",
		SideEffect: bus.UIOnly, Checks: bus.Checks{Access: bus.Access{Agent: bus.RuleAllow}},
		Run: bus.Run{Background: true}, Handler: func(context.Context, *bus.Call) (json.RawMessage, error) {
			close(begun)
			<-goOn
			return json.RawMessage(`{"best":"Zoe Zander"}`), nil
		}})
	s := &script{Steps: []step{reply("", use("r", "report_make", `{}`)), reply("It is being made."), reply("Yes.")}}
	bridge := agent.New(agent.Options{Bus: b.Bus, Policy: b.Policy, Store: b.Store, MaxInline: 1,
		Model: func() model.Model { return profiled{s} }})
	t.Cleanup(bridge.Close)
	b.Says(bridge, "chat_1", "make a report")
	<-begun
	b.Does(nil, "person.add", `{}`)
	b.forgets()
	ended := b.Bus.Subscribe()
	defer ended.Close()
	close(goOn)
	for told := false; !told; {
		b.Says(bridge, "chat_1", "are you there?")
		context := s.Last().Messages[len(s.Last().Messages)-1].Context
		if strings.Contains(context, "Zander") {
			t.Fatalf("the model is told\n%s", context)
		}
		told = strings.Contains(context, "(Make a report) has ended")
	}
}

// TestA13AConversationThatIsRemovedWhileItsTurnRunsStaysRemoved: the removal may come from this program or another one.
//
// holds: A13
func TestA13AConversationThatIsRemovedWhileItsTurnRunsStaysRemoved(t *testing.T) {
	b := openBooth(t, policy.Options{})
	other := &booth{agenttest.OpenBoothAt(t, b.Path, policy.Options{})}
	for i, by := range []*booth{b, other} {
		chat := fmt.Sprint("chat_", i)
		bridge, s := b.Stored(func(model.Request) (model.Reply, error) {
			by.Does(nil, "conversation.remove", `{"conversationId":%q}`, chat)
			return model.Reply{Text: "secret", Calls: []model.Call{use("", "purse_list", `{}`)}}, nil
		}, reply("secret again"), reply("Who are you?"))
		b.Says(bridge, chat, "keep a secret")
		if kept := b.kept(); strings.Contains(kept, `"secret`) || len(s.Requests) != 2 {
			t.Errorf("%d requests; stored:\n%s", len(s.Requests), kept)
		}
		b.Says(bridge, chat, "again")
		if text := told(s.Last()); strings.Contains(text, "secret") {
			t.Errorf("it goes on:\n%s", text)
		}
	}
}
