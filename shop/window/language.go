package window

import (
	"context"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/shop/internal/core"
)

// The language is that of a person's own window. The shop's records, what a
// model reads and the command line stay English.

const languagePreference = "language"

type languageIn struct {
	Language string `json:"language" jsonschema:"enum=system,enum=en,enum=de"`
}

func languageSet() bus.Capability {
	c := bus.Define(bus.Capability{
		Name: "language.set", Texts: texts, Category: "appearance", Type: bus.TypeControl,
		SideEffect: bus.UIOnly, Permissions: []string{"language:write"}, Access: core.AgentMay, Resources: core.Writes,
		Reversible: true, Idempotent: true,
	}, func(ctx context.Context, call *bus.Call, in languageIn) (languageIn, error) {
		call.Summarize("Use the language %s", in.Language)
		call.Changed("language", "The language is "+in.Language+".", in.Language)
		return in, core.SetPreference(ctx, call.Person.Person, languagePreference, in.Language)
	})
	c.Current = func(ctx context.Context, call *bus.Call) (any, error) {
		return core.Preference(ctx, call.Person.Person, languagePreference, "system")
	}
	return c
}
