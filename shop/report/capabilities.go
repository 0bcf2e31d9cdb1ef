// Package report adds up sales, best sellers and low stock.
package report

import (
	_ "embed"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/shop/internal/core"
)

// phrases are the example sentences of the capabilities.
//
//go:embed phrases.txt
var phrases string

// Capabilities are all of this room.
func Capabilities() []bus.Capability {
	return bus.WithPhrases(phrases, core.NeedShop(reportSales(), reportTopProducts(), reportLowStock()))
}
