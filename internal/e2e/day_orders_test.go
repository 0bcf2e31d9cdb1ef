package e2e

import (
	"fmt"
	"slices"
)

type (
	dayOrderIn struct{ OrderID string }
	dayPieces  struct {
		VariantID, NewVariantID string
		Quantity                int64
	}
	dayItemsIn struct {
		OrderID, PaymentMethodID string
		Changes                  []dayPieces
	}
	dayReturnIn struct {
		OrderID, PaymentMethodID string
		Lines                    []dayPieces
		Restock                  bool
	}
)

func (r *reckoner) cancel(in struct{ OrderID, Reason, Note string }) {
	o := r.order(in.OrderID, "pending")
	r.mayRefund(o.Total.Amount)
	r.refundAll(o)
	var back []string
	for _, m := range o.Movements {
		if !slices.Contains(back, m.VariantID) && o.holds(m.VariantID) > 0 {
			back = append(back, m.VariantID)
		}
	}
	for _, id := range back {
		r.stock(id, o.holds(id), "cancellation", "", o)
	}
	o.Status, o.CancelledAt, o.CancelledBy, o.CancelReason = "cancelled", today, r.who, in.Reason
	if in.Note != "" {
		r.note(o, in.Note)
	}
}

func (r *reckoner) note(o *dayOrder, text string) {
	o.Notes = append(o.Notes, dayNote{Text: text, By: r.who, At: today})
}

func (r *reckoner) addNote(in struct{ OrderID, Text string }) {
	r.note(r.order(in.OrderID, ""), in.Text)
}

func (r *reckoner) changeAddress(in struct {
	OrderID, AddressID string
	Address            *dayPostal
}) {
	o := r.order(in.OrderID, "pending")
	if in.Address != nil {
		o.Address = dayGoesTo{dayPostal: *in.Address}
		return
	}
	a := r.address(o.CustomerID, in.AddressID)
	o.Address = dayGoesTo{ID: a.ID, dayPostal: a.dayPostal}
}

func (r *reckoner) changePayment(in struct{ OrderID, PaymentMethodID string }) {
	o := r.order(in.OrderID, "pending")
	m := r.method(o.CustomerID, in.PaymentMethodID)
	refunds, to := r.refundAll(o)
	must(refunds == 1 && to != m.ID, unmet) // of several payments one is named
	r.move(o, m, o.Total.Amount)
}

// pieces takes n pieces of a variant out of the lines of an order; a line taken in part is split, the rest stays in
// its place.
func (o *dayOrder) pieces(variant string, n int64) (taken []*dayLine) {
	var has int64
	for _, l := range o.Lines {
		if l.VariantID == variant && l.ReturnedBy == "" && !l.taken {
			has += l.Quantity
		}
	}
	if n == 0 {
		n = has
	}
	must(n > 0 && n <= has, unmet)
	for _, l := range o.Lines {
		if n == 0 || l.VariantID != variant || l.ReturnedBy != "" || l.taken {
			continue
		}
		if l.Quantity > n {
			rest, whole := *l, l.Quantity
			rest.Quantity = whole - n
			rest.Discount.Amount = part(l.Discount.Amount, rest.Quantity, whole)
			rest.Tax.Amount = part(l.Tax.Amount, rest.Quantity, whole)
			parted := *l
			parted.Quantity = n
			parted.Discount.Amount -= rest.Discount.Amount
			parted.Tax.Amount -= rest.Tax.Amount
			*l = rest
			l = &parted
			o.Lines = append(o.Lines, l)
		}
		n -= l.Quantity
		l.taken = true
		taken = append(taken, l)
	}
	return taken
}

// swap applies a change of items or an exchange to the lines: each becomes another variant of the same product at a
// price and a tax rate; a discount of an amount stays. It returns what that adds to the value.
func (r *reckoner) swap(o *dayOrder, lines []*dayLine, to string, price, rate int64) (difference int64) {
	_, v := r.variant(to)
	for _, l := range lines {
		if l.VariantID == to {
			continue // for the same: the price stays the one that was paid
		}
		was := *l
		difference -= l.value()
		l.VariantID, l.SKU, l.Label, l.Price = v.ID, v.SKU, v.text(), r.money(price)
		l.Discount = r.money(min(was.Discount.Amount, price*l.Quantity))
		l.Tax, l.RatePpm = r.money(part(price*l.Quantity-l.Discount.Amount, rate, 1_000_000)), rate
		difference += l.value()
	}
	return difference
}

func (v *dayVariant) text() string {
	text := ""
	for i, o := range v.Options {
		if i > 0 {
			text += ", "
		}
		text += o
	}
	return text
}

func (r *reckoner) rate(p *dayProduct) int64 {
	return r.TaxClasses[slices.IndexFunc(r.TaxClasses, func(c dayTax) bool { return c.ID == p.TaxClass })].RatePpm
}

// swaps makes all changes of a request in the lines of an order, and describes each.
func (r *reckoner) swaps(o *dayOrder, changes []dayPieces) (asked []*dayAsked, difference int64) {
	for _, c := range changes {
		p, v := r.variant(c.NewVariantID)
		lines := o.pieces(c.VariantID, c.Quantity)
		must(lines[0].ProductID == p.ID && v.Available && p.Published, unmet)
		a := &dayAsked{VariantID: c.VariantID, NewVariantID: v.ID, NewPrice: v.Price, NewRatePpm: r.rate(p)}
		for _, l := range lines {
			a.Quantity += l.Quantity
		}
		difference += r.swap(o, lines, v.ID, v.Price.Amount, a.NewRatePpm)
		asked = append(asked, a)
	}
	return asked, difference
}

// settled ends a step that took lines.
func (o *dayOrder) settled() {
	for _, l := range o.Lines {
		l.taken = false
	}
}

func (r *reckoner) changeItems(in dayItemsIn) {
	o := r.order(in.OrderID, "pending")
	must(o.ItemsChangedAt == 0, unmet)
	m := r.method(o.CustomerID, in.PaymentMethodID)
	changes := slices.DeleteFunc(in.Changes, func(c dayPieces) bool { return c.VariantID == c.NewVariantID })
	must(len(changes) > 0, unmet)
	asked, difference := r.swaps(o, changes)
	r.mayRefund(-difference)
	for _, a := range asked {
		r.giveBack(a.VariantID, a.Quantity, "exchange", o)
	}
	for _, a := range asked {
		r.take(a.NewVariantID, a.Quantity, "exchange", o)
	}
	r.settle(o, m, difference)
	o.Total, o.ItemsChangedAt = r.money(o.total()), today
	o.settled()
}

func (r *reckoner) process(in dayOrderIn) {
	o := r.order(in.OrderID, "pending")
	o.Status, o.ProcessedAt = "processed", today
}

func (r *reckoner) deliver(in dayOrderIn) {
	o := r.order(in.OrderID, "processed")
	o.Status, o.DeliveredAt = "delivered", today
}

func (r *reckoner) fulfil(in struct {
	OrderID, TrackingID string
	VariantIDs          []string
}) {
	o := r.order(in.OrderID, "processed")
	sent := func(id string) bool {
		return slices.ContainsFunc(o.Fulfilments, func(f dayParcel) bool {
			return len(f.VariantIDs) == 0 ||
				slices.Contains(f.VariantIDs, id)
		})
	}
	var waiting []string
	for _, l := range o.Lines {
		if !sent(l.VariantID) && !slices.Contains(waiting, l.VariantID) {
			waiting = append(waiting, l.VariantID)
		}
	}
	must(len(waiting) > 0, unmet)
	for _, id := range in.VariantIDs {
		must(slices.Contains(waiting, id), unmet)
	}
	if len(in.VariantIDs) == 0 {
		in.VariantIDs = waiting
	}
	o.Fulfilments = append(o.Fulfilments, dayParcel{TrackingID: in.TrackingID, At: today, VariantIDs: in.VariantIDs})
}

// open returns the one request of an order that was not received yet, nil without one.
func (o *dayOrder) open() *dayRequest {
	for _, q := range o.Requests {
		if q.Status == "requested" {
			return q
		}
	}
	return nil
}

// ask records a return request. The lines change when the goods arrive.
func (r *reckoner) ask(o *dayOrder, kind string, m *dayMethod, amount int64, lines []*dayAsked) {
	must(o.open() == nil, unmet)
	o.Requests = append(o.Requests, &dayRequest{ID: fmt.Sprint("request ", len(o.Requests)+1), Kind: kind,
		Status: "requested", RequestedAt: today, MethodID: m.ID, MethodLabel: m.label(), Amount: r.money(amount), By: r.who,
		Lines: lines})
}

// asIs returns the order if no line was taken or swapped.
func (o *dayOrder) asIs() func() {
	kept := make([]*dayLine, len(o.Lines))
	for i, l := range o.Lines {
		same := *l
		kept[i] = &same
	}
	return func() { o.Lines = kept }
}

func (r *reckoner) askReturn(in dayReturnIn) {
	o := r.order(in.OrderID, "delivered")
	m := r.method(o.CustomerID, in.PaymentMethodID)
	paid := slices.ContainsFunc(o.Payments, func(p dayPayment) bool { return p.Kind == "payment" && p.MethodID == m.ID })
	must(paid || m.Kind == "giftCard", unmet)
	defer o.asIs()()
	var due int64
	var asked []*dayAsked
	for _, l := range in.Lines {
		a := &dayAsked{VariantID: l.VariantID}
		for _, taken := range o.pieces(l.VariantID, l.Quantity) {
			a.Quantity += taken.Quantity
			due += taken.value()
		}
		asked = append(asked, a)
	}
	r.ask(o, "return", m, -due, asked)
}

func (r *reckoner) receiveReturn(in dayReturnIn) {
	o := r.order(in.OrderID, "delivered")
	q := o.open()
	must(q != nil && q.Kind == "return", unmet)
	came := in.Lines
	for _, a := range q.Lines {
		if in.Lines == nil {
			came = append(came, dayPieces{VariantID: a.VariantID, Quantity: a.Quantity})
		}
	}
	var value int64
	for _, c := range came {
		a := pick(q.Lines, func(a *dayAsked) bool { return a.VariantID == c.VariantID })
		must(c.Quantity <= a.Quantity, unmet)
		a.Received = c.Quantity
		for _, l := range o.pieces(c.VariantID, c.Quantity) {
			value, l.ReturnedBy = value+l.value(), q.ID
		}
		if in.Restock {
			r.giveBack(c.VariantID, c.Quantity, "return", o)
		}
	}
	r.mayRefund(value)
	r.receive(o, q, -value, in.Restock)
}

// receive ends a request: what is due moves, and the order says so.
func (r *reckoner) receive(o *dayOrder, q *dayRequest, amount int64, restock bool) {
	r.settle(o, r.method(o.CustomerID, q.MethodID), amount)
	q.Status, q.ReceivedAt, q.Amount, q.Restocked = "received", today, r.money(amount), restock
	o.settled()
}

func (r *reckoner) askExchange(in dayItemsIn) {
	o := r.order(in.OrderID, "delivered")
	m := r.method(o.CustomerID, in.PaymentMethodID)
	undo := o.asIs()
	asked, difference := r.swaps(o, in.Changes)
	undo()
	must(m.Balance == nil || m.Balance.Amount >= difference, unmet)
	for _, a := range asked {
		r.take(a.NewVariantID, a.Quantity, "exchange", o)
	}
	r.ask(o, "exchange", m, difference, asked)
}

func (r *reckoner) receiveExchange(in dayReturnIn) {
	o := r.order(in.OrderID, "delivered")
	q := o.open()
	must(q != nil && q.Kind == "exchange", unmet)
	var difference int64
	for _, a := range q.Lines {
		difference += r.swap(o, o.pieces(a.VariantID, a.Quantity), a.NewVariantID, a.NewPrice.Amount, a.NewRatePpm)
		if a.Received = a.Quantity; in.Restock {
			r.giveBack(a.VariantID, a.Quantity, "exchange", o)
		}
	}
	r.mayRefund(-difference)
	o.Total, o.ItemsChangedAt = r.money(o.total()), today
	r.receive(o, q, difference, in.Restock)
}
