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
	"github.com/deskhand/deskhand/shop/internal/book"
	"github.com/deskhand/deskhand/shop/internal/core"
	"github.com/deskhand/deskhand/shop/order"
	"github.com/deskhand/deskhand/shop/settings"
)

// Receipt lists items, sums, payments and refunds for a customer. It shows an entry of the book of receipts, or the
// current state of an order with no or several entries.
type Receipt struct {
	Shop     *core.Shop
	Style    locale.Style
	Order    order.Order
	included bool // prices include tax
	taxes    []core.RateSum
	logo     []byte
	at       time.Time
	entry    book.Receipt // the entry with the requested number, or the only one
}

// NewReceipt returns the receipt with a number. Without a number it returns the only receipt of an order, or else the
// current state of the order.
func NewReceipt(ctx context.Context, s *core.Shop, call *bus.Call, orderID, number string) (*Receipt, error) {
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
	if r.taxes, err = core.Rates(ctx, head.ID, true, false); err != nil {
		return nil, err
	}
	if number == "" && len(r.Order.Receipts) == 1 {
		number = r.Order.Receipts[0]
	}
	if number == "" {
		return r, nil
	}
	entry, found, err := book.Find(ctx, head.ID, number)
	if err == nil && !found {
		err = core.NotFound("Order %s has no receipt %s.", head.ID, number).WithHint("order.get lists its receipts.")
	}
	r.tell(entry)
	return r, err
}

// tell replaces the amounts of the order by those of the book.
func (r *Receipt) tell(e book.Receipt) {
	o, money := &r.Order, r.Shop.Money
	var subtotal, discount, tax, ofLines int64
	notes := map[string]order.Line{}
	for _, l := range o.Lines {
		notes[l.VariantID] = l
	}
	o.Lines = nil
	for _, l := range e.Lines {
		subtotal, discount, ofLines = subtotal+l.Total, discount+l.Discount, ofLines+l.Tax
		o.Lines = append(o.Lines, order.Line{ID: l.ID, VariantID: l.VariantID, SKU: l.SKU, Name: l.Name, Label: l.Label,
			Quantity: l.Quantity, Price: money(l.Price), Discount: money(l.Discount), Tax: money(l.Tax), Total: money(l.Total),
			Note: notes[l.VariantID].Note})
	}
	for _, t := range e.Rates {
		tax += t.Tax
	}
	shipping := e.Shipping
	if !e.Included {
		shipping -= tax - ofLines
	}
	o.Subtotal, o.Discount, o.Shipping, o.Tax, o.Total = money(subtotal), money(discount), money(shipping), money(tax),
		money(e.Total)
	o.Payments = nil
	for _, p := range e.Payments {
		paid := order.Payment{Kind: "payment", PaymentMethodID: p.MethodID, Label: p.Label, Amount: money(p.Amount), At: e.At}
		if p.Amount < 0 {
			paid.Kind, paid.Amount = "refund", money(-p.Amount)
		}
		if p.Tendered > 0 {
			given, change := money(p.Tendered), money(p.Tendered-p.Amount)
			paid.Tendered, paid.Change = &given, &change
		}
		o.Payments = append(o.Payments, paid)
	}
	o.Rounding = r.Shop.Rounding(e.Rounding)
	r.entry, r.included, r.taxes, r.at = e, e.Included, e.Rates, time.UnixMilli(e.At)
}

// FileName returns the name of the receipt's file without the extension.
func (r *Receipt) FileName() string { return "receipt-" + strings.TrimPrefix(r.Order.ID, "#") }

// sums returns the sums of the lines in the order of addition. The last one is the total.
func (r *Receipt) sums() []receiptSum {
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

// rounding returns the line for the rounding of cash, or none.
func (r *Receipt) rounding() []receiptSum {
	if r.Order.Rounding == nil {
		return nil
	}
	return []receiptSum{{"Rounding", r.Order.Rounding.Amount}}
}

type receiptSum struct {
	Label  string
	Amount int64
}

// receiptTax is a tax rate on a receipt.
type receiptTax struct {
	Rate     string // for example 19 %
	Net, Tax int64  // minor units
}

// rates returns the net amounts and tax of goods and shipping by rate, highest rate first. It omits untaxed shipping,
// and returns nothing if there is no tax at all.
func (r *Receipt) rates() (all []receiptTax) {
	if r.Order.Tax.Amount == 0 {
		return nil
	}
	for _, t := range r.taxes {
		all = append(all, receiptTax{r.Style.Percent(t.RatePPM), t.Net, t.Tax})
	}
	return all
}

// kept returns the amount paid less refunds.
func (r *Receipt) kept() (sum int64) {
	for _, p := range r.Order.Payments {
		sum += signed(p)
	}
	return sum
}

// signed returns the amount of a payment, negative for a refund.
func signed(p order.Payment) int64 {
	if p.Kind == "refund" {
		return -p.Amount.Amount
	}
	return p.Amount.Amount
}

// receiptsOf returns the receipts of the requested orders.
func receiptsOf(ctx context.Context, s *core.Shop, call *bus.Call, in documentIn) ([]*Receipt, error) {
	ids := in.OrderIDs
	if in.OrderID != "" {
		ids = []string{in.OrderID}
	}
	all := make([]*Receipt, len(ids))
	for i, id := range ids {
		err := ctx.Err()
		if err == nil {
			all[i], err = NewReceipt(ctx, s, call, id, in.Receipt)
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
	_, err := printReceipts(w, font, []*Receipt{r}, "")
	return err
}

// The papers for receipts besides that of the shop's country.
const (
	paperA4     = "a4"
	paperLetter = "letter"
	paperRoll   = "80mm"
)

// printReceipts writes receipts as one PDF, each on a separate page.
func printReceipts(w io.Writer, font core.FontFor, all []*Receipt, on string) (out documentOut, err error) {
	first := all[0]
	title := first.Say("Receipt") + " " + first.Order.ID
	if len(all) > 1 {
		title = first.Say("Receipts")
	}
	for _, r := range all {
		out.Rows += int64(len(r.Order.Lines))
	}
	o := options(first.Shop, title+" · "+first.Shop.Name, first.at, font)
	out.Missing, err = printPages(w, o, on, len(all), func(doc *paper.Doc, i int, roll bool) { all[i].print(doc, roll) })
	return out, err
}

// printPages writes each element on a separate page. It prints a roll twice, first to measure its length.
func printPages(w io.Writer, o paper.Options, on string, pages int, page func(doc *paper.Doc, i int,
	roll bool)) (missing string, err error) {
	o.Letter, o.Roll = on == paperLetter || o.Letter && on != paperA4, on == paperRoll
	height := 0.0
	put := func() (*paper.Doc, error) {
		doc, err := paper.New(o)
		for i := range pages {
			if err != nil {
				return nil, err
			}
			if i > 0 {
				doc.NewPage()
			}
			page(doc, i, o.Roll)
			height = max(height, doc.Height())
		}
		return doc, err
	}
	doc, err := put()
	if err == nil && o.Roll {
		o.Height = height
		doc, err = put()
	}
	if err != nil {
		return "", err
	}
	return string(doc.Missing()), doc.Write(w)
}

// print prints the receipt on the current page.
func (r *Receipt) print(doc *paper.Doc, roll bool) {
	v := r.View()
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
	narrow := []paper.Column{{Title: v.Columns[0], Share: 68}, {Title: v.Columns[3], Share: 32, Right: true}}
	if roll {
		doc.Table(narrow...)
	} else {
		doc.Table(paper.Column{Title: v.Columns[0], Share: 50}, paper.Column{Title: v.Columns[1], Share: 10, Right: true},
			paper.Column{Title: v.Columns[2], Share: 20, Right: true}, paper.Column{Title: v.Columns[3], Share: 20, Right: true})
	}
	for _, l := range v.Lines {
		item := filledLines(l.Name, l.SKU, l.Terms)
		if roll {
			doc.Row(strings.Join(append(item, l.Pieces+" × "+l.Price), "\n"), l.Amount)
		} else {
			doc.Row(strings.Join(item, "\n"), l.Pieces, l.Price, l.Amount)
		}
	}
	doc.End()
	doc.Rule()
	for _, s := range v.Sums {
		doc.Sum(s.Label, s.Amount, s.Total)
	}
	if len(v.Taxes) > 0 {
		doc.Gap(5)
		rest := 20.0
		if roll {
			rest = 33
		}
		doc.Table(paper.Column{Title: v.TaxColumns[0], Share: 100 - 2*rest},
			paper.Column{Title: v.TaxColumns[1], Share: rest, Right: true},
			paper.Column{Title: v.TaxColumns[2], Share: rest, Right: true})
		for _, t := range v.Taxes {
			doc.Row(t.Rate, t.Net, t.Tax)
		}
		doc.End()
	}
	if len(v.Payments) > 0 {
		doc.Gap(5)
		if narrow[0].Title, narrow[1].Title = v.PaymentColumns[0], v.PaymentColumns[2]; roll {
			doc.Table(narrow...)
		} else {
			doc.Table(paper.Column{Title: v.PaymentColumns[0], Share: 60}, paper.Column{Title: v.PaymentColumns[1], Share: 20},
				paper.Column{Title: v.PaymentColumns[2], Share: 20, Right: true})
		}
		for _, p := range v.Payments {
			if roll {
				doc.Row(p.What+"\n"+p.Day, p.Amount)
			} else {
				doc.Row(p.What, p.Day, p.Amount)
			}
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

// filledLines returns the non-empty lines.
func filledLines(all ...string) []string {
	var some []string
	for _, s := range all {
		if s != "" {
			some = append(some, s)
		}
	}
	return some
}

// itemName returns the name of a line: product, variant, and a mark if it was returned.
func itemName(l order.Line) string {
	name := l.Name
	if l.Label != "" {
		name += " (" + l.Label + ")"
	}
	if l.Returned {
		name += " – returned"
	}
	return name
}

// receiptRows returns receipts as a table with a row for each line, sum and payment.
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
		rows = append(rows, []any{o.ID, "item", itemName(l), l.SKU, l.Quantity, l.Price.Amount, l.Total.Amount, nil,
			currency})
	}
	sums := append(r.sums(), r.rounding()...)
	if r.included && o.Tax.Amount != 0 {
		sums = append(sums, receiptSum{"Tax included", o.Tax.Amount})
	}
	for _, t := range r.rates() {
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
