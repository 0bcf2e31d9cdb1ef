package reckonertest

import (
	"maps"
	"slices"
)

func init() {
	maps.Copy(rules, map[string]func(*Reckoner){
		"catalog.setPrice": rule((*Reckoner).setPrice), "catalog.adjustStock": rule((*Reckoner).adjustStock),
		"catalog.receiveStock":  rule((*Reckoner).receiveStock),
		"catalog.createProduct": rule((*Reckoner).createProduct), "catalog.updateProduct": rule((*Reckoner).updateProduct),
		"customer.addPaymentMethod":    rule((*Reckoner).addMethod),
		"customer.removePaymentMethod": rule((*Reckoner).removeMethod),
		"customer.merge":               rule((*Reckoner).mergeCustomers), "customer.erase": rule((*Reckoner).eraseCustomer),
	})
}

type variantOut struct{ VariantID string }

func (r *Reckoner) setPrice(in struct{ Price priceIn }, out variantOut) {
	v := r.variants[out.VariantID]
	v.Price = in.Price.Amount
	set(r, r.variants, out.VariantID, v)
}

func (r *Reckoner) adjustStock(in struct{ Delta int64 }, out variantOut) {
	r.move(nil, out.VariantID, in.Delta)
}

func (r *Reckoner) receiveStock(in struct {
	Lines []struct {
		VariantID string
		Quantity  int64
	}
}, _ struct{}) {
	for _, l := range in.Lines {
		_, known := r.variants[l.VariantID]
		must(known, "%s is no id of a variant", l.VariantID)
		r.move(nil, l.VariantID, l.Quantity)
	}
}

type productIn struct {
	TaxClass string
	Variants []struct {
		VariantID string
		Price     *priceIn
		Stock     *int64
	}
}

type productOut struct {
	ProductID  string
	TaxClassID string
}

func (r *Reckoner) createProduct(in productIn, out productOut) { r.updateProduct(in, out) }

func (r *Reckoner) updateProduct(in productIn, out productOut) {
	_, had := r.classes[out.ProductID]
	switch {
	case in.TaxClass != "":
		_, known := r.rates[in.TaxClass]
		must(known, "%q is no id of a tax class", in.TaxClass)
		set(r, r.classes, out.ProductID, in.TaxClass)
	case !had:
		set(r, r.classes, out.ProductID, "standard")
	}
	made := r.call.Made["variants"]
	for _, given := range in.Variants {
		id, v := given.VariantID, r.variants[given.VariantID]
		if id == "" {
			must(len(made) > 0, "the call made too few variants")
			id, made = made[0], made[1:]
			v = Variant{Product: out.ProductID}
		}
		if given.Price != nil {
			v.Price = given.Price.Amount
		}
		if given.Stock != nil {
			v.Stock, v.Counted = *given.Stock, true
		}
		set(r, r.variants, id, v)
	}
}

func (r *Reckoner) addMethod(in struct {
	CustomerID, Kind, Brand, LastFour string
	Balance                           priceIn
}, out struct{ PaymentMethodID string }) {
	set(r, r.methods, out.PaymentMethodID, Method{Customer: in.CustomerID, Kind: in.Kind, Brand: in.Brand,
		LastFour: in.LastFour, Balance: in.Balance.Amount})
}

func (r *Reckoner) removeMethod(in struct{ PaymentMethodID string }, _ struct{}) {
	remove(r, r.methods, in.PaymentMethodID)
}

// mergeCustomers moves everything of one record to another. Of two ways of paying that are alike one stays, but for
// gift cards; of two open carts the one of the record that stays.
func (r *Reckoner) mergeCustomers(in struct{ Keep, Remove string }, _ struct{}) {
	became := map[string]string{}
	for _, id := range slices.Sorted(maps.Keys(r.methods)) {
		m := r.methods[id]
		if m.Customer != in.Remove {
			continue
		}
		m.Customer = in.Keep
		set(r, r.methods, id, m)
		for _, other := range slices.Sorted(maps.Keys(r.methods)) {
			if other != id && m.Kind != "giftCard" && r.methods[other] == m {
				remove(r, r.methods, id)
				became[id] = other
				break
			}
		}
	}
	own, other := r.openOf(in.Keep), r.openOf(in.Remove)
	if own != "" && other != "" {
		for _, person := range slices.Sorted(maps.Keys(r.current)) {
			if r.current[person] == other {
				set(r, r.current, person, own)
			}
		}
		if len(r.cartLines[other]) > 0 {
			r.putAside(other)
		} else {
			r.dropCart(other)
		}
	}
	for _, id := range slices.Sorted(maps.Keys(r.carts)) {
		if c := r.carts[id]; c.customer == in.Remove {
			c.customer = in.Keep
			set(r, r.carts, id, c)
		}
	}
	for _, id := range r.Orders() {
		o := r.order(id, "")
		if o.Customer != in.Remove {
			continue
		}
		o.Customer = in.Keep
		for i, p := range o.Payments {
			if to := became[p.Method]; to != "" {
				o.Payments[i].Method = to
			}
		}
		if o.Request != nil && became[o.Request.Method] != "" {
			o.Request = &Request{became[o.Request.Method], o.Request.Pieces}
		}
		set(r, r.orders, id, o)
	}
}

// eraseCustomer removes the ways of paying and the carts of a customer. Money, tax and stock stay, without names.
func (r *Reckoner) eraseCustomer(in struct{ CustomerID string }, _ struct{}) {
	for _, id := range slices.Sorted(maps.Keys(r.methods)) {
		if r.methods[id].Customer == in.CustomerID {
			remove(r, r.methods, id)
		}
	}
	for _, id := range slices.Sorted(maps.Keys(r.carts)) {
		if r.carts[id].customer == in.CustomerID {
			r.dropCart(id)
		}
	}
	for _, id := range r.Orders() {
		o := r.order(id, "")
		if o.Customer != in.CustomerID {
			continue
		}
		o.Customer = "erased"
		for i, p := range o.Payments {
			if !slices.Contains(shopMethods, p.Method) {
				o.Payments[i].Method = "erased"
			}
		}
		if o.Request != nil {
			o.Request = &Request{"erased", o.Request.Pieces}
		}
		set(r, r.orders, id, o)
	}
}

// shopMethods are the ways of paying that no customer saves.
var shopMethods = []string{"cash", "card", "transfer", "other"}
