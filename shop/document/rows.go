package document

import (
	"context"
	"encoding/json"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/shop/catalog"
	"github.com/deskhand/deskhand/shop/customer"
	"github.com/deskhand/deskhand/shop/document/internal/sheet"
	"github.com/deskhand/deskhand/shop/internal/core"
	"github.com/deskhand/deskhand/shop/order"
)

// listingOf returns the rows of one kind of document.
func listingOf(ctx context.Context, s *core.Shop, call *bus.Call, in documentIn) (listing, error) {
	if list, is := reports[in.Kind]; is {
		return list(ctx, s, call, in)
	}
	from, to, err := s.Moments(in.Days)
	if err != nil {
		return listing{}, err
	}
	var n core.Filter
	var source core.Source
	var table string
	var list func(core.Filter) listing
	switch in.Kind {
	case kindProducts:
		source, table = catalog.Source, `products t JOIN variants v ON v.product_id = t.id`
		list = func(n core.Filter) listing { return productsListing(s, n) }
	case kindCustomers:
		source, table, n = customer.Source, `customers t`, n.And(`t.created_at >= ? AND t.created_at < ?`, from, to)
		list = func(n core.Filter) listing { return customersListing(s, n) }
	default:
		source, table, n = order.Source, `orders t`, n.And(`t.placed_at >= ? AND t.placed_at < ?`, from, to)
		if in.Status != "" {
			n = n.And(`t.status = ?`, in.Status)
		}
		list = func(n core.Filter) listing { return ordersListing(s, from, n) }
	}
	if ids := in.chosen(); len(ids) > 0 {
		picked, err := json.Marshal(ids)
		if err != nil {
			return listing{}, err
		}
		n = n.And(`t.id IN (SELECT value FROM json_each(?))`, string(picked))
	}
	if n, err = source.As(in.SpellingIn).Matching(ctx, in.Query, n); err != nil {
		return listing{}, err
	}
	l := list(n)
	l.count, _, err = core.Find(ctx, core.ScanInt, `SELECT COUNT(*) FROM `+table+` WHERE `+n.String(), n.Args...)
	return l, err
}

func ordersListing(s *core.Shop, from int64, n core.Filter) listing {
	scan := func(r core.Row) (f listRow, err error) {
		var id, customer, email, status string
		var at, pieces, subtotal, discount, shipping, tax, total int64
		err = r.Scan(&id, &at, &customer, &email, &status, &pieces, &subtotal, &discount, &shipping, &tax, &total)
		f.key = []any{at, id}
		f.values = []any{id, s.Local(at), customer, email, inWords(status), pieces, subtotal, discount, shipping, tax, total,
			s.Currency}
		return f, err
	}
	return listing{
		title: "Orders", what: "orders", sum: "Total", sumTitle: "Total without cancelled orders",
		counts: func(values []any) bool { return values[4] != inWords(order.StatusCancelled) },
		columns: []listColumn{
			{sheet.Column{Title: "Number", Width: 12}, true},
			{sheet.Column{Title: "Day", Kind: sheet.Day, Width: 16}, true},
			{sheet.Column{Title: "Customer", Width: 30}, true},
			{sheet.Column{Title: "Email", Width: 30}, false},
			{sheet.Column{Title: "Status", Width: 12}, true},
			{sheet.Column{Title: "Pieces", Kind: sheet.Count, Width: 11}, true},
			{sheet.Column{Title: "Subtotal", Kind: sheet.Amount, Width: 12}, false},
			{sheet.Column{Title: "Discount", Kind: sheet.Amount, Width: 12}, false},
			{sheet.Column{Title: "Shipping", Kind: sheet.Amount, Width: 12}, false},
			{sheet.Column{Title: "Tax", Kind: sheet.Amount, Width: 12}, true},
			{sheet.Column{Title: "Total", Kind: sheet.Amount, Width: 14}, true},
			{sheet.Column{Title: "Currency", Width: 9}, false},
		},
		rows: paged(scan, `SELECT t.id, t.placed_at, COALESCE(c.name, ''), COALESCE(c.email, ''), t.status,
			(SELECT COALESCE(SUM(quantity), 0) FROM order_lines l WHERE l.order_id = t.id), t.subtotal, t.discount, t.shipping,
			t.tax, t.total
			FROM orders t LEFT JOIN customers c ON c.id = t.customer_id
			WHERE (t.placed_at, t.id) > (?, ?) AND `+n.String()+` ORDER BY t.placed_at, t.id LIMIT ?`, n, from, ""),
	}
}

func customersListing(s *core.Shop, n core.Filter) listing {
	scan := func(r core.Row) (f listRow, err error) {
		var id, name, email, phone, line1, line2, city, region, postal, country string
		var since, orders, spent int64
		err = r.Scan(&id, &name, &email, &phone, &line1, &line2, &city, &region, &postal, &country, &since, &orders, &spent)
		f.key = []any{id}
		f.values = []any{id, name, email, phone, line1, line2, city, region, postal, country, s.Local(since), orders, spent,
			s.Currency}
		return f, err
	}
	return listing{
		title: "Customers", what: "customers",
		columns: []listColumn{
			{sheet.Column{Title: "Id", Width: 20}, false},
			{sheet.Column{Title: "Name", Width: 26}, true},
			{sheet.Column{Title: "Email", Width: 38}, true},
			{sheet.Column{Title: "Phone", Width: 21}, true},
			{sheet.Column{Title: "Address", Width: 30}, false},
			{sheet.Column{Title: "More", Width: 20}, false},
			{sheet.Column{Title: "City", Width: 18}, false},
			{sheet.Column{Title: "Region", Width: 12}, false},
			{sheet.Column{Title: "Postal code", Width: 12}, false},
			{sheet.Column{Title: "Country", Width: 9}, false},
			{sheet.Column{Title: "Since", Kind: sheet.Day, Width: 16}, true},
			{sheet.Column{Title: "Orders", Kind: sheet.Count, Width: 11}, true},
			{sheet.Column{Title: "Spent", Kind: sheet.Amount, Width: 14}, true},
			{sheet.Column{Title: "Currency", Width: 9}, false},
		},
		rows: paged(scan, `SELECT t.id, t.name, t.email, t.phone, COALESCE(a.line1, ''), COALESCE(a.line2,
			''), COALESCE(a.city, ''), COALESCE(a.region, ''),
			COALESCE(a.postal_code, ''), COALESCE(a.country, ''), t.created_at,
			(SELECT COUNT(*) FROM orders o WHERE o.customer_id = t.id AND o.status <> '`+order.StatusCancelled+`'),
			(SELECT COALESCE(SUM(total), 0) FROM orders o WHERE o.customer_id = t.id AND o.status <> '`+order.StatusCancelled+
			`')
			FROM customers t LEFT JOIN addresses a ON a.customer_id = t.id AND a.is_default = 1
			WHERE t.id > ? AND `+n.String()+` ORDER BY t.id LIMIT ?`, n, ""),
	}
}
