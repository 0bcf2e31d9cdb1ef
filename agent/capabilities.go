package agent

import (
	"slices"

	"github.com/deskhand/deskhand/bus"
)

// Capabilities are the bridge's own: what people decide about the assistant, and
// the conversations with it. look finds every capability of the application.
func Capabilities(s *Store, look Lookup) []bus.Capability {
	return slices.Concat(policyCapabilities(look), grantCapabilities(look), conversationCapabilities(s))
}
