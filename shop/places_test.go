package shop_test

import (
	"strings"
	"testing"

	"github.com/deskhand/deskhand/bus"
)

// TestAddressesOfMailInAnyLanguage are taken by a form and by an import, and refused by both.
func TestAddressesOfMailInAnyLanguage(t *testing.T) {
	d := openSample(t, "owner")
	d.must("customer.create", `{"name":"Müller","email":"info@müller.example"}`, nil)
	out := d.took("customers", "First Name,Last Name,Email\nM,Ller,info@müller.example\nO,Öl,öl@böden.example\n"+
		"P,Po,po@почта.example\nQ,Quu,q@exa mple.com\n")
	if out.CustomersUpdated != 1 || out.CustomersCreated != 1 || out.RowsLeftOut != 2 {
		t.Errorf("%+v", out)
	}
	for _, wrong := range []string{"öl@böden.example", "q@exa mple.com", "q@", "q@-a.example"} {
		d.refused("customer.create", jsonf(`{"name":"X","email":%q}`, wrong), bus.Validation, bus.ReasonArguments)
	}
}

// TestReportsByTaxRateCountNoOrders: an order may have several rates.
func TestReportsByTaxRateCountNoOrders(t *testing.T) {
	d := openSample(t, "owner")
	var r struct{ Rows []struct{ Title string } }
	d.must("report.sales", `{"period":"year","by":"taxRate"}`, &r)
	if len(r.Rows) == 0 {
		t.Fatal("no rows")
	}
	for _, row := range r.Rows {
		if strings.Contains(row.Title, "order") || !strings.Contains(row.Title, "in total sales") {
			t.Errorf("%q", row.Title)
		}
	}
}
