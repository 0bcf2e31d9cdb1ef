package order

import (
	"cmp"
	"context"
	"fmt"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/shop/cart"
	"github.com/deskhand/deskhand/shop/customer"
	"github.com/deskhand/deskhand/shop/internal/core"
)

// bill fills in the amounts and consequences of a call, which its approval card shows.
type bill struct {
	*bus.Bill
	s *core.Shop
}

func billOf(s *core.Shop, call *bus.Call) bill { return bill{call.Bill(), s} }

// sum adds an amount below the lines.
func (r bill) sum(amount int64, format string, args ...any) {
	r.Sums = append(r.Sums, bus.BillValue{Label: fmt.Sprintf(format, args...), Text: r.s.Text(amount)})
}

// about adds a party or subject of the call. argument is the JSON pointer of the argument that holds its value.
func (r bill) about(argument, value, format string, args ...any) {
	if value != "" {
		r.About = append(r.About, bus.BillValue{Label: fmt.Sprintf(format, args...), Text: value, Argument: argument})
	}
}

// then adds a consequence of the call.
func (r bill) then(format string, args ...any) {
	r.Follows = append(r.Follows, fmt.Sprintf(format, args...))
}

// items adds lines of an order, each with its quantity, price and total.
func (r bill) items(lines []keptLine) {
	for _, l := range lines {
		r.Lines = append(r.Lines, bus.BillLine{Quantity: l.quantity, Text: l.fullName(), Each: r.s.Text(l.price),
			Amount: r.s.Text(l.total)})
	}
}

// total adds the subtotal, discount, shipping and tax of lines, and their sum.
func (r bill) total(sums core.Sums, included bool) {
	r.sum(sums.Subtotal, "Subtotal")
	if sums.Discount > 0 {
		r.sum(-sums.Discount, "Discount")
	}
	if sums.Shipping > 0 {
		r.sum(sums.Shipping, "Shipping")
	}
	switch {
	case sums.Tax > 0 && included:
		r.sum(sums.Tax, "Tax included")
	case sums.Tax > 0:
		r.sum(sums.Tax, "Tax")
	}
	r.sum(sums.Total, "Total")
}

// whole adds all lines of an order and their total, unchanged.
func (r bill) whole(ctx context.Context, orderID string) error {
	o, err := loadOrderLines(ctx, orderID)
	if err != nil {
		return err
	}
	r.items(o.lines)
	sums, _, err := core.Find(ctx, func(row core.Row) (c core.Sums, err error) {
		return c, row.Scan(&c.Subtotal, &c.Discount, &c.Shipping, &c.Tax, &c.Total)
	}, `SELECT subtotal, discount, shipping, tax, total FROM orders WHERE id = ?`, orderID)
	r.total(sums, o.included)
	return err
}

// swaps adds the returned and exchanged lines, each at its value in the order.
func (r bill) swaps(lines *orderLines, all []swap) {
	for _, w := range all {
		for _, i := range w.lines {
			l := &lines.lines[i]
			words := l.fullName()
			if w.to != nil {
				words = w.from + " → " + cmp.Or(l.label, l.name)
			}
			r.Lines = append(r.Lines, bus.BillLine{Quantity: l.quantity, Text: words, Amount: r.s.Text(lines.value(l))})
		}
	}
}

// difference adds the changes of items, their effect on the order's total, and the payment or refund that settles it.
func (r bill) difference(p *itemsPlan) {
	r.swaps(p.lines, p.swaps)
	for _, m := range p.moves {
		l := &p.lines.lines[m.line]
		words := l.fullName()
		if m.was > 0 {
			words = fmt.Sprintf("%s, until now %d", words, m.was)
		}
		r.Lines = append(r.Lines, bus.BillLine{Quantity: l.quantity, Text: words, Each: r.s.Text(l.price),
			Amount: r.s.Text(p.lines.value(l))})
	}
	r.sum(p.order.Total.Amount, "Total until now")
	r.sum(p.difference, "Difference")
	r.sum(p.order.Total.Amount+p.difference, "New total")
	if p.difference > 0 {
		r.about("/paymentMethodId", p.method.Label, "Charged to")
	}
	r.refundsTo(p.refunds)
}

// refunds adds the sum of the refunds and the methods that receive them.
func (r bill) refunds(all []methodAmount) {
	var sum int64
	for _, f := range all {
		sum += f.Amount.Amount
	}
	if r.refundsTo(all); len(all) > 0 {
		r.sum(sum, "Refund")
	}
}

// refundsTo adds the method of each refund, and its amount when there are several refunds.
func (r bill) refundsTo(all []methodAmount) {
	for i, f := range all {
		argument, label := "/paymentMethodId", f.Label
		if len(all) > 1 {
			label = f.Amount.Text + ", " + f.Label
		}
		if i > 0 {
			argument = ""
		}
		r.about(argument, label, "Refund to")
	}
}

// checkedOut fills in a checkout: the cart's lines and sums, the destination and the payments.
func (r bill) checkedOut(c *cart.Cart, to customer.Address, by paying, given, change int64) {
	for i, l := range c.Lines {
		r.Lines = append(r.Lines, bus.BillLine{Quantity: l.Quantity, Text: fullName(l.Name, l.Label), Each: l.Price.Text,
			Amount: r.s.Text(c.Sums.Lines[i].Total)})
	}
	r.total(c.Sums, r.s.PricesIncludeTax)
	if by.rounding() != 0 {
		r.sum(by.rounding(), "Rounding")
		r.sum(c.Sums.Total+by.rounding(), "To pay")
	}
	r.about("", BuyerOf(c.Customer).String(), "Customer")
	r.about("/shippingAddressId", to.Short(), "Sent to")
	for i, p := range by {
		if len(by) == 1 {
			r.about("/paymentMethodId", p.method.Label, "Paid by")
		} else {
			r.about(fmt.Sprintf("/payments/%d", i), r.s.Text(p.amount)+", "+p.method.Label, "Paid by")
		}
	}
	if given > 0 {
		r.about("/tendered", r.s.Text(given), "Cash given")
		r.about("", r.s.Text(change), "Change due")
	}
	if c.Fulfilment() == core.TakeAway {
		r.then("the order of %s is placed and handed over", BuyerOf(c.Customer))
	} else {
		r.then("the order of %s is placed", BuyerOf(c.Customer))
	}
}

// movement counts the pieces that an order put into stock and took out of it.
type movement struct{ in, out int64 }

func moved(ctx context.Context, orderID string) (movement, error) {
	m, _, err := core.Find(ctx, func(r core.Row) (m movement, err error) { return m, r.Scan(&m.in, &m.out) },
		`SELECT COALESCE(SUM(MAX(delta, 0)), 0), COALESCE(SUM(MAX(-delta, 0)), 0) FROM stock_movements
			WHERE order_id = ? AND order_id <> ''`, orderID)
	return m, err
}

// stock adds the change of the stock by an order since the movement before.
func (r bill) stock(ctx context.Context, orderID string, before movement) error {
	now, err := moved(ctx, orderID)
	switch in, out := now.in-before.in, now.out-before.out; {
	case err != nil:
	case in > 0 && out > 0:
		r.then("back into stock: %d, taken from stock: %d", in, out)
	case in > 0:
		r.then("stock rises by %d", in)
	case out > 0:
		r.then("stock falls by %d", out)
	default:
		r.then("stock stays as it is")
	}
	return err
}

// fullName returns the product's name followed by the variant's options in parentheses.
func fullName(name, label string) string {
	if label == "" {
		return name
	}
	return name + " (" + label + ")"
}
