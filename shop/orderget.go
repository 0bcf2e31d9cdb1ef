package shop

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/deskhand/deskhand/bus"
)

// order is an order with everything that belongs to it.
type order struct {
	orderHead
	Lines             []orderLine  `json:"lines"`
	Subtotal          Money        `json:"subtotal"`
	Discount          Money        `json:"discount"`
	DiscountReason    string       `json:"discountReason,omitempty"`
	Shipping          Money        `json:"shipping"`
	ShippingMethod    string       `json:"shippingMethod,omitempty"`
	Tax               Money        `json:"tax"`
	ShippingAddress   address      `json:"shippingAddress" jsonschema_description:"As it was when it was chosen."`
	EstimatedDelivery string       `json:"estimatedDelivery" jsonschema:"format=date"`
	GiftMessage       string       `json:"giftMessage,omitempty" jsonschema_extras:"x-tainted=true"`
	CancelReason      string       `json:"cancelReason,omitempty"`
	Payments          []payment    `json:"payments"`
	Fulfilments       []fulfilment `json:"fulfilments"`
	Requests          []request    `json:"requests" jsonschema_description:"Returns and exchanges."`
	Notes             []note       `json:"notes"`
	Timeline          []moment     `json:"timeline" jsonschema_description:"What happened, oldest first."`
	Actions           []action     `json:"actions"`

	SavedAddresses      []address       `json:"savedAddresses"`
	SavedPaymentMethods []paymentMethod `json:"savedPaymentMethods"`
	Alternatives        []alternative   `json:"alternatives"`
}

func (order) DescribeFields() map[string]string {
	return map[string]string{
		"actions":             "What can be done with this order now, and what not and why.",
		"savedAddresses":      "Of the customer, the default first.",
		"savedPaymentMethods": "Of the customer, the default first, cash last.",
		"alternatives":        "What the items can be changed to or exchanged for.",
	}
}

// alternative is a variant that an item of an order could become.
type alternative struct {
	ID        string `json:"id"`
	ProductID string `json:"productId"`
	Name      string `json:"name" jsonschema_description:"Product and options."`
	Price     Money  `json:"price"`
}

type orderLine struct {
	ID        string `json:"id" jsonschema_description:"The variant."`
	ProductID string `json:"productId"`
	VariantID string `json:"variantId"`
	SKU       string `json:"sku,omitempty"`
	Name      string `json:"name"`
	Label     string `json:"label,omitempty"`
	Quantity  int64  `json:"quantity"`
	Price     Money  `json:"price"`
	Discount  Money  `json:"discount"`
	Tax       Money  `json:"tax"`
	Total     Money  `json:"total" jsonschema_description:"Price × quantity, before discount and tax."`
	Returned  bool   `json:"returned,omitempty" jsonschema_description:"It came back and was refunded."`
}

type note struct {
	ID   string `json:"id"`
	Text string `json:"text" jsonschema_extras:"x-tainted=true"`
	By   string `json:"by"`
	At   int64  `json:"at" jsonschema_description:"Milliseconds since 1970."`
}

type moment struct {
	At   int64  `json:"at" jsonschema_description:"Milliseconds since 1970."`
	Text string `json:"text" jsonschema_extras:"x-personal=true"`
}

type action struct {
	Capability string `json:"capability"`
	Available  bool   `json:"available"`
	Reason     string `json:"reason,omitempty"`
}

type orderGetIn struct {
	OrderID string `json:"orderId" jsonschema:"minLength=1,maxLength=40" jsonschema_extras:"x-lookup=order.search#/orders"`
}

func (orderGetIn) DescribeFields() map[string]string {
	return map[string]string{"orderId": "For example #W1234567."}
}

func orderGet() bus.Capability {
	return bus.Define(bus.Capability{
		Name: "order.get", Title: "Show an order", Category: "order", Type: bus.TypeData,
		Description: "Shows one order: lines, address, payments and refunds, shipments, notes, what happened when, and what can be done with it now. " +
			"Use it before changing an order or to answer where it is. It does not change anything.",
		SideEffect: bus.Pure, Permissions: []string{"order:read"}, Access: agentMay, Resources: read,
	}, func(ctx context.Context, call *bus.Call, in orderGetIn) (order, error) {
		s, err := loadShop(ctx)
		if err != nil {
			return order{}, err
		}
		head, err := s.orderByID(ctx, in.OrderID)
		if err != nil {
			return order{}, err
		}
		return s.wholeOrder(ctx, call, head)
	})
}

func (s *deskShop) wholeOrder(ctx context.Context, call *bus.Call, head orderHead) (order, error) {
	o, times, err := s.orderDetails(ctx, head)
	if err != nil {
		return o, err
	}
	if o.Lines, err = list(ctx, s.scanOrderLine, `SELECT variant_id, product_id, variant_id, sku, name, label, quantity, price, discount, tax, total, returned_by <> ''
		FROM order_lines WHERE order_id = ? ORDER BY line`, head.ID); err != nil {
		return o, err
	}
	if o.Payments, err = s.payments(ctx, head.ID); err != nil {
		return o, err
	}
	if o.Fulfilments, err = fulfilments(ctx, head.ID); err != nil {
		return o, err
	}
	if o.Requests, err = s.requests(ctx, head.ID); err != nil {
		return o, err
	}
	if o.Notes, err = list(ctx, func(r row) (n note, err error) { return n, r.Scan(&n.ID, &n.Text, &n.By, &n.At) },
		`SELECT n.id, n.text, COALESCE(s.name, n.person), n.at FROM order_notes n LEFT JOIN staff s ON s.id = n.person WHERE n.order_id = ? ORDER BY n.at, n.id`, head.ID); err != nil {
		return o, err
	}
	changes, err := list(ctx, func(r row) (m moment, err error) { return m, r.Scan(&m.At, &m.Text) },
		`SELECT at, text FROM order_changes WHERE order_id = ? ORDER BY at, rowid`, head.ID)
	if err != nil {
		return o, err
	}
	o.Timeline = o.timeline(times, changes)
	joined, err := couldBeJoined(ctx, call.Person, scopeRefund)
	if err != nil {
		return o, err
	}
	o.Actions = s.orderActions(head, call.Person, joined)
	if o.SavedAddresses, err = addresses(ctx, head.Customer.ID); err != nil {
		return o, err
	}
	if o.SavedPaymentMethods, err = s.methods(ctx, head.Customer.ID); err != nil {
		return o, err
	}
	o.SavedPaymentMethods = append(o.SavedPaymentMethods, cash())
	o.Alternatives, err = s.alternatives(ctx, head)
	return o, err
}

// milestones are when an order changed its state; 0 is not yet.
type milestones struct{ processed, delivered, cancelled int64 }

func (s *deskShop) orderDetails(ctx context.Context, head orderHead) (order, milestones, error) {
	o := order{orderHead: head}
	var m milestones
	_, _, err := find(ctx, func(r row) (struct{}, error) {
		var subtotal, discount, shipping, tax int64
		a := &o.ShippingAddress
		err := r.Scan(&subtotal, &discount, &shipping, &tax, &o.DiscountReason, &o.ShippingMethod, &o.EstimatedDelivery, &o.GiftMessage, &o.CancelReason,
			&m.processed, &m.delivered, &m.cancelled, &a.ID, &a.Label, &a.Line1, &a.Line2, &a.City, &a.Region, &a.PostalCode, &a.Country)
		a.Text = a.line()
		o.Subtotal, o.Discount, o.Shipping, o.Tax = s.money(subtotal), s.money(discount), s.money(shipping), s.money(tax)
		return struct{}{}, err
	}, `SELECT subtotal, discount, shipping, tax, discount_reason, shipping_method, estimated_delivery, gift_message, cancel_reason,
		processed_at, delivered_at, cancelled_at, address_id, address_label, line1, line2, city, region, postal_code, country FROM orders WHERE id = ?`, head.ID)
	return o, m, err
}

func (s *deskShop) scanOrderLine(r row) (orderLine, error) {
	var l orderLine
	var price, discount, tax, total int64
	err := r.Scan(&l.ID, &l.ProductID, &l.VariantID, &l.SKU, &l.Name, &l.Label, &l.Quantity, &price, &discount, &tax, &total, &l.Returned)
	l.Price, l.Discount, l.Tax, l.Total = s.money(price), s.money(discount), s.money(tax), s.money(total)
	return l, err
}

func (o *order) timeline(m milestones, changes []moment) []moment {
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
			add(p.At, "Refund of %s to %s recorded", p.Amount.Text, p.Label)
		} else {
			add(p.At, "Payment of %s by %s recorded", p.Amount.Text, p.Label)
		}
	}
	add(m.processed, "Processed")
	for _, f := range o.Fulfilments {
		add(f.At, "Shipped %s", f.TrackingID)
	}
	add(m.delivered, "Delivered")
	add(m.cancelled, "Cancelled: %s", o.CancelReason)
	for _, n := range o.Notes {
		add(n.At, "Note by %s", n.By)
	}
	slices.SortStableFunc(all, func(a, b moment) int { return cmp.Compare(a.At, b.At) })
	return all
}
