package agent_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/deskhand/deskhand/agent"
	"github.com/deskhand/deskhand/agent/model"
	"github.com/deskhand/deskhand/agent/policy"
	"github.com/deskhand/deskhand/bus"
	"github.com/google/go-cmp/cmp"
)

type brewInput struct {
	Sort string `json:"sort,omitempty"`
}

// brewing returns a capability that refuses a call without a sort of tea and offers the choices.
func brewing() bus.Capability {
	return bus.Define(
		bus.Capability{Name: "tea.brew", Title: "Brew tea", Description: "Brews.", SideEffect: bus.UIOnly},
		func(_ context.Context, _ *bus.Call, in brewInput) (struct{}, error) {
			if in.Sort == "" {
				return struct{}{}, bus.Errorf(bus.PreconditionFailed, bus.ReasonState, "There are several teas.").
					WithChoice("sort", teas.Options...)
			}
			return struct{}{}, nil
		})
}

var teas = bus.Choice{Field: "sort",
	Options: []bus.Option{{Value: "tea_1", Title: "Green"}, {Value: "tea_2", Title: "Black"}}}

// TestB13TheChoicesOfARefusalAreButtonsAndValues: the person sees the choices as buttons under the reply, and the model
// reads their values in the result. The buttons are not shown when a later call succeeded, and they are gone after the
// next sentence.
//
// holds: B13
func TestB13TheChoicesOfARefusalAreButtonsAndValues(t *testing.T) {
	m := &script{Steps: []step{reply("", use("a", "tea_brew", `{}`)), reply("Which tea?"),
		reply("", use("b", "tea_brew", `{"sort":"tea_1"}`)), reply("It is brewing."),
		reply("", use("c", "tea_brew", `{}`)), reply("", use("d", "tea_brew", `{"sort":"tea_2"}`)), reply("Done.")}}
	r := newRoom(t, m)
	r.Bus.MustRegister(brewing())
	shown := func(sentence string) (choices []bus.Choice) {
		for _, u := range r.Say(sentence) {
			choices = append(choices, u.Choices...)
		}
		return choices
	}
	if got := shown("brew some tea"); !cmp.Equal(got, []bus.Choice{teas}) {
		t.Errorf("shown %v", got)
	}
	told, _ := json.Marshal(m.Results(t)[0]["choices"])
	if want, _ := json.Marshal([]bus.Choice{teas}); !bytesEqualJSON(t, told, want) {
		t.Errorf("the model is told %s", told)
	}
	for _, sentence := range []string{"green", "now a black one"} {
		if got := shown(sentence); got != nil {
			t.Errorf("after %q: %v", sentence, got)
		}
	}
}

func bytesEqualJSON(t *testing.T, a, b json.RawMessage) bool {
	t.Helper()
	var x, y any
	if json.Unmarshal(a, &x) != nil || json.Unmarshal(b, &y) != nil {
		t.Fatalf("no JSON: %s %s", a, b)
	}
	return cmp.Equal(x, y)
}

// TestB13PeopleInChoicesAreMasked: the choices of a refusal name people. They are masked as in the list that offers
// them, both in a single call and in a step of a plan.
//
// holds: B13 A17
func TestB13PeopleInChoicesAreMasked(t *testing.T) {
	t.Run("a call", func(t *testing.T) { masksPeopleInChoices(t, "person_greet", `{"id":"ana"}`, "id") })
	t.Run("a plan", func(t *testing.T) {
		masksPeopleInChoices(t, "plan_propose", `{"steps":[{"capability":"person.greet","arguments":{"id":"ana"}}]}`,
			"steps/0/arguments/id")
	})
}

func masksPeopleInChoices(t *testing.T, tool, args, field string) {
	b := openBooth(t, policy.Options{})
	list := bus.Capability{Name: "person.find", Title: "Find", Description: "Finds.", SideEffect: bus.Pure,
		Entities: []bus.Entity{{Type: "person", Title: "Person", List: "/people"}}}
	b.Bus.MustRegister(
		bus.Define(list, func(context.Context, *bus.Call, struct{}) (out struct {
			People []person `json:"people"`
		}, err error) {
			out.People = []person{{"p1", "Ana Ruiz", "ana@example.com"}, {"p2", "Ana Silva", "silva@example.com"}}
			return out, nil
		}),
		bus.Define(bus.Capability{Name: "person.greet", Title: "Greet", Description: "Greets.", SideEffect: bus.UIOnly,
			Resources: []string{"database:write"}},
			func(_ context.Context, _ *bus.Call, in struct {
				ID string `json:"id" x:"entity=person"`
			}) (struct{}, error) {
				return struct{}{}, bus.Errorf(bus.NotFound, bus.ReasonRecord, "There is no such person.")
			}))
	var told string
	m := &chatty{say: []func(model.Request) model.Reply{
		func(model.Request) model.Reply {
			return model.Reply{Calls: []model.Call{use("1", tool, args)}}
		},
		func(req model.Request) model.Reply {
			told = req.Messages[len(req.Messages)-1].Text
			return model.Reply{Text: "Which one?"}
		},
	}}
	bridge := agent.New(agent.Options{Bus: b.Bus, Policy: b.Policy, Store: b.Store, Mask: model.IsRemote,
		Model: func() model.Model { return m }})
	t.Cleanup(bridge.Close)
	var shown []bus.Choice
	err := bridge.Send(t.Context(), agent.Turn{ConversationID: "chat_1", Text: "greet her", Principal: owner},
		func(u agent.Update) { shown = append(shown, u.Choices...) })
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(told, `"choices"`) || strings.Contains(told, "Ruiz") || strings.Contains(told, "Silva") {
		t.Errorf("the model is told %s", told)
	}
	kept := b.Bus.Invoke(t.Context(), bus.Invocation{Capability: "conversation.get", Principal: owner,
		Caller: bus.Caller{Type: bus.CallerUI}, Arguments: json.RawMessage(`{"conversationId":"chat_1"}`)})
	if !strings.Contains(string(kept.Data), `"choices":[{"field":"`+field+`","options":[{"value":"p1","title":"Ana Ruiz"}`) {
		t.Errorf("kept as %s %v", kept.Data, kept.Err)
	}
	if len(shown) != 1 || shown[0].Options[0].Title != "Ana Ruiz" || shown[0].Options[0].Value != "p1" {
		t.Errorf("the person is shown %v", shown)
	}
}
