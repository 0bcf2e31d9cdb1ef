// Package day counts the cash of a desk and closes its days.
package day

import (
	"context"
	_ "embed"

	"github.com/deskhand/deskhand/audit"
	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/shop/internal/core"
)

// texts describes the capabilities and their fields: see bus.Define.
//
//go:embed texts.txt
var texts string

// Head returns the number and the hash of the last committed record of the log, for the request of a call.
type Head func(ctx context.Context, requestID string) (seq int64, hash string, err error)

// Ports holds the functions of the log that this package needs. Without Head, closings have no record number.
type Ports struct {
	Head    Head
	Records func(context.Context, audit.Query) (audit.Page, error)
}

// Capabilities returns the capabilities of cash and closings.
func Capabilities(p Ports) []bus.Capability {
	return []bus.Capability{
		core.WithShop(core.Change(bus.Capability{Name: "cash.move", Texts: texts, Facts: []string{"amount"},
			Changes: []string{"day"}, Checks: bus.Checks{Access: core.AgentAsks}}), move),
		core.WithShop(core.Read(bus.Capability{Name: "day.preview", Texts: texts, Type: bus.TypeData,
			Provides: []string{"day", "order"}}), preview),
		core.WithShop(core.Final(bus.Capability{Name: "day.close", Texts: texts, Facts: []string{"amount"},
			Checks: bus.Checks{Access: core.AgentNever}, Run: bus.Run{Concurrency: bus.Exclusive, QueueDepth: 8},
			Assistant: bus.Assistant{Form: true}}), p.close),
		core.WithShop(core.Read(bus.Capability{Name: "report.closings", Texts: texts, Type: bus.TypeData,
			Provides: []string{"day"}}), Closings),
	}
}
