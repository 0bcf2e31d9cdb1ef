package policy

import (
	"encoding/json"
	"slices"

	"github.com/deskhand/deskhand/agent/internal/schema"
	"github.com/deskhand/deskhand/bus"
)

// taints says whether an output holds any of the text that its schema marks.
func taints(output, data json.RawMessage) bool {
	found := false
	schema.WithOthers(output, data, func(_ string, v any) any {
		found = true
		return v
	})
	return found
}

// Read notes what the model has read in a result of c.
func (x *Provenance) Read(c *bus.Capability, data json.RawMessage) {
	if taints(c.OutputSchema, data) {
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

// taintedBy is a sentence that names the text of others that the model has read, zero for none.
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

// distrust is why grants do not count for a call, zero where they do: what reaches outside or cannot be undone is not
// to hang on words of others.
func distrust(x *Provenance, c *bus.Capability) (why bus.Text) {
	if isLocal(c) {
		return why
	}
	return x.taintedBy()
}

// distrusted is distrust of a call, or of the steps of a plan with this preview.
func (p *Policy) distrusted(x *Provenance, c *bus.Capability, preview json.RawMessage) (why bus.Text) {
	if p.staysLocal(c, preview) {
		return why
	}
	return x.taintedBy()
}

// done are the capabilities that a call uses: itself, or the steps of a plan in this preview.
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

// risk is the side effect that a card marks: the gravest of what the call does, where what can be undone is local.
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
	if c.IsPlan() { // it writes, whatever its steps do
		gravest = max(gravest, slices.Index(gravity, bus.UIOnly))
	}
	return gravity[gravest]
}

// staysLocal reports whether a call, or each step of a plan with this preview, changes only what can be undone.
func (p *Policy) staysLocal(c *bus.Capability, preview json.RawMessage) bool {
	return !slices.ContainsFunc(p.done(c, preview), func(c *bus.Capability) bool { return !isLocal(c) })
}
