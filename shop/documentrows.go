package shop

import (
	"context"
	"math"
	"time"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/shop/internal/sheet"
)

// listing is what a kind of document lists.
func (s *deskShop) listing(ctx context.Context, call *bus.Call, in documentIn) (listing, error) {
	if in.Kind == kindSales {
		return s.salesListing(ctx, call, in)
	}
	from, to, err := s.moments(in)
	if err != nil {
		return listing{}, err
	}
	var n narrowing
	var l listing
	switch in.Kind {
	case kindProducts:
		if n, err = productSource.whole(ctx, in.Query, n); err != nil {
			return listing{}, err
		}
		l = s.productsListing(n)
		l.count, _, err = find(ctx, scanInt, `SELECT COUNT(*) FROM products t JOIN variants v ON v.product_id = t.id WHERE `+n.String(), n.args...)
	case kindCustomers:
		n.add(`t.created_at >= ? AND t.created_at < ?`, from, to)
		if n, err = customerSource.whole(ctx, in.Query, n); err != nil {
			return listing{}, err
		}
		l = s.customersListing(n)
		l.count, _, err = find(ctx, scanInt, `SELECT COUNT(*) FROM customers t WHERE `+n.String(), n.args...)
	default:
		n.add(`t.placed_at >= ? AND t.placed_at < ?`, from, to)
		if in.Status != "" {
			n.add(`t.status = ?`, in.Status)
		}
		if n, err = orderSource.whole(ctx, in.Query, n); err != nil {
			return listing{}, err
		}
		l = s.ordersListing(from, n)
		l.count, _, err = find(ctx, scanInt, `SELECT COUNT(*) FROM orders t WHERE `+n.String(), n.args...)
	}
	return l, err
}

// moments are the first millisecond of the days, and the first after them.
func (s *deskShop) moments(in documentIn) (from, to int64, err error) {
	from, to = math.MinInt64, math.MaxInt64
	if in.From != "" {
		day, err := s.startOf(in.From, "/from")
		if err != nil {
			return from, to, err
		}
		from = day.UnixMilli()
	}
	if in.To != "" {
		day, err := s.startOf(in.To, "/to")
		if err != nil {
			return from, to, err
		}
		to = day.AddDate(0, 0, 1).UnixMilli()
	}
	if to <= from {
		err = invalid("/to", "The last day, %s, is before the first, %s.", in.To, in.From)
	}
	return from, to, err
}

// local is a moment as the shop's clock shows it.
func (s *deskShop) local(ms int64) time.Time { return time.UnixMilli(ms).In(s.zone()) }

func (s *deskShop) ordersListing(from int64, n narrowing) listing {
	type found struct {
		at     int64
		id     string
		values []any
	}
	scan := func(r row) (f found, err error) {
		var customer, email, status string
		var pieces, subtotal, discount, shipping, tax, total int64
		err = r.Scan(&f.id, &f.at, &customer, &email, &status, &pieces, &subtotal, &discount, &shipping, &tax, &total)
		f.values = []any{f.id, s.local(f.at), customer, email, status, pieces, subtotal, discount, shipping, tax, total, s.Currency}
		return f, err
	}
	return listing{
		title: "Orders", what: "orders", sum: "Total", sumTitle: "Total without cancelled orders",
		counts: func(values []any) bool { return values[4] != statusCancelled },
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
		rows: func(ctx context.Context, emit func(values ...any) error) error {
			at, id := from, ""
			for {
				page, err := list(ctx, scan, `SELECT t.id, t.placed_at, c.name, c.email, t.status,
					(SELECT COALESCE(SUM(quantity), 0) FROM order_lines l WHERE l.order_id = t.id), t.subtotal, t.discount, t.shipping, t.tax, t.total
					FROM orders t JOIN customers c ON c.id = t.customer_id
					WHERE (t.placed_at, t.id) > (?, ?) AND `+n.String()+` ORDER BY t.placed_at, t.id LIMIT ?`, n.between([]any{at, id}, pageOfOthers)...)
				if err != nil || len(page) == 0 {
					return err
				}
				for _, f := range page {
					if err := emit(f.values...); err != nil {
						return err
					}
					at, id = f.at, f.id
				}
			}
		},
	}
}

func (s *deskShop) customersListing(n narrowing) listing {
	type found struct {
		id     string
		values []any
	}
	scan := func(r row) (f found, err error) {
		var name, email, phone, line1, line2, city, region, postal, country string
		var since, orders, spent int64
		err = r.Scan(&f.id, &name, &email, &phone, &line1, &line2, &city, &region, &postal, &country, &since, &orders, &spent)
		f.values = []any{f.id, name, email, phone, line1, line2, city, region, postal, country, s.local(since), orders, spent, s.Currency}
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
		rows: func(ctx context.Context, emit func(values ...any) error) error {
			for id := ""; ; {
				page, err := list(ctx, scan, `SELECT t.id, t.name, t.email, t.phone, COALESCE(a.line1, ''), COALESCE(a.line2, ''), COALESCE(a.city, ''), COALESCE(a.region, ''),
					COALESCE(a.postal_code, ''), COALESCE(a.country, ''), t.created_at,
					(SELECT COUNT(*) FROM orders o WHERE o.customer_id = t.id AND o.status <> '`+statusCancelled+`'),
					(SELECT COALESCE(SUM(total), 0) FROM orders o WHERE o.customer_id = t.id AND o.status <> '`+statusCancelled+`')
					FROM customers t LEFT JOIN addresses a ON a.customer_id = t.id AND a.is_default = 1
					WHERE t.id > ? AND `+n.String()+` ORDER BY t.id LIMIT ?`, n.between([]any{id}, pageOfOthers)...)
				if err != nil || len(page) == 0 {
					return err
				}
				for _, f := range page {
					if err := emit(f.values...); err != nil {
						return err
					}
					id = f.id
				}
			}
		},
	}
}

// longestByDay is how many days of sales are listed one by one; more are by month.
const longestByDay = 366

func (s *deskShop) salesListing(ctx context.Context, call *bus.Call, in documentIn) (listing, error) {
	days := reportDays{From: in.From, To: in.To}
	from, to, err := days.within(s.today(call.Now))
	if err != nil {
		return listing{}, err
	}
	by := byDay
	if to.Sub(from) > longestByDay*24*time.Hour {
		by = byMonth
	}
	report, err := sales(ctx, call, salesIn{days, by})
	if err != nil {
		return listing{}, err
	}
	amount := func(title string, printed bool) listColumn {
		return listColumn{sheet.Column{Title: title, Kind: sheet.Amount, Width: 13}, printed}
	}
	return listing{
		title: "Sales", what: "days", sum: "Net", sumTitle: "Net", count: int64(len(report.Rows)),
		columns: []listColumn{
			{sheet.Column{Title: "When", Width: 12}, true},
			{sheet.Column{Title: "Orders", Kind: sheet.Count, Width: 11}, true},
			amount("Gross", true), amount("Discount", true), amount("Tax", true), amount("Shipping", true), amount("Refunds", true), amount("Net", true),
			{sheet.Column{Title: "Currency", Width: 9}, false},
		},
		rows: func(_ context.Context, emit func(values ...any) error) error {
			for _, r := range report.Rows {
				if err := emit(r.Period, r.Orders, r.Gross.Amount, r.Discount.Amount, r.Tax.Amount, r.Shipping.Amount, r.Refunds.Amount, r.Net.Amount, s.Currency); err != nil {
					return err
				}
			}
			return nil
		},
	}, nil
}
