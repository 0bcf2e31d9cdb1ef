package policy

import (
	"encoding/json"
	"slices"

	"github.com/deskhand/deskhand/agent/internal/schema"
	"github.com/deskhand/deskhand/bus"
)

// taints reports whether an output contains text in a field that its schema marks as tainted.
func taints(output, data json.RawMessage) bool {
	found := false
	schema.WithOthers(output, data, func(_ string, v any) any {
		found = true
		return v
	})
	return found
}

// Read records that the model read a result of c, if the result contains tainted text.
func (x *Provenance) Read(c *bus.Capability, data json.RawMessage) {
	if taints(c.OutputSchema, data) {
		x.ReadTainted(c.Title)
	}
}

// ReadTainted records that the model read text from outside in a result of the capability with this title.
func (x *Provenance) ReadTainted(title string) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if !slices.Contains(x.tainted, title) {
		x.tainted = append(x.tainted, title)
	}
}

// Tainted lists the titles of the capabilities whose results gave the model text from outside.
func (x *Provenance) Tainted() []string {
	x.mu.Lock()
	defer x.mu.Unlock()
	return slices.Clone(x.tainted)
}

// taintedBy returns a sentence that names the text from outside that the model has read, zero for none.
func (x *Provenance) taintedBy() (why bus.Text) {
	titles := x.Tainted()
	if len(titles) == 0 {
		return why
	}
	list := bus.Phrase(titles[0])
	for _, title := range titles[1:] {
		list = bus.Textf("%s, %s", list, bus.Phrase(title))
	}
	return bus.Textf("In this conversation the assistant has read text from outside (%s).", list)
}

// taintOf returns the reason why grants do not count for a call, zero if they do. Text from outside must not steer a
// network call or an effect that cannot be undone.
func taintOf(x *Provenance, c *bus.Capability) (why bus.Text) {
	if isLocal(c) {
		return why
	}
	return x.taintedBy()
}

// taintOfPreview is taintOf for a call, or for the steps of a plan with this preview.
func (p *Policy) taintOfPreview(x *Provenance, c *bus.Capability, preview json.RawMessage) (why bus.Text) {
	if p.staysLocal(c, preview) {
		return why
	}
	return x.taintedBy()
}

// done returns the capabilities that a call runs: its own, or those of the steps of the plan in this preview.
func (p *Policy) done(c *bus.Capability, preview json.RawMessage) (all []*bus.Capability) {
	if !c.IsPlan() {
		return []*bus.Capability{c}
	}
	b := p.bus.Load()
	for _, s := range schema.PlanSteps(preview).Steps {
		if b == nil {
			break
		}
		if step, known := b.Lookup(s.Capability); known {
			all = append(all, step)
		}
	}
	return all
}

// risk returns the side effect that a card marks: the gravest effect of the call. An effect that can be undone counts
// as local.
func (p *Policy) risk(c *bus.Capability, preview json.RawMessage) bus.SideEffect {
	gravity := []bus.SideEffect{bus.Pure, bus.UIOnly, bus.Destructive, bus.Network}
	gravest := 0
	for _, one := range p.done(c, preview) {
		effect := one.SideEffect
		if effect == bus.Destructive && one.Reversible {
			effect = bus.UIOnly
		}
		gravest = max(gravest, slices.Index(gravity, effect))
	}
	if c.IsPlan() { // it writes even if no step does
		gravest = max(gravest, slices.Index(gravity, bus.UIOnly))
	}
	return gravity[gravest]
}

// staysLocal reports whether all effects of a call, or of each step of a plan with this preview, can be undone.
func (p *Policy) staysLocal(c *bus.Capability, preview json.RawMessage) bool {
	return !slices.ContainsFunc(p.done(c, preview), func(c *bus.Capability) bool { return !isLocal(c) })
}
