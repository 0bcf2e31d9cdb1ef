package cli

import (
	"bytes"
	"path/filepath"
	"strings"
	"testing"

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

func TestGenSaysThatAFolderIsMissing(t *testing.T) {
	missing := filepath.Join(t.TempDir(), "none")
	term := &terminal{Process: Process{Out: &bytes.Buffer{}}, ctx: t.Context(), flags: &commands{}}
	for _, c := range []genCommand{{TS: missing}, {Go: missing}} {
		if err := c.Run(term); err == nil || err.Error() != missing+" is not a folder: make it first, or name another one" {
			t.Errorf("%+v: %v", c, err)
		}
	}
}
