// Package catalog holds products, their variants, prices and stock.
package catalog

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
	return bus.WithPhrases(phrases, core.NeedShop(catalogSearch(), catalogGetProduct(), catalogCreateProduct(),
		catalogUpdateProduct(),
		catalogArchiveProduct(), catalogSetPrice(), catalogAdjustStock()))
}
