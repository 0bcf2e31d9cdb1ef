package till_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/deskhand/deskhand/audit"
	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/internal/desk"
	"github.com/deskhand/deskhand/internal/desk/desktest"
)

var signIn = `{"capability":"session.signIn","arguments":` + desktest.SignIn("mara_lindqvist") + `}`

// TestATillRunsItsOwnAtOnceAndTheHostRecordsIt: a page is opened without a link, and recorded once when there is one
// again. The window is told of it once.
//
// holds: N2
func TestATillRunsItsOwnAtOnceAndTheHostRecordsIt(t *testing.T) {
	folder := desktest.StaffedShop(t)
	d := desktest.Open(t, desk.Options{Folder: folder, PIN: desktest.PIN})
	l := &line{t: t, session: tillOf(t, folder)}
	c, s := start(t, l)
	if r := c.Invoke(signIn); !strings.Contains(r, `"success"`) {
		t.Fatal(r)
	}
	l.cut(true)
	s.await(t, `["down"]`, 1)
	for i, page := range []string{"orders", "catalog", "nowhere"} {
		r := c.Invoke(fmt.Sprintf(`{"capability":"navigation.go","request_id":"req_%d","arguments":{"page":%q}}`, i, page))
		if want := map[bool]string{true: `"success"`, false: `"VALIDATION"`}[i < 2]; !strings.Contains(r, want) {
			t.Fatalf("%s: %s", page, r)
		}
	}
	s.await(t, `"domain":"navigation"`, 2)
	l.cut(false)
	s.await(t, `["up"]`, 2)
	s.await(t, `"invocation","request_id":"req_2"`, 1)
	if shown := s.shown(`"domain":"navigation"`); len(shown) != 2 {
		t.Errorf("shown: %q", shown)
	}
	found, err := d.Log.Search(t.Context(), audit.Query{Capability: "navigation.go"})
	if err != nil || len(found.Records) != 3 {
		t.Fatalf("%d records, %v", len(found.Records), err)
	}
	for i, r := range found.Records { // newest first
		who := r.Caller
		if r.RequestID != fmt.Sprint("req_", 2-i) || who.Door != "till:Stockroom" || who.Person != "mara_lindqvist" {
			t.Errorf("%s at %s by %s", r.RequestID, r.Caller.Door, r.Caller.Person)
		}
	}
}

// TestAModelCannotTellWhereItsToolRuns: the assistant opens a page at the till. While that has no link the same tool
// fails as something that can be tried again, and no page is opened afterwards.
//
// holds: N2
func TestAModelCannotTellWhereItsToolRuns(t *testing.T) {
	folder := desktest.StaffedShop(t)
	var at *desk.Desk
	session := tillWith(t, folder, nil, func(d *desk.Desk) { at = d })
	l := &line{t: t, session: session}
	c, s := start(t, l)
	c.Invoke(signIn)
	c.Send(`{"text":"open the orders page"}`)
	s.await(t, `"type":"turn_ended"`, 1)
	opened := slices.DeleteFunc(s.shown(`"ids":["orders"]`), func(e string) bool { return !strings.HasPrefix(e, "bus ") })
	if len(opened) != 1 {
		t.Errorf("shown: %q", opened)
	}
	l.cut(true)
	s.await(t, `["down"]`, 1)
	inv := bus.Invocation{Capability: "navigation.go", Arguments: []byte(`{"page":"reports"}`),
		Principal: at.SignedIn(t.Context()), Caller: bus.Caller{Type: bus.CallerAgent}}
	for _, dry := range []bool{true, false} {
		inv.DryRun = dry
		if r := at.Bus.Invoke(t.Context(), inv); dry != r.OK() || !dry && r.Err.Code != bus.Transient {
			t.Errorf("dry %v: %v", dry, r.Err)
		}
	}
	l.cut(false)
	s.await(t, `["up"]`, 2)
	c.Invoke(`{"capability":"navigation.go","arguments":{"page":"catalog"}}`)
	s.await(t, `["catalog"]`, 1)
	if shown := s.shown(`["reports"]`); len(shown) != 0 {
		t.Errorf("shown: %q", shown)
	}
}

// TestATillOfAnotherMakeIsToldSo: a host works with a till only whose own capabilities are those that it knows.
//
// holds: N1
func TestATillOfAnotherMakeIsToldSo(t *testing.T) {
	l := &line{t: t, session: tillOf(t, desktest.StaffedShop(t))}
	newer, more := desk.OfWindow(), desk.OfWindow()
	newer[0].Version = "2.0.0"
	stolen := more[1]
	stolen.Name = "order.refund"
	for want, own := range map[string][]bus.Capability{
		"has version 2.0.0 of navigation.go, and the shop's host needs version 1.0.0": newer,
		"lacks modal.open":    more[:1],
		"brings order.refund": append(more, stolen),
	} {
		c, _ := start(t, l, own...)
		if r := c.Invoke(signIn); !strings.Contains(r, want) || !strings.Contains(r, "Install the same version") {
			t.Errorf("want %s, got %s", want, r)
		}
	}
	c, _ := start(t, l)
	if r := c.Invoke(signIn); !strings.Contains(r, `"success"`) {
		t.Error(r)
	}
}
