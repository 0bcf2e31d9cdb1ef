package desk_test

import (
	"context"
	"encoding/json"
	"slices"
	"testing"

	"github.com/deskhand/deskhand/agent"
	"github.com/deskhand/deskhand/agent/model"
	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/internal/desk"
	"github.com/deskhand/deskhand/internal/desk/desktest"
)

// shown is a model that describes audit.search first, and remembers the tools of each request.
type shown struct{ tools [][]string }

func (*shown) Profile() bus.ModelID { return bus.ModelID{Endpoint: "test", Name: "shown"} }

func (s *shown) Stream(_ context.Context, r model.Request, _ func(model.Delta)) (model.Reply, error) {
	var names []string
	for _, tool := range r.Tools {
		names = append(names, tool.Name)
	}
	if s.tools = append(s.tools, names); len(s.tools) > 1 {
		return model.Reply{Text: "I see."}, nil
	}
	return model.Reply{Calls: []model.Call{{ID: "1", Tool: "capability_describe", Capability: "capability.describe",
		Arguments: json.RawMessage(`{"name":"audit.search"}`)}}}, nil
}

// holds: M2
func TestM2AConversationBeginsWithTheSameToolsOnEachPage(t *testing.T) {
	var first []string
	for _, tt := range []struct{ door, page string }{
		{desk.DoorWindow, "counter"}, {desk.DoorWindow, "audit"}, {"cli", "counter"},
	} {
		t.Run(tt.door+" "+tt.page, func(t *testing.T) {
			m := &shown{}
			d := desktest.Sample(t, desk.Options{Door: tt.door, Model: m})
			d.ShowPage(tt.page)
			if err := d.Bridge.Send(t.Context(), agent.Turn{ConversationID: "c", Text: "hello", Principal: d.Person},
				func(agent.Update) {}); err != nil {
				t.Fatal(err)
			}
			if first == nil {
				first = m.tools[0]
			}
			want := append(slices.Clip(first), "audit_search") // behind the others
			if len(m.tools) != 2 || !slices.Equal(m.tools[0], first) || !slices.Equal(m.tools[1], want) {
				t.Errorf("tools: %v", m.tools)
			}
			if len(first) < 15 || len(first) > 25 || slices.Contains(first, "audit_search") {
				t.Errorf("the core is %v", first)
			}
		})
	}
}
