package window

import (
	"context"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/shop/internal/core"
)

// The theme is kept per person, like everything about a person's own window.

const themePreference = "theme"

type themeIn struct {
	Theme string `json:"theme" jsonschema:"enum=light,enum=dark,enum=system,enum=contrast"`
}

func themeSet() bus.Capability {
	c := bus.Define(bus.Capability{
		Name: "theme.set", Texts: texts, Category: "appearance", Type: bus.TypeControl,
		SideEffect: bus.UIOnly, Permissions: []string{"theme:write"}, Access: core.AgentMay, Resources: core.Writes,
		Reversible: true, Idempotent: true,
	}, func(ctx context.Context, call *bus.Call, in themeIn) (themeIn, error) {
		return in, setTheme(ctx, call, in.Theme)
	})
	c.Current = func(ctx context.Context, call *bus.Call) (any, error) {
		return core.Preference(ctx, call.Person.Person, themePreference, "system")
	}
	return c
}

func themeToggle() bus.Capability {
	return bus.Define(bus.Capability{
		Name: "theme.toggle", Texts: texts, Category: "appearance",
		SideEffect: bus.UIOnly, Permissions: []string{"theme:write"}, Access: core.AgentMay, Resources: core.Writes,
		Reversible: true,
	}, func(ctx context.Context, call *bus.Call, _ struct{}) (themeIn, error) {
		now, err := core.Preference(ctx, call.Person.Person, themePreference, "system")
		if err != nil {
			return themeIn{}, err
		}
		next := "dark"
		if now == "dark" {
			next = "light"
		}
		return themeIn{next}, setTheme(ctx, call, next)
	})
}

func setTheme(ctx context.Context, call *bus.Call, theme string) error {
	call.Summarize("Use the %s theme", theme)
	call.Changed("theme", "The theme is "+theme+".", theme)
	return core.SetPreference(ctx, call.Person.Person, themePreference, theme)
}
