package mcp_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/internal/desk"
	"github.com/deskhand/deskhand/internal/desk/desktest"
	"github.com/deskhand/deskhand/internal/mcp"
)

// TestR2AClientIsEnrolled: no client works here before a person enrolled it; it has a part of that person's rights, up
// to an end; what ended is refused at the next call, also in a session that goes on, and recorded.
//
// holds: R2
func TestR2AClientIsEnrolled(t *testing.T) {
	c := connect(t, "", func(o *mcp.Options, d *desk.Desk) {
		o.Who = func(ctx context.Context) (bus.Principal, error) { return d.Client(ctx, "probe") }
	})
	do := func(name string, args map[string]any) bus.Result {
		t.Helper()
		r, err := c.desk.Invoke(t.Context(), name, args, "test")
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	refuses := func(want string) {
		t.Helper()
		got := c.call("catalog_search", `{"query":"Guji"}`)
		if !got.wrong || got.Code != bus.Forbidden || !strings.Contains(got.Message+got.Hint, want) {
			t.Errorf("%+v", got)
		}
	}
	refuses("deskhand mcp enrol probe")
	if r := do("assistant.enrolClient", map[string]any{"name": "probe", "scopes": []string{"catalog:read"}}); !r.OK() {
		t.Fatal(r.Err)
	}
	if got := c.call("catalog_search", `{"query":"Guji"}`); got.Status != "success" {
		t.Errorf("%+v", got)
	}
	if got := c.call("customer_search", `{"query":"Ana"}`); got.Code != bus.Forbidden || got.Reason != bus.ReasonPermission {
		t.Errorf("%+v", got)
	}
	if got := c.call("capability_call", `{"name":"assistant.enrolClient","arguments":{"name":"other"}}`); got.Code !=
		bus.Forbidden {
		t.Errorf("%+v", got)
	}
	if r := do("assistant.endClient", map[string]any{"name": "probe"}); !r.OK() {
		t.Fatal(r.Err)
	}
	refuses("not enrolled")
}

// TestR2TheTimeOfAClientEnds reads the clock of the shop.
//
// holds: R2
func TestR2TheTimeOfAClientEnds(t *testing.T) {
	now := time.Now()
	d := desktest.Sample(t, desk.Options{Clock: func() time.Time { return now }})
	r, err := d.Invoke(t.Context(), "assistant.enrolClient", map[string]any{"name": "probe", "days": 1}, "test")
	if err != nil || !r.OK() {
		t.Fatal(err, r.Err)
	}
	if who, err := d.Client(t.Context(), "probe"); err != nil || who.ID != d.Person.ID {
		t.Errorf("%+v %v", who, err)
	}
	now = now.Add(24 * time.Hour)
	if who, err := d.Client(t.Context(), "probe"); err == nil || who.ID != d.Person.ID ||
		!strings.Contains(err.Error(), "is over") {
		t.Errorf("%+v %v", who, err)
	}
}
