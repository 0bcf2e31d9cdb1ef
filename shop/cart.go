package shop

import (
	"context"
	"fmt"

	"github.com/deskhand/deskhand/bus"
)

// cartLine is one line of a cart, at today's price.
type cartLine struct {
	ID        string            `json:"id" jsonschema_description:"The variant's: a cart has one line of each."`
	ProductID string            `json:"productId"`
	VariantID string            `json:"variantId"`
	SKU       string            `json:"sku,omitempty"`
	Name      string            `json:"name"`
	Label     string            `json:"label,omitempty" jsonschema_description:"The options as text."`
	Options   map[string]string `json:"options"`
	Quantity  int64             `json:"quantity"`
	Price     Money             `json:"price"`
	Total     Money             `json:"total"`

	variant variant
}

// cart is a cart with everything that decides what it comes to.
type cart struct {
	id       string
	status   string
	label    string
	customer *customer // nil: nobody chosen yet
	lines    []cartLine
	shipping *shippingMethod // nil: the shop has none
	percent  int64           // of discount, or
	amount   int64           // an amount off
	reason   string
	bounded  bool // the discount must stay within the clerk's limit
	sums     sums
}

type cartRow struct {
	id, customerID, status, label, shipping, reason string
	percent, amount                                 int64
	unbounded                                       bool
}

const cartColumns = `c.id, COALESCE(c.customer_id, ''), c.status, c.label, c.shipping_method, c.discount_percent, c.discount_amount, c.discount_reason, c.discount_unbounded FROM carts c`

func scanCart(r row) (cartRow, error) {
	var c cartRow
	return c, r.Scan(&c.id, &c.customerID, &c.status, &c.label, &c.shipping, &c.percent, &c.amount, &c.reason, &c.unbounded)
}

// currentCart is the open cart a person has before them, nil when there is none.
func (s *deskShop) currentCart(ctx context.Context, person string) (*cart, error) {
	return s.loadCart(ctx, `SELECT `+cartColumns+` JOIN current_carts cc ON cc.cart_id = c.id WHERE cc.person = ? AND c.status = 'open'`, person)
}

// openCart is the open cart of a customer, nil when there is none.
func (s *deskShop) openCart(ctx context.Context, customerID string) (*cart, error) {
	return s.loadCart(ctx, `SELECT `+cartColumns+` WHERE c.customer_id = ? AND c.status = 'open'`, customerID)
}

// cartByID is one cart, nil when there is none.
func (s *deskShop) cartByID(ctx context.Context, id string) (*cart, error) {
	return s.loadCart(ctx, `SELECT `+cartColumns+` WHERE c.id = ?`, id)
}

func (s *deskShop) loadCart(ctx context.Context, query string, args ...any) (*cart, error) {
	r, found, err := find(ctx, scanCart, query, args...)
	if err != nil || !found {
		return nil, err
	}
	c := &cart{id: r.id, status: r.status, label: r.label, percent: r.percent, amount: r.amount, reason: r.reason, bounded: !r.unbounded}
	if r.customerID != "" {
		customer, err := customerByID(ctx, r.customerID)
		if err != nil {
			return nil, err
		}
		c.customer = &customer
	}
	methods, err := s.shippingMethods(ctx)
	if err != nil {
		return nil, err
	}
	for i := range methods {
		if i == 0 || methods[i].ID == r.shipping {
			c.shipping = &methods[i]
		}
	}
	return c, s.loadLines(ctx, c)
}

// loadLines reads the lines and adds them up.
func (s *deskShop) loadLines(ctx context.Context, c *cart) error {
	var err error
	c.lines, err = list(ctx, func(r row) (cartLine, error) {
		var l cartLine
		v, err := s.scanVariant(prefixed{r, &l.Quantity})
		l.variant, l.ID, l.ProductID, l.VariantID, l.SKU, l.Name, l.Label, l.Options = v, v.ID, v.productID, v.ID, v.SKU, v.product, v.Label, v.Options
		l.Price, l.Total = v.Price, s.money(v.Price.Amount*l.Quantity)
		return l, err
	}, `SELECT l.quantity, `+variantColumns+` JOIN cart_lines l ON l.variant_id = v.id WHERE l.cart_id = ? ORDER BY l.position`, c.id)
	if err != nil {
		return err
	}
	priced := make([]pricedLine, len(c.lines))
	for i, l := range c.lines {
		priced[i] = pricedLine{l.Price.Amount, l.Quantity, l.variant.ratePPM}
	}
	var shipping int64
	if c.shipping != nil && len(c.lines) > 0 {
		shipping = c.shipping.Price.Amount
	}
	c.sums = sumUp(priced, c.percent, c.amount, shipping, s.PricesIncludeTax)
	return nil
}

// prefixed scans the first column into one place and the rest as its user wishes.
type prefixed struct {
	row
	first any
}

func (p prefixed) Scan(dest ...any) error { return p.row.Scan(append([]any{p.first}, dest...)...) }

// owner is whose cart it is, for a sentence.
func (c *cart) owner() string {
	if c == nil || c.customer == nil {
		return "the cart"
	}
	return c.customer.Name + "'s cart"
}

// count is the number of pieces.
func (c *cart) count() int64 {
	var n int64
	if c != nil {
		for _, l := range c.lines {
			n += l.Quantity
		}
	}
	return n
}

// ids are what a change of the cart touches.
func (c *cart) ids() []string {
	if c.customer == nil {
		return []string{c.id}
	}
	return []string{c.id, c.customer.ID}
}

// problems are what keeps a cart from being submitted; empty when nothing does.
// Address and payment method are chosen at the checkout.
func (s *deskShop) problems(ctx context.Context, c *cart) ([]string, error) {
	out := []string{}
	if c == nil {
		return append(out, "There is no open cart."), nil
	}
	if c.customer == nil {
		out = append(out, "The cart has no customer.")
	} else {
		has, err := exists(ctx, `SELECT 1 FROM addresses WHERE customer_id = ?`, c.customer.ID)
		if err != nil {
			return nil, err
		}
		if !has {
			out = append(out, c.customer.Name+" has no saved address.")
		}
	}
	if len(c.lines) == 0 {
		out = append(out, "The cart is empty.")
	}
	for i := range c.lines {
		if why := c.lines[i].variant.short(c.lines[i].Quantity); why != "" {
			out = append(out, why)
		}
	}
	if c.bounded && s.overLimit(c.percent, c.amount, c.sums.subtotal) {
		out = append(out, fmt.Sprintf("The discount is over %d %%, which a manager has to give.", s.DiscountLimit))
	}
	return out, nil
}

// checkoutReady is the condition checkout.ready.
func checkoutReady(ctx context.Context, call *bus.Call) error {
	s, err := loadShop(ctx)
	if err != nil {
		return err
	}
	c, err := s.currentCart(ctx, call.Person.Person)
	if err != nil {
		return err
	}
	problems, err := s.problems(ctx, c)
	if err != nil || len(problems) == 0 {
		return err
	}
	hint := "cart.validate lists everything that is missing."
	switch {
	case c == nil || c.customer == nil:
		hint = "Choose the customer with cart.setCustomer."
	case len(c.lines) == 0:
		hint = "Put something in with cart.addItem."
	}
	return bus.Errorf(bus.PreconditionFailed, bus.ReasonCondition, "%s", problems[0]).WithHint("%s", hint)
}
