package audit_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/deskhand/deskhand/audit"
	"github.com/deskhand/deskhand/audit/capabilities"
	"github.com/deskhand/deskhand/bus"
)

// holds: U8
func TestU8StatisticsSayHowCapabilitiesAndTrustFared(t *testing.T) {
	l := newLog(t)
	for ms := range int64(100) { // a person's, 1 to 100 ms
		e := entry("r")
		e.Result.ExecutionTime = time.Duration(ms+1) * time.Millisecond
		e.Read = ms%2 == 0
		must(t, l.Record(context.Background(), e))
	}
	e := entry("again")
	e.Result.Replayed, e.Result.ExecutionTime = true, 1000*time.Second
	must(t, l.Record(context.Background(), e))
	e = failed("no", bus.Conflict, bus.ReasonBusy)
	e.Started = epoch.Add(48 * time.Hour)
	must(t, l.Record(context.Background(), e))
	for i, d := range []*bus.Decision{
		nil, {Rule: bus.RuleAllow}, {Rule: bus.RuleConfirm, GrantID: "g"},
		{Answer: "allow", Asked: 900 * time.Millisecond}, {Answer: "allow", Asked: 1900 * time.Millisecond}, {Answer: "deny", Asked: time.Minute},
		{Answer: "edit", Asked: 7 * time.Second}, {Answer: "expired", Asked: 10 * time.Minute}, {Answer: "nobody"},
	} {
		e := entry("a")
		e.Invocation.Caller.Type, e.Invocation.Capability, e.Decision = bus.CallerAgent, "order.cancel", d
		if i > 0 {
			e.SideEffect = bus.Destructive
		}
		must(t, l.Record(context.Background(), e))
	}
	got, err := l.Stats(context.Background(), epoch.UnixMilli()+1, epoch.Add(time.Hour).UnixMilli()-1)
	must(t, err)
	want := audit.Stats{From: epoch.UnixMilli(), To: epoch.Add(time.Hour).UnixMilli(),
		Capabilities: []audit.CapabilityStats{
			{Capability: "item.add", Caller: "ui", Calls: 101, P50: 50, P95: 100},
			{Capability: "order.cancel", Caller: "agent", Calls: 9, P50: 3, P95: 3},
		},
		Trust: audit.Trust{Calls: 9, Risky: 8, Asked: 6, Allowed: 2, Edited: 1, Declined: 1, Expired: 1, Nobody: 1, Grants: 1,
			MedianToDecide: 2000,
			ByCapability: []audit.CapabilityTrust{{Capability: "order.cancel", SideEffect: "destructive",
				Answers: map[string]int64{"allow": 2, "deny": 1, "edit": 1, "expired": 1, "nobody": 1, "grant": 1}}}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	all, err := l.Stats(context.Background(), 0, 0)
	must(t, err)
	if c := all.Capabilities[0]; c.Calls != 102 || c.Failures[bus.Conflict] != 1 || all.From != 0 || all.To != 0 {
		t.Errorf("everything: %+v", all)
	}
	none, err := l.Stats(context.Background(), epoch.Add(72*time.Hour).UnixMilli(), 0)
	must(t, err)
	if len(none.Capabilities) != 0 || none.Trust.Calls != 0 {
		t.Errorf("later: %+v", none)
	}
}

// holds: U8
func TestU8StatisticsAndFacetsAreAskedThroughTheBus(t *testing.T) {
	l := newLog(t)
	b := bus.New(bus.Options{Journal: l})
	b.MustRegister(capabilities.New(l, capabilities.Options{Zone: func(context.Context) (*time.Location, error) {
		return time.FixedZone("far east", 14*60*60), nil // the day after has begun there at the epoch
	}})...)
	e := entry("r")
	e.Invocation.Caller.Type, e.SideEffect = bus.CallerAgent, bus.Destructive
	e.Result.Facts = map[string]any{"customerId": "cus_1"}
	must(t, l.Record(context.Background(), e))
	for _, tt := range []struct{ name, arguments, has string }{
		{"audit.stats", `{}`, `"risky":1`},
		{"audit.stats", `{"from":"2026-03-01","to":"2026-03-01","timeZone":"UTC"}`, `"calls":1`},
		{"audit.stats", `{"from":"2026-03-02","timeZone":"UTC"}`, `"risky":0`},
		{"audit.stats", `{"to":"2026-02-28","timeZone":"UTC"}`, `"risky":0`},
		{"audit.stats", `{"from":"2026-03-01","to":"2026-03-01"}`, `"risky":0`},
		{"audit.stats", `{"from":"2026-03-02","to":"2026-03-02"}`, `"risky":1`},
		{"audit.search", `{"subject":"cus_1"}`, `"request_id":"r"`},
		{"audit.search", `{"without":["item.add"]}`, `"records":[]`},
		{"audit.search", `{"text":"nothing"}`, `"records":[]`},
		{"audit.search", `{"sideEffect":"destructive","facets":true}`, `"callers":[{"value":"agent","records":1}`},
	} {
		r := invoke(t, b, "audit:read", tt.name, tt.arguments)
		if !r.OK() || !strings.Contains(string(r.Data), tt.has) {
			t.Errorf("%s %s: %v %s", tt.name, tt.arguments, r.Err, r.Data)
		}
	}
	for _, arguments := range []string{`{"from":"yesterday"}`, `{"from":"2026-02-30"}`,
		`{"from":"2026-03-02","to":"2026-03-01"}`, `{"timeZone":"Atlantis/Center"}`, `{"timeZone":"Local"}`} {
		if r := invoke(t, b, "audit:read", "audit.stats", arguments); r.OK() || r.Err.Code != bus.Validation {
			t.Errorf("%s: %+v", arguments, r)
		}
	}
	if r := invoke(t, b, "order:read", "audit.stats", `{}`); r.OK() || r.Err.Code != bus.Forbidden {
		t.Errorf("without the scope: %+v", r)
	}
	var schema struct {
		Properties map[string]json.RawMessage `json:"properties"`
	}
	search, _ := b.Lookup("audit.search")
	must(t, json.Unmarshal(search.InputSchema, &schema))
	if len(schema.Properties) != 22 {
		t.Errorf("filters: %d", len(schema.Properties))
	}
}
