package shop

import (
	"cmp"
	"context"
	"slices"
	"strconv"

	"github.com/deskhand/deskhand/bus"
)

var (
	productSource = source{
		kind: "product", table: "products t", order: "t.name_fold, t.id", sort: "t.name_fold", after: laterByName,
		title: "t.name", sub: "t.kind",
		// Not correlated, so that it is found by index once and not for every row.
		exact: "t.id IN (SELECT id FROM products WHERE id = ? UNION ALL SELECT product_id FROM variants WHERE sku = ? AND sku <> '' UNION ALL SELECT product_id FROM variants WHERE barcode = ? AND barcode <> '')",
	}
	customerSource = source{
		kind: "customer", table: "customers t", order: "t.name_fold, t.id", sort: "t.name_fold", after: laterByName,
		title: "t.name", sub: "t.email", only: "t.erased_at = 0",
		// The two apart: the index of addresses knows none that is empty.
		exact:   "t.id IN (SELECT id FROM customers WHERE id = ? UNION ALL SELECT id FROM customers WHERE email = ? AND email <> '')",
		letters: "derived_people", terms: "derived_people_letters",
		places: "json_each(?) f CROSS JOIN derived_places l ON l.place = f.value CROSS JOIN customers t ON t.id = l.id",
	}
	// Newest first: as a text, the later the smaller.
	orderSource = source{
		kind: "order", table: "orders t CROSS JOIN customers c ON c.id = t.customer_id", order: "t.placed_at DESC, t.id", sort: "printf('%015d', 999999999999999 - t.placed_at)", after: laterByTime,
		title: "t.id || ' · ' || c.name", sub: "t.status", flat: true,
		letters: "derived_words", terms: "derived_letters",
		// Also in short, as orderID takes it.
		exact: "t.id = '#W' || substr('0000000', 1 + length(ltrim(upper(?), '#W'))) || ltrim(upper(?), '#W')",
	}
)

func laterByName(k cursorKey) (string, []any) {
	return `(t.name_fold, t.id) > (?, ?)`, []any{k.Sort, k.ID}
}

// laterByTime also takes a place among the hits of another kind: a name comes
// before every time.
func laterByTime(k cursorKey) (string, []any) {
	n, err := strconv.ParseInt(k.Sort, 10, 64)
	if err != nil {
		return "1", nil
	}
	at := timeOfSort(n)
	return `t.placed_at <= ? AND (t.placed_at < ? OR t.id > ?)`, []any{at, at, k.ID}
}

// timeOfSort is the moment that orderSource.sort tells: the later, the smaller.
func timeOfSort(n int64) int64 { return 999_999_999_999_999 - n }

type searchIn struct {
	Query string   `json:"query" jsonschema:"minLength=1,maxLength=200"`
	Kinds []string `json:"kinds,omitempty" jsonschema:"enum=product,enum=customer,enum=order,uniqueItems=true"`
	pageIn
}

func (searchIn) DescribeFields() map[string]string {
	return map[string]string{
		"query": "A name, SKU, barcode, email, phone or order number, or parts of them.",
		"kinds": "Only these kinds.",
	}
}

type searchOut struct {
	Hits []hit `json:"hits"`
	pageOut
}

func searchQuery() bus.Capability {
	return bus.Define(bus.Capability{
		Name: "search.query", Title: "Search everything", Category: "search", Type: bus.TypeData,
		Description: "Searches products, customers and orders at once, best match first; case and accents do not matter. " +
			"Use it when it is not clear what kind of thing is meant. For prices, stock or details it is not enough: follow with catalog.getProduct, customer.get or order.get.",
		SideEffect: bus.Pure, Permissions: []string{"search:read"}, Access: agentMay, Resources: read,
		Searchable: true, Paginated: true,
	}, searchEverything)
}

func searchEverything(ctx context.Context, _ *bus.Call, in searchIn) (searchOut, error) {
	out := searchOut{Hits: []hit{}}
	before, err := decodeCursor(in.Cursor)
	if err != nil {
		return out, err
	}
	relaxed := before.Relaxed
	for _, src := range []source{productSource, customerSource, orderSource} {
		if len(in.Kinds) > 0 && !slices.Contains(in.Kinds, src.kind) {
			continue
		}
		hits, paged, err := search(ctx, src, in.Query, in.pageIn, nil, nil)
		if err != nil {
			return out, err
		}
		out.Hits = append(out.Hits, hits...)
		out.HasMore = out.HasMore || paged.HasMore
		if len(hits) > 0 && hits[0].relaxed && !slices.Contains(relaxed, src.kind) {
			relaxed = append(relaxed, src.kind)
		}
	}
	slices.SortStableFunc(out.Hits, func(a, b hit) int {
		return cmp.Or(cmp.Compare(a.score, b.score), cmp.Compare(a.sort, b.sort), cmp.Compare(a.ID, b.ID))
	})
	if len(out.Hits) > in.Limit {
		out.Hits, out.HasMore = out.Hits[:in.Limit], true
	}
	if out.HasMore {
		out.NextCursor = cursorAfter(out.Hits, relaxed)
	}
	return out, nil
}
