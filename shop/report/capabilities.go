// Package report adds up sales, payments and returns, best sellers and low stock.
package report

import (
	_ "embed"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/shop/internal/core"
)

// texts describes the capabilities and their fields: see bus.Define.
//
//go:embed texts.txt
var texts string

// Capabilities are all of this room.
func Capabilities() []bus.Capability {
	return []bus.Capability{
		core.WithShop(core.Read(bus.Capability{Name: "report.sales", Texts: texts, Type: bus.TypeData}), Sales),
		core.WithShop(core.Read(bus.Capability{Name: "report.payments", Texts: texts, Type: bus.TypeData}), Payments),
		core.WithShop(core.Read(bus.Capability{Name: "report.returns", Texts: texts, Type: bus.TypeData}), Returns),
		core.WithShop(core.Read(bus.Capability{Name: "report.today", Texts: texts, Type: bus.TypeData}), today),
		core.WithShop(core.Read(bus.Capability{Name: "report.topProducts", Texts: texts, Type: bus.TypeData}), TopProducts),
		core.WithShop(core.Read(bus.Capability{Name: "report.lowStock", Texts: texts, Type: bus.TypeData}), LowStock),
	}
}
