package transfer

import (
	"context"
	"slices"

	"github.com/deskhand/deskhand/shop/internal/core"
	"github.com/deskhand/deskhand/shop/settings"
	"github.com/deskhand/deskhand/shop/transfer/internal/shopfile"
)

// The number of rows of each kind that an export holds in memory at once, with their children.
const (
	pageOfProducts = 100
)

// exporting writes the tables into one file.
type exporting struct {
	shop     *core.Shop
	out      *shopfile.Writer
	progress func(what string, done int64)

	products, customers, orders int64

	err error // first error of [children]
}

func (e *exporting) run(ctx context.Context) error {
	s := e.shop
	locale := s.Locale
	if locale == core.DefaultLocale {
		locale = ""
	}
	step := s.CashStep
	if step == 1 {
		step = 0
	}
	logo, err := settings.Logo(ctx)
	if err != nil {
		return err
	}
	if err := e.out.Begin(shopfile.Shop{Name: s.Name, Currency: s.Currency, TimeZone: s.TimeZone, Locale: locale,
		PricesIncludeTax: s.PricesIncludeTax, CashStep: step,
		DiscountLimit: s.DiscountLimit, RefundLimit: e.money(s.RefundLimit), Logo: logo, Profile: s.Profile}); err != nil {
		return err
	}
	for _, section := range []struct {
		name   string
		Writes func(context.Context) error
	}{
		{"taxClasses", e.taxClasses}, {"shippingMethods", e.shippingMethods},
		{"products", e.allProducts}, {"customers", e.allCustomers}, {"orders", e.allOrders},
	} {
		if err := e.out.Section(section.name); err != nil {
			return err
		}
		if err := section.Writes(ctx); err != nil {
			return err
		}
	}
	return e.out.Close()
}

func (e *exporting) money(amount int64) shopfile.Money {
	return shopfile.Money{Amount: amount, Currency: e.shop.Currency}
}

func (e *exporting) taxClasses(ctx context.Context) error {
	all, err := core.List(ctx, func(r core.Row) (c shopfile.TaxClass, err error) {
		return c, r.Scan(&c.ID, &c.Name, &c.RatePPM)
	}, `SELECT id, name, rate_ppm FROM tax_classes ORDER BY id`)
	return elements(e.out, all, err)
}

func (e *exporting) shippingMethods(ctx context.Context) error {
	all, err := core.List(ctx, func(r core.Row) (m shopfile.ShippingMethod, err error) {
		m.Price, m.TaxClass = e.money(0), new(string)
		if err = r.Scan(&m.ID, &m.Name, &m.Price.Amount, &m.Days, m.TaxClass); *m.TaxClass == core.Untaxed {
			m.TaxClass = nil
		}
		return m, err
	}, `SELECT id, name, price, days, tax_class FROM shipping_methods ORDER BY position, id`)
	return elements(e.out, all, err)
}

func elements[T any](out *shopfile.Writer, all []T, err error) error {
	for i := range all {
		if err == nil {
			err = out.Element(all[i])
		}
	}
	return err
}

func (e *exporting) allProducts(ctx context.Context) error {
	return pages(e, "products", &e.products, func(last shopfile.Product) ([]shopfile.Product, error) {
		page, err := core.List(ctx, func(r core.Row) (p shopfile.Product, err error) {
			var names [3]string
			p.Published = new(bool)
			err = r.Scan(&p.ID, &p.Handle, &p.Name, &p.Description, &p.Vendor, &p.Kind, &p.Image, &names[0], &names[1],
				&names[2], &p.TaxClass, p.Published, &p.DefaultVariantID, &p.CreatedAt)
			p.Options = filled(names)
			return p, err
		}, `SELECT id, handle, name, description, vendor, kind, image, option1, option2, option3, tax_class, published,
			default_variant_id, created_at
			FROM products WHERE id > ? ORDER BY id LIMIT ?`, last.ID, pageOfProducts)
		if err != nil {
			return nil, err
		}
		some := core.JSONList(idsOf(page, func(p *shopfile.Product) string { return p.ID }))
		tags := children(ctx, e, func(r core.Row) (id, tag string, err error) { return id, tag, r.Scan(&id, &tag) },
			`SELECT product_id, tag FROM product_tags WHERE product_id IN (SELECT value FROM json_each(?))
				ORDER BY product_id, tag_fold`, some)
		variants := e.variants(ctx, some)
		for i := range page {
			p := &page[i]
			p.Tags, p.Variants = tags[p.ID], variants[p.ID]
			if p.Picture, _, err = core.Find(ctx, core.ScanBytes,
				`SELECT jpeg FROM product_pictures WHERE product_id = ?`, p.ID); err != nil {
				return nil, err
			}
		}
		return page, e.err
	})
}

// variants returns the variants of products, by product.
func (e *exporting) variants(ctx context.Context, products string) map[string][]shopfile.Variant {
	const theirs = ` IN (SELECT v.id FROM variants v WHERE v.product_id IN (SELECT value FROM json_each(?)))`
	prices := children(ctx, e, func(r core.Row) (id string, c shopfile.PriceChange, err error) {
		c.Was, c.Is = e.money(0), e.money(0)
		return id, c, r.Scan(&id, &c.ID, &c.Was.Amount, &c.Is.Amount, &c.By, &c.Time)
	}, `SELECT variant_id, id, price_was, price, person, at FROM price_changes
		WHERE variant_id`+theirs+` ORDER BY at, rowid`, products)
	moves := children(ctx, e, func(r core.Row) (id string, m shopfile.Movement, err error) {
		var cost *int64
		err = r.Scan(&id, &m.ID, &m.Delta, &m.Reason, &m.Note, &cost, &m.By, &m.Time)
		m.Cost = e.known(cost)
		return id, m, err
	}, `SELECT variant_id, id, delta, reason, note, cost, person, at FROM stock_movements WHERE order_id = ''
		AND variant_id`+theirs+` ORDER BY at, rowid`, products)
	return children(ctx, e, func(r core.Row) (product string, v shopfile.Variant, err error) {
		var values [3]string
		var cost, compareAt *int64
		v.Price, v.Available = e.money(0), new(bool)
		err = r.Scan(&product, &v.ID, &v.SKU, &v.Barcode, &values[0], &values[1], &values[2], &v.Price.Amount, &v.Stock,
			&v.ReorderLevel, &cost, &compareAt, &v.WeightGrams, &v.WeightUnit, &v.Image, &v.Backorder, v.Available)
		v.Cost, v.CompareAt = e.known(cost), e.known(compareAt)
		v.Options, v.PriceChanges, v.Movements = filled(values), prices[v.ID], some(moves[v.ID])
		return product, v, err
	}, `SELECT product_id, id, sku, barcode, option1, option2, option3, price, stock, reorder_level, cost, compare_at,
		weight_grams, weight_unit, image, backorder, available FROM variants
		WHERE product_id IN (SELECT value FROM json_each(?)) ORDER BY product_id, position`, products)
}

// known converts an optional amount.
func (e *exporting) known(amount *int64) *shopfile.Money {
	if amount == nil {
		return nil
	}
	m := e.money(*amount)
	return &m
}

func (e *exporting) allCustomers(ctx context.Context) error {
	return pages(e, "customers", &e.customers, func(last shopfile.Customer) ([]shopfile.Customer, error) {
		page, err := core.List(ctx, func(r core.Row) (c shopfile.Customer, err error) {
			return c, r.Scan(&c.ID, &c.Name, &c.Email, &c.Phone, &c.CreatedAt, &c.ErasedAt)
		}, `SELECT id, name, email, phone, created_at, erased_at FROM customers WHERE id > ? ORDER BY id
			LIMIT ?`, last.ID, core.BatchSize)
		if err != nil {
			return nil, err
		}
		some := core.JSONList(idsOf(page, func(c *shopfile.Customer) string { return c.ID }))
		addresses := children(ctx, e, func(r core.Row) (id string, a shopfile.Address, err error) {
			return id, a, r.Scan(&id, &a.ID, &a.Label, &a.Line1, &a.Line2, &a.City, &a.Region, &a.PostalCode, &a.Country,
				&a.Default, &a.CreatedAt)
		}, `SELECT customer_id, id, label, line1, line2, city, region, postal_code, country, is_default, created_at
			FROM addresses
			WHERE customer_id IN (SELECT value FROM json_each(?)) ORDER BY customer_id, created_at, id`, some)
		methods := children(ctx, e, func(r core.Row) (id string, m shopfile.PaymentMethod, err error) {
			var balance *int64
			err = r.Scan(&id, &m.ID, &m.Kind, &m.Brand, &m.LastFour, &balance, &m.Default, &m.CreatedAt, &m.LastUsedAt)
			m.Balance = e.known(balance)
			return id, m, err
		}, `SELECT customer_id, id, kind, brand, last_four, balance, is_default, created_at, last_used_at FROM payment_methods
			WHERE customer_id IN (SELECT value FROM json_each(?)) ORDER BY customer_id, created_at, id`, some)
		notes := children(ctx, e, func(r core.Row) (id string, n shopfile.Note, err error) {
			return id, n, r.Scan(&id, &n.ID, &n.Text, &n.By, &n.Time)
		}, `SELECT customer_id, id, text, person, at FROM customer_notes
			WHERE customer_id IN (SELECT value FROM json_each(?)) ORDER BY customer_id, at, rowid`, some)
		for i := range page {
			c := &page[i]
			c.Addresses, c.Methods, c.Notes = addresses[c.ID], methods[c.ID], notes[c.ID]
			sayDefault(len(c.Addresses), func(i int) **bool { return &c.Addresses[i].Default })
			sayDefault(len(c.Methods), func(i int) **bool { return &c.Methods[i].Default })
		}
		return page, e.err
	})
}

// pages writes rows in pages and counts them. Each page continues after the last row of the previous page.
func pages[T any](e *exporting, what string, written *int64, next func(last T) ([]T, error)) error {
	var last T
	for {
		page, err := next(last)
		if err != nil || len(page) == 0 {
			return err
		}
		if err := elements(e.out, page, nil); err != nil {
			return err
		}
		last = page[len(page)-1]
		*written += int64(len(page))
		e.progress(what, *written)
	}
}

// children reads the dependent rows of a page, by the id of their owner. After an error it reads nothing.
func children[T any](ctx context.Context, e *exporting, scan func(core.Row) (string, T, error), query,
	owners string) map[string][]T {
	all := map[string][]T{}
	if e.err != nil {
		return all
	}
	_, e.err = core.List(ctx, func(r core.Row) (struct{}, error) {
		owner, v, err := scan(r)
		all[owner] = append(all[owner], v)
		return struct{}{}, err
	}, query, owners)
	return all
}

func idsOf[T any](page []T, id func(*T) string) []string {
	ids := make([]string, len(page))
	for i := range page {
		ids[i] = id(&page[i])
	}
	return ids
}

// filled returns the options up to the last non-empty one.
func filled(options [3]string) []string {
	n := len(options)
	for n > 0 && options[n-1] == "" {
		n--
	}
	return slices.Clone(options[:n])
}

// some returns a list that the file contains even when it is empty.
func some[T any](all []T) *[]T {
	if all == nil {
		all = []T{}
	}
	return &all
}

// sayDefault removes the redundant default marks of n items. Only the default item keeps its mark. If there is none, as
// after an undone addition, the first item keeps its false mark.
func sayDefault(n int, of func(int) **bool) {
	none := true
	for i := range n {
		none = none && !**of(i)
	}
	for i := range n {
		if is := of(i); !**is && (!none || i > 0) {
			*is = nil
		}
	}
}
