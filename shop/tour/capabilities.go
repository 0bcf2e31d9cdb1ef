// Package tour leads a new person through what can be done.
package tour

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
	return bus.WithPhrases(phrases, []bus.Capability{tourGet(), tourStart(), tourLeave(), tourMark()})
}
