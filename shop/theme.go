package shop

import (
	"context"

	"github.com/deskhand/deskhand/bus"
)

// The theme is kept per person, like everything about a person's own window.

const themePreference = "theme"

type themeIn struct {
	Theme string `json:"theme" jsonschema:"enum=light,enum=dark,enum=system,enum=contrast" jsonschema_description:"system follows the computer."`
}

func themeSet() bus.Capability {
	c := bus.Define(bus.Capability{
		Name: "theme.set", Title: "Choose the theme", Category: "appearance", Type: bus.TypeControl,
		Description: "Sets how the window looks for the person signed in: light, dark, high contrast, or as the computer does. " +
			"Use it when somebody asks for another look. It does not change it for others.",
		SideEffect: bus.UIOnly, Permissions: []string{"theme:write"}, Access: agentMay, Resources: write, Reversible: true, Idempotent: true,
		Phrases: []string{
			"set the theme to {theme}", "use the {theme} theme", "make it {theme}", "(switch|go|change) to {theme} mode", "{theme} (mode|theme|colors)",
			"turn on {theme} mode", "go {theme}", "(use|enable|activate) {theme} mode", "turn on high {theme}", "(change|switch) to {theme}",
			"put it in {theme} mode", "switch to the {theme} (theme|colors|mode)", "switch the theme to {theme}", "use the {theme}'s (colors|color|theme)",
			"(make|turn) everything {theme}", "{theme} (mode|theme), please", "i (prefer|want|like) {theme}", "i (prefer|want) the {theme} (mode|theme)",
			"(turn on|activate|enable|set) the {theme} (mode|theme)",
		},
	}, func(ctx context.Context, call *bus.Call, in themeIn) (themeIn, error) {
		return in, setTheme(ctx, call, in.Theme)
	})
	c.Current = func(ctx context.Context, call *bus.Call) (any, error) {
		return preference(ctx, call.Person.Person, themePreference, "system")
	}
	return c
}

func themeToggle() bus.Capability {
	return bus.Define(bus.Capability{
		Name: "theme.toggle", Title: "Switch light and dark", Category: "appearance",
		Description: "Switches the window between light and dark for the person signed in. " +
			"Use it when somebody says it is too bright or too dark. For a certain theme use theme.set; it does not change it for others.",
		SideEffect: bus.UIOnly, Permissions: []string{"theme:write"}, Access: agentMay, Resources: write, Reversible: true,
		Phrases: []string{
			"toggle the theme", "(switch|swap|change) the theme", "it is too (bright|dark)", "toggle dark mode", "the screen is too (bright|dark)",
			"switch the colours", "it is too (bright|dark) in here",
		},
	}, func(ctx context.Context, call *bus.Call, _ struct{}) (themeIn, error) {
		now, err := preference(ctx, call.Person.Person, themePreference, "system")
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
	return prefer(ctx, call.Person.Person, themePreference, theme)
}
