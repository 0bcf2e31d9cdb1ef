package shopify

import (
	"cmp"
	"io"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/deskhand/deskhand/shop/internal/text"
)

// Columns of an order export. The columns of the shipping and billing address have a prefix.
const (
	colNumber       = "Name"
	colFinancial    = "Financial Status"
	colPaidAt       = "Paid at"
	colFulfillment  = "Fulfillment Status"
	colFulfilledAt  = "Fulfilled at"
	colCurrency     = "Currency"
	colSubtotal     = "Subtotal"
	colShipping     = "Shipping"
	colTaxes        = "Taxes"
	colTotal        = "Total"
	colDiscountCode = "Discount Code"
	colDiscount     = "Discount Amount"
	colMethod       = "Shipping Method"
	colCreatedAt    = "Created at"
	colCancelledAt  = "Cancelled at"
	colPaidBy       = "Payment Method"
	colRefunded     = "Refunded Amount"
	colOutstanding  = "Outstanding Balance"
	colNotes        = "Notes"
	colTaxName      = "Tax 1 Name"
	colOtherTax     = "Tax 2 Name"

	colPieces       = "Lineitem quantity"
	colLineName     = "Lineitem name"
	colLinePrice    = "Lineitem price"
	colLineSKU      = "Lineitem sku"
	colLineTaxable  = "Lineitem taxable"
	colLineSent     = "Lineitem fulfillment status"
	colLineDiscount = "Lineitem discount"

	shipping = "Shipping " // prefixes of the address columns
	billing  = "Billing "
)

var orders = layout{
	what: "an order export",
	columns: append(append(addressColumns(shipping), addressColumns(billing)...),
		colNumber, colEmail, colPhone, colFinancial, colPaidAt, colFulfillment, colFulfilledAt, colCurrency, colSubtotal,
		colShipping, colTaxes, colTotal, colDiscountCode, colDiscount, colMethod, colCreatedAt, colCancelledAt, colPaidBy,
		colRefunded, colOutstanding, colNotes, colTaxName, colOtherTax, colPieces, colLineName, colLinePrice,
		colLineSKU, colLineTaxable, colLineSent,
		colLineDiscount, shipping+colNumber, billing+colNumber, shipping+colPhone, billing+colPhone),
	required: []string{colNumber, colFinancial, colFulfillment, colTotal, colSubtotal, colCreatedAt, colPieces,
		colLineName, colLinePrice},
	also: map[string]string{"canceled at": colCancelledAt},
}

// The states of an order, in the words of this shop.
const (
	Pending   = "pending"
	Processed = "processed"
	Delivered = "delivered"
	Cancelled = "cancelled"
)

// Orders is a parsed order export.
type Orders struct {
	Read
	Orders []Order
}

// Order is an order of a file. Its total is the sum of its lines less discounts, plus shipping, plus taxes unless
// prices include them. Payments less refunds equal the total, or 0 if the order is cancelled.
type Order struct {
	Line            int // of its first row
	Rows            int
	Name            string // as in the file: #1001
	Buyer           string // name; "" without email and phone for a walk-in
	Email, Phone    string
	Status          string
	PlacedAt        time.Time
	SentAt          time.Time // zero if nothing was sent
	CancelledAt     time.Time // zero if not cancelled
	TaxIncluded     *bool     // nil if there is no tax
	Shipping, Total int64
	ShippingTax     int64 // the tax at ShippingRate
	ShippingRate    int64 // in parts per million
	DiscountReason  string
	ShippingMethod  string
	Note            string
	Address         *Address // nil if nothing was delivered
	Lines           []OrderLine
	Payments        []Payment
}

// OrderLine is a line of an order. Discount and Tax apply to the whole line.
type OrderLine struct {
	Line                           int
	SKU, Name                      string
	Quantity, Price, Discount, Tax int64
	Sent                           bool

	taxable bool
}

// Payment is a payment or a refund.
type Payment struct {
	Refund bool
	Means  Means
	Amount int64
	At     time.Time
}

// Means is a payment method.
type Means struct {
	Kind  string // card, paypal, giftCard, onAccount or cash
	Label string // as in the file; "" for an unpaid amount
}

// ParseOrders parses an order export. digits is the number of minor digits of the currency. zone applies to times
// without an offset.
func ParseOrders(data io.Reader, currency string, digits int, zone *time.Location) (Orders, error) {
	rs := &rows{layout: orders}
	p := &orderParser{rows: rs, currency: currency, digits: digits, zone: zone, seen: map[string]int{}}
	rs.each(data, p.row)
	p.end()
	rs.Problems.Sort()
	p.file.Read = rs.Read
	return p.file, rs.err
}

type orderParser struct {
	*rows
	file     Orders
	currency string
	digits   int
	zone     *time.Location
	seen     map[string]int // line of the first row of each order, by number
	first    *row           // first row of the current order; nil before the first order
	order    Order
	wrong    bool // the current order has a mistake
}

func (p *orderParser) row(r *row) {
	name := text.Line(r.get(colNumber), maxTag+1)
	if p.first == nil || name != p.order.Name {
		p.end()
		if first, twice := p.seen[name]; twice {
			p.of, p.Left = name, p.Left+1
			p.problem(r, colNumber, "The order %s is on line %d already; the rows of an order must follow each other.", name,
				first)
			return
		}
		p.wrong = false
	}
	p.of = name
	p.wrong = p.fails(func() {
		if p.first == nil {
			p.begin(r, name)
		} else if again := r.get(colTotal); again != "" && again != p.first.get(colTotal) {
			p.problem(r, colTotal, "The total is %s here and %s in the order's first row.", again, p.first.get(colTotal))
		}
		p.order.Rows++
		p.line(r)
	}) || p.wrong
}

// begin reads the columns of an order from its first row.
func (p *orderParser) begin(r *row, name string) {
	p.first = r
	p.order = Order{
		Line: r.line, Name: name, Email: p.email(r, colEmail), Phone: cmp.Or(p.phone(r, colPhone),
			p.phone(r, billing+colPhone), p.phone(r, shipping+colPhone)),
		Buyer:    cmp.Or(p.short(r, billing+colNumber, maxShort), p.short(r, shipping+colNumber, maxShort)),
		PlacedAt: p.moment(r, colCreatedAt, p.zone), SentAt: p.moment(r, colFulfilledAt, p.zone), CancelledAt: p.moment(r,
			colCancelledAt, p.zone),
		Shipping: p.amount(r, colShipping, p.digits), Total: p.amount(r, colTotal, p.digits),
		DiscountReason: p.short(r, colDiscountCode, maxText), ShippingMethod: p.short(r, colMethod, maxText),
		Address: p.address(r, shipping), Note: r.get(colNotes),
	}
	if name == "" {
		p.problem(r, colNumber, "The number of the order is missing.")
	} else if p.seen[name] = r.line; utf8.RuneCountInString(name) > maxTag {
		p.problem(r, colNumber, "The text is longer than %d characters.", maxTag)
	}
	if p.order.PlacedAt.IsZero() && r.get(colCreatedAt) == "" {
		p.problem(r, colCreatedAt, "The time of the order is missing.")
	}
	if given := r.get(colCurrency); given != "" && !strings.EqualFold(given, p.currency) {
		p.problem(r, colCurrency, "The order is in %s and the shop's currency is %s.", given, p.currency)
	}
	if len(p.order.Note) > maxNote {
		p.problem(r, colNotes, "The note is longer than %d characters.", maxNote)
	}
	if p.order.Address == nil {
		p.order.Address = p.address(r, billing)
	}
}

// line reads the order line in a row. A line with 0 pieces was removed from the order and is skipped.
func (p *orderParser) line(r *row) {
	l := OrderLine{Line: r.line, SKU: p.code(r, colLineSKU, maxShort), Name: p.short(r, colLineName, 500),
		Price: p.amount(r, colLinePrice, p.digits), Discount: p.amount(r, colLineDiscount, p.digits),
		taxable: p.flag(r, colLineTaxable, true), Sent: strings.EqualFold(r.get(colLineSent), "fulfilled")}
	n, ok := p.pieces(r, colPieces)
	switch {
	case !ok || n < 0 || n > maxPieces:
		p.problem(r, colPieces, "%q is not a number of pieces.", r.get(colPieces))
		return
	case n == 0:
		return
	case l.Name == "":
		p.problem(r, colLineName, "The line does not say of what.")
	case r.get(colLinePrice) == "":
		p.problem(r, colLinePrice, "The price is missing.")
	case l.Discount > n*l.Price:
		p.problem(r, colLineDiscount, "The discount is more than the line.")
	}
	l.Quantity = n
	p.order.Lines = append(p.order.Lines, l)
}

// end completes the current order: its status and its amounts. It skips the calculation for an order with mistakes.
func (p *orderParser) end() {
	if p.first == nil {
		return
	}
	p.of = p.order.Name
	if p.wrong || p.fails(p.lineless) || p.fails(p.status) || p.fails(p.reckon) {
		p.Left += p.order.Rows
	} else {
		p.file.Orders = append(p.file.Orders, p.order)
	}
	p.first = nil
}

func (p *orderParser) lineless() {
	if len(p.order.Lines) == 0 {
		p.problem(p.first, colPieces, "The order has no lines.")
	}
}

// status reads the state of the order. A shipped order counts as delivered, because the file has no time of arrival.
func (p *orderParser) status() {
	o, r := &p.order, p.first
	word := strings.ToLower(r.get(colFulfillment))
	switch word {
	case "", "unfulfilled", "pending", "scheduled", "on_hold", "restocked":
		o.Status = Pending
	case "partial", "in_progress":
		o.Status = Processed
	case "fulfilled", "shipped":
		o.Status = Delivered
	default:
		p.problem(r, colFulfillment, "%q is not unfulfilled, partial or fulfilled.", r.get(colFulfillment))
		return
	}
	if o.Status != Pending && o.SentAt.IsZero() {
		o.SentAt = o.PlacedAt
	}
	for _, t := range []struct {
		column string
		at     *time.Time
	}{{colFulfilledAt, &o.SentAt}, {colCancelledAt, &o.CancelledAt}} {
		if !t.at.IsZero() && t.at.Before(o.PlacedAt) {
			p.problem(r, t.column, "It is before the order was placed.")
		}
	}
	if !o.CancelledAt.IsZero() {
		o.Status = Cancelled
	}
}
