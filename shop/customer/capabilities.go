// Package customer holds customers, their addresses and payment methods, and erases them.
package customer

import (
	"context"
	_ "embed"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/shop/internal/core"
)

// EraseRecords deletes what the log holds about one person, as a part of the transaction of ctx, and returns the
// number of records. The terms identify that person and nobody else. nil: nobody can be erased.
type EraseRecords = func(ctx context.Context, terms ...string) (records int, err error)

// texts describes the capabilities and their fields: see bus.Define.
//
//go:embed texts.txt
var texts string

// Capabilities are all of this room.
func Capabilities(erase EraseRecords) []bus.Capability {
	return core.NeedShop(
		customerSearch(), customerCreate(), customerUpdate(), customerErase(erase),
		customerAddAddress(), customerSetAddress(), customerRemoveAddress(), customerAddPaymentMethod(),
		customerRemovePaymentMethod(),
	)
}
