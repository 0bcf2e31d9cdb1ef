// Package catalog holds products, their variants, prices and stock.
package catalog

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
	return []bus.Capability{catalogSearch(), catalogGetProduct(), catalogCreateProduct(), catalogUpdateProduct(),
		catalogArchiveProduct(), catalogSetPrice(), catalogAdjustStock()}
}
