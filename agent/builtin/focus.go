package builtin

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/deskhand/deskhand/agent/internal/schema"
	"github.com/deskhand/deskhand/agent/model"
	"github.com/deskhand/deskhand/bus"
)

// spokenOf is the record of each kind that was spoken of last before a message: what calls were made with, what a
// look-up found as the only one; and the latest thing that was done, as "request".
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
			_ = json.Unmarshal(c.Arguments, &args) // made here or by a model: an object
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

// noteIDs notes the ids in a result, under the names that tools take them by.
func (t *talk) noteIDs(data json.RawMessage, focus map[string]string) {
	var v struct{ Line map[string]any }
	whole := map[string]any{}
	_, _ = json.Unmarshal(data, &v), json.Unmarshal(data, &whole) // of a tool without a result there are none
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

// noteLists notes the only record that a look-up found, or the one that was named in full.
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
