package report

// An order's rows hold its latest state. The report of a past day must not change, so a change with its own receipt is
// subtracted at the time of the sale and counted at the time of the receipt.

// changed and ofChanges select receipts of changes since ?1 to orders sold before ?2.
const (
	changed   = ` FROM receipts r CROSS JOIN orders o ON o.id = r.order_id`
	ofChanges = ` WHERE r.cause IN ('change', 'cancellation') AND r.at >= ?1 AND o.placed_at < ?2`
)

// changes returns a query of the changes by the values of a group, with the columns of derived_parts. A cancellation
// also returns the shipping.
func (g group) changes() string {
	const shipping = ` AND r.cause = 'cancellation'`
	if g.dimension != ByTaxRate {
		return `SELECT r.at, o.placed_at AS sold_at, ` + g.now + ` AS value, -(r.cause = 'cancellation') AS orders,
			COALESCE(SUM(l.total), 0) AS subtotal, COALESCE(SUM(l.discount - l.discount_tax), 0) AS discount,
			COALESCE(SUM(l.tax), 0) - (r.cause = 'cancellation') * o.shipping_tax AS tax,
			-(r.cause = 'cancellation') * (o.shipping - o.tax_included * o.shipping_tax) AS shipping, r.total` + changed + `
			LEFT JOIN receipt_lines l ON l.number = r.number` + ofChanges + ` GROUP BY +r.number` // uses the index of changes
	}
	return `SELECT r.at, o.placed_at AS sold_at, l.rate_ppm || '' AS value, 0 AS orders, l.total AS subtotal,
		l.discount - l.discount_tax AS discount, l.tax, 0 AS shipping,
		l.total - l.discount + CASE r.tax_included WHEN 1 THEN 0 ELSE l.tax END AS total` + changed + `
		CROSS JOIN receipt_lines l ON l.number = r.number` + ofChanges + `
		UNION ALL SELECT r.at, o.placed_at, '` + untaxed + `', 0, 0, 0, 0, -o.shipping, -o.shipping` + changed +
		ofChanges + shipping + `
		UNION ALL SELECT r.at, o.placed_at, s.rate_ppm || '', 0, 0, 0, -s.tax, -s.net, -s.net - s.tax` + changed + `
		CROSS JOIN order_shipping s ON s.order_id = o.id` + ofChanges + shipping + `
		UNION ALL SELECT r.at, o.placed_at, '` + untaxed + `', 0, 0, 0, 0, s.net + o.tax_included * s.tax,
		s.net + o.tax_included * s.tax` + changed + `
		CROSS JOIN order_shipping s ON s.order_id = o.id` + ofChanges + shipping
}
