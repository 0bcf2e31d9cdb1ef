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

func (languageIn) DescribeFields() map[string]string {
	return map[string]string{"language": "en is English, de is German; system follows the computer."}
}

func languageSet() bus.Capability {
	c := bus.Define(bus.Capability{
		Name: "language.set", Title: "Choose the language", Category: "appearance", Type: bus.TypeControl,
		Description: "Sets the language of the window for the person signed in: English, German, or as the computer " +
			"speaks. Use it when somebody asks for another language. It does not change it for others, nor how receipts write " +
			"dates: that is the shop's locale.",
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
