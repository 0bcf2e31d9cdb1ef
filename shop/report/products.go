package report

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/shop/catalog"
	"github.com/deskhand/deskhand/shop/internal/core"
)

// TopProductsIn selects the days of a report of best sellers and the number of rows.
type TopProductsIn struct {
	core.Days
	Limit   int    `json:"limit,omitempty" jsonschema:"minimum=1,maximum=200,default=10" doc:"At most this many."`
	Compare string `json:"compare,omitempty" jsonschema:"enum=before,enum=year"`
}

type topProduct struct {
	ProductID string     `json:"productId"`
	VariantID string     `json:"variantId"`
	Name      string     `json:"name" doc:"The product, as it is called today."`
	Label     string     `json:"label,omitempty" doc:"The variant's options."`
	SKU       string     `json:"sku,omitempty"`
	Quantity  int64      `json:"quantity" doc:"Sold less come back."`
	Revenue   core.Money `json:"revenue"`
	beside
}

type topProductsOut struct {
	From string       `json:"from" jsonschema:"format=date"`
	To   string       `json:"to" jsonschema:"format=date"`
	Rows []topProduct `json:"rows" doc:"Most pieces first, then most revenue."`
}

// TopProducts reports the best-selling variants.
func TopProducts(ctx context.Context, s *core.Shop, call *bus.Call, in TopProductsIn) (out topProductsOut, err error) {
	p, err := reported(s, call, in.Days, &out.From, &out.To)
	if err != nil {
		return out, err
	}
	sales, err := movedIn(ctx, p)
	if err != nil {
		return out, err
	}
	best, asMuch := sales.best(in.Limit)
	if best, err = withIDs(ctx, best, in.Limit); err != nil {
		return out, err
	}
	if asMuch, err = withIDs(ctx, asMuch, in.Limit-len(best)); err != nil {
		return out, err
	}
	slices.SortStableFunc(best, more)
	best = append(best, asMuch...)
	var before movements
	if in.Compare != "" {
		if before, err = movedIn(ctx, comparing(p, in.Compare).than(s, p)); err != nil {
			return out, err
		}
	}
	out.Rows = make([]topProduct, len(best))
	for i, m := range best {
		if out.Rows[i], err = nameProduct(ctx, s, m); err != nil {
			return out, err
		}
		if before != nil && before[m.variant] != (moved{}) {
			out.Rows[i].beside = besideOf(s, m.revenue, before[m.variant].revenue)
		}
	}
	return out, nil
}

// moved holds the sales of a variant less its returns.
type moved struct {
	variant           int64  // its number in derived_variants
	variantID         string // empty until withIDs reads it
	quantity, revenue int64  // revenue in minor units
}

// movements holds the sales of each variant; the index is its number.
type movements []moved

func (m movements) add(variant, quantity, revenue int64) error {
	if variant < 0 || variant >= int64(len(m)) {
		return fmt.Errorf("derived_variants: no variant has the number %d", variant)
	}
	m[variant].quantity += quantity
	m[variant].revenue += revenue
	return nil
}

// addHour adds the lines of an hour, each with a variant, pieces and revenue. A year of a large shop has hundreds of
// thousands of lines.
func (m movements) addHour(lines string) error {
	for lines != "" {
		var variant, quantity, revenue int64
		var ok, ok2, ok3 bool
		rest := lines
		variant, rest, ok = leadingInt(rest, ' ')
		quantity, rest, ok2 = leadingInt(rest, ' ')
		revenue, rest, ok3 = leadingInt(rest, '\n')
		if !ok || !ok2 || !ok3 {
			line, _, _ := strings.Cut(lines, "\n")
			return fmt.Errorf("derived_hours: %q is no line", line)
		}
		if err := m.add(variant, quantity, revenue); err != nil {
			return err
		}
		lines = rest
	}
	return nil
}

// leadingInt parses a whole number that end terminates, and returns the rest of the text after end.
func leadingInt(s string, end byte) (n int64, rest string, ok bool) {
	i := 0
	if i < len(s) && s[i] == '-' {
		i++
	}
	first := i
	for ; i < len(s) && '0' <= s[i] && s[i] <= '9'; i++ {
		n = 10*n + int64(s[i]-'0')
	}
	if i == first || i-first > 18 || i == len(s) || s[i] != end {
		return 0, s, false
	}
	if first > 0 {
		n = -n
	}
	return n, s[i+1:], true
}

// more compares by pieces, most first, then by revenue.
func more(a, b moved) int {
	return cmp.Or(cmp.Compare(b.quantity, a.quantity), cmp.Compare(b.revenue, a.revenue))
}

// best returns the best-selling variants, unsorted, and separately the variants that tie with the last place.
func (m movements) best(limit int) (best, asMuch []moved) {
	most := make([]moved, 0, limit+1)
	for _, v := range m {
		if v.quantity <= 0 || len(most) == limit && more(v, most[limit-1]) >= 0 {
			continue
		}
		i, _ := slices.BinarySearchFunc(most, v, more)
		most = slices.Insert(most, i, v)
		most = most[:min(limit, len(most))]
	}
	if len(most) == 0 {
		return nil, nil
	}
	for number, v := range m {
		v.variant = int64(number)
		switch beside := more(v, most[len(most)-1]); {
		case v.quantity <= 0:
		case beside < 0:
			best = append(best, v)
		case beside == 0:
			asMuch = append(asMuch, v)
		}
	}
	return best, asMuch
}

// withIDs reads the ids of the variants and returns the first limit of them by id. The ids decide between ties because
// numbers depend on the sequence of orders and differ in an imported shop.
func withIDs(ctx context.Context, some []moved, limit int) ([]moved, error) {
	numbers := make([]int64, len(some))
	at := make(map[int64]moved, len(some))
	for i, m := range some {
		numbers[i], at[m.variant] = m.variant, m
	}
	return core.List(ctx, func(r core.Row) (moved, error) {
		var number int64
		var id string
		err := r.Scan(&number, &id)
		m := at[number]
		m.variantID = id
		return m, err
	}, `SELECT v.number, v.id FROM json_each(?) j CROSS JOIN derived_variants v ON v.number = j.value ORDER BY v.id
		LIMIT ?`, core.JSONList(numbers), limit)
}

// mostVariants limits the memory of a report on a file that was changed by another program.
const mostVariants = 1 << 22

// movedIn adds up the sales and returns of a span. When many variants sell a few times each, there would be as many
// sums as lines. So the database stores the lines of each hour together, and this function adds them up cheaply.
func movedIn(ctx context.Context, p span) (movements, error) {
	last, _, err := core.Find(ctx, core.ScanInt, `SELECT COALESCE(MAX(number), 0) FROM derived_variants`)
	if err != nil {
		return nil, err
	}
	if last < 0 || last > mostVariants {
		return nil, fmt.Errorf("derived_variants: no variant has the number %d", last)
	}
	all := make(movements, last+1)
	from, until := p.hours()
	_, err = core.List(ctx, func(r core.Row) (struct{}, error) {
		lines, err := core.ScanText(r)
		return struct{}{}, cmp.Or(err, all.addHour(lines))
	}, `SELECT lines FROM derived_hours WHERE hour >= ? AND hour < ?`, from, until)
	if err != nil {
		return nil, err
	}
	_, err = core.List(ctx, func(r core.Row) (struct{}, error) {
		var m moved
		if err := r.Scan(&m.variant, &m.quantity, &m.revenue); err != nil {
			return struct{}{}, err
		}
		return struct{}{}, all.add(m.variant, m.quantity, m.revenue)
	}, `SELECT v.number, l.quantity, l.total - l.discount FROM orders o CROSS JOIN order_lines l ON l.order_id = o.id CROSS
		JOIN derived_variants v ON v.id = l.variant_id WHERE `+besideHours+`
		UNION ALL SELECT (SELECT number FROM derived_variants WHERE id = l.variant_id), -l.quantity, l.discount - l.total
		FROM `+cameBack+`
		UNION ALL SELECT number, n * quantity, n * (total - discount) FROM (SELECT v.number, l.quantity, l.total, l.discount,
			(r.at >= ?1 AND r.at < ?2) - (o.placed_at >= ?1 AND o.placed_at < ?2) AS n`+changed+`
			CROSS JOIN receipt_lines l ON l.number = r.number CROSS JOIN derived_variants v ON v.id = l.variant_id`+ofChanges+`)
		WHERE n <> 0`, p.start, p.end, from, until)
	return all, err
}

// nameProduct fills in the names of a variant. A variant that left the catalog has the names in one of its orders.
func nameProduct(ctx context.Context, s *core.Shop, m moved) (t topProduct, err error) {
	t = topProduct{VariantID: m.variantID, Quantity: m.quantity, Revenue: s.Money(m.revenue)}
	_, _, err = core.Find(ctx, func(r core.Row) (struct{}, error) {
		var values [3]string
		var label string
		err := r.Scan(&t.ProductID, &t.Name, &label, &t.SKU, &values[0], &values[1], &values[2])
		if _, t.Label = catalog.PairOptions([3]string{}, values); t.Label == "" {
			t.Label = label
		}
		return struct{}{}, err
	}, `SELECT COALESCE(p.id, l.product_id), COALESCE(p.name, CASE l.variant_id WHEN '' THEN 'Open items' ELSE l.name END),
		CASE WHEN v.id IS NULL THEN l.label ELSE '' END,
		COALESCE(v.sku, l.sku),
			COALESCE(v.option1, ''), COALESCE(v.option2, ''), COALESCE(v.option3, '')
		FROM order_lines l LEFT JOIN variants v ON v.id = l.variant_id LEFT JOIN products p ON p.id = v.product_id
		WHERE l.variant_id = ? ORDER BY l.order_id DESC, l.line DESC LIMIT 1`, m.variantID)
	return t, err
}
