package audit_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/deskhand/deskhand/audit"
	"github.com/deskhand/deskhand/bus"
)

func ids(records []audit.Record) []string {
	out := []string{}
	for _, r := range records {
		out = append(out, r.RequestID)
	}
	return out
}

// at is an entry at a minute of the test's hour.
func at(request string, minute int) *bus.Entry {
	e := entry(request)
	e.Started = epoch.Add(time.Duration(minute) * time.Minute)
	return e
}

func TestSearchFilters(t *testing.T) {
	l := newLog(t)
	for i, change := range []func(e *bus.Entry){
		func(e *bus.Entry) {},
		func(e *bus.Entry) {
			e.Invocation.Caller.Type = bus.CallerAgent
			e.Invocation.Principal.ConversationID = "c1"
		},
		func(e *bus.Entry) { e.Invocation.Principal.ID = "u2" },
		func(e *bus.Entry) { e.Invocation.Capability = "item.remove" },
		func(e *bus.Entry) { e.Result = failed("", bus.Conflict, bus.ReasonBusy).Result },
		func(e *bus.Entry) {
			e.Kind, e.Result = bus.KindSchemaViolation, failed("", bus.Validation, bus.ReasonArguments).Result
		},
		func(e *bus.Entry) { e.Invocation.TraceID = "t1" },
		func(e *bus.Entry) { e.Read = true },
	} {
		e := at(fmt.Sprint("r", i), i)
		change(e)
		must(t, l.Record(context.Background(), e))
	}
	minute := func(n int) int64 { return epoch.Add(time.Duration(n) * time.Minute).UnixMilli() }
	for name, tt := range map[string]struct {
		query audit.Query
		want  []string
	}{
		"everything":         {audit.Query{}, []string{"r6", "r5", "r4", "r3", "r2", "r1", "r0"}},
		"with reads":         {audit.Query{Reads: true}, []string{"r7", "r6", "r5", "r4", "r3", "r2", "r1", "r0"}},
		"caller":             {audit.Query{CallerType: bus.CallerAgent}, []string{"r1"}},
		"conversation":       {audit.Query{ConversationID: "c1"}, []string{"r1"}},
		"person":             {audit.Query{Person: "u2"}, []string{"r2"}},
		"capability":         {audit.Query{Capability: "item.remove"}, []string{"r3"}},
		"unknown capability": {audit.Query{Capability: "order.rush"}, []string{}},
		"code":               {audit.Query{Code: bus.Conflict}, []string{"r4"}},
		"status":             {audit.Query{Status: "error"}, []string{"r5", "r4"}},
		"kind":               {audit.Query{Kind: bus.KindSchemaViolation}, []string{"r5"}},
		"trace":              {audit.Query{TraceID: "t1"}, []string{"r6"}},
		"trace of itself":    {audit.Query{TraceID: "r2"}, []string{"r2"}},
		"request":            {audit.Query{RequestID: "r3"}, []string{"r3"}},
		"time":               {audit.Query{Since: minute(2), Until: minute(4)}, []string{"r3", "r2"}},
		"several":            {audit.Query{Person: "u1", Status: "error", Code: bus.Conflict}, []string{"r4"}},
	} {
		page, err := l.Search(context.Background(), tt.query)
		must(t, err)
		if diff := cmp.Diff(tt.want, ids(page.Records)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
		if page.HasMore || page.NextCursor != "" {
			t.Errorf("%s: more to come", name)
		}
	}
}

// holds: U7
func TestU7PagesAreNotShiftedByWhatArrives(t *testing.T) {
	l := newLog(t)
	want := []string{}
	for i := range 30 {
		e := at(fmt.Sprint("r", i), i)
		e.Read = i%3 == 0
		must(t, l.Record(context.Background(), e))
		want = append([]string{fmt.Sprint("r", i)}, want...)
	}
	got := []string{}
	q := audit.Query{Reads: true, Limit: 7}
	for {
		page, err := l.Search(context.Background(), q)
		must(t, err)
		got = append(got, ids(page.Records)...)
		must(t, l.Record(context.Background(), at(fmt.Sprint("late", len(got)), 60)))
		if !page.HasMore {
			break
		}
		q.Cursor = page.NextCursor
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	var coded *bus.Error
	if _, err := l.Search(context.Background(), audit.Query{Cursor: "x"}); !errors.As(err, &coded) ||
		coded.Code != bus.Validation {
		t.Errorf("a foreign cursor: %v", err)
	}
}

// holds: U9
func TestU9TailFollowsTheLog(t *testing.T) {
	l := newLog(t)
	for i := range 10 {
		must(t, l.Record(context.Background(), entry(fmt.Sprint("r", i))))
	}
	last, err := l.Tail(context.Background(), 0, 3)
	must(t, err)
	if diff := cmp.Diff([]string{"r7", "r8", "r9"}, ids(last)); diff != "" {
		t.Errorf("last (-want +got):\n%s", diff)
	}
	must(t, l.Record(context.Background(), entry("r10")))
	next, err := l.Tail(context.Background(), last[2].Seq, 100)
	must(t, err)
	if diff := cmp.Diff([]string{"r10"}, ids(next)); diff != "" {
		t.Errorf("next (-want +got):\n%s", diff)
	}
	all, err := l.Tail(context.Background(), 0, 100)
	must(t, err)
	if len(all) != 11 {
		t.Errorf("all: %d", len(all))
	}
}

// holds: U1
func TestU1ATraceJoinsEverythingFromSentenceToEffect(t *testing.T) {
	l := newLog(t)
	put := func(request, trace, parent string, minute int, read bool) {
		e := at(request, minute)
		e.Read = read
		if trace != "" {
			e.Invocation.TraceID = trace
		}
		e.Invocation.Caller.ParentRequestID = parent
		must(t, l.Record(context.Background(), e))
	}
	put("other", "", "", 0, false)
	put("look-up", "turn", "", 1, false)
	put("submit", "turn", "look-up", 2, false)
	put("tap", "", "submit", 3, false) // a person's tap on a suggestion,
	put("look", "", "tap", 4, true)    // a read after it,
	put("undo", "", "tap", 5, false)   // and its undo
	put("turn-of-other", "t2", "", 6, false)
	want := []string{"look-up", "submit", "tap", "look", "undo"}
	for _, from := range append([]string{"turn"}, want...) {
		trace, err := l.Trace(context.Background(), from)
		must(t, err)
		if diff := cmp.Diff(want, ids(trace.Records)); diff != "" {
			t.Errorf("from %s (-want +got):\n%s", from, diff)
		}
	}
	none, err := l.Trace(context.Background(), "nobody")
	must(t, err)
	if len(none.Records) != 0 {
		t.Errorf("nobody's: %v", ids(none.Records))
	}
}
