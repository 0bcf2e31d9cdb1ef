// Package recount compares the derived tables of the shop with their source rows.
//
// With these tables no list, search or report of 200 000 orders takes longer than 50 ms (BenchmarkManyOrders of package
// shop). Orders are found by an index of every three letters, because people type parts of words. Reports add up rows
// of hours. Triggers keep both, because undo and restore write rows without a handler. An import costs 12 % more.
package recount

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/deskhand/deskhand/shop/internal/core"
)

// place is the position of an order in its search index, see 00001_shop.sql.
const place = `placed_at / 1000 << 24 | 16777215 - substr(id, 3)`

const (
	hours = `SELECT placed_at / 3600000, COUNT(*), SUM(subtotal), SUM(discount - discount_tax), SUM(tax),
		SUM(shipping - tax_included * shipping_tax), SUM(total) FROM orders WHERE status <> 'cancelled' GROUP BY 1`
	groups = `SELECT dimension, at / 3600000, value, SUM(orders), SUM(subtotal), SUM(discount), SUM(tax), SUM(shipping),
		SUM(total) FROM derived_parts GROUP BY 1, 2, 3`
	payments = `SELECT at / 3600000, method, SUM(payments), SUM(paid), SUM(refunds), SUM(refunded)
		FROM derived_paid GROUP BY 1, 2`
	variants = `SELECT variant_id FROM order_lines UNION SELECT variant_id FROM receipt_lines`
	lines    = `SELECT o.placed_at / 3600000 AS hour, v.number AS variant, SUM(l.quantity) AS pieces,
		SUM(l.total - l.discount) AS revenue
		FROM orders o CROSS JOIN order_lines l ON l.order_id = o.id CROSS JOIN derived_variants v ON v.id = l.variant_id
		WHERE o.status <> 'cancelled' GROUP BY 1, 2`
)

// Rebuild holds the statements that fill the tables from the rows. Variants are numbered again from 1: only
// derived_hours has the numbers too.
var Rebuild = []string{
	`DELETE FROM derived_variants`,
	`INSERT INTO derived_variants (id) SELECT * FROM (` + variants + `)`,
	`DELETE FROM derived_hours`,
	`INSERT INTO derived_hours SELECT *, '' FROM (` + hours + `)`,
	`UPDATE derived_hours SET lines = l.text FROM (SELECT hour, group_concat(variant || ' ' || pieces || ' ' || revenue ||
		char(10), '') AS text FROM (` + lines + ` ORDER BY 1, 2) GROUP BY hour) AS l WHERE l.hour = derived_hours.hour`,
	`DELETE FROM derived_groups`,
	`INSERT INTO derived_groups ` + groups,
	`DELETE FROM derived_payments`,
	`INSERT INTO derived_payments ` + payments,
	`INSERT INTO derived_words (derived_words) VALUES ('delete-all')`,
	`INSERT INTO derived_words (rowid, words) SELECT ` + place + `, search_fold || ' ' FROM orders ORDER BY 1`,
	`DELETE FROM derived_unsorted`,
	`DELETE FROM derived_places`,
	`INSERT INTO derived_places (id) SELECT id FROM customers ORDER BY id`,
	`INSERT INTO derived_people (derived_people) VALUES ('delete-all')`,
	`INSERT INTO derived_people (rowid, words) SELECT p.place, c.search_fold || ' '
		FROM derived_places p CROSS JOIN customers c ON c.id = p.id ORDER BY 1`,
}

// Check calls found with a message for each difference.
func Check(ctx context.Context, found func(sentence string)) error {
	const hour = `coalesce(strftime('%Y-%m-%d %H:00 UTC', hour * 3600, 'unixepoch'), hour)`
	for _, c := range []struct{ says, name, stored, wanted string }{
		{"derived_hours: the sums of %s are not those of its orders.", hour,
			`SELECT hour, orders, subtotal, discount, tax, shipping, total FROM derived_hours
			WHERE (orders, subtotal, discount, tax, shipping, total) <> (0, 0, 0, 0, 0, 0)`,
			`SELECT * FROM (` + hours + `)`},
		{"derived_groups: the sums of %s are not those of its orders.", `dimension || ' ' || value || ', ' || ` + hour,
			`SELECT dimension, hour, value, orders, subtotal, discount, tax, shipping, total FROM derived_groups
			WHERE (orders, subtotal, discount, tax, shipping, total) <> (0, 0, 0, 0, 0, 0)`,
			`SELECT * FROM (` + groups + ` HAVING (SUM(orders), SUM(subtotal), SUM(discount), SUM(tax), SUM(shipping),
				SUM(total)) <> (0, 0, 0, 0, 0, 0))`},
		{"derived_payments: the sums of %s are not those of its payments.", `method || ', ' || ` + hour,
			`SELECT hour, method, payments, paid, refunds, refunded FROM derived_payments
			WHERE (payments, paid, refunds, refunded) <> (0, 0, 0, 0)`,
			`SELECT * FROM (` + payments + `)`},
		{"derived_variants: %s of an order has no number.", `id`,
			`SELECT id FROM derived_variants WHERE id IN (` + variants + `)`, variants},
		{"derived_places: the customer %s has no place, or one that is of nobody.", `id`,
			`SELECT id FROM derived_places`, `SELECT id FROM customers`},
	} {
		columns, _, _ := strings.Cut(strings.TrimPrefix(c.stored, "SELECT "), " FROM ")
		names, err := core.List(ctx, core.ScanText, `WITH have (`+columns+`) AS (`+c.stored+`), want (`+columns+`) AS (`+
			c.wanted+`) SELECT DISTINCT `+c.name+` FROM (SELECT * FROM (SELECT * FROM have EXCEPT SELECT * FROM want)
			UNION ALL SELECT * FROM (SELECT * FROM want EXCEPT SELECT * FROM have)) ORDER BY 1`)
		if err != nil {
			return err
		}
		for _, name := range names {
			found(fmt.Sprintf(c.says, name))
		}
	}
	if err := checkLines(ctx, found); err != nil {
		return err
	}
	for _, w := range []words{
		{says: "derived_words: the index of the words of orders does not follow from the orders.",
			index: "derived_words", except: "SELECT place FROM derived_unsorted",
			rows: `SELECT ` + place + `, search_fold FROM orders`},
		{says: "derived_people: the index of the words of customers does not follow from the customers.",
			index: "derived_people", except: "SELECT NULL WHERE false",
			rows: `SELECT p.place, c.search_fold FROM derived_places p CROSS JOIN customers c ON c.id = p.id`},
	} {
		if err := w.check(ctx, found); err != nil {
			return err
		}
	}
	return nil
}

// sold holds pieces and revenue of variants by their numbers.
type sold map[int64][2]int64

func (s sold) add(variant, pieces, revenue int64) {
	n := s[variant]
	n[0], n[1] = n[0]+pieces, n[1]+revenue
	if s[variant] = n; n == [2]int64{} {
		delete(s, variant)
	}
}

// take subtracts the lines of an hour of derived_hours, and reports whether all of them are well-formed.
func (s sold) take(text string, known map[int64]bool) bool {
	for line := range strings.Lines(text) {
		var n [3]int64
		fields := strings.Split(strings.TrimSuffix(line, "\n"), " ")
		if len(fields) != len(n) || !strings.HasSuffix(line, "\n") {
			return false
		}
		for i, field := range fields {
			var err error
			if n[i], err = strconv.ParseInt(field, 10, 64); err != nil || strconv.FormatInt(n[i], 10) != field {
				return false
			}
		}
		if known[n[0]] = true; n[0] <= 0 {
			return false
		}
		s.add(n[0], -n[1], -n[2])
	}
	return true
}

// checkLines compares the lines of derived_hours with those of orders, hour by hour, and checks the numbers of
// variants.
func checkLines(ctx context.Context, found func(string)) error {
	type line struct{ hour, variant, pieces, revenue int64 }
	left, known := map[int64]sold{}, map[int64]bool{}
	_, err := core.List(ctx, func(r core.Row) (none struct{}, err error) {
		var l line
		err = r.Scan(&l.hour, &l.variant, &l.pieces, &l.revenue)
		if left[l.hour] == nil {
			left[l.hour] = sold{}
		}
		known[l.variant] = true
		left[l.hour].add(l.variant, l.pieces, l.revenue)
		return none, err
	}, lines)
	if err != nil {
		return err
	}
	wrong, err := core.List(ctx, func(r core.Row) (string, error) {
		var hour int64
		var name, text string
		if err := r.Scan(&hour, &name, &text); err != nil {
			return "", err
		}
		s := left[hour]
		if s == nil {
			s = sold{}
		}
		whole := s.take(text, known)
		if delete(left, hour); whole && len(s) == 0 {
			return "", nil
		}
		return name, nil
	}, `SELECT hour, coalesce(strftime('%Y-%m-%d %H:00 UTC', hour * 3600, 'unixepoch'), hour), lines FROM derived_hours`)
	if err != nil {
		return err
	}
	for _, s := range left {
		if len(s) > 0 { // an hour without sums
			wrong = append(wrong, "an hour that is missing")
		}
	}
	for _, name := range wrong {
		if name != "" {
			found(fmt.Sprintf("derived_hours: the lines of %s are not those of its orders.", name))
		}
	}
	numbers, err := core.List(ctx, core.ScanInt, `SELECT number FROM derived_variants
		WHERE id NOT IN (`+variants+`)`)
	for _, n := range numbers {
		if !known[n] {
			found(fmt.Sprintf("derived_variants: the number %d is of no variant that an order has or had.", n))
		}
	}
	return err
}
