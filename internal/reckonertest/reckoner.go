// Package reckonertest computes what a shop should hold: money, tax, stock, receipts and closings. It replays the
// calls that a log recorded, from a state of the shop on, with its own arithmetic. It shares no code with the shop, so
// that a test compares two answers to the same question.
//
// A [Reckoner] trusts the log for which calls succeeded, for ids and for the choices of a search ("the mug" is this
// variant). It never reads an amount from an answer. Imports are not replayed: open a reckoner after them.
package reckonertest

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"time"
)

// Call is one call that succeeded, as the log has it.
type Call struct {
	RequestID, Capability, Person, Desk string

	Time            time.Time
	Arguments, Data json.RawMessage
	// Made are the ids of the rows that the call inserted, by table, in their order.
	Made map[string][]string
	// Steps are the calls on a draft that this call merged, in their order. They happen here as this person, at this
	// desk and at this time, and with the ids of there.
	Steps []Call
}

// Opening is the state of a shop before the first call.
type Opening struct {
	TimeZone    string
	IncludesTax bool
	// Book is whether the shop keeps the book of receipts, and with it the rules for discounts that came with the book.
	Book     bool
	CashStep int64 // the smallest coin in minor units; 0 and 1: cash is not rounded

	TaxClasses    map[string]int64  // id to rate in parts per million
	FirstTaxClass string            // of an open item that names none
	Shipping      []Shipping        // the first is the default
	TaxClassOf    map[string]string // product to tax class
	Variants      map[string]Variant
	Methods       map[string]Method
	Orders        map[string]Order
	// Counted is the cash in each desk at the last closing.
	Counted map[string]int64
}

// Shipping is a way to send goods. TaxClass is nil for tax as the goods have it, and "none" for no tax.
type Shipping struct {
	ID, Name string
	Price    int64
	TaxClass *string
}

// Variant is something that is sold.
type Variant struct {
	Product      string
	Price, Stock int64
	Counted      bool
}

// Method is a saved way of paying.
type Method struct {
	Customer, Kind, Brand, LastFour string
	Balance                         int64 // of a gift card
}

// Reckoner holds what a shop should hold after the calls so far.
type Reckoner struct {
	zone       *time.Location
	included   bool
	book       bool
	cashStep   int64
	rates      map[string]int64
	firstClass string
	shipping   []Shipping
	classes    map[string]string
	variants   map[string]Variant
	methods    map[string]Method
	orders     map[string]Order
	carts      map[string]cart
	cartLines  map[string]map[string]cartLine // cart, then line
	current    map[string]string              // person to cart
	counters   map[string]int64               // of receipts by year
	receipts   []Receipt
	moves      []Move
	closings   []Closing
	call       Call
	inverse    []func()            // of the call that is replayed
	inverses   map[string][]func() // by request
	receiptsOf map[string][]int    // by request
	paid       int                 // payments that the call made so far
}

// Open begins with a state.
func Open(o Opening) (*Reckoner, error) {
	zone, err := time.LoadLocation(o.TimeZone)
	r := &Reckoner{zone: zone, included: o.IncludesTax, book: o.Book, cashStep: max(o.CashStep, 1),
		rates: clone(o.TaxClasses), firstClass: o.FirstTaxClass, shipping: o.Shipping, classes: clone(o.TaxClassOf),
		variants: clone(o.Variants), methods: clone(o.Methods), orders: clone(o.Orders), carts: map[string]cart{},
		cartLines: map[string]map[string]cartLine{}, current: map[string]string{}, counters: map[string]int64{},
		inverses: map[string][]func(){}, receiptsOf: map[string][]int{}}
	for id, o := range r.orders {
		o.Payments = slices.Clone(o.Payments)
		o.match()
		r.orders[id] = o
	}
	for _, desk := range slices.Sorted(maps.Keys(o.Counted)) {
		r.closings = append(r.closings, Closing{Desk: desk, Counted: o.Counted[desk], opening: true})
	}
	return r, err
}

func clone[V any](of map[string]V) map[string]V {
	if of == nil {
		return map[string]V{}
	}
	return maps.Clone(of)
}

// Replay applies a call. The error names a call that the rules do not allow or that cannot be followed.
func (r *Reckoner) Replay(c Call) (err error) {
	steps := c.Steps
	if steps == nil {
		steps = []Call{c}
	}
	r.inverse = nil
	defer func() {
		switch broken := recover().(type) {
		case nil:
			r.inverses[c.RequestID] = r.inverse
		case refusal:
			err = fmt.Errorf("%s %s: %s", r.call.Capability, r.call.Arguments, string(broken))
		default:
			panic(broken)
		}
	}()
	for _, s := range steps {
		if apply := rules[s.Capability]; apply != nil {
			s.RequestID, s.Person, s.Desk, s.Time = c.RequestID, c.Person, c.Desk, c.Time
			r.call, r.paid = s, 0
			apply(r)
		}
	}
	return nil
}

// refusal is why a call cannot be replayed.
type refusal string

// must refuses unless a rule holds.
func must(holds bool, format string, args ...any) {
	if !holds {
		panic(refusal(fmt.Sprintf(format, args...)))
	}
}

// rules are the calls that move money, tax or stock, or decide where they move.
var rules = map[string]func(*Reckoner){}

// rule decodes the arguments and the answer of a call.
func rule[In, Out any](apply func(*Reckoner, In, Out)) func(*Reckoner) {
	return func(r *Reckoner) {
		var in In
		var out Out
		must(json.Unmarshal(r.call.Arguments, &in) == nil, "the arguments cannot be read")
		must(len(r.call.Data) == 0 || json.Unmarshal(r.call.Data, &out) == nil, "the answer cannot be read")
		apply(r, in, out)
	}
}

// set writes a row and remembers how to take that back. Only the fields that differ are taken back: later calls may
// change the others until then.
func set[V any](r *Reckoner, rows map[string]V, key string, value V) {
	was, had := rows[key]
	if had && reflect.DeepEqual(was, value) {
		return
	}
	rows[key] = value
	r.inverse = append(r.inverse, func() {
		now, there := rows[key]
		fields, has := any(now).(interface{ restored(was, is V) V })
		switch {
		case !had:
			remove(r, rows, key)
		case there && has:
			set(r, rows, key, fields.restored(was, value))
		default:
			set(r, rows, key, was)
		}
	})
}

// restore gives a field its value from before a call that changed it.
func restore[F comparable](now *F, was, is F) {
	if was != is {
		*now = was
	}
}

func (v Variant) restored(was, is Variant) Variant {
	restore(&v.Price, was.Price, is.Price)
	restore(&v.Counted, was.Counted, is.Counted)
	v.Stock += was.Stock - is.Stock
	return v
}

func (m Method) restored(was, is Method) Method {
	restore(&m.Customer, was.Customer, is.Customer)
	m.Balance += was.Balance - is.Balance
	return m
}

// remove deletes a row and remembers how to take that back.
func remove[V any](r *Reckoner, rows map[string]V, key string) {
	was, had := rows[key]
	if !had {
		return
	}
	delete(rows, key)
	r.inverse = append(r.inverse, func() { set(r, rows, key, was) })
}

type undoIn struct{ RequestID string }

// undo takes a call back. Receipts stay; others with the opposite amounts follow them.
func (r *Reckoner) undo(in undoIn, _ struct{}) {
	steps, known := r.inverses[in.RequestID]
	must(known || r.receiptsOf[in.RequestID] == nil, "%s was not replayed", in.RequestID)
	for _, step := range slices.Backward(steps) {
		step()
	}
	for _, i := range r.receiptsOf[in.RequestID] {
		r.write(r.receipts[i].opposite())
	}
}

// made is the id of the one row that the call inserted in a table.
func (r *Reckoner) made(table string) string {
	ids := r.call.Made[table]
	must(len(ids) > 0, "the call made no row in %s", table)
	return ids[0]
}

type priceIn struct{ Amount int64 }

// Order returns an order, and whether there is one.
func (r *Reckoner) Order(id string) (Order, bool) { o, ok := r.orders[id]; return o, ok }

// Orders lists the ids of all orders.
func (r *Reckoner) Orders() []string { return slices.Sorted(maps.Keys(r.orders)) }

// Stock returns how many pieces there are of each variant that is counted.
func (r *Reckoner) Stock() map[string]int64 {
	all := map[string]int64{}
	for id, v := range r.variants {
		if v.Counted {
			all[id] = v.Stock
		}
	}
	return all
}

// Balances returns what is left on each gift card.
func (r *Reckoner) Balances() map[string]int64 {
	all := map[string]int64{}
	for id, m := range r.methods {
		if m.Kind == "giftCard" {
			all[id] = m.Balance
		}
	}
	return all
}

// Receipts returns the book.
func (r *Reckoner) Receipts() []Receipt { return r.receipts }

// Closings returns the closings, oldest first.
func (r *Reckoner) Closings() []Closing {
	return slices.DeleteFunc(slices.Clone(r.closings), func(c Closing) bool { return c.opening })
}

// move changes the stock of a variant that is counted, for an order or for none.
func (r *Reckoner) move(o *Order, variant string, delta int64) {
	v, known := r.variants[variant]
	if !known || !v.Counted || delta == 0 {
		return
	}
	v.Stock += delta
	set(r, r.variants, variant, v)
	if o != nil {
		o.Holds = clone(o.Holds)
		o.Holds[variant] -= delta
	}
}

// sameName compares names as people write them.
func sameName(a, b string) bool { return strings.EqualFold(strings.TrimSpace(a), strings.TrimSpace(b)) }
