// Package cart holds the carts of customers: items, discount, shipping, carts on hold.
package cart

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
	return core.NeedShop(
		cartGetSummary(), cartSetCustomer(), cartAddItem(), cartSetQuantity(), cartRemoveItem(),
		cartApplyDiscount(), cartRemoveDiscount(), cartSetShipping(), cartValidate(),
		cartClear(), cartHold(), cartResume(), cartListHeld(),
	)
}
