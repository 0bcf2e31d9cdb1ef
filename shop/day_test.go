package shop_test

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/deskhand/deskhand/bus"
)

// closing is the end of a day on the wire.
type closing struct {
	Desk                                          string
	ClosingNumber, ClosedAt, Receipts, HeadSeq    int64
	FirstReceipt, LastReceipt, HeadHash, Notice   string
	Note, ClosedBy                                string
	CashBefore, CashIn, CashOut, Moved, Expected  money
	Counted, Difference, Sales, Returns, Rounding money
	LifetimeSales, LifetimeReturns, Total         money
	Methods                                       []struct {
		Method              string
		Paid, Refunded, Net money
	}
	Taxes []struct {
		RatePPM  int64
		Net, Tax money
	}
	Moves []struct {
		MoveID, Reason string
		Amount         money
	}
	LastClosingNumber, LastClosedAt int64
}

// at has the desk used through another door, as by a till: "till:Window".
func (d *desk) at(door string) { d.person.Door = door }

func (d *desk) moveCash(amount int64, reason string) bus.Result {
	d.t.Helper()
	return d.must("cash.move", jsonf(`{"amount":{"amount":%d,"currency":"USD"},"reason":%q}`, amount, reason), nil)
}

func (d *desk) close(counted int64) (c closing) {
	d.t.Helper()
	d.must("day.close", jsonf(`{"counted":{"amount":%d,"currency":"USD"}}`, counted), &c)
	return c
}

func (d *desk) preview() (c closing) {
	d.t.Helper()
	d.must("day.preview", `{}`, &c)
	return c
}

func (d *desk) closings(args string) []closing {
	d.t.Helper()
	var out struct{ Rows []closing }
	d.must("report.closings", args, &out)
	return out.Rows
}

// TestCashThatMovedIsExpectedInTheDrawer: 100.00 were put in, 20.00 taken to the bank, and 7.77 were a mistake.
func TestCashThatMovedIsExpectedInTheDrawer(t *testing.T) {
	d := openUndoable(t)
	d.moveCash(10_000, "Change")
	contains(t, d.said(), "Put $100.00 into the drawer of Main: Change")
	d.moveCash(-2_000, "Bank")
	contains(t, d.said(), "Take $20.00 out of the drawer of Main: Bank")
	wrong := d.moveCash(-777, "Bank")
	d.must("audit.undo", jsonf(`{"requestId":%q}`, wrong.RequestID), nil)
	d.at("till:Window")
	d.moveCash(500, "Change")
	d.at("window")
	if p := d.preview(); p.Desk != "Main" || p.Moved.Amount != 8_000 || p.Expected.Amount != 8_000 || len(p.Moves) != 2 {
		t.Errorf("%+v", p)
	}
	for _, args := range []string{`{"amount":{"amount":0,"currency":"USD"},"reason":"x"}`,
		`{"amount":{"amount":5,"currency":"EUR"},"reason":"x"}`, `{"amount":{"amount":5,"currency":"USD"},"reason":" "}`} {
		d.refused("cash.move", args, bus.Validation, bus.ReasonArguments)
	}
}

// TestAClosingCountsItsDeskAlone: each desk has its own numbers and cash, and continues from its last count.
func TestAClosingCountsItsDeskAlone(t *testing.T) {
	d := openUndoable(t)
	d.moveCash(10_000, "Change")
	d.at("till:Window")
	d.moveCash(500, "Change")
	d.at("window")
	first := d.close(9_990)
	if first.ClosingNumber != 1 || first.Expected.Amount != 10_000 || first.Difference.Amount != -10 ||
		first.ClosedBy != d.person.ID || first.ClosedAt != now.UnixMilli() {
		t.Errorf("%+v", first)
	}
	contains(t, first.Notice, "not a certified fiscal register")
	d.moveCash(-9_000, "Bank")
	if p := d.preview(); p.CashBefore.Amount != 9_990 || p.Expected.Amount != 990 || p.LastClosingNumber != 1 {
		t.Errorf("%+v", p)
	}
	second := d.close(990)
	d.at("till:Window")
	other := d.close(500)
	if second.ClosingNumber != 2 || second.Difference.Amount != 0 || other.ClosingNumber != 1 ||
		other.Desk != "Window" || other.Expected.Amount != 500 {
		t.Errorf("%+v\n%+v", second, other)
	}
	got := d.closings(`{"period":"today"}`)
	slices.SortFunc(got, func(a, b closing) int { return int(b.Expected.Amount - a.Expected.Amount) })
	if len(got) != 3 || got[0].Difference.Amount != -10 || got[0].Moved.Amount != 10_000 || got[2].Desk != "Window" {
		t.Errorf("%+v", got)
	}
	if rows := d.closings(`{"from":"2026-03-10","to":"2026-03-11"}`); len(rows) != 0 {
		t.Errorf("%+v", rows)
	}
}

// TestCashThatWasClosedIsNotUndone: something new takes it back. A move that comes back after a closing is in the next one.
func TestCashThatWasClosedIsNotUndone(t *testing.T) {
	d := openUndoable(t)
	d.close(0)
	moved := d.moveCash(2_000, "Change")
	taken := d.moveCash(-500, "Bank")
	undone := d.must("audit.undo", jsonf(`{"requestId":%q}`, taken.RequestID), nil)
	d.close(2_000)
	e := d.refused("audit.undo", jsonf(`{"requestId":%q}`, moved.RequestID), bus.Conflict, bus.ReasonChanged)
	contains(t, e.Message, "closed with 2")
	d.moveCash(-2_000, "Change was a mistake")
	if p := d.preview(); p.Expected.Amount != 0 {
		t.Errorf("%+v", p)
	}
	again := d.must("audit.undo", jsonf(`{"requestId":%q}`, undone.RequestID), nil)
	if c := d.close(0); c.ClosingNumber != 3 || c.Moved.Amount != -2_500 {
		t.Errorf("%+v", c)
	}
	e = d.refused("audit.undo", jsonf(`{"requestId":%q}`, again.RequestID), bus.Conflict, bus.ReasonChanged)
	contains(t, e.Message, "closed with 3")
}

// TestAPreviewOfAClosingHasNoNumberAndNoHead: it draws none, and the next closing has no gap.
func TestAPreviewOfAClosingHasNoNumberAndNoHead(t *testing.T) {
	d := openUndoable(t)
	d.moveCash(100, "Change")
	before := d.hash()
	res := d.bus.Invoke(context.Background(), bus.Invocation{Capability: "day.close", DryRun: true, Principal: d.person,
		Arguments: json.RawMessage(`{"counted":{"amount":100,"currency":"USD"}}`), Caller: bus.Caller{Type: bus.CallerTest}})
	var c closing
	if err := json.Unmarshal(res.Data, &c); err != nil || c.ClosingNumber != 0 || c.HeadSeq != 0 || c.HeadHash != "" ||
		c.Expected.Amount != 100 {
		t.Errorf("%+v, %v, %v", c, err, res.Err)
	}
	if d.hash() != before {
		t.Error("a preview changed the shop")
	}
	seq := d.number(`SELECT MAX(seq) FROM audit_records`)
	if c := d.close(100); c.ClosingNumber != 1 || c.HeadSeq != seq || len(c.HeadHash) != 64 {
		t.Errorf("%+v, want the record %d", c, seq)
	}
}

// TestAClosingIsPrintedInTheLanguageOfDocuments, with the notice that Deskhand is no fiscal register.
func TestAClosingIsPrintedInTheLanguageOfDocuments(t *testing.T) {
	d := openSample(t, "owner")
	d.moveCash(10_000, "Wechselgeld")
	c := d.close(9_950)
	for locale, want := range map[string][]string{
		"en-US": {"Closing 1 · Main", "Wechselgeld", "$100.00", "Expected cash", "Counted", "$99.50", "-$0.50",
			"not a certified fiscal register", "Log " + fmt.Sprint(c.HeadSeq)},
		"de-DE": {"Abschluss 1 · Main", "Erwartetes Bargeld", "Gezählt", "99,50", "keine zertifizierte Registrierkasse"},
	} {
		d.must("settings.set", jsonf(`{"section":"shop","values":{"locale":%q}}`, locale), nil)
		for _, args := range []string{`{"kind":"closing","format":"pdf","closingNumber":1}`,
			`{"kind":"closing","format":"pdf","desk":"Main","period":"today"}`} {
			pdf, _, _ := d.document(args)
			page := strings.Join(printed(t, pdf)[0], "\n")
			for _, words := range want {
				contains(t, page, words)
			}
		}
	}
	d.must("document.export", `{"kind":"closing","format":"csv","period":"today"}`, nil)
	d.refused("document.export", `{"kind":"closing","format":"pdf","closingNumber":2}`, bus.NotFound, bus.ReasonRecord)
	d.refused("document.export", `{"kind":"closing","format":"pdf","period":"yesterday"}`, bus.PreconditionFailed,
		bus.ReasonState)
	d.refused("document.export", `{"kind":"sales","format":"pdf","closingNumber":2}`, bus.Validation, bus.ReasonArguments)
}
