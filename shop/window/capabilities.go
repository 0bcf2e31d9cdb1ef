// Package window holds the capabilities that a window follows: pages, dialogs, theme, language.
package window

import (
	_ "embed"

	"github.com/deskhand/deskhand/bus"
)

// phrases are the example sentences of the capabilities.
//
//go:embed phrases.txt
var phrases string

// Capabilities are all of this room.
func Capabilities() []bus.Capability {
	return bus.WithPhrases(phrases, []bus.Capability{navigationGo(), modalOpen(), themeSet(), themeToggle(),
		languageSet()})
}
