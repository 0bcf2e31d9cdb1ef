package shop_test

import (
	"strings"
	"testing"

	"github.com/deskhand/deskhand/bus"
	"github.com/google/go-cmp/cmp"
)

var orderHeader = strings.Split("Name,Email,Financial Status,Paid at,Fulfillment Status,Fulfilled at,Accepts "+
	"Marketing,Currency,Subtotal,Shipping,Taxes,Total,Discount Code,Discount Amount,Shipping Method,Created "+
	"at,Lineitem quantity,Lineitem name,Lineitem price,Lineitem compare at price,Lineitem sku,Lineitem requires "+
	"shipping,Lineitem taxable,Lineitem fulfillment status,Billing Name,Billing Street,Billing Address1,Billing "+
	"Address2,Billing Company,Billing City,Billing Zip,Billing Province,Billing Country,Billing Phone,Shipping "+
	"Name,Shipping Street,Shipping Address1,Shipping Address2,Shipping Company,Shipping City,Shipping Zip,Shipping "+
	"Province,Shipping Country,Shipping Phone,Notes,Note Attributes,Cancelled at,Payment Method,Payment "+
	"Reference,Refunded Amount,Vendor,Outstanding Balance,Employee,Location,Device ID,Id,Tags,Risk "+
	"Level,Source,Lineitem discount,Tax 1 Name,Tax 1 Value,Phone,Receipt Number,Duties,Billing Province Name,Shipping "+
	"Province Name,Payment ID,Payment Terms Name,Next Payment Due At,Payment References", ",")

// orderOf adds the first row of an order of Jana Ostrom, placed on a day in January. The given cells override the
// defaults of every order.
func (e *export) orderOf(name string, cells ...string) {
	e.row(append([]string{"Name=" + name, "Email=jana@example.com", "Financial Status=paid",
		"Paid at=2026-01-08 12:00:30 -0500", "Fulfillment Status=unfulfilled", "Currency=USD",
		"Subtotal=10.00", "Shipping=0.00", "Taxes=0.00", "Total=10.00", "Discount Amount=0.00",
		"Created at=2026-01-08 12:00:00 -0500", "Lineitem quantity=1", "Lineitem name=Old thing",
		"Lineitem price=10.00", "Lineitem taxable=true", "Lineitem fulfillment status=pending", "Billing Name=Jana Ostrom",
		"Billing Phone='+1 617 555 0101",
		"Shipping Name=Jana Ostrom", "Shipping Address1=4 Quay", "Shipping City=Boston", "Shipping Zip='02110",
		"Shipping Province=MA", "Shipping Country=US",
		"Payment Method=Shopify Payments", "Refunded Amount=0.00", "Outstanding Balance=0.00"}, cells...)...)
}

// line adds a further row of an order.
func (e *export) line(name string, cells ...string) {
	e.row(append([]string{"Name=" + name, "Email=jana@example.com", "Created at=2026-01-08 12:00:00 -0500"}, cells...)...)
}

const (
	gujiLine   = "Lineitem name=Guji Natural - 250 g / Whole bean"
	sidamaLine = "Lineitem name=Sidama Honey - 250 g / Whole bean"
)

// someOrders are one of each kind that an export has.
func someOrders() *export {
	e := newExportOf(orderHeader)
	// Several lines, a code off the whole and a discount of one line, taxes on top, a note of two lines.
	e.orderOf("#1001", "Fulfillment Status=fulfilled", "Fulfilled at=2026-01-10 09:00:00 -0500", "Subtotal=50.00",
		"Shipping=5.00", "Taxes=2.75", "Total=57.75", "Discount Code=WINTER",
		"Discount Amount=10.00", "Shipping Method=Standard", "Lineitem quantity=2", gujiLine, "Lineitem sku=NL-GUJ-250-WB",
		"Lineitem price=20.00", "Lineitem taxable=false",
		"Lineitem fulfillment status=fulfilled", "Notes=Leave it at the door,\n\"not\" with the neighbour")
	e.line("#1001", "Lineitem quantity=1", "Lineitem name=Old mug", "Lineitem price=25.00", "Lineitem sku=MUG-OLD",
		"Lineitem taxable=true", "Lineitem discount=5.00", "Lineitem fulfillment status=fulfilled")
	e.line("#1001", "Lineitem quantity=0", "Lineitem name=Taken out again", "Lineitem price=9.00")
	// To be sent, paid by two means.
	e.orderOf("#1002", "Subtotal=20.00", "Total=20.00", gujiLine, "Lineitem price=20.00",
		"Payment Method=Gift Card + Shopify Payments")
	// One parcel of two is on its way; paid by PayPal.
	e.orderOf("#1003", "Fulfillment Status=partial", "Fulfilled at=2026-01-09 09:00:00 -0500", "Subtotal=40.00",
		"Total=40.00", "Payment Method=PayPal Express Checkout",
		"Lineitem sku=nl-guj-250-wb", "Lineitem price=20.00", "Lineitem fulfillment status=fulfilled")
	e.line("#1003", "Lineitem quantity=1", sidamaLine, "Lineitem price=20.00", "Lineitem taxable=true",
		"Lineitem fulfillment status=pending")
	// Cancelled before it was paid, and cancelled with everything given back.
	e.orderOf("#1004", "Financial Status=voided", "Paid at=", "Cancelled at=2026-01-08 13:00:00 -0500",
		"Payment Method=Cash on Delivery (COD)")
	e.orderOf("#1005", "Financial Status=refunded", "Cancelled at=2026-01-09 13:00:00 -0500", "Refunded Amount=10.00",
		gujiLine, "Lineitem price=10.00", "Payment Method=Gift Card")
	// Not paid yet, in part, and not cancelled though all of it was given back.
	e.orderOf("#1006", "Financial Status=pending", "Paid at=", "Fulfillment Status=fulfilled",
		"Payment Method=Bank Deposit", "Outstanding Balance=10.00")
	e.orderOf("#1007", "Financial Status=partially_paid", "Fulfillment Status=fulfilled", "Outstanding Balance=4.00")
	e.orderOf("#1008", "Financial Status=refunded", "Fulfillment Status=fulfilled", "Refunded Amount=10.00")
	// Some of it was given back: taxes are within the prices here.
	e.orderOf("#1009", "Financial Status=partially_refunded", "Fulfillment Status=fulfilled", "Subtotal=22.00",
		"Shipping=3.00", "Taxes=2.00", "Total=25.00", "Lineitem price=22.00", "Refunded Amount=11.00")
	// A sale to an unknown person, in cash, without an address, with free shipping by a code.
	e.orderOf("AB-1010-X", "Email=", "Billing Name=Walter Inn", "Billing Phone=", "Fulfillment Status=fulfilled",
		"Discount Code=FREESHIP", "Discount Amount=5.00", "Payment Method=Cash",
		"Shipping Address1=", "Shipping City=", "Shipping Zip=", "Created at=2026-01-31", "Paid at=")
	return e
}

func TestOrdersOfAnExport(t *testing.T) {
	for form, change := range map[string]func(string) string{
		"as exported":            func(s string) string { return s },
		"saved by a spreadsheet": func(s string) string { return decimalCommas(semicolons(s)) },
	} {
		t.Run(form, func(t *testing.T) {
			d := openSample(t, "owner")
			guji, before := d.stock(gujiBeans), d.stateHash()
			d.files["orders"] = change(someOrders().String())
			var dry, done, again imported
			d.must("shop.importCSV", `{"file":"orders","kind":"orders","dryRun":true}`, &dry)
			if d.stateHash() != before {
				t.Fatal("a dry run changed something")
			}
			d.must("shop.importCSV", `{"file":"orders","kind":"orders"}`, &done)
			if diff := cmp.Diff(dry, done); diff != "" {
				t.Errorf("a dry run tells something else than the import: %s", diff)
			}
			if done.OrdersCreated != 10 || done.CustomersCreated != 2 || done.Rows != 13 {
				t.Errorf("imported: %+v", done)
			}
			if diff := cmp.Diff(map[string]string{
				"#W0001001": "delivered, $57.75; not in the catalog any more: Old mug; a new customer",
				"#W0001002": "pending, $20.00; a new customer",
				"#W0001003": "packed, $40.00; a new customer",
				"#W0001004": "cancelled, $10.00; not in the catalog any more: Old thing; a new customer",
				"#W0001005": "cancelled, $10.00; a new customer",
				"#W0001006": "delivered, $10.00; not in the catalog any more: Old thing; $10.00 is not paid yet: on account; a " +
					"new customer",
				"#W0001007": "delivered, $10.00; not in the catalog any more: Old thing; $4.00 is not paid yet: on account; a " +
					"new customer",
				"#W0001008": "cancelled, $10.00; not in the catalog any more: Old thing; a new customer",
				"#W0001009": "delivered, $14.00; not in the catalog any more: Old thing; a new customer",
				"#W0001010": "delivered, $10.00; it was AB-1010-X; not in the catalog any more: Old thing; a new customer",
			}, done.told()); diff != "" {
				t.Errorf("what is told: %s", diff)
			}
			d.addsUp()
			if d.stock(gujiBeans) != guji {
				t.Errorf("the stock was %d and is %d", guji, d.stock(gujiBeans))
			}
			d.must("shop.importCSV", `{"file":"orders","kind":"orders"}`, &again)
			if again.OrdersUnchanged != 10 || len(again.Changes) != 0 {
				t.Errorf("once more: %+v", again)
			}
			d.afterwards(guji)
		})
	}
}

// told returns the report of an import for each change.
func (out imported) told() map[string]string {
	all := map[string]string{}
	for _, c := range out.Changes {
		all[c.Handle] = strings.Join(c.Details, "; ")
	}
	return all
}

// decimalCommas writes amounts with a comma.
func decimalCommas(file string) string {
	cells := strings.Split(file, ";")
	for i, c := range cells {
		if whole, cents, ok := strings.Cut(c, "."); ok && len(cents) == 2 && len(whole) < 4 {
			cells[i] = whole + "," + cents
		}
	}
	return strings.Join(cells, ";")
}

// afterwards makes the usual later changes of imported orders.
func (d *desk) afterwards(guji int64) {
	t := d.t
	t.Helper()
	var o struct {
		Lines []struct {
			VariantID, Name      string
			Quantity             int64
			Discount, Tax, Price money
		}
		Payments []struct {
			Kind, Label, PaymentMethodID string
			Amount                       money
		}
		Notes           []struct{ Text string }
		ShippingAddress struct{ Line1, PostalCode string }
		DiscountReason  string
		Fulfilments     []struct{ VariantIDs []string }
		Timeline        []struct{ Text string }
	}
	d.must("order.get", `{"orderId":"#1001"}`, nil)
	d.must("order.get", `{"orderId":"#W0001001"}`, &o)
	if l := o.Lines; len(l) != 2 || l[0].VariantID != gujiBeans || l[0].Discount.Amount+l[1].Discount.Amount != 1500 ||
		l[1].Discount.Amount < 500 || l[1].Tax.Amount != 275 || l[1].Name != "Old mug" {
		t.Errorf("lines: %+v", o.Lines)
	}
	if o.Notes[0].Text != "Leave it at the door,\n\"not\" with the neighbour" || o.ShippingAddress.PostalCode != "02110" ||
		o.DiscountReason != "WINTER" || o.Payments[0].Label != "Shopify Payments" {
		t.Errorf("order: %+v", o)
	}
	d.must("order.return", jsonf(`{"orderId":"#W0001001","lines":[{"variantId":%q,"quantity":1}],"paymentMethodId":%q}`,
		gujiBeans, o.Payments[0].PaymentMethodID), nil)
	d.must("order.receiveReturn", `{"orderId":"#W0001001","restock":true}`, nil)
	d.must("order.cancel", `{"orderId":"#W0001002","reason":"other"}`, nil)
	if d.stock(gujiBeans) != guji+2 {
		t.Errorf("the stock is %d after one came back and one was cancelled, and was %d", d.stock(gujiBeans), guji)
	}
	d.must("order.get", `{"orderId":"#W0001003"}`, &o)
	if len(o.Fulfilments) != 1 || len(o.Fulfilments[0].VariantIDs) != 1 ||
		o.Payments[0].Label != "PayPal Express Checkout" {
		t.Errorf("sent in part: %+v", o)
	}
	d.must("order.fulfil", `{"orderId":"#W0001003"}`, nil)
	d.must("order.deliver", `{"orderId":"#W0001003"}`, nil)
	d.addsUp()
	var hits struct{ Orders []struct{ ID string } }
	d.must("order.search", `{"query":"1010 walter"}`, &hits)
	if len(hits.Orders) != 1 {
		t.Errorf("the order is found as %+v", hits)
	}
	if d.must("order.search", `{"query":"#1010"}`, &hits); len(hits.Orders) != 1 || hits.Orders[0].ID != "#W0001010" {
		t.Errorf("by its old number the order is found as %+v", hits)
	}
	first := d.export()
	if second := openImported(t, first).export(); second != first {
		t.Errorf("what was imported does not move: %s", cmp.Diff(strings.Split(first, "\n"), strings.Split(second, "\n")))
	}
}

// TestBrokenOrdersChangeNothingAndNameTheLines: above all those whose money does
// not add up.
func TestBrokenOrdersChangeNothingAndNameTheLines(t *testing.T) {
	for name, tc := range map[string]struct {
		rows func(e *export)
		line int
		says string
	}{
		"a total that is not its parts": {func(e *export) { e.orderOf("#2", "Total=11.00") }, 3,
			"Total: The total is 11.00, and subtotal, shipping and taxes come to 10.00"},
		"a subtotal that is not the lines": {func(e *export) { e.orderOf("#2", "Subtotal=9.00", "Total=9.00") }, 3,
			"The lines come to 10.00, with discounts of 0.00, and the subtotal says 9.00"},
		"more than the lines": {func(e *export) { e.orderOf("#2", "Subtotal=12.00", "Total=12.00") },
			3, "Subtotal"},
		"cancelled and not given back": {func(e *export) { e.orderOf("#2", "Cancelled at=2026-01-09 10:00:00 -0500") }, 3,
			"10.00 was paid and 0.00 given back"},
		"refunded, but not all": {func(e *export) {
			e.orderOf("#2", "Financial Status=refunded", "Refunded Amount=3.00")
		}, 3, "Refunded Amount"},
		"more given back than paid": {func(e *export) {
			e.orderOf("#2", "Financial Status=partially_refunded", "Refunded Amount=13.00")
		}, 3, "10.00 was paid and 13.00 given back"},
		"void and not cancelled": {func(e *export) { e.orderOf("#2", "Financial Status=voided") }, 3, "void"},
		"paid maybe":             {func(e *export) { e.orderOf("#2", "Financial Status=maybe") }, 3, `"maybe"`},
		"sent perhaps": {func(e *export) { e.orderOf("#2", "Fulfillment Status=perhaps") }, 3,
			`"perhaps"`},
		"another currency":                 {func(e *export) { e.orderOf("#2", "Currency=EUR") }, 3, "EUR"},
		"a day as a spreadsheet writes it": {func(e *export) { e.orderOf("#2", "Created at=1/8/2026 12:00") }, 3, "1/8/2026"},
		"no time": {func(e *export) { e.orderOf("#2", "Created at=") }, 3,
			"time of the order is missing"},
		"sent before it was placed": {func(e *export) {
			e.orderOf("#2", "Fulfillment Status=fulfilled", "Fulfilled at=2026-01-07 10:00:00 -0500")
		}, 3, "before the order"},
		"owed by nobody": {func(e *export) {
			e.orderOf("#2", "Email=", "Billing Name=", "Shipping Name=", "Billing Phone=", "Fulfillment Status=fulfilled",
				"Financial Status=pending", "Outstanding Balance=10.00")
		}, 3, "by whom it is owed"},
		"no number":       {func(e *export) { e.orderOf("") }, 3, "number"},
		"too long a name": {func(e *export) { e.orderOf(strings.Repeat("9", 61)) }, 3, "60 characters"},
		"rows apart": {func(e *export) {
			e.orderOf("#2", "Fulfillment Status=fulfilled")
			e.line("#1", "Lineitem quantity=1", "Lineitem name=x", "Lineitem price=1")
		}, 4, "line 2"},
		"no pieces":    {func(e *export) { e.orderOf("#2", "Lineitem quantity=0") }, 3, "no lines"},
		"half a piece": {func(e *export) { e.orderOf("#2", "Lineitem quantity=0.5") }, 3, "0.5"},
		"a line in words": {func(e *export) {
			e.orderOf("#2")
			e.line("#2", "Lineitem quantity=1", "Lineitem name=x", "Lineitem price=ten")
		}, 4, "ten"},
		"to be sent, of what is not here": {func(e *export) {
			e.orderOf("#2", "Fulfillment Status=unfulfilled", "Lineitem sku=NO-SUCH")
		}, 3, "NO-SUCH"},
	} {
		t.Run(name, func(t *testing.T) {
			e := newExportOf(orderHeader)
			e.orderOf("#1", "Fulfillment Status=fulfilled")
			tc.rows(e)
			brokenExport(t, "orders", e.String(), tc.line, tc.says)
		})
	}
}

func TestAnOrderThatIsHereIsAnotherOne(t *testing.T) {
	d := openSample(t, "owner")
	for name, placed := range map[string]string{"first": "2026-01-08 12:00:00 -0500",
		"second": "2026-01-09 12:00:00 -0500"} {
		e := newExportOf(orderHeader)
		e.orderOf("#1", "Fulfillment Status=fulfilled", "Fulfilled at=2026-02-08 12:00:00 -0500", "Created at="+placed)
		d.files[name] = e.String()
	}
	d.must("shop.importCSV", `{"file":"first","kind":"orders"}`, nil)
	e := d.refused("shop.importCSV", `{"file":"second","kind":"orders"}`, bus.Validation, bus.ReasonArguments)
	contains(t, e.Message, "Line 2, column Name: The shop has another order #1, placed at another time.")
}

// TestTheTaxOfShippingComesWithAnOrder whose file names the rate: 100.00 and 5.00, with 19 % on both.
func TestTheTaxOfShippingComesWithAnOrder(t *testing.T) {
	d := openSample(t, "owner")
	e := newExportOf(orderHeader)
	e.orderOf("#1001", "Subtotal=100.00", "Shipping=5.00", "Taxes=19.95", "Total=124.95", gujiLine,
		"Lineitem price=100.00", "Tax 1 Name=VAT 19%", "Tax 1 Value=19.95")
	d.files["orders"] = e.String()
	d.must("shop.importCSV", `{"file":"orders","kind":"orders"}`, nil)
	var v taxedShipping
	d.must("order.get", `{"orderId":"#W0001001"}`, &v)
	if want := "500 with 95, 1995 of 12495: 10500 at 19, 1995"; v.amounts() != want {
		t.Errorf("%s, want %s", v.amounts(), want)
	}
	d.derived()
}
