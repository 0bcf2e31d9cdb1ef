package window

import (
	"context"
	"strconv"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/shop/internal/core"
)

// preference is the name of a person's preference for the window. It affects neither the shop's records nor the text
// for models nor the command line, which stay English.
type preference string

const (
	theme    preference = "theme"
	language preference = "language"
	density  preference = "density"
)

// notifications is the name of the preference for desktop notifications about waiting work.
const notifications = "notifications"

type notificationsIn struct {
	Notifications string `json:"notifications" jsonschema:"enum=on,enum=off"`
}

func currentNotifications(ctx context.Context, call *bus.Call) (any, error) {
	return core.Preference(ctx, call.Person.ID, notifications, "on")
}

func setNotifications(ctx context.Context, call *bus.Call, in notificationsIn) (notificationsIn, error) {
	call.Summarize("Switch the notifications %s", bus.Phrase(in.Notifications))
	call.Announce(notifications, bus.Textf("The notifications are %s.", bus.Phrase(in.Notifications)), in.Notifications)
	return in, core.SetPreference(ctx, call.Person.ID, notifications, in.Notifications)
}

// current returns the current value of the control.
func (p preference) current(ctx context.Context, call *bus.Call) (any, error) {
	return core.Preference(ctx, call.Person.ID, string(p), "system")
}

// set stores the value.
func (p preference) set(ctx context.Context, call *bus.Call, value string) error {
	return core.SetPreference(ctx, call.Person.ID, string(p), value)
}

type themeIn struct {
	Theme string `json:"theme" jsonschema:"enum=light,enum=dark,enum=system,enum=contrast"`
}

func setTheme(ctx context.Context, call *bus.Call, in themeIn) (themeIn, error) {
	call.Summarize("Use the %s theme", bus.Phrase(in.Theme))
	call.Announce(string(theme), bus.Textf("The theme is %s.", bus.Phrase(in.Theme)), in.Theme)
	return in, theme.set(ctx, call, in.Theme)
}

func toggleTheme(ctx context.Context, call *bus.Call, _ struct{}) (themeIn, error) {
	now, err := theme.current(ctx, call)
	if err != nil {
		return themeIn{}, err
	}
	if now == "dark" {
		return setTheme(ctx, call, themeIn{"light"})
	}
	return setTheme(ctx, call, themeIn{"dark"})
}

type languageIn struct {
	Language string `json:"language" jsonschema:"enum=system,enum=en,enum=de"`
}

func setLanguage(ctx context.Context, call *bus.Call, in languageIn) (languageIn, error) {
	call.Summarize("Use the language %s", bus.Phrase(in.Language))
	call.Announce(string(language), bus.Textf("The language is %s.", bus.Phrase(in.Language)), in.Language)
	return in, language.set(ctx, call, in.Language)
}

type densityIn struct {
	Density string `json:"density" jsonschema:"enum=compact,enum=comfortable,enum=touch,enum=system"`
}

func setDensity(ctx context.Context, call *bus.Call, in densityIn) (densityIn, error) {
	call.Summarize("Use the %s density", bus.Phrase(in.Density))
	call.Announce(string(density), bus.Textf("The density is %s.", bus.Phrase(in.Density)), in.Density)
	return in, density.set(ctx, call, in.Density)
}

type textSizeIn struct {
	Size int `json:"size" jsonschema:"enum=80,enum=90,enum=100,enum=110,enum=125,enum=150,enum=175,enum=200"`
}

const textSize, usualTextSize = "textSize", 100

func currentTextSize(ctx context.Context, call *bus.Call) (any, error) {
	kept, err := core.Preference(ctx, call.Person.ID, textSize, strconv.Itoa(usualTextSize))
	if err != nil {
		return nil, err
	}
	return strconv.Atoi(kept)
}

func setTextSize(ctx context.Context, call *bus.Call, in textSizeIn) (textSizeIn, error) {
	call.Summarize("Set the text to %d %%", in.Size)
	call.Announce(textSize, bus.Textf("The text size is %d %%.", in.Size), strconv.Itoa(in.Size))
	return in, core.SetPreference(ctx, call.Person.ID, textSize, strconv.Itoa(in.Size))
}
