package order

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/shop/cart"
	"github.com/deskhand/deskhand/shop/customer"
	"github.com/deskhand/deskhand/shop/internal/book"
	"github.com/deskhand/deskhand/shop/internal/core"
	"github.com/deskhand/deskhand/shop/internal/text"
)

type checkoutIn struct {
	ShippingAddressID string      `json:"shippingAddressId,omitempty" jsonschema:"maxLength=100"`
	PaymentMethodID   string      `json:"paymentMethodId,omitempty" jsonschema:"maxLength=100"`
	Payments          []paymentIn `json:"payments,omitempty" jsonschema:"minItems=1,maxItems=5"`

	Fulfilment  string `json:"fulfilment,omitempty" jsonschema:"enum=takeAway,enum=pickUp,enum=deliver"`
	GiftMessage string `json:"giftMessage,omitempty" jsonschema:"maxLength=500"`

	Tendered *core.PriceIn `json:"tendered,omitempty" doc:"Cash handed over, to tell the change due; only with cash."`

	ExpectedTotal *core.PriceIn `json:"expectedTotal,omitempty" doc:"The total that was agreed: another one is refused."`
}

func (checkoutIn) TagFields() map[string]string {
	return map[string]string{"shippingAddressId": `x:"entity=address,wanted=true"`,
		"paymentMethodId": `x:"entity=paymentMethod,wanted=true"`}
}

// paymentIn is one of several payments of an order.
type paymentIn struct {
	PaymentMethodID string        `json:"paymentMethodId" jsonschema:"minLength=1,maxLength=100" x:"entity=paymentMethod"`
	Amount          *core.PriceIn `json:"amount,omitempty" doc:"One payment may leave it out, and takes the rest."`
}

// paymentOut is one payment in the response of a checkout.
type paymentOut struct {
	PaymentMethodID string     `json:"paymentMethodId"`
	Label           string     `json:"label" x:"personal=true"`
	Amount          core.Money `json:"amount"`
}

type checkoutOut struct {
	OrderID           string      `json:"orderId"`
	Fulfilment        string      `json:"fulfilment" jsonschema:"enum=takeAway,enum=pickUp,enum=deliver"`
	EstimatedDelivery string      `json:"estimatedDelivery" jsonschema:"format=date"`
	Total             core.Money  `json:"total"`
	Change            *core.Money `json:"change,omitempty" doc:"Cash to give back."`

	Rounding *core.Money  `json:"rounding,omitempty" doc:"Of cash: what is paid more than the total."`
	Payments []paymentOut `json:"payments" doc:"Recorded, in the order given."`
	receiptOut
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
	given, due, err := tendered(s, in.Tendered, by)
	if err != nil {
		return out, err
	}
	o, err := place(ctx, s, call, c, to, text.Block(in.GiftMessage, 500))
	if err != nil {
		return out, err
	}
	out = checkoutOut{OrderID: o.id, Fulfilment: c.Fulfilment(), EstimatedDelivery: o.delivery,
		Total: s.Money(c.Sums.Total), Payments: by.out(s), Rounding: s.Rounding(by.rounding())}
	for _, p := range by {
		if err := pay(ctx, s, call, o.id, p.method, p.due); err != nil {
			return out, err
		}
	}
	if given > 0 {
		change := s.Money(given - due)
		out.Change = &change
		if err := core.Exec(ctx, `UPDATE payments SET tendered = ? WHERE order_id = ? AND method_id = ?`, given, o.id,
			customer.CashID); err != nil {
			return out, err
		}
	}
	if out.ReceiptNumber, err = book.Write(ctx, s, call, o.id, book.State{}); err != nil {
		return out, err
	}
	head := Head{ID: o.id, Customer: c.Customer, Total: out.Total}
	orderFacts(s, call, head, c.Sums.Total)
	summarize(s, call, c, to, by, given, given-due)
	r := billOf(s, call)
	r.checkedOut(c, to, by, given, given-due)
	if err := r.stock(ctx, o.id, movement{}); err != nil {
		return out, err
	}
	head.changed(call, "Order %s of %s was placed.")
	call.Announce("cart", bus.Textf("%s was submitted.", c.Owner()), c.ID)
	call.Announce("catalog", bus.Textf("Stock changed."))
	return out, nil
}

// summarize describes the order in one sentence: buyer, total, destination and payments.
func summarize(s *core.Shop, call *bus.Call, c *cart.Cart, to customer.Address, by paying, given, change int64) {
	who, total, back := BuyerOf(c.Customer), s.Money(c.Sums.Total), s.Money(change)
	switch sent := c.Fulfilment() == core.Deliver; {
	case sent && given > 0:
		call.Summarize("Submit order for %s: %s, to %s, paid by %s, %s given, %s change", who, total, to.Short(), by.words(s),
			s.Money(given), back)
	case sent:
		call.Summarize("Submit order for %s: %s, to %s, paid by %s", who, total, to.Short(), by.words(s))
	case given > 0:
		call.Summarize("Submit order for %s: %s, %s, paid by %s, %s given, %s change", who, total,
			core.Fulfilled(c.Fulfilment()), by.words(s), s.Money(given), back)
	default:
		call.Summarize("Submit order for %s: %s, %s, paid by %s", who, total, core.Fulfilled(c.Fulfilment()), by.words(s))
	}
}

// destination returns the address for the delivery: the one with the given id, or the customer's default. It returns no
// address for an order that is not delivered.
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
	return all[0], nil // a delivered cart without an address has a problem and never gets here
}

// paying holds the payments of a checkout.
type paying []payment

type payment struct {
	method customer.PaymentMethod
	due    int64
	amount int64 // due; in cash, due rounded to the smallest coin
}

// rounding returns the difference between the cash paid and the amount due.
func (by paying) rounding() (sum int64) {
	for _, p := range by {
		sum += p.amount - p.due
	}
	return sum
}

func (by paying) out(s *core.Shop) []paymentOut {
	all := make([]paymentOut, len(by))
	for i, p := range by {
		all[i] = paymentOut{p.method.ID, p.method.Label, s.Money(p.amount)}
	}
	return all
}

// words lists the payment methods in a sentence, each with its amount when there are several.
func (by paying) words(s *core.Shop) bus.Text {
	if len(by) == 1 {
		return customer.LabelText(by[0].method.Label)
	}
	var all bus.Text
	for i, p := range by {
		one := bus.Textf("%s, %s", s.Money(p.amount), customer.LabelText(p.method.Label))
		if all = bus.Textf("%s; %s", all, one); i == 0 {
			all = one
		}
	}
	return all
}

// payingBy returns the payments of an order: by the given methods, or in cash when cash was tendered, or by the cart's
// default method. Each method must cover its amount, and cash may occur only once.
func payingBy(ctx context.Context, s *core.Shop, c *cart.Cart, in checkoutIn) (by paying, err error) {
	given := in.Payments
	switch {
	case in.PaymentMethodID != "" && given != nil:
		return nil, core.Invalid("/payments", "Give either one payment method or payments.")
	case in.PaymentMethodID != "":
		given = []paymentIn{{PaymentMethodID: in.PaymentMethodID}}
	case given == nil && in.Tendered != nil:
		given = []paymentIn{{PaymentMethodID: customer.CashID}}
	case given == nil:
		all, err := c.PaidBy(ctx, s)
		if err != nil {
			return nil, err
		}
		given = []paymentIn{{PaymentMethodID: all[0].ID}}
	}
	rest, open := c.Sums.Total, -1
	parts := map[string]int64{}
	by = make(paying, len(given))
	for i, p := range given {
		if by[i].method, err = customer.MethodOf(ctx, s, c.Customer, p.PaymentMethodID); err != nil {
			return nil, err
		}
		path := fmt.Sprintf("/payments/%d", i)
		if _, twice := parts[p.PaymentMethodID]; twice && by[i].method.Kind == customer.CashID {
			return nil, core.Invalid(path+"/paymentMethodId", "Cash is among the payments once.")
		}
		parts[p.PaymentMethodID] += 0
		switch {
		case p.Amount != nil:
			if err := s.CheckCurrency(*p.Amount, path+"/amount"); err != nil {
				return nil, err
			}
			by[i].due = p.Amount.Amount
			rest -= p.Amount.Amount
		case open >= 0:
			return nil, core.Invalid(path+"/amount", "Only one payment takes the rest.")
		default:
			open = i
		}
	}
	switch {
	case rest < 0:
		return nil, core.Invalid("/payments", "The payments come to %s more than the total, %s.", s.Money(-rest),
			s.Money(c.Sums.Total))
	case open >= 0:
		by[open].due = rest
	case rest > 0:
		return nil, core.Invalid("/payments", "The payments come to %s less than the total, %s.", s.Money(rest),
			s.Money(c.Sums.Total))
	}
	for i, p := range by {
		by[i].amount = moneyOf(s, p.method.ID, "", p.due, "").Amount.Amount
		parts[p.method.ID] += p.due
		if err := covers(s, p.method, parts[p.method.ID]); err != nil {
			return nil, err
		}
	}
	return by, nil
}

// asExpected refuses a total that differs from the total that was agreed.
func asExpected(s *core.Shop, expected *core.PriceIn, total int64) error {
	if expected == nil {
		return nil
	}
	if err := s.CheckCurrency(*expected, "/expectedTotal"); err != nil {
		return err
	}
	if expected.Amount != total {
		return bus.Errorf(bus.Conflict, bus.ReasonChanged, "The total is %s now, not %s.", s.Money(total),
			s.Money(expected.Amount)).WithHint("Look at the cart again: cart.getSummary shows what changed.")
	}
	return nil
}

// tendered returns the cash that the customer handed over, 0 when none was given, and the amount due in cash.
func tendered(s *core.Shop, in *core.PriceIn, by paying) (given, due int64, err error) {
	if in == nil {
		return 0, 0, nil
	}
	if err := s.CheckCurrency(*in, "/tendered"); err != nil {
		return 0, 0, err
	}
	i := slices.IndexFunc(by, func(p payment) bool { return p.method.Kind == customer.CashID })
	if i < 0 {
		return 0, 0, core.Invalid("/tendered", "Only cash is handed over, not %s.", by[0].method.Label)
	}
	if due = by[i].amount; in.Amount < due {
		return 0, 0, core.Refused("%s were handed over, and %s is due.", s.Money(in.Amount), s.Money(due)).
			WithHint("Ask for %s more, or take another payment method; cart.getSummary lists them.", s.Money(due-in.Amount))
	}
	return in.Amount, due, nil
}

// placed holds the id and delivery of a new order for the remaining steps of a checkout.
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
	percent, amount := c.Off()
	words := []string{who, core.Place(to.Line1, to.PostalCode)}
	for _, l := range c.Lines {
		words = append(words, l.Name, l.SKU)
	}
	if err := core.Insert(ctx, `orders (id, customer_id, status, fulfilment, placed_at, placed_by, processed_at,
		delivered_at, subtotal, discount, discount_percent, discount_amount, discount_tax, shipping, shipping_tax, tax, total,
		tax_included, discount_reason,
		shipping_method, estimated_delivery, gift_message, address_id, address_label, line1, line2, city, region,
		postal_code, country, name_fold, search_fold)`,
		o.id, core.OrNull(customerID), status, c.Fulfilment(), call.Now.UnixMilli(), call.Person.ID, delivered, delivered,
		c.Sums.Subtotal, c.Sums.Discount, percent, amount, c.Sums.DiscountTax, c.Sums.Shipping, c.Sums.ShippingTax,
		c.Sums.Tax, c.Sums.Total, core.Bit(s.PricesIncludeTax), c.Reason, shipping, o.delivery, gift,
		to.ID, to.Label, to.Line1, to.Line2, to.City, to.Region, to.PostalCode, to.Country,
		text.Fold(o.id, who), text.Fold(append([]string{o.id}, words...)...)); err != nil {
		return o, err
	}
	if err := InsertShipping(ctx, o.id, c.Sums.ShippingRates); err != nil {
		return o, err
	}
	for i, l := range c.Lines {
		sum := c.Sums.Lines[i]
		percent, amount := l.Off()
		if err := core.Insert(ctx, `order_lines (order_id, line, id, product_id, variant_id, sku, name, label, quantity,
			price, discount, discount_percent, discount_amount, discount_tax, tax, total, rate_ppm, discount_reason, note)`,
			o.id, i+1, l.ID, l.ProductID, l.VariantID, l.SKU, l.Name, l.Label, l.Quantity, l.Price.Amount, sum.Discount,
			percent, amount, sum.DiscountTax, sum.Tax, sum.Total, sum.RatePPM, cmp.Or(l.Reason, l.PriceNote),
			l.Note); err != nil {
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

// InsertShipping stores the shipping of an order, one row for each tax rate.
func InsertShipping(ctx context.Context, orderID string, rates []core.RateSum) (err error) {
	for _, r := range rates {
		if err == nil {
			err = core.Insert(ctx, `order_shipping (order_id, rate_ppm, net, tax)`, orderID, r.RatePPM, r.Net, r.Tax)
		}
	}
	return err
}

// newOrderNumber draws an unused number. The draw depends on the invocation, so that a preview and its execution get
// the same number.
func newOrderNumber(ctx context.Context, call *bus.Call) (string, error) {
	for {
		id := fmt.Sprintf("#W%07d", call.Number(10_000_000))
		taken, err := core.Exists(ctx, `SELECT 1 FROM orders WHERE id = ?`, id)
		if err != nil || !taken {
			return id, err
		}
	}
}

// moveStock changes the stock of a variant and records the movement. It does nothing for a variant without a stock
// count.
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
