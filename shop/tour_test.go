package shop_test

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/shop"
)

type tourView struct {
	ID, State string
	Steps     []struct{ ID, Title, Capability, Subject, Page, PageID, State string }
}

type toursView struct {
	Tours                []tourView
	Running, Step, Offer string
}

// tours are the tours of the person at the desk, and where that person is.
func (d *desk) tours() (v toursView) {
	d.t.Helper()
	d.must("tour.get", `{}`, &v)
	return v
}

func (v toursView) at() [3]string { return [3]string{v.Running, v.Step, v.Offer} }

// TestATourIsOfferedTakenLeftAndGoneOnWith: each person has separate progress, a completed step is not repeated, and a
// finished tour starts again.
func TestATourIsOfferedTakenLeftAndGoneOnWith(t *testing.T) {
	d := openSample(t, "clerk")
	at := func(when, running, step, offer string) {
		t.Helper()
		if got, want := d.tours().at(), [3]string{running, step, offer}; got != want {
			t.Fatalf("%s: running, step, offer are %q, want %q", when, got, want)
		}
	}
	at("at first", "", "", "desk")
	d.refused("tour.mark", `{"tour":"desk","step":"customer","as":"done"}`, bus.PreconditionFailed, bus.ReasonState)
	d.refused("tour.start", `{"tour":"setup"}`, bus.NotFound, bus.ReasonRecord)
	d.must("tour.start", `{"tour":"desk"}`, nil)
	at("begun", "desk", "customer", "")
	d.must("tour.mark", `{"tour":"desk","step":"item","as":"done"}`, nil) // out of order
	at("a later one done", "desk", "customer", "")
	d.must("tour.mark", `{"tour":"desk","step":"customer","as":"skipped"}`, nil)
	at("the first left out", "desk", "discount", "")
	d.must("tour.leave", `{"tour":"desk"}`, nil)
	at("left", "", "", "")
	d.must("tour.start", `{"tour":"desk"}`, nil)
	at("gone on with", "desk", "discount", "")
	d.refused("tour.mark", `{"tour":"desk","step":"dance","as":"done"}`, bus.NotFound, bus.ReasonRecord)
	for _, step := range []string{"discount", "order", "note", "record"} {
		d.must("tour.mark", jsonf(`{"tour":"desk","step":%q,"as":"done"}`, step), nil)
	}
	at("finished", "", "", "")
	if v := d.tours(); v.Tours[0].State != "finished" || v.Tours[0].Steps[0].State != "skipped" ||
		v.Tours[0].Steps[1].State != "done" {
		t.Errorf("%+v", v.Tours[0])
	}
	d.must("tour.start", `{"tour":"desk"}`, nil)
	at("begun anew", "desk", "customer", "")
	d.as("manager")
	at("of somebody else", "", "", "desk")
}

// TestAnEmptyShopOffersToSetItUp: to its owner, until there is something to sell,
// and the desk when that is done.
func TestAnEmptyShopOffersToSetItUp(t *testing.T) {
	d := openEmpty(t)
	d.must("shop.setUp", `{"from":"empty","name":"Corner Shop"}`, nil)
	d.as("owner")
	if got := d.tours().Offer; got != "setup" {
		t.Fatalf("offers %q", got)
	}
	d.must("tour.start", `{"tour":"setup"}`, nil)
	for _, s := range d.tours().Tours[0].Steps {
		d.must("tour.mark", jsonf(`{"tour":"setup","step":%q,"as":"skipped"}`, s.ID), nil)
	}
	if got := d.tours().at(); got != [3]string{"", "", "desk"} {
		t.Errorf("then %q", got)
	}
}

// TestEveryStepIsDoneWithSomethingReal: a capability of the shop that changes
// something, and with a subject one that tells of it first.
func TestEveryStepIsDoneWithSomethingReal(t *testing.T) {
	d := openSample(t, "owner")
	subjects := map[string]string{
		"settings.set shop":     `{"section":"shop","values":{"name":"New Leaf"}}`,
		"settings.set tax":      `{"section":"tax","values":{"classes":[{"id":"standard","name":"Goods","ratePpm":50000},{"id":"food","name":"Food","ratePpm":0},{"id":"none","name":"None","ratePpm":0}]}}`,
		"settings.set shipping": `{"section":"shipping","values":{"methods":[{"id":"standard","name":"Post","price":{"amount":100,"currency":"USD"},"days":2}]}}`,
		"navigation.go audit":   `{"page":"audit"}`,
	}
	for _, tour := range d.tours().Tours {
		for _, s := range tour.Steps {
			c, found := d.bus.Lookup(s.Capability)
			if !found || c.SideEffect == bus.Pure {
				t.Errorf("%s: %s is nothing a person does", s.Title, s.Capability)
			}
			if s.Subject == "" {
				continue
			}
			r := d.invoke(s.Capability, subjects[s.Capability+" "+s.Subject])
			if !r.OK() {
				t.Errorf("%s: %v", s.Title, r.Err)
				continue
			}
			if !slices.ContainsFunc(r.Events, func(e bus.Event) bool {
				return e.Type == bus.EventStateChange && len(e.IDs) > 0 && e.IDs[0] == s.Subject
			}) {
				t.Errorf("%s: nobody hears of %s: %+v", s.Title, s.Subject, r.Events)
			}
		}
	}
}

// TestE4AModelIsToldTheStepOfTheTour.
// holds: E4
func TestE4AModelIsToldTheStepOfTheTour(t *testing.T) {
	d := openSample(t, "clerk")
	told := func() string {
		var state any
		err := d.log.View(context.Background(), func(ctx context.Context) (err error) {
			state, err = shop.Context(ctx, d.person)
			return err
		})
		text, _ := json.Marshal(state)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	if got := told(); strings.Contains(got, "tour") {
		t.Errorf("without one: %s", got)
	}
	d.must("tour.start", `{"tour":"desk"}`, nil)
	d.must("tour.mark", `{"tour":"desk","step":"customer","as":"done"}`, nil)
	if got := told(); !strings.Contains(got,
		`"tour":{"tour":"A tour of the desk","step":"Put something into the cart","doneWith":"cart.addItem"}`) {
		t.Errorf("with one: %s", got)
	}
}
