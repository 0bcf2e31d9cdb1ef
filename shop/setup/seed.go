package setup

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/shop/customer"
	"github.com/deskhand/deskhand/shop/internal/core"
	"github.com/deskhand/deskhand/shop/internal/picture"
	"github.com/deskhand/deskhand/shop/internal/text"
	"github.com/deskhand/deskhand/shop/setup/internal/sample"
)

// seeding writes an invented shop into the tables by the rules for real orders: the same sums, a payment for every
// order, and a movement for every piece.
type seeding struct {
	ctx   context.Context
	call  *bus.Call
	data  *sample.Shop
	shop  core.Shop
	rates map[string]int64 // rate in parts per million by tax class
	sold  map[string]int64 // pieces sold by variant, without cancelled orders
	moves int
	err   error // from the first row that could not be added
}

// seed writes the whole shop.
func seed(ctx context.Context, call *bus.Call, d *sample.Shop) error {
	g := &seeding{ctx: ctx, call: call, data: d, rates: map[string]int64{}, sold: map[string]int64{},
		shop: core.Shop{Name: d.Name, Currency: d.Currency, TimeZone: d.TimeZone}}
	g.insert(`shop (id, name, country, currency, time_zone, locale, prices_include_tax, discount_limit, refund_limit,
		cash_step, set_up_at)`, "shop", d.Name, d.Country, d.Currency, d.TimeZone, d.Locale, core.Bit(d.PricesIncludeTax),
		d.DiscountLimit, d.RefundLimit, max(d.CashStep, 1), call.Now.UnixMilli())
	for _, p := range d.Staff {
		g.insert(`staff (id, name, name_fold, role)`, p.ID, p.Name, text.Fold(p.Name), p.Role)
	}
	for _, t := range d.Taxes {
		g.rates[t.ID] = t.RatePPM
		g.insert(`tax_classes (id, name, rate_ppm)`, t.ID, t.Name, t.RatePPM)
	}
	for i, m := range d.Shipping {
		g.insert(`shipping_methods (id, name, price, days, position, tax_class)`, m.ID, m.Name, m.Price, m.Days, i,
			m.TaxClass)
	}
	for _, p := range d.Products {
		g.product(p)
	}
	for _, c := range d.Customers {
		g.customer(c)
	}
	for i, o := range d.Orders {
		if g.order(o); g.err != nil {
			return fmt.Errorf("order %s: %w", o.ID, g.err)
		}
		if i%50 == 0 {
			call.Progress(100*i/len(d.Orders), fmt.Sprintf("%d of %d orders", i, len(d.Orders)))
		}
	}
	g.openings()
	return g.err
}

// insert adds a row unless an earlier one failed.
func (g *seeding) insert(into string, values ...any) {
	if g.err == nil {
		g.err = core.Insert(g.ctx, into, values...)
	}
}

func (g *seeding) product(p sample.Product) {
	var names [3]string
	copy(names[:], p.Options)
	words := append([]string{p.Name, p.Kind}, p.Tags...)
	standard := ""
	if p.Default >= 0 {
		standard = p.Variants[p.Default].ID
	}
	for _, v := range p.Variants {
		words = append(append(words, v.SKU, v.Barcode), v.Values...)
	}
	g.insert(`products (id, handle, name, description, vendor, kind, option1, option2, option3, tax_class, published,
		default_variant_id, name_fold, search_fold, created_at)`,
		p.ID, p.Handle, p.Name, p.Description, g.data.Name, p.Kind, names[0], names[1], names[2], p.Tax, 1,
		standard, text.Fold(p.Name), text.Fold(words...), g.data.Opened.UnixMilli())
	g.picture(p)
	for _, tag := range p.Tags {
		g.insert(`product_tags (product_id, tag_fold, tag)`, p.ID, text.Fold(tag), tag)
	}
	for i, v := range p.Variants {
		var values [3]string
		copy(values[:], v.Values)
		var stock any
		if v.Stock >= 0 {
			stock = v.Stock
		}
		g.insert(`variants (id, product_id, position, sku, barcode, option1, option2, option3, price, stock, backorder,
			available)`,
			v.ID, p.ID, i+1, v.SKU, v.Barcode, values[0], values[1], values[2], v.Price, stock, 0, core.Bit(!v.Withdrawn))
	}
}

// drawn caches the picture.Picture of each product by its id. Pictures never change, so a process draws them once.
var drawn sync.Map

func (g *seeding) picture(p sample.Product) {
	made, is := drawn.Load(p.ID)
	if !is {
		pic, err := picture.Drawn(p.Picture())
		if err != nil {
			g.err = errors.Join(g.err, err)
			return
		}
		made, _ = drawn.LoadOrStore(p.ID, pic)
	}
	of := made.(picture.Picture)
	g.insert(`product_pictures (product_id, version, jpeg, small)`, p.ID, of.Version, of.JPEG, of.Small)
}

func (g *seeding) customer(c sample.Customer) {
	digits, since := text.Digits(c.Phone), c.Since.UnixMilli()
	words := []string{c.Name, c.Email, c.Phone, digits}
	for _, a := range c.Addresses {
		words = append(words, core.Place(a.Line1, a.PostalCode))
	}
	g.insert(`customers (id, name, email, phone, phone_digits, name_fold, search_fold, created_at)`,
		c.ID, c.Name, c.Email, c.Phone, digits, text.Fold(c.Name), text.Fold(words...), since)
	for i, a := range c.Addresses {
		g.insert(`addresses (id, customer_id, label, line1, line2, city, region, postal_code, postal_fold, country,
			is_default, created_at)`,
			a.ID, c.ID, a.Label, a.Line1, a.Line2, a.City, a.Region, a.PostalCode, customer.FoldPostalCode(a.PostalCode),
			a.Country, core.Bit(i == 0), since)
	}
	for i, m := range c.Methods {
		var balance any
		if m.Kind == "giftCard" {
			balance = m.Balance
		}
		g.insert(`payment_methods (id, customer_id, kind, brand, last_four, balance, is_default, created_at)`,
			m.ID, c.ID, m.Kind, m.Brand, m.LastFour, balance, core.Bit(i == 0), since)
	}
}

func (g *seeding) order(o sample.Order) {
	c := g.data.Customers[o.Customer]
	a, ship := c.Addresses[o.Address], g.data.Shipping[o.Shipping]
	priced := make([]core.PricedLine, len(o.Lines))
	words := []string{o.ID, c.Name, core.Place(a.Line1, a.PostalCode)}
	for i, l := range o.Lines {
		p := g.data.Products[l.Product]
		priced[i] = core.PricedLine{Price: p.Variants[l.Variant].Price, Quantity: l.Quantity, RatePPM: g.rates[p.Tax]}
		words = append(words, p.Name, p.Variants[l.Variant].SKU)
	}
	sum := core.SumUp(priced, o.Percent, 0, core.Shipping{Price: ship.Price}, false)
	cancelledBy := ""
	if o.Status == "cancelled" {
		cancelledBy = o.By
	}
	g.insert(`orders (id, customer_id, status, placed_at, placed_by, processed_at, delivered_at, cancelled_at,
		cancelled_by, cancel_reason, subtotal, discount, shipping, tax, total, tax_included, discount_reason,
		shipping_method, estimated_delivery, gift_message, address_id, address_label, line1, line2, city, region,
		postal_code, country, name_fold, search_fold)`,
		o.ID, c.ID, o.Status, o.Placed.UnixMilli(), o.By, milli(o.Processed), milli(o.Delivered), milli(o.Cancelled),
		cancelledBy, o.CancelReason, sum.Subtotal, sum.Discount, sum.Shipping, sum.Tax, sum.Total, 0, o.DiscountReason,
		ship.Name, g.shop.BusinessDay(o.Placed, ship.Days), o.GiftMessage, a.ID, a.Label, a.Line1, a.Line2, a.City, a.Region,
		a.PostalCode, a.Country, text.Fold(o.ID, c.Name), text.Fold(words...))
	g.lines(o, sum)
	g.aftermath(o, c.Methods[o.Method], sum)
}

func (g *seeding) lines(o sample.Order, sum core.Sums) {
	for i, l := range o.Lines {
		p := g.data.Products[l.Product]
		v := p.Variants[l.Variant]
		g.insert(`order_lines (order_id, line, id, product_id, variant_id, sku, name, label, quantity, price, discount,
			discount_amount, tax, total, rate_ppm)`,
			o.ID, i+1, v.ID, p.ID, v.ID, v.SKU, p.Name, strings.Join(v.Values, ", "), l.Quantity, v.Price,
			sum.Lines[i].Discount, sum.Lines[i].Discount, sum.Lines[i].Tax, sum.Lines[i].Total, sum.Lines[i].RatePPM)
		if v.Stock < 0 {
			continue
		}
		g.move(v.ID, -l.Quantity, "sale", o.ID, o.By, o.Placed)
		if o.Status == "cancelled" {
			g.move(v.ID, l.Quantity, "cancellation", o.ID, o.By, o.Cancelled)
		} else {
			g.sold[v.ID] += l.Quantity
		}
	}
}

// aftermath writes the events after an order: payment, refund, shipment and note.
func (g *seeding) aftermath(o sample.Order, m sample.Method, sum core.Sums) {
	label := customer.MethodLabel(m.Kind, m.Brand, m.LastFour)
	number := strings.TrimPrefix(o.ID, "#")
	const payments = `payments (id, order_id, kind, method_id, label, amount, at)`
	g.insert(payments, "pay_"+number, o.ID, "payment", m.ID, label, sum.Total, o.Placed.UnixMilli())
	if o.Status == "cancelled" {
		g.insert(payments, "ref_"+number, o.ID, "refund", m.ID, label, sum.Total, o.Cancelled.UnixMilli())
	}
	if o.Tracking != "" {
		g.insert(`fulfilments (id, order_id, tracking_id, at)`, "ful_"+number, o.ID, o.Tracking, o.Processed.UnixMilli())
	}
	if o.Note != "" {
		g.insert(`order_notes (id, order_id, text, person, at)`,
			"note_"+number, o.ID, o.Note, o.By, o.Noted.UnixMilli())
	}
	if !o.Back.Received.IsZero() {
		g.back(o, m, label, sum)
	}
}

// back records that the first line of an order was returned but not restocked.
func (g *seeding) back(o sample.Order, m sample.Method, label string, sum core.Sums) {
	number := strings.TrimPrefix(o.ID, "#")
	line, request, received := o.Lines[0], "rqs_"+number, o.Back.Received.UnixMilli()
	first := sum.Lines[0]
	value := first.Total - first.Discount + first.Tax
	g.insert(`order_requests (id, order_id, kind, status, requested_at, received_at, method_id, method_label, amount,
		person, reason)`, request, o.ID, "return", "received", o.Back.Asked.UnixMilli(), received, m.ID, label, -value,
		o.By, o.Back.Reason)
	g.insert(`order_request_lines (request_id, position, variant_id, quantity, received)`, request, 1,
		g.data.Products[line.Product].Variants[line.Variant].ID, line.Quantity, line.Quantity)
	g.insert(`payments (id, order_id, kind, method_id, label, amount, at)`, "ref_"+number, o.ID, "refund", m.ID, label,
		value, received)
	if g.err == nil {
		g.err = core.Exec(g.ctx, `UPDATE order_lines SET returned_by = ? WHERE order_id = ? AND line = 1`, request, o.ID)
	}
}

// openings gives every counted variant an opening stock, so that its stock is right after all sales.
func (g *seeding) openings() {
	for _, p := range g.data.Products {
		for _, v := range p.Variants {
			if v.Stock >= 0 {
				g.move(v.ID, v.Stock+g.sold[v.ID], "opening", "", g.data.Staff[0].ID, g.data.Opened)
			}
		}
	}
}

func (g *seeding) move(variantID string, delta int64, reason, orderID, person string, at time.Time) {
	g.moves++
	g.insert(`stock_movements (id, variant_id, delta, reason, order_id, person, at)`,
		fmt.Sprintf("mov_%06d", g.moves), variantID, delta, reason, orderID, person, at.UnixMilli())
}

// milli converts a time for the tables; 0 means not yet.
func milli(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixMilli()
}
