package book

import (
	"context"
	"fmt"

	"github.com/deskhand/deskhand/shop/internal/core"
)

// value is the price for the customer, including tax, of the lines of a receipt or an order, in SQL.
const value = `COALESCE(SUM(l.total - l.discount + CASE r.tax_included WHEN 1 THEN 0 ELSE l.tax END), 0)`

// checks are queries that find errors, each with its message. The payments of an order older than the book may differ
// from the total, because part of it was paid before.
var checks = []struct{ says, query string }{
	{"receipts: %s has another number than its place in the count.", `SELECT number FROM receipts
		WHERE number <> printf('%04d-%06d', series_year, count)`},
	{"receipts: before %s a number is missing.", `SELECT number FROM (SELECT number, follows,
		LAG(count, 1, 0) OVER (PARTITION BY series_year ORDER BY count) AS before FROM receipts) WHERE follows <> before`},
	{"receipts: the log has not counted as far as %s.", `SELECT number FROM (SELECT number, series_year, MAX(count) AS n
		FROM receipts GROUP BY series_year) WHERE NOT EXISTS (SELECT 1 FROM audit_series
		WHERE series = 'receipts ' || series_year AND last >= n OR series = '')`},
	{"receipts: what %s refers to is not there.", `SELECT number FROM receipts r WHERE refers_to <> ''
		AND NOT EXISTS (SELECT 1 FROM receipts t WHERE t.number = r.refers_to)`},
	{"receipts: a receipt of order %s has another cause.", `SELECT DISTINCT o.id FROM receipts r
		JOIN orders o ON o.id = r.order_id
		WHERE (cause = 'sale') <> (number = COALESCE((SELECT number FROM receipts s WHERE s.order_id = o.id
			AND s.at = placed_at AND s.refers_to = '' AND s.returns = 0 ORDER BY series_year, count LIMIT 1), ''))
		OR cause = 'cancellation' AND NOT (status = 'cancelled' AND at = cancelled_at)
		OR cause = 'return' AND at NOT IN (SELECT received_at FROM order_requests WHERE order_id = o.id AND kind = 'return')
		OR cause = 'sale' AND (status = 'cancelled', (SELECT COUNT(*) FROM order_requests WHERE order_id = o.id
			AND kind = 'return' AND received_at > 0)) <> (SELECT SUM(cause = 'cancellation'), SUM(cause = 'return')
			FROM receipts WHERE order_id = o.id)`},
	{"receipts: the total of %s is not that of its lines.", `SELECT r.number FROM receipts r
		LEFT JOIN receipt_lines l ON l.number = r.number GROUP BY r.number HAVING r.total <> r.shipping + ` + value},
	{"receipts: the total of %s is not that of its rates.", `SELECT r.number FROM receipts r
		LEFT JOIN receipt_rates t ON t.number = r.number GROUP BY r.number
		HAVING r.total <> COALESCE(SUM(t.net + t.tax), 0)`},
	{"receipts: the tax of %s is not that of its lines.", `SELECT DISTINCT number FROM (
		SELECT number, rate_ppm, tax FROM (SELECT number, rate_ppm, SUM(tax) AS tax FROM receipt_lines GROUP BY 1, 2)
			WHERE tax <> 0 EXCEPT SELECT number, rate_ppm, tax FROM receipt_rates)
		WHERE number IN (SELECT number FROM receipts WHERE shipping = 0)`},
	{"receipts: the total of %s is not what was paid.", `SELECT r.number FROM receipts r
		LEFT JOIN receipt_payments p ON p.number = r.number WHERE r.refers_to <> '' OR r.returns = 0 AND r.sales > 0
		GROUP BY r.number HAVING r.total + r.rounding <> COALESCE(SUM(p.amount), 0)`},
	{"receipts: the receipts of order %s do not come to what the customer has of it.", `SELECT id FROM (
		SELECT o.id, r.number, (SELECT ` + value + ` FROM order_lines l WHERE l.order_id = o.id AND returned_by = ''
			AND o.status <> 'cancelled') AS has
		FROM orders o JOIN receipts r ON r.order_id = o.id AND r.at = o.placed_at AND r.refers_to = ''
			AND r.returns = 0) AS sold WHERE has <>
		(SELECT SUM(total - shipping) FROM receipts WHERE number = sold.number OR refers_to = sold.number)`},
}

// Check calls found with a message for each receipt that disagrees with its parts, its number or its order.
func Check(ctx context.Context, found func(sentence string)) error {
	for _, c := range checks {
		names, err := core.List(ctx, core.ScanText, c.query+` ORDER BY 1`)
		if err != nil {
			return fmt.Errorf("%s: %w", c.says, err)
		}
		for _, name := range names {
			found(fmt.Sprintf(c.says, name))
		}
	}
	return nil
}
