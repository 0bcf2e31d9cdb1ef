package reckonertest

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
)

// cart is a cart as far as it decides what an order costs.
type cart struct {
	customer, status, fulfilment, shipping string
	percent, amount                        int64
}

func (c cart) restored(was, is cart) cart {
	restore(&c.customer, was.customer, is.customer)
	restore(&c.status, was.status, is.status)
	restore(&c.fulfilment, was.fulfilment, is.fulfilment)
	restore(&c.shipping, was.shipping, is.shipping)
	restore(&c.percent, was.percent, is.percent)
	restore(&c.amount, was.amount, is.amount)
	return c
}

// cartLine is a line of a cart. An open item has a price and no variant.
type cartLine struct {
	variant, class     string
	position, quantity int64
	price              *int64 // in place of the variant's
	percent, amount    int64
}

func (l cartLine) restored(was, is cartLine) cartLine {
	restore(&l.quantity, was.quantity, is.quantity)
	restore(&l.price, was.price, is.price)
	restore(&l.percent, was.percent, is.percent)
	restore(&l.amount, was.amount, is.amount)
	return l
}

func init() {
	maps.Copy(rules, map[string]func(*Reckoner){
		"cart.setCustomer": rule((*Reckoner).setCustomer), "cart.addItem": rule((*Reckoner).addItem),
		"cart.addOpenItem": rule((*Reckoner).addOpenItem), "cart.setLinePrice": rule((*Reckoner).setLinePrice),
		"cart.setQuantity": rule((*Reckoner).setQuantity), "cart.removeItem": rule((*Reckoner).removeItem),
		"cart.clear": rule((*Reckoner).clearCart), "cart.applyDiscount": rule((*Reckoner).applyDiscount),
		"cart.removeDiscount":  rule((*Reckoner).removeDiscount),
		"cart.setLineDiscount": rule((*Reckoner).setLineDiscount), "cart.setShipping": rule((*Reckoner).setShipping),
		"cart.hold": rule((*Reckoner).holdCart), "cart.resume": rule((*Reckoner).resumeCart),
		"cart.fromOrder": rule((*Reckoner).fromOrder), "audit.undo": rule((*Reckoner).undo),
	})
}

// here is the id of the cart that the person has before them, "" without one.
func (r *Reckoner) here() string { return r.current[r.call.Person] }

// mine is the cart that the person has before them.
func (r *Reckoner) mine() (string, cart) {
	id := r.here()
	must(id != "", "%s has no cart", r.call.Person)
	return id, r.carts[id]
}

// lines are the lines of a cart in their order. Two may have one place after an undo.
func (r *Reckoner) lines(cartID string) []string {
	all := r.cartLines[cartID]
	return slices.SortedFunc(maps.Keys(all), func(a, b string) int {
		return cmp.Or(cmp.Compare(all[a].position, all[b].position), cmp.Compare(a, b))
	})
}

func (r *Reckoner) newCart(customer string) string {
	id := r.made("carts")
	r.cartLines[id] = map[string]cartLine{}
	set(r, r.carts, id, cart{customer: customer, status: "open"})
	return id
}

// dropCart removes a cart with its lines.
func (r *Reckoner) dropCart(id string) {
	for _, line := range r.lines(id) {
		remove(r, r.cartLines[id], line)
	}
	r.leaveAll(id)
	remove(r, r.carts, id)
}

// leaveAll takes a cart from everybody who has it before them.
func (r *Reckoner) leaveAll(id string) {
	for _, person := range slices.Sorted(maps.Keys(r.current)) {
		if r.current[person] == id {
			remove(r, r.current, person)
		}
	}
}

// openOf is the open cart of a customer.
func (r *Reckoner) openOf(customer string) string {
	for _, id := range slices.Sorted(maps.Keys(r.carts)) {
		if c := r.carts[id]; c.customer == customer && c.status == "open" {
			return id
		}
	}
	return ""
}

// leave holds a walk-in's cart with something in it, and drops an empty one.
func (r *Reckoner) leave(id string) {
	switch c, known := r.carts[id]; {
	case !known || c.customer != "":
	case len(r.cartLines[id]) == 0:
		r.dropCart(id)
	default:
		r.putAside(id)
	}
}

func (r *Reckoner) putAside(id string) {
	r.leaveAll(id)
	c := r.carts[id]
	c.status = "held"
	set(r, r.carts, id, c)
}

// switchTo puts the open cart of a customer before the person.
func (r *Reckoner) switchTo(customer string) string {
	was := r.here()
	if was != "" && r.carts[was].customer == customer {
		return was
	}
	id := r.openOf(customer)
	if id == "" {
		id = r.newCart(customer)
	}
	set(r, r.current, r.call.Person, id)
	r.leave(was)
	return id
}

// filled is the cart that something is put into.
func (r *Reckoner) filled(customer string) string {
	switch {
	case customer != "":
		return r.switchTo(customer)
	case r.here() != "":
		return r.here()
	}
	id := r.newCart("")
	set(r, r.current, r.call.Person, id)
	return id
}

type setCustomerIn struct {
	CustomerID, Fulfilment string
	WalkIn                 bool
}

func (r *Reckoner) setCustomer(in setCustomerIn, _ struct{}) {
	id := r.here()
	switch {
	case in.WalkIn && id == "":
		id = r.filled("")
	case in.WalkIn:
		c := r.carts[id]
		c.customer = ""
		set(r, r.carts, id, c)
	case id != "" && r.carts[id].customer == "" && len(r.cartLines[id]) > 0:
		id = r.adopt(id, in.CustomerID)
	default:
		id = r.switchTo(in.CustomerID)
	}
	if c := r.carts[id]; in.Fulfilment != "" && c.fulfilment == "" {
		c.fulfilment = in.Fulfilment
		set(r, r.carts, id, c)
	}
}

// adopt gives a walk-in's cart to a customer, or its lines to the cart that the customer has.
func (r *Reckoner) adopt(id, customer string) string {
	c, own := r.carts[id], r.openOf(customer)
	if own == "" {
		c.customer = customer
		set(r, r.carts, id, c)
		return id
	}
	for _, line := range r.lines(id) {
		l := r.cartLines[id][line]
		r.put(own, r.lineFor(own, line, l), l)
	}
	if to := r.carts[own]; c.fulfilment != "" && to.fulfilment == "" {
		to.fulfilment = c.fulfilment
		set(r, r.carts, own, to)
	}
	set(r, r.current, r.call.Person, own)
	r.dropCart(id)
	return own
}

// lineFor is the line of a cart that pieces go into: one of the same variant and price, else a new one.
func (r *Reckoner) lineFor(cartID, line string, of cartLine) string {
	for _, id := range r.lines(cartID) {
		l := r.cartLines[cartID][id]
		if of.variant != "" && l.variant == of.variant && (l.price == nil) == (of.price == nil) &&
			(l.price == nil || *l.price == *of.price) {
			return id
		}
	}
	return free(cmp.Or(of.variant, line), func(id string) bool {
		_, taken := r.cartLines[cartID][id]
		return taken
	})
}

// free is an id, with a number behind it where it is taken.
func free(id string, taken func(string) bool) string {
	all := id
	for n := 2; taken(all); n++ {
		all = fmt.Sprintf("%s.%d", id, n)
	}
	return all
}

// put adds pieces to a line, or begins it at the end. Only the price of what is put goes with it.
func (r *Reckoner) put(cartID, line string, of cartLine) {
	all := r.cartLines[cartID]
	l, had := all[line]
	if !had {
		l = cartLine{variant: of.variant, class: of.class, price: of.price}
		for _, other := range all {
			l.position = max(l.position, other.position)
		}
		l.position++
	}
	l.quantity += of.quantity
	set(r, all, line, l)
}

type lineOut struct {
	Line struct{ LineID, VariantID string }
}

func (o lineOut) id() string { return cmp.Or(o.Line.LineID, o.Line.VariantID) }

func (r *Reckoner) addItem(in struct {
	Quantity   int64
	CustomerID string
}, out lineOut) {
	r.put(r.filled(in.CustomerID), out.id(), cartLine{variant: out.Line.VariantID, quantity: in.Quantity})
}

func (r *Reckoner) addOpenItem(in struct {
	UnitPrice  priceIn
	Quantity   *int64
	TaxClassID string
}, out lineOut) {
	l := cartLine{class: cmp.Or(in.TaxClassID, r.firstClass), quantity: 1, price: &in.UnitPrice.Amount}
	if in.Quantity != nil {
		l.quantity = *in.Quantity
	}
	r.put(r.filled(""), out.id(), l)
}

type lineIn struct{ LineID, VariantID, ProductID string }

// line finds the line of a cart that a call names.
func (r *Reckoner) line(cartID string, in lineIn) (string, cartLine) {
	if l, known := r.cartLines[cartID][in.LineID]; known {
		return in.LineID, l
	}
	var found []string
	for _, id := range r.lines(cartID) {
		l := r.cartLines[cartID][id]
		byVariant := in.VariantID == "" || l.variant == in.VariantID
		if l.variant != "" && byVariant && (in.ProductID == "" || r.variants[l.variant].Product == in.ProductID) {
			found = append(found, id)
		}
	}
	must(len(found) == 1, "%d lines of the cart are %+v", len(found), in)
	return found[0], r.cartLines[cartID][found[0]]
}

// change replaces the line that a call names.
func (r *Reckoner) change(in lineIn, with func(*cartLine)) {
	cartID, _ := r.mine()
	id, l := r.line(cartID, in)
	with(&l)
	set(r, r.cartLines[cartID], id, l)
}

func (r *Reckoner) setLinePrice(in struct {
	lineIn
	Price priceIn
}, _ struct{}) {
	r.change(in.lineIn, func(l *cartLine) { l.price = &in.Price.Amount })
}

func (r *Reckoner) setQuantity(in struct {
	lineIn
	Quantity int64
}, _ struct{}) {
	r.change(in.lineIn, func(l *cartLine) { l.quantity = in.Quantity })
}

func (r *Reckoner) removeItem(in lineIn, _ struct{}) {
	cartID, _ := r.mine()
	id, _ := r.line(cartID, in)
	if len(r.cartLines[cartID]) == 1 {
		r.clearCart(struct{}{}, struct{}{})
		return
	}
	remove(r, r.cartLines[cartID], id)
}

func (r *Reckoner) clearCart(_, _ struct{}) {
	id, _ := r.mine()
	for _, line := range r.lines(id) {
		remove(r, r.cartLines[id], line)
	}
	r.removeDiscount(struct{}{}, struct{}{})
}

type discountIn struct {
	Percent int64
	Amount  priceIn
	None    bool
}

func (r *Reckoner) applyDiscount(in discountIn, _ struct{}) {
	id, c := r.mine()
	c.percent, c.amount = in.Percent, in.Amount.Amount
	set(r, r.carts, id, c)
}

func (r *Reckoner) removeDiscount(_, _ struct{}) { r.applyDiscount(discountIn{}, struct{}{}) }

func (r *Reckoner) setLineDiscount(in struct {
	lineIn
	discountIn
}, _ struct{}) {
	r.change(in.lineIn, func(l *cartLine) { l.percent, l.amount = in.Percent, in.Amount.Amount })
}

func (r *Reckoner) setShipping(in struct{ Method, Fulfilment string }, _ struct{}) {
	id, c := r.mine()
	c.fulfilment = cmp.Or(in.Fulfilment, "deliver")
	if in.Method != "" {
		c.shipping = r.shippingMethod(in.Method).ID
	}
	set(r, r.carts, id, c)
}

// shippingMethod is the one of that id or name, else the shop's first; nil without any.
func (r *Reckoner) shippingMethod(given string) *Shipping {
	for i, s := range r.shipping {
		if s.ID == given || sameName(s.Name, given) {
			return &r.shipping[i]
		}
	}
	if len(r.shipping) == 0 {
		return nil
	}
	return &r.shipping[0]
}

func (r *Reckoner) holdCart(_, _ struct{}) {
	id, _ := r.mine()
	r.putAside(id)
}

func (r *Reckoner) resumeCart(in struct{ HeldID string }, _ struct{}) {
	c, known := r.carts[in.HeldID]
	must(known && c.status == "held", "no cart %s is on hold", in.HeldID)
	was := r.here()
	if c.customer != "" {
		if other := r.openOf(c.customer); other != "" {
			must(len(r.cartLines[other]) == 0, "the customer has another cart")
			r.dropCart(other)
		}
	}
	c.status = "open"
	set(r, r.carts, in.HeldID, c)
	set(r, r.current, r.call.Person, in.HeldID)
	r.leave(was)
}

func (r *Reckoner) fromOrder(in struct{ OrderID string }, out struct {
	Lines []struct {
		LineID, VariantID string
		Quantity          int64
	}
}) {
	o := r.order(in.OrderID, "")
	for _, l := range out.Lines {
		r.put(r.filled(o.Customer), cmp.Or(l.LineID, l.VariantID), cartLine{variant: l.VariantID, quantity: l.Quantity})
	}
}

// priced are the lines of a cart with their amounts.
func (r *Reckoner) priced(id string) (lines []Line) {
	c := r.carts[id]
	for _, lineID := range r.lines(id) {
		l := r.cartLines[id][lineID]
		v := r.variants[l.variant]
		p := Line{ID: lineID, Variant: l.variant, Product: v.Product, Quantity: l.quantity, Price: v.Price,
			Rate: r.rates[cmp.Or(l.class, r.classes[v.Product])], Percent: l.percent, Amount: l.amount}
		if l.price != nil {
			p.Price = *l.price
		}
		lines = append(lines, p)
	}
	priceLines(lines, c.percent, c.amount, r.included)
	return lines
}
