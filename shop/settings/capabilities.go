// Package settings reads and changes the settings of the shop, and stores its secrets.
package settings

import (
	"context"
	_ "embed"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/shop/internal/core"
)

// texts describes the capabilities and their fields: see bus.Define.
//
//go:embed texts.txt
var texts string

// Capabilities returns the capabilities of settings.
func Capabilities(secrets Secrets, open core.OpenFile) []bus.Capability {
	get := core.Read(bus.Capability{Name: "settings.get", Texts: texts, Type: bus.TypeData,
		Entities: []bus.Entity{{Type: "shippingMethod", Title: "Shipping method", List: "/shipping"},
			{Type: "taxClass", Title: "Tax class", List: "/tax"}, {Type: "webhook", Title: "Webhook", List: "/webhooks"}},
		Resources: []string{"database:read", "secrets:read"}})
	set := core.Change(bus.Capability{Name: "settings.set", Texts: texts,
		Changes:   []string{"settings", "shop", "*"},
		Resources: []string{"database:write", "secrets:read"},
		Checks:    bus.Checks{Access: core.AgentNever},
		Run:       bus.Run{Concurrency: bus.Exclusive, QueueDepth: 4}})
	logo := core.Change(bus.Capability{Name: "settings.setLogo", Texts: texts,
		Resources: []string{"database:write", "filesystem:read"},
		Checks:    bus.Checks{Access: core.AgentNever},
		Run:       bus.Run{Prepare: readLogo(open)}})
	return []bus.Capability{
		core.WithShop(logo, setLogo),
		core.WithShop(get, func(ctx context.Context, s *core.Shop, _ *bus.Call, in settingsIn) (settingsOut, error) {
			return settings(ctx, s, secrets, in.Section)
		}),
		core.WithShop(set, func(ctx context.Context, s *core.Shop, call *bus.Call, in settingsSetIn) (settingsOut, error) {
			return change(ctx, s, call, secrets, in)
		}),
	}
}
