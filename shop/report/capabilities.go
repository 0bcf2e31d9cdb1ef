// Package report computes the sales, payments, returns, best sellers and low stock of the shop.
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

// Capabilities returns the capabilities of reports.
func Capabilities() []bus.Capability {
	return []bus.Capability{
		core.WithShop(read("report.sales"), Sales),
		core.WithShop(read("report.payments"), Payments),
		core.WithShop(read("report.returns"), Returns),
		core.WithShop(read("report.today", "day"), today),
		core.WithShop(read("report.topProducts"), TopProducts),
		core.WithShop(read("report.lowStock"), LowStock),
	}
}

// read defines a report on sales of the catalog.
func read(name string, more ...string) bus.Capability {
	return core.Read(bus.Capability{Name: name, Texts: texts, Type: bus.TypeData,
		Provides: append([]string{"order", "catalog"}, more...)})
}
