package transfer

import (
	"cmp"
	"context"
	"errors"

	"github.com/deskhand/deskhand/audit"
	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/shop/customer"
	"github.com/deskhand/deskhand/shop/internal/core"
	"github.com/deskhand/deskhand/shop/internal/text"
	"github.com/deskhand/deskhand/shop/settings"
	"github.com/deskhand/deskhand/shop/transfer/internal/shopfile"
)

// importing writes the elements of a file into an empty shop in the order of the file, so that referenced elements
// already exist. It holds each element only while writing it.
type importing struct {
	ctx      context.Context
	call     *bus.Call
	progress func(what string, done int64)

	shop     core.Shop
	taxClass string // the first class, for products that name none
	ways     int64  // number of shipping methods so far
	// opening holds the variants without movements in the file. When all orders are known, each gets an opening
	// movement that explains its stock.
	opening map[string]bool

	products, customers, orders int64

	err error // from the first row that could not be added
}

var _ shopfile.Visitor = (*importing)(nil)

// Shop implements [shopfile.Visitor]. It replaces the defaults of a new shop.
func (im *importing) Shop(at shopfile.Place, s *shopfile.Shop) error {
	if e, bad := errors.AsType[*bus.Error](core.CheckPlace("", s.Country, s.Currency, s.TimeZone)); bad {
		return at.Refuse(e.Violations[0].Path, "%s", e.MessageText())
	}
	locale, err := core.LocaleOf(cmp.Or(s.Locale, core.DefaultLocale))
	if err != nil {
		return at.Refuse("/locale", "There is no locale %q.", s.Locale)
	}
	im.shop = core.Shop{Name: s.Name, Currency: s.Currency, TimeZone: s.TimeZone, PricesIncludeTax: s.PricesIncludeTax,
		DiscountLimit: s.DiscountLimit, RefundLimit: s.RefundLimit.Amount, CashStep: max(s.CashStep, 1)}
	for _, stmt := range []string{`DELETE FROM tax_classes`, `DELETE FROM shipping_methods`} {
		if err := core.Exec(im.ctx, stmt); err != nil {
			return err
		}
	}
	if len(s.Logo) > 0 {
		kept, err := im.picture(at, "/logo", s.Logo)
		if err == nil {
			err = settings.WriteLogo(im.ctx, kept)
		}
		if err != nil {
			return err
		}
	}
	return core.Exec(im.ctx, `UPDATE shop SET name = ?, currency = ?, time_zone = ?, locale = ?, prices_include_tax = ?,
		discount_limit = ?, refund_limit = ?, country = ?, address = ?, phone = ?, email = ?, tax_number = ?, footer = ?,
		cash_step = ?`,
		s.Name, s.Currency, s.TimeZone, locale, core.Bit(s.PricesIncludeTax), s.DiscountLimit, s.RefundLimit.Amount,
		s.Country, s.Address, s.Phone, s.Email, s.TaxNumber, s.Footer, im.shop.CashStep)
}

// TaxClass implements [shopfile.Visitor].
func (im *importing) TaxClass(at shopfile.Place, c *shopfile.TaxClass) error {
	im.taxClass = cmp.Or(im.taxClass, c.ID)
	im.insert(twice(at, "/id", c.ID), `tax_classes (id, name, rate_ppm)`, c.ID, c.Name, c.RatePPM)
	return im.err
}

// ShippingMethod implements [shopfile.Visitor].
func (im *importing) ShippingMethod(at shopfile.Place, m *shopfile.ShippingMethod) error {
	im.ways++
	class := core.Untaxed
	if m.TaxClass != nil {
		class = *m.TaxClass
	}
	if class != "" && class != core.Untaxed {
		known, err := core.Exists(im.ctx, `SELECT 1 FROM tax_classes WHERE id = ?`, class)
		if im.note(err); err == nil && !known {
			return at.Refuse("/taxClass", "There is no tax class %q.", class)
		}
	}
	im.insert(twice(at, "/id", m.ID), `shipping_methods (id, name, price, days, position, tax_class)`, m.ID, m.Name,
		m.Price.Amount, m.Days, im.ways-1, class)
	return im.err
}

// insert adds a row like [core.Insert] unless an earlier error occurred. A duplicate unique value gives the error
// taken.
func (im *importing) insert(taken *shopfile.Problem, into string, values ...any) {
	if im.err != nil {
		return
	}
	res, err := audit.Tx(im.ctx).ExecContext(im.ctx, core.InsertInto(into, len(values))+` ON CONFLICT DO NOTHING`,
		values...)
	var n int64
	if err == nil {
		n, err = res.RowsAffected()
	}
	if im.err = err; err == nil && n == 0 {
		im.err = taken
	}
}

// note stores the first error.
func (im *importing) note(err error) { im.err = cmp.Or(im.err, err) }

// twice refuses an id that another element of the same kind has.
func twice(at shopfile.Place, path, id string) *shopfile.Problem {
	return at.Refuse(path, "The id %q stands twice in the file.", id)
}

// id returns the id in the file, or a new one.
func (im *importing) id(given, prefix string) string {
	if given != "" {
		return given
	}
	return im.call.NewID(prefix)
}

// Customer implements [shopfile.Visitor].
func (im *importing) Customer(at shopfile.Place, c *shopfile.Customer) error {
	c.CreatedAt = cmp.Or(c.CreatedAt, im.call.Now.UnixMilli())
	digits := text.Digits(c.Phone)
	words := []string{c.Name, c.Email, c.Phone, digits}
	for i := range c.Addresses {
		words = append(words, core.Place(c.Addresses[i].Line1, c.Addresses[i].PostalCode))
	}
	im.insert(twice(at, "/id", c.ID), `customers (id, name, email, phone, phone_digits, name_fold, search_fold,
		created_at, erased_at)`, c.ID, c.Name, c.Email, c.Phone, digits, text.Fold(c.Name),
		text.Fold(words...), c.CreatedAt, c.ErasedAt)
	preferred, err := only(at, "/addresses", len(c.Addresses), func(i int) *bool { return c.Addresses[i].Default })
	im.note(err)
	for i := range c.Addresses {
		im.addAddress(twice(at, item("/addresses", i, "/id"), c.Addresses[i].ID), c, &c.Addresses[i], i == preferred)
	}
	preferred, err = only(at, "/paymentMethods", len(c.Methods), func(i int) *bool { return c.Methods[i].Default })
	im.note(err)
	for i := range c.Methods {
		if c.Methods[i].ID == customer.CashID {
			im.note(at.Refuse(item("/paymentMethods", i, "/id"), "Everybody can pay with cash: no method is called so."))
		}
		im.addMethod(twice(at, item("/paymentMethods", i, "/id"), c.Methods[i].ID), c, &c.Methods[i], i == preferred)
	}
	for i, n := range c.Notes {
		im.insert(twice(at, item("/notes", i, "/id"), n.ID), `customer_notes (id, customer_id, text, person, at)`,
			im.id(n.ID, "note"), c.ID, n.Text, n.By, n.Time)
	}
	im.customers++
	im.progress("customers", im.customers)
	return im.err
}

// addAddress writes an address of a customer.
func (im *importing) addAddress(taken *shopfile.Problem, c *shopfile.Customer, a *shopfile.Address, preferred bool) {
	im.insert(taken, `addresses (id, customer_id, label, line1, line2, city, region, postal_code, postal_fold,
		country, is_default, created_at)`,
		im.id(a.ID, "adr"), c.ID, a.Label, a.Line1, a.Line2, a.City, a.Region, a.PostalCode,
		customer.FoldPostalCode(a.PostalCode), a.Country, core.Bit(preferred), cmp.Or(a.CreatedAt, c.CreatedAt))
}

// addMethod writes a payment method of a customer.
func (im *importing) addMethod(taken *shopfile.Problem, c *shopfile.Customer, m *shopfile.PaymentMethod,
	preferred bool) {
	im.insert(taken, `payment_methods (id, customer_id, kind, brand, last_four, balance, is_default, created_at,
		last_used_at)`,
		m.ID, c.ID, m.Kind, m.Brand, m.LastFour, known(m.Balance), core.Bit(preferred), cmp.Or(m.CreatedAt, c.CreatedAt),
		m.LastUsedAt)
}

// known converts an optional amount for a column.
func known(m *shopfile.Money) any {
	if m == nil {
		return nil
	}
	return m.Amount
}

// only returns the index of the default among n items: the first item if no item has a mark, and -1 if all marks are
// false.
func only(at shopfile.Place, list string, n int, is func(int) *bool) (int, error) {
	found, said := -1, false
	for i := range n {
		this := is(i)
		said = said || this != nil
		switch {
		case this == nil || !*this:
		case found >= 0:
			return 0, at.Refuse(item(list, i, "/default"), "There is another default already.")
		default:
			found = i
		}
	}
	if !said {
		found = 0
	}
	return found, nil
}

// finish adds movements so that the stock of every counted variant equals the sum of its movements.
func (im *importing) finish() error {
	type gap struct {
		variant       string
		stock, moved  int64
		product, rank int64
		at            int64
	}
	gaps, err := core.List(im.ctx, func(r core.Row) (g gap, err error) {
		return g, r.Scan(&g.variant, &g.stock, &g.moved, &g.product, &g.rank, &g.at)
	}, `SELECT v.id, v.stock, COALESCE(m.moved, 0), (SELECT COUNT(*) FROM products q WHERE q.rowid < p.rowid),
		v.position - 1, min(p.created_at, COALESCE(m.since - 1, p.created_at))
		FROM variants v JOIN products p ON p.id = v.product_id
		LEFT JOIN (SELECT variant_id, SUM(delta) AS moved, MIN(at) AS since FROM stock_movements
		GROUP BY variant_id) m ON m.variant_id = v.id
		WHERE v.stock IS NOT NULL AND v.stock <> COALESCE(m.moved, 0) ORDER BY v.rowid`)
	if err != nil {
		return err
	}
	for _, g := range gaps {
		if !im.opening[g.variant] {
			p := shopfile.Place{Path: item("/products", int(g.product), item("/variants", int(g.rank), ""))}
			return p.Refuse("/stock", "The stock is %d and its movements make it %d.", g.stock, g.moved)
		}
		im.note(core.Insert(im.ctx, `stock_movements (id, variant_id, delta, reason, person, at)`,
			im.call.NewID("mov"), g.variant, g.stock-g.moved, "opening", im.call.Person.ID, g.at))
	}
	return im.err
}

// item returns the JSON Pointer to a part of a list item.
func item(list string, i int, part string) string { return list + shopfile.Index(i) + part }
