// Package cart holds the carts of customers: items, discount, shipping, carts on hold.
package cart

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
	return bus.WithPhrases(phrases, core.NeedShop(
		cartGetSummary(), cartSetCustomer(), cartAddItem(), cartSetQuantity(), cartRemoveItem(),
		cartApplyDiscount(), cartRemoveDiscount(), cartSetShipping(), cartValidate(),
		cartClear(), cartHold(), cartResume(), cartListHeld(),
	))
}
