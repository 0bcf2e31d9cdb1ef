package shop

import (
	"context"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/shop/customer"
	"github.com/deskhand/deskhand/shop/internal/core"
	"github.com/deskhand/deskhand/shop/order"
)

type customerGetIn struct {
	CustomerID string `json:"customerId" jsonschema:"minLength=1,maxLength=100" x:"entity=customer"`
}

type customerGetOut struct {
	customer.Customer
	Addresses      []customer.Address       `json:"addresses"`
	PaymentMethods []customer.PaymentMethod `json:"paymentMethods"`
	Notes          []customer.Note          `json:"notes" doc:"The last 50, newest first."`
	Orders         []order.Head             `json:"orders" doc:"The last 50, newest first." x:"detail=2"`
}

func customerGet(ctx context.Context, s *core.Shop, _ *bus.Call, in customerGetIn) (out customerGetOut, err error) {
	if out.Customer, err = customer.ByID(ctx, in.CustomerID); err != nil {
		return out, err
	}
	if out.Addresses, err = customer.Addresses(ctx, in.CustomerID); err != nil {
		return out, err
	}
	if out.PaymentMethods, err = customer.Methods(ctx, s, in.CustomerID); err != nil {
		return out, err
	}
	if out.Notes, err = customer.Notes(ctx, in.CustomerID); err != nil {
		return out, err
	}
	out.Orders, err = core.List(ctx, core.Bind(s, order.ScanHead), `SELECT `+order.HeadColumns+` WHERE o.customer_id = ?
		ORDER BY o.placed_at DESC, o.id DESC LIMIT 50`, in.CustomerID)
	return out, err
}
