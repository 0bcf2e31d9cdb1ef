package cart

import (
	"context"
	"fmt"

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
	SKU       string            `json:"sku,omitempty"`
	Name      string            `json:"name"`
	Label     string            `json:"label,omitempty" doc:"The options as text."`
	Options   map[string]string `json:"options"`
	Quantity  int64             `json:"quantity"`
	Price     core.Money        `json:"price"`
	Total     core.Money        `json:"total"`

	variant catalog.Variant
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
	percent  int64                // of discount, or
	amount   int64                // an amount off
	Reason   string
	bounded  bool // the discount must stay within the clerk's limit
	Sums     core.Sums
}

const cartColumns = `c.id, COALESCE(c.customer_id, ''), c.status, c.label, c.fulfilment, c.shipping_method,
	c.discount_percent,
	c.discount_amount, c.discount_reason, NOT c.discount_unbounded FROM carts c`

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
			&c.bounded)
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

// For makes it a cart whose goods the buyer gets in this way.
func (c *Cart) For(s *core.Shop, fulfilment string) {
	c.said = fulfilment
	c.addUp(s, fulfilment)
}

// addUp adds up the lines; only what is sent has a shipping method.
func (c *Cart) addUp(s *core.Shop, fulfilment string) {
	priced := make([]core.PricedLine, len(c.Lines))
	for i, l := range c.Lines {
		priced[i] = core.PricedLine{Price: l.Price.Amount, Quantity: l.Quantity, RatePPM: l.variant.RatePPM}
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
		v, err := catalog.ScanVariant(s, prefixed{r, &l.Quantity})
		l.variant, l.ID, l.ProductID, l.VariantID, l.SKU, l.Name, l.Label, l.Options = v, v.ID, v.ProductID, v.ID, v.SKU,
			v.ProductName, v.Label, v.Options
		l.Price, l.Total = v.Price, s.Money(v.Price.Amount*l.Quantity)
		return l, err
	}, `SELECT l.quantity, `+catalog.VariantColumns+` JOIN cart_lines l ON l.variant_id = v.id WHERE l.cart_id = ?
		ORDER BY l.position`, c.ID)
	return err
}

// prefixed scans the first column into one place and the rest as its user wishes.
type prefixed struct {
	core.Row
	first any
}

func (p prefixed) Scan(dest ...any) error { return p.Row.Scan(append([]any{p.first}, dest...)...) }

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
	if c.bounded && s.OverLimit(c.percent, c.amount, c.Sums.Subtotal) {
		out = append(out, fmt.Sprintf("The discount is over %d %%, which a manager has to give.", s.DiscountLimit))
	}
	return out, nil
}

// CheckoutReady is the condition checkout.ready: there is something in the cart. What else keeps it from being
// submitted is said by cart.validate, which the checkout requires.
func CheckoutReady(ctx context.Context, call *bus.Call) error {
	if _, err := core.LoadShop(ctx); err != nil {
		return err
	}
	return NeedsItems(ctx, call)
}
