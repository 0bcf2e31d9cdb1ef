// Package outside sends mail and calls webhooks, through ports.
package outside

import (
	_ "embed"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/shop/internal/core"
	"github.com/deskhand/deskhand/shop/settings"
)

// Ports holds the connections for mail and webhooks. A nil port disables its capabilities.
type Ports struct {
	Post    Post
	Hooks   Hooks
	Secrets settings.Secrets
	Font    core.FontFor
}

// texts describes the capabilities and their fields: see bus.Define.
//
//go:embed texts.txt
var texts string

// Capabilities returns the capabilities of mail and webhooks.
func Capabilities(p Ports) []bus.Capability {
	return core.NeedShop(emailSendReceipt(p), settingsTestMail(p), webhookTrigger(p))
}
