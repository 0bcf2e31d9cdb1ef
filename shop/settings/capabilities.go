// Package settings reads and changes the settings of the shop, and keeps its secrets.
package settings

import (
	_ "embed"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/shop/internal/core"
)

// texts describes the capabilities and their fields: see bus.Define.
//
//go:embed texts.txt
var texts string

// Capabilities are all of this room.
func Capabilities(secrets Secrets) []bus.Capability {
	return core.NeedShop(settingsGet(secrets), settingsSet(secrets))
}
