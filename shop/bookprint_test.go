package shop_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/deskhand/deskhand/bus"
)

// TestAReceiptPrintedLaterIsTheSame: later changes of the order, the catalog and the taxes do not affect it.
func TestAReceiptPrintedLaterIsTheSame(t *testing.T) {
	d := openSample(t, "owner")
	d.must("settings.set", `{"section":"shop","values":{"pricesIncludeTax":true,"locale":"de-DE","timeZone":"Europe/Berlin"}}`,
		nil)
	edit(t, d.path, `UPDATE tax_classes SET rate_ppm = 190000`)
	d.person.Door = "till:Front"
	d.must("cart.addItem", `{"productId":"prd_guji_natural","quantity":3}`, nil)
	var sold struct{ OrderID, ReceiptNumber string }
	d.must("checkout.submit", `{"payments":[{"paymentMethodId":"card","amount":{"amount":1000,"currency":"USD"}},
		{"paymentMethodId":"cash"}],"tendered":{"amount":6000,"currency":"USD"}}`, &sold)
	print := func(number string) string {
		t.Helper()
		pdf, _, _ := d.document(jsonf(`{"kind":"receipt","format":"pdf","orderId":%q,"receiptNumber":%q}`, sold.OrderID, number))
		return pdf
	}
	first := print(sold.ReceiptNumber)
	if unnamed, _, _ := d.document(jsonf(`{"kind":"receipt","format":"pdf","orderId":%q}`, sold.OrderID)); unnamed != first {
		t.Error("the only receipt of an order is another one when it is not named")
	}
	d.clock = d.clock.Add(26 * time.Hour)
	back := receiptIn(t, d.must("order.returnNow", jsonf(`{"orderId":%q,"lines":[{"variantId":%q,"quantity":1}],"restock":true}`,
		sold.OrderID, gujiBeans), nil))
	d.must("catalog.updateProduct", jsonf(`{"productId":"prd_guji_natural","name":"Guji","variants":[{"variantId":%q,
		"price":{"amount":1,"currency":"USD"}}]}`, gujiBeans), nil)
	edit(t, d.path, `UPDATE tax_classes SET rate_ppm = 70000`)
	if print(sold.ReceiptNumber) != first {
		t.Error("it is another one now")
	}
	for number, want := range map[string][]string{
		sold.ReceiptNumber: {"Beleg " + sold.OrderID, "2026-000001", "12.03.2026 16:04", "Bedient von Mara Lindqvist",
			"Guji Natural (250 g, Whole bean) 3 21,44 $ 64,32 $", "Zwischensumme 64,32 $", "Gesamt 64,32 $", "19 % 54,05 $ 10,27 $",
			"Karte 12.03.2026 10,00 $", "Bar 12.03.2026 54,32 $", "Gegeben 60,00 $, zurück 5,68 $", "Bezahlt 64,32 $"},
		back: {"Beleg " + sold.OrderID, "2026-000002", "13.03.2026 18:04", "Bezieht sich auf 2026-000001",
			"Guji Natural (250 g, Whole bean) -1 21,44 $ -21,44 $", "Gesamt -21,44 $", "19 % -18,02 $ -3,42 $",
			"Erstattung auf Bar 13.03.2026 -21,44 $"},
	} {
		all := strings.Join(printed(t, print(number))[0], "\n")
		for _, w := range want {
			if !strings.Contains(strings.ReplaceAll(all, "\u00a0", " "), w) {
				t.Errorf("%s: no %q in\n%s", number, w, all)
			}
		}
	}
	var o struct{ Receipts []string }
	d.must("order.get", jsonf(`{"orderId":%q}`, sold.OrderID), &o)
	if diff := cmp.Diff([]string{sold.ReceiptNumber, back}, o.Receipts); diff != "" {
		t.Error(diff)
	}
	d.refused("document.export", jsonf(`{"kind":"receipt","format":"pdf","orderId":%q,"receiptNumber":"2026-000009"}`,
		sold.OrderID), bus.NotFound, bus.ReasonRecord)
	d.refused("document.export", `{"kind":"orders","format":"pdf","receiptNumber":"2026-000001"}`, bus.Validation,
		bus.ReasonArguments)
}

// TestAReceiptOnARoll is one page of 80 mm with the length of its content.
func TestAReceiptOnARoll(t *testing.T) {
	d := openSample(t, "owner")
	for _, product := range []string{"prd_guji_natural", "prd_sidama_honey"} {
		d.must("cart.addItem", jsonf(`{"productId":%q,"quantity":2}`, product), nil)
	}
	var sold struct{ OrderID string }
	d.must("checkout.submit", `{"paymentMethodId":"cash"}`, &sold)
	args := `{"kind":"receipt","format":"pdf","orderId":%q,"paper":%q}`
	for on, box := range map[string]string{"a4": "/MediaBox [0 0 595.28 841.89]", "letter": "/MediaBox [0 0 612.00 792.00]",
		"80mm": "/MediaBox [0 0 226.77 "} {
		pdf, _, _ := d.document(jsonf(args, sold.OrderID, on))
		if !strings.Contains(pdf, box) {
			t.Errorf("%s: no %s", on, box)
		}
		pages := printed(t, pdf)
		all := strings.Join(pages[0], "\n")
		for _, want := range []string{"2026-000001", "Guji Natural", "Total $", "Cash"} {
			if len(pages) != 1 || !strings.Contains(all, want) {
				t.Errorf("%s: %d pages, no %q in\n%s", on, len(pages), want, all)
			}
		}
	}
	d.refused("document.export", jsonf(`{"kind":"receipt","format":"csv","orderId":%q,"paper":"80mm"}`, sold.OrderID),
		bus.Validation, bus.ReasonArguments)
}
