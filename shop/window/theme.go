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

func (themeIn) DescribeFields() map[string]string {
	return map[string]string{"theme": "system follows the computer."}
}

func themeSet() bus.Capability {
	c := bus.Define(bus.Capability{
		Name: "theme.set", Title: "Choose the theme", Category: "appearance", Type: bus.TypeControl,
		Description: "Sets how the window looks for the person signed in: light, dark, high contrast, or as the computer " +
			"does. Use it when somebody asks for another look. It does not change it for others.",
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
		Name: "theme.toggle", Title: "Switch light and dark", Category: "appearance",
		Description: "Switches the window between light and dark for the person signed in. Use it when somebody says it is " +
			"too bright or too dark. For a certain theme use theme.set; it does not change it for others.",
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
