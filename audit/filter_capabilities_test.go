package audit_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/deskhand/deskhand/audit"
	"github.com/deskhand/deskhand/audit/capabilities"
	"github.com/deskhand/deskhand/bus"
)

func filterer(t *testing.T) (l *audit.Log, as func(person, name, arguments string) bus.Result) {
	t.Helper()
	l = newLog(t)
	b := bus.New(bus.Options{Journal: l})
	b.MustRegister(capabilities.New(l, capabilities.Options{})...)
	return l, func(person, name, arguments string) bus.Result {
		return b.Invoke(context.Background(), bus.Invocation{Capability: name, Arguments: json.RawMessage(arguments),
			Caller: bus.Caller{Type: bus.CallerUI}, Principal: bus.Principal{ID: person, Scopes: []string{"audit:read"}}})
	}
}

func erasureTerms(t *testing.T, r bus.Result) (list []string) {
	t.Helper()
	ok(t, r)
	var out struct {
		Filters []struct {
			Name   string
			Filter struct{ Capability, Text string }
		}
	}
	must(t, json.Unmarshal(r.Data, &out))
	for _, f := range out.Filters {
		list = append(list, f.Name+": "+f.Filter.Capability+f.Filter.Text)
	}
	return list
}

func TestEachPersonKeepsTheirOwnFilters(t *testing.T) {
	_, as := filterer(t)
	ok(t, as("ann", "audit.saveFilter",
		`{"name":" Refunds ","filter":{"capability":"order.cancel","callerType":"agent"}}`))
	ok(t, as("ann", "audit.saveFilter", `{"name":"Errors","filter":{"status":"error"}}`))
	ok(t, as("ben", "audit.saveFilter", `{"name":"Refunds","filter":{"capability":"order.changeItems"}}`))
	again := as("ann", "audit.saveFilter", `{"name":"Refunds","filter":{"capability":"order.return"}}`)
	if ok(t, again); string(again.Data) != `{"name":"Refunds","replaced":true}` {
		t.Errorf("replaced: %s", again.Data)
	}
	if got := fmt.Sprint(erasureTerms(t, as("ann", "audit.listFilters", `{}`)),
		erasureTerms(t, as("ben", "audit.listFilters", `{}`)), erasureTerms(t, as("cam", "audit.listFilters", `{}`))); got !=
		"[Errors:  Refunds: order.return] [Refunds: order.changeItems] []" {
		t.Error(got)
	}
	refusedAs(t, as("cam", "audit.deleteFilter", `{"name":"Refunds"}`), bus.NotFound, bus.ReasonRecord,
		"no filter called Refunds")
	ok(t, as("ann", "audit.deleteFilter", `{"name":"Refunds"}`))
	if got := fmt.Sprint(erasureTerms(t, as("ann", "audit.listFilters", `{}`)),
		erasureTerms(t, as("ben", "audit.listFilters", `{}`))); got != "[Errors: ] [Refunds: order.changeItems]" {
		t.Error(got)
	}
}

func TestAFilterIsOneThatASearchTakes(t *testing.T) {
	_, as := filterer(t)
	for _, bad := range []string{`{"name":"x","filter":{"status":"odd"}}`, `{"name":"x","filter":{"limit":5}}`,
		`{"name":"x"}`, `{"name":"","filter":{}}`, `{"name":"  ","filter":{}}`} {
		if r := as("ann", "audit.saveFilter", bad); r.OK() || r.Err.Code != bus.Validation {
			t.Errorf("%s: %+v", bad, r)
		}
	}
	for n := range 100 {
		ok(t, as("ann", "audit.saveFilter", fmt.Sprintf(`{"name":"f%d","filter":{}}`, n)))
	}
	refusedAs(t, as("ann", "audit.saveFilter", `{"name":"more","filter":{}}`), bus.PreconditionFailed, bus.ReasonState,
		"100 filters")
	ok(t, as("ann", "audit.saveFilter", `{"name":"f7","filter":{"from":"2026-11-01","to":"2026-11-30"}}`))
	if r := as("ann", "audit.listFilters", `{}`); !strings.Contains(string(r.Data), `"from":"2026-11-01","to":"2026-11-30"`) {
		t.Errorf("the days of a filter are lost: %s", r.Data)
	}
}

func TestFiltersThatMentionSomebodyAreErasedToo(t *testing.T) {
	l, as := filterer(t)
	ok(t, as("ann", "audit.saveFilter", `{"name":"About Zofia","filter":{}}`))
	ok(t, as("ann", "audit.saveFilter", `{"name":"her","filter":{"text":"zofia.w@example.org"}}`))
	ok(t, as("ann", "audit.saveFilter", `{"name":"other","filter":{"text":"anna"}}`))
	must(t, l.Do(context.Background(), entry("erase"), func(ctx context.Context, _ bus.Exec) error {
		_, err := l.Erase(ctx, "Zofia", "zofia.w@example.org")
		return err
	}))
	if got := fmt.Sprint(erasureTerms(t, as("ann", "audit.listFilters", `{}`))); got != "[other: anna]" {
		t.Error(got)
	}
}
