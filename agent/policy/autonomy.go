package policy

import (
	"context"

	"github.com/deskhand/deskhand/bus"
)

// Autonomy is how far an assistant goes by itself in a conversation. A person sets it, and nobody else raises it: no
// model, no form, no rule.
type Autonomy string

// The autonomies, the narrowest first.
const (
	LookOnly     Autonomy = "look"   // it only reads
	AskFirst     Autonomy = "ask"    // the rules as they are; no grant answers for the person
	WithinGrants Autonomy = "grants" // the rules, and grants
)

// Autonomies are all of them.
var Autonomies = []Autonomy{LookOnly, AskFirst, WithinGrants}

// SetAutonomy sets the autonomy of the conversation. The zero value stands for WithinGrants.
func (x *Provenance) SetAutonomy(a Autonomy) {
	x.mu.Lock()
	x.autonomy = a
	x.mu.Unlock()
}

// Autonomy is the autonomy of the conversation.
func (x *Provenance) Autonomy() Autonomy {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.autonomy
}

// withinAutonomy refuses what goes further than the conversation.
func withinAutonomy(ctx context.Context, c *bus.Capability) error {
	if provenanceOf(ctx).Autonomy() != LookOnly || c.SideEffect == bus.Pure {
		return nil
	}
	return bus.Errorf(bus.Forbidden, bus.ReasonCapabilityNotGranted,
		"In this conversation the assistant looks things up only.").
		WithHint("Only a person changes that, beside the message field.")
}
