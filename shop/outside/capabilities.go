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

// phrases are the example sentences of the capabilities.
//
//go:embed phrases.txt
var phrases string

// Capabilities are all of this room.
func Capabilities(p Ports) []bus.Capability {
	return bus.WithPhrases(phrases, core.NeedShop(emailSendReceipt(p), settingsTestMail(p), webhookTrigger(p)))
}
