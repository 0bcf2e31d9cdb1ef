// Package order makes orders of carts (checkout) and leads them through their life: progress, changes, returns,
// exchanges.
package order

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
		checkoutSubmit(), orderSearch(), orderGet(), orderCancel(), orderAddNote(), orderChangeAddress(),
		orderChangePayment(), orderChangeItems(),
		orderProcess(), orderFulfil(), orderDeliver(), orderReturn(), orderReceiveReturn(), orderExchange(),
		orderReceiveExchange(),
	)
}
