package reckonertest

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// day is a shop whose rules are tried by hand-computed amounts. A mug costs 11.90 at 19 %, a bag of coffee 5.35 at 7 %,
// both with tax in the price.
type day struct {
	*testing.T
	*Reckoner
	clock time.Time
	desk  string
	calls int
}

func open(t *testing.T, change func(*Opening)) *day {
	o := Opening{TimeZone: "Europe/Berlin", IncludesTax: true, Book: true, FirstTaxClass: "full",
		TaxClasses: map[string]int64{"full": 190_000, "food": 70_000}, TaxClassOf: map[string]string{"mug": "full",
			"coffee": "food"},
		Variants: map[string]Variant{"mug": {Product: "mug", Price: 1190, Stock: 10, Counted: true},
			"coffee": {Product: "coffee", Price: 535, Stock: 10, Counted: true}},
		Methods:  map[string]Method{"gift": {Customer: "ana", Kind: "giftCard", Balance: 500}},
		Shipping: []Shipping{{ID: "parcel", Name: "Parcel", Price: 500}}}
	if change != nil {
		change(&o)
	}
	r, err := Open(o)
	if err != nil {
		t.Fatal(err)
	}
	return &day{T: t, Reckoner: r, clock: time.Date(2026, 11, 28, 12, 0, 0, 0, time.UTC)}
}

// do replays a call and returns its request.
func (d *day) do(capability, arguments, data string, made ...string) string {
	d.Helper()
	request, err := d.try(capability, arguments, data, made...)
	if err != nil {
		d.Fatal(err)
	}
	return request
}

func (d *day) try(capability, arguments, data string, made ...string) (string, error) {
	d.calls++
	request := fmt.Sprint("request ", d.calls)
	rows := map[string][]string{"carts": {fmt.Sprint("cart ", d.calls)}, "payments": made}
	return request, d.Replay(Call{RequestID: request, Capability: capability, Person: "kim", Desk: d.desk, Time: d.clock,
		Arguments: json.RawMessage(arguments), Data: json.RawMessage(data), Made: rows})
}

// sell sells pieces of variants: "mug:2,coffee:1".
func (d *day) sell(id, goods, arguments string) string {
	d.Helper()
	d.fill(goods)
	return d.submit(id, "takeAway", arguments)
}

func (d *day) fill(goods string) {
	d.Helper()
	for part := range strings.SplitSeq(goods, ",") {
		variant, n, _ := strings.Cut(part, ":")
		d.do("cart.addItem", fmt.Sprintf(`{"quantity":%s}`, n), fmt.Sprintf(`{"line":{"variantId":%q}}`, variant))
	}
}

func (d *day) submit(id, fulfilment, arguments string) string {
	d.Helper()
	return d.do("checkout.submit", arguments, fmt.Sprintf(`{"orderId":%q,"fulfilment":%q}`, id, fulfilment),
		id+" first", id+" second")
}

// entry is a receipt as these tests compare it.
type entry struct {
	Number, RefersTo         string
	Sums                     []RateSum
	Paid                     string
	Total, Rounding, Pieces  int64
	Sales, Returns, Shipping int64
}

func (d *day) book() (all []entry) {
	for _, r := range d.Receipts() {
		e := entry{Number: r.Number, RefersTo: r.RefersTo, Sums: r.Sums, Total: r.Total, Rounding: r.Rounding, Sales: r.Sales,
			Returns: r.Returns, Shipping: r.Shipping}
		var paid []string
		for _, p := range r.Payments {
			paid = append(paid, fmt.Sprint(p.Method, " ", p.Amount))
		}
		e.Paid = strings.Join(paid, ", ")
		for _, l := range r.Lines {
			e.Pieces += l.Quantity
		}
		all = append(all, e)
	}
	return all
}

func (d *day) wants(want ...entry) {
	d.Helper()
	if diff := cmp.Diff(want, d.book(), cmpopts.EquateEmpty()); diff != "" {
		d.Errorf("the book (-want +got):\n%s", diff)
	}
}

const (
	first  = "#W0000001"
	second = "#W0000002"
)

// TestASaleAndItsReturnAreTwoReceipts: half in cash, half by card; the return goes to the card first, then to cash.
func TestASaleAndItsReturnAreTwoReceipts(t *testing.T) {
	d := open(t, nil)
	d.sell(first, "mug:1,coffee:2",
		`{"payments":[{"paymentMethodId":"cash","amount":{"amount":1000}},{"paymentMethodId":"card"}]}`)
	sale := entry{Number: "2026-000001", Sums: []RateSum{{190_000, 1000, 190}, {70_000, 1000, 70}},
		Paid: "cash 1000, card 1260", Total: 2260, Pieces: 3, Sales: 2260}
	d.wants(sale)
	d.do("order.returnNow", `{"orderId":"#W0000001","lines":[{"variantId":"mug"}],"restock":true}`, `{}`)
	back := entry{Number: "2026-000002", RefersTo: "2026-000001", Sums: []RateSum{{190_000, -1000, -190}},
		Paid: "card -1190", Total: -1190, Pieces: -1, Returns: 1190}
	d.wants(sale, back)
	d.do("order.returnNow", `{"orderId":"#W0000001","lines":[{"variantId":"coffee","quantity":1}],"restock":false}`, `{}`)
	more := entry{Number: "2026-000003", RefersTo: "2026-000001", Sums: []RateSum{{70_000, -500, -35}},
		Paid: "card -70, cash -465", Total: -535, Pieces: -1, Returns: 535}
	d.wants(sale, back, more)
	if want := (map[string]int64{"mug": 10, "coffee": 8}); !cmp.Equal(d.Stock(), want) {
		t.Errorf("stock %v", d.Stock())
	}
}

// TestPaymentsSumUpToTheTotal: one entry takes the rest, a sum that differs is refused with the difference, and a gift
// card pays no more than it has.
func TestPaymentsSumUpToTheTotal(t *testing.T) {
	for _, c := range []struct{ payments, refused string }{
		{`{"paymentMethodId":"gift","amount":{"amount":500}},{"paymentMethodId":"cash"}`, ""},
		{`{"paymentMethodId":"cash","amount":{"amount":700}},{"paymentMethodId":"card","amount":{"amount":490}}`, ""},
		{`{"paymentMethodId":"cash","amount":{"amount":700}},{"paymentMethodId":"card","amount":{"amount":480}}`,
			"differ from the total by 10"},
		{`{"paymentMethodId":"cash","amount":{"amount":1200}},{"paymentMethodId":"card"}`, "differ from the total by -10"},
		{`{"paymentMethodId":"cash"},{"paymentMethodId":"card"}`, "two entries have no amount"},
		{`{"paymentMethodId":"gift","amount":{"amount":501}},{"paymentMethodId":"cash"}`, "1 too little"},
	} {
		d := open(t, nil)
		d.fill("mug:1")
		_, err := d.try("checkout.submit", `{"payments":[`+c.payments+`]}`, `{"orderId":"#W0000001","fulfilment":"takeAway"}`)
		if (err == nil) != (c.refused == "") || err != nil && !strings.Contains(err.Error(), c.refused) {
			t.Errorf("%s: %v", c.payments, err)
		}
	}
}

// TestANamedMethodGetsTheRefund: another one that paid, up to what it paid, or the customer's gift card.
func TestANamedMethodGetsTheRefund(t *testing.T) {
	for named, want := range map[string]string{"cash": "cash -1000, card -190", "gift": "gift -1190", "card": "card -1190"} {
		d := open(t, nil)
		d.sell(first, "mug:1,coffee:2",
			`{"payments":[{"paymentMethodId":"cash","amount":{"amount":1000}},{"paymentMethodId":"card"}]}`)
		d.do("order.returnNow", fmt.Sprintf(`{"orderId":"#W0000001","lines":[{"variantId":"mug"}],"paymentMethodId":%q}`,
			named), `{}`)
		if got := d.book()[1].Paid; got != want {
			t.Errorf("%s: %s, want %s", named, got, want)
		}
	}
}

// TestShippingIsTaxedAsTheGoods: 5.00 over 10.00 net at 19 % and 5.00 net at 7 % is 3.34 and 1.66 with tax. A
// cancellation gives it back with its tax.
func TestShippingIsTaxedAsTheGoods(t *testing.T) {
	d := open(t, nil)
	d.fill("mug:1,coffee:1")
	d.submit(first, "deliver", `{"payments":[{"paymentMethodId":"transfer"}]}`)
	sale := entry{Number: "2026-000001", Sums: []RateSum{{190_000, 1281, 243}, {70_000, 655, 46}}, Paid: "transfer 2225",
		Total: 2225, Pieces: 2, Sales: 2225, Shipping: 500}
	d.wants(sale)
	d.do("order.cancel", `{"orderId":"#W0000001","reason":"other"}`, `{}`)
	d.wants(sale, entry{Number: "2026-000002", RefersTo: "2026-000001",
		Sums: []RateSum{{190_000, -1281, -243}, {70_000, -655, -46}},
		Paid: "transfer -2225", Total: -2225, Pieces: -2, Returns: 2225, Shipping: -500})
}

// TestShippingHasItsOwnTaxClass: one class, or none.
func TestShippingHasItsOwnTaxClass(t *testing.T) {
	for class, want := range map[string][]RateSum{"food": {{190_000, 1000, 190}, {70_000, 467, 33}},
		"none": {{190_000, 1000, 190}, {0, 500, 0}}} {
		d := open(t, func(o *Opening) { o.Shipping[0].TaxClass = &class })
		d.fill("mug:1")
		d.submit(first, "deliver", `{"paymentMethodId":"card"}`)
		if got := d.book()[0].Sums; !cmp.Equal(got, want) {
			t.Errorf("%s: %v", class, got)
		}
	}
}

// TestDiscountsAddUpInEveryGrouping: 10 % off 11.90 and two of 5.35 is 2.26; 1.19 and 1.07 by line.
func TestDiscountsAddUpInEveryGrouping(t *testing.T) {
	d := open(t, nil)
	d.fill("mug:1,coffee:2")
	d.do("cart.applyDiscount", `{"percent":10}`, `{}`)
	d.submit(first, "takeAway", `{"paymentMethodId":"card"}`)
	d.wants(entry{Number: "2026-000001", Sums: []RateSum{{190_000, 900, 171}, {70_000, 900, 63}}, Paid: "card 2034",
		Total: 2034, Pieces: 3, Sales: 2034})
	o, _ := d.Order(first)
	if l := o.Lines[0]; l.Discount != 119 || l.DiscountTax != 19 || l.Tax != 171 {
		t.Errorf("%+v", l)
	}
}

// TestADiscountOfAnAmountStays when items change; a percentage follows them.
func TestADiscountOfAnAmountStays(t *testing.T) {
	for discount, want := range map[string]int64{`{"amount":{"amount":300}}`: 5*1190 - 300, `{"percent":10}`: 5355} {
		d := open(t, nil)
		d.fill("mug:2")
		d.do("cart.applyDiscount", discount, `{}`)
		d.submit(first, "pickUp", `{"paymentMethodId":"card"}`)
		d.do("order.changeItems", `{"orderId":"#W0000001","set":[{"lineId":"mug","quantity":5}]}`, `{}`)
		if o, _ := d.Order(first); o.Value() != want || o.Paid() != want {
			t.Errorf("%s: %d, paid %d, want %d", discount, o.Value(), o.Paid(), want)
		}
	}
}

// TestItemsAreAddedAndRemoved: the difference is charged or given back, and a second change is allowed.
func TestItemsAreAddedAndRemoved(t *testing.T) {
	d := open(t, nil)
	d.fill("mug:2")
	d.submit(first, "pickUp", `{"paymentMethodId":"card"}`)
	d.do("order.changeItems", `{"orderId":"#W0000001","add":[{"variantId":"coffee","quantity":1}],"paymentMethodId":"cash"}`,
		`{}`)
	d.do("order.changeItems", `{"orderId":"#W0000001","set":[{"lineId":"mug","quantity":0}]}`, `{}`)
	d.wants(
		entry{Number: "2026-000001", Sums: []RateSum{{190_000, 2000, 380}}, Paid: "card 2380", Total: 2380, Pieces: 2,
			Sales: 2380},
		entry{Number: "2026-000002", RefersTo: "2026-000001", Sums: []RateSum{{70_000, 500, 35}}, Paid: "cash 535",
			Total: 535, Pieces: 1, Sales: 535},
		entry{Number: "2026-000003", RefersTo: "2026-000001", Sums: []RateSum{{190_000, -2000, -380}},
			Paid: "cash -535, card -1845", Total: -2380, Pieces: -2, Returns: 2380})
	if want := (map[string]int64{"mug": 10, "coffee": 9}); !cmp.Equal(d.Stock(), want) {
		t.Errorf("stock %v", d.Stock())
	}
	if o, _ := d.Order(first); len(o.Lines) != 1 || o.Value() != 535 {
		t.Errorf("%+v", o)
	}
}

// TestOpenItemsAndLinePrices: an open item has the first tax class and no stock; a price of a line holds for that line.
func TestOpenItemsAndLinePrices(t *testing.T) {
	d := open(t, nil)
	d.do("cart.addOpenItem", `{"title":"Gift wrap","unitPrice":{"amount":300},"quantity":2}`, `{"line":{"lineId":"wrap"}}`)
	d.fill("coffee:1")
	d.do("cart.setLinePrice", `{"lineId":"coffee","price":{"amount":428}}`, `{}`)
	d.submit(first, "takeAway", `{"paymentMethodId":"card"}`)
	d.do("order.returnNow", `{"orderId":"#W0000001","lines":[{"lineId":"wrap","quantity":1}],"restock":true}`, `{}`)
	d.wants(
		entry{Number: "2026-000001", Sums: []RateSum{{190_000, 504, 96}, {70_000, 400, 28}}, Paid: "card 1028", Total: 1028,
			Pieces: 3, Sales: 1028},
		entry{Number: "2026-000002", RefersTo: "2026-000001", Sums: []RateSum{{190_000, -252, -48}}, Paid: "card -300",
			Total: -300, Pieces: -1, Returns: 300})
}

// TestCashIsRounded: 10.03 in Swiss cash is 10.05, and 0.02 is a line without tax. A card pays 10.03.
func TestCashIsRounded(t *testing.T) {
	for method, want := range map[string]entry{"cash": {Paid: "cash 1005", Rounding: 2}, "card": {Paid: "card 1003"}} {
		d := open(t, func(o *Opening) { o.CashStep = 5; o.Variants["mug"] = Variant{Product: "mug", Price: 1003} })
		d.sell(first, "mug:1", fmt.Sprintf(`{"paymentMethodId":%q}`, method))
		got := d.book()[0]
		if got.Paid != want.Paid || got.Rounding != want.Rounding || got.Total != 1003 {
			t.Errorf("%s: %+v", method, got)
		}
		if e := d.Preview("Main").Expected; method == "cash" && e != 1005 {
			t.Errorf("expected cash %d", e)
		}
	}
}

// TestAPaymentIsChangedByItsID when there are several.
func TestAPaymentIsChangedByItsID(t *testing.T) {
	d := open(t, nil)
	d.fill("mug:1")
	d.submit(first, "pickUp",
		`{"payments":[{"paymentMethodId":"cash","amount":{"amount":190}},{"paymentMethodId":"card"}]}`)
	d.do("order.changePayment", `{"orderId":"#W0000001","paymentMethodId":"transfer","paymentId":"#W0000001 first"}`, `{}`)
	if got := d.book()[1]; got.Paid != "cash -190, transfer 190" || got.Total != 0 {
		t.Errorf("%+v", got)
	}
}

// TestUndoWritesTheOpposite: the receipt stays, and the stock is as before.
func TestUndoWritesTheOpposite(t *testing.T) {
	d := open(t, nil)
	request := d.sell(first, "mug:1", `{"paymentMethodId":"cash"}`)
	d.do("audit.undo", fmt.Sprintf(`{"requestId":%q}`, request), `{}`)
	d.wants(
		entry{Number: "2026-000001", Sums: []RateSum{{190_000, 1000, 190}}, Paid: "cash 1190", Total: 1190, Pieces: 1,
			Sales: 1190},
		entry{Number: "2026-000002", RefersTo: "2026-000001", Sums: []RateSum{{190_000, -1000, -190}}, Paid: "cash -1190",
			Total: -1190, Pieces: -1, Returns: 1190})
	if _, placed := d.Order(first); placed || d.Stock()["mug"] != 10 {
		t.Errorf("placed %v, stock %v", placed, d.Stock())
	}
}

// TestNumbersBeginAgainInTheNewYearOfTheShop: 23:30 of 31 December in London is the new year in Berlin.
func TestNumbersBeginAgainInTheNewYearOfTheShop(t *testing.T) {
	d := open(t, nil)
	var numbers []string
	for _, at := range []time.Time{time.Date(2026, 12, 31, 22, 59, 0, 0, time.UTC),
		time.Date(2026, 12, 31, 23, 30, 0, 0, time.UTC), time.Date(2027, 1, 1, 9, 0, 0, 0, time.UTC)} {
		d.clock = at
		d.sell(fmt.Sprintf("#W%07d", len(numbers)), "coffee:1", `{"paymentMethodId":"cash"}`)
		numbers = append(numbers, d.book()[len(numbers)].Number)
	}
	if want := []string{"2026-000001", "2027-000001", "2027-000002"}; !slices.Equal(numbers, want) {
		t.Errorf("%v, want %v", numbers, want)
	}
}

// TestAClosingTakesTheDayOfItsDesk: the drawer began with 100.00; 11.90 and 5.00 of 5.35 came in by cash, 5.35 went out,
// 20.00 were taken to the bank.
func TestAClosingTakesTheDayOfItsDesk(t *testing.T) {
	d := open(t, func(o *Opening) { o.Counted = map[string]int64{"Main": 10_000} })
	d.sell(first, "mug:1", `{"paymentMethodId":"cash"}`)
	d.desk = "Window"
	d.sell("#W0000003", "mug:1", `{"paymentMethodId":"cash"}`)
	d.do("cash.move", `{"amount":{"amount":100},"reason":"Change"}`, `{}`)
	d.desk = ""
	d.sell(second, "coffee:1", `{"payments":[{"paymentMethodId":"cash","amount":{"amount":500}},{"paymentMethodId":"card"}]}`)
	d.do("order.returnNow", `{"orderId":"#W0000002","lines":[{"variantId":"coffee"}]}`, `{}`)
	taken := d.do("cash.move", `{"amount":{"amount":-2000},"reason":"Bank"}`, `{}`)
	undone := d.do("cash.move", `{"amount":{"amount":-777},"reason":"Bank"}`, `{}`)
	d.do("audit.undo", fmt.Sprintf(`{"requestId":%q}`, undone), `{}`)
	d.do("day.close", `{"counted":{"amount":9180}}`, `{}`)
	d.do("day.close", `{"counted":{"amount":9180}}`, `{}`)
	want := []Closing{{Desk: "Main", Number: 1, Receipts: []string{"2026-000001", "2026-000003", "2026-000004"},
		ByMethod: map[string]int64{"cash": 1190, "card": 0}, Sums: []RateSum{{190_000, 1000, 190}}, CashIn: 1690,
		CashOut: 500, Moved: -2000, Expected: 9190, Counted: 9180, Difference: -10, LifetimeSales: 1725, LifetimeBack: 535},
		{Desk: "Main", Number: 2, ByMethod: map[string]int64{}, Expected: 9180, Counted: 9180, LifetimeSales: 1725,
			LifetimeBack: 535}}
	if diff := cmp.Diff(want, d.Closings(), cmp.AllowUnexported(Closing{}), cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("after %s (-want +got):\n%s", taken, diff)
	}
	if got := d.Preview("Window"); got.Number != 1 || got.Expected != 1290 {
		t.Errorf("the other desk: %+v", got)
	}
}

// TestAnExchangeForAnotherPriceIsOneReceipt with what came back and what went out.
func TestAnExchangeForAnotherPriceIsOneReceipt(t *testing.T) {
	d := open(t, func(o *Opening) { o.Variants["big"] = Variant{Product: "mug", Price: 1428} })
	d.sell(first, "mug:1", `{"paymentMethodId":"cash"}`)
	d.do("order.exchange", `{"orderId":"#W0000001","changes":[{"variantId":"mug","newVariantId":"big"}],
		"paymentMethodId":"card"}`, `{}`)
	d.do("order.receiveExchange", `{"orderId":"#W0000001","restock":true}`, `{}`)
	if got, want := d.book()[1], (entry{Number: "2026-000002", RefersTo: "2026-000001", Sums: []RateSum{{190_000, 200, 38}},
		Paid: "card 238", Total: 238, Sales: 1428, Returns: 1190}); !cmp.Equal(got, want) {
		t.Errorf("%+v", got)
	}
	if d.Stock()["mug"] != 10 {
		t.Errorf("stock %v", d.Stock())
	}
}
