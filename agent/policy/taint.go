package policy

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/deskhand/deskhand/agent/internal/schema"
	"github.com/deskhand/deskhand/bus"
)

// keywordTainted marks a field of an output schema with free text from outside, which may hold instructions.
const keywordTainted = "x-tainted"

// taints says whether an output holds any of the text that its schema marks. An
// output without a schema is taken for tainted as a whole.
func taints(output, data json.RawMessage) bool {
	var value any
	if json.Unmarshal(data, &value) != nil {
		return false
	}
	var root map[string]any
	if json.Unmarshal(output, &root) != nil {
		return holdsText(value)
	}
	found := false
	schema.Marked(root, root, value, keywordTainted, func(_ string, v any) { found = found || holdsText(v) })
	return found
}

// holdsText says whether there is any text in a value. Names of fields count only
// when they are more than a word: then they are data.
func holdsText(v any) bool {
	switch t := v.(type) {
	case string:
		return strings.TrimSpace(t) != ""
	case []any:
		return slices.ContainsFunc(t, holdsText)
	case map[string]any:
		for key, sub := range t {
			if holdsText(sub) || strings.ContainsAny(strings.TrimSpace(key), " \n\t") {
				return true
			}
		}
	}
	return false
}

// Read notes what the model has read in a result of c.
func (x *Provenance) Read(c *bus.Capability, data json.RawMessage) {
	if taints(c.OutputSchema, data) {
		x.ReadTainted(c.Title)
	}
}

// ReadNames notes that the model has read names of what c lists: text of others where its output has any.
func (x *Provenance) ReadNames(c *bus.Capability) {
	if len(schema.MarkedFields(c.OutputSchema, keywordTainted)) > 0 {
		x.ReadTainted(c.Title)
	}
}

// ReadTainted notes that the model has read text of others, in the result of what has this title.
func (x *Provenance) ReadTainted(title string) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if !slices.Contains(x.tainted, title) {
		x.tainted = append(x.tainted, title)
	}
}

// Tainted lists the titles of what gave the model text of others.
func (x *Provenance) Tainted() []string {
	x.mu.Lock()
	defer x.mu.Unlock()
	return slices.Clone(x.tainted)
}

// taintedBy says in a sentence what text of others the model has read, "" for none.
func (x *Provenance) taintedBy() string {
	titles := x.Tainted()
	if len(titles) == 0 {
		return ""
	}
	return "In this conversation the assistant has read text from outside (" + strings.Join(titles, ", ") + ")."
}

// doneBefore says in a sentence what the same call came to.
func doneBefore(came string) string { return "In this conversation it was done before (" + came + ")." }

// distrusted says why grants do not count for a call, or for a plan with this preview; "" where they do: what
// reaches outside or cannot be undone is not to hang on words of others.
func (p *Policy) distrusted(x *Provenance, c *bus.Capability, preview json.RawMessage) string {
	local := isLocal(c)
	if b := p.bus.Load(); c.IsPlan() {
		local = b == nil || !slices.ContainsFunc(schema.PlanSteps(preview).Steps, func(s schema.PlanStep) bool {
			c, known := b.Lookup(s.Capability)
			return known && !isLocal(c)
		})
	}
	if local {
		return ""
	}
	return x.taintedBy()
}
