package transfer

import (
	"cmp"
	"slices"
	"time"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/shop/catalog"
	"github.com/deskhand/deskhand/shop/customer"
	"github.com/deskhand/deskhand/shop/internal/core"
	"github.com/deskhand/deskhand/shop/internal/text"
	"github.com/deskhand/deskhand/shop/order"
	"github.com/deskhand/deskhand/shop/transfer/internal/shopfile"
)

// fileOrder is an order of a file during its import.
type fileOrder struct {
	*importing
	at       shopfile.Place
	o        *shopfile.Order
	customer string            // customer's name
	methods  map[string]string // labels of the customer's methods that were already looked up, by id
	included bool              // whether prices include tax
	sums     core.Sums
}

// Order implements [shopfile.Visitor].
func (im *importing) Order(at shopfile.Place, o *shopfile.Order) error {
	in := &fileOrder{importing: im, at: at, o: o, included: im.shop.PricesIncludeTax}
	if o.TaxIncluded != nil {
		in.included = *o.TaxIncluded
	}
	for _, step := range []func() error{in.buyer, in.lineNames, in.check, in.head, in.rows, in.moved} {
		if err := step(); err != nil {
			return err
		}
	}
	im.orders++
	im.progress("orders", im.orders)
	return nil
}

// buyer finds the customer and checks the order's reference to an address.
func (in *fileOrder) buyer() error {
	o, found := in.o, false
	var err error
	in.methods = map[string]string{}
	for _, m := range customer.Unsaved() {
		in.methods[m.ID] = m.Label
	}
	o.Fulfilment = cmp.Or(o.Fulfilment, core.Deliver)
	if o.CustomerID == "" {
		if o.Fulfilment == core.Deliver {
			return in.at.Refuse("/customerId", "An order that is delivered has a customer.")
		}
		return nil
	}
	if in.customer, found, err = core.Find(in.ctx, core.ScanText, `SELECT name FROM customers
		WHERE id = ?`, o.CustomerID); err != nil {
		return err
	}
	if !found {
		return in.at.Refuse("/customerId", "There is no customer %q.", o.CustomerID)
	}
	if o.Address.ID == "" {
		return nil
	}
	own, err := core.Exists(in.ctx, `SELECT 1 FROM addresses WHERE id = ? AND customer_id = ?`, o.Address.ID, o.CustomerID)
	if err == nil && own == o.Address.Removed {
		return in.at.Refuse("/address/id", "%s", reference(own, "The customer", "address", o.Address.ID))
	}
	return err
}

// reference explains the error of an invalid reference.
func reference(there bool, who, what, id string) bus.Text {
	if there {
		return bus.Textf("%s has the %s %q, which is said to be removed.", bus.Phrase(who), bus.Phrase(what), id)
	}
	return bus.Textf("%s has no %s %q.", bus.Phrase(who), bus.Phrase(what), id)
}

// method checks that a payment method belongs to the customer or is marked as removed. It queries one method at a time,
// because the rows of a Query stay in memory until the call ends, and a file may contain very many orders.
func (in *fileOrder) method(pointer, id string, removed bool) error {
	_, own := in.methods[id]
	if !own {
		var label string
		var err error
		label, own, err = core.Find(in.ctx, func(r core.Row) (string, error) {
			var kind, brand, lastFour string
			err := r.Scan(&kind, &brand, &lastFour)
			return customer.MethodLabel(kind, brand, lastFour), err
		}, `SELECT kind, brand, last_four FROM payment_methods WHERE id = ? AND customer_id = ?`, id, in.o.CustomerID)
		if err != nil {
			return err
		}
		if own {
			in.methods[id] = label
		}
	}
	if own == removed {
		return in.at.Refuse(pointer, "%s", reference(own, "The customer", "payment method", id))
	}
	return nil
}

// lineNames finds the variants of the lines and fills in names from the catalog that the file omits.
func (in *fileOrder) lineNames() error {
	type sold struct {
		product, name, sku string
		names, values      [3]string
	}
	for i := range in.o.Lines {
		l := &in.o.Lines[i]
		if l.VariantID == "" {
			if l.Name == "" || l.ProductID != "" {
				return in.at.Refuse(item("/lines", i, "/name"), "An open item has a name and no product.")
			}
			l.SKU, l.Label = cmp.Or(l.SKU, new(string)), cmp.Or(l.Label, new(string))
			continue
		}
		s, found, err := core.Find(in.ctx, func(r core.Row) (s sold, err error) {
			return s, r.Scan(&s.product, &s.name, &s.sku, &s.names[0], &s.names[1], &s.names[2], &s.values[0], &s.values[1],
				&s.values[2])
		}, `SELECT p.id, p.name, v.sku, p.option1, p.option2, p.option3, v.option1, v.option2, v.option3 FROM variants v
			JOIN products p ON p.id = v.product_id WHERE v.id = ?`, l.VariantID)
		if err != nil {
			return err
		}
		if found == l.Removed {
			return in.at.Refuse(item("/lines", i, "/variantId"), "%s", reference(found, "The catalog", "variant", l.VariantID))
		}
		if found && l.ProductID != "" && l.ProductID != s.product {
			return in.at.Refuse(item("/lines", i, "/productId"), "The variant %q is one of the product %q.", l.VariantID,
				s.product)
		}
		l.Name = cmp.Or(l.Name, s.name)
		l.ProductID = cmp.Or(l.ProductID, s.product)
		l.SKU = cmp.Or(l.SKU, &s.sku)
		if l.Label == nil {
			_, label := catalog.PairOptions(s.names, s.values)
			l.Label = &label
		}
	}
	return nil
}

func (in *fileOrder) head() error {
	o, s, a := in.o, &in.sums, &in.o.Address
	words := []string{o.ID, o.ExportedName, in.customer, core.Place(a.Line1, a.PostalCode)}
	for i := range o.Lines {
		words = append(words, o.Lines[i].Name, *o.Lines[i].SKU)
	}
	if o.EstimatedDelivery == "" {
		o.EstimatedDelivery = in.shop.Day(time.UnixMilli(o.PlacedAt))
	} else if _, err := time.Parse(time.DateOnly, o.EstimatedDelivery); err != nil {
		return in.at.Refuse("/estimatedDelivery", "There is no day %s.", o.EstimatedDelivery)
	}
	in.insert(in.at.Refuse("/id", "The order %s, or one of its exported name, stands twice in the file.", o.ID),
		`orders (id, exported_name, customer_id, fulfilment, status, placed_at, placed_by, processed_at,
			delivered_at, cancelled_at,
			cancelled_by, cancel_reason, items_changed_at, subtotal, discount, discount_percent, discount_amount,
			discount_tax, shipping, shipping_tax, tax, total,
			tax_included, discount_reason, shipping_method, estimated_delivery, gift_message, address_id, address_label,
			line1, line2, city, region, postal_code, country, name_fold, search_fold)`,
		o.ID, o.ExportedName, core.OrNull(o.CustomerID), o.Fulfilment, o.Status, o.PlacedAt, o.PlacedBy, o.ProcessedAt,
		o.DeliveredAt, o.CancelledAt, o.CancelledBy, o.CancelReason, o.ItemsChangedAt, s.Subtotal, s.Discount,
		o.DiscountPercent, o.DiscountAmount.Amount, s.DiscountTax, s.Shipping, s.ShippingTax, s.Tax, s.Total,
		core.Bit(in.included), o.DiscountReason, o.ShippingMethod, o.EstimatedDelivery, o.GiftMessage, a.ID, a.Label, a.Line1,
		a.Line2, a.City, a.Region, a.PostalCode, a.Country, text.Fold(o.ID, o.ExportedName, in.customer), text.Fold(words...))
	return in.err
}

// rows writes the dependent rows of the order except movements.
func (in *fileOrder) rows() error {
	in.note(order.InsertShipping(in.ctx, in.o.ID, in.sums.ShippingRates))
	in.lines()
	in.payments()
	in.parcels()
	in.asked()
	in.said()
	return in.err
}

func (in *fileOrder) lines() {
	taken, last := map[string]bool{}, int64(0)
	for i := range in.o.Lines {
		l := &in.o.Lines[i]
		l.Line = cmp.Or(l.Line, last+1)
		if last >= l.Line {
			in.note(in.at.Refuse(item("/lines", i, "/line"), "The numbers of the lines do not rise."))
		}
		last = l.Line
		id := core.FreeID(cmp.Or(l.ID, l.VariantID, "line"), func(id string) bool { return taken[id] })
		if taken[id] = true; l.ID != "" && id != l.ID {
			in.note(in.at.Refuse(item("/lines", i, "/id"), "Another line has the id %q.", l.ID))
		}
		amount := l.Discount.Amount
		if l.DiscountAmount != nil {
			amount = l.DiscountAmount.Amount
		}
		in.note(core.Insert(in.ctx, `order_lines (order_id, line, id, product_id, variant_id, sku, name, label, quantity,
			price, discount, tax, total, returned_by, rate_ppm, discount_reason, note, discount_tax, discount_percent,
			discount_amount)`, in.o.ID, l.Line, id, l.ProductID,
			l.VariantID, *l.SKU, l.Name, *l.Label, l.Quantity, l.Price.Amount,
			l.Discount.Amount, l.Tax.Amount, l.Price.Amount*l.Quantity,
			l.ReturnedBy, l.RatePPM, l.Reason, l.Note, l.DiscountTax.Amount, l.DiscountPercent, amount))
	}
}

func (in *fileOrder) payments() {
	for i := range in.o.Payments {
		p := &in.o.Payments[i]
		p.Label = cmp.Or(p.Label, in.methods[p.MethodID])
		in.insert(twice(in.at, item("/payments", i, "/id"), p.ID),
			`payments (id, order_id, kind, method_id, label, amount, rounding, tendered, gives_back, at)`, in.id(p.ID, "pay"),
			in.o.ID, p.Kind, p.MethodID, p.Label, p.Amount.Amount, p.Rounding, p.Tendered.Amount, p.GivesBack, p.Time)
	}
}

func (in *fileOrder) parcels() {
	for i := range in.o.Fulfilments {
		f := &in.o.Fulfilments[i]
		id := in.id(f.ID, "ful")
		in.insert(twice(in.at, item("/fulfilments", i, "/id"), f.ID), `fulfilments (id, order_id, tracking_id, at)`,
			id, in.o.ID, f.TrackingID, f.Time)
		for n, variant := range f.VariantIDs {
			in.note(in.sold(item("/fulfilments", i, item("/variantIds", n, "")), variant))
			in.note(core.Insert(in.ctx, `fulfilment_lines (fulfilment_id, variant_id)`, id, variant))
		}
	}
}

// sold checks that an id belongs to a line of this order or to a variant of the order or the catalog.
func (in *fileOrder) sold(pointer, variant string) error {
	if slices.ContainsFunc(in.o.Lines, func(l shopfile.Line) bool { return l.VariantID == variant || l.ID == variant }) {
		return nil
	}
	return in.stocked(pointer, variant)
}

// stocked checks that a variant is in the catalog.
func (in *fileOrder) stocked(pointer, variant string) error {
	return core.Need(in.ctx, in.at.Refuse(pointer, "%s", reference(false, "The catalog", "variant", variant)),
		`SELECT 1 FROM variants WHERE id = ?`, variant)
}

func (in *fileOrder) asked() {
	for i := range in.o.Requests {
		q := &in.o.Requests[i]
		in.insert(twice(in.at, item("/requests", i, "/id"), q.ID), `order_requests (id, order_id, kind, status,
			requested_at, received_at, method_id, method_label, amount, restocked, person, reason)`,
			q.ID, in.o.ID, q.Kind, q.Status, q.RequestedAt, q.ReceivedAt, q.MethodID,
			q.MethodLabel, q.Amount.Amount, core.Bit(q.Restocked), q.By, q.Reason)
		for n, l := range q.Lines {
			in.note(core.Insert(in.ctx, `order_request_lines (request_id, position, line_id, variant_id, quantity,
				new_variant_id, new_price, new_rate_ppm, received)`,
				q.ID, n+1, l.LineID, l.VariantID, l.Quantity, l.NewVariantID, l.NewPrice.Amount, l.NewRatePPM, l.Received))
		}
	}
}

func (in *fileOrder) said() {
	for _, of := range []struct {
		list, into, prefix string
		all                []shopfile.Note
	}{
		{"/notes", `order_notes (id, order_id, text, person, at)`, "note", in.o.Notes},
		{"/changes", `order_changes (id, order_id, text, person, at)`, "chg", in.o.Changes},
	} {
		for i, n := range of.all {
			in.insert(twice(in.at, item(of.list, i, "/id"), n.ID), of.into, in.id(n.ID, of.prefix), in.o.ID, n.Text, n.By,
				n.Time)
		}
	}
}

// moved writes the movements of the order: the ones in the file, or the ones that follow from its lines.
func (in *fileOrder) moved() error {
	o := in.o
	if o.Movements != nil {
		for i := range *o.Movements {
			in.note(in.stocked(item("/movements", i, "/variantId"), (*o.Movements)[i].VariantID))
		}
		in.movements(in.at, *o.Movements, o.ID)
		return in.err
	}
	var all []shopfile.Movement
	for i := range o.Lines {
		l := &o.Lines[i]
		counted, err := core.Exists(in.ctx, `SELECT 1 FROM variants WHERE id = ? AND stock IS NOT NULL`, l.VariantID)
		if err != nil {
			return err
		}
		if !counted {
			continue
		}
		all = append(all, shopfile.Movement{VariantID: l.VariantID, Delta: -l.Quantity, Reason: "sale", By: o.PlacedBy,
			Time: o.PlacedAt})
		switch {
		case o.Status == order.StatusCancelled:
			all = append(all, shopfile.Movement{VariantID: l.VariantID, Delta: l.Quantity, Reason: "cancellation",
				By: o.CancelledBy, Time: o.CancelledAt})
		case l.ReturnedBy != "":
			if q := in.request(l.ReturnedBy); q.Restocked {
				all = append(all, shopfile.Movement{VariantID: l.VariantID, Delta: l.Quantity, Reason: q.Kind, By: q.By,
					Time: q.ReceivedAt})
			}
		}
	}
	in.movements(in.at, all, o.ID)
	return in.err
}

// request returns a request of the order. The caller knows that it exists.
func (in *fileOrder) request(id string) *shopfile.Request {
	for i := range in.o.Requests {
		if in.o.Requests[i].ID == id {
			return &in.o.Requests[i]
		}
	}
	return &shopfile.Request{}
}
