package openai

import (
	"bytes"
	"cmp"
	"encoding/json"
	"strconv"
	"strings"

	"github.com/deskhand/deskhand/agent/internal/text"
	"github.com/deskhand/deskhand/agent/model"
)

// assembler puts the fragments of streamed tool calls together. Neither index
// nor id can be relied on: endpoints send index 0 for all parallel calls or
// none at all, and ids that are missing or new on each fragment.
type assembler struct {
	open []*fragments // in the order the calls began
}

type fragments struct {
	index string // "" for none
	id    string
	name  string
	args  strings.Builder
}

func (a *assembler) add(part callPart) {
	index, id, name := asText(part.Index), asText(part.ID), part.Function.Name
	if _, err := strconv.Atoi(index); err != nil {
		index = ""
	}
	if id == "" && name == "" && part.Function.Arguments == nil {
		return // nothing of a call
	}
	f := a.continued(index, id, name)
	if f == nil {
		f = &fragments{index: index}
		a.open = append(a.open, f)
	}
	f.name, f.id = cmp.Or(f.name, name), cmp.Or(f.id, id)
	f.args.WriteString(asText(part.Function.Arguments))
}

// continued finds the call a fragment belongs to, nil when it begins a new one.
// Only a fragment with a name can begin one; it does unless it repeats the head
// of a call whose arguments are still open.
func (a *assembler) continued(index, id, name string) *fragments {
	var f *fragments
	for _, c := range a.open {
		if index == "" || c.index == "" || c.index == index {
			f = c // the latest with this index
		}
	}
	if f == nil || name == "" {
		return f
	}
	sameHead := name == f.name && (id == "" || f.id == "" || id == f.id || f.args.Len() == 0)
	if f.name == "" || (sameHead && !text.IsObject(f.args.String())) {
		return f
	}
	return nil
}

// calls reads what was put together. Arguments that are not a JSON object are
// kept aside as Broken.
func (a *assembler) calls() []model.Call {
	var calls []model.Call
	for _, f := range a.open {
		calls = append(calls, newCall(f.id, f.name, f.args.String()))
	}
	return calls
}

// newCall reads a model's arguments: nothing at all means none, an object in a
// string is unwrapped, anything else is broken.
func newCall(id, tool, args string) model.Call {
	c := model.Call{ID: id, Tool: tool, Arguments: json.RawMessage("{}")}
	said := strings.TrimSpace(args)
	var inner string
	if json.Unmarshal([]byte(said), &inner) == nil {
		said = strings.TrimSpace(inner)
	}
	switch {
	case said == "" || said == "null":
	case text.IsObject(said):
		var b bytes.Buffer
		_ = json.Compact(&b, []byte(said)) // valid: complete says so
		c.Arguments = b.Bytes()
	default:
		c.Broken = args
	}
	return c
}
