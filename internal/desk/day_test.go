package desk_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/deskhand/deskhand/audit"
	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/internal/desk"
	"github.com/deskhand/deskhand/internal/desk/desktest"
)

const (
	closeWith    = `{"counted":{"amount":500,"currency":"USD"}}`
	putIn        = `{"amount":{"amount":500,"currency":"USD"},"reason":"Change"}`
	expectedCash = `"expected":{"amount":500`
)

// through invokes a capability through a door: "till:Window".
func through(t *testing.T, d *desk.Desk, door, name, args string) bus.Result {
	t.Helper()
	person := d.Person
	person.Door = door
	return d.Bus.Invoke(t.Context(), bus.Invocation{Capability: name, Arguments: json.RawMessage(args), Principal: person,
		Caller: bus.Caller{Type: bus.CallerUI}})
}

// TestADraftDoesNotClose: cash that moved on it is in the next closing of the desk that merges it.
func TestADraftDoesNotClose(t *testing.T) {
	s := openDraft(t)
	did(t, s.draft, "cash.move", json.RawMessage(putIn), nil)
	r := through(t, s.draft, "window", "day.close", closeWith)
	if r.Err == nil || r.Err.Code != bus.PreconditionFailed || !strings.Contains(r.Err.Message, "draft") {
		t.Errorf("%+v %v", r, r.Err)
	}
	if r := through(t, s.live, "window", "day.close", closeWith); !r.OK() || !strings.Contains(string(r.Data),
		`"expected":{"amount":0`) {
		t.Errorf("%s %v", r.Data, r.Err)
	}
	did(t, s.live, "draft.merge", map[string]string{"draftId": s.id}, nil)
	if r := through(t, s.live, "window", "day.preview", `{}`); !strings.Contains(string(r.Data), `"moved":{"amount":500`) {
		t.Errorf("%s %v", r.Data, r.Err)
	}
}

// TestAClosingIsTheSameWhenItIsReplayed: its desk, its number and the head of the log.
func TestAClosingIsTheSameWhenItIsReplayed(t *testing.T) {
	d := desktest.Sample(t, desk.Options{Allow: true})
	for _, door := range []string{"window", "till:Window"} {
		for _, call := range [][2]string{{"cash.move", putIn}, {"day.close", closeWith}} {
			if r := through(t, d, door, call[0], call[1]); !r.OK() || call[0] == "day.close" &&
				!strings.Contains(string(r.Data), expectedCash) {
				t.Fatalf("%s %v", r.Data, r.Err)
			}
		}
	}
	var run audit.ReplayReport
	did(t, d, "audit.replay", map[string]int64{"from": 2}, &run)
	if run.Different > 0 || slices.ContainsFunc(run.Notable, func(r audit.Replayed) bool {
		return r.Capability == "day.close"
	}) {
		t.Errorf("%+v", run)
	}
}

// TestClosingsGoOnAfterARestore behind the numbers that were given since the copy.
func TestClosingsGoOnAfterARestore(t *testing.T) {
	d := desktest.Sample(t, desk.Options{Allow: true, Clock: func() time.Time { return time.Now() }})
	var c struct{ ClosingNumber, HeadSeq int64 }
	closes := func() {
		t.Helper()
		desktest.Must(t, d, bus.CallerUI, "day.close", closeWith, &c)
	}
	closes()
	desktest.Must(t, d, bus.CallerUI, "shop.backup", `{}`, nil)
	closes()
	closes()
	if r := through(t, d, "window", "shop.restore", `{}`); !r.OK() {
		t.Fatal(r.Err)
	}
	if closes(); c.ClosingNumber != 4 {
		t.Errorf("%+v", c)
	}
	v, err := d.Log.VerifyState(t.Context(), nil)
	if err != nil || !v.OK {
		t.Errorf("%+v %v", v, err)
	}
}
