package shop_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/deskhand/deskhand/bus"
)

// swissShop sells a bag of coffee for 10.03 and another thing for 4.98, with coins of 0.05.
func swissShop(t *testing.T) *desk {
	t.Helper()
	d := openSample(t, "manager")
	edit(t, d.path, `UPDATE shop SET cash_step = 5`, fmt.Sprintf(`UPDATE variants SET price = 1003 WHERE id = %q`, gujiBeans),
		fmt.Sprintf(`UPDATE variants SET price = 498 WHERE id = %q`, gujiGround), `UPDATE tax_classes SET rate_ppm = 0`)
	return d
}

// roundedSale is the response to a sale for cash.
type roundedSale struct {
	OrderID          string
	Total            money
	Rounding, Change *money
	Payments         []struct {
		Kind, PaymentMethodID string
		Amount                money
		Due                   *money
	}
	Net *money
}

func (s roundedSale) said() string {
	words := fmt.Sprint(s.Total.Amount)
	for name, m := range map[string]*money{"rounding": s.Rounding} {
		if m != nil {
			words += fmt.Sprint(", ", name, " ", m.Amount)
		}
	}
	if s.Change != nil {
		words += fmt.Sprint(", change ", s.Change.Amount)
	}
	for _, p := range s.Payments {
		words += fmt.Sprintf("; %s %s %d", p.Kind, p.PaymentMethodID, p.Amount.Amount)
		if p.Due != nil {
			words += fmt.Sprint(" for ", p.Due.Amount)
		}
	}
	return words
}

// TestCashIsRoundedToTheSmallestCoin: the amount due stays the same, and a card pays it exactly.
func TestCashIsRoundedToTheSmallestCoin(t *testing.T) {
	for name, tc := range map[string]struct {
		variant  string
		quantity int
		args     string
		sold     string
		got      string
		booked   int64
	}{
		"up": {gujiBeans, 1, `"paymentMethodId":"cash","tendered":{"amount":2000,"currency":"USD"}`,
			"1003, rounding 2, change 995;  cash 1005", "1003, rounding 2; payment cash 1005 for 1003", 2},
		"down":   {gujiBeans, 4, `"paymentMethodId":"cash"`, "4012, rounding -2;  cash 4010", "4012, rounding -2; payment cash 4010 for 4012", -2},
		"a card": {gujiBeans, 1, `"paymentMethodId":"card"`, "1003;  card 1003", "1003; payment card 1003", 0},
		"a part": {gujiBeans, 1, `"payments":[{"paymentMethodId":"card","amount":{"amount":500,"currency":"USD"}},
			{"paymentMethodId":"cash"}],"tendered":{"amount":505,"currency":"USD"}`,
			"1003, rounding 2, change 0;  card 500;  cash 505", "1003, rounding 2; payment card 500; payment cash 505 for 503", 2},
		"to nothing": {gujiBeans, 1, `"payments":[{"paymentMethodId":"card","amount":{"amount":1001,"currency":"USD"}},
			{"paymentMethodId":"cash"}]`, "1003, rounding -2;  card 1001;  cash 0",
			"1003, rounding -2; payment card 1001; payment cash 0 for 2", -2},
	} {
		t.Run(name, func(t *testing.T) {
			d := swissShop(t)
			d.must("cart.addItem", jsonf(`{"productId":"prd_guji_natural","variantId":%q,"quantity":%d}`, tc.variant, tc.quantity), nil)
			var sold, got roundedSale
			d.must("checkout.submit", `{`+tc.args+`}`, &sold)
			if sold.said() != tc.sold {
				t.Errorf("sold: %s, want %s", sold.said(), tc.sold)
			}
			d.must("order.get", jsonf(`{"orderId":%q}`, sold.OrderID), &got)
			if got.said() != tc.got {
				t.Errorf("order: %s, want %s", got.said(), tc.got)
			}
			if n := d.number(`SELECT rounding FROM receipts`); n != tc.booked {
				t.Errorf("the book has a rounding of %d, want %d", n, tc.booked)
			}
			if n := d.number(`SELECT SUM(paid) - SUM(refunded) FROM derived_payments
				WHERE hour = (SELECT placed_at / 3600000 FROM orders WHERE id = ?)`, sold.OrderID); n != sold.Total.Amount+tc.booked {
				t.Errorf("takings of %d", n)
			}
			d.derived()
		})
	}
}

// TestTheCartTellsTheRounding before the payment. The tendered cash must cover the rounded amount.
func TestTheCartTellsTheRounding(t *testing.T) {
	d := swissShop(t)
	d.must("cart.addItem", jsonf(`{"productId":"prd_guji_natural","variantId":%q,"quantity":1}`, gujiBeans), nil)
	var c roundedSale
	d.must("cart.getSummary", `{}`, &c)
	if c.said() != "1003, rounding 2" {
		t.Errorf("the cart: %s", c.said())
	}
	e := d.refused("checkout.submit", `{"paymentMethodId":"cash","tendered":{"amount":1003,"currency":"USD"}}`,
		bus.PreconditionFailed, bus.ReasonState)
	contains(t, e.Message, "$10.03 were handed over, and $10.05 is due.")
	d.must("cart.setQuantity", jsonf(`{"variantId":%q,"quantity":5}`, gujiBeans), nil)
	c = roundedSale{}
	d.must("cart.getSummary", `{}`, &c)
	if c.said() != "5015" {
		t.Errorf("the cart: %s", c.said())
	}
}

// TestCashGivenBackIsRounded likewise, and the card shows it as it is handed out.
func TestCashGivenBackIsRounded(t *testing.T) {
	d := swissShop(t)
	d.must("cart.addItem", jsonf(`{"productId":"prd_guji_natural","variantId":%q,"quantity":2}`, gujiBeans), nil)
	var sold roundedSale
	d.must("checkout.submit", `{"paymentMethodId":"cash"}`, &sold) // 20.06 is 20.05
	var back struct {
		Refund  struct{ Amount money }
		Refunds []struct{ Amount money }
	}
	d.must("order.returnNow", jsonf(`{"orderId":%q,"lines":[{"variantId":%q,"quantity":1}],"restock":true}`, sold.OrderID,
		gujiBeans), &back)
	if back.Refund.Amount.Amount != 1005 || len(back.Refunds) != 1 || back.Refunds[0].Amount.Amount != 1005 {
		t.Errorf("given back: %+v", back)
	}
	contains(t, d.said(), "$10.05")
	var got roundedSale
	d.must("order.get", jsonf(`{"orderId":%q}`, sold.OrderID), &got)
	if want := "2006, rounding -3; payment cash 2005 for 2006; refund cash 1005 for 1003"; got.said() != want ||
		got.Net.Amount != 1003 {
		t.Errorf("order: %s, net %+v, want %s", got.said(), got.Net, want)
	}
	var printed struct {
		Sums []struct{ Label, Amount string }
		Paid struct{ Amount string }
	}
	d.must("receipt.preview", jsonf(`{"orderId":%q}`, sold.OrderID), &printed)
	if diff := cmp.Diff([]struct{ Label, Amount string }{{"Subtotal", "$20.06"}, {"Total", "$20.06"}, {"Rounding", "-$0.03"}},
		printed.Sums); diff != "" || printed.Paid.Amount != "$10.00" {
		t.Errorf("the receipt (-want +got):\n%s, paid %s", diff, printed.Paid.Amount)
	}
	contains(t, fmt.Sprint(d.rows(`SELECT rounding FROM receipts ORDER BY count`)), "-1")
	d.derived()
}

// TestTheSmallestCoinIsASetting of the shop; another currency forgets it.
func TestTheSmallestCoinIsASetting(t *testing.T) {
	d := openNew(t)
	d.as("owner")
	set := func(args string) (coin *money) {
		t.Helper()
		var out struct{ Shop struct{ CashStep *money } }
		d.must("settings.set", `{"section":"shop","values":{`+args+`}}`, &out)
		return out.Shop.CashStep
	}
	if coin := set(`"cashStep":{"amount":5,"currency":"USD"}`); coin == nil || coin.Amount != 5 || coin.Text != "$0.05" {
		t.Errorf("%+v", coin)
	}
	d.refused("settings.set", `{"section":"shop","values":{"cashStep":{"amount":5,"currency":"CHF"}}}`, bus.Validation,
		bus.ReasonArguments)
	d.refused("settings.set", `{"section":"shop","values":{"cashStep":{"amount":100001,"currency":"USD"}}}`, bus.Validation,
		bus.ReasonArguments)
	if coin := set(`"name":"Other"`); coin == nil {
		t.Error("the coin is gone with another name")
	}
	if coin := set(`"cashStep":{"amount":0,"currency":"USD"}`); coin != nil {
		t.Errorf("%+v", coin)
	}
	set(`"cashStep":{"amount":5,"currency":"USD"}`)
	if coin := set(`"currency":"JPY"`); coin != nil {
		t.Errorf("a coin of %s", coin.Text)
	}
	if coin := set(`"currency":"CHF","cashStep":{"amount":5,"currency":"CHF"}`); coin == nil {
		t.Error("a currency is not set together with its coin")
	}
}
