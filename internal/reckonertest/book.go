package reckonertest

import (
	"fmt"
	"maps"
	"slices"
)

// Receipt is an entry of the book. Amounts of what came back are negative.
type Receipt struct {
	Number, Desk, Cashier, Order string
	At                           int64 // milliseconds since 1970
	RefersTo                     string
	Lines                        []Line
	Sums                         []RateSum // by rate, shipping among them
	Shipping                     int64
	Payments                     []Payment
	Rounding                     int64 // of cash, without tax
	Total                        int64 // of the goods and shipping, with tax
	// Sales and Returns are the parts of the total that became more, and that became less.
	Sales, Returns int64
}

// Move is cash that was put into a drawer or taken out.
type Move struct {
	Desk   string
	Amount int64

	closed bool
}

// Closing is the end of a day at a desk.
type Closing struct {
	Desk                        string
	Number                      int64
	Receipts                    []string // their numbers
	ByMethod                    map[string]int64
	Sums                        []RateSum
	Rounding                    int64
	CashIn, CashOut, Moved      int64
	Expected, Counted           int64
	Difference                  int64
	LifetimeSales, LifetimeBack int64

	opening bool
}

func init() {
	maps.Copy(rules, map[string]func(*Reckoner){
		"cash.move": rule((*Reckoner).moveCash), "day.close": rule((*Reckoner).closeDay),
	})
}

// desk is where the call was made.
func (r *Reckoner) desk() string {
	if r.call.Desk == "" {
		return "Main"
	}
	return r.call.Desk
}

// receipt writes what a call changed about an order, when that is money or tax.
func (r *Reckoner) receipt(id string, was Order, is *Order, had bool) {
	entry := Receipt{Order: id, RefersTo: was.receipt, Lines: differences(was.had(), is.had())}
	if had {
		is.receipt = was.receipt
	}
	for _, l := range entry.Lines {
		entry.Sums = add(entry.Sums, l.Rate, l.net(is.Included), l.Tax)
		entry.count(l.value(is.Included))
	}
	ships := func(o *Order) []RateSum {
		if o.Status == "cancelled" {
			return nil
		}
		return o.ShippingSums
	}
	for sign, sums := range map[int64][]RateSum{-1: ships(&was), 1: ships(is)} {
		for _, s := range sums {
			entry.Sums = add(entry.Sums, s.Rate, sign*s.Net, sign*s.Tax)
			entry.Shipping += sign * (s.Net + s.Tax)
		}
	}
	entry.count(entry.Shipping)
	for _, p := range is.Payments[min(len(was.Payments), len(is.Payments)):] {
		entry.Payments = append(entry.Payments, p)
		entry.Rounding += p.Amount - p.Due
	}
	if len(entry.Lines) == 0 && len(entry.Sums) == 0 && len(entry.Payments) == 0 {
		return
	}
	if number := r.write(entry); !had {
		is.receipt = number
	}
}

// count adds to the total, and to the part that became more or less.
func (e *Receipt) count(value int64) {
	e.Total += value
	e.Sales, e.Returns = e.Sales+max(value, 0), e.Returns+max(-value, 0)
}

// differences are lines with what became more and what became less. A line whose price and rate stay is one.
func differences(was, is []Line) (all []Line) {
	sums := func(l Line, sign int64) Line {
		l.Quantity, l.Total, l.Discount = sign*l.Quantity, sign*l.Total, sign*l.Discount
		l.Tax, l.DiscountTax = sign*l.Tax, sign*l.DiscountTax
		l.Percent, l.Amount, l.taken = 0, 0, false
		return l
	}
	keep := func(l Line) {
		if l.Quantity != 0 || l.Total != 0 || l.Discount != 0 || l.Tax != 0 {
			all = append(all, l)
		}
	}
	rest := slices.Clone(is)
	for _, old := range was {
		i := slices.IndexFunc(rest, func(l Line) bool { return l.ID == old.ID && l.Variant == old.Variant })
		d := sums(old, -1)
		if i >= 0 && rest[i].Price == old.Price && rest[i].Rate == old.Rate {
			d.Quantity += rest[i].Quantity
			d.Total, d.Discount = d.Total+rest[i].Total, d.Discount+rest[i].Discount
			d.Tax, d.DiscountTax = d.Tax+rest[i].Tax, d.DiscountTax+rest[i].DiscountTax
			rest = slices.Delete(rest, i, i+1)
		}
		keep(d)
	}
	for _, l := range rest {
		keep(sums(l, 1))
	}
	return all
}

// opposite is the receipt that takes another back.
func (e Receipt) opposite() Receipt {
	o := Receipt{Order: e.Order, RefersTo: e.Number, Shipping: -e.Shipping, Rounding: -e.Rounding, Total: -e.Total,
		Sales: e.Returns, Returns: e.Sales}
	o.Lines = differences(e.Lines, nil)
	for _, s := range e.Sums {
		o.Sums = add(o.Sums, s.Rate, -s.Net, -s.Tax)
	}
	for _, p := range slices.Backward(e.Payments) {
		o.Payments = append(o.Payments, Payment{Method: p.Method, Amount: -p.Amount, Due: -p.Due})
	}
	return o
}

// write gives a receipt the next number of the year in the shop's time zone.
func (r *Reckoner) write(e Receipt) string {
	year := fmt.Sprintf("%04d", r.call.Time.In(r.zone).Year())
	r.counters[year]++
	e.Number = fmt.Sprintf("%s-%06d", year, r.counters[year])
	e.At, e.Desk, e.Cashier = r.call.Time.UnixMilli(), r.desk(), r.call.Person
	r.receiptsOf[r.call.RequestID] = append(r.receiptsOf[r.call.RequestID], len(r.receipts))
	r.receipts = append(r.receipts, e)
	return e.Number
}

func (r *Reckoner) moveCash(in struct{ Amount priceIn }, _ struct{}) {
	r.addMove(Move{Desk: r.desk(), Amount: in.Amount.Amount})
}

func (r *Reckoner) addMove(m Move) {
	at := len(r.moves)
	r.moves = append(r.moves, m)
	r.inverse = append(r.inverse, func() {
		must(!r.moves[at].closed, "cash that was closed was moved back")
		r.moves[at].Amount = 0
		r.inverse = append(r.inverse, func() { r.addMove(m) })
	})
}

// Preview computes the closing of a desk as it would be now.
func (r *Reckoner) Preview(desk string) Closing {
	c := Closing{Desk: desk, Number: 1, ByMethod: map[string]int64{}}
	closed := map[string]bool{}
	for _, before := range r.closings {
		if before.Desk != desk {
			continue
		}
		c.Number, c.Expected = before.Number+1, before.Counted
		c.LifetimeSales, c.LifetimeBack = before.LifetimeSales, before.LifetimeBack
		for _, number := range before.Receipts {
			closed[number] = true
		}
	}
	for _, e := range r.receipts {
		if e.Desk != desk || closed[e.Number] {
			continue
		}
		c.Receipts = append(c.Receipts, e.Number)
		c.LifetimeSales, c.LifetimeBack = c.LifetimeSales+e.Sales, c.LifetimeBack+e.Returns
		c.Rounding += e.Rounding
		for _, s := range e.Sums {
			c.Sums = add(c.Sums, s.Rate, s.Net, s.Tax)
		}
		for _, p := range e.Payments {
			if c.ByMethod[p.Method] += p.Amount; p.Method == "cash" {
				c.CashIn, c.CashOut = c.CashIn+max(p.Amount, 0), c.CashOut+max(-p.Amount, 0)
			}
		}
	}
	for _, m := range r.moves {
		if m.Desk == desk && !m.closed {
			c.Moved += m.Amount
		}
	}
	c.Expected += c.CashIn - c.CashOut + c.Moved
	return c
}

func (r *Reckoner) closeDay(in struct{ Counted priceIn }, _ struct{}) {
	c := r.Preview(r.desk())
	c.Counted = in.Counted.Amount
	c.Difference = c.Counted - c.Expected
	for i, m := range r.moves {
		r.moves[i].closed = m.closed || m.Desk == c.Desk
	}
	r.closings = append(r.closings, c)
}
