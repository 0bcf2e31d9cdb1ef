package document

import (
	"context"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/shop/document/internal/locale"
	"github.com/deskhand/deskhand/shop/document/internal/paper"
	"github.com/deskhand/deskhand/shop/document/internal/sheet"
	"github.com/deskhand/deskhand/shop/internal/core"
	"github.com/deskhand/deskhand/shop/order"
	"github.com/deskhand/deskhand/shop/settings"
)

// Receipt is what a customer is told of an order: what was bought, what it came to, and what was paid and given back.
type Receipt struct {
	Shop     *core.Shop
	Style    locale.Style
	Order    order.Order
	included bool // the prices have the tax in them
	taxes    []order.RateSum
	logo     []byte
	at       time.Time
}

func NewReceipt(ctx context.Context, s *core.Shop, call *bus.Call, orderID string) (*Receipt, error) {
	head, err := order.ByID(ctx, s, orderID)
	if err != nil {
		return nil, err
	}
	r := &Receipt{Shop: s, Style: style(s), at: call.Now}
	if r.Order, err = order.Load(ctx, s, call, head); err != nil {
		return nil, err
	}
	if s.Logo != "" {
		if r.logo, err = settings.Logo(ctx); err != nil {
			return nil, err
		}
	}
	if r.included, err = core.Exists(ctx, `SELECT 1 FROM orders WHERE id = ? AND tax_included = 1`, head.ID); err != nil {
		return nil, err
	}
	r.taxes, err = order.Taxes(ctx, head.ID)
	return r, err
}

// FileName is the receipt's own, without what says the format.
func (r *Receipt) FileName() string { return "receipt-" + strings.TrimPrefix(r.Order.ID, "#") }

// Sums are what the lines come to, in the order they are added up. The last is the total.
func (r *Receipt) Sums() []receiptSum {
	o := r.Order
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
	Label  string
	Amount int64
}

// ReceiptTax is one rate of tax on a receipt.
type ReceiptTax struct {
	Rate     string // 19 %
	Net, Tax int64  // minor units
}

// Taxes are the goods and their tax by rate, the highest first; none if there is no tax at all. Shipping has none.
func (r *Receipt) Taxes() (all []ReceiptTax) {
	if r.Order.Tax.Amount == 0 {
		return nil
	}
	for _, t := range r.taxes {
		all = append(all, ReceiptTax{r.Style.Percent(t.RatePPM), t.Net, t.Tax})
	}
	return all
}

// kept is the amount paid and not refunded.
func (r *Receipt) kept() (sum int64) {
	for _, p := range r.Order.Payments {
		sum += signed(p)
	}
	return sum
}

// signed is a payment, or a refund as less than nothing.
func signed(p order.Payment) int64 {
	if p.Kind == "refund" {
		return -p.Amount.Amount
	}
	return p.Amount.Amount
}

// receiptsOf are the receipts of the order, or of the orders, that were asked for.
func receiptsOf(ctx context.Context, s *core.Shop, call *bus.Call, in documentIn) ([]*Receipt, error) {
	ids := in.OrderIDs
	if in.OrderID != "" {
		ids = []string{in.OrderID}
	}
	all := make([]*Receipt, len(ids))
	for i, id := range ids {
		err := ctx.Err()
		if err == nil {
			all[i], err = NewReceipt(ctx, s, call, id)
		}
		if err != nil {
			return nil, err
		}
		if len(ids) > 1 {
			call.Progress(99*(i+1)/len(ids), fmt.Sprintf("receipts: %d", i+1))
		}
	}
	return all, nil
}

// Print writes the receipt as a PDF.
func (r *Receipt) Print(w io.Writer, font core.FontFor) error {
	_, err := printReceipts(w, font, []*Receipt{r})
	return err
}

// printReceipts writes receipts as one PDF, each on a page of its own.
func printReceipts(w io.Writer, font core.FontFor, all []*Receipt) (out documentOut, err error) {
	first := all[0]
	title := first.say("Receipt") + " " + first.Order.ID
	if len(all) > 1 {
		title = first.say("Receipts")
	}
	doc, err := newPaper(first.Shop, title+" · "+first.Shop.Name, first.at, font)
	if err != nil {
		return out, err
	}
	for i, r := range all {
		if i > 0 {
			doc.NewPage()
		}
		r.print(doc)
		out.Rows += int64(len(r.Order.Lines))
	}
	out.Missing = string(doc.Missing())
	return out, doc.Write(w)
}

// print writes the receipt on the page that was begun.
func (r *Receipt) print(doc *paper.Doc) {
	v := r.view()
	if r.logo != nil {
		doc.Picture(r.Shop.Logo, r.logo, 60, 22)
	}
	doc.Heading(r.Shop.Name, v.Title)
	for _, line := range v.Shop[1:] {
		doc.Paragraph(line)
	}
	doc.Gap(5)
	blocks := make([]string, len(v.Blocks))
	for i, b := range v.Blocks {
		blocks[i] = strings.Join(append([]string{b.Title}, b.Lines...), "\n")
	}
	doc.Blocks(blocks...)
	doc.Gap(6)
	doc.Table(paper.Column{Title: v.Columns[0], Share: 50}, paper.Column{Title: v.Columns[1], Share: 10, Right: true},
		paper.Column{Title: v.Columns[2], Share: 20, Right: true}, paper.Column{Title: v.Columns[3], Share: 20, Right: true})
	for _, l := range v.Lines {
		doc.Row(strings.Join(filledLines(l.Name, l.SKU, l.Terms), "\n"), l.Pieces, l.Price, l.Amount)
	}
	doc.End()
	doc.Rule()
	for _, s := range v.Sums {
		doc.Sum(s.Label, s.Amount, s.Total)
	}
	if len(v.Taxes) > 0 {
		doc.Gap(5)
		doc.Table(paper.Column{Title: v.TaxColumns[0], Share: 60},
			paper.Column{Title: v.TaxColumns[1], Share: 20, Right: true},
			paper.Column{Title: v.TaxColumns[2], Share: 20, Right: true})
		for _, t := range v.Taxes {
			doc.Row(t.Rate, t.Net, t.Tax)
		}
		doc.End()
	}
	if len(v.Payments) > 0 {
		doc.Gap(5)
		doc.Table(paper.Column{Title: v.PaymentColumns[0], Share: 60}, paper.Column{Title: v.PaymentColumns[1], Share: 20},
			paper.Column{Title: v.PaymentColumns[2], Share: 20, Right: true})
		for _, p := range v.Payments {
			doc.Row(p.What, p.Day, p.Amount)
		}
		doc.End()
		doc.Rule()
		doc.Sum(v.Paid.Label, v.Paid.Amount, true)
	}
	for _, part := range v.Parts {
		doc.Gap(6)
		if part.Title != "" {
			doc.Section(part.Title)
		}
		doc.Paragraph(strings.Join(part.Lines, "\n"))
	}
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

// ItemName is the name of a line: product, variant, and whether it came back.
func ItemName(l order.Line) string {
	name := l.Name
	if l.Label != "" {
		name += " (" + l.Label + ")"
	}
	if l.Returned {
		name += " – returned"
	}
	return name
}

// receiptRows are receipts as a table: a row for each line, each sum, each payment.
func receiptRows(all []*Receipt) listing {
	l := listing{
		title: "Receipt", what: "rows",
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
	}
	var rows [][]any
	for _, r := range all {
		rows = append(rows, r.rows()...)
	}
	l.count = int64(len(rows))
	l.rows = func(_ context.Context, emit func(values ...any) error) error {
		for _, row := range rows {
			if err := emit(row...); err != nil {
				return err
			}
		}
		return nil
	}
	return l
}

func (r *Receipt) rows() (rows [][]any) {
	o, currency := r.Order, r.Shop.Currency
	for _, l := range o.Lines {
		rows = append(rows, []any{o.ID, "item", ItemName(l), l.SKU, l.Quantity, l.Price.Amount, l.Total.Amount, nil,
			currency})
	}
	sums := r.Sums()
	if r.included && o.Tax.Amount != 0 {
		sums = append(sums, receiptSum{"Tax included", o.Tax.Amount})
	}
	for _, t := range r.Taxes() {
		sums = append(sums, receiptSum{"Net at " + t.Rate, t.Net}, receiptSum{"Tax at " + t.Rate, t.Tax})
	}
	for _, s := range sums {
		rows = append(rows, []any{o.ID, "sum", s.Label, "", nil, nil, s.Amount, nil, currency})
	}
	for _, p := range o.Payments {
		rows = append(rows, []any{o.ID, p.Kind, p.Label, "", nil, nil, signed(p), r.Shop.Local(p.At), currency})
	}
	return rows
}
