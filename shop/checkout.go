package shop

import (
	"context"
	"fmt"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/shop/internal/text"
)

type checkoutIn struct {
	ShippingAddressID string `json:"shippingAddressId" jsonschema:"minLength=1,maxLength=100" jsonschema_extras:"x-lookup=cart.getSummary#/savedAddresses"`
	PaymentMethodID   string `json:"paymentMethodId" jsonschema:"minLength=1,maxLength=100" jsonschema_extras:"x-lookup=cart.getSummary#/savedPaymentMethods"`
	GiftMessage       string `json:"giftMessage,omitempty" jsonschema:"maxLength=500"`

	Tendered *priceIn `json:"tendered,omitempty"`
}

func (checkoutIn) DescribeFields() map[string]string {
	return map[string]string{
		"shippingAddressId": "One of the customer's saved addresses.",
		"paymentMethodId":   "One of the customer's saved payment methods, or cash.",
		"giftMessage":       "Printed on a card in the parcel.",
		"tendered":          "Cash handed over, to tell the change due; only with cash.",
	}
}

type checkoutOut struct {
	OrderID           string `json:"orderId"`
	EstimatedDelivery string `json:"estimatedDelivery" jsonschema:"format=date"`
	Total             Money  `json:"total"`
	Change            *Money `json:"change,omitempty" jsonschema_description:"Cash to give back."`
}

func checkoutSubmit() bus.Capability {
	return bus.Define(bus.Capability{
		Name: "checkout.submit", Title: "Submit the order", Category: "checkout",
		Description: "Submits the current cart as an order: takes the stock, records the payment, numbers the order and estimates the delivery. " +
			"Use it when the customer has agreed to everything; cart.getSummary has the addresses and payment methods. It moves no money, and it cannot be undone: a pending order can be cancelled with order.cancel.",
		SideEffect: bus.Destructive, Permissions: []string{"checkout:write", "checkout.ready"}, Access: agentAsks, Resources: write,
		Concurrency: bus.Exclusive, KeepResult: true, Shortcut: "F9",
		Facts: []string{"amount", "customerId", "orderId"}, Grantable: []string{"amount", "customerId"},
	}, submit)
}

func submit(ctx context.Context, call *bus.Call, in checkoutIn) (checkoutOut, error) {
	var out checkoutOut
	s, err := loadShop(ctx)
	if err != nil {
		return out, err
	}
	c, err := s.currentCart(ctx, call.Person.Person)
	if err != nil {
		return out, err
	}
	problems, err := s.problems(ctx, c)
	if err != nil {
		return out, err
	}
	if len(problems) > 0 {
		return out, bus.Errorf(bus.PreconditionFailed, bus.ReasonState, "%s", problems[0]).WithHint("cart.validate lists everything that is missing.")
	}
	to, err := addressOf(ctx, *c.customer, in.ShippingAddressID)
	if err != nil {
		return out, err
	}
	by, err := s.methodOf(ctx, *c.customer, in.PaymentMethodID)
	if err != nil {
		return out, err
	}
	if err := s.covers(by, c.sums.total); err != nil {
		return out, err
	}
	given, err := s.tendered(in.Tendered, by, c.sums.total)
	if err != nil {
		return out, err
	}
	o, err := s.place(ctx, call, c, to, text.Block(in.GiftMessage, 500))
	if err != nil {
		return out, err
	}
	if err := pay(ctx, call, o.id, by, c.sums.total); err != nil {
		return out, err
	}
	out = checkoutOut{OrderID: o.id, EstimatedDelivery: o.delivery, Total: s.money(c.sums.total)}
	if given > 0 {
		change := s.money(given - c.sums.total)
		out.Change = &change
		if err := exec(ctx, `UPDATE payments SET tendered = ? WHERE order_id = ?`, given, o.id); err != nil {
			return out, err
		}
	}
	call.Fact("amount", s.fact(c.sums.total))
	call.Fact("customerId", c.customer.ID)
	call.Fact("orderId", o.id)
	call.Summarize("Submit order for %s: %s, to %s, paid by %s", c.customer.Name, s.text(c.sums.total), to.short(), by.Label)
	if given > 0 {
		call.Summarize("Submit order for %s: %s, to %s, paid by %s, %s given, %s change",
			c.customer.Name, s.text(c.sums.total), to.short(), by.Label, s.text(given), s.text(given-c.sums.total))
	}
	call.Changed("order", fmt.Sprintf("Order %s of %s was placed.", o.id, c.customer.Name), o.id, c.customer.ID)
	call.Changed("cart", c.owner()+" was submitted.", c.id)
	call.Changed("catalog", "Stock changed.")
	return out, nil
}

// tendered is the cash handed over for an amount, 0 when nobody said.
func (s *deskShop) tendered(in *priceIn, by paymentMethod, due int64) (int64, error) {
	if in == nil {
		return 0, nil
	}
	if err := s.own(*in, "/tendered"); err != nil {
		return 0, err
	}
	switch {
	case by.Kind != "cash":
		return 0, invalid("/tendered", "Only cash is handed over, not %s.", by.Label)
	case in.Amount < due:
		return 0, bus.Errorf(bus.PreconditionFailed, bus.ReasonState, "%s were handed over, and %s is due.", s.text(in.Amount), s.text(due)).
			WithHint("Ask for %s more, or take another payment method; cart.getSummary lists them.", s.text(due-in.Amount))
	}
	return in.Amount, nil
}

// placed is what the rest of a checkout needs to know of the new order.
type placed struct{ id, delivery string }

// place writes the order with its lines, takes the stock and closes the cart.
func (s *deskShop) place(ctx context.Context, call *bus.Call, c *cart, to address, gift string) (placed, error) {
	id, err := newOrderNumber(ctx, call)
	if err != nil {
		return placed{}, err
	}
	shipping, days := "", int64(0)
	if c.shipping != nil {
		shipping, days = c.shipping.Name, c.shipping.Days
	}
	o := placed{id, s.businessDay(call.Now, days)}
	words := []string{c.customer.Name}
	for _, l := range c.lines {
		words = append(words, l.Name, l.SKU)
	}
	if err := exec(ctx, `INSERT INTO orders (id, customer_id, status, placed_at, placed_by, subtotal, discount, shipping, tax, total, tax_included, discount_reason,
			shipping_method, estimated_delivery, gift_message, address_id, address_label, line1, line2, city, region, postal_code, country, name_fold, search_fold)
		VALUES (?, ?, 'pending', ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
		o.id, c.customer.ID, call.Now.UnixMilli(), call.Person.Person, c.sums.subtotal, c.sums.discount, c.sums.shipping, c.sums.tax, c.sums.total,
		bit(s.PricesIncludeTax), c.reason, shipping, o.delivery, gift,
		to.ID, to.Label, to.Line1, to.Line2, to.City, to.Region, to.PostalCode, to.Country,
		text.Fold(o.id, c.customer.Name), text.Fold(append([]string{o.id}, words...)...)); err != nil {
		return o, err
	}
	for i, l := range c.lines {
		sum := c.sums.lines[i]
		if err := exec(ctx, `INSERT INTO order_lines (order_id, line, product_id, variant_id, sku, name, label, quantity, price, discount, tax, total)
			VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
			o.id, i+1, l.ProductID, l.VariantID, l.SKU, l.Name, l.Label, l.Quantity, l.Price.Amount, sum.discount, sum.tax, sum.total); err != nil {
			return o, err
		}
		if err := moveStock(ctx, call, l.VariantID, -l.Quantity, "sale", o.id); err != nil {
			return o, err
		}
	}
	if err := exec(ctx, `DELETE FROM current_carts WHERE cart_id = ?`, c.id); err != nil {
		return o, err
	}
	return o, exec(ctx, `UPDATE carts SET status = 'submitted', order_id = ? WHERE id = ?`, o.id, c.id)
}

// newOrderNumber draws a free number. The draw belongs to the invocation: a
// preview and its execution show the same one.
func newOrderNumber(ctx context.Context, call *bus.Call) (string, error) {
	for {
		id := fmt.Sprintf("#W%07d", call.Number(10_000_000))
		taken, err := exists(ctx, `SELECT 1 FROM orders WHERE id = ?`, id)
		if err != nil || !taken {
			return id, err
		}
	}
}

// moveStock changes a counted variant's stock and writes the movement down;
// variants that are not counted have neither.
func moveStock(ctx context.Context, call *bus.Call, variantID string, delta int64, reason, orderID string) error {
	counted, err := exists(ctx, `SELECT 1 FROM variants WHERE id = ? AND stock IS NOT NULL`, variantID)
	if err != nil || !counted {
		return err
	}
	if err := exec(ctx, `UPDATE variants SET stock = stock + ? WHERE id = ?`, delta, variantID); err != nil {
		return err
	}
	return exec(ctx, `INSERT INTO stock_movements (id, variant_id, delta, reason, order_id, person, at) VALUES (?, ?, ?, ?, ?, ?, ?)`,
		call.NewID("mov"), variantID, delta, reason, orderID, call.Person.Person, call.Now.UnixMilli())
}
