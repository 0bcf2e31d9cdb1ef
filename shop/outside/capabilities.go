// Package outside reaches other computers through ports: mail and webhooks.
package outside

import (
	_ "embed"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/shop/internal/core"
	"github.com/deskhand/deskhand/shop/settings"
)

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

// Capabilities are all of this room.
func Capabilities(p Ports) []bus.Capability {
	return core.NeedShop(emailSendReceipt(p), settingsTestMail(p), webhookTrigger(p))
}
