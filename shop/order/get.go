package order

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/shop/customer"
	"github.com/deskhand/deskhand/shop/internal/book"
	"github.com/deskhand/deskhand/shop/internal/core"
)

// Order is an order with all its details.
type Order struct {
	Head
	Lines             []Line            `json:"lines"`
	Subtotal          core.Money        `json:"subtotal"`
	Discount          core.Money        `json:"discount"`
	DiscountReason    string            `json:"discountReason,omitempty"`
	Shipping          core.Money        `json:"shipping"`
	ShippingTax       core.Money        `json:"shippingTax" x:"detail=2"`
	ShippingMethod    string            `json:"shippingMethod,omitempty"`
	Tax               core.Money        `json:"tax"`
	Taxes             []core.Rate       `json:"taxes" doc:"Of lines and shipping, the highest rate first." x:"detail=2"`
	TaxIncluded       bool              `json:"taxIncluded" doc:"The tax is a part of the prices." x:"detail=2"`
	Rounding          *core.Money       `json:"rounding,omitempty" doc:"Of cash: what was paid more than was due."`
	Refunded          *core.Money       `json:"refunded,omitempty" doc:"Given back of the total."`
	Net               *core.Money       `json:"net,omitempty" doc:"What is left of the total after refunds."`
	ShippingAddress   *customer.Address `json:"shippingAddress,omitempty" doc:"As it was when chosen; absent: not sent."`
	EstimatedDelivery string            `json:"estimatedDelivery" jsonschema:"format=date"`
	GiftMessage       string            `json:"giftMessage,omitempty" x:"tainted=true"`
	CancelReason      string            `json:"cancelReason,omitempty"`
	Payments          []Payment         `json:"payments"`
	Receipts          []string          `json:"receipts,omitempty" doc:"Their numbers, the oldest first." x:"detail=1"`
	Fulfilments       []fulfilment      `json:"fulfilments" x:"detail=3"`
	Requests          []request         `json:"requests" doc:"Returns and exchanges."`
	Notes             []note            `json:"notes"`
	Timeline          []moment          `json:"timeline" doc:"What happened, oldest first." x:"detail=1"`
	Actions           []action          `json:"actions" doc:"What can be done with it now, what not and why." x:"detail=2"`

	SavedAddresses      []customer.Address       `json:"savedAddresses" doc:"The default first." x:"detail=2"`
	SavedPaymentMethods []customer.PaymentMethod `json:"savedPaymentMethods" x:"detail=2"`
	Alternatives        []alternative            `json:"alternatives" x:"detail=1"`
}

// alternative is a variant that can replace an item of an order.
type alternative struct {
	ID        string     `json:"id"`
	ProductID string     `json:"productId"`
	Name      string     `json:"name" doc:"Product and options."`
	Price     core.Money `json:"price"`
}

// Line is a line of an order in a response.
type Line struct {
	ID        string     `json:"id" doc:"The same as lineId."`
	LineID    string     `json:"lineId"`
	ProductID string     `json:"productId" x:"detail=2"`
	VariantID string     `json:"variantId" doc:"Empty: an open item."`
	SKU       string     `json:"sku,omitempty" x:"detail=2"`
	Name      string     `json:"name"`
	Label     string     `json:"label,omitempty"`
	Quantity  int64      `json:"quantity"`
	Price     core.Money `json:"price"`
	Discount  core.Money `json:"discount" x:"detail=3"`
	Tax       core.Money `json:"tax" x:"detail=3"`
	Total     core.Money `json:"total" doc:"Price × quantity, before discount and tax."`
	Returned  bool       `json:"returned,omitempty" doc:"It came back and was refunded."`
	Reason    string     `json:"discountReason,omitempty"`
	Note      string     `json:"note,omitempty" x:"tainted=true"`
}

type note struct {
	ID   string `json:"id"`
	Text string `json:"text" x:"tainted=true"`
	By   string `json:"by"`
	At   int64  `json:"at" doc:"Milliseconds since 1970." x:"time=true"`
}

type moment struct {
	At   int64  `json:"at" doc:"Milliseconds since 1970." x:"time=true"`
	Text string `json:"text" x:"personal=true"`
}

type action struct {
	Capability string `json:"capability"`
	Available  bool   `json:"available"`
	Reason     string `json:"reason,omitempty"`
}

func get(ctx context.Context, s *core.Shop, call *bus.Call, in orderIn) (Order, error) {
	head, err := ByID(ctx, s, in.OrderID)
	if err != nil {
		return Order{}, err
	}
	return Load(ctx, s, call, head)
}

// Load reads the details of an order.
func Load(ctx context.Context, s *core.Shop, call *bus.Call, head Head) (Order, error) {
	o, times, err := orderDetails(ctx, s, head)
	if err != nil {
		return o, err
	}
	if o.Lines, err = core.List(ctx, core.Bind(s, scanOrderLine), `SELECT id, product_id, variant_id, sku, name, label,
		 quantity, price, discount, tax, total, returned_by <> '', discount_reason, note
		FROM order_lines WHERE order_id = ? ORDER BY line`, head.ID); err != nil {
		return o, err
	}
	rates, err := core.Rates(ctx, head.ID, true, true)
	if err != nil {
		return o, err
	}
	o.Taxes = s.Rates(rates)
	if o.Payments, err = payments(ctx, s, head.ID); err != nil {
		return o, err
	}
	o.setRefunded(s)
	if o.Receipts, err = book.Numbers(ctx, head.ID); err != nil {
		return o, err
	}
	if o.Fulfilments, err = fulfilments(ctx, head.ID); err != nil {
		return o, err
	}
	if o.Requests, err = requests(ctx, s, head.ID); err != nil {
		return o, err
	}
	if o.Notes, err = core.List(ctx, func(r core.Row) (n note, err error) {
		return n, r.Scan(&n.ID, &n.Text, &n.By, &n.At)
	}, `SELECT n.id, n.text, COALESCE(s.name, n.person), n.at FROM order_notes n LEFT JOIN staff s ON s.id = n.person
		WHERE n.order_id = ? ORDER BY n.at, n.id`, head.ID); err != nil {
		return o, err
	}
	changes, err := core.List(ctx, func(r core.Row) (m moment, err error) { return m, r.Scan(&m.At, &m.Text) },
		`SELECT at, text FROM order_changes WHERE order_id = ? ORDER BY at, rowid`, head.ID)
	if err != nil {
		return o, err
	}
	o.Timeline = o.timeline(times, changes)
	if o.Actions, err = orderActions(ctx, s, head, call.Person); err != nil {
		return o, err
	}
	if err := o.loadSaved(ctx, s); err != nil {
		return o, err
	}
	o.Alternatives, err = alternatives(ctx, s, head)
	return o, err
}

// setRefunded computes the part of the total that was refunded, and the rounding of cash. A payment that another
// payment replaced does not count as a refund.
func (o *Order) setRefunded(s *core.Shop) {
	var paid, back, rounding int64
	for _, p := range o.Payments {
		if p.Kind == "refund" {
			back, rounding = back+p.due(), rounding-p.Amount.Amount+p.due()
		} else {
			paid, rounding = paid+p.due(), rounding+p.Amount.Amount-p.due()
		}
	}
	o.Rounding = s.Rounding(rounding)
	if back = min(back, o.Total.Amount-(paid-back)); back > 0 {
		refunded, net := s.Money(back), s.Money(o.Total.Amount-back)
		o.Refunded, o.Net = &refunded, &net
	}
}

// loadSaved reads the addresses and payment methods that the customer saved, and adds the methods that need no saving,
// such as cash.
func (o *Order) loadSaved(ctx context.Context, s *core.Shop) (err error) {
	o.SavedAddresses = []customer.Address{}
	if o.Customer != nil {
		if o.SavedAddresses, err = customer.Addresses(ctx, o.Customer.ID); err != nil {
			return err
		}
		if o.SavedPaymentMethods, err = customer.Methods(ctx, s, o.Customer.ID); err != nil {
			return err
		}
	}
	o.SavedPaymentMethods = append(o.SavedPaymentMethods, customer.Unsaved()...)
	return nil
}

// milestones holds the times of the state changes of an order in Unix milliseconds; 0 means not yet.
type milestones struct{ processed, delivered, cancelled int64 }

func orderDetails(ctx context.Context, s *core.Shop, head Head) (Order, milestones, error) {
	o := Order{Head: head}
	var m milestones
	_, _, err := core.Find(ctx, func(r core.Row) (struct{}, error) {
		var subtotal, discount, shipping, shippingTax, tax int64
		var a customer.Address
		err := r.Scan(&subtotal, &discount, &shipping, &shippingTax, &tax, &o.TaxIncluded, &o.DiscountReason,
			&o.ShippingMethod,
			&o.EstimatedDelivery, &o.GiftMessage, &o.CancelReason, &m.processed, &m.delivered, &m.cancelled,
			&a.ID, &a.Label, &a.Line1, &a.Line2, &a.City, &a.Region, &a.PostalCode, &a.Country)
		if a.Text = a.Line(); o.Fulfilment == core.Deliver {
			o.ShippingAddress = &a
		}
		o.Subtotal, o.Discount, o.Shipping, o.Tax = s.Money(subtotal), s.Money(discount), s.Money(shipping), s.Money(tax)
		o.ShippingTax = s.Money(shippingTax)
		return struct{}{}, err
	}, `SELECT subtotal, discount, shipping, shipping_tax, tax, tax_included, discount_reason, shipping_method,
		estimated_delivery,
		gift_message, cancel_reason,
		processed_at, delivered_at, cancelled_at, address_id, address_label, line1, line2, city, region, postal_code, country
		FROM orders WHERE id = ?`, head.ID)
	return o, m, err
}

func scanOrderLine(s *core.Shop, r core.Row) (Line, error) {
	var l Line
	var price, discount, tax, total int64
	err := r.Scan(&l.ID, &l.ProductID, &l.VariantID, &l.SKU, &l.Name, &l.Label, &l.Quantity, &price, &discount, &tax,
		&total, &l.Returned, &l.Reason, &l.Note)
	l.LineID = l.ID
	l.Price, l.Discount, l.Tax, l.Total = s.Money(price), s.Money(discount), s.Money(tax), s.Money(total)
	return l, err
}

func (o *Order) timeline(m milestones, changes []moment) []moment {
	var all []moment
	add := func(at int64, format string, args ...any) {
		if at > 0 {
			all = append(all, moment{at, fmt.Sprintf(format, args...)})
		}
	}
	add(o.PlacedAt, "Placed")
	all = append(all, changes...)
	for _, p := range o.Payments {
		if p.Kind == "refund" {
			add(p.At, "Refund of %s to %s recorded", p.Amount, customer.LabelText(p.Label))
		} else {
			add(p.At, "Payment of %s by %s recorded", p.Amount, customer.LabelText(p.Label))
		}
	}
	add(m.processed, "Packed")
	for _, f := range o.Fulfilments {
		add(f.At, "Shipped %s", f.TrackingID)
	}
	if o.Fulfilment == core.TakeAway {
		add(m.delivered, "Taken along")
	} else {
		add(m.delivered, "Delivered")
	}
	add(m.cancelled, "Cancelled: %s", o.CancelReason)
	for _, n := range o.Notes {
		add(n.At, "Note by %s", n.By)
	}
	slices.SortStableFunc(all, func(a, b moment) int { return cmp.Compare(a.At, b.At) })
	return all
}
