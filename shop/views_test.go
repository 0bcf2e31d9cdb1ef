package shop_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/deskhand/deskhand/bus"
	"github.com/google/go-cmp/cmp"
)

// views are those of the person at the desk: list, name and words.
func (d *desk) views() (all []string, ids map[string]string) {
	d.t.Helper()
	var out struct {
		Views []struct {
			ID, List, Name string
			Values         map[string]any
		}
	}
	d.must("view.list", `{}`, &out)
	ids = map[string]string{}
	for _, v := range out.Views {
		all = append(all, fmt.Sprint(v.List, " ", v.Name, " ", v.Values["query"]))
		ids[v.Name] = v.ID
	}
	return all, ids
}

func (d *desk) saveView(list, name, query string) {
	d.t.Helper()
	d.must("view.save", jsonf(`{"list":%q,"name":%q,"values":{"query":%q}}`, list, name, query), nil)
}

// TestViewsArePersonal: each person keeps their own, by list and name, and a name stands for one of a list.
func TestViewsArePersonal(t *testing.T) {
	d := openSample(t, "owner")
	d.saveView("order.search", " Late  orders ", "guji")
	d.saveView("customer.search", "Regulars", "a")
	d.saveView("order.search", "Abroad", "de")
	d.saveView("order.search", "late orders", "toraja") // the same name again
	d.saveView("customer.search", "Late orders", "b")   // of another list
	want := []string{"customer.search Late orders b", "customer.search Regulars a", "order.search Abroad de",
		"order.search late orders toraja"}
	all, ids := d.views()
	if diff := cmp.Diff(want, all); diff != "" {
		t.Errorf("(-want +kept):\n%s", diff)
	}
	d.must("view.save", jsonf(`{"viewId":%q,"list":"customer.search","name":"Friends","values":{"query":"a"}}`,
		ids["Regulars"]), nil)
	d.refused("view.save", jsonf(`{"viewId":%q,"list":"order.search","name":"LATE ORDERS","values":{}}`, ids["Abroad"]),
		bus.PreconditionFailed, bus.ReasonState)
	d.must("view.remove", jsonf(`{"viewId":%q}`, ids["Abroad"]), nil)
	all, _ = d.views()
	want = []string{"customer.search Friends a", "customer.search Late orders b", "order.search late orders toraja"}
	if diff := cmp.Diff(want, all); diff != "" {
		t.Errorf("after one was renamed and one removed (-want +kept):\n%s", diff)
	}

	d.as("clerk")
	if all, _ := d.views(); all != nil {
		t.Errorf("the clerk sees those of the owner: %v", all)
	}
	d.refused("view.remove", jsonf(`{"viewId":%q}`, ids["Regulars"]), bus.NotFound, bus.ReasonRecord)
	d.refused("view.save", jsonf(`{"viewId":%q,"list":"order.search","name":"Mine","values":{}}`, ids["Regulars"]),
		bus.NotFound, bus.ReasonRecord)
}

func TestViewsHaveBounds(t *testing.T) {
	d := openSample(t, "owner")
	for _, args := range []string{
		`{"list":"order.search","name":"  ","values":{}}`, `{"list":"orders","name":"A","values":{}}`,
		jsonf(`{"list":"order.search","name":"A","values":{"query":%q}}`, strings.Repeat("x", 4000)),
	} {
		d.refused("view.save", args, bus.Validation, bus.ReasonArguments)
	}
	for i := range 100 {
		d.saveView("order.search", fmt.Sprint("View ", i), "")
	}
	d.refused("view.save", `{"list":"order.search","name":"One more","values":{}}`, bus.PreconditionFailed, bus.ReasonState)
	d.saveView("order.search", "View 7", "changed")
}

// TestAnErasedCustomerIsInNoView: for views of any person, and all data that identify the customer.
func TestAnErasedCustomerIsInNoView(t *testing.T) {
	d := openSample(t, "owner")
	var made struct{ CustomerID string }
	d.must("customer.create", `{"name":"Zebulon Quixotry","email":"zeb@example.com"}`, &made)
	d.must("view.save", jsonf(`{"list":"order.search","name":"By id","values":{"customerId":%q}}`, made.CustomerID), nil)
	d.saveView("order.search", "Other", "quick")
	d.as("clerk")
	d.saveView("customer.search", "By name", "zebulon  QUIXOTRY")
	d.saveView("customer.search", "Zeb@example.com", "")
	d.as("owner")
	d.must("customer.erase", jsonf(`{"customerId":%q}`, made.CustomerID), nil)
	if all, _ := d.views(); fmt.Sprint(all) != "[order.search Other quick]" {
		t.Errorf("the owner keeps %v", all)
	}
	d.as("clerk")
	if all, _ := d.views(); all != nil {
		t.Errorf("the clerk keeps %v", all)
	}
}
