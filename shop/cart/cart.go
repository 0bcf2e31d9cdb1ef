package cart

import (
	"cmp"
	"context"
	"database/sql"
	"slices"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/shop/catalog"
	"github.com/deskhand/deskhand/shop/customer"
	"github.com/deskhand/deskhand/shop/internal/core"
)

// cartLine is a line of a cart at the current price.
type cartLine struct {
	ID        string            `json:"id" doc:"The same as lineId."`
	LineID    string            `json:"lineId"`
	ProductID string            `json:"productId"`
	VariantID string            `json:"variantId" doc:"Empty: an open item."`
	SKU       string            `json:"sku,omitempty" x:"detail=2"`
	Barcode   string            `json:"barcode,omitempty" x:"detail=2"`
	Name      string            `json:"name"`
	Label     string            `json:"label,omitempty" doc:"The options as text."`
	Options   map[string]string `json:"options" x:"detail=1"`
	Quantity  int64             `json:"quantity"`
	Price     core.Money        `json:"price"`
	Total     core.Money        `json:"total"`
	Discount  *core.Money       `json:"discount,omitempty" doc:"Of this line alone."`
	Reason    string            `json:"discountReason,omitempty"`
	Instead   *core.Money       `json:"listPrice,omitempty" doc:"What the catalog says, where the line has another price."`
	PriceNote string            `json:"priceReason,omitempty"`
	Note      string            `json:"note,omitempty"`

	variant  catalog.Variant
	taxClass string // of an open item
	position int64
	ownPrice sql.NullInt64
	lowered  discount // by a price set for this line
	discount discount
}

// Off returns the discount of this line: a percentage or an amount.
func (l *cartLine) Off() (percent, amount int64) { return l.discount.percent, l.discount.amount }

// discount is a percentage or an amount.
type discount struct {
	percent, amount int64
	bounded         bool // subject to the clerk's limit
}

// of returns the amount of the discount on a total.
func (d discount) of(total int64) int64 {
	if d.percent > 0 {
		return core.Share(total, d.percent, 100)
	}
	return min(d.amount, total)
}

// Off returns the discount on all lines together: a percentage or an amount.
func (c *Cart) Off() (percent, amount int64) { return c.percent, c.amount }

// Cart is a cart with all the data that determines its total.
type Cart struct {
	ID       string
	status   string
	label    string
	Customer *customer.Customer // nil for a walk-in
	Lines    []cartLine
	said     string               // chosen way of delivery; "" for the default, which depends on the customer
	Shipping *core.ShippingMethod // nil if nothing is delivered or the shop has no method
	method   *core.ShippingMethod // for a cart that is delivered
	discount
	Reason string
	Note   string
	Sums   core.Sums
}

const cartColumns = `c.id, COALESCE(c.customer_id, ''), c.status, c.label, c.fulfilment, c.shipping_method,
	c.discount_percent,
	c.discount_amount, c.discount_reason, NOT c.discount_unbounded, c.note FROM carts c`

// Current returns a person's current cart, or nil if there is none.
func Current(ctx context.Context, s *core.Shop, person string) (*Cart, error) {
	return loadCart(ctx, s, `SELECT `+cartColumns+` JOIN current_carts cc ON cc.cart_id = c.id WHERE cc.person = ?
		AND c.status = 'open'`, person)
}

// openCart returns the open cart of a customer, or nil if there is none.
func openCart(ctx context.Context, s *core.Shop, customerID string) (*Cart, error) {
	return loadCart(ctx, s, `SELECT `+cartColumns+` WHERE c.customer_id = ? AND c.status = 'open'`, customerID)
}

// cartByID returns a cart, or nil if there is none.
func cartByID(ctx context.Context, s *core.Shop, id string) (*Cart, error) {
	return loadCart(ctx, s, `SELECT `+cartColumns+` WHERE c.id = ?`, id)
}

func loadCart(ctx context.Context, s *core.Shop, query string, args ...any) (*Cart, error) {
	var customerID, method string
	c, found, err := core.Find(ctx, func(r core.Row) (*Cart, error) {
		var c Cart
		return &c, r.Scan(&c.ID, &customerID, &c.status, &c.label, &c.said, &method, &c.percent, &c.amount, &c.Reason,
			&c.bounded, &c.Note)
	}, query, args...)
	if err != nil || !found {
		return nil, err
	}
	if customerID != "" {
		customer, err := customer.ByID(ctx, customerID)
		if err != nil {
			return nil, err
		}
		c.Customer = &customer
	}
	methods, err := s.ShippingMethods(ctx)
	if err != nil {
		return nil, err
	}
	for i := range methods {
		if i == 0 || methods[i].ID == method {
			c.method = &methods[i]
		}
	}
	if err := loadLines(ctx, s, c); err != nil {
		return nil, err
	}
	c.addUp(s, c.Fulfilment())
	return c, nil
}

// Fulfilment returns the way of delivery: the chosen one, or else delivery for a customer and take-away for a walk-in.
func (c *Cart) Fulfilment() string {
	switch {
	case c.said != "":
		return c.said
	case c.Customer != nil:
		return core.Deliver
	}
	return core.TakeAway
}

// For adjusts the cart to the arguments of a checkout. An address without a fulfilment means delivery. Both may be
// empty.
func (c *Cart) For(s *core.Shop, fulfilment, addressID string) {
	switch {
	case c == nil:
		return
	case fulfilment != "":
		c.said = fulfilment
	case addressID != "":
		c.said = core.Deliver
	}
	c.addUp(s, c.Fulfilment())
}

// PaidBy returns the methods that can pay for the cart: the customer's saved ones and the shop's own. At the counter,
// the shop's own come first. The default moves to the front; a gift card whose balance is too low cannot be the
// default.
func (c *Cart) PaidBy(ctx context.Context, s *core.Shop) (all []customer.PaymentMethod, err error) {
	if c.Customer != nil {
		if all, err = customer.Methods(ctx, s, c.Customer.ID); err != nil {
			return nil, err
		}
	}
	if c.Fulfilment() == core.Deliver {
		all = append(all, customer.Unsaved()...)
	} else {
		all = append(customer.Unsaved(), all...)
	}
	first := slices.IndexFunc(all, func(m customer.PaymentMethod) bool { return m.Covers(c.Sums.Total) })
	standard := all[first]
	all = slices.Insert(slices.Delete(all, first, first+1), 0, standard)
	for i := range all {
		all[i].Default = i == 0
	}
	return all, nil
}

// addUp adds up the lines. Only a delivered cart has a shipping method.
func (c *Cart) addUp(s *core.Shop, fulfilment string) {
	priced := make([]core.PricedLine, len(c.Lines))
	for i, l := range c.Lines {
		priced[i] = core.PricedLine{Price: l.Price.Amount, Quantity: l.Quantity, RatePPM: l.variant.RatePPM,
			Discount: l.discount.of(l.Total.Amount)}
	}
	if c.Shipping = nil; fulfilment == core.Deliver {
		c.Shipping = c.method
	}
	shipping := c.Shipping.Costs()
	if len(c.Lines) == 0 {
		shipping = core.Shipping{}
	}
	c.Sums = core.SumUp(priced, c.percent, c.amount, shipping, s.PricesIncludeTax)
}

// lineColumns are the columns of a line that do not come from its variant.
const lineColumns = `SELECT l.variant_id, l.position, l.quantity, l.discount_percent, l.discount_amount,
	NOT l.discount_unbounded, l.discount_reason, l.note, l.price, l.price_reason, NOT l.price_unbounded, l.tax_class, `

// loadLines reads the lines of a cart.
func loadLines(ctx context.Context, s *core.Shop, c *Cart) error {
	c.Lines = []cartLine{}
	for query, scan := range map[string]func(*core.Shop, core.Row) (catalog.Variant, error){
		catalog.VariantColumns + ` JOIN cart_lines l ON v.id = COALESCE(l.sold, l.variant_id)
			WHERE l.title = ''`: catalog.ScanVariant,

		`l.title, COALESCE(t.rate_ppm, 0) FROM cart_lines l LEFT JOIN tax_classes t ON t.id = l.tax_class
			WHERE l.title <> ''`: scanOpen,
	} {
		found, err := core.List(ctx, func(r core.Row) (l cartLine, err error) {
			l.variant, err = scan(s, prefixed{r, []any{&l.ID, &l.position, &l.Quantity, &l.discount.percent, &l.discount.amount,
				&l.discount.bounded, &l.Reason, &l.Note, &l.ownPrice, &l.PriceNote, &l.lowered.bounded, &l.taxClass}})
			l.complete(s)
			return l, err
		}, lineColumns+query+` AND l.cart_id = ?`, c.ID)
		if err != nil {
			return err
		}
		c.Lines = append(c.Lines, found...)
	}
	slices.SortStableFunc(c.Lines, func(a, b cartLine) int { // an undo may leave two lines with the same position
		return cmp.Or(cmp.Compare(a.position, b.position), cmp.Compare(a.ID, b.ID))
	})
	return nil
}

// scanOpen reads the title and price of an open item, which has no variant.
func scanOpen(_ *core.Shop, r core.Row) (v catalog.Variant, err error) {
	v.Options, v.Offered, v.Available = map[string]string{}, true, true
	return v, r.Scan(&v.ProductName, &v.RatePPM)
}

// complete computes the fields that depend on the variant and the price.
func (l *cartLine) complete(s *core.Shop) {
	v := &l.variant
	l.LineID, l.ProductID, l.VariantID, l.SKU, l.Barcode = l.ID, v.ProductID, v.ID, v.SKU, v.Barcode
	l.Name, l.Label, l.Options, l.Price = v.ProductName, v.Label, v.Options, v.Price
	if l.ownPrice.Valid {
		if l.Price = s.Money(l.ownPrice.Int64); v.ID != "" && v.Price.Amount != l.Price.Amount {
			l.Instead = &v.Price
			l.lowered.amount = max(0, v.Price.Amount-l.Price.Amount) * l.Quantity
		}
	}
	l.Total = s.Money(l.Price.Amount * l.Quantity)
	if off := l.discount.of(l.Total.Amount); off > 0 {
		m := s.Money(off)
		l.Discount = &m
	}
}

// prefixed scans the first columns into its first pointers and the rest into the pointers that Scan receives.
type prefixed struct {
	core.Row
	first []any
}

func (p prefixed) Scan(dest ...any) error { return p.Row.Scan(append(p.first, dest...)...) }

// Owner returns the cart's customer for a sentence.
func (c *Cart) Owner() bus.Text {
	if c == nil || c.Customer == nil {
		return bus.Textf("the cart")
	}
	return bus.Textf("%s's cart", c.Customer.Name)
}

// Count returns the number of pieces.
func (c *Cart) Count() int64 {
	var n int64
	if c != nil {
		for _, l := range c.Lines {
			n += l.Quantity
		}
	}
	return n
}

// ids returns the ids that a change of the cart affects.
func (c *Cart) ids() []string {
	if c.Customer == nil {
		return []string{c.ID}
	}
	return []string{c.ID, c.Customer.ID}
}

// Problems lists the reasons why a cart cannot be submitted. The checkout asks for the address and payment method.
func Problems(ctx context.Context, s *core.Shop, c *Cart) ([]bus.Text, error) {
	out := []bus.Text{}
	if c == nil {
		return append(out, bus.Textf("There is no open cart.")), nil
	}
	switch {
	case c.Fulfilment() != core.Deliver:
	case c.Customer == nil:
		out = append(out, bus.Textf("The cart has no customer to deliver to."))
	default:
		has, err := core.Exists(ctx, `SELECT 1 FROM addresses WHERE customer_id = ?`, c.Customer.ID)
		if err != nil {
			return nil, err
		}
		if !has {
			out = append(out, bus.Textf("%s has no saved address.", c.Customer.Name))
		}
	}
	if len(c.Lines) == 0 {
		out = append(out, bus.Textf("The cart is empty."))
	}
	for i := range c.Lines {
		l := &c.Lines[i]
		if why := l.variant.Short(c.pieces(l.VariantID)); !why.IsZero() && c.lineWith(l.VariantID) == l {
			out = append(out, why)
		}
	}
	if c.overLimit(s) {
		out = append(out, bus.Textf("The discount is over %d %%, which a manager has to give.", s.DiscountLimit))
	}
	return out, nil
}

// overLimit reports whether the discounts that count against a clerk's limit exceed it, each or all together. Prices
// set for a line count as discounts. Discounts by a person without a limit do not count.
func (c *Cart) overLimit(s *core.Shop) bool {
	var given, count int64
	over := false
	add := func(d discount, of int64) {
		if off := d.of(of); d.bounded && off > 0 {
			given, count, over = given+off, count+1, over || s.OverLimit(d.percent, d.amount, of)
		}
	}
	whole, before := c.Sums.Subtotal, c.Sums.Subtotal
	for _, l := range c.Lines {
		add(l.lowered, l.Total.Amount+l.lowered.amount)
		add(l.discount, l.Total.Amount)
		before += l.lowered.amount
		whole -= l.discount.of(l.Total.Amount)
	}
	add(c.discount, whole)
	return over || count > 1 && (given-count)*100 > s.DiscountLimit*before // each was rounded
}

// CheckoutReady checks the condition checkout.ready: the cart has items. The checkout also requires cart.validate,
// which lists all other obstacles.
func CheckoutReady(ctx context.Context, call *bus.Call) error {
	if _, err := core.LoadShop(ctx); err != nil {
		return err
	}
	return NeedsItems(ctx, call)
}
