package shop_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/deskhand/deskhand/audit"
	"github.com/deskhand/deskhand/bus"
)

// openOrders opens a sample shop with n orders more that wait to be packed, and with plans and undoing.
func openOrders(t testing.TB, n int) *desk {
	t.Helper()
	d := openSample(t, "owner")
	d.bus.MustRegister(bus.Capabilities()...)
	d.must("catalog.adjustStock", jsonf(`{"productId":"prd_guji_natural","delta":%d}`, 3*n), nil)
	for i := range n {
		d.must("cart.addItem", jsonf(`{"productId":"prd_guji_natural","quantity":%d,"customerId":%q}`, i%3+1, d.ana()), nil)
		d.submit("Home", "PayPal")
	}
	return d
}

// listedOrder is a row of order.search that a filter looks at.
type listedOrder struct {
	ID, Status string
	ItemCount  int64
	Total      money
}

// drawnFilter is a filter in JSON, and the same in Go.
type drawnFilter struct {
	where string
	keeps func(listedOrder) bool
}

var anyOrder = drawnFilter{`{}`, func(listedOrder) bool { return true }}

func drawFilter(r *rand.Rand) drawnFilter {
	items := int64(r.IntN(3) + 1)
	amount := int64(2000 + r.IntN(4000))
	return []drawnFilter{
		anyOrder,
		{jsonf(`{"/itemCount":%d}`, items), func(o listedOrder) bool { return o.ItemCount == items }},
		{jsonf(`{"/itemCount":{"not_in":[%d]}}`, items), func(o listedOrder) bool { return o.ItemCount != items }},
		{jsonf(`{"/total/amount":{"min":%d}}`, amount), func(o listedOrder) bool { return o.Total.Amount >= amount }},
		{jsonf(`{"/total/amount":{"max":%d},"/status":{"in":["pending","processed"]}}`, amount),
			func(o listedOrder) bool {
				return o.Total.Amount <= amount && (o.Status == "pending" || o.Status == "processed")
			}},
	}[r.IntN(5)]
}

// eachAct is an action with each order: its arguments in a program, and for one order.
type eachAct struct {
	capability, program string
	hand                func(o listedOrder) string
}

var eachActs = []eachAct{
	{"order.process", `{"orderId":{"$item":"/id"}}`,
		func(o listedOrder) string { return jsonf(`{"orderId":%q}`, o.ID) }},
	{"order.fulfil", `{"orderId":{"$item":"/id"},"trackingId":{"$item":"/id"}}`,
		func(o listedOrder) string { return jsonf(`{"orderId":%q,"trackingId":%q}`, o.ID, o.ID) }},
	{"order.addNote", `{"orderId":{"$item":"/id"},"text":{"$item":"/status"}}`,
		func(o listedOrder) string { return jsonf(`{"orderId":%q,"text":%q}`, o.ID, o.Status) }},
}

// TestA26AProgramIsAsByHand: a program for the orders of a list has the same effect as the same calls by hand, and one
// undo reverts all of it. If one of its calls would be refused by hand, the program does nothing.
//
// holds: A26
func TestA26AProgramIsAsByHand(t *testing.T) {
	d := openOrders(t, 105)
	d.bus.MustRegister(audit.UndoCapability(d.log))
	start := d.hash()
	var done, refused, hundreds int
	for seed := range 14 {
		r := rand.New(rand.NewPCG(uint64(seed), 26))
		status, filter := []string{"pending", "pending", "processed"}[r.IntN(3)], drawFilter(r)
		acts := []eachAct{eachActs[r.IntN(len(eachActs))]}
		if seed < 2 { // all of them
			status, filter, acts = "pending", anyOrder, []eachAct{eachActs[2*seed]}
		}
		if more := eachActs[r.IntN(len(eachActs))]; r.IntN(2) == 0 && filter.where != anyOrder.where {
			acts = append(acts, more)
		}
		list := jsonf(`{"status":%q,"limit":200}`, status)
		steps := []string{jsonf(`{"capability":"order.search","arguments":%s}`, list)}
		for _, a := range acts {
			steps = append(steps, fmt.Sprintf(`{"$each":{"from":"/0/orders","where":%s},"capability":%q,"arguments":%s}`,
				filter.where, a.capability, a.program))
		}
		known := d.known()
		res := d.invoke("plan.propose", `{"steps":[`+strings.Join(steps, ",")+`]}`)
		state := d.everything(known)
		if res.OK() {
			d.undo([]string{res.RequestID})
		}
		if d.hash() != start {
			t.Fatalf("seed %d: it is not taken back", seed)
		}
		var found struct{ Orders []listedOrder }
		d.must("order.search", list, &found)
		rows := slices.DeleteFunc(found.Orders, func(o listedOrder) bool { return !filter.keeps(o) })
		requests, all := d.rowsByHand(acts, rows)
		if !all || len(rows) == 0 {
			refused++
			if res.OK() {
				t.Fatalf("seed %d: by hand it is refused, and as a program it is not: %s", seed, steps)
			}
		} else {
			done++
			if len(rows) >= 100 {
				hundreds++
			}
			if !res.OK() {
				t.Fatalf("seed %d: %+v", seed, res.Err)
			}
			if diff := gocmp.Diff(d.everything(known), state); diff != "" {
				t.Fatalf("seed %d: by hand, as a program: %.3000s", seed, diff)
			}
		}
		d.undo(requests)
		if d.hash() != start {
			t.Fatalf("seed %d: the shop is not as it was", seed)
		}
	}
	t.Logf("%d were done, %d of them with a hundred orders, %d refused", done, hundreds, refused)
	if done < 4 || hundreds < 2 || refused < 2 {
		t.Errorf("%d were done, %d of them with a hundred orders, %d refused", done, hundreds, refused)
	}
}

// rowsByHand does each action with every order, before the next action; all is false at the first that is refused.
func (d *desk) rowsByHand(acts []eachAct, rows []listedOrder) (requests []string, all bool) {
	for _, a := range acts {
		for _, o := range rows {
			r := d.invoke(a.capability, a.hand(o))
			if !r.OK() {
				return requests, false
			}
			requests = append(requests, r.RequestID)
		}
	}
	return requests, true
}

// BenchmarkProgramBesideItsSteps gives the time of a program over that of a plan with the same steps written out, each
// with its card: the median of rounds in which the two take turns.
func BenchmarkProgramBesideItsSteps(b *testing.B) {
	d := openOrders(b, 15) // and four of the sample's
	list := `{"capability":"order.search","arguments":{"status":"pending"}}`
	note := func(each, order string) string {
		return fmt.Sprintf(`,{%s"capability":"order.addNote","arguments":{"orderId":%s,"text":"Packed on Thursday."}}`, each, order)
	}
	written := list
	for i := range 19 {
		written += note("", jsonf(`{"$from":"/0/orders/%d/id"}`, i))
	}
	spent := func(steps string) float64 {
		started := time.Now()
		d.must("plan.propose", `{"steps":[`+steps+`]}`, nil)
		return float64(time.Since(started))
	}
	var ratios []float64
	for b.Loop() {
		plan := spent(written)
		ratios = append(ratios, spent(list+note(`"$each":{"from":"/0/orders"},`, `{"$item":"/id"}`))/plan)
	}
	slices.Sort(ratios)
	b.ReportMetric(ratios[len(ratios)/2], "x-plan")
}
