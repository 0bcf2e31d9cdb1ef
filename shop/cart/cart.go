package cart

import (
	"context"
	"fmt"
	"slices"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/shop/catalog"
	"github.com/deskhand/deskhand/shop/customer"
	"github.com/deskhand/deskhand/shop/internal/core"
)

// cartLine is one line of a cart, at today's price.
type cartLine struct {
	ID        string            `json:"id" doc:"The variant's: a cart has one line of each."`
	ProductID string            `json:"productId"`
	VariantID string            `json:"variantId"`
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
	Note      string            `json:"note,omitempty"`

	variant  catalog.Variant
	discount discount
}

// discount is a percentage or an amount off.
type discount struct {
	percent, amount int64
	bounded         bool // it must stay within the clerk's limit
}

// of is what it comes to.
func (d discount) of(total int64) int64 {
	if d.percent > 0 {
		return core.Share(total, d.percent, 100)
	}
	return min(d.amount, total)
}

// Cart is a cart with everything that decides its total.
type Cart struct {
	ID       string
	status   string
	label    string
	Customer *customer.Customer // nil: a walk-in's
	Lines    []cartLine
	said     string               // how the buyer gets the goods; "" follows from the customer
	Shipping *core.ShippingMethod // nil: nothing is sent, or the shop has no method
	method   *core.ShippingMethod // for when it is sent
	discount
	Reason string
	Note   string
	Sums   core.Sums
}

const cartColumns = `c.id, COALESCE(c.customer_id, ''), c.status, c.label, c.fulfilment, c.shipping_method,
	c.discount_percent,
	c.discount_amount, c.discount_reason, NOT c.discount_unbounded, c.note FROM carts c`

// Current is a person's current cart, nil when there is none.
func Current(ctx context.Context, s *core.Shop, person string) (*Cart, error) {
	return loadCart(ctx, s, `SELECT `+cartColumns+` JOIN current_carts cc ON cc.cart_id = c.id WHERE cc.person = ?
		AND c.status = 'open'`, person)
}

// openCart is the open cart of a customer, nil when there is none.
func openCart(ctx context.Context, s *core.Shop, customerID string) (*Cart, error) {
	return loadCart(ctx, s, `SELECT `+cartColumns+` WHERE c.customer_id = ? AND c.status = 'open'`, customerID)
}

// cartByID is one cart, nil when there is none.
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

// Fulfilment is how the buyer gets the goods: as was said, else sent to a customer, and taken along by a walk-in.
func (c *Cart) Fulfilment() string {
	switch {
	case c.said != "":
		return c.said
	case c.Customer != nil:
		return core.Deliver
	}
	return core.TakeAway
}

// For makes it the cart that a checkout with these arguments submits: without a fulfilment, an address means that the
// goods are delivered. Both may be empty.
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

// PaidBy are the methods that the cart can be paid by: the customer's saved ones and the shop's own, which come first
// at the counter. The first of all is the default, which is no gift card that has too little left.
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

// addUp adds up the lines; only what is sent has a shipping method.
func (c *Cart) addUp(s *core.Shop, fulfilment string) {
	priced := make([]core.PricedLine, len(c.Lines))
	for i, l := range c.Lines {
		priced[i] = core.PricedLine{Price: l.Price.Amount, Quantity: l.Quantity, RatePPM: l.variant.RatePPM,
			Discount: l.discount.of(l.Total.Amount)}
	}
	var shipping int64
	if c.Shipping = nil; fulfilment == core.Deliver {
		c.Shipping = c.method
	}
	if c.Shipping != nil && len(c.Lines) > 0 {
		shipping = c.Shipping.Price.Amount
	}
	c.Sums = core.SumUp(priced, c.percent, c.amount, shipping, s.PricesIncludeTax)
}

// loadLines reads the lines.
func loadLines(ctx context.Context, s *core.Shop, c *Cart) error {
	var err error
	c.Lines, err = core.List(ctx, func(r core.Row) (cartLine, error) {
		var l cartLine
		v, err := catalog.ScanVariant(s, prefixed{r, []any{&l.Quantity, &l.discount.percent, &l.discount.amount,
			&l.discount.bounded, &l.Reason, &l.Note}})
		l.variant, l.ID, l.ProductID, l.VariantID, l.SKU, l.Barcode = v, v.ID, v.ProductID, v.ID, v.SKU, v.Barcode
		l.Name, l.Label, l.Options = v.ProductName, v.Label, v.Options
		l.Price, l.Total = v.Price, s.Money(v.Price.Amount*l.Quantity)
		if off := l.discount.of(l.Total.Amount); off > 0 {
			m := s.Money(off)
			l.Discount = &m
		}
		return l, err
	}, `SELECT l.quantity, l.discount_percent, l.discount_amount, NOT l.discount_unbounded, l.discount_reason,
		l.note, `+catalog.VariantColumns+` JOIN cart_lines l ON l.variant_id = v.id WHERE l.cart_id = ?
		ORDER BY l.position`, c.ID)
	return err
}

// prefixed scans the first columns into places of its own and the rest as its user wishes.
type prefixed struct {
	core.Row
	first []any
}

func (p prefixed) Scan(dest ...any) error { return p.Row.Scan(append(p.first, dest...)...) }

// Owner is whose cart it is, for a sentence.
func (c *Cart) Owner() string {
	if c == nil || c.Customer == nil {
		return "the cart"
	}
	return c.Customer.Name + "'s cart"
}

// Count is the number of pieces.
func (c *Cart) Count() int64 {
	var n int64
	if c != nil {
		for _, l := range c.Lines {
			n += l.Quantity
		}
	}
	return n
}

// ids are the ids that a change of the cart touches.
func (c *Cart) ids() []string {
	if c.Customer == nil {
		return []string{c.ID}
	}
	return []string{c.ID, c.Customer.ID}
}

// Problems lists what keeps a cart from being submitted. Address and payment method are chosen at the checkout.
func Problems(ctx context.Context, s *core.Shop, c *Cart) ([]string, error) {
	out := []string{}
	if c == nil {
		return append(out, "There is no open cart."), nil
	}
	switch {
	case c.Fulfilment() != core.Deliver:
	case c.Customer == nil:
		out = append(out, "The cart has no customer to deliver to.")
	default:
		has, err := core.Exists(ctx, `SELECT 1 FROM addresses WHERE customer_id = ?`, c.Customer.ID)
		if err != nil {
			return nil, err
		}
		if !has {
			out = append(out, c.Customer.Name+" has no saved address.")
		}
	}
	if len(c.Lines) == 0 {
		out = append(out, "The cart is empty.")
	}
	for i := range c.Lines {
		if why := c.Lines[i].variant.Short(c.Lines[i].Quantity); why != "" {
			out = append(out, why)
		}
	}
	if c.overLimit(s) {
		out = append(out, fmt.Sprintf("The discount is over %d %%, which a manager has to give.", s.DiscountLimit))
	}
	return out, nil
}

// overLimit says that a discount of the cart, of a line or all of them together are more than a clerk may give, without
// those that somebody without a limit gave.
func (c *Cart) overLimit(s *core.Shop) bool {
	var given, count int64
	over := false
	add := func(d discount, of int64) {
		if off := d.of(of); d.bounded && off > 0 {
			given, count, over = given+off, count+1, over || s.OverLimit(d.percent, d.amount, of)
		}
	}
	for _, l := range c.Lines {
		add(l.discount, l.Total.Amount)
	}
	whole := c.Sums.Subtotal
	for _, l := range c.Lines {
		whole -= l.discount.of(l.Total.Amount)
	}
	add(c.discount, whole)
	return over || count > 1 && (given-count)*100 > s.DiscountLimit*c.Sums.Subtotal // each is rounded
}

// CheckoutReady is the condition checkout.ready: there is something in the cart. What else keeps it from being
// submitted is said by cart.validate, which the checkout requires.
func CheckoutReady(ctx context.Context, call *bus.Call) error {
	if _, err := core.LoadShop(ctx); err != nil {
		return err
	}
	return NeedsItems(ctx, call)
}
