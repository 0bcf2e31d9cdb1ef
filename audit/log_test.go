package audit_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"reflect"
	"testing"
	"testing/fstest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/deskhand/deskhand/audit"
	"github.com/deskhand/deskhand/audit/chain"
	"github.com/deskhand/deskhand/bus"
)

const schema = `-- +goose Up
CREATE TABLE items (id TEXT PRIMARY KEY, name TEXT NOT NULL, amount INTEGER NOT NULL DEFAULT 0) STRICT;
CREATE TABLE parts (item TEXT NOT NULL REFERENCES items (id) ON DELETE CASCADE, no INTEGER NOT NULL, note TEXT,
		raw BLOB,
    PRIMARY KEY (item, no)) STRICT, WITHOUT ROWID;
CREATE TABLE counters (id INTEGER PRIMARY KEY, n INTEGER NOT NULL CHECK (n >= 0)) STRICT;
`

func domain(sql string) fs.FS {
	return fstest.MapFS{"00001_domain.sql": {Data: []byte(sql)}}
}

var epoch = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// zeros is a source of randomness for golden records.
type zeros struct{}

func (zeros) Read(p []byte) (int, error) {
	clear(p)
	return len(p), nil
}

func options() audit.Options {
	return audit.Options{Clock: func() time.Time { return epoch }, Migrations: domain(schema)}
}

func open(t testing.TB, path string, o audit.Options) *audit.Log {
	t.Helper()
	l, err := audit.Open(context.Background(), path, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := l.Close(); err != nil {
			t.Errorf("close: %v", err)
		}
	})
	return l
}

func newLog(t testing.TB) *audit.Log {
	return open(t, filepath.Join(t.TempDir(), "log.db"), options())
}

// entry returns an entry as the bus passes it for one invocation by a person.
func entry(request string) *bus.Entry {
	return &bus.Entry{
		Kind: bus.KindInvocation, Version: "1.0.0", SideEffect: bus.UIOnly, Started: epoch, Seed: "00", Attempts: 1,
		Invocation: bus.Invocation{
			Capability: "item.add", RequestID: request, TraceID: request, Arguments: json.RawMessage(`{"id":"a"}`),
			Caller:    bus.Caller{Type: bus.CallerUI, Source: "Button"},
			Principal: bus.Principal{ID: "u1", Role: "clerk", Authentication: "pin", Door: "window"},
		},
		Result: bus.Result{Status: "success", RequestID: request, Data: json.RawMessage(`{"ok":true}`), ExecutionTime: 3 * time.Millisecond,
			Time: epoch},
	}
}

func failed(request string, code bus.Code, reason bus.Reason) *bus.Entry {
	e := entry(request)
	e.Result = bus.Result{Status: "error", RequestID: request, Err: bus.Errorf(code, reason, "It did not work.")}
	return e
}

// do runs statements in one invocation.
func do(t testing.TB, l *audit.Log, e *bus.Entry, statements ...string) error {
	t.Helper()
	return l.Do(context.Background(), e, func(ctx context.Context, _ bus.Exec) error {
		for _, text := range statements {
			if _, err := audit.Tx(ctx).ExecContext(ctx, text); err != nil {
				e.Result = failed(e.Invocation.RequestID, bus.Internal, bus.ReasonUncoded).Result
				return err
			}
		}
		return nil
	})
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// count reads one number from the domain.
func count(t testing.TB, l *audit.Log, query string, args ...any) (n int) {
	t.Helper()
	must(t, l.View(context.Background(), func(ctx context.Context) error {
		return audit.Tx(ctx).QueryRowContext(ctx, query, args...).Scan(&n)
	}))
	return n
}

func TestASuccessKeepsEffectRecordAndKeyTogether(t *testing.T) {
	l := newLog(t)
	e := entry("r1")
	e.Key = &bus.Key{CallerType: bus.CallerUI, Capability: "item.add", Value: "k", Arguments: "d"}
	e.Stored = json.RawMessage(`{"secret":1}`)
	must(t, do(t, l, e, `INSERT INTO items (id, name) VALUES ('a', 'A')`))
	if n := count(t, l, `SELECT count(*) FROM items`); n != 1 {
		t.Errorf("items: %d", n)
	}
	s, err := l.Lookup(context.Background(), *e.Key)
	must(t, err)
	if s == nil || string(s.Result.Data) != `{"secret":1}` || s.RequestID != "r1" || s.Arguments != "d" {
		t.Errorf("stored: %+v", s)
	}
	if len(e.Effects) != 1 || e.Effects[0].Op != "insert" || fmt.Sprint(e.Effects[0].Key) != "map[id:a]" {
		t.Errorf("effects: %+v", e.Effects)
	}
}

func TestAFailureIsRecordedWithoutItsEffect(t *testing.T) {
	l := newLog(t)
	must(t, do(t, l, entry("r1"), `INSERT INTO items (id, name) VALUES ('a', 'A')`,
		`INSERT INTO items (id, name) VALUES ('a', 'B')`))
	if n := count(t, l, `SELECT count(*) FROM items`); n != 0 {
		t.Errorf("items: %d", n)
	}
	if n := count(t, l, `SELECT count(*) FROM audit_records WHERE code = 'INTERNAL'`); n != 1 {
		t.Errorf("records: %d", n)
	}
}

func TestADiscardedRunLeavesNothing(t *testing.T) {
	l := newLog(t)
	err := l.Do(context.Background(), entry("r1"), func(ctx context.Context, _ bus.Exec) error {
		_, err := audit.Tx(ctx).ExecContext(ctx, `INSERT INTO items (id, name) VALUES ('a', 'A')`)
		must(t, err)
		return bus.ErrDiscard
	})
	if !errors.Is(err, bus.ErrDiscard) {
		t.Errorf("answer: %v", err)
	}
	if n := count(t, l, `SELECT (SELECT count(*) FROM items) + (SELECT count(*) FROM audit_records)`); n != 0 {
		t.Errorf("left: %d", n)
	}
}

func TestADryRunSeesItsEffectsAndLeavesNothing(t *testing.T) {
	l := newLog(t)
	var effects []bus.Effect
	must(t, l.DryRun(context.Background(), entry("r1"), func(ctx context.Context, x bus.Exec) error {
		_, err := audit.Tx(ctx).ExecContext(ctx, `INSERT INTO items (id, name) VALUES ('a', 'A')`)
		effects = x.Effects()
		return err
	}))
	if len(effects) != 1 {
		t.Errorf("effects: %v", effects)
	}
	if n := count(t, l, `SELECT (SELECT count(*) FROM items) + (SELECT count(*) FROM audit_records)`); n != 0 {
		t.Errorf("left: %d", n)
	}
}

func TestRecordsOfDifferentCallersDifferOnlyInCaller(t *testing.T) {
	l := newLog(t)
	var first audit.Record
	for i, caller := range []bus.CallerType{bus.CallerUI, bus.CallerAgent, bus.CallerTest, bus.CallerCLI} {
		e := entry("r")
		e.Invocation.Caller.Type = caller
		must(t, do(t, l, e, `INSERT INTO counters VALUES (1, 0) ON CONFLICT (id) DO UPDATE SET n = n`))
		last, err := l.Tail(context.Background(), 0, 1)
		must(t, err)
		r := last[0]
		if r.Caller.Type != string(caller) || len(r.Hash) != 64 {
			t.Errorf("%s: %+v", caller, r)
		}
		r.Caller, r.Seq, r.Prev, r.Hash, r.Effects = bus.Record{}.Caller, 0, "", "", nil
		if i == 0 {
			first = r
		}
		if diff := cmp.Diff(first, r); diff != "" {
			t.Errorf("%s (-first +this):\n%s", caller, diff)
		}
	}
}

func TestAHandlerMayReadTheLogItIsWritingTo(t *testing.T) {
	l := newLog(t)
	e := entry("looked")
	e.Read = true
	must(t, l.Record(context.Background(), e)) // still waiting when the handler asks
	must(t, l.Do(context.Background(), entry("r"), func(ctx context.Context, _ bus.Exec) error {
		_, err := l.Trace(ctx, "looked")
		return err
	}))
}

// TestARecordSaysWhatItsEntryLeavesOpen: a record has a start time and the dry run of the invocation, and no trace id
// where the trace id is the request id.
func TestARecordSaysWhatItsEntryLeavesOpen(t *testing.T) {
	l := newLog(t)
	e := failed("r", bus.Conflict, bus.ReasonBusy)
	e.Started, e.Invocation.DryRun = time.Time{}, true
	must(t, l.Record(t.Context(), e))
	r := recorded(t, l, "r")[0]
	if r.Time != epoch.UnixMilli() || !r.DryRun || count(t, l, `SELECT trace_id IS NULL FROM audit_records`) != 1 {
		t.Errorf("%+v", r)
	}
}

// TestARecordHoldsWhatItsEntryTells covers a failure, a plan and a repeated result.
func TestARecordHoldsWhatItsEntryTells(t *testing.T) {
	l := newLog(t)
	e := failed("r", bus.Validation, bus.ReasonArguments)
	e.Result.Err.Hint, e.Response, e.Steps = "Ask again.", json.RawMessage(`{"n":"many"}`), []string{"item.add"}
	e.Result.Replayed = true
	must(t, l.Record(t.Context(), e))
	if r := recorded(t, l, "r")[0]; r.Message != "It did not work." || r.RecoveryHint != "Ask again." || !r.Replayed ||
		string(r.Response) != `{"n":"many"}` || len(r.Steps) != 1 || r.Steps[0] != "item.add" {
		t.Errorf("%+v", r)
	}
}

// TestARecordIsThatOfItsEntry: a record that is read from the log has every field of bus.RecordOf.
func TestARecordIsThatOfItsEntry(t *testing.T) {
	l := newLog(t)
	e := &bus.Entry{Kind: bus.KindInvocation, Version: "1.2.3", SideEffect: bus.UIOnly, Steps: []string{"item.add"},
		Started: epoch, Seed: "ab", Numbers: map[string][]int64{"a": {1}}, Summary: "Done", Response: json.RawMessage(`1`), Redacted: []string{"/arguments/pin"},
		Attempts: 2, Effects: []bus.Effect{{Table: "items", Op: bus.Insert, Key: map[string]any{"id": "a"}}},
		Decision: &bus.Decision{Allowed: true, Answer: bus.AnswerAllow, By: "ann", Reason: "fine", Digest: "d"},
		Invocation: bus.Invocation{Capability: "item.add", RequestID: "r", TraceID: "t", IdempotencyKey: "k",
			Arguments: json.RawMessage(`{"a":1}`), CostEstimate: map[string]string{"tokens": "5"},
			Caller: bus.Caller{Type: bus.CallerAgent, Source: "chat", ParentRequestID: "p", TriggeringMessage: "Add it",
				Reasoning: "It was asked"},
			Principal: bus.Principal{ID: "ann", Role: "owner", Door: "web", Authentication: "pin", ConversationID: "c",
				Model: &bus.ModelID{Endpoint: "local", Name: "m"}}},
		Result: bus.Result{Status: bus.StatusError, RequestID: "r", Data: json.RawMessage(`{"b":2}`), Replayed: true,
			DryRun: true, ExecutionTime: 7 * time.Millisecond, Facts: map[string]any{"n": "1"},
			CostEstimate: map[string]string{"coins": "2"}, Events: []bus.Event{{Type: bus.EventStateChange, Domain: "item", Summary: "Full",
				Texts: bus.Texts{"/summary": bus.Textf("Full")}}},
			Err: &bus.Error{Code: bus.Validation, Reason: bus.ReasonArguments, Message: "No.", Hint: "Ask again.",
				SchemaSide: "request", Violations: []bus.Violation{{Path: "/a", Message: "is wrong"}}}}}
	e.Texts.Put("/summary", bus.Textf("Done"))
	e.Result.Err = e.Result.Err.WithHint("Ask %s again.", "Ann")
	want := bus.RecordOf(e)
	for i, v := 0, reflect.ValueOf(want); i < v.NumField(); i++ {
		if v.Field(i).IsZero() {
			t.Errorf("%s is not filled in", v.Type().Field(i).Name)
		}
	}
	must(t, l.Record(t.Context(), e))
	got := recorded(t, l, "r")[0].Record
	if event := got.Entry().Result.Events[0]; event.Texts["/summary"].String() != "Full" {
		t.Errorf("a subscriber elsewhere gets the texts %v", event.Texts)
	}
	want.Events[0].Texts = nil // a record has them with its own
	want.Texts.Put("/events/0/summary", bus.Textf("Full"))
	if diff := cmp.Diff(jsonOf(t, want), jsonOf(t, got)); diff != "" {
		t.Errorf("(-entry +record):\n%s", diff)
	}
	if diff := cmp.Diff(want.Texts, got.Texts); diff != "" || len(got.Texts) != 3 {
		t.Errorf("texts (-entry +record):\n%s", diff)
	}
}

func jsonOf(t *testing.T, v any) (out map[string]any) {
	t.Helper()
	raw, err := json.Marshal(v)
	must(t, err)
	must(t, json.Unmarshal(raw, &out))
	return out
}

// TestAValueIsHashedAsItIsDocumented: the digests of rows in stored records must never change.
func TestAValueIsHashedAsItIsDocumented(t *testing.T) {
	for want, v := range map[string]any{
		"n": nil, "i\xff\xff\xff\xff\xff\xff\xff\xfe": int64(-2), "f\x3f\xf8\x00\x00\x00\x00\x00\x00": 1.5,
		"t\x00\x00\x00\x02ab": "ab", "b\x00\x00\x00\x02\x00\xff": []byte{0, 255}, "t\x00\x00\x00\x04true": true,
	} {
		if got := string(chain.AppendValue(nil, v)); got != want {
			t.Errorf("%v: %q, not %q", v, got, want)
		}
	}
}
