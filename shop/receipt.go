package shop

import (
	"context"
	"io"
	"strings"
	"time"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/shop/internal/locale"
	"github.com/deskhand/deskhand/shop/internal/paper"
	"github.com/deskhand/deskhand/shop/internal/sheet"
)

// receipt is what a customer is told of an order: what was bought, what it came
// to, and what was paid and given back.
type receipt struct {
	shop     *deskShop
	in       locale.Style
	order    order
	included bool // the prices have the tax in them
	at       time.Time
}

func (s *deskShop) receipt(ctx context.Context, call *bus.Call, orderID string) (*receipt, error) {
	head, err := s.orderByID(ctx, orderID)
	if err != nil {
		return nil, err
	}
	r := &receipt{shop: s, in: s.style(), at: call.Now}
	if r.order, err = s.wholeOrder(ctx, call, head); err != nil {
		return nil, err
	}
	r.included, err = exists(ctx, `SELECT 1 FROM orders WHERE id = ? AND tax_included = 1`, head.ID)
	return r, err
}

// fileName is the receipt's own, without what says the format.
func (r *receipt) fileName() string { return "receipt-" + strings.TrimPrefix(r.order.ID, "#") }

// sums are what the lines come to, in the order they are added up. The last is
// the total.
func (r *receipt) sums() []receiptSum {
	o := r.order
	all := []receiptSum{{"Subtotal", o.Subtotal.Amount}}
	if o.Discount.Amount != 0 {
		label := "Discount"
		if o.DiscountReason != "" {
			label += " (" + o.DiscountReason + ")"
		}
		all = append(all, receiptSum{label, -o.Discount.Amount})
	}
	if o.Shipping.Amount != 0 {
		all = append(all, receiptSum{"Shipping", o.Shipping.Amount})
	}
	if o.Tax.Amount != 0 && !r.included {
		all = append(all, receiptSum{"Tax", o.Tax.Amount})
	}
	return append(all, receiptSum{"Total", o.Total.Amount})
}

type receiptSum struct {
	label  string
	amount int64
}

// kept is what was paid and not given back.
func (r *receipt) kept() (sum int64) {
	for _, p := range r.order.Payments {
		sum += signed(p)
	}
	return sum
}

// signed is a payment, or a refund as less than nothing.
func signed(p payment) int64 {
	if p.Kind == "refund" {
		return -p.Amount.Amount
	}
	return p.Amount.Amount
}

// print writes the receipt as a PDF.
func (r *receipt) print(w io.Writer, p Ports) (out documentOut, err error) {
	o := r.order
	doc, err := r.shop.newPaper("Receipt "+o.ID+" · "+r.shop.Name, r.at, p)
	if err != nil {
		return out, err
	}
	doc.Heading(r.shop.Name, "Receipt "+o.ID)
	doc.Gap(5)
	doc.Blocks(r.customer(), r.deliverTo(), r.facts())
	doc.Gap(6)
	r.printLines(doc)
	doc.Rule()
	sums := r.sums()
	for i, s := range sums {
		doc.Sum(s.label, r.in.Money(s.amount), i == len(sums)-1)
	}
	if r.included && o.Tax.Amount != 0 {
		doc.Sum("Tax included in these prices", r.in.Money(o.Tax.Amount), false)
	}
	r.printPayments(doc)
	if o.GiftMessage != "" {
		doc.Gap(6)
		doc.Section("Gift message")
		doc.Paragraph(o.GiftMessage)
	}
	out.Rows, out.Missing = int64(len(o.Lines)), string(doc.Missing())
	return out, doc.Write(w)
}

func (r *receipt) customer() string {
	c := r.order.Customer
	return strings.Join(filledLines("Customer", c.Name, c.Email, c.Phone), "\n")
}

func (r *receipt) deliverTo() string {
	a := r.order.ShippingAddress
	place := strings.Join(filledLines(a.City, a.Region, a.PostalCode), " ")
	return strings.Join(filledLines("Delivered to", a.Line1, a.Line2, place, a.Country), "\n")
}

func (r *receipt) facts() string {
	o := r.order
	lines := []string{"Order", "Placed " + r.in.Day(r.shop.local(o.PlacedAt))}
	switch o.Status {
	case statusCancelled:
		lines = append(lines, "Cancelled")
	case statusDelivered:
		lines = append(lines, "Delivered")
	default:
		if day, err := time.Parse(time.DateOnly, o.EstimatedDelivery); err == nil {
			lines = append(lines, "Expected "+r.in.Day(day))
		}
	}
	if o.ItemsChanged {
		lines = append(lines, "Items changed since")
	}
	return strings.Join(lines, "\n")
}

// filledLines are those that say something.
func filledLines(all ...string) []string {
	var some []string
	for _, s := range all {
		if s != "" {
			some = append(some, s)
		}
	}
	return some
}

func (r *receipt) printLines(doc *paper.Doc) {
	doc.Table(paper.Column{Title: "Item", Share: 50}, paper.Column{Title: "Pieces", Share: 10, Right: true},
		paper.Column{Title: "Price", Share: 20, Right: true}, paper.Column{Title: "Amount", Share: 20, Right: true})
	for _, l := range r.order.Lines {
		doc.Row(strings.Join(filledLines(itemName(l), l.SKU), "\n"), r.in.Count(l.Quantity), r.in.Money(l.Price.Amount), r.in.Money(l.Total.Amount))
	}
	doc.End()
}

// itemName is what a line is called: product, variant, and whether it came back.
func itemName(l orderLine) string {
	name := l.Name
	if l.Label != "" {
		name += " (" + l.Label + ")"
	}
	if l.Returned {
		name += " – returned"
	}
	return name
}

func (r *receipt) printPayments(doc *paper.Doc) {
	if len(r.order.Payments) == 0 {
		return
	}
	doc.Gap(5)
	doc.Table(paper.Column{Title: "Payments and refunds", Share: 60}, paper.Column{Title: "Day", Share: 20}, paper.Column{Title: "Amount", Share: 20, Right: true})
	for _, p := range r.order.Payments {
		what := p.Label
		if p.Kind == "refund" {
			what = "Refund to " + p.Label
		}
		if p.Tendered != nil && p.Change != nil {
			what += "\nGiven " + r.in.Money(p.Tendered.Amount) + ", change " + r.in.Money(p.Change.Amount)
		}
		doc.Row(what, r.in.Day(r.shop.local(p.At)), r.in.Money(signed(p)))
	}
	doc.End()
	doc.Rule()
	doc.Sum("Paid", r.in.Money(r.kept()), true)
}

// listing is the receipt as a table: a row for each line, each sum, each payment.
func (r *receipt) listing() listing {
	o := r.order
	sums := r.sums()
	if r.included && o.Tax.Amount != 0 {
		sums = append(sums, receiptSum{"Tax included", o.Tax.Amount})
	}
	return listing{
		title: "Receipt", what: "rows", count: int64(len(o.Lines) + len(sums) + len(o.Payments)),
		columns: []listColumn{
			{sheet.Column{Title: "Order", Width: 12}, true},
			{sheet.Column{Title: "What", Width: 10}, true},
			{sheet.Column{Title: "Name", Width: 40}, true},
			{sheet.Column{Title: "SKU", Width: 16}, true},
			{sheet.Column{Title: "Pieces", Kind: sheet.Count, Width: 8}, true},
			{sheet.Column{Title: "Price", Kind: sheet.Amount, Width: 12}, true},
			{sheet.Column{Title: "Amount", Kind: sheet.Amount, Width: 12}, true},
			{sheet.Column{Title: "Day", Kind: sheet.Day, Width: 12}, true},
			{sheet.Column{Title: "Currency", Width: 9}, true},
		},
		rows: func(_ context.Context, emit func(values ...any) error) error {
			for _, l := range o.Lines {
				if err := emit(o.ID, "item", itemName(l), l.SKU, l.Quantity, l.Price.Amount, l.Total.Amount, nil, r.shop.Currency); err != nil {
					return err
				}
			}
			for _, s := range sums {
				if err := emit(o.ID, "sum", s.label, "", nil, nil, s.amount, nil, r.shop.Currency); err != nil {
					return err
				}
			}
			for _, p := range o.Payments {
				if err := emit(o.ID, p.Kind, p.Label, "", nil, nil, signed(p), r.shop.local(p.At), r.shop.Currency); err != nil {
					return err
				}
			}
			return nil
		},
	}
}
