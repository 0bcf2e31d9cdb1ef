package reckonertest

import (
	"cmp"
	"maps"
	"slices"
	"strings"
)

// Order is an order as it is after the calls so far.
type Order struct {
	Customer, Status string
	Lines            []Line
	Payments         []Payment // and refunds, in the order they were made
	Shipping         int64
	ShippingSums     []RateSum
	Holds            map[string]int64 // pieces that it took from stock, by variant
	Included         bool             // its prices include tax
	Percent, Amount  int64            // the discount of all lines together

	Request *Request // that is open
	receipt string   // the first of the order
}

// Line is a line of an order. A line of a receipt has the amounts by which a line became more or less.
type Line struct {
	ID, Variant, Product              string
	Quantity, Price, Rate             int64
	Total, Discount, DiscountTax, Tax int64
	Percent, Amount                   int64 // the discount of the line alone
	Returned                          bool
	taken                             bool
}

// Payment is money that was paid, or given back when the amount is negative. Due is the amount before cash was rounded.
type Payment struct {
	ID, Method  string
	Amount, Due int64

	back int64 // what of a payment was given back
}

// Request is a return or an exchange that was asked for.
type Request struct {
	Method string
	Pieces []Piece
}

// Piece is some of what an order has, and what it becomes.
type Piece struct {
	LineID, VariantID, NewVariantID string
	Quantity                        int64
	Price, Rate                     int64 // of what it becomes
}

func init() {
	maps.Copy(rules, map[string]func(*Reckoner){
		"checkout.submit": rule((*Reckoner).submit), "order.cancel": rule((*Reckoner).cancel),
		"order.process": status("pending", "processed"), "order.deliver": status("processed", "delivered"),
		"order.changePayment": rule((*Reckoner).changePayment), "order.changeItems": rule((*Reckoner).changeItems),
		"order.return": rule((*Reckoner).askReturn), "order.receiveReturn": rule((*Reckoner).receiveReturn),
		"order.returnNow": rule((*Reckoner).returnNow), "order.exchange": rule((*Reckoner).askExchange),
		"order.receiveExchange": rule((*Reckoner).receiveExchange),
	})
}

// order is a copy of an order that may be changed.
func (r *Reckoner) order(given, status string) Order {
	o, known := r.orders[orderID(given)]
	must(known, "there is no order %s", given)
	must(status == "" || o.Status == status, "the order is %s", o.Status)
	o.Lines, o.Payments, o.Holds = slices.Clone(o.Lines), slices.Clone(o.Payments), clone(o.Holds)
	return o
}

// orderID is the number of an order in its one form.
func orderID(given string) string {
	digits := strings.TrimLeft(strings.ToUpper(strings.TrimSpace(given)), "#W")
	return "#W" + strings.Repeat("0", max(0, 7-len(digits))) + digits
}

// keep stores an order after a change of it, and writes the receipt of what that changed.
func (r *Reckoner) keep(id string, o Order) {
	for i := range o.Lines {
		o.Lines[i].taken = false
	}
	id = orderID(id)
	if r.book {
		was, had := r.orders[id]
		r.receipt(id, was, &o, had)
	}
	set(r, r.orders, id, o)
}

func status(from, to string) func(*Reckoner) {
	return rule(func(r *Reckoner, in struct{ OrderID string }, _ struct{}) {
		o := r.order(in.OrderID, from)
		o.Status = to
		r.keep(in.OrderID, o)
	})
}

// had are the lines that the customer has.
func (o *Order) had() (lines []Line) {
	for _, l := range o.Lines {
		if !l.Returned && o.Status != "cancelled" {
			lines = append(lines, l)
		}
	}
	return lines
}

// Value is what the customer has and pays for, with shipping.
func (o *Order) Value() int64 {
	if o.Status == "cancelled" {
		return 0
	}
	var value int64
	for _, s := range o.ShippingSums {
		value += s.Net + s.Tax
	}
	for _, l := range o.had() {
		value += l.value(o.Included)
	}
	return value
}

// Paid is what was paid and not given back.
func (o *Order) Paid() (sum int64) {
	for _, p := range o.Payments {
		sum += p.Amount
	}
	return sum
}

// due is what was paid and not given back, before cash was rounded.
func (o *Order) due() (sum int64) {
	for _, p := range o.Payments {
		sum += p.Due
	}
	return sum
}

// Sums are net and tax by rate, the highest first, of everything that was ordered and of shipping.
func (o *Order) Sums() (sums []RateSum) {
	for _, l := range o.Lines {
		sums = add(sums, l.Rate, l.net(o.Included), l.Tax)
	}
	for _, s := range o.ShippingSums {
		sums = add(sums, s.Rate, s.Net, s.Tax)
	}
	return sums
}

type paymentIn struct {
	PaymentMethodID string
	Amount          *priceIn
}

type submitIn struct {
	PaymentMethodID, Fulfilment, ShippingAddressID string
	Payments                                       []paymentIn
	Tendered                                       *priceIn
}

type submitOut struct {
	OrderID, Fulfilment string
	Payments            []struct{ PaymentMethodID string }
}

func (r *Reckoner) submit(in submitIn, out submitOut) {
	id, c := r.mine()
	o := Order{Customer: c.customer, Status: "pending", Included: r.included, Percent: c.percent, Amount: c.amount}
	if out.Fulfilment == "takeAway" {
		o.Status = "delivered"
	}
	o.Lines = r.priced(id)
	r.ship(&o, out.Fulfilment, c.shipping)
	for _, l := range o.Lines {
		r.move(&o, l.Variant, -l.Quantity)
	}
	asked := in.Payments
	if len(asked) == 0 {
		method := in.PaymentMethodID
		switch {
		case method == "" && len(out.Payments) > 0:
			method = out.Payments[0].PaymentMethodID
		case method == "":
			must(in.Tendered != nil || out.Fulfilment != "deliver", "no call says what paid the order")
			method = "cash"
		}
		asked = []paymentIn{{PaymentMethodID: method}}
	}
	r.payAll(&o, asked)
	c.status = "submitted"
	r.leaveAll(id)
	set(r, r.carts, id, c)
	r.keep(out.OrderID, o)
}

// ship sets what shipping costs, and its tax.
func (r *Reckoner) ship(o *Order, fulfilment, method string) {
	s := r.shippingMethod(method)
	if fulfilment != "deliver" || s == nil {
		return
	}
	o.Shipping = s.Price
	switch {
	case s.TaxClass != nil && *s.TaxClass == "none":
		o.ShippingSums = add(nil, 0, s.Price, 0)
	case s.TaxClass != nil:
		rate := r.rates[*s.TaxClass]
		o.ShippingSums = shippingSums(s.Price, []RateSum{{Rate: rate, Net: 1}}, o.Included)
	default:
		var goods []RateSum
		for _, l := range o.Lines {
			goods = add(goods, l.Rate, l.net(o.Included), l.Tax)
		}
		o.ShippingSums = shippingSums(s.Price, goods, o.Included)
	}
}

// payAll pays what an order comes to by one to five entries; one without an amount takes the rest.
func (r *Reckoner) payAll(o *Order, asked []paymentIn) {
	must(len(asked) <= 5, "%d entries", len(asked))
	rest, open := o.Value(), -1
	for i, p := range asked {
		if p.Amount == nil {
			must(open < 0, "two entries have no amount")
			open = i
			continue
		}
		rest -= p.Amount.Amount
	}
	must(open >= 0 && rest >= 0 || rest == 0, "the payments differ from the total by %d", rest)
	for i, p := range asked {
		amount := rest
		if i != open {
			amount = p.Amount.Amount
		}
		r.pay(o, p.PaymentMethodID, amount)
	}
}

// pay records that money moved: paid when positive, given back when negative.
func (r *Reckoner) pay(o *Order, method string, amount int64) {
	if amount == 0 {
		return
	}
	p := Payment{Method: method, Amount: amount, Due: amount}
	if ids := r.call.Made["payments"]; len(ids) > r.paid {
		p.ID = ids[r.paid]
	}
	r.paid++
	if method == "cash" {
		p.Amount = coins(amount, r.cashStep)
	}
	if m, saved := r.methods[method]; saved && m.Kind == "giftCard" {
		m.Balance -= amount
		must(m.Balance >= 0, "the gift card has %d too little", -m.Balance)
		set(r, r.methods, method, m)
	}
	o.Payments = append(o.Payments, p)
}

// giveBack gives an amount back: to a method that is named, else to the payments in reverse order, each at most what it
// paid and has not got back.
func (r *Reckoner) giveBack(o *Order, amount int64, named string) {
	paid := slices.ContainsFunc(o.Payments, func(p Payment) bool { return p.Due > 0 && p.Method == named })
	back := func(only string, into string) {
		for i := len(o.Payments) - 1; i >= 0 && amount > 0; i-- {
			p := &o.Payments[i]
			if p.Due <= 0 || only != "" && p.Method != only {
				continue
			}
			n := min(amount, p.Due-p.back)
			p.back, amount = p.back+n, amount-n
			if into == "" && n > 0 {
				r.pay(o, p.Method, -n)
			}
		}
	}
	switch {
	case named != "" && !paid:
		whole := amount
		back("", named)
		r.pay(o, named, -whole)
		return
	case named != "":
		back(named, "")
	}
	back("", "")
	must(amount == 0, "%d more than was paid", amount)
}

// match notes of what was given back before the first call which payments it was of: those by the same method, then the
// others, the last first.
func (o *Order) match() {
	for at, refund := range o.Payments {
		left := -refund.Due
		for _, any := range []bool{false, true} {
			for i := at - 1; i >= 0 && left > 0; i-- {
				if p := &o.Payments[i]; p.Due > p.back && (any || p.Method == refund.Method) {
					n := min(left, p.Due-p.back)
					p.back, left = p.back+n, left-n
				}
			}
		}
	}
}

func (r *Reckoner) cancel(in struct{ OrderID, PaymentMethodID string }, _ struct{}) {
	o := r.order(in.OrderID, "pending")
	r.giveBack(&o, o.due(), in.PaymentMethodID)
	for _, variant := range slices.Sorted(maps.Keys(o.Holds)) {
		r.move(&o, variant, max(o.Holds[variant], 0))
	}
	o.Status = "cancelled"
	r.keep(in.OrderID, o)
}

func (r *Reckoner) changePayment(in struct{ OrderID, PaymentMethodID, PaymentID string }, _ struct{}) {
	o := r.order(in.OrderID, "pending")
	if in.PaymentID == "" {
		r.giveBack(&o, o.due(), "")
		r.pay(&o, in.PaymentMethodID, o.Value())
	} else {
		i := slices.IndexFunc(o.Payments, func(p Payment) bool { return p.ID == in.PaymentID })
		must(i >= 0 && o.Payments[i].Due > o.Payments[i].back, "%s is no payment that stands", in.PaymentID)
		amount := o.Payments[i].Due - o.Payments[i].back
		o.Payments[i].back += amount
		r.pay(&o, o.Payments[i].Method, -amount)
		r.pay(&o, in.PaymentMethodID, amount)
	}
	r.keep(in.OrderID, o)
}

// take finds pieces of an order that the customer has, all of them for a quantity of 0. A line of which only some are
// taken is parted; what is taken goes to the end.
func (o *Order) take(p Piece) (taken []int) {
	match := func(l Line) bool { return !l.Returned && !l.taken && p.of(l) }
	n := p.Quantity
	for _, l := range o.Lines {
		if p.Quantity == 0 && match(l) {
			n += l.Quantity
		}
	}
	for i := 0; i < len(o.Lines) && n > 0; i++ {
		l := o.Lines[i]
		if !match(l) {
			continue
		}
		if l.Quantity > n {
			stays, goes := l.part(l.Quantity - n)
			goes.taken, goes.ID = true, o.free(l.ID)
			o.Lines[i] = stays
			o.Lines = append(o.Lines, goes)
			return append(taken, len(o.Lines)-1)
		}
		o.Lines[i].taken = true
		n -= l.Quantity
		taken = append(taken, i)
	}
	must(n == 0 && len(taken) > 0, "%+v is not in the order", p)
	return taken
}

// free is an id of a line that the order does not have yet.
func (o *Order) free(id string) string {
	return free(id, func(id string) bool { return slices.ContainsFunc(o.Lines, func(l Line) bool { return l.ID == id }) })
}

// named is a piece with the line that it is of.
func (o *Order) named(p Piece) Piece {
	for _, l := range o.Lines {
		if !l.Returned && !l.taken && p.of(l) {
			p.LineID, p.VariantID = l.ID, l.Variant
			return p
		}
	}
	return p
}

// of tells whether a piece may be of a line.
func (p Piece) of(l Line) bool {
	return (p.LineID == "" || l.ID == p.LineID) && (p.VariantID == "" || l.Variant == p.VariantID)
}

// part leaves n pieces of a line and returns both parts. Amounts are shared in proportion, a half up.
func (l Line) part(n int64) (stays, goes Line) {
	stays, goes = l, l
	stays.Quantity, stays.Total = n, l.Price*n
	goes.Quantity, goes.Total = l.Quantity-n, l.Total-stays.Total
	for _, f := range []func(*Line) *int64{
		func(l *Line) *int64 { return &l.Discount }, func(l *Line) *int64 { return &l.DiscountTax },
		func(l *Line) *int64 { return &l.Tax }, func(l *Line) *int64 { return &l.Amount },
	} {
		*f(&stays) = part(*f(&l), n, l.Quantity)
		*f(&goes) = *f(&l) - *f(&stays)
	}
	return stays, goes
}

type itemsIn struct {
	OrderID, PaymentMethodID string
	Changes                  []Piece
	Add                      []Piece
	Set                      []Piece
}

// agreed completes pieces with the price of today of what they become. Without an exchange, the same is left out.
func (r *Reckoner) agreed(o *Order, changes []Piece, exchange bool) (all []Piece) {
	copied := Order{Status: o.Status, Lines: slices.Clone(o.Lines)}
	for _, c := range changes {
		v := r.variants[c.NewVariantID]
		c.Price, c.Rate = v.Price, r.rates[r.classes[v.Product]]
		c = copied.named(c)
		if c.VariantID == c.NewVariantID && !exchange {
			continue
		}
		taken := copied.take(c)
		c.Quantity = 0
		for _, i := range taken {
			c.Quantity += copied.Lines[i].Quantity
		}
		all = append(all, c)
	}
	return all
}

// swap makes pieces of an order others. The same variant keeps the price that was paid.
func (r *Reckoner) swap(o *Order, all []Piece) {
	for _, c := range all {
		for _, i := range o.take(c) {
			if l := &o.Lines[i]; c.VariantID != c.NewVariantID {
				was := *l
				l.Variant, l.Price, l.Rate = c.NewVariantID, c.Price, c.Rate
				l.Total, l.Discount = c.Price*l.Quantity, 0
				if was.Total > 0 && !r.book {
					l.Discount = part(was.Discount, l.Total, was.Total)
				}
				l.tax(o.Included)
			}
		}
	}
}

// reprice computes the lines that the customer has from their discounts again: a percentage follows the price, an
// amount stays, less what lines that came back took with them. Shops without the book keep the proportion, see swap.
func (r *Reckoner) reprice(o *Order) {
	if !r.book {
		return
	}
	amount := o.Amount
	var at []int
	var lines []Line
	for i, l := range o.Lines {
		if !l.Returned {
			at, lines = append(at, i), append(lines, l)
		} else if o.Amount > 0 {
			own := min(l.Amount, l.Total)
			if l.Percent > 0 {
				own = part(l.Total, l.Percent, 100)
			}
			amount -= l.Discount - own
		}
	}
	priceLines(lines, o.Percent, max(amount, 0), o.Included)
	for i, l := range lines {
		if was := o.Lines[at[i]]; l.Total == was.Total && l.Discount == was.Discount {
			l.Tax, l.DiscountTax = was.Tax, was.DiscountTax // of a line that was parted, too
		}
		o.Lines[at[i]] = l
	}
}

// difference settles what an order became more or less worth.
func (r *Reckoner) difference(o *Order, before int64, method string) {
	switch due := o.Value() - before; {
	case due > 0:
		must(method != "" || len(o.Payments) > 0, "no method is named")
		r.pay(o, cmp.Or(method, o.last()), due)
	case due < 0:
		r.giveBack(o, -due, method)
	}
}

// last is the method of the last payment that stands.
func (o *Order) last() string {
	for _, p := range slices.Backward(o.Payments) {
		if p.Due > p.back {
			return p.Method
		}
	}
	return ""
}

// returned brings pieces back into stock, as far as the order holds them.
func (r *Reckoner) returned(o *Order, variant string, n int64) {
	r.move(o, variant, max(min(n, o.Holds[variant]), 0))
}

func (r *Reckoner) changeItems(in itemsIn, _ struct{}) {
	o := r.order(in.OrderID, "pending")
	before := o.Value()
	changes := r.agreed(&o, in.Changes, false)
	for _, c := range changes {
		r.returned(&o, c.VariantID, c.Quantity)
	}
	for _, c := range changes {
		r.move(&o, c.NewVariantID, -c.Quantity)
	}
	r.swap(&o, changes)
	for _, a := range in.Add {
		v := r.variants[a.VariantID]
		o.Lines = append(o.Lines, Line{ID: o.free(a.VariantID), Variant: a.VariantID, Product: v.Product,
			Quantity: a.Quantity,
			Price:    v.Price, Rate: r.rates[r.classes[v.Product]]})
		r.move(&o, a.VariantID, -a.Quantity)
	}
	for _, s := range in.Set {
		i := slices.IndexFunc(o.Lines, func(l Line) bool { return s.of(l) && !l.Returned && !l.taken })
		must(i >= 0, "no line %+v", s)
		switch more := s.Quantity - o.Lines[i].Quantity; {
		case more > 0:
			r.move(&o, o.Lines[i].Variant, -more)
		case more < 0:
			r.returned(&o, o.Lines[i].Variant, -more)
		}
		if o.Lines[i].Quantity, o.Lines[i].taken = s.Quantity, true; s.Quantity == 0 {
			o.Lines = slices.Delete(o.Lines, i, i+1)
		}
	}
	r.reprice(&o)
	r.difference(&o, before, in.PaymentMethodID)
	r.keep(in.OrderID, o)
}

type returnIn struct {
	OrderID, PaymentMethodID string
	Lines                    []Piece
	Restock                  bool
}

func (r *Reckoner) askReturn(in returnIn, _ struct{}) {
	o := r.order(in.OrderID, "delivered")
	must(o.Request == nil, "a request is open")
	q := Request{Method: in.PaymentMethodID}
	looked := Order{Status: o.Status, Lines: slices.Clone(o.Lines)}
	for _, p := range in.Lines {
		p = looked.named(p)
		taken := looked.take(p)
		p.Quantity = 0
		for _, i := range taken {
			p.Quantity += looked.Lines[i].Quantity
		}
		q.Pieces = append(q.Pieces, p)
	}
	o.Request = &q
	r.keep(in.OrderID, o)
}

func (r *Reckoner) receiveReturn(in returnIn, _ struct{}) {
	o := r.order(in.OrderID, "delivered")
	must(o.Request != nil, "no return is open")
	came := in.Lines
	if came == nil {
		came = o.Request.Pieces
	}
	for i, p := range came {
		for _, asked := range o.Request.Pieces {
			if p.of(Line{ID: cmp.Or(asked.LineID, p.LineID), Variant: asked.VariantID}) {
				came[i].LineID, came[i].VariantID = cmp.Or(asked.LineID, p.LineID), asked.VariantID
				if p.Quantity == 0 {
					came[i].Quantity += asked.Quantity
				}
			}
		}
	}
	r.comesBack(in.OrderID, o, came, in.Restock, o.Request.Method)
}

func (r *Reckoner) returnNow(in returnIn, _ struct{}) {
	r.comesBack(in.OrderID, r.order(in.OrderID, "delivered"), in.Lines, in.Restock, in.PaymentMethodID)
}

// comesBack takes pieces of an order back and gives back what was paid for them. Shipping stays paid.
func (r *Reckoner) comesBack(id string, o Order, pieces []Piece, restock bool, method string) {
	before := o.Value()
	for _, p := range pieces {
		for _, i := range o.take(p) {
			l := &o.Lines[i]
			l.Returned = true
			if restock {
				r.returned(&o, l.Variant, l.Quantity)
			}
		}
	}
	o.Request = nil
	r.difference(&o, before, method)
	r.keep(id, o)
}

func (r *Reckoner) askExchange(in itemsIn, _ struct{}) {
	o := r.order(in.OrderID, "delivered")
	must(o.Request == nil, "a request is open")
	o.Request = &Request{Method: in.PaymentMethodID, Pieces: r.agreed(&o, in.Changes, true)}
	for _, c := range o.Request.Pieces {
		r.move(&o, c.NewVariantID, -c.Quantity)
	}
	r.keep(in.OrderID, o)
}

func (r *Reckoner) receiveExchange(in returnIn, _ struct{}) {
	o := r.order(in.OrderID, "delivered")
	must(o.Request != nil, "no exchange is open")
	before, q := o.Value(), o.Request
	o.Request = nil
	r.swap(&o, q.Pieces)
	for _, c := range q.Pieces {
		if in.Restock {
			r.returned(&o, c.VariantID, c.Quantity)
		}
	}
	if slices.ContainsFunc(q.Pieces, func(c Piece) bool { return c.VariantID != c.NewVariantID }) {
		r.reprice(&o)
	}
	r.difference(&o, before, q.Method)
	r.keep(in.OrderID, o)
}
