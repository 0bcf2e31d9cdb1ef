package agent

import (
	"slices"

	"github.com/deskhand/deskhand/bus"
)

// Capabilities are the bridge's own: what people decide about the assistant, on a
// journal with [Migrations]. look finds every capability of the application.
func Capabilities(look Lookup) []bus.Capability {
	return slices.Concat(policyCapabilities(look), grantCapabilities(look))
}
