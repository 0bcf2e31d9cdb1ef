package shop

import (
	"cmp"
	"context"
	"errors"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/deskhand/deskhand/bus"
)

type topProductsIn struct {
	reportDays
	Limit int `json:"limit,omitempty" jsonschema:"minimum=1,maximum=200,default=10" jsonschema_description:"At most this many."`
}

type topProduct struct {
	ProductID string `json:"productId"`
	VariantID string `json:"variantId"`
	Name      string `json:"name" jsonschema_description:"The product, as it is called today."`
	Label     string `json:"label,omitempty" jsonschema_description:"The variant's options."`
	SKU       string `json:"sku,omitempty"`
	Quantity  int64  `json:"quantity" jsonschema_description:"Sold less come back."`
	Revenue   Money  `json:"revenue" jsonschema_description:"After discount, without shipping and without tax that is on top of the price."`
}

type topProductsOut struct {
	From string       `json:"from" jsonschema:"format=date"`
	To   string       `json:"to" jsonschema:"format=date"`
	Rows []topProduct `json:"rows" jsonschema_description:"Most pieces first, then most revenue."`
}

func reportTopProducts() bus.Capability {
	return bus.Define(bus.Capability{
		Name: "report.topProducts", Title: "Report what sold best", Category: "report", Type: bus.TypeData,
		Description: "Lists the variants of products that sold best in some days of the shop's time zone, with pieces and revenue; what came back in these days is taken off. " +
			"Use it to answer what sells; report.sales says how much in all. It does not count cancelled orders.",
		SideEffect: bus.Pure, Permissions: []string{"report:read"}, Access: agentMay, Resources: read,
		Phrases: []string{
			"which products sold best {period}", "which products sold best in {period}", "which products sold best since {since}",
			"which products sold best since {from}", "which products sold best from {from} to {to}", "what (sold|sells) best {period}",
			"what sold best since {since}", "show the top {limit} products of {period}", "show the best sellers of {period}", "what is our best seller {period}",
			"what are (our|the) best sellers {period}", "(which|what) was the best seller {period}", "(best|top) sellers {period}",
			"best selling products {period}", "top {limit} (products|sellers) {period}", "top products {period}", "top products of {period}",
			"what are the top {limit} products {period}", "what are the top sellers {period}", "what sells best", "what is selling (best|well) {period}",
			"what is our most popular product {period}", "what (is|was) most popular {period}", "most popular products {period}",
			"what are people buying {period}", "(bestsellers|best sellers|top sellers) {period}", "what did people buy most {period}", "our bestsellers {period}",
			"what is (selling|most popular|our best seller) {period}", "which product sold most {period}", "what sold most {period}",
			"what has been our top seller {period}", "what are the {limit} best sellers {period}", "what are our top {limit} sellers {period}",
			"what are the {limit} best selling products {period}", "what (was|is) our best selling product {period}",
			"what were our {limit} best sellers {period}", "which {limit} products sell best", "what has been selling best since {since}",
			"what has been selling best {period}", "what has sold best {period}", "what has sold best since {since}",
			"what are the (most popular|most sold|best selling) products {period}", "which products (went|sold|sell) best {period}", "what do people buy most",
		},
	}, topProducts)
}

func topProducts(ctx context.Context, call *bus.Call, in topProductsIn) (topProductsOut, error) {
	var out topProductsOut
	s, err := loadShop(ctx)
	if err != nil {
		return out, err
	}
	from, to, err := in.within(s.today(call.Now))
	if err != nil {
		return out, err
	}
	zone := s.zone()
	out.From, out.To = isoDay(from), isoDay(to)
	moved, err := movedIn(ctx, span{start: beginning(from, zone), end: beginning(to.AddDate(0, 0, 1), zone)})
	if err != nil {
		return out, err
	}
	best := moved.best(in.Limit)
	out.Rows = make([]topProduct, len(best))
	for i, m := range best {
		if out.Rows[i], err = s.topProduct(ctx, m); err != nil {
			return out, err
		}
	}
	return out, nil
}

// moved is what was sold of a variant, less what came back.
type moved struct {
	variantID         string
	quantity, revenue int64 // revenue in minor units
}

// movements are what moved of each variant.
type movements struct {
	all []moved
	at  map[string]int // by variant, in all
}

// newMovements has room for as many variants as there may be: to make room again
// and again is half of the work of adding many up.
func newMovements(variants int) movements {
	return movements{all: make([]moved, 0, variants), at: make(map[string]int, variants)}
}

func (m *movements) add(variantID string, quantity, revenue int64) {
	i, known := m.at[variantID]
	if !known {
		i = len(m.all)
		m.all, m.at[variantID] = append(m.all, moved{variantID: variantID}), i
	}
	m.all[i].quantity += quantity
	m.all[i].revenue += revenue
}

// addHour adds the lines of an hour, each a variant, pieces and revenue.
func (m *movements) addHour(lines string) error {
	for line := range strings.Lines(lines) {
		id, rest, _ := strings.Cut(line, " ")
		pieces, revenue, _ := strings.Cut(rest, " ")
		q, err := strconv.ParseInt(pieces, 10, 64)
		if err != nil {
			return err
		}
		r, err := strconv.ParseInt(strings.TrimSuffix(revenue, "\n"), 10, 64)
		if err != nil {
			return err
		}
		m.add(id, q, r)
	}
	return nil
}

// addAll adds what others have added up.
func (m *movements) addAll(others []movements) {
	for _, other := range others {
		for _, v := range other.all {
			m.add(v.variantID, v.quantity, v.revenue)
		}
	}
}

// best are the variants of which most pieces were sold, then with most revenue.
func (m *movements) best(limit int) []moved {
	before := func(a, b moved) int {
		return cmp.Or(cmp.Compare(b.quantity, a.quantity), cmp.Compare(b.revenue, a.revenue), cmp.Compare(a.variantID, b.variantID))
	}
	best := make([]moved, 0, limit+1)
	for _, v := range m.all {
		if v.quantity <= 0 || len(best) == limit && before(v, best[limit-1]) > 0 {
			continue
		}
		i, _ := slices.BinarySearchFunc(best, v, before)
		best = slices.Insert(best, i, v)
		best = best[:min(limit, len(best))]
	}
	return best
}

// movedIn adds up what was sold and what came back in a span. Where each of many
// variants sells a few times, sums would be as many as the lines: so the lines of
// an hour stand together, and adding them up here is the least of it.
func movedIn(ctx context.Context, p span) (*movements, error) {
	variants, _, err := find(ctx, scanInt, `SELECT COUNT(*) FROM variants`)
	if err != nil {
		return nil, err
	}
	first, last := p.hours()
	hours := make(chan string, 256) // read while others add
	var adders sync.WaitGroup
	parts := make([]movements, runtime.GOMAXPROCS(0))
	wrong := make([]error, len(parts))
	for i := range parts {
		parts[i] = newMovements(int(variants))
		adders.Go(func() {
			for lines := range hours {
				wrong[i] = cmp.Or(wrong[i], parts[i].addHour(lines))
			}
		})
	}
	_, err = list(ctx, func(r row) (struct{}, error) {
		lines, err := scanText(r)
		hours <- lines
		return struct{}{}, err
	}, `SELECT lines FROM derived_hours WHERE hour >= ? AND hour < ?`, first, last)
	close(hours)
	adders.Wait()
	if err := errors.Join(append(wrong, err)...); err != nil {
		return nil, err
	}
	all := &parts[0]
	all.addAll(parts[1:])
	_, err = list(ctx, func(r row) (struct{}, error) {
		var m moved
		err := r.Scan(&m.variantID, &m.quantity, &m.revenue)
		all.add(m.variantID, m.quantity, m.revenue)
		return struct{}{}, err
	}, `SELECT l.variant_id, l.quantity, l.total - l.discount FROM orders o CROSS JOIN order_lines l ON l.order_id = o.id WHERE `+besideHours+`
		UNION ALL SELECT l.variant_id, -l.quantity, l.discount - l.total FROM `+cameBack, p.start, p.end, first, last)
	return all, err
}

// topProduct names a variant; what is no longer in the catalog has the names of an
// order.
func (s *deskShop) topProduct(ctx context.Context, m moved) (t topProduct, err error) {
	t = topProduct{VariantID: m.variantID, Quantity: m.quantity, Revenue: s.money(m.revenue)}
	_, _, err = find(ctx, func(r row) (struct{}, error) {
		var values [3]string
		var label string
		err := r.Scan(&t.ProductID, &t.Name, &label, &t.SKU, &values[0], &values[1], &values[2])
		if _, t.Label = options([3]string{}, values); t.Label == "" {
			t.Label = label
		}
		return struct{}{}, err
	}, `SELECT COALESCE(p.id, l.product_id), COALESCE(p.name, l.name), CASE WHEN v.id IS NULL THEN l.label ELSE '' END, COALESCE(v.sku, l.sku),
			COALESCE(v.option1, ''), COALESCE(v.option2, ''), COALESCE(v.option3, '')
		FROM order_lines l LEFT JOIN variants v ON v.id = l.variant_id LEFT JOIN products p ON p.id = v.product_id
		WHERE l.variant_id = ? ORDER BY l.order_id DESC, l.line DESC LIMIT 1`, m.variantID)
	return t, err
}
