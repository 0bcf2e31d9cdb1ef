package policy

import (
	"context"

	"github.com/deskhand/deskhand/bus"
)

// Autonomy limits the calls that an assistant makes by itself in a conversation. Only a person sets it: a model, a form
// or a rule must not raise it.
type Autonomy string

// The autonomies, the narrowest first.
const (
	LookOnly     Autonomy = "look"   // it only reads
	AskFirst     Autonomy = "ask"    // the rules as they are; no grant answers for the person
	WithinGrants Autonomy = "grants" // the rules, and grants
)

// Autonomies lists all of them, the narrowest first.
var Autonomies = []Autonomy{LookOnly, AskFirst, WithinGrants}

// SetAutonomy sets the autonomy of the conversation. The zero value means WithinGrants.
func (x *Provenance) SetAutonomy(a Autonomy) {
	x.mu.Lock()
	x.autonomy = a
	x.mu.Unlock()
}

// Autonomy returns the autonomy of the conversation.
func (x *Provenance) Autonomy() Autonomy {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.autonomy
}

// withinAutonomy refuses a call that changes something in a conversation that may only read.
func withinAutonomy(ctx context.Context, c *bus.Capability) error {
	if provenanceOf(ctx).Autonomy() != LookOnly || c.SideEffect == bus.Pure {
		return nil
	}
	return bus.Errorf(bus.Forbidden, bus.ReasonCapabilityNotGranted,
		"In this conversation the assistant looks things up only.").
		WithHint("Only a person changes that, beside the message field.")
}
