package agent

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"

	"github.com/deskhand/deskhand/bus"
)

// toolset is the tools that a conversation's model was given. They stay the same and in the same order from one request
// to the next and new ones come last, so that an endpoint's prompt cache holds. Where not all tools fit, they change
// maxChanges times in a conversation: the last change adds capability.call, by which the model calls all others.
type toolset struct {
	offered   []offer
	told      map[offer]bus.Tool // the definitions as this turn's requests have them
	hints     []bus.Tool         // tools for the latest sentence that are not offered, in few words
	changes   int
	core      []string // capabilities that the conversation began with
	described []string // what the model had described, the latest first
	used      []string // what it called, the latest first
	found     []string // what the person's latest sentence may be about, the likeliest first
}

// offer is a tool that a model was given.
type offer struct {
	capability string
	lean       bool // in few words
}

// The bounds of what is kept at hand where not all tools fit.
const (
	maxCore   = 20 // beside the tools that lead to all others
	maxFound  = 3
	maxLatest = 4 // of what was described, and of what was called

	maxChanges = 3
)

// The capabilities that lead to those that are not among the tools.
const (
	nameList     = "capability.list"
	nameDescribe = "capability.describe"
	nameCall     = "capability.call" // no capability: the bridge unwraps the call
)

// callTool calls a capability that is not among the tools.
var callTool = bus.Tool{Name: "capability_call", Capability: nameCall,
	Description: "Calls any capability by its name, as its own tool does. Use it for what is not among your tools, with " +
		"the parameters that capability_describe returns.",
	Parameters: json.RawMessage(`{"properties":{"name":{"type":"string"},"arguments":{"type":"object"}},` +
		`"required":["name","arguments"],"type":"object"}`)}

// Core returns the capabilities of a manifest that a model is given at first, wherever not all fit: those that lead to
// the others, and those that [Options.Core] lists; if it lists none, those with the most phrases.
func (b *Bridge) Core(ctx context.Context, m bus.Manifest) []string { return core(m, b.o.Core(ctx)) }

func core(m bus.Manifest, usual []string) []string {
	place := func(e bus.ManifestEntry) int {
		if at := slices.Index(usual, e.Name); at >= 0 {
			return at - len(usual)
		}
		return 0
	}
	names := []string{nameList, nameDescribe}
	entries := slices.DeleteFunc(slices.Clone(m.Capabilities), func(e bus.ManifestEntry) bool {
		return e.Passive || !e.AgentVisible || e.Access != nil && e.Access.Agent == bus.RuleDeny ||
			slices.Contains(names, e.Name) || place(e) == 0 && (len(usual) > 0 || len(e.Phrases) == 0)
	})
	slices.SortStableFunc(entries, func(a, b bus.ManifestEntry) int {
		return cmp.Or(cmp.Compare(place(a), place(b)), cmp.Compare(len(b.Phrases), len(a.Phrases)))
	})
	for _, e := range entries[:min(maxCore, len(entries))] {
		names = append(names, e.Name)
	}
	return names
}

// wanted lists the capabilities that the conversation is about, the most needed first.
func (o *toolset) wanted() []string { return slices.Concat(o.described, o.found, o.used) }

// keep lists the capabilities that no route leaves out.
func (o *toolset) keep() []string {
	names := slices.Concat(o.core, o.wanted())
	for _, one := range o.offered {
		names = append(names, one.capability)
	}
	return names
}

// choose picks the tools for a request: all of them in full if they fit; else the core, and behind it the tools that
// the conversation is about. Within a turn the described tools are added. The beginning of a turn adds the tools that
// match the sentence if the best match is missing. Only a much smaller room makes a new choice.
func (o *toolset) choose(tools []bus.Tool, entries map[string]bus.ManifestEntry, limit int, begins bool) []bus.Tool {
	c := chooser{o, map[string]bus.Tool{nameCall: callTool}, map[string]bus.Tool{}, entries}
	for _, tool := range tools {
		c.tools[tool.Capability] = tool
	}
	if begins || o.told == nil {
		o.told = map[offer]bus.Tool{}
		o.offered = slices.DeleteFunc(o.offered, func(one offer) bool { return c.tools[one.capability].Name == "" })
	}
	switch {
	case c.cost(inFull(tools)) <= limit && len(tools) < maxTools:
		for _, one := range inFull(tools) {
			c.add(one, limit)
		}
	case len(o.offered) == 0 || begins && c.cost(o.offered) > limit+limit/2:
		c.begin(limit - limit/4)
		for _, name := range o.wanted() {
			c.add(offer{capability: name}, limit)
		}
	case !begins:
		c.extend(o.described, limit)
	case len(o.found) > 0 && c.isNew(o.found[0]):
		c.extend(slices.Concat(o.found, o.used), limit)
	}
	o.hints = nil
	for _, name := range o.found {
		if begins && c.isNew(name) && !c.isNew(nameCall) {
			o.hints = append(o.hints, c.tool(offer{name, true}))
		}
	}
	list := make([]bus.Tool, len(o.offered))
	for i, one := range o.offered {
		list[i] = c.tool(one)
		o.told[one] = list[i]
	}
	return list
}

// chooser chooses among the tools of one request.
type chooser struct {
	*toolset
	tools   map[string]bus.Tool // by capability
	lean    map[string]bus.Tool // the same in few words, as far as they were needed
	entries map[string]bus.ManifestEntry
}

func inFull(tools []bus.Tool) (list []offer) {
	for _, tool := range tools {
		list = append(list, offer{capability: tool.Capability})
	}
	return list
}

// tool is the definition as it is offered.
func (c chooser) tool(one offer) bus.Tool {
	if told, is := c.told[one]; is {
		return told
	}
	whole := c.tools[one.capability]
	if !one.lean {
		return whole
	}
	if _, made := c.lean[one.capability]; !made {
		c.lean[one.capability] = whole.Lean(c.entries[one.capability])
	}
	return c.lean[one.capability]
}

// cost estimates the tokens of some tools.
func (c chooser) cost(list []offer) (tokens int) {
	for _, one := range list {
		tokens += toolTokens(c.tool(one))
	}
	return tokens
}

// isNew reports whether there is a tool that was not offered.
func (c chooser) isNew(name string) bool {
	return c.tools[name].Name != "" &&
		!slices.ContainsFunc(c.offered, func(one offer) bool { return one.capability == name })
}

// begin offers the core: in full where that fits, else in few words as much as does.
func (c chooser) begin(limit int) {
	for _, lean := range []bool{false, true} {
		c.offered = nil
		for _, name := range c.core {
			if c.isNew(name) {
				c.offered = append(c.offered, offer{name, lean})
			}
		}
		if c.cost(c.offered) <= limit {
			return
		}
	}
	for c.cost(c.offered) > limit {
		c.offered = c.offered[:len(c.offered)-1]
	}
}

// add offers one more tool, in few words if it does not fit in full. A described tool is offered even if neither fits.
func (c chooser) add(one offer, limit int) {
	if !c.isNew(one.capability) || len(c.offered) == maxTools {
		return
	}
	if left := limit - c.cost(c.offered); c.cost([]offer{one}) > left {
		one.lean = true
		if c.cost([]offer{one}) > left && !slices.Contains(c.described, one.capability) {
			return
		}
	}
	c.offered = append(c.offered, one)
}

// extend adds tools, as far as they may change once more. The last change adds capability.call instead.
func (c chooser) extend(names []string, limit int) {
	names = slices.DeleteFunc(slices.Clone(names), func(name string) bool { return !c.isNew(name) })
	if len(names) == 0 || !c.isNew(nameCall) {
		return
	}
	before := len(c.offered)
	if c.changes < maxChanges-1 {
		for _, name := range names {
			c.add(offer{capability: name}, limit)
		}
	}
	if c.isNew(names[0]) {
		c.offered = append(c.offered, offer{capability: nameCall})
	}
	if len(c.offered) > before {
		c.changes++
	}
}

// isWhole reports whether a tool was offered with all that its description and its parameters say.
func (o *toolset) isWhole(capability string) bool {
	return slices.Contains(o.offered, offer{capability: capability})
}

// saw takes note of a call: what capability.describe returned, and what was called, is a tool from the next request on,
// wherever it belongs.
func (o *toolset) saw(capability string, res bus.Result) {
	o.used = latest(o.used, capability)
	if capability != nameDescribe || !res.OK() {
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
