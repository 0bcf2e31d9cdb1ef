// Package tour guides a new user through the program's features.
package tour

import (
	_ "embed"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/shop/internal/core"
)

// texts describes the capabilities and their fields: see bus.Define.
//
//go:embed texts.txt
var texts string

// Capabilities returns the capabilities of tours.
func Capabilities() []bus.Capability {
	change := func(name string, access bus.Access) bus.Capability {
		return core.Change(bus.Capability{Name: name, Texts: texts, Checks: bus.Checks{Access: access},
			Run: bus.Run{Idempotent: true, ExecutionContext: "client"}})
	}
	return []bus.Capability{
		bus.Define(core.Read(bus.Capability{Name: "tour.get", Texts: texts, Type: bus.TypeState}), get),
		bus.Define(change("tour.start", core.AgentMay), start),
		bus.Define(change("tour.leave", core.AgentMay), leave),
		bus.Define(change("tour.mark", core.AgentNever), mark), // the window reports progress with it
	}
}
