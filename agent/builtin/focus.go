package builtin

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/deskhand/deskhand/agent/internal/schema"
	"github.com/deskhand/deskhand/agent/model"
	"github.com/deskhand/deskhand/bus"
)

// spokenOf returns the latest record of each kind before a message: the ids in the arguments of calls, and the only
// record that a look-up found. The key "request" holds the latest action.
func (t *talk) spokenOf(before int) map[string]string {
	focus := map[string]string{}
	if len(t.open) > 0 {
		focus["open"] = t.open[len(t.open)-1]
	}
	for i, m := range t.messages[:before] {
		for _, c := range m.Calls {
			at := slices.IndexFunc(t.tools, func(tool model.Tool) bool { return tool.Name == c.Tool })
			if at < 0 {
				continue
			}
			tool, res := t.tools[at], t.result(c.ID, i, len(t.messages))
			if !res.ok() {
				continue
			}
			var args map[string]any
			_ = json.Unmarshal(c.Arguments, &args) // an object, made here or by a model
			query, _ := args["query"].(string)
			t.noteLists(tool, res, query, focus)
			for _, f := range schema.Fields(tool.Input) {
				if id, is := args[f.Name].(string); is && f.Entity != "" {
					focus[f.Entity] = id
				}
			}
			if tool.SideEffect != bus.Pure {
				focus["request"] = res.RequestID
				t.noteIDs(res.Data, focus)
			}
		}
	}
	return focus
}

// noteIDs stores the ids in a result, by the kinds of the fields that take them.
func (t *talk) noteIDs(data json.RawMessage, focus map[string]string) {
	var v struct{ Line map[string]any }
	whole := map[string]any{}
	_, _ = json.Unmarshal(data, &v), json.Unmarshal(data, &whole) // the result of a tool may be empty
	for _, a := range t.x.actions {
		for _, f := range a.fields {
			for _, part := range []map[string]any{whole, v.Line} {
				if id, is := part[f.Name].(string); is && f.Entity != "" {
					focus[f.Entity] = id
				}
			}
		}
	}
}

// noteLists stores the only record that a look-up found, or the one with exactly the name in the query.
func (t *talk) noteLists(tool model.Tool, res outcome, query string, focus map[string]string) {
	for _, of := range t.tools {
		for entity, from := range of.Sources {
			capability, pointer, _ := strings.Cut(from, "#")
			if capability != tool.Capability {
				continue
			}
			list, grade := pick(t.records(pointer, res.Data), t.plain(query))
			if len(list) == 1 && grade >= wordsNamed && list[0].id != "" {
				focus[entity] = list[0].id
			}
		}
	}
}
