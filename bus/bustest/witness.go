package bustest

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"sync"
	"time"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/bus/internal/schema"
	"github.com/santhosh-tekuri/jsonschema/v6"
)

// witness is a journal that counts the entries that another one reports as stored.
type witness struct {
	bus.Journal

	mu   sync.Mutex // guards byID
	byID map[string]int
}

func (w *witness) saw(e *bus.Entry, err error) error {
	if err == nil {
		w.mu.Lock()
		if w.byID == nil {
			w.byID = map[string]int{}
		}
		w.byID[e.Invocation.RequestID]++
		w.mu.Unlock()
	}
	return err
}

type liveKey struct{}

// live tells an execution that would be committed from a preview of it.
func live(ctx context.Context) bool { return ctx.Value(liveKey{}) != nil }

// Do implements bus.Journal.
func (w *witness) Do(ctx context.Context, e *bus.Entry, run func(context.Context, bus.Exec) error) error {
	return w.saw(e, w.Journal.Do(ctx, e, func(ctx context.Context, x bus.Exec) error {
		return run(context.WithValue(ctx, liveKey{}, true), x)
	}))
}

// Recall implements [bus.Remembering], for a journal that does.
func (w *witness) Recall(ctx context.Context, p bus.Principal, until time.Time, ids ...string) ([]bus.Record, error) {
	if j, remembers := w.Journal.(bus.Remembering); remembers {
		return j.Recall(ctx, p, until, ids...)
	}
	return nil, nil
}

// Record implements bus.Journal.
func (w *witness) Record(ctx context.Context, e *bus.Entry) error {
	return w.saw(e, w.Journal.Record(ctx, e))
}

// Finish implements bus.Journal.
func (w *witness) Finish(ctx context.Context, e *bus.Entry) error {
	return w.saw(e, w.Journal.Finish(ctx, e))
}

func (w *witness) records(requestID string) int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.byID[requestID]
}

// digest is all rows.
func (j *Journal) digest() (string, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	raw, err := json.Marshal(j.rows) // sorted by key
	return string(raw), err
}

// recordsOf counts the records of a request.
func (j *Journal) recordsOf(requestID string) (int, error) {
	n := 0
	for _, e := range j.Entries() {
		if e.Invocation.RequestID == requestID {
			n++
		}
	}
	return n, nil
}

// oracle knows whether a document fits a schema, by the schema library alone:
// the validation of the bus is not asked about itself. nil fits everything.
type oracle struct {
	compiled *jsonschema.Schema
	doc      map[string]any
	defaults *schema.Schema
}

func newOracle(raw json.RawMessage) (*oracle, error) {
	if raw == nil {
		return nil, nil
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(raw))
	if err != nil {
		return nil, err
	}
	c := jsonschema.NewCompiler()
	c.DefaultDraft(jsonschema.Draft2020)
	c.AssertFormat()
	if err := c.AddResource("mem:///oracle.json", doc); err != nil {
		return nil, err
	}
	o := &oracle{}
	o.doc, _ = doc.(map[string]any)
	if o.defaults, err = schema.Read(raw); err != nil {
		return nil, err
	}
	o.compiled, err = c.Compile("mem:///oracle.json")
	return o, err
}

// breaks describes the violations of the schema in the JSON form of v, "" if it is valid.
func (o *oracle) breaks(v any) string {
	raw, err := json.Marshal(v)
	if err != nil {
		return err.Error()
	}
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(raw))
	if err != nil {
		return err.Error()
	}
	return o.breaksValue(value)
}

func (o *oracle) breaksValue(value any) (why string) {
	if o == nil {
		return ""
	}
	defer func() {
		if p := recover(); p != nil { // the library gave up on it: it does not fit
			why = fmt.Sprint(p)
		}
	}()
	if err := o.compiled.Validate(value); err != nil {
		return err.Error()
	}
	return ""
}
