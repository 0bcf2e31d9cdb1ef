package e2e

import (
	"cmp"
	"slices"
)

func (r *reckoner) createCustomer(in struct {
	Name, Email, Phone string
	Address            *dayPostal
}) {
	c := &dayCustomer{ID: r.given["customerId"], Name: in.Name, Email: in.Email, Phone: in.Phone, CreatedAt: today}
	if in.Address != nil {
		c.Addresses = []*dayAddress{{ID: r.given["addressId"], dayPostal: *in.Address, Default: true, CreatedAt: today}}
	}
	r.Customers = append(r.Customers, c)
}

type dayAddressIn struct {
	CustomerID, AddressID string
	Address               dayPostal
	Default               bool
}

func (r *reckoner) addAddress(in dayAddressIn) {
	c := r.customer(in.CustomerID)
	a := &dayAddress{ID: r.given["addressId"], dayPostal: in.Address, CreatedAt: today}
	c.Addresses = append(c.Addresses, a)
	if in.Default || len(c.Addresses) == 1 {
		c.prefer(a)
	}
}

// prefer makes an address the one default.
func (c *dayCustomer) prefer(a *dayAddress) {
	for _, other := range c.Addresses {
		other.Default = other == a
	}
}

func (r *reckoner) setAddress(in dayAddressIn) {
	a := r.address(in.CustomerID, in.AddressID)
	label := cmp.Or(in.Address.Label, a.Label)
	a.dayPostal = in.Address
	if a.Label = label; in.Default {
		r.customer(in.CustomerID).prefer(a)
	}
}

func (r *reckoner) removeAddress(in dayAddressIn) {
	c, a := r.customer(in.CustomerID), r.address(in.CustomerID, in.AddressID)
	c.Addresses = slices.DeleteFunc(c.Addresses, func(other *dayAddress) bool { return other == a })
	if a.Default && len(c.Addresses) > 0 {
		c.prefer(c.Addresses[0])
	}
	for _, o := range r.Orders {
		o.Address.Removed = o.Address.Removed || o.Address.ID == a.ID
	}
}

func (r *reckoner) addMethod(in struct {
	CustomerID, Kind, Brand, LastFour string
	Balance                           *dayMoney
}) {
	c := r.customer(in.CustomerID)
	c.PaymentMethods = append(c.PaymentMethods, &dayMethod{ID: r.given["paymentMethodId"], Kind: in.Kind, Brand: in.Brand,
		LastFour: in.LastFour,
		Balance:  in.Balance, Default: len(c.PaymentMethods) == 0, CreatedAt: today})
}

// removeMethod removes a payment method that nothing refers to.
func (r *reckoner) removeMethod(in struct{ CustomerID, PaymentMethodID string }) {
	c, m := r.customer(in.CustomerID), r.method(in.CustomerID, in.PaymentMethodID)
	must(m.Balance == nil || m.Balance.Amount == 0, unmet)
	for _, o := range r.Orders {
		for _, p := range o.Payments {
			must(p.MethodID != m.ID || o.Status == "delivered" || o.Status == "cancelled", unmet)
		}
	}
	c.PaymentMethods = slices.DeleteFunc(c.PaymentMethods, func(other *dayMethod) bool { return other == m })
}

// cart returns the person's open cart, or opens that of the named customer.
func (r *reckoner) cart(customer string) *dayCart {
	if customer != "" {
		if r.carts[customer] == nil {
			r.carts[customer] = &dayCart{customer: customer, shipping: r.ShippingMethods[0].ID}
		}
		r.at[r.who] = r.carts[customer]
	}
	must(r.at[r.who] != nil, unmet)
	return r.at[r.who]
}

func (r *reckoner) addItem(in struct {
	ProductID, VariantID, CustomerID string
	Quantity                         int64
}) {
	p := pick(r.Products, func(p *dayProduct) bool { return p.ID == in.ProductID })
	if in.VariantID == "" {
		in.VariantID = p.DefaultVariantID
	}
	must(in.VariantID != "", unmet)
	_, v := r.variant(in.VariantID)
	must(v.Available && (v.Stock == nil || v.Backorder || *v.Stock >= in.Quantity), unmet)
	c := r.cart(in.CustomerID)
	c.lines = append(c.lines, &dayLine{ProductID: p.ID, VariantID: v.ID, SKU: v.SKU, Name: p.Name, Label: v.text(),
		Quantity: in.Quantity, Price: v.Price})
}

func (r *reckoner) setShipping(in struct{ Method string }) { r.cart("").shipping = in.Method }

func (r *reckoner) applyDiscount(in struct {
	Percent int64
	Reason  string
}) {
	must(!r.clerk || in.Percent <= r.Shop.DiscountLimit, forbidden)
	c := r.cart("")
	c.percent, c.reason = in.Percent, in.Reason
}

func (r *reckoner) submit(in struct{ ShippingAddressID, PaymentMethodID, GiftMessage string }) {
	c := r.cart("")
	a, m := r.address(c.customer, in.ShippingAddressID), r.method(c.customer, in.PaymentMethodID)
	way := r.ShippingMethods[slices.IndexFunc(r.ShippingMethods, func(s dayShipping) bool { return s.ID == c.shipping })]
	o := &dayOrder{ID: r.given["orderId"], CustomerID: c.customer, Status: "pending", PlacedAt: today, PlacedBy: r.who,
		Shipping:       r.money(way.Price.Amount),
		ShippingMethod: way.Name, DiscountReason: c.reason, GiftMessage: in.GiftMessage,
		Address: dayGoesTo{ID: a.ID, dayPostal: a.dayPostal}, Lines: c.lines}
	c.spread()
	for _, l := range c.lines {
		p, _ := r.variant(l.VariantID)
		l.Discount = r.money(l.Discount.Amount)
		l.RatePpm = r.rate(p)
		l.Tax = r.money(part(l.Price.Amount*l.Quantity-l.Discount.Amount, l.RatePpm, 1_000_000))
		r.take(l.VariantID, l.Quantity, "sale", o)
	}
	o.Total = r.money(o.total())
	r.move(o, m, o.Total.Amount)
	r.Orders = append(r.Orders, o)
	delete(r.carts, c.customer)
	delete(r.at, r.who)
}

// spread divides the discount over the lines to the last minor unit: what rounding down leaves goes to the lines that
// lost most by it.
func (c *dayCart) spread() {
	var subtotal int64
	for _, l := range c.lines {
		subtotal += l.Price.Amount * l.Quantity
	}
	left := part(subtotal, c.percent, 100)
	discount := left
	lost := func(l *dayLine) int64 { return discount * l.Price.Amount * l.Quantity % subtotal }
	for _, l := range c.lines {
		l.Discount.Amount = discount * l.Price.Amount * l.Quantity / subtotal
		left -= l.Discount.Amount
	}
	most := slices.Clone(c.lines)
	slices.SortStableFunc(most, func(a, b *dayLine) int { return cmp.Compare(lost(b), lost(a)) })
	for _, l := range most[:left] {
		l.Discount.Amount++
	}
}

func (r *reckoner) adjustStock(in struct {
	VariantID, Reason string
	Delta             int64
}) {
	must(!r.clerk, forbidden)
	r.stock(in.VariantID, in.Delta, "adjustment", in.Reason, nil)
}

func (r *reckoner) setPrice(in struct {
	VariantID string
	Price     dayMoney
}) {
	must(!r.clerk, forbidden)
	_, v := r.variant(in.VariantID)
	v.PriceChanges = append(v.PriceChanges, dayPrice{Was: v.Price, Is: in.Price, By: r.who, At: today})
	v.Price = in.Price
}
