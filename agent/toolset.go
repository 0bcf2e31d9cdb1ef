package agent

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"

	"github.com/deskhand/deskhand/bus"
)

// toolset holds the tools that a conversation's model gets. Their order stays the same from one request to the next and
// new ones come last, so that the endpoint's prompt cache stays valid. If not all tools fit, they change maxChanges
// times in a conversation; the last change adds capability.call, by which the model can call all others.
type toolset struct {
	offered   []offer
	told      map[offer]bus.Tool // the definitions in this turn's requests
	hints     []bus.Tool         // tools for the latest sentence that are not offered, in short form
	changes   int
	core      []string // capabilities at the beginning of the conversation
	described []string // capabilities that the model had described, the latest first
	used      []string // capabilities that it called, the latest first
	found     []string // capabilities that match the person's latest sentence, the best first
}

// offer is a tool that a model gets.
type offer struct {
	capability string
	lean       bool // in short form
}

// The limits of the tools if not all fit.
const (
	maxCore   = 20 // in addition to the two discovery tools
	maxFound  = 3
	maxLatest = 4 // described capabilities, and called ones

	maxChanges = 3
)

// The capabilities by which a model finds and calls those that are not among its tools.
const (
	nameList     = "capability.list"
	nameDescribe = "capability.describe"
	nameCall     = "capability.call" // not a capability: the bridge unwraps the call
)

// callTool calls a capability that is not among the tools.
var callTool = bus.Tool{Name: "capability_call", Capability: nameCall,
	Description: "Calls any capability by its name, as its own tool does. Use it for what is not among your tools, with " +
		"the parameters that capability_describe returns.",
	Parameters: json.RawMessage(`{"properties":{"name":{"type":"string"},"arguments":{"type":"object"}},` +
		`"required":["name","arguments"],"type":"object"}`)}

// Core returns the capabilities that a model gets first if not all fit: the discovery tools, and those that
// [Options.Core] lists; if it lists none, those with the most phrases.
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

// wanted lists the capabilities for the present topic, the most needed first.
func (o *toolset) wanted() []string { return slices.Concat(o.described, o.found, o.used) }

// keep lists the capabilities that must stay on every route.
func (o *toolset) keep() []string {
	names := slices.Concat(o.core, o.wanted())
	for _, one := range o.offered {
		names = append(names, one.capability)
	}
	return names
}

// choose picks the tools for a request: all of them in full if they fit; otherwise the core, followed by the tools for
// the present topic. Within a turn it adds the described tools. At the beginning of a turn it adds the tools that match
// the sentence, if the best match is missing. Only a much smaller limit causes a new choice.
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
	lean    map[string]bus.Tool // the short forms made so far
	entries map[string]bus.ManifestEntry
}

func inFull(tools []bus.Tool) (list []offer) {
	for _, tool := range tools {
		list = append(list, offer{capability: tool.Capability})
	}
	return list
}

// tool returns the definition in the offered form.
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

// isNew reports whether a tool exists that was not offered.
func (c chooser) isNew(name string) bool {
	return c.tools[name].Name != "" &&
		!slices.ContainsFunc(c.offered, func(one offer) bool { return one.capability == name })
}

// begin offers the core in full if it fits, otherwise as many tools as fit in short form.
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

// add offers one more tool, in short form if it does not fit in full. It always offers a described tool.
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

// extend adds tools while changes are left. The last change adds capability.call instead.
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

// isWhole reports whether a tool was offered in full.
func (o *toolset) isWhole(capability string) bool {
	return slices.Contains(o.offered, offer{capability: capability})
}

// saw records a call. The called capability, and the one that capability.describe returned, become tools of the next
// request, on every route.
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

// latest moves a name to the front of a list of the latest names.
func latest(list []string, name string) []string {
	list = slices.DeleteFunc(list, func(one string) bool { return one == name })
	return first(slices.Insert(list, 0, name), maxLatest)
}
