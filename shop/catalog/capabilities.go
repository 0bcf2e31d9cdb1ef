// Package catalog holds products, their variants, prices and stock.
package catalog

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
	return core.NeedShop(catalogSearch(), catalogGetProduct(), catalogCreateProduct(),
		catalogUpdateProduct(),
		catalogArchiveProduct(), catalogSetPrice(), catalogAdjustStock())
}
