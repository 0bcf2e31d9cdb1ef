package e2e

import (
	"encoding/json"
	"fmt"
	"slices"
)

// reckoner computes the expected shop after a day at the desk: the rules for customers, orders and money, on the
// document alone, with integers and without any code of the shop.
type reckoner struct {
	*dayShop
	who   string // id of the person at the desk
	clerk bool
	given map[string]string // the names of what a step makes, by where its answer says it
	carts map[string]*dayCart
	at    map[string]*dayCart // by person
}

// dayCart is a customer's cart; it becomes an order.
type dayCart struct {
	customer string
	lines    []*dayLine
	shipping string
	percent  int64
	reason   string
}

// refusal is the code of a rule's refusal.
type refusal string

func (r refusal) Error() string { return string(r) }

const (
	unmet     = refusal("PRECONDITION_FAILED")
	forbidden = refusal("FORBIDDEN")
	notFound  = refusal("NOT_FOUND")
)

// rules change the document. A capability without a rule changes nothing.
func (r *reckoner) rules() map[string]func(json.RawMessage) {
	return map[string]func(json.RawMessage){
		"order.cancel":          rule(r.cancel),
		"order.changeAddress":   rule(r.changeAddress),
		"order.changePayment":   rule(r.changePayment),
		"order.changeItems":     rule(r.changeItems),
		"order.process":         rule(r.process),
		"order.fulfil":          rule(r.fulfil),
		"order.deliver":         rule(r.deliver),
		"order.return":          rule(r.askReturn),
		"order.receiveReturn":   rule(r.receiveReturn),
		"order.exchange":        rule(r.askExchange),
		"order.receiveExchange": rule(r.receiveExchange),
		"order.addNote":         rule(r.addNote),

		"customer.create":              rule(r.createCustomer),
		"customer.addAddress":          rule(r.addAddress),
		"customer.setAddress":          rule(r.setAddress),
		"customer.removeAddress":       rule(r.removeAddress),
		"customer.addPaymentMethod":    rule(r.addMethod),
		"customer.removePaymentMethod": rule(r.removeMethod),

		"cart.addItem":       rule(r.addItem),
		"cart.setShipping":   rule(r.setShipping),
		"cart.applyDiscount": rule(r.applyDiscount),
		"checkout.submit":    rule(r.submit),

		"catalog.adjustStock": rule(r.adjustStock),
		"catalog.setPrice":    rule(r.setPrice),
	}
}

// rule decodes the arguments of a rule, which panics with a refusal.
func rule[In any](apply func(In)) func(json.RawMessage) {
	return func(args json.RawMessage) {
		var in In
		if err := json.Unmarshal(args, &in); err != nil {
			panic(err)
		}
		apply(in)
	}
}

// step applies one invocation. A refused one changes nothing.
func (r *reckoner) step(who string, clerk bool, s dayStep) (refused refusal) {
	apply := r.rules()[s.Do]
	if apply == nil {
		return ""
	}
	r.who, r.clerk, r.given = who, clerk, map[string]string{}
	for name, path := range s.Keep {
		r.given[path] = name
	}
	before, err := json.Marshal(r.dayShop)
	if err != nil {
		panic(err)
	}
	defer func() {
		switch broken := recover().(type) {
		case nil:
		case refusal:
			refused, r.dayShop = broken, &dayShop{}
			if err := json.Unmarshal(before, r.dayShop); err != nil {
				panic(err)
			}
		default:
			panic(fmt.Sprintf("%s %s: %v", s.Do, s.With, broken))
		}
	}()
	apply(s.With)
	return ""
}

// must refuses unless ok.
func must(holds bool, otherwise refusal) {
	if !holds {
		panic(otherwise)
	}
}

func pick[T any](all []*T, is func(*T) bool) *T {
	i := slices.IndexFunc(all, is)
	must(i >= 0, notFound)
	return all[i]
}

func (r *reckoner) customer(id string) *dayCustomer {
	return pick(r.Customers, func(c *dayCustomer) bool { return c.ID == id })
}

func (r *reckoner) order(id, status string) *dayOrder {
	o := pick(r.Orders, func(o *dayOrder) bool { return o.ID == id })
	must(status == "" || o.Status == status, unmet)
	return o
}

func (r *reckoner) variant(id string) (p *dayProduct, v *dayVariant) {
	p = pick(r.Products, func(p *dayProduct) bool {
		return slices.ContainsFunc(p.Variants, func(v *dayVariant) bool { return v.ID == id })
	})
	return p, pick(p.Variants, func(v *dayVariant) bool { return v.ID == id })
}

// address is one of the customer's own; another customer's is refused.
func (r *reckoner) address(customer, id string) *dayAddress {
	for _, c := range r.Customers {
		for _, a := range c.Addresses {
			if a.ID == id {
				must(c.ID == customer, unmet)
				return a
			}
		}
	}
	panic(notFound)
}

// method is one of the customer's own, or cash.
func (r *reckoner) method(customer, id string) *dayMethod {
	if id == "cash" {
		return &dayMethod{ID: id, Kind: id}
	}
	for _, c := range r.Customers {
		for _, m := range c.PaymentMethods {
			if m.ID == id {
				must(c.ID == customer, unmet)
				return m
			}
		}
	}
	panic(notFound)
}

func (m *dayMethod) label() string {
	switch m.Kind {
	case "card":
		return m.Brand + " ending " + m.LastFour
	case "paypal":
		return "PayPal"
	case "giftCard":
		return "Gift card"
	case "onAccount":
		return "On account"
	}
	return "Cash"
}

func (r *reckoner) money(amount int64) dayMoney {
	if amount == 0 {
		return dayMoney{}
	}
	return dayMoney{amount, r.Shop.Currency}
}

// move records that money moved for an order: charged when positive, which a gift
// card must cover, refunded when negative.
func (r *reckoner) move(o *dayOrder, m *dayMethod, amount int64) {
	if amount == 0 {
		return
	}
	kind := "payment"
	if m.Balance != nil {
		must(m.Balance.Amount >= amount, unmet)
		m.Balance.Amount -= amount
	}
	if m.LastUsedAt = today; amount < 0 {
		kind, amount = "refund", -amount
	}
	o.Payments = append(o.Payments, dayPayment{Kind: kind, MethodID: m.ID, Label: m.label(), Amount: r.money(amount),
		At: today})
}

// standing returns what each payment of an order paid and did not get back. A refund was of the payments by its method,
// then of the others, the last first.
func (o *dayOrder) standing() []int64 {
	left := make([]int64, len(o.Payments))
	for at, p := range o.Payments {
		if p.Kind == "payment" {
			left[at] = p.Amount.Amount
			continue
		}
		back := p.Amount.Amount
		for _, others := range []bool{false, true} {
			for i := at - 1; i >= 0; i-- {
				if others || o.Payments[i].MethodID == p.MethodID {
					n := min(left[i], back)
					left[i], back = left[i]-n, back-n
				}
			}
		}
	}
	return left
}

// settle records a payment or refunds. The method gets back at most its payment, and the other payments get the rest,
// the last first. A method that did not pay gets all of it.
func (r *reckoner) settle(o *dayOrder, m *dayMethod, amount int64) {
	paid := slices.ContainsFunc(o.Payments, func(p dayPayment) bool { return p.Kind == "payment" && p.MethodID == m.ID })
	if amount >= 0 || !paid {
		r.move(o, m, amount)
		return
	}
	left := o.standing()
	for _, others := range []bool{false, true} {
		for i := len(left) - 1; i >= 0; i-- {
			if id := o.Payments[i].MethodID; others != (id == m.ID) && left[i] > 0 && amount < 0 {
				n := min(left[i], -amount)
				left[i], amount = left[i]-n, amount+n
				r.move(o, r.method(o.CustomerID, id), -n)
			}
		}
	}
}

// refundAll gives back to each payment what it paid and did not get back, the last first.
func (r *reckoner) refundAll(o *dayOrder) (refunds int, to string) {
	left := o.standing()
	for i := len(left) - 1; i >= 0; i-- {
		if left[i] > 0 {
			refunds, to = refunds+1, o.Payments[i].MethodID
			r.move(o, r.method(o.CustomerID, to), -left[i])
		}
	}
	return refunds, to
}

// mayRefund keeps a clerk within the shop's limit.
func (r *reckoner) mayRefund(amount int64) {
	must(!r.clerk || amount <= r.Shop.RefundLimit.Amount, forbidden)
}

// stock moves pieces of a variant, for an order or for none.
func (r *reckoner) stock(id string, delta int64, reason, note string, o *dayOrder) {
	_, v := r.variant(id)
	if v.Stock == nil {
		return
	}
	*v.Stock += delta
	m := dayMove{Delta: delta, Reason: reason, Note: note, By: r.who, At: today}
	if o == nil {
		v.Movements = append(v.Movements, m)
		return
	}
	m.VariantID = id
	o.Movements = append(o.Movements, m)
}

// take sells pieces of a variant that is offered and in stock.
func (r *reckoner) take(id string, n int64, reason string, o *dayOrder) {
	p, v := r.variant(id)
	must(p.Published && v.Available && (v.Stock == nil || v.Backorder || *v.Stock >= n), unmet)
	r.stock(id, -n, reason, "", o)
}

// giveBack brings pieces of an order back, as far as it took them.
func (r *reckoner) giveBack(id string, n int64, reason string, o *dayOrder) {
	if n = min(n, o.holds(id)); n > 0 {
		r.stock(id, n, reason, "", o)
	}
}

// holds is how many pieces an order took from stock and did not bring back.
func (o *dayOrder) holds(variant string) (n int64) {
	for _, m := range o.Movements {
		if m.VariantID == variant {
			n -= m.Delta
		}
	}
	return n
}

// part is n × of / whole, a half rounded up.
func part(n, of, whole int64) int64 { return (2*n*of + whole) / (2 * whole) }

// value returns what a customer pays for a line.
func (l *dayLine) value() int64 {
	return l.Price.Amount*l.Quantity - l.Discount.Amount + l.Tax.Amount
}

func (o *dayOrder) total() int64 {
	sum := o.Shipping.Amount
	for _, l := range o.Lines {
		sum += l.value()
	}
	return sum
}
