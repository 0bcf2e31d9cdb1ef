package transfer

import (
	"context"
	"database/sql"

	"github.com/deskhand/deskhand/shop/customer"
	"github.com/deskhand/deskhand/shop/internal/core"
	"github.com/deskhand/deskhand/shop/transfer/internal/shopfile"
)

// ofOrders is the condition for the rows of a page of orders.
const ofOrders = ` IN (SELECT value FROM json_each(?))`

func (e *exporting) allOrders(ctx context.Context) error {
	return pages(e, "orders", &e.orders, func(last shopfile.Order) ([]shopfile.Order, error) {
		page, err := e.orderPage(ctx, last.PlacedAt, last.ID)
		if err != nil {
			return nil, err
		}
		return page, e.completeOrders(ctx, page)
	})
}

// orderPage reads the next orders without their dependent rows, oldest first.
func (e *exporting) orderPage(ctx context.Context, at int64, id string) ([]shopfile.Order, error) {
	return core.List(ctx, func(r core.Row) (o shopfile.Order, err error) {
		a := &o.Address
		o.Shipping, o.Total, o.TaxIncluded, o.DiscountAmount = e.money(0), e.money(0), new(bool), e.money(0)
		err = r.Scan(&o.ID, &o.ExportedName, &o.CustomerID, &o.Fulfilment, &o.Status, &o.PlacedAt, &o.PlacedBy,
			&o.ProcessedAt, &o.DeliveredAt,
			&o.CancelledAt, &o.CancelledBy, &o.CancelReason, &o.ItemsChangedAt, &o.Shipping.Amount, &o.Total.Amount,
			o.TaxIncluded, &o.DiscountPercent, &o.DiscountAmount.Amount, &o.DiscountReason,
			&o.ShippingMethod, &o.EstimatedDelivery, &o.GiftMessage, &a.ID, &a.Removed,
			&a.Label, &a.Line1, &a.Line2, &a.City, &a.Region, &a.PostalCode, &a.Country)
		return o, err
	}, `SELECT id, exported_name, COALESCE(customer_id, ''),
		CASE fulfilment WHEN 'deliver' THEN '' ELSE fulfilment END, status,
		placed_at, placed_by, processed_at, delivered_at, cancelled_at, cancelled_by,
		cancel_reason, items_changed_at,
			shipping, total, tax_included, discount_percent, discount_amount, discount_reason,
			shipping_method, estimated_delivery, gift_message,
			address_id, address_id <> '' AND NOT EXISTS (SELECT 1 FROM addresses a WHERE a.id = o.address_id
			AND a.customer_id = o.customer_id),
			address_label, line1, line2, city, region, postal_code, country
		FROM orders o WHERE (placed_at, id) > (?, ?) ORDER BY placed_at, id LIMIT ?`, at, id, core.BatchSize)
}

// removedMethod is the condition that the customer no longer has the method.
const removedMethod = `method_id <> '' AND method_id NOT IN ` + customer.UnsavedIDs + ` AND NOT EXISTS (SELECT 1
	FROM payment_methods m JOIN orders o ON o.customer_id = m.customer_id WHERE m.id = t.method_id AND o.id = t.order_id)`

// completeOrders reads the dependent rows of a page of orders.
func (e *exporting) completeOrders(ctx context.Context, page []shopfile.Order) error {
	ids := core.JSONList(idsOf(page, func(o *shopfile.Order) string { return o.ID }))
	lines := children(ctx, e, func(r core.Row) (id string, l shopfile.Line, err error) {
		l.SKU, l.Label, l.Price, l.Discount, l.Tax = new(string), new(string), e.money(0), e.money(0), e.money(0)
		var discountTax sql.NullInt64
		of := e.money(0)
		l.DiscountAmount = &of
		err = r.Scan(&id, &l.Line, &l.ID, &l.DiscountPercent, &of.Amount, &l.ProductID, &l.VariantID,
			&l.Removed, l.SKU, &l.Name, l.Label, &l.Quantity, &l.Price.Amount,
			&l.Discount.Amount, &l.Tax.Amount, &l.RatePPM, &l.ReturnedBy, &l.Reason, &l.Note, &discountTax)
		if l.DiscountPercent == 0 && of.Amount == l.Discount.Amount {
			l.DiscountAmount = nil
		}
		if discountTax.Valid {
			l.DiscountTax = &shopfile.Money{Amount: discountTax.Int64, Currency: e.money(0).Currency}
		}
		return id, l, err
	}, `SELECT order_id, line, CASE id WHEN variant_id THEN '' ELSE id END, discount_percent, discount_amount, product_id,
		variant_id,
		variant_id <> '' AND NOT EXISTS (SELECT 1 FROM variants v WHERE v.id = l.variant_id), sku,
		name, label, quantity, price, discount, tax, rate_ppm, returned_by, discount_reason, note,
		CASE WHEN discount > 0 AND (SELECT tax_included FROM orders o WHERE o.id = l.order_id) THEN discount_tax END
		FROM order_lines l WHERE order_id`+ofOrders+` ORDER BY order_id, line`, ids)
	taxes := children(ctx, e, func(r core.Row) (id string, t shopfile.Rate, err error) {
		t.Net, t.Tax = e.money(0), e.money(0)
		return id, t, r.Scan(&id, &t.RatePPM, &t.Net.Amount, &t.Tax.Amount)
	}, `SELECT order_id, rate_ppm, net, tax FROM order_shipping WHERE order_id`+ofOrders+`
		ORDER BY order_id, rate_ppm DESC`, ids)
	payments := children(ctx, e, func(r core.Row) (id string, p shopfile.Payment, err error) {
		p.Amount, p.Tendered = e.money(0), e.money(0)
		return id, p, r.Scan(&id, &p.ID, &p.Kind, &p.MethodID, &p.Removed, &p.Label, &p.Amount.Amount,
			&p.Rounding, &p.Tendered.Amount, &p.GivesBack, &p.Time)
	}, `SELECT order_id, id, kind, method_id, `+removedMethod+`, label, amount, rounding, tendered, gives_back,
		at FROM payments t
		WHERE order_id`+ofOrders+` ORDER BY order_id, at, rowid`, ids)
	fulfilments := e.fulfilments(ctx, ids)
	requests := e.requests(ctx, ids)
	notes := e.said(ctx, "order_notes", ids)
	changes := e.said(ctx, "order_changes", ids)
	moves := children(ctx, e, func(r core.Row) (id string, m shopfile.Movement, err error) {
		return id, m, r.Scan(&id, &m.ID, &m.VariantID, &m.Delta, &m.Reason, &m.Note, &m.By, &m.Time)
	}, `SELECT order_id, id, variant_id, delta, reason, note, person, at FROM stock_movements WHERE order_id <> ''
		AND order_id`+ofOrders+` ORDER BY order_id, at, rowid`, ids)
	for i := range page {
		o := &page[i]
		if o.DiscountAmount.Amount == 0 {
			o.DiscountAmount = shopfile.Money{}
		}
		var last int64
		for n := range lines[o.ID] {
			if l := &lines[o.ID][n]; l.Line == last+1 {
				l.Line, last = 0, l.Line
			} else {
				last = l.Line
			}
		}
		o.Lines, o.Payments, o.Fulfilments, o.Requests = lines[o.ID], payments[o.ID], fulfilments[o.ID], requests[o.ID]
		o.ShippingTaxes = taxes[o.ID]
		o.Notes, o.Changes, o.Movements = notes[o.ID], changes[o.ID], some(moves[o.ID])
	}
	return e.err
}

func (e *exporting) fulfilments(ctx context.Context, orders string) map[string][]shopfile.Fulfilment {
	held := children(ctx, e, func(r core.Row) (id, variant string, err error) {
		return id, variant, r.Scan(&id, &variant)
	},
		`SELECT fulfilment_id, variant_id FROM fulfilment_lines WHERE fulfilment_id IN (SELECT id FROM fulfilments
			WHERE order_id`+ofOrders+`) ORDER BY fulfilment_id, variant_id`, orders)
	return children(ctx, e, func(r core.Row) (id string, f shopfile.Fulfilment, err error) {
		err = r.Scan(&id, &f.ID, &f.TrackingID, &f.Time)
		f.VariantIDs = held[f.ID]
		return id, f, err
	}, `SELECT order_id, id, tracking_id, at FROM fulfilments WHERE order_id`+ofOrders+` ORDER BY order_id, at, id`,
		orders)
}

func (e *exporting) requests(ctx context.Context, orders string) map[string][]shopfile.Request {
	lines := children(ctx, e, func(r core.Row) (id string, l shopfile.RequestLine, err error) {
		l.NewPrice = e.money(0)
		return id, l, r.Scan(&id, &l.LineID, &l.VariantID, &l.Quantity, &l.NewVariantID, &l.NewPrice.Amount,
			&l.NewRatePPM, &l.Received)
	}, `SELECT request_id, line_id, variant_id, quantity, new_variant_id, new_price, new_rate_ppm, received
		FROM order_request_lines
		WHERE request_id IN (SELECT id FROM order_requests WHERE order_id`+ofOrders+`) ORDER BY request_id, position`, orders)
	return children(ctx, e, func(r core.Row) (id string, q shopfile.Request, err error) {
		q.Amount = e.money(0)
		err = r.Scan(&id, &q.ID, &q.Kind, &q.Status, &q.RequestedAt, &q.ReceivedAt, &q.MethodID, &q.Removed, &q.MethodLabel,
			&q.Amount.Amount, &q.Restocked, &q.By, &q.Reason)
		q.Lines = lines[q.ID]
		return id, q, err
	}, `SELECT order_id, id, kind, status, requested_at, received_at, method_id, `+removedMethod+`, method_label, amount,
		restocked, person, reason FROM order_requests t
		WHERE order_id`+ofOrders+` ORDER BY order_id, requested_at, rowid`, orders)
}

// said reads the notes or the changes of orders.
func (e *exporting) said(ctx context.Context, table, orders string) map[string][]shopfile.Note {
	return children(ctx, e, func(r core.Row) (id string, n shopfile.Note, err error) {
		return id, n, r.Scan(&id, &n.ID, &n.Text, &n.By, &n.Time)
	}, `SELECT order_id, id, text, person, at FROM `+table+` WHERE order_id`+ofOrders+` ORDER BY order_id, at, rowid`,
		orders)
}
