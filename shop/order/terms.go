package order

import (
	"context"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/shop/customer"
	"github.com/deskhand/deskhand/shop/internal/core"
)

type changeAddressIn struct {
	orderIn
	AddressID string              `json:"addressId,omitempty" jsonschema:"maxLength=100"`
	Address   *customer.AddressIn `json:"address,omitempty" doc:"Another address, for this order only."`
}

type changeAddressOut struct {
	OrderID         string           `json:"orderId"`
	ShippingAddress customer.Address `json:"shippingAddress"`
}

func changeAddress(ctx context.Context, _ *core.Shop, call *bus.Call, o Head, in changeAddressIn) (out changeAddressOut,
	err error) {
	var to customer.Address
	switch {
	case (in.AddressID == "") == (in.Address == nil):
		return out, core.Invalid("/addressId", "Give either a saved address or a new one.")
	case in.Address != nil:
		given, err := in.Address.Clean("/address")
		if err != nil {
			return out, err
		}
		to = given.Address()
	default:
		if to, err = customer.AddressOf(ctx, o.Customer, in.AddressID); err != nil {
			return out, err
		}
	}
	if err := core.Exec(ctx, `UPDATE orders SET address_id = ?, address_label = ?, line1 = ?, line2 = ?, city = ?,
		region = ?, postal_code = ?, country = ? WHERE id = ?`,
		to.ID, to.Label, to.Line1, to.Line2, to.City, to.Region, to.PostalCode, to.Country, o.ID); err != nil {
		return out, err
	}
	if err := core.RefoldOrder(ctx, o.ID); err != nil {
		return out, err
	}
	call.Summarize("Send order %s of %s to %s", o.ID, o.Buyer(), to.Short())
	o.changed(call, "Order %s of %s goes to another address.")
	return changeAddressOut{o.ID, to}, tell(ctx, call, o.ID, "Address changed to "+to.Short())
}

type changePaymentIn struct {
	orderIn
	PaymentMethodID string `json:"paymentMethodId" jsonschema:"minLength=1,maxLength=100"`
}

type changePaymentOut struct {
	OrderID string   `json:"orderId"`
	Paid    refund   `json:"paid" doc:"Recorded, not transferred."`
	Refunds []refund `json:"refunds" doc:"Recorded, not transferred."`
}

func changePayment(ctx context.Context, s *core.Shop, call *bus.Call, o Head, in changePaymentIn) (out changePaymentOut,
	err error) {
	to, err := customer.MethodOf(ctx, s, o.Customer, in.PaymentMethodID)
	if err != nil {
		return out, err
	}
	if out.Refunds, err = refundAll(ctx, s, call, o.ID); err != nil {
		return out, err
	}
	if len(out.Refunds) == 1 && out.Refunds[0].PaymentMethodID == to.ID {
		return out, core.Refused("Order %s is paid by %s already.", o.ID, to.Label).
			WithHint("Choose another payment method; customer.get lists them.")
	}
	// Again: what a gift card paid of this order is back on it.
	if to, err = customer.MethodOf(ctx, s, o.Customer, in.PaymentMethodID); err != nil {
		return out, err
	}
	if err := covers(s, to, o.Total.Amount); err != nil {
		return out, err
	}
	if err := pay(ctx, call, o.ID, to, o.Total.Amount); err != nil {
		return out, err
	}
	out.OrderID, out.Paid = o.ID, refund{to.ID, to.Label, o.Total}
	call.Summarize("Pay order %s of %s, %s, by %s and refund %s", o.ID, o.Buyer(), o.Total.Text, to.Label,
		refundWords(out.Refunds))
	if r := out.Refunds; len(r) == 1 {
		call.Summarize("Pay order %s of %s, %s, by %s and refund %s to %s", o.ID, o.Buyer(), o.Total.Text, to.Label,
			r[0].Amount.Text, r[0].Label)
	}
	r := billOf(s, call)
	r.sum(o.Total.Amount, "Total")
	r.about("/paymentMethodId", to.Label, "Paid by")
	for _, f := range out.Refunds {
		r.about("", f.Amount.Text+", "+f.Label, "Refund to")
	}
	o.changed(call, "Order %s of %s is paid by %s.", to.Label)
	return out, tell(ctx, call, o.ID, "Payment changed to "+to.Label)
}
