package audit_test

import (
	"context"
	"encoding/json"
	"testing"
	"time"

	"github.com/deskhand/deskhand/audit"
	"github.com/deskhand/deskhand/bus"
)

// holds: U9
func TestU9PurgedRecordsAreNoLongerFoundByTheirWords(t *testing.T) {
	l, _ := aged(t, &drawer{}, 25)
	ctx := context.Background()
	words := audit.Query{Text: "example", Limit: 100}
	found := func() int {
		page, err := l.Search(ctx, words)
		must(t, err)
		return len(page.Records)
	}
	for n := range 5 {
		e := entry("late " + string(rune('a'+n)))
		e.Summary, e.Started = "An example of words", epoch.Add(-time.Hour)
		must(t, l.Record(ctx, e))
	}
	if n := found(); n != 5 {
		t.Fatalf("%d found before", n)
	}
	b := bus.New(bus.Options{Journal: l})
	b.MustRegister(audit.PurgeCapability(l))
	owner := bus.Principal{ID: "p", Scopes: []string{"data:write"}}
	purge := func(args string, kind bus.CallerType) bus.Result {
		return b.Invoke(ctx, bus.Invocation{Capability: "data.purge", Arguments: json.RawMessage(args),
			Caller: bus.Caller{Type: kind}, Principal: owner})
	}
	day := epoch.AddDate(0, 0, 1).Format(time.DateOnly)
	if r := purge(`{"before":"`+day+`"}`, bus.CallerAgent); r.Err == nil || r.Err.Reason != bus.ReasonAgentForbidden {
		t.Errorf("an agent purged: %+v", r)
	}
	if r := purge(`{"before":"yesterday"}`, bus.CallerUI); r.Err == nil || r.Err.Code != bus.Validation {
		t.Errorf("a wrong day: %+v", r)
	}
	r := purge(`{"before":"`+day+`"}`, bus.CallerUI)
	if !r.OK() || string(r.Data) != `{"segments":3,"records":30,"upTo":30}` {
		t.Fatalf("%s %v", r.Data, r.Err)
	}
	if n := found(); n != 0 {
		t.Errorf("%d found after", n)
	}
	if v := check(t, l); !v.OK {
		t.Errorf("%+v", v)
	}
}
