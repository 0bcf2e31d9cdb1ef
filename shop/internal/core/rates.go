package core

import "context"

// Rates returns the net amount and tax of an order by rate, highest rate first. It includes the lines if lines is set,
// the taxed shipping, and the untaxed shipping, with rate 0, if untaxed is set.
func Rates(ctx context.Context, orderID string, lines, untaxed bool) ([]RateSum, error) {
	return List(ctx, func(r Row) (t RateSum, err error) { return t, r.Scan(&t.RatePPM, &t.Net, &t.Tax) },
		`SELECT rate_ppm, SUM(net), SUM(tax) FROM (
			SELECT rate_ppm, l.total - l.discount - tax_included * l.tax AS net, l.tax
				FROM order_lines l JOIN orders o ON o.id = order_id WHERE o.id = ?1 AND ?2
			UNION ALL SELECT rate_ppm, net, tax FROM order_shipping WHERE order_id = ?1
			UNION ALL SELECT 0, shipping - tax_included * shipping_tax - COALESCE((SELECT SUM(net) FROM order_shipping
				WHERE order_id = ?1), 0), 0 FROM orders WHERE id = ?1 AND ?3)
			GROUP BY rate_ppm HAVING SUM(net) <> 0 OR SUM(tax) <> 0 ORDER BY rate_ppm DESC`, orderID, lines, untaxed)
}
