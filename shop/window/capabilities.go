// Package window holds the capabilities that control a window: pages, dialogs, theme, language, sizes.
package window

import (
	_ "embed"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/shop/internal/core"
)

// texts describes the capabilities and their fields: see bus.Define.
//
//go:embed texts.txt
var texts string

// own marks a capability that only a person may use, for their own window.
func own(c bus.Capability) bus.Capability {
	c.Checks.Access, c.Listing.Category = core.AgentNever, "views"
	return c
}

// Local returns the capabilities that only change the content of a window. Each window has its own, also at a till, and
// follows their events.
func Local() []bus.Capability {
	open := func(name, permission string) bus.Capability {
		return bus.Capability{Name: name, Texts: texts, SideEffect: bus.UIOnly,
			Permissions: []string{permission},
			Listing:     bus.Listing{Category: "navigation"},
			Checks:      bus.Checks{Access: core.AgentMay},
			Run:         bus.Run{Idempotent: true, ExecutionContext: "client"}}
	}
	return []bus.Capability{
		bus.Define(open("navigation.go", "navigation:write"), navigate),
		bus.Define(open("modal.open", "modal:write"), openDialog),
	}
}

// Capabilities returns the capabilities of windows that the shop stores.
func Capabilities() []bus.Capability {
	return append(Local(),
		bus.Define(core.Change(bus.Capability{Name: "theme.set", Texts: texts, Type: bus.TypeControl,
			Listing: bus.Listing{Category: "appearance", Current: theme.current},
			Run:     bus.Run{Idempotent: true}}), setTheme),
		bus.Define(core.Change(bus.Capability{Name: "theme.toggle", Texts: texts, Listing: bus.Listing{
			Category: "appearance"}}), toggleTheme),
		bus.Define(core.Change(bus.Capability{Name: "language.set", Texts: texts,
			Type:    bus.TypeControl,
			Listing: bus.Listing{Category: "appearance", Current: language.current},
			Run:     bus.Run{Idempotent: true}}), setLanguage),
		bus.Define(core.Change(bus.Capability{Name: "density.set", Texts: texts, Type: bus.TypeControl,
			Listing: bus.Listing{Category: "appearance", Current: density.current},
			Run:     bus.Run{Idempotent: true}}), setDensity),
		bus.Define(core.Change(bus.Capability{Name: "textSize.set", Texts: texts, Type: bus.TypeControl,
			Listing: bus.Listing{Category: "appearance", Current: currentTextSize},
			Run:     bus.Run{Idempotent: true}}), setTextSize),
		bus.Define(core.Change(bus.Capability{Name: "notifications.set", Texts: texts, Type: bus.TypeControl,
			Listing: bus.Listing{Category: "appearance", Current: currentNotifications},
			Checks:  bus.Checks{Access: core.AgentNever}, // they are about questions of the assistant
			Run:     bus.Run{Idempotent: true}}), setNotifications),
		bus.Define(core.Read(own(bus.Capability{Name: "view.list", Texts: texts, Type: bus.TypeData,
			Entities: []bus.Entity{{Type: "view", Title: "Saved view", List: "/views"}}})), listViews),
		bus.Define(core.Change(own(bus.Capability{Name: "view.save", Texts: texts})), saveView),
		bus.Define(core.Change(own(bus.Capability{Name: "view.remove", Texts: texts})), removeView),
	)
}
