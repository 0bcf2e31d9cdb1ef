// Package window holds the capabilities that a window follows: pages, dialogs, theme, language.
package window

import (
	_ "embed"

	"github.com/deskhand/deskhand/bus"
)

// texts describes the capabilities and their fields: see bus.Define.
//
//go:embed texts.txt
var texts string

// Capabilities are all of this room.
func Capabilities() []bus.Capability {
	return []bus.Capability{navigationGo(), modalOpen(), themeSet(), themeToggle(),
		languageSet()}
}
