package shop_test

import (
	"testing"

	"github.com/deskhand/deskhand/bus"
)

// stockOf is the counted stock of a variant.
func (d *desk) stockOf(variant string) int64 {
	return d.number(`SELECT stock FROM variants WHERE id = ?`, variant)
}

func TestReceivedStockIsCountedWithCostAndReference(t *testing.T) {
	d := openSample(t, "manager")
	beans, ground := d.stockOf(gujiBeans), d.stockOf(gujiGround)
	var out struct {
		Pieces int64
		Lines  []struct {
			VariantID string
			Stock     int64
		}
	}
	d.must("catalog.receiveStock", jsonf(`{"lines":[
		{"variantId":%q,"quantity":12,"cost":{"amount":950,"currency":"USD"}},{"variantId":"NL-GUJ-250-GR","quantity":5},
		{"variantId":%q,"quantity":1}],"reference":" DN 4711 "}`, gujiBeans, gujiBeans), &out)
	if out.Pieces != 18 || len(out.Lines) != 3 || out.Lines[2].Stock != beans+13 || d.stockOf(gujiBeans) != beans+13 ||
		d.stockOf(gujiGround) != ground+5 {
		t.Errorf("received %+v on %d and %d", out, beans, ground)
	}
	if got, want := d.said(), "Receive 18 pieces on 3 lines: DN 4711"; got != want {
		t.Errorf("said %q, want %q", got, want)
	}
	var p struct {
		Variants []struct {
			ID   string
			Cost *money
		}
		StockMovements []struct {
			Delta        int64
			Reason, Note string
			Cost         *money
		}
	}
	d.must("catalog.getProduct", `{"productId":"prd_guji_natural"}`, &p)
	if m := p.StockMovements[2]; m.Delta != 12 || m.Reason != "received" || m.Note != "DN 4711" || m.Cost.Amount != 950 ||
		p.StockMovements[0].Cost != nil {
		t.Errorf("movements: %+v", p.StockMovements[:3])
	}
	for _, v := range p.Variants {
		if (v.ID == gujiBeans) != (v.Cost != nil) {
			t.Errorf("cost of %s: %+v", v.ID, v.Cost)
		}
	}
	var found struct {
		Products []struct{ Variants []struct{ Cost *money } }
	}
	d.must("catalog.search", `{"query":"guji"}`, &found)
	for _, v := range found.Products[0].Variants {
		if v.Cost != nil {
			t.Error("a search says what pieces cost")
		}
	}
	d.addsUp()
}

func TestReceivingIsWholeOrNotAtAll(t *testing.T) {
	d := openSample(t, "manager")
	var made productView
	d.must("catalog.createProduct", newShirt, &made)
	before := d.hash()
	line := func(rest string) string {
		return jsonf(`{"lines":[{"variantId":%q,"quantity":2},%s]}`, gujiBeans, rest)
	}
	d.refused("catalog.receiveStock", line(`{"variantId":"SH-L","quantity":1}`), bus.PreconditionFailed, bus.ReasonState)
	d.refused("catalog.receiveStock", line(`{"variantId":"nothing","quantity":1}`), bus.NotFound, bus.ReasonRecord)
	d.refused("catalog.receiveStock", line(`{"variantId":"SH-M","quantity":0}`), bus.Validation, bus.ReasonArguments)
	r := d.refused("catalog.receiveStock", line(`{"variantId":"SH-M","quantity":1,"cost":{"amount":1,"currency":"EUR"}}`),
		bus.Validation, bus.ReasonArguments)
	if r.Violations[0].Path != "/lines/1/cost/currency" {
		t.Errorf("violations: %+v", r.Violations)
	}
	if d.hash() != before {
		t.Error("part of a delivery was received")
	}
	d.as("clerk")
	d.refused("catalog.receiveStock", `{"lines":[{"variantId":"SH-M","quantity":1}]}`, bus.Forbidden, bus.ReasonPermission)
}

// TestLowStockGoesByTheReorderLevel of each variant, unless a number is asked for.
func TestLowStockGoesByTheReorderLevel(t *testing.T) {
	d := openSample(t, "manager")
	type row struct {
		VariantID    string
		Stock, Level int64
	}
	listed := func(args string) *row {
		var out struct{ Rows []row }
		d.must("report.lowStock", args, &out)
		for _, r := range out.Rows {
			if r.VariantID == gujiBeans {
				return &r
			}
		}
		return nil
	}
	d.must("catalog.adjustStock", jsonf(`{"variantId":%q,"delta":%d}`, gujiBeans, 20-d.stockOf(gujiBeans)), nil)
	if r := listed(`{"limit":200}`); r != nil {
		t.Errorf("20 are few: %+v", r)
	}
	d.must("catalog.setReorder", jsonf(`{"variantId":%q,"level":20}`, gujiBeans), nil)
	if got, want := d.said(), "Reorder Guji Natural (250 g, Whole bean) when 20 or fewer are left"; got != want {
		t.Errorf("said %q, want %q", got, want)
	}
	if r := listed(`{"limit":200}`); r == nil || r.Level != 20 || r.Stock != 20 {
		t.Errorf("at the level: %+v", r)
	}
	if r := listed(`{"threshold":19,"limit":200}`); r != nil {
		t.Errorf("20 are not 19 or fewer: %+v", r)
	}
	d.refused("catalog.setReorder", jsonf(`{"variantId":%q,"level":20}`, gujiBeans), bus.PreconditionFailed, bus.ReasonState)
	d.must("catalog.setReorder", jsonf(`{"variantId":%q,"level":0}`, gujiBeans), nil)
	d.must("catalog.adjustStock", jsonf(`{"variantId":%q,"delta":-19}`, gujiBeans), nil)
	if r := listed(`{"limit":200}`); r != nil {
		t.Errorf("one is few of what is reordered at none: %+v", r)
	}
	d.must("catalog.setReorder", jsonf(`{"variantId":%q}`, gujiBeans), nil)
	if r := listed(`{"limit":200}`); r == nil || r.Level != 5 {
		t.Errorf("without a level: %+v", r)
	}
}
