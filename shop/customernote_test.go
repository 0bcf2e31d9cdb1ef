package shop_test

import (
	"testing"

	"github.com/deskhand/deskhand/bus"
)

// TestANoteIsKeptOnACustomer: with its day and author. It can be undone, moves with the shop and is erased with the
// customer.
func TestANoteIsKeptOnACustomer(t *testing.T) {
	d := openUndoable(t)
	before := d.hash()
	ana := d.ana()
	notes := func() (all []string) {
		var out struct{ Notes []struct{ Text, By string } }
		d.must("customer.get", jsonf(`{"customerId":%q}`, ana), &out)
		for _, n := range out.Notes {
			all = append(all, n.Text+" by "+n.By)
		}
		return all
	}
	first := d.must("customer.addNote", jsonf(`{"customerId":%q,"text":" Rings twice. "}`, ana), nil)
	if got, want := d.said(), "Add a note to the customer Ana Ruiz: “Rings twice.”"; got != want {
		t.Errorf("said %q", got)
	}
	d.must("audit.undo", jsonf(`{"requestId":%q}`, first.RequestID), nil)
	if d.hash() != before || len(notes()) != 0 {
		t.Errorf("it was not taken back: %v", notes())
	}
	d.must("customer.addNote", jsonf(`{"customerId":%q,"text":"Allergic to nuts"}`, ana), nil)
	if got := notes(); len(got) != 1 || got[0] != "Allergic to nuts by Mara Lindqvist" {
		t.Errorf("%v", got)
	}
	d.refused("customer.addNote", jsonf(`{"customerId":%q,"text":"  "}`, ana), bus.Validation, bus.ReasonArguments)
}
