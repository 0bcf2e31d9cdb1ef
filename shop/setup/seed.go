package setup

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/shop/customer"
	"github.com/deskhand/deskhand/shop/internal/core"
	"github.com/deskhand/deskhand/shop/internal/text"
	"github.com/deskhand/deskhand/shop/setup/internal/sample"
)

// seeding writes a made-up shop into the tables, by the rules that real orders
// follow: the same sums, a payment for every order, a movement for every piece.
type seeding struct {
	call  *bus.Call
	data  *sample.Shop
	shop  core.Shop
	rates map[string]int64 // tax class → parts per million
	sold  map[string]int64 // variant → pieces gone, cancelled orders not counted
	moves int
}

func (g *seeding) run(ctx context.Context) error {
	d := g.data
	g.shop = core.Shop{Name: d.Name, Currency: d.Currency, TimeZone: d.TimeZone}
	g.rates, g.sold = map[string]int64{}, map[string]int64{}
	if err := core.Exec(ctx, `INSERT INTO shop (id, name, currency, time_zone, prices_include_tax, discount_limit,
		refund_limit, set_up_at)
		VALUES ('shop', ?, ?, ?, 0, ?, ?, ?)`, d.Name, d.Currency, d.TimeZone, d.DiscountLimit, d.RefundLimit,
		g.call.Now.UnixMilli()); err != nil {
		return err
	}
	for _, p := range d.Staff {
		if err := core.Insert(ctx, `staff (id, name, name_fold, role)`,
			p.ID, p.Name, text.Fold(p.Name), p.Role); err != nil {
			return err
		}
	}
	for _, t := range d.Taxes {
		g.rates[t.ID] = t.RatePPM
		if err := core.Insert(ctx, `tax_classes (id, name, rate_ppm)`, t.ID, t.Name, t.RatePPM); err != nil {
			return err
		}
	}
	for i, m := range d.Shipping {
		if err := core.Insert(ctx, `shipping_methods (id, name, price, days, position)`,
			m.ID, m.Name, m.Price, m.Days, i); err != nil {
			return err
		}
	}
	for _, step := range []func(context.Context) error{g.products, g.customers, g.orders, g.openings} {
		if err := step(ctx); err != nil {
			return err
		}
	}
	return nil
}

func (g *seeding) products(ctx context.Context) error {
	for _, p := range g.data.Products {
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
		if err := core.Exec(ctx, `INSERT INTO products (id, handle, name, description, vendor, kind, option1, option2,
			option3, tax_class, published, default_variant_id, name_fold, search_fold, created_at)
			VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 1, ?, ?, ?, ?)`, p.ID, p.Handle, p.Name, p.Description, g.data.Name, p.Kind,
			names[0], names[1], names[2], p.Tax,
			standard, text.Fold(p.Name), text.Fold(words...), g.data.Opened.UnixMilli()); err != nil {
			return err
		}
		for _, tag := range p.Tags {
			if err := core.Insert(ctx, `product_tags (product_id, tag_fold, tag)`, p.ID, text.Fold(tag), tag); err != nil {
				return err
			}
		}
		for i, v := range p.Variants {
			var values [3]string
			copy(values[:], v.Values)
			var stock any
			if v.Stock >= 0 {
				stock = v.Stock
			}
			if err := core.Exec(ctx, `INSERT INTO variants (id, product_id, position, sku, barcode, option1, option2, option3,
				price, stock, backorder, available)
				VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0, ?)`, v.ID, p.ID, i+1, v.SKU, v.Barcode, values[0], values[1], values[2],
				v.Price, stock, core.Bit(!v.Withdrawn)); err != nil {
				return err
			}
		}
	}
	return nil
}

func (g *seeding) customers(ctx context.Context) error {
	for _, c := range g.data.Customers {
		digits := text.Digits(c.Phone)
		if err := core.Insert(ctx, `customers (id, name, email, phone, phone_digits, name_fold, search_fold, created_at)`,
			c.ID, c.Name, c.Email, c.Phone, digits, text.Fold(c.Name), text.Fold(c.Name, c.Email, c.Phone, digits),
			c.Since.UnixMilli()); err != nil {
			return err
		}
		for i, a := range c.Addresses {
			if err := core.Insert(ctx, `addresses (id, customer_id, label, line1, line2, city, region, postal_code,
				postal_fold, country, is_default, created_at)`,
				a.ID, c.ID, a.Label, a.Line1, a.Line2, a.City, a.Region, a.PostalCode,
				customer.FoldPostalCode(a.PostalCode),
				a.Country, core.Bit(i == 0), c.Since.UnixMilli()); err != nil {
				return err
			}
		}
		for i, m := range c.Methods {
			var balance any
			if m.Kind == "giftCard" {
				balance = m.Balance
			}
			if err := core.Insert(ctx, `payment_methods (id, customer_id, kind, brand, last_four, balance, is_default,
				created_at)`,
				m.ID, c.ID, m.Kind, m.Brand, m.LastFour, balance, core.Bit(i == 0), c.Since.UnixMilli()); err != nil {
				return err
			}
		}
	}
	return nil
}

func (g *seeding) orders(ctx context.Context) error {
	for i, o := range g.data.Orders {
		if err := g.order(ctx, o); err != nil {
			return fmt.Errorf("order %s: %w", o.ID, err)
		}
		if i%50 == 0 {
			g.call.Progress(100*i/len(g.data.Orders), fmt.Sprintf("%d of %d orders", i, len(g.data.Orders)))
		}
	}
	return nil
}

func (g *seeding) order(ctx context.Context, o sample.Order) error {
	c := g.data.Customers[o.Customer]
	a, m, ship := c.Addresses[o.Address], c.Methods[o.Method], g.data.Shipping[o.Shipping]
	priced := make([]core.PricedLine, len(o.Lines))
	words := []string{o.ID, c.Name}
	for i, l := range o.Lines {
		p := g.data.Products[l.Product]
		priced[i] = core.PricedLine{Price: p.Variants[l.Variant].Price, Quantity: l.Quantity, RatePPM: g.rates[p.Tax]}
		words = append(words, p.Name, p.Variants[l.Variant].SKU)
	}
	sum := core.SumUp(priced, o.Percent, 0, ship.Price, false)
	cancelledBy := ""
	if o.Status == "cancelled" {
		cancelledBy = o.By
	}
	if err := core.Exec(ctx, `INSERT INTO orders (id, customer_id, status, placed_at, placed_by, processed_at,
		delivered_at, cancelled_at, cancelled_by, cancel_reason,
			subtotal, discount, shipping, tax, total, tax_included, discount_reason, shipping_method, estimated_delivery,
			gift_message,
			address_id, address_label, line1, line2, city, region, postal_code, country, name_fold, search_fold)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
		o.ID, c.ID, o.Status, o.Placed.UnixMilli(), o.By, milli(o.Processed), milli(o.Delivered), milli(o.Cancelled),
		cancelledBy, o.CancelReason,
		sum.Subtotal, sum.Discount, sum.Shipping, sum.Tax, sum.Total, o.DiscountReason, ship.Name,
		g.shop.BusinessDay(o.Placed, ship.Days), o.GiftMessage,
		a.ID, a.Label, a.Line1, a.Line2, a.City, a.Region, a.PostalCode, a.Country, text.Fold(o.ID, c.Name),
		text.Fold(words...)); err != nil {
		return err
	}
	if err := g.lines(ctx, o, sum); err != nil {
		return err
	}
	return g.aftermath(ctx, o, m, sum.Total)
}

func (g *seeding) lines(ctx context.Context, o sample.Order, sum core.Sums) error {
	for i, l := range o.Lines {
		p := g.data.Products[l.Product]
		v := p.Variants[l.Variant]
		if err := core.Insert(ctx, `order_lines (order_id, line, product_id, variant_id, sku, name, label, quantity, price,
			discount, tax, total)`,
			o.ID, i+1, p.ID, v.ID, v.SKU, p.Name, strings.Join(v.Values, ", "),
			l.Quantity, v.Price,
			sum.Lines[i].Discount, sum.Lines[i].Tax, sum.Lines[i].Total); err != nil {
			return err
		}
		if v.Stock < 0 {
			continue
		}
		if err := g.move(ctx, v.ID, -l.Quantity, "sale", o.ID, o.By, o.Placed); err != nil {
			return err
		}
		if o.Status != "cancelled" {
			g.sold[v.ID] += l.Quantity
		} else if err := g.move(ctx, v.ID, l.Quantity, "cancellation", o.ID, o.By, o.Cancelled); err != nil {
			return err
		}
	}
	return nil
}

// aftermath writes what followed an order: payment, refund, shipment, note.
func (g *seeding) aftermath(ctx context.Context, o sample.Order, m sample.Method, total int64) error {
	label := customer.MethodLabel(m.Kind, m.Brand, m.LastFour)
	number := strings.TrimPrefix(o.ID, "#")
	const pay = `INSERT INTO payments (id, order_id, kind, method_id, label, amount, at) VALUES (?, ?, ?, ?, ?, ?, ?)`
	if err := core.Exec(ctx, pay, "pay_"+number, o.ID, "payment", m.ID, label, total, o.Placed.UnixMilli()); err != nil {
		return err
	}
	if o.Status == "cancelled" {
		if err := core.Exec(ctx, pay, "ref_"+number, o.ID, "refund", m.ID, label, total,
			o.Cancelled.UnixMilli()); err != nil {
			return err
		}
	}
	if o.Tracking != "" {
		if err := core.Insert(ctx, `fulfilments (id, order_id, tracking_id, at)`,
			"ful_"+number, o.ID, o.Tracking, o.Processed.UnixMilli()); err != nil {
			return err
		}
	}
	if o.Note == "" {
		return nil
	}
	return core.Insert(ctx, `order_notes (id, order_id, text, person, at)`,
		"note_"+number, o.ID, o.Note, o.By, o.Placed.Add(time.Minute).UnixMilli())
}

// openings give every counted variant the stock it must have begun with to have
// today's after all that was sold.
func (g *seeding) openings(ctx context.Context) error {
	for _, p := range g.data.Products {
		for _, v := range p.Variants {
			if v.Stock < 0 {
				continue
			}
			if err := g.move(ctx, v.ID, v.Stock+g.sold[v.ID], "opening", "", g.data.Staff[0].ID, g.data.Opened); err != nil {
				return err
			}
		}
	}
	return nil
}

func (g *seeding) move(ctx context.Context, variantID string, delta int64, reason, orderID, person string,
	at time.Time) error {
	g.moves++
	return core.Insert(ctx, `stock_movements (id, variant_id, delta, reason, order_id, person, at)`,
		fmt.Sprintf("mov_%06d", g.moves), variantID, delta, reason, orderID, person, at.UnixMilli())
}

// milli is a time as the tables keep it; 0 is not yet.
func milli(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixMilli()
}
