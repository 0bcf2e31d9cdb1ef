// Package window holds the capabilities that a window follows: pages, dialogs, theme, language.
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

// Capabilities are all of this room.
func Capabilities() []bus.Capability {
	// The window follows the events of pages and dialogs; no row changes.
	open := func(name, permission string) bus.Capability {
		return bus.Capability{Name: name, Texts: texts, Category: "navigation", SideEffect: bus.UIOnly,
			Permissions: []string{permission}, Access: core.AgentMay, Idempotent: true}
	}
	return []bus.Capability{
		bus.Define(open("navigation.go", "navigation:write"), navigate),
		bus.Define(open("modal.open", "modal:write"), openDialog),
		bus.Define(core.Change(bus.Capability{Name: "theme.set", Texts: texts, Category: "appearance", Type: bus.TypeControl,
			Idempotent: true, Current: theme.current}), setTheme),
		bus.Define(core.Change(bus.Capability{Name: "theme.toggle", Texts: texts, Category: "appearance"}), toggleTheme),
		bus.Define(core.Change(bus.Capability{Name: "language.set", Texts: texts, Category: "appearance",
			Type: bus.TypeControl, Idempotent: true, Current: language.current}), setLanguage),
	}
}
