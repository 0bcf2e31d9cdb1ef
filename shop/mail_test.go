package shop_test

import (
	"context"
	"fmt"
	"maps"
	"strings"
	"sync"
	"testing"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/shop"
)

// letterBox is a post that stores its mails.
type letterBox struct {
	mu      sync.Mutex // guards the rest
	letters []shop.Mail
	servers []shop.MailServer
}

func (l *letterBox) Send(_ context.Context, server shop.MailServer, m shop.Mail) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.letters, l.servers = append(l.letters, m), append(l.servers, server)
	return nil
}

func TestAReceiptSaysTheSameInEveryForm(t *testing.T) {
	b := billed{"EUR", "de-DE", true, "Zoë <b>Böhm</b> & Co", goods(2), 123456, 9145, 500, 495, ""}
	d := b.open(t)
	d.must("settings.set", withMail, nil)
	res := d.must("email.sendReceipt", `{"orderId":"w0000001","to":"zoe@example.com"}`, nil)
	m := d.post.letters[0]
	pdf := strings.Join(printed(t, string(m.Attachments[0].Data))[0], "\n")
	for _, want := range []string{"4.938,19\u00a0€", "-5,00\u00a0€", "4,95\u00a0€"} {
		for where, text := range map[string]string{"text": m.Text, "HTML": m.HTML, "PDF": pdf} {
			if !strings.Contains(text, want) {
				t.Errorf("no %q in the %s:\n%s", want, where, text)
			}
		}
	}
	if !strings.Contains(m.HTML, "Zoë &lt;b&gt;Böhm&lt;/b&gt; &amp; Co") || strings.Contains(m.HTML, "http") {
		t.Errorf("HTML: %s", m.HTML)
	}
	if m.To != "zoe@example.com" || m.Subject != "Ihr Beleg zur Bestellung #W0000001 von Corner Shop" ||
		d.post.servers[0].Password != "hunter2hunter2" {
		t.Errorf("to %s, subject %q, server %+v", m.To, m.Subject, d.post.servers[0])
	}
	if res.Facts["recipient"] != "zoe@example.com" || res.Facts["customerId"] != "c1" {
		t.Errorf("facts %v", res.Facts)
	}
	if !strings.HasPrefix(d.said(), "Mail the receipt of #W0000001 over €4,938.19 for Zoë") {
		t.Errorf("said %q", d.said())
	}
}

// TestALetterIsInTheLanguageOfItsReceipt, names the receipt that was asked for, and has the rounding of cash.
func TestALetterIsInTheLanguageOfItsReceipt(t *testing.T) {
	for locale, want := range map[string][]string{
		"de-CH": {"Guten Tag Ana Ruiz", "vielen Dank für Ihre Bestellung", "Zwischensumme: 17.28 CHF", "Rundung: 0.02 CHF",
			"Steuer auf 15.99 CHF netto: 1.29"},
		"en-CH": {"Hello Ana Ruiz", "thank you for your order", "Subtotal: 17,28 CHF", "Rounding: 0,02 CHF",
			"Tax at 8,1 % of 15,99 CHF net"},
	} {
		spaced := func(s string) string {
			return strings.NewReplacer("\u00a0", " ", "\u202f", " ").Replace(s)
		}
		d := taxShop(t, true)
		d.must("settings.set", withMail, nil)
		edit(t, d.path, `UPDATE shop SET currency = 'CHF', cash_step = 5`, `UPDATE tax_classes SET rate_ppm = 81000`,
			fmt.Sprintf(`UPDATE shop SET locale = %q`, locale))
		d.sendsAMugAndCoffee(true)
		edit(t, d.path, `UPDATE variants SET price = 1193 WHERE id = 'var_brew_scale_1'`)
		var sold soldView
		d.must("checkout.submit", `{"paymentMethodId":"cash","fulfilment":"takeAway"}`, &sold)
		number := d.one(`SELECT number FROM receipts WHERE order_id = ?`, sold.OrderID)
		d.must("email.sendReceipt", jsonf(`{"orderId":%q,"receiptNumber":%q}`, sold.OrderID, number), nil)
		m := d.post.letters[0]
		contains(t, strings.Join(printed(t, string(m.Attachments[0].Data))[0], "\n"), number)
		for _, want := range want {
			contains(t, spaced(m.Text), want)
			before, _, _ := strings.Cut(want, ":")
			contains(t, spaced(m.HTML), before)
		}
		d.refused("email.sendReceipt", jsonf(`{"orderId":%q,"receiptNumber":"2020-000001"}`, sold.OrderID), bus.NotFound,
			bus.ReasonRecord)
	}
}

// TestC14WhatIsSentSaysWhatItCosts: before, to people and models, and in its result.
//
// holds: C14
func TestC14WhatIsSentSaysWhatItCosts(t *testing.T) {
	d := openSample(t, "owner")
	d.must("settings.set", withMail, nil)
	d.must("settings.set", withHook, nil)
	for _, tc := range []struct{ capability, args, unit string }{
		{"email.sendReceipt", jsonf(`{"orderId":%q}`, d.anasOrder("PayPal")), "mail"},
		{"settings.testMail", `{}`, "mail"},
		{"webhook.trigger", `{"hook":"stock"}`, "webhook_call"},
	} {
		want := map[string]string{tc.unit: "1"}
		if r := d.must(tc.capability, tc.args, nil); !maps.Equal(r.CostEstimate, want) {
			t.Errorf("%s cost %v", tc.capability, r.CostEstimate)
		}
	}
	m, err := d.bus.Manifest(t.Context(), bus.View{Caller: bus.CallerAgent, Principal: d.person})
	if err != nil {
		t.Fatal(err)
	}
	tools, err := m.Tools()
	if err != nil {
		t.Fatal(err)
	}
	for _, tool := range tools {
		if tool.Capability == "email.sendReceipt" {
			contains(t, tool.Description, "Costs 1 mail.")
		}
	}
}

func TestMailWaitsForWhatItNeeds(t *testing.T) {
	d := openSample(t, "owner")
	id := d.anasOrder("PayPal")
	args := jsonf(`{"orderId":%q}`, id)
	contains(t, d.refused("email.sendReceipt", args, bus.PreconditionFailed, bus.ReasonUnavailable).Hint, "settings.set")
	d.must("settings.set", withMail, nil)
	d.must("customer.update", jsonf(`{"customerId":%q,"email":""}`, d.ana()), nil)
	contains(t, d.refused("email.sendReceipt", args, bus.PreconditionFailed, bus.ReasonState).Hint, "customer.update")
	d.refused("email.sendReceipt", jsonf(`{"orderId":%q,"to":"bo@example.com\nBcc: x@y.example"}`, id), bus.Validation,
		bus.ReasonArguments)
	d.refused("email.sendReceipt", `{"orderId":"#W1","to":"bo@example.com"}`, bus.NotFound, bus.ReasonRecord)
	d.must("settings.set", `{"section":"mail","values":{"password":""}}`, nil)
	contains(t, d.refused("email.sendReceipt", jsonf(`{"orderId":%q,"to":"bo@example.com"}`, id), bus.PreconditionFailed,
		bus.ReasonState).Message, "password")
	if len(d.post.letters) != 0 {
		t.Errorf("%d letters were sent", len(d.post.letters))
	}
	d.as("auditor")
	d.refused("email.sendReceipt", args, bus.Forbidden, bus.ReasonPermission)
	d.as("clerk")
	d.refused("settings.testMail", `{}`, bus.Forbidden, bus.ReasonPermission)
}
