// Package settings reads and changes the settings of the shop, and keeps its secrets.
package settings

import (
	_ "embed"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/shop/internal/core"
)

// phrases are the example sentences of the capabilities.
//
//go:embed phrases.txt
var phrases string

// Capabilities are all of this room.
func Capabilities(secrets Secrets) []bus.Capability {
	return bus.WithPhrases(phrases, core.NeedShop(settingsGet(secrets), settingsSet(secrets)))
}
