package transfer

import (
	"cmp"
	"context"
	"io"
	"slices"
	"strings"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/shop/customer"
	"github.com/deskhand/deskhand/shop/internal/core"
	"github.com/deskhand/deskhand/shop/internal/text"
	"github.com/deskhand/deskhand/shop/order"
	"github.com/deskhand/deskhand/shop/transfer/internal/shopfile"
	"github.com/deskhand/deskhand/shop/transfer/internal/shopify"
)

// orderPlan is the planned import of orders. Customers are those whom the shop
// does not know yet, or who pay in a way that is not saved.
type orderPlan struct {
	shop      *core.Shop
	call      *bus.Call
	file      shopify.Orders
	orders    []*plannedOrder
	unchanged int

	people   everybody
	variants map[string]string // id, by lower-case SKU and by folded name with options
	customer []*plannedCustomer
	problems shopify.Problems
}

// plannedOrder is an order that is new: as the published form of a shop has it,
// but for the id of a customer who is new, too.
type plannedOrder struct {
	file     *shopify.Order
	order    shopfile.Order
	customer *plannedCustomer
	details  []string
}

// planOrders compares an export of orders with the shop. An order that is here already is not touched.
func planOrders(ctx context.Context, s *core.Shop, call *bus.Call, data io.Reader) (
	importPlan, shopify.Problems, error) {
	file, problems, err := shopify.ParseOrders(data, s.Currency, core.MinorDigits(s.Currency), s.Zone())
	if len(problems) > 0 || err != nil {
		return nil, problems, err
	}
	plan := &orderPlan{shop: s, call: call, file: file}
	if plan.people, err = loadEverybody(ctx); err != nil {
		return nil, nil, err
	}
	if plan.variants, err = namedVariants(ctx); err != nil {
		return nil, nil, err
	}
	for i := range file.Orders {
		if err := plan.add(ctx, &plan.file.Orders[i]); err != nil {
			return nil, nil, err
		}
	}
	return plan, plan.problems, nil
}

// namedVariants finds variants by what a line of an order calls them: the SKU, or
// the product's name and the options, as in "Linen shirt - M / Navy".
func namedVariants(ctx context.Context) (map[string]string, error) {
	all := map[string]string{}
	_, err := core.List(ctx, func(r core.Row) (struct{}, error) {
		var id, sku, name string
		var values [3]string
		err := r.Scan(&id, &sku, &name, &values[0], &values[1], &values[2])
		if options := strings.Join(filled(values), " / "); options != "" {
			name += " - " + options
		}
		all[text.Fold(name)] = id
		if sku != "" {
			all["sku "+strings.ToLower(sku)] = id
		}
		return struct{}{}, err
	}, `SELECT v.id, v.sku, p.name, v.option1, v.option2, v.option3 FROM variants v JOIN products p ON p.id = v.product_id
		ORDER BY p.created_at DESC, v.id DESC`)
	return all, err
}

// add plans one order.
func (p *orderPlan) add(ctx context.Context, f *shopify.Order) error {
	id := order.NormalID(f.Number)
	placed, found, err := core.Find(ctx, core.ScanInt, `SELECT placed_at FROM orders WHERE id = ?`, id)
	switch {
	case err != nil:
		return err
	case found && placed == f.PlacedAt.UnixMilli():
		p.unchanged++
		return nil
	case found:
		p.problems.Add(f.Line, "Name", "The shop has another order %s, placed at another time.", id)
		return nil
	}
	o := &plannedOrder{file: f, customer: p.buyer(f)}
	o.order = shopfile.Order{
		ID: id, Status: f.Status, PlacedAt: f.PlacedAt.UnixMilli(), TaxIncluded: f.TaxIncluded, Shipping: p.money(f.Shipping),
		Total: p.money(f.Total), DiscountReason: f.DiscountReason, ShippingMethod: f.ShippingMethod,
		Address: shopfile.OrderAddress{Postal: postalOf(f.Address)},
		Changes: []shopfile.Note{{Text: "Brought in; it was order " + f.Name, By: p.call.Person.ID,
			Time: p.call.Now.UnixMilli()}},
	}
	if f.ShippingTax > 0 {
		net := f.Shipping
		if *f.TaxIncluded {
			net -= f.ShippingTax
		}
		o.order.ShippingTaxes = []shopfile.Rate{{RatePPM: f.ShippingRate, Net: p.money(net), Tax: p.money(f.ShippingTax)}}
	}
	if words := text.Block(f.Note, core.MessageLimit); words != "" {
		o.order.Notes = []shopfile.Note{{Text: words, Time: o.order.PlacedAt}}
	}
	o.progress()
	p.lines(o)
	if err := p.payments(ctx, o); err != nil {
		return err
	}
	p.orders = append(p.orders, o)
	return nil
}

// progress fills in when an order got where it is.
func (o *plannedOrder) progress() {
	f := o.file
	switch f.Status {
	case order.StatusCancelled:
		o.order.CancelledAt, o.order.CancelReason = f.CancelledAt.UnixMilli(), "other"
		o.order.Movements = &[]shopfile.Movement{} // what it took is back since before it came here
		return
	case order.StatusDelivered:
		o.order.DeliveredAt = f.SentAt.UnixMilli()
	case order.StatusPending:
		return
	}
	o.order.ProcessedAt = f.SentAt.UnixMilli()
}

// buyer is whose order it is: found again, or a new customer.
func (p *orderPlan) buyer(f *shopify.Order) *plannedCustomer {
	before, _, _ := strings.Cut(f.Email, "@")
	name := cmp.Or(f.Buyer, before)
	key := personKey(f.Email, name, f.Phone)
	c := p.people[key]
	if c == nil {
		c = &plannedCustomer{line: f.Line, is: customer.Customer{Name: name, Email: f.Email, Phone: f.Phone},
			address: f.Address, known: map[string]string{}}
		p.people[key] = c
		p.customer = append(p.customer, c)
	}
	if c.was.ID == "" && (c.createdAt == 0 || f.PlacedAt.UnixMilli() < c.createdAt) {
		c.createdAt = f.PlacedAt.UnixMilli()
	}
	return c
}

// lines finds what was bought. What is no longer in the catalog an order may keep
// when nothing is to be done about it any more.
func (p *orderPlan) lines(o *plannedOrder) {
	var parcel []string
	var gone []string
	for _, l := range o.file.Lines {
		line := shopfile.Line{VariantID: p.variants["sku "+strings.ToLower(l.SKU)], Quantity: l.Quantity,
			Price: p.money(l.Price), Discount: p.money(l.Discount), Tax: p.money(l.Tax)}
		line.VariantID = cmp.Or(line.VariantID, p.variants[text.Fold(l.Name)])
		if line.VariantID == "" {
			if o.file.Status == order.StatusPending || o.file.Status == order.StatusProcessed {
				p.problems.Add(l.Line, "Lineitem sku",
					"The catalog has neither the SKU %q nor %q, and the order is still to be sent.",
					l.SKU, l.Name)
			}
			line.VariantID, line.Removed, line.SKU, line.Name, line.Label = "sold_"+cmp.Or(text.Slug(l.SKU, 60),
				text.Slug(l.Name, 60), "something"), true, &l.SKU, l.Name, new(string)
			gone = append(gone, l.Name)
		}
		if l.Sent {
			parcel = append(parcel, line.VariantID)
		}
		o.order.Lines = append(o.order.Lines, line)
	}
	if gone != nil {
		o.details = append(o.details, "not in the catalog any more: "+strings.Join(gone, ", "))
	}
	switch {
	case o.file.Status == order.StatusDelivered:
		o.order.Fulfilments = []shopfile.Fulfilment{{Time: o.order.DeliveredAt}}
	case o.file.Status == order.StatusProcessed && len(parcel) > 0:
		o.order.Fulfilments = []shopfile.Fulfilment{{Time: o.order.ProcessedAt, VariantIDs: once(parcel)}}
	}
}

// once is a list without what is in it twice, in its order.
func once(all []string) (out []string) {
	for _, s := range all {
		if !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	return out
}

// payments finds the customer's methods that the order was paid by, and plans those that are not saved.
func (p *orderPlan) payments(ctx context.Context, o *plannedOrder) error {
	for _, f := range o.file.Payments {
		id, err := p.method(ctx, o.customer, f.Means)
		if err != nil {
			return err
		}
		kind := "payment"
		if f.Refund {
			kind = "refund"
		}
		o.order.Payments = append(o.order.Payments, shopfile.Payment{Kind: kind, MethodID: id, Label: f.Means.Label,
			Amount: p.money(f.Amount), Time: f.At.UnixMilli()})
		if f.Means.Label == "" {
			o.details = append(o.details, p.shop.Text(f.Amount)+" is not paid yet: on account")
		}
	}
	return nil
}

// method is the customer's own of a kind, of cards the one of these words. Of a
// gift card only the shop before knew the balance.
func (p *orderPlan) method(ctx context.Context, c *plannedCustomer, m shopify.Means) (string, error) {
	if m.Kind == customer.CashID {
		return customer.CashID, nil
	}
	if c.known == nil {
		c.known = map[string]string{}
		saved, err := customer.Methods(ctx, p.shop, c.was.ID)
		if err != nil {
			return "", err
		}
		for _, s := range saved {
			if key := methodKey(s.Kind, s.Brand); s.LastFour == "" && c.known[key] == "" {
				c.known[key] = s.ID
			}
		}
	}
	brand := text.Line(strings.Map(func(r rune) rune {
		if r >= '0' && r <= '9' {
			return -1
		}
		return r
	}, cmp.Or(m.Label, "Card")), 30)
	key := methodKey(m.Kind, brand)
	if c.known[key] != "" {
		return c.known[key], nil
	}
	add := shopfile.PaymentMethod{ID: p.call.NewID("pm"), Kind: m.Kind}
	switch m.Kind {
	case "card":
		add.Brand = brand
	case "giftCard":
		none := p.money(0)
		add.Balance = &none
	}
	if len(c.methods) == 0 && c.was.ID != "" {
		p.customer = append(p.customer, c)
	}
	c.methods, c.known[key] = append(c.methods, add), add.ID
	return add.ID, nil
}

func methodKey(kind, brand string) string {
	if kind != "card" {
		return kind
	}
	return kind + " " + text.Fold(brand)
}

func (p *orderPlan) money(amount int64) shopfile.Money {
	return shopfile.Money{Amount: amount, Currency: p.shop.Currency}
}
