package agent

import (
	"cmp"
	"encoding/json"
	"slices"

	"github.com/deskhand/deskhand/bus"
)

// toolset is the tools that a conversation's model was given. Their order stays the same from one request to the next
// and new ones come last, so that an endpoint's prompt cache holds.
type toolset struct {
	order     []string // capabilities, in the order they were first offered
	described []string // what the model had described, the latest first
	used      []string // what it called, the latest first
	found     []string // what the person's latest sentence may be about, the likeliest first
	core      []string // what is used most, when the conversation began
}

// The bounds of what is kept at hand where not all tools fit.
const (
	maxFound  = 5
	maxLatest = 4 // of what was described, and of what was called
)

// keep lists the capabilities that the next request needs most: the way to more, those just described, those that
// the sentence may be about, those just called, those that are used most, and those offered before.
func (o *toolset) keep() []string {
	return slices.Concat([]string{"capability.list", "capability.describe"}, o.described, o.found, o.used, o.core, o.order)
}

// choose picks the tools for a request: all of them in full if they fit, else in few words, else of these the most
// needed. What was described stays in full.
func (o *toolset) choose(tools []bus.Tool, entries map[string]bus.ManifestEntry, limit int) (chosen []bus.Tool) {
	if fits(tools, limit) {
		return o.arrange(tools)
	}
	lean := make([]bus.Tool, len(tools))
	for i, tool := range tools {
		if lean[i] = tool; !slices.Contains(o.described, tool.Capability) {
			lean[i] = tool.Lean(entries[tool.Capability])
		}
	}
	if fits(lean, limit) {
		return o.arrange(lean)
	}
	needed := o.keep()
	place := func(tool bus.Tool) int {
		if at := slices.Index(needed, tool.Capability); at >= 0 {
			return at
		}
		return len(needed)
	}
	slices.SortStableFunc(lean, func(a, b bus.Tool) int { return cmp.Compare(place(a), place(b)) })
	for _, tool := range lean {
		if cost := toolTokens(tool); cost <= limit {
			limit -= cost
			chosen = append(chosen, tool)
		}
	}
	o.order = slices.DeleteFunc(o.order, func(name string) bool {
		return !slices.ContainsFunc(chosen, func(tool bus.Tool) bool { return tool.Capability == name })
	})
	return o.arrange(chosen)
}

func fits(tools []bus.Tool, limit int) bool {
	for _, tool := range tools {
		limit -= toolTokens(tool)
	}
	return limit >= 0 && len(tools) < maxTools
}

// arrange puts tools into the conversation's order, new ones last.
func (o *toolset) arrange(tools []bus.Tool) []bus.Tool {
	byName := make(map[string]bus.Tool, len(tools))
	for _, tool := range tools {
		byName[tool.Capability] = tool
		if !slices.Contains(o.order, tool.Capability) {
			o.order = append(o.order, tool.Capability)
		}
	}
	list := make([]bus.Tool, 0, len(tools))
	for _, name := range o.order {
		if tool, ok := byName[name]; ok {
			list = append(list, tool)
		}
	}
	return list
}

// saw takes note of a call: what capability.describe returned, and what was called, is a tool from the next request on,
// wherever it belongs.
func (o *toolset) saw(capability string, res bus.Result) {
	o.used = latest(o.used, capability)
	if capability != "capability.describe" || !res.OK() {
		return
	}
	var described struct {
		Name string `json:"name"`
	}
	if json.Unmarshal(res.Data, &described) == nil && described.Name != "" {
		o.described = latest(o.described, described.Name)
	}
}

// latest puts a name at the beginning of a list of the latest.
func latest(list []string, name string) []string {
	list = slices.DeleteFunc(list, func(one string) bool { return one == name })
	return first(slices.Insert(list, 0, name), maxLatest)
}
