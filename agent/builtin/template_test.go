package builtin_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/deskhand/deskhand/agent/builtin"
	"github.com/deskhand/deskhand/agent/internal/agenttest"
	"github.com/deskhand/deskhand/agent/model"
	"github.com/deskhand/deskhand/bus"
)

// TestA3APhraseIsATemplate: in an application without its own words, the assistant takes the text in the only slot of a
// phrase as it is. Text that reads as something else, such as "that later", is no value.
//
// holds: A3
func TestA3APhraseIsATemplate(t *testing.T) {
	tool := model.Tool{Name: "note_write", Title: "Write a note", SideEffect: bus.UIOnly,
		Phrases: []string{"note {title}", "write down {title}", "write a note {title}"}, Input: json.RawMessage(
			`{"type":"object","properties":{"title":{"type":"string","title":"Title","maxLength":80}},"required":["title"]}`)}
	for said, want := range map[string]string{
		"write down the code of the door": `{"title":"code of the door"}`,
		"note milk and bread":             `{"title":"milk and bread"}`,
		"note milk and bread please":      `{"title":"milk and bread"}`,
		"write down Ana's code, thanks":   `{"title":"Ana's code"}`,
		"write down that later":           "",
		"write down the code if you can":  "",
		"write down what she said":        "",
	} {
		reply, err := builtin.New(nil, nil, nil).Stream(t.Context(), model.Request{Tools: []model.Tool{tool},
			Messages: []model.Message{{Role: model.RoleUser, Text: said}}}, func(model.Delta) {})
		got := ""
		if len(reply.Calls) > 0 {
			got = string(reply.Calls[0].Arguments)
		}
		if err != nil || got != want {
			t.Errorf("%s: called with %q: %s %v", said, got, reply.Text, err)
		}
	}
}

// TestA3ANameIsLookedForByItsLongestWord: where a list has none of a name's words in their order, as one that searches
// for a part of a text.
//
// holds: A3
func TestA3ANameIsLookedForByItsLongestWord(t *testing.T) {
	list := tool("room_list", bus.Pure, agenttest.Object("", `"query":{"type":"string"}`), "List rooms")
	open := tool("room_open", bus.UIOnly, agenttest.Object("roomId", `"roomId":{"type":"string","x-entity":"room"}`),
		"Open", "open {roomId}")
	got := stage{tools: []model.Tool{list, open}, said: []string{"open the house of the gardeners"}}.play(t)
	want := "room_list {\"query\":\"house gardeners\"}\nroom_list {\"query\":\"garden\"}"
	if !strings.HasPrefix(got, want) {
		t.Errorf("got %s", got)
	}
}
