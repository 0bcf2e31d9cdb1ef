package cli

import (
	"bytes"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/deskhand/deskhand/audit"
	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/internal/desk"
	"github.com/deskhand/deskhand/internal/desk/desktest"
)

func TestATraceShowsTheEvents(t *testing.T) {
	d := desktest.Sample(t, desk.Options{Allow: true})
	r := desktest.Must(t, d, bus.CallerTest, "theme.set", `{"theme":"contrast"}`, nil)
	if len(r.Events) == 0 {
		t.Fatal("it has no events")
	}
	var out bytes.Buffer
	term := &terminal{Process: Process{Out: &out}, ctx: t.Context(), flags: &commands{}}
	trace, err := d.Log.Trace(t.Context(), r.RequestID)
	if err != nil {
		t.Fatal(err)
	}
	term.traced(trace.Records[0])
	want := "event  stateChange · " + r.Events[0].Domain + " · " + r.Events[0].Summary
	if !strings.Contains(out.String(), want) {
		t.Errorf("no %q in %s", want, &out)
	}
}

// TestARecordNamesWhoDidIt: the kind of caller, the person, the model or the client, and the till, in both texts.
func TestARecordNamesWhoDidIt(t *testing.T) {
	model := &bus.ModelID{Name: "probe"}
	for want, of := range map[string]func(r *audit.Record){
		"ui, kim":                         func(r *audit.Record) { r.Caller.Type, r.Caller.Door = "ui", "window" },
		"ui, kim, till Stockroom":         func(r *audit.Record) { r.Caller.Type, r.Caller.Door = "ui", "till:Stockroom" },
		"agent, kim, client probe":        func(r *audit.Record) { r.Caller.Type, r.Caller.Door, r.Model = "agent", "mcp", model },
		"agent, kim, model probe":         func(r *audit.Record) { r.Caller.Type, r.Caller.Door, r.Model = "agent", "bridge", model },
		"agent, kim, model probe, till B": func(r *audit.Record) { r.Caller.Type, r.Caller.Door, r.Model = "agent", "bridge:B", model },
	} {
		var r audit.Record
		r.Caller.Person, r.Status, r.Capability = "kim", bus.StatusSuccess, "order.ship"
		of(&r)
		var list, trace bytes.Buffer
		term := &terminal{Process: Process{Out: &list}, ctx: t.Context(), flags: &commands{}}
		if err := term.records([]audit.Record{r}); err != nil {
			t.Fatal(err)
		}
		term.Out = &trace
		term.traced(r)
		if !strings.Contains(list.String(), "  "+want+"  order.ship") || !strings.Contains(trace.String(), "by  "+want+"\n") {
			t.Errorf("no %q in\n%s%s", want, &list, &trace)
		}
	}
}

func TestACallThatWasTriedOutIsShownAsOne(t *testing.T) {
	tried := audit.Record{Record: bus.Record{DryRun: true, Status: bus.StatusSuccess, Capability: "order.cancel"}}
	failed := audit.Record{Record: bus.Record{DryRun: true, Status: bus.StatusError, Code: bus.NotFound}}
	done := audit.Record{Record: bus.Record{Status: bus.StatusSuccess, Capability: "order.ship"}}
	var list, trace bytes.Buffer
	term := &terminal{Process: Process{Out: &list}, ctx: t.Context(), flags: &commands{}}
	if err := term.records([]audit.Record{tried, failed, done}); err != nil {
		t.Fatal(err)
	}
	term.Out = &trace
	for _, r := range []audit.Record{tried, failed, done} {
		term.traced(r)
	}
	for name, said := range map[string]string{"list": list.String(), "trace": trace.String()} {
		if strings.Count(said, "tried out") != 1 || strings.Count(said, "success") != 1 ||
			strings.Count(said, "NOT_FOUND") != 1 {
			t.Errorf("the %s says %s", name, said)
		}
	}
}

func TestAChangedRowIsPrintedAsPeopleReadIt(t *testing.T) {
	at := time.Date(2026, 3, 9, 8, 5, 0, 0, time.Local)
	for want, e := range map[string]bus.Effect{
		"insert orders W1: placed_at 2026-03-09 08:05:00, total 4783": {Table: "orders", Op: bus.Insert,
			Key: map[string]any{"id": "W1"}, After: map[string]any{"id": "W1", "placed_at": at.UnixMilli(),
				"delivered_at": 0, "search_fold": " w1 ana ", "total": 4783}},
		"update variants v1: at 0 → 2026-03-09 08:05:00, compare_at 1900 → 2100": {Table: "variants", Op: bus.Update,
			Key:    map[string]any{"id": "v1"},
			Before: map[string]any{"at": 0, "compare_at": 1900, "name_fold": " a "},
			After:  map[string]any{"at": float64(at.UnixMilli()), "compare_at": 2100, "name_fold": " b "}},
	} {
		if got := effectLine(e); got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	}
}

func TestGenSaysThatAFolderIsMissing(t *testing.T) {
	missing := filepath.Join(t.TempDir(), "none")
	term := &terminal{Process: Process{Out: &bytes.Buffer{}}, ctx: t.Context(), flags: &commands{}}
	for _, c := range []genCommand{{TS: missing}, {Go: missing}} {
		if err := c.Run(term); err == nil || err.Error() != missing+" is not a folder: make it first, or name another one" {
			t.Errorf("%+v: %v", c, err)
		}
	}
}
