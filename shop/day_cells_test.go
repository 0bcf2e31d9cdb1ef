package shop_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/deskhand/deskhand/audit"
	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/shop"
)

// sold sells a bag of coffee for cash and returns the number of its order.
func (d *desk) sold() string {
	d.t.Helper()
	var out struct{ OrderID string }
	d.must("cart.addItem", `{"productId":"prd_guji_natural","quantity":1}`, nil)
	d.must("checkout.submit", `{"paymentMethodId":"cash","fulfilment":"takeAway"}`, &out)
	return out.OrderID
}

func (d *desk) givenBack(order string) {
	d.t.Helper()
	d.must("order.returnNow", jsonf(`{"orderId":%q,"lines":[{"variantId":%q}],"restock":true}`, order, gujiBeans), nil)
}

// faults returns the errors that the shop finds in its own sums.
func (d *desk) faults() (found []string) {
	d.t.Helper()
	if err := d.log.View(context.Background(), func(ctx context.Context) error {
		return shop.CheckDerived(ctx, func(sentence string) { found = append(found, sentence) })
	}); err != nil {
		d.t.Fatal(err)
	}
	return found
}

// closed are the closings as they are kept, row by row.
func (d *desk) closed() string {
	d.t.Helper()
	var all []string
	for _, table := range []string{"closings", "closing_methods", "closing_rates", "closing_receipts"} {
		for _, r := range d.rows(`SELECT * FROM ` + table + ` ORDER BY 1, 2, 3`) {
			all = append(all, fmt.Sprint(table, r))
		}
	}
	return strings.Join(all, "\n")
}

// TestAClosingTakesWhatWasSoldAndCameBack: two bags at 21.44 were sold for cash, one came back, and it is sold on.
func TestAClosingTakesWhatWasSoldAndCameBack(t *testing.T) {
	d := openSample(t, "manager")
	order := d.sold()
	d.at("till:Window")
	d.sold()
	d.at("window")
	d.givenBack(order)
	d.sold()
	p := d.preview()
	c := d.close(2_000)
	for _, s := range []closing{p, c} {
		if s.Receipts != 3 || s.FirstReceipt != "2026-000001" || s.LastReceipt != "2026-000004" || s.CashIn.Amount != 4_288 ||
			s.CashOut.Amount != 2_144 || s.Sales.Amount != 4_288 || s.Returns.Amount != 2_144 || s.Total.Amount != 2_144 ||
			s.Expected.Amount != 2_144 || len(s.Methods) != 1 || s.Methods[0].Net.Amount != 2_144 {
			t.Errorf("%+v", s)
		}
	}
	d.givenBack(d.sold())
	if c := d.close(2_000); c.Receipts != 2 || c.Expected.Amount != 2_000 || c.LifetimeSales.Amount != 6_432 ||
		c.LifetimeReturns.Amount != 4_288 || c.Sales.Amount != 2_144 {
		t.Errorf("%+v", c)
	}
	if found := d.faults(); len(found) > 0 {
		t.Error(found)
	}
}

// TestEachClosingIsCompared with its receipts, its cash and the closing before.
func TestEachClosingIsCompared(t *testing.T) {
	for change, want := range map[string]string{
		`UPDATE closings SET sales = sales + 1 WHERE number = 2`:                "the sums of closing 2 of Main",
		`UPDATE closing_receipts SET last = last - 1 WHERE closing = 1`:         "the receipts of closing 1 of Main",
		`UPDATE closing_methods SET paid = paid + 1 WHERE closing = 1`:          "the takings of closing 1 of Main",
		`DELETE FROM closing_rates WHERE closing = 2`:                           "the taxes of closing 2 of Main",
		`UPDATE cash_moves SET amount = amount + 1`:                             "the cash of closing 2 of Main",
		`UPDATE cash_moves SET closing = 0`:                                     "the cash of closing 2 of Main",
		`UPDATE closings SET lifetime_sales = 1 WHERE number = 1`:               "closing 2 of Main does not go on",
		`UPDATE closings SET counted = 1 WHERE number = 1`:                      "closing 2 of Main does not go on",
		`UPDATE audit_series SET last = 1 WHERE series = 'closings Main'`:       "has not counted as far as closing 2 of Main",
		`DELETE FROM closing_receipts WHERE closing = 1`:                        "receipt 2026-000001 belongs to none",
		`DELETE FROM closings WHERE number = 2`:                                 "a part of closing 2 of Main",
		`UPDATE closing_receipts SET first = 1 WHERE closing = 2 AND first > 1`: "receipt 2026-000002 belongs to",
	} {
		d := openSample(t, "owner")
		d.sold()
		d.sold()
		d.close(0)
		d.moveCash(500, "Change")
		d.sold()
		d.close(0)
		if found := d.faults(); len(found) > 0 {
			t.Fatal(found)
		}
		edit(t, d.path, change)
		if found := strings.Join(d.faults(), "\n"); !strings.Contains(found, want) {
			t.Errorf("%s: found %q, want %q", change, found, want)
		}
	}
}

// TestASaleThatWasClosedIsNotUndone: the answer names the closing, and a return corrects it.
func TestASaleThatWasClosedIsNotUndone(t *testing.T) {
	d := openUndoable(t)
	order := d.sold()
	d.must("cart.addItem", `{"productId":"prd_guji_natural","quantity":1}`, nil)
	request := d.must("checkout.submit", `{"paymentMethodId":"card"}`, nil).RequestID
	d.close(2_144)
	e := d.refused("audit.undo", jsonf(`{"requestId":%q}`, request), bus.Conflict, bus.ReasonChanged)
	contains(t, e.Message, "closed with 1")
	d.givenBack(order)
	if p := d.preview(); p.Expected.Amount != 0 || p.Returns.Amount != 2_144 {
		t.Errorf("%+v", p)
	}
}

// TestClosingsStayAsTheyAre: later changes do not affect them, not even erasure, a merge and an export.
func TestClosingsStayAsTheyAre(t *testing.T) {
	d := openSample(t, "owner")
	ana, diana := d.ana(), d.customer("Diana Prewitt")
	d.must("cart.setCustomer", jsonf(`{"customerId":%q}`, diana), nil)
	order := d.sold()
	d.must("cash.move", `{"amount":{"amount":700,"currency":"USD"},"reason":"Lent by diana prewitt"}`, nil)
	d.must("day.close", `{"counted":{"amount":2844,"currency":"USD"},"note":"Diana Prewitt came late"}`, nil)
	before := d.closed()
	d.must("customer.merge", jsonf(`{"keep":%q,"remove":%q}`, diana, ana), nil)
	file := d.export()
	if strings.Contains(file, "2026-000001") || strings.Contains(file, "Lent by") {
		t.Error("the file of the shop has receipts or closings")
	}
	d.givenBack(order)
	if after := d.closed(); after != before {
		t.Errorf("before\n%s\nafter\n%s", before, after)
	}
	for _, id := range d.rows(`SELECT id FROM orders WHERE customer_id = ? AND status = 'pending'`, diana) {
		d.must("order.cancel", jsonf(`{"orderId":%q,"reason":"other"}`, id.text(0)), nil)
	}
	for _, id := range d.rows(`SELECT id FROM orders WHERE customer_id = ? AND status = 'processed'`, diana) {
		d.must("order.deliver", jsonf(`{"orderId":%q}`, id.text(0)), nil)
	}
	for _, id := range d.rows(`SELECT q.order_id FROM order_requests q JOIN orders o ON o.id = q.order_id
		WHERE o.customer_id = ? AND q.status = 'requested' AND q.kind = 'return'`, diana) {
		d.must("order.receiveReturn", jsonf(`{"orderId":%q,"restock":true}`, id.text(0)), nil)
	}
	d.must("customer.erase", jsonf(`{"customerId":%q}`, diana), nil)
	want := strings.Replace(before, "Diana Prewitt came late", "Erased", 1)
	if after := d.closed(); after != want {
		t.Errorf("before\n%s\nafter the erasure\n%s", want, after)
	}
	if n := d.number(`SELECT COUNT(*) FROM cash_moves WHERE reason = 'Erased' AND amount = 700`); n != 1 {
		t.Error("the reason of a cash move names who was erased")
	}
	if found := d.faults(); len(found) > 0 {
		t.Error(found)
	}
	imported := openImported(t, file)
	if imported.closed() != "" || imported.close(0).ClosingNumber != 1 {
		t.Error("a shop from a file does not begin with closing 1")
	}
}

// TestAClosingGoesOverMidnightAndNewYear of the shop's time zone.
func TestAClosingGoesOverMidnightAndNewYear(t *testing.T) {
	d := openSample(t, "owner")
	d.must("settings.set", `{"section":"shop","values":{"timeZone":"Pacific/Auckland"}}`, nil)
	at := func(when string) {
		t.Helper()
		d.clock, _ = time.Parse(time.RFC3339, when)
	}
	closedToday := func() bool {
		t.Helper()
		var out struct{ Till struct{ Closed bool } }
		d.must("report.today", `{}`, &out)
		return out.Till.Closed
	}
	at("2026-12-30T10:00:00Z")
	d.close(0)
	at("2026-12-31T10:59:59Z") // a second before the year 2027 there
	d.sold()
	at("2026-12-31T11:00:01Z")
	d.sold()
	if closedToday() {
		t.Error("closed although receipts are open")
	}
	c := d.close(4_288)
	if c.ClosingNumber != 2 || c.Receipts != 2 || c.FirstReceipt != "2026-000001" || c.LastReceipt != "2027-000001" ||
		c.Difference.Amount != 0 || !closedToday() {
		t.Errorf("%+v", c)
	}
	at("2026-12-31T12:30:00Z")
	d.sold()
	if c := d.close(0); c.Receipts != 1 || c.FirstReceipt != "2027-000002" {
		t.Errorf("%+v", c)
	}
	if rows := d.closings(`{"from":"2027-01-01","to":"2027-01-01"}`); len(rows) != 2 {
		t.Errorf("%+v", rows)
	}
	if rows := d.closings(`{"from":"2026-12-31","to":"2026-12-31"}`); len(rows) != 0 {
		t.Errorf("%+v", rows)
	}
	at("2027-01-01T11:00:00Z")
	if closedToday() {
		t.Error("closed on the next day")
	}
	d.sold()
	at("2026-12-31T10:00:00Z") // the clock was set back
	d.sold()
	if c := d.close(0); c.Receipts != 2 {
		t.Errorf("%+v", c)
	}
	if found := d.faults(); len(found) > 0 {
		t.Error(found)
	}
}

// TestDesksThatCloseAtOnceTakeEachReceiptOnce.
func TestDesksThatCloseAtOnceTakeEachReceiptOnce(t *testing.T) {
	d := openSample(t, "owner")
	order := d.sold()
	var work sync.WaitGroup
	for desk := range 4 {
		person := d.person
		person.Door = []string{"window", "cli", "till:Window", "till:Garden"}[desk]
		work.Go(func() {
			for range 6 {
				for _, call := range [][2]string{
					{"cash.move", `{"amount":{"amount":100,"currency":"USD"},"reason":"Change"}`},
					{"order.addNote", jsonf(`{"orderId":%q,"text":"x"}`, order)},
					{"day.close", `{"counted":{"amount":100,"currency":"USD"}}`},
				} {
					if r := d.bus.Invoke(t.Context(), bus.Invocation{Capability: call[0], Arguments: json.RawMessage(call[1]),
						Caller: bus.Caller{Type: bus.CallerTest}, Principal: person}); !r.OK() {
						t.Errorf("%s: %v", call[0], r.Err)
					}
				}
			}
		})
	}
	for range 10 {
		d.sold()
	}
	work.Wait()
	if found := d.faults(); len(found) > 0 {
		t.Error(found)
	}
	for desk, n := range map[string]int64{"Main": 12, "Window": 6, "Garden": 6} {
		if got := d.number(`SELECT COUNT(*) * 1000 + MAX(number) FROM closings WHERE desk = ?`, desk); got != 1001*n {
			t.Errorf("%s: %d, want %d closings without a gap", desk, got, n)
		}
	}
	if n := d.number(`SELECT COUNT(*) FROM cash_moves WHERE closing = 0`); n != 0 {
		t.Errorf("%d moves are in no closing", n)
	}
}

// TestAnAssistantDoesNotCloseTheDay, and cash moves when a person allows it.
func TestAnAssistantDoesNotCloseTheDay(t *testing.T) {
	d := openSample(t, "owner")
	agent := func(name, args string) bus.Result {
		person := d.person
		person.Model = &bus.ModelID{Name: "m"}
		return d.bus.Invoke(t.Context(), bus.Invocation{Capability: name, Arguments: json.RawMessage(args),
			Caller: bus.Caller{Type: bus.CallerAgent}, Principal: person})
	}
	if r := agent("day.close", `{"counted":{"amount":0,"currency":"USD"}}`); r.Err == nil ||
		r.Err.Reason != bus.ReasonAgentForbidden {
		t.Errorf("%+v", r)
	}
	if r := agent("cash.move", `{"amount":{"amount":-500,"currency":"USD"},"reason":"Bank"}`); !r.OK() || d.card == nil ||
		!strings.Contains(d.card.Summary, "Take $5.00 out") {
		t.Errorf("%+v %+v", r, d.card)
	}
	if r := agent("day.preview", `{}`); !r.OK() || !strings.Contains(string(r.Data), `"expected":{"amount":-500`) {
		t.Errorf("%s %v", r.Data, r.Err)
	}
	if c := d.close(0); c.ClosingNumber != 1 {
		t.Errorf("%+v", c)
	}
}

// TestAClosingThatIsNotCommittedLeavesNoGap: the program ends between the handler and the commit.
func TestAClosingThatIsNotCommittedLeavesNoGap(t *testing.T) {
	d := openSample(t, "owner")
	d.sold()
	before := d.closed()
	d.bus.MustRegister(bus.Capability{Name: "day.fail", Title: "Fail", Description: "Fails. Use it in tests. It does not end.",
		SideEffect: bus.UIOnly, Resources: []string{"database:write"},
		Handler: func(ctx context.Context, call *bus.Call) (json.RawMessage, error) {
			closes, _ := call.Lookup("day.close")
			call.Arguments = json.RawMessage(`{"counted":{"amount":2144,"currency":"USD"}}`)
			out, err := closes.Handler(ctx, call)
			if err != nil || !bytes.Contains(out, []byte(`"closingNumber":1`)) {
				t.Errorf("%s %v", out, err)
			}
			return nil, bus.Errorf(bus.PreconditionFailed, bus.ReasonState, "The program ended.").WithHint("Start it.")
		}})
	if r := d.invoke("day.fail", `{}`); r.OK() || d.closed() != before {
		t.Errorf("%+v", r)
	}
	if c := d.close(2_144); c.ClosingNumber != 1 || c.Receipts != 1 {
		t.Errorf("%+v", c)
	}
}

// TestRetentionKeepsClosings: the records before go, the rows stay, and the next closing goes on.
func TestRetentionKeepsClosings(t *testing.T) {
	d := openSample(t, "owner")
	path := d.path
	if err := d.log.Close(); err != nil {
		t.Fatal(err)
	}
	log, err := audit.Open(t.Context(), path, audit.Options{Migrations: shop.Migrations(), Segment: 2})
	if err != nil {
		t.Fatal(err)
	}
	defer log.Close()
	clock := now
	b := bus.New(bus.Options{Journal: log, Conditions: shop.Conditions(), Clock: func() time.Time { return clock }})
	b.MustRegister(slices.Concat(shop.Capabilities(shop.Ports{}), []bus.Capability{audit.PurgeCapability(log)})...)
	d.bus, d.log = b, log
	d.sold()
	d.close(2_144)
	clock = now.AddDate(0, 0, 40)
	for range 6 {
		d.moveCash(1, "Change")
	}
	before := d.closed()
	r := d.must("data.purge", jsonf(`{"before":%q}`, now.AddDate(0, 0, 30).Format(time.DateOnly)), nil)
	if strings.Contains(string(r.Data), `"records":0`) || d.closed() != before {
		t.Errorf("%s\n%s", r.Data, d.closed())
	}
	if c := d.close(2_150); c.ClosingNumber != 2 || c.Difference.Amount != 0 {
		t.Errorf("%+v", c)
	}
	if found := d.faults(); len(found) > 0 {
		t.Error(found)
	}
}

// TestTheClosingAfterARestoreSaysThatNumbersAreInDoubt: because the numbers since the copy are unknown, and only once.
func TestTheClosingAfterARestoreSaysThatNumbersAreInDoubt(t *testing.T) {
	d := openSample(t, "owner")
	doubt := func() bool {
		t.Helper()
		d.clock = d.clock.Add(time.Hour)
		var c struct{ InDoubt bool }
		d.must("day.close", `{"counted":{"amount":0,"currency":"USD"}}`, &c)
		return c.InDoubt
	}
	before := doubt()
	d.clock = d.clock.Add(time.Hour)
	d.must("shop.restore", `{}`, nil) // these tests only pretend to make copies
	if after, next := doubt(), doubt(); before || !after || next {
		t.Errorf("before %v, after %v, then %v", before, after, next)
	}
	pdf, _, _ := d.document(`{"kind":"closing","format":"pdf","closingNumber":2}`)
	contains(t, strings.Join(printed(t, pdf)[0], " "), "may have been given twice")
}

// TestAClosingIsPrintedOnEachPaper with its sums and the head of the log.
func TestAClosingIsPrintedOnEachPaper(t *testing.T) {
	d := openSample(t, "owner")
	d.sold()
	c := d.close(2_144)
	for _, on := range []string{"a4", "letter", "80mm"} {
		pdf, _, _ := d.document(jsonf(`{"kind":"closing","format":"pdf","closingNumber":1,"paper":%q}`, on))
		pages := printed(t, pdf)
		all := strings.ReplaceAll(strings.Join(slices.Concat(pages...), ""), " ", "")
		if len(pages) != 1 || !strings.Contains(all, "$21.44") || !strings.Contains(all, c.HeadHash[56:]) {
			t.Errorf("%s: %q", on, pages)
		}
	}
	d.refused("document.export", `{"kind":"closing","format":"csv","closingNumber":1,"paper":"a4"}`, bus.Validation,
		bus.ReasonArguments)
}
