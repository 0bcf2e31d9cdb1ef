package book

import (
	"context"

	"github.com/deskhand/deskhand/shop/internal/core"
)

// Numbers returns the receipt numbers of an order, oldest first.
func Numbers(ctx context.Context, orderID string) ([]string, error) {
	return core.List(ctx, core.ScanText, `SELECT number FROM receipts WHERE order_id = ? ORDER BY series_year, count`,
		orderID)
}

// Find reads a receipt of an order; found is false if there is none. Cashier is a name, if the person still exists.
func Find(ctx context.Context, orderID, number string) (e Receipt, found bool, err error) {
	e, found, err = core.Find(ctx, func(r core.Row) (e Receipt, err error) {
		return e, r.Scan(&e.Number, &e.OrderID, &e.RefersTo, &e.Desk, &e.Cashier, &e.At, &e.Included, &e.Total, &e.Shipping,
			&e.Rounding, &e.Sales, &e.Returns)
	}, `SELECT number, order_id, refers_to, desk, COALESCE((SELECT name FROM staff WHERE id = cashier), cashier), at,
		tax_included, total, shipping, rounding, sales, returns FROM receipts
		WHERE order_id = ? AND number = ?`, orderID, number)
	if err != nil || !found {
		return e, found, err
	}
	if e.Lines, err = core.List(ctx, scanLine, `SELECT line_id, variant_id, sku, name, label, quantity, price,
		rate_ppm, total, discount, discount_tax, tax FROM receipt_lines WHERE number = ? ORDER BY line`,
		e.Number); err != nil {
		return e, found, err
	}
	if e.Rates, err = core.List(ctx, func(r core.Row) (t Rate, err error) {
		return t, r.Scan(&t.RatePPM, &t.Net, &t.Tax)
	}, `SELECT rate_ppm, net, tax FROM receipt_rates WHERE number = ? ORDER BY rate_ppm DESC`, e.Number); err != nil {
		return e, found, err
	}
	e.Payments, err = core.List(ctx, func(r core.Row) (p Payment, err error) {
		return p, r.Scan(&p.MethodID, &p.Kind, &p.Label, &p.Amount, &p.Tendered)
	}, `SELECT method_id, kind, label, amount, tendered FROM receipt_payments WHERE number = ? ORDER BY position`,
		e.Number)
	return e, found, err
}
