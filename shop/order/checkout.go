package order

import (
	"context"
	"fmt"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/shop/cart"
	"github.com/deskhand/deskhand/shop/customer"
	"github.com/deskhand/deskhand/shop/internal/core"
	"github.com/deskhand/deskhand/shop/internal/text"
)

type checkoutIn struct {
	ShippingAddressID string `json:"shippingAddressId,omitempty" jsonschema:"maxLength=100"`
	PaymentMethodID   string `json:"paymentMethodId,omitempty" jsonschema:"maxLength=100"`
	Fulfilment        string `json:"fulfilment,omitempty" jsonschema:"enum=takeAway,enum=pickUp,enum=deliver"`
	GiftMessage       string `json:"giftMessage,omitempty" jsonschema:"maxLength=500"`

	Tendered *core.PriceIn `json:"tendered,omitempty" doc:"Cash handed over, to tell the change due; only with cash."`

	ExpectedTotal *core.PriceIn `json:"expectedTotal,omitempty" doc:"The total that was agreed: another one is refused."`
}

func (checkoutIn) TagFields() map[string]string {
	return map[string]string{"shippingAddressId": `x:"entity=address,wanted=true"`,
		"paymentMethodId": `x:"entity=paymentMethod,wanted=true"`}
}

type checkoutOut struct {
	OrderID           string      `json:"orderId"`
	Fulfilment        string      `json:"fulfilment" jsonschema:"enum=takeAway,enum=pickUp,enum=deliver"`
	EstimatedDelivery string      `json:"estimatedDelivery" jsonschema:"format=date"`
	Total             core.Money  `json:"total"`
	Change            *core.Money `json:"change,omitempty" doc:"Cash to give back."`
}

func submit(ctx context.Context, s *core.Shop, call *bus.Call, in checkoutIn) (out checkoutOut, err error) {
	c, err := cart.Current(ctx, s, call.Person.ID)
	if err != nil {
		return out, err
	}
	c.For(s, in.Fulfilment, in.ShippingAddressID)
	problems, err := cart.Problems(ctx, s, c)
	if err != nil {
		return out, err
	}
	if len(problems) > 0 {
		return out, core.Refused("%s", problems[0]).WithHint("cart.validate lists everything that is missing.")
	}
	if err := asExpected(s, in.ExpectedTotal, c.Sums.Total); err != nil {
		return out, err
	}
	to, err := destination(ctx, c, in.ShippingAddressID)
	if err != nil {
		return out, err
	}
	by, err := payingBy(ctx, s, c, in)
	if err != nil {
		return out, err
	}
	if err := covers(s, by, c.Sums.Total); err != nil {
		return out, err
	}
	given, err := tendered(s, in.Tendered, by, c.Sums.Total)
	if err != nil {
		return out, err
	}
	o, err := place(ctx, s, call, c, to, text.Block(in.GiftMessage, 500))
	if err != nil {
		return out, err
	}
	if err := pay(ctx, call, o.id, by, c.Sums.Total); err != nil {
		return out, err
	}
	out = checkoutOut{OrderID: o.id, Fulfilment: c.Fulfilment(), EstimatedDelivery: o.delivery,
		Total: s.Money(c.Sums.Total)}
	if given > 0 {
		change := s.Money(given - c.Sums.Total)
		out.Change = &change
		if err := core.Exec(ctx, `UPDATE payments SET tendered = ? WHERE order_id = ?`, given, o.id); err != nil {
			return out, err
		}
	}
	head := Head{ID: o.id, Customer: c.Customer, Total: out.Total}
	orderFacts(s, call, head, c.Sums.Total)
	summarize(s, call, c, to, by, given)
	r := billOf(s, call)
	r.checkedOut(c, to, by, given)
	if err := r.stock(ctx, o.id, movement{}); err != nil {
		return out, err
	}
	head.changed(call, "Order %s of %s was placed.")
	call.Changed("cart", c.Owner()+" was submitted.", c.ID)
	call.Changed("catalog", "Stock changed.")
	return out, nil
}

// summarize describes the order: for whom, what it comes to, where it goes and what pays it.
func summarize(s *core.Shop, call *bus.Call, c *cart.Cart, to customer.Address, by customer.PaymentMethod,
	given int64) {
	who, total := BuyerOf(c.Customer), s.Text(c.Sums.Total)
	back := s.Text(given - c.Sums.Total)
	switch sent := c.Fulfilment() == core.Deliver; {
	case sent && given > 0:
		call.Summarize("Submit order for %s: %s, to %s, paid by %s, %s given, %s change", who, total, to.Short(), by.Label,
			s.Text(given), back)
	case sent:
		call.Summarize("Submit order for %s: %s, to %s, paid by %s", who, total, to.Short(), by.Label)
	case given > 0:
		call.Summarize("Submit order for %s: %s, %s, paid by %s, %s given, %s change", who, total,
			core.Fulfilled(c.Fulfilment()), by.Label, s.Text(given), back)
	default:
		call.Summarize("Submit order for %s: %s, %s, paid by %s", who, total, core.Fulfilled(c.Fulfilment()), by.Label)
	}
}

// destination is the address that an order goes to: the one named, else the customer's default; none when it is not
// sent.
func destination(ctx context.Context, c *cart.Cart, id string) (customer.Address, error) {
	if c.Fulfilment() != core.Deliver {
		if id != "" {
			return customer.Address{}, core.Invalid("/shippingAddressId", "Only what is delivered has an address.")
		}
		return customer.Address{}, nil
	}
	if id != "" {
		return customer.AddressOf(ctx, c.Customer, id)
	}
	all, err := customer.Addresses(ctx, c.Customer.ID)
	if err != nil {
		return customer.Address{}, err
	}
	return all[0], nil // a cart that is delivered has problems without one
}

// payingBy is the method that pays an order: the one named, else cash when cash is handed over, else the default of the
// cart.
func payingBy(ctx context.Context, s *core.Shop, c *cart.Cart, in checkoutIn) (by customer.PaymentMethod, err error) {
	all, err := c.PaidBy(ctx, s)
	if err != nil {
		return by, err
	}
	switch {
	case in.PaymentMethodID == "" && in.Tendered != nil:
		return customer.Cash(), nil
	case in.PaymentMethodID == "":
		return all[0], nil
	}
	return customer.MethodOf(ctx, s, c.Customer, in.PaymentMethodID)
}

// asExpected refuses a total that is not the one that was agreed.
func asExpected(s *core.Shop, expected *core.PriceIn, total int64) error {
	if expected == nil {
		return nil
	}
	if err := s.CheckCurrency(*expected, "/expectedTotal"); err != nil {
		return err
	}
	if expected.Amount != total {
		return bus.Errorf(bus.Conflict, bus.ReasonChanged, "The total is %s now, not %s.", s.Text(total),
			s.Text(expected.Amount)).WithHint("Look at the cart again: cart.getSummary shows what changed.")
	}
	return nil
}

// tendered is the cash handed over for an amount, 0 when not given.
func tendered(s *core.Shop, in *core.PriceIn, by customer.PaymentMethod, due int64) (int64, error) {
	if in == nil {
		return 0, nil
	}
	if err := s.CheckCurrency(*in, "/tendered"); err != nil {
		return 0, err
	}
	switch {
	case by.Kind != "cash":
		return 0, core.Invalid("/tendered", "Only cash is handed over, not %s.", by.Label)
	case in.Amount < due:
		return 0, core.Refused("%s were handed over, and %s is due.", s.Text(in.Amount), s.Text(due)).
			WithHint("Ask for %s more, or take another payment method; cart.getSummary lists them.", s.Text(due-in.Amount))
	}
	return in.Amount, nil
}

// placed is the new order, as far as the rest of a checkout needs it.
type placed struct{ id, delivery string }

// place writes the order with its lines, takes the stock and closes the cart.
func place(ctx context.Context, s *core.Shop, call *bus.Call, c *cart.Cart, to customer.Address, gift string) (placed,
	error) {
	id, err := newOrderNumber(ctx, call)
	if err != nil {
		return placed{}, err
	}
	status, delivered := StatusPending, int64(0)
	if c.Fulfilment() == core.TakeAway {
		status, delivered = StatusDelivered, call.Now.UnixMilli()
	}
	shipping, days := "", int64(0)
	if c.Shipping != nil {
		shipping, days = c.Shipping.Name, c.Shipping.Days
	}
	o := placed{id, s.BusinessDay(call.Now, days)}
	var customerID, who string
	if c.Customer != nil {
		customerID, who = c.Customer.ID, c.Customer.Name
	}
	words := []string{who, core.Place(to.Line1, to.PostalCode)}
	for _, l := range c.Lines {
		words = append(words, l.Name, l.SKU)
	}
	if err := core.Insert(ctx, `orders (id, customer_id, status, fulfilment, placed_at, placed_by, processed_at,
		delivered_at, subtotal, discount, discount_tax, shipping, tax, total, tax_included, discount_reason, shipping_method,
		estimated_delivery, gift_message, address_id, address_label, line1, line2, city, region,
		postal_code, country, name_fold, search_fold)`,
		o.id, core.OrNull(customerID), status, c.Fulfilment(), call.Now.UnixMilli(), call.Person.ID, delivered, delivered,
		c.Sums.Subtotal, c.Sums.Discount, c.Sums.DiscountTax,
		c.Sums.Shipping, c.Sums.Tax, c.Sums.Total, core.Bit(s.PricesIncludeTax), c.Reason, shipping, o.delivery, gift,
		to.ID, to.Label, to.Line1, to.Line2, to.City, to.Region, to.PostalCode, to.Country,
		text.Fold(o.id, who), text.Fold(append([]string{o.id}, words...)...)); err != nil {
		return o, err
	}
	for i, l := range c.Lines {
		sum := c.Sums.Lines[i]
		if err := core.Insert(ctx, `order_lines (order_id, line, product_id, variant_id, sku, name, label, quantity,
			price, discount, discount_tax, tax, total, rate_ppm, discount_reason, note)`,
			o.id, i+1, l.ProductID, l.VariantID, l.SKU, l.Name, l.Label, l.Quantity, l.Price.Amount, sum.Discount,
			sum.DiscountTax, sum.Tax, sum.Total, sum.RatePPM, l.Reason, l.Note); err != nil {
			return o, err
		}
		if err := moveStock(ctx, call, l.VariantID, -l.Quantity, "sale", o.id); err != nil {
			return o, err
		}
	}
	if c.Note != "" {
		if _, err := insertNote(ctx, call, o.id, c.Note); err != nil {
			return o, err
		}
	}
	if err := core.Exec(ctx, `DELETE FROM current_carts WHERE cart_id = ?`, c.ID); err != nil {
		return o, err
	}
	return o, core.Exec(ctx, `UPDATE carts SET status = 'submitted', order_id = ? WHERE id = ?`, o.id, c.ID)
}

// newOrderNumber draws a free number. The draw belongs to the invocation: a
// preview and its execution show the same one.
func newOrderNumber(ctx context.Context, call *bus.Call) (string, error) {
	for {
		id := fmt.Sprintf("#W%07d", call.Number(10_000_000))
		taken, err := core.Exists(ctx, `SELECT 1 FROM orders WHERE id = ?`, id)
		if err != nil || !taken {
			return id, err
		}
	}
}

// moveStock changes a counted variant's stock and writes the movement down; variants that are not counted have neither.
func moveStock(ctx context.Context, call *bus.Call, variantID string, delta int64, reason, orderID string) error {
	counted, err := core.Exists(ctx, `SELECT 1 FROM variants WHERE id = ? AND stock IS NOT NULL`, variantID)
	if err != nil || !counted {
		return err
	}
	if err := core.Exec(ctx, `UPDATE variants SET stock = stock + ? WHERE id = ?`, delta, variantID); err != nil {
		return err
	}
	return core.Insert(ctx, `stock_movements (id, variant_id, delta, reason, order_id, person, at)`,
		call.NewID("mov"), variantID, delta, reason, orderID, call.Person.ID, call.Now.UnixMilli())
}
