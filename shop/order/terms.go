package order

import (
	"context"
	"slices"

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
	return changeAddressOut{o.ID, to}, recordChange(ctx, call, o.ID, "Address changed to "+to.Short())
}

type changePaymentIn struct {
	orderIn
	PaymentMethodID string `json:"paymentMethodId" jsonschema:"minLength=1,maxLength=100"`
	PaymentID       string `json:"paymentId,omitempty" jsonschema:"maxLength=100"`
}

type changePaymentOut struct {
	OrderID string         `json:"orderId"`
	Paid    methodAmount   `json:"paid" doc:"Recorded, not transferred."`
	Refunds []methodAmount `json:"refunds" doc:"Recorded, not transferred."`
	receiptOut
}

// paymentOf returns the payment to change. When there are several, the call must name one.
func paymentOf(ctx context.Context, s *core.Shop, o Head, id string) (p methodAmount, err error) {
	all, err := unrefundedPayments(ctx, s, o.ID)
	if err != nil {
		return p, err
	}
	i := slices.IndexFunc(all, func(p methodAmount) bool { return p.of == id })
	switch {
	case id == "" && len(all) == 1:
		return all[0], nil
	case i >= 0:
		return all[i], nil
	case id != "":
		return p, core.Refused("Order %s has no payment %q that was not given back.", o.ID, id).
			WithHint("order.get lists its payments.")
	}
	var options []bus.Option
	for _, p := range all {
		options = append(options, bus.Option{Value: p.of, Title: p.Amount.Text + ", " + p.Label})
	}
	words := listed(all, func(p methodAmount) bus.Text {
		return bus.Textf("%s by %s", p.Amount, customer.LabelText(p.Label))
	})
	return p, core.Refused("Order %s has several payments: %s.", o.ID, words).WithHint("Choose one of them.").
		WithChoice("paymentId", options...)
}

func changePayment(ctx context.Context, s *core.Shop, call *bus.Call, o Head, in changePaymentIn) (out changePaymentOut,
	err error) {
	to, err := customer.MethodOf(ctx, s, o.Customer, in.PaymentMethodID)
	if err != nil {
		return out, err
	}
	was, err := paymentOf(ctx, s, o, in.PaymentID)
	if err != nil {
		return out, err
	}
	from := customer.LabelText(was.Label)
	if was.PaymentMethodID == to.ID {
		return out, core.Refused("Order %s is paid by %s already.", o.ID, from).
			WithHint("Choose another payment method; customer.get lists them.")
	}
	if err := covers(s, to, was.due); err != nil {
		return out, err
	}
	out = changePaymentOut{OrderID: o.ID, Paid: moneyOf(s, to.ID, to.Label, was.due, ""), Refunds: []methodAmount{was}}
	if err := refundEach(ctx, call, o.ID, out.Refunds); err != nil {
		return out, err
	}
	if err := record(ctx, call, "payment", o.ID, out.Paid); err != nil {
		return out, err
	}
	call.Summarize("Pay order %s of %s, %s, by %s and refund %s to %s", o.ID, o.Buyer(), out.Paid.Amount,
		customer.LabelText(to.Label), was.Amount, from)
	call.Fact("amount", s.MoneyFact(was.due))
	r := billOf(s, call)
	r.sum(was.due, "Total")
	r.about("/paymentMethodId", to.Label, "Paid by")
	r.about("/paymentId", was.Amount.Text+", "+was.Label, "Refund to")
	o.changed(call, "Order %s of %s is paid by %s.", customer.LabelText(to.Label))
	return out, recordChange(ctx, call, o.ID, "Payment changed to "+to.Label)
}
