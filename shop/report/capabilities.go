// Package report adds up sales, best sellers and low stock.
package report

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
	return []bus.Capability{reportSales(), reportTopProducts(), reportLowStock()}
}
