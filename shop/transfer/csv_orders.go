package transfer

import (
	"cmp"
	"context"
	"hash/fnv"
	"slices"
	"strconv"
	"strings"

	"github.com/deskhand/deskhand/shop/customer"
	"github.com/deskhand/deskhand/shop/internal/core"
	"github.com/deskhand/deskhand/shop/internal/text"
	"github.com/deskhand/deskhand/shop/order"
	"github.com/deskhand/deskhand/shop/transfer/internal/shopfile"
	"github.com/deskhand/deskhand/shop/transfer/internal/shopify"
)

// plannedOrder is a new order in the published file format. The id of a new customer is filled in later.
type plannedOrder struct {
	file     *shopify.Order
	order    shopfile.Order
	customer *plannedCustomer
	details  []string
}

// addOrders plans the import of orders. It leaves existing orders unchanged.
func (p *csvPlan) addOrders(ctx context.Context, file []shopify.Order) (err error) {
	if p.people, err = loadEverybody(ctx); err != nil {
		return err
	}
	if p.variants, err = namedVariants(ctx); err != nil {
		return err
	}
	taken := map[string]bool{}
	for i := range file {
		if err := p.addOrder(ctx, &file[i], taken); err != nil {
			return err
		}
	}
	for _, c := range p.customers {
		if c.was.ID == "" {
			p.out.CustomersCreated++
		}
		p.steps = append(p.steps, planStep{c.line, c.write})
	}
	for _, o := range p.sold { // customers of all orders first
		p.steps = append(p.steps, planStep{o.file.Line, o.write})
	}
	p.out.OrdersCreated = len(p.sold)
	return nil
}

// namedVariants returns the variants by the keys that an order line may use: the SKU, or the product's name with the
// options, as in "Linen shirt - M / Navy".
func namedVariants(ctx context.Context) (map[string][]string, error) {
	all := map[string][]string{}
	_, err := core.List(ctx, func(r core.Row) (struct{}, error) {
		var id, sku, name string
		var values [3]string
		err := r.Scan(&id, &sku, &name, &values[0], &values[1], &values[2])
		if options := strings.Join(filled(values), " / "); options != "" {
			name += " - " + options
		}
		all[text.Fold(name)] = append(all[text.Fold(name)], id)
		if sku != "" {
			key := "sku " + strings.ToLower(sku)
			all[key] = append(all[key], id)
		}
		return struct{}{}, err
	}, `SELECT v.id, v.sku, p.name, v.option1, v.option2, v.option3 FROM variants v JOIN products p ON p.id = v.product_id
		ORDER BY p.created_at DESC, v.id DESC`)
	return all, err
}

// variant returns the variant that an order line identifies by SKU. If the SKU is missing or ambiguous, the name
// decides. It returns "" if there is no single match.
func (p *csvPlan) variant(l *shopify.OrderLine) string {
	named, of := p.variants[text.Fold(l.Name)], p.variants["sku "+strings.ToLower(l.SKU)]
	if len(of) > 1 {
		named = slices.DeleteFunc(slices.Clone(named), func(id string) bool { return !slices.Contains(of, id) })
	}
	switch {
	case len(of) == 1:
		return of[0]
	case len(named) == 1:
		return named[0]
	}
	return ""
}

// number returns the order number for an order of a file, and the time it was placed if the shop already has the order.
// The name identifies an order. Its digits become the number unless another order has that number. Orders imported
// before names were stored are identified by number and time.
func number(ctx context.Context, f *shopify.Order, taken map[string]bool) (id string, placed int64, err error) {
	type known struct {
		id     string
		placed int64
	}
	digits := text.Digits(f.Name)
	id = order.NormalID(digits)
	is, found, err := core.Find(ctx, func(r core.Row) (k known, err error) { return k, r.Scan(&k.id, &k.placed) },
		`SELECT id, placed_at FROM orders WHERE exported_name = ?1 OR id = ?2 AND exported_name = '' AND placed_at = ?3
		ORDER BY exported_name = ?1 DESC`, f.Name, id, f.PlacedAt.UnixMilli())
	if err != nil || found {
		return is.id, is.placed, err
	}
	h := fnv.New32a()
	_, _ = h.Write([]byte(f.Name)) // writes to a hash never fail
	for n := h.Sum32(); ; n++ {
		used := taken[id] || digits == "" || len(digits) > 7
		if !used {
			used, err = core.Exists(ctx, `SELECT 1 FROM orders WHERE id = ?`, id)
		}
		if err != nil || !used {
			taken[id] = true
			return id, 0, err
		}
		digits = strconv.Itoa(int(n % 10_000_000))
		id = order.NormalID(digits)
	}
}

// addOrder plans the import of one order.
func (p *csvPlan) addOrder(ctx context.Context, f *shopify.Order, taken map[string]bool) error {
	id, placed, err := number(ctx, f, taken)
	switch {
	case err != nil:
		return err
	case placed == f.PlacedAt.UnixMilli():
		p.out.OrdersUnchanged++
		return nil
	case placed != 0:
		p.leave(f.Rows, f.Line, f.Name, "Name", f.Name, "The shop has another order %s, placed at another time.", f.Name)
		return nil
	}
	o := &plannedOrder{file: f}
	o.order = shopfile.Order{
		ID: id, ExportedName: f.Name, Status: f.Status, PlacedAt: f.PlacedAt.UnixMilli(), TaxIncluded: f.TaxIncluded,
		Shipping: p.money(f.Shipping), Total: p.money(f.Total), DiscountReason: f.DiscountReason,
		ShippingMethod: f.ShippingMethod, Address: shopfile.OrderAddress{Postal: postalOf(f.Address)},
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
	if !p.lines(o) || !p.debtorKnown(o) {
		return nil
	}
	p.buyer(o)
	if err := p.payments(ctx, o); err != nil {
		return err
	}
	p.sold = append(p.sold, o)
	p.tellOrder(o)
	return nil
}

// tellOrder adds the order to the report.
func (p *csvPlan) tellOrder(o *plannedOrder) {
	buyer := "A walk-in"
	if o.customer != nil {
		buyer = o.customer.is.Name
		if o.customer.was.ID == "" {
			o.details = append(o.details, "a new customer")
		}
	}
	if o.order.ID != order.NormalID(o.file.Name) {
		o.details = append([]string{"it was " + o.file.Name}, o.details...)
	}
	status := order.StatusInWords(o.order.Status)
	p.out.change(o.order.ID, buyer, "created",
		append([]string{status.String() + ", " + p.shop.Text(o.order.Total.Amount)}, o.details...))
}

// write stores the order with the checks that apply to every order of a file.
func (o *plannedOrder) write(im *importing) error {
	if o.customer != nil {
		o.order.CustomerID = o.customer.is.ID
	}
	return im.Order(shopfile.Place{Line: int64(o.file.Line)}, &o.order)
}

// restock adds the stock of the orders back, because the previous shop had already deducted it.
func (p *csvPlan) restock(im *importing) error {
	before := im.call.Now.UnixMilli()
	for _, o := range p.sold {
		before = min(before, o.order.PlacedAt)
	}
	back, err := core.List(im.ctx, func(r core.Row) (shopfile.Movement, error) {
		m := shopfile.Movement{Reason: "import", Note: "Sold before it came here", By: im.call.Person.ID, Time: before - 1}
		return m, r.Scan(&m.VariantID, &m.Delta)
	}, `SELECT variant_id, -SUM(delta) FROM stock_movements
		WHERE order_id`+ofOrders+` GROUP BY variant_id HAVING SUM(delta) <> 0 ORDER BY variant_id`,
		core.JSONList(idsOf(p.sold, func(o **plannedOrder) string { return (*o).order.ID })))
	if err != nil {
		return err
	}
	im.movements(shopfile.Place{}, back, "")
	return im.err
}

// progress fills in the times of the order's states.
func (o *plannedOrder) progress() {
	f := o.file
	switch f.Status {
	case order.StatusCancelled:
		o.order.CancelledAt, o.order.CancelReason = f.CancelledAt.UnixMilli(), "other"
		o.order.Movements = &[]shopfile.Movement{} // its stock was deducted in the previous shop
		return
	case order.StatusDelivered:
		o.order.DeliveredAt = f.SentAt.UnixMilli()
	case order.StatusPending:
		return
	}
	o.order.ProcessedAt = f.SentAt.UnixMilli()
}

// debtorKnown skips an unpaid order without a buyer.
func (p *csvPlan) debtorKnown(o *plannedOrder) bool {
	f := o.file
	owed := slices.ContainsFunc(f.Payments, func(m shopify.Payment) bool { return m.Means.Label == "" })
	if isWalkIn(f) && owed {
		p.leave(f.Rows, f.Line, f.Name, "Email", "", "The order is not paid, and it does not say by whom it is owed.")
		return false
	}
	return true
}

// isWalkIn reports whether an order has no buyer, such as a sale at a till.
func isWalkIn(f *shopify.Order) bool { return f.Email == "" && f.Buyer == "" && f.Phone == "" }

// buyer assigns the order to an existing customer, a new customer or a walk-in.
func (p *csvPlan) buyer(o *plannedOrder) {
	f := o.file
	if isWalkIn(f) {
		if o.order.Fulfilment = core.PickUp; f.Status == order.StatusDelivered {
			o.order.Fulfilment = core.TakeAway
		}
		return
	}
	before, _, _ := strings.Cut(f.Email, "@")
	name := cmp.Or(f.Buyer, before, f.Phone)
	key := personKey(f.Email, name, f.Phone)
	c := p.people[key]
	if c == nil {
		c = &plannedCustomer{line: f.Line, is: customer.Customer{Name: name, Email: f.Email, Phone: f.Phone},
			address: f.Address, known: map[string]string{}}
		p.people[key] = c
		p.customers = append(p.customers, c)
	}
	if c.was.ID == "" && (c.createdAt == 0 || f.PlacedAt.UnixMilli() < c.createdAt) {
		c.createdAt = f.PlacedAt.UnixMilli()
	}
	o.customer = c
}

// lines finds the variants of the order's lines. A completed order may contain lines that the catalog no longer has. An
// order that must still be sent is skipped in that case.
func (p *csvPlan) lines(o *plannedOrder) bool {
	var parcel, gone []string
	f := o.file
	for i := range f.Lines {
		l := &f.Lines[i]
		line := shopfile.Line{VariantID: p.variant(l), Quantity: l.Quantity, Price: p.money(l.Price),
			Discount: p.money(l.Discount), Tax: p.money(l.Tax)}
		if line.VariantID == "" {
			if f.Status == order.StatusPending || f.Status == order.StatusProcessed {
				p.leave(f.Rows, l.Line, f.Name, "Lineitem sku", l.SKU,
					"The catalog has not exactly one variant with the SKU %q or the name %q, and the order is still to be sent.",
					l.SKU, l.Name)
				return false
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
	case f.Status == order.StatusDelivered:
		o.order.Fulfilments = []shopfile.Fulfilment{{Time: o.order.DeliveredAt}}
	case f.Status == order.StatusProcessed && len(parcel) > 0:
		o.order.Fulfilments = []shopfile.Fulfilment{{Time: o.order.ProcessedAt, VariantIDs: once(parcel)}}
	}
	return true
}

// once returns the list without duplicates, in the same order.
func once(all []string) (out []string) {
	for _, s := range all {
		if !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	return out
}

// payments finds the customer's methods that paid the order, and plans to add missing ones.
func (p *csvPlan) payments(ctx context.Context, o *plannedOrder) error {
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

// method returns the customer's method of a kind; a card must also have the same label. The balance of a gift card is
// unknown, because only the previous shop had it.
func (p *csvPlan) method(ctx context.Context, c *plannedCustomer, m shopify.Means) (string, error) {
	if m.Kind == customer.CashID || c == nil {
		return customer.UnsavedOf(m.Kind).ID, nil
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
		p.customers = append(p.customers, c)
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

func (p *csvPlan) money(amount int64) shopfile.Money {
	return shopfile.Money{Amount: amount, Currency: p.shop.Currency}
}
