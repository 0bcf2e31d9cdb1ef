package audit_test

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/deskhand/deskhand/audit"
	"github.com/deskhand/deskhand/audit/capabilities"
	"github.com/deskhand/deskhand/bus"
)

func invoke(t *testing.T, b *bus.Bus, scope, name, arguments string) bus.Result {
	t.Helper()
	return b.Invoke(context.Background(), bus.Invocation{Capability: name, Arguments: json.RawMessage(arguments),
		RequestID: "ask-" + name,
		Caller:    bus.Caller{Type: bus.CallerUI}, Principal: bus.Principal{ID: "u1", Scopes: []string{scope},
			Door: "test"}})
}

func TestTheLogIsReadThroughTheBus(t *testing.T) {
	l := newLog(t)
	b := bus.New(bus.Options{Journal: l})
	b.MustRegister(capabilities.New(l, capabilities.Options{})...)
	b.MustRegister(bus.Capability{Name: "item.add", Title: "Add", Description: "Adds an item.", SideEffect: bus.UIOnly,
		Resources: []string{"database:write"},
		InputSchema: json.RawMessage(
			`{"type":"object","properties":{"id":{"type":"string"}},"required":["id"],"additionalProperties":false}`),
		Handler: func(ctx context.Context, call *bus.Call) (json.RawMessage, error) {
			var in struct{ ID string }
			if err := call.Decode(&in); err != nil {
				return nil, err
			}
			_, err := audit.Tx(ctx).ExecContext(ctx, `INSERT INTO items (id, name) VALUES (?, ?)`, in.ID, in.ID)
			return nil, err
		}})
	if r := invoke(t, b, "*", "item.add", `{"id":"x"}`); !r.OK() {
		t.Fatal(r.Err)
	}
	if r := invoke(t, b, "*", "item.add", `{"id":5}`); r.OK() {
		t.Fatal("a number is an id")
	}
	for name, tt := range map[string]struct{ arguments, has string }{
		"audit.search": {`{"status":"success","capability":"item.add"}`, `"effects":[{"table":"items","key":{"id":"x"}`},
		"audit.trace":  {`{"requestId":"ask-item.add"}`, `"kind":"capability_schema_violation"`},
		"audit.verify": {`{}`, `{"ok":true,"records":`},
	} {
		r := invoke(t, b, "audit:read", name, tt.arguments)
		if !r.OK() || !strings.Contains(string(r.Data), tt.has) {
			t.Errorf("%s: %v %s", name, r.Err, r.Data)
		}
		if r := invoke(t, b, "order:read", name, tt.arguments); r.OK() || r.Err.Code != bus.Forbidden {
			t.Errorf("%s without the scope: %+v", name, r)
		}
	}
	for arguments, found := range map[string]bool{`{"period":"today"}`: true, `{"to":"1999-12-31"}`: false,
		`{"from":"1999-12-31"}`: true, `{"period":"yesterday"}`: false, `{"period":"today","since":1}`: true,
		`{"period":"today","since":9999999999999}`: false, `{"from":"1999-12-31","until":1}`: false} {
		r := invoke(t, b, "audit:read", "audit.search", arguments)
		if !r.OK() || strings.Contains(string(r.Data), `"item.add"`) != found {
			t.Errorf("%s: %v %s", arguments, r.Err, r.Data)
		}
	}
	if r := invoke(t, b, "audit:read", "audit.search", `{"cursor":"x"}`); r.OK() || r.Err.Code != bus.Validation {
		t.Errorf("a foreign cursor: %+v", r.Err)
	}
	if r := invoke(t, b, "audit:read", "audit.trace", `{"requestId":"none"}`); r.OK() || r.Err.Reason != bus.ReasonRecord {
		t.Errorf("an unknown request: %+v", r.Err)
	}
	for range 30 { // each page holds the one before
		if r := invoke(t, b, "audit:read", "audit.search", `{"reads":true,"limit":500}`); len(r.Data) > 100_000 {
			t.Fatalf("reading the log made it grow to %d bytes", len(r.Data))
		}
	}
	if page, err := l.Search(context.Background(), audit.Query{Reads: true, Capability: "audit.verify",
		Status: "success"}); err != nil || len(page.Records) != 1 || page.Records[0].Segment != "reads" {
		t.Errorf("looking is recorded among the reads: %+v %v", page, err)
	}
}

// TestOtherRecordsAreSearchedAndTraced: audit.search and audit.trace work with any Records, not only with a Log.
func TestOtherRecordsAreSearchedAndTraced(t *testing.T) {
	l := newLog(t)
	b := bus.New(bus.Options{Journal: l})
	b.MustRegister(capabilities.New(struct{ capabilities.Records }{l}, capabilities.Options{})...)
	var names []string
	for _, c := range b.Capabilities() {
		names = append(names, c.Name)
	}
	if !slices.Equal(names, []string{"audit.search", "audit.trace"}) {
		t.Errorf("there are %v", names)
	}
	if r := invoke(t, b, "audit:read", "audit.search", `{"facets":true}`); r.OK() || r.Err.Code != bus.Validation {
		t.Errorf("counted: %+v", r)
	}
	found := invoke(t, b, "audit:read", "audit.search", `{"status":"error"}`)
	traced := invoke(t, b, "audit:read", "audit.trace", `{"requestId":"ask-audit.search"}`)
	if !strings.Contains(string(found.Data), "VALIDATION") || !strings.Contains(string(traced.Data), "VALIDATION") {
		t.Errorf("found %s, traced %s", found.Data, traced.Data)
	}
}

// TestU3EveryViolationIsFoundUnderItsKind: the log has each input and each output that its schema refused, with the
// side and all violations. A search for the kind finds just these.
//
// holds: U3
func TestU3EveryViolationIsFoundUnderItsKind(t *testing.T) {
	l := newLog(t)
	b := bus.New(bus.Options{Journal: l})
	b.MustRegister(bus.Capability{Name: "item.count", Title: "Count", Description: "Counts the items.",
		SideEffect: bus.Pure,
		InputSchema: json.RawMessage(
			`{"type":"object","properties":{"shelf":{"type":"string"},"from":{"type":"integer"}},"additionalProperties":false}`),
		OutputSchema: json.RawMessage(`{"type":"object","properties":{"count":{"type":"integer"}},"required":["count"]}`),
		Handler: func(context.Context, *bus.Call) (json.RawMessage, error) {
			return json.RawMessage(`{"count":"many"}`), nil
		}})
	for side, tt := range map[string]struct {
		arguments string
		paths     []string
	}{
		"request":  {`{"shelf":5,"from":"here"}`, []string{"/from", "/shelf"}},
		"response": {`{}`, []string{"/count"}},
	} {
		if r := invoke(t, b, "*", "item.count", tt.arguments); r.OK() {
			t.Fatalf("%s: not refused", side)
		}
		page, err := l.Search(context.Background(), audit.Query{Kind: bus.KindSchemaViolation, Reads: true, Limit: 1})
		if err != nil || len(page.Records) != 1 {
			t.Fatalf("%s: %+v %v", side, page, err)
		}
		var paths []string
		for _, v := range page.Records[0].Violations {
			paths = append(paths, v.Path)
		}
		slices.Sort(paths)
		if page.Records[0].SchemaSide != side || !slices.Equal(paths, tt.paths) {
			t.Errorf("%s: recorded as %s with %v", side, page.Records[0].SchemaSide, paths)
		}
	}
}
