// Package bustest holds helpers for tests of a bus: a journal in memory, a clock that the test moves, a ready bus with
// both, and a conformance kit.
//
// [Conform] checks every capability of an application against the rules of the bus, which [Rules] lists:
//
//	func TestConformance(t *testing.T) {
//		b, _, _ := bustest.New(t, notes.Capabilities()...)
//		bustest.Conform(t, b)
//	}
//
// It needs arguments with which each capability succeeds, and makes them from the input schema. If that is not enough,
// or if an application has its own journal, [ConformEach] takes an [App] with more details.
package bustest

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/deskhand/deskhand/bus"
)

// Journal is a bus.Journal in memory with a small table store, so that handlers in tests have something to change. The
// zero value is ready. Transactions run one at a time.
type Journal struct {
	mu       sync.Mutex // guards everything below
	entries  []bus.Entry
	keys     map[bus.Key]kept
	rows     map[string]map[string]any // "table/key" → row
	version  int                       // of rows
	series   map[string]int64          // their last numbers
	inflight map[string]*bus.Key       // by request id
	fail     error
	now      func() time.Time // nil: no key expires
}

// kept is an idempotency result, and when it expires; the zero time is never.
type kept struct {
	bus.Stored
	until time.Time
}

// Entries returns a copy of the recorded entries, in order.
func (j *Journal) Entries() []bus.Entry {
	j.mu.Lock()
	defer j.mu.Unlock()
	return slices.Clone(j.entries)
}

// Row returns a copy of a committed row, nil if there is none.
func (j *Journal) Row(table, key string) map[string]any {
	j.mu.Lock()
	defer j.mu.Unlock()
	return maps.Clone(j.rows[table+"/"+key])
}

// Fail makes every later write fail with err; nil mends it.
func (j *Journal) Fail(err error) {
	j.mu.Lock()
	j.fail = err
	j.mu.Unlock()
}

// Inflight lists the network steps that began and did not finish.
func (j *Journal) Inflight() []string {
	j.mu.Lock()
	defer j.mu.Unlock()
	return slices.Sorted(maps.Keys(j.inflight))
}

// Store is a handler's view of the tables.
type Store struct {
	mu       sync.Mutex // guards the rest: a handler that timed out may still run
	rows     map[string]map[string]any
	before   map[string]map[string]any // first version of every touched row
	series   map[string]int64          // last numbers
	entries  []bus.Entry               // the recorded entries
	readOnly bool
	closed   bool
}

type storeKey struct{}

// Tables returns the store of the running handler or check.
func Tables(ctx context.Context) *Store {
	s, ok := ctx.Value(storeKey{}).(*Store)
	if !ok {
		return &Store{closed: true}
	}
	return s
}

var errStore = errors.New("bustest: the tables are read-only or no longer open")

// Get returns a copy of a row, nil if there is none.
func (s *Store) Get(table, key string) map[string]any {
	s.mu.Lock()
	defer s.mu.Unlock()
	return maps.Clone(s.rows[table+"/"+key])
}

// Set inserts or replaces a row; nil deletes it.
func (s *Store) Set(table, key string, row map[string]any) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.readOnly || s.closed {
		return errStore
	}
	id := table + "/" + key
	if _, touched := s.before[id]; !touched {
		s.before[id] = s.rows[id]
	}
	if row == nil {
		delete(s.rows, id)
	} else {
		s.rows[id] = maps.Clone(row)
	}
	return nil
}

func (s *Store) effects() []bus.Effect {
	s.mu.Lock()
	defer s.mu.Unlock()
	var list []bus.Effect
	for _, id := range slices.Sorted(maps.Keys(s.before)) {
		before, after := s.before[id], s.rows[id]
		table, key, _ := strings.Cut(id, "/")
		e := bus.Effect{Table: table, Key: map[string]any{"id": key}, Before: before, After: after, Op: "update"}
		switch {
		case before == nil && after == nil:
			continue
		case before == nil:
			e.Op = "insert"
		case after == nil:
			e.Op = "delete"
		}
		list = append(list, e)
	}
	return list
}

func (s *Store) close() {
	s.mu.Lock()
	s.closed = true
	s.mu.Unlock()
}

func (j *Journal) open(readOnly bool) *Store {
	s := &Store{rows: map[string]map[string]any{}, before: map[string]map[string]any{}, readOnly: readOnly,
		entries: slices.Clip(j.entries)}
	maps.Copy(s.rows, j.rows)
	s.series = maps.Clone(j.series)
	return s
}

// View implements bus.Journal.
func (j *Journal) View(ctx context.Context, run func(context.Context) error) error {
	j.mu.Lock()
	s := j.open(true)
	j.mu.Unlock()
	defer s.close()
	return run(context.WithValue(ctx, storeKey{}, s))
}

// DataVersion implements [bus.Versioned]. It differs after every commit.
func (j *Journal) DataVersion(context.Context) (string, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	return strconv.Itoa(j.version), nil
}

func scope(k bus.Key) bus.Key {
	k.Arguments, k.Window = "", 0
	return k
}

// Lookup implements bus.Journal.
func (j *Journal) Lookup(_ context.Context, k bus.Key) (*bus.Stored, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.lookup(k), nil
}

func (j *Journal) lookup(k bus.Key) *bus.Stored {
	s, ok := j.keys[scope(k)]
	if !ok || !s.until.IsZero() && !j.now().Before(s.until) {
		return nil
	}
	return &s.Stored
}

type exec struct {
	prior *bus.Stored
	store *Store
}

func (x exec) Prior() *bus.Stored    { return x.prior }
func (x exec) Effects() []bus.Effect { return x.store.effects() }

// Part implements [bus.Partial].
func (x exec) Part(run func() error) error {
	s := x.store
	s.mu.Lock()
	rows, before, series := maps.Clone(s.rows), maps.Clone(s.before), maps.Clone(s.series)
	s.mu.Unlock()
	err := run()
	if err != nil {
		s.mu.Lock()
		s.rows, s.before, s.series = rows, before, series
		s.mu.Unlock()
	}
	return err
}

// Next counts a series, as [bus.Exec] says.
func (x exec) Next(series string, pinned int64) (int64, error) {
	s := x.store
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.readOnly || s.closed {
		return 0, errStore
	}
	if s.series == nil {
		s.series = map[string]int64{}
	}
	number := cmp.Or(pinned, s.series[series]+1)
	s.series[series] = max(s.series[series], number)
	return number, nil
}

// Recall implements [bus.Remembering]. Each person sees only their own calls, and no call is ever undone.
func (j *Journal) Recall(ctx context.Context, p bus.Principal, until time.Time, ids ...string) (found []bus.Record,
	_ error) {
	entries := Tables(ctx).entries
	for i := len(entries) - 1; i >= 0; i-- {
		e := &entries[i]
		inv := &e.Invocation
		outside := e.SideEffect == bus.Network
		if e.Result.OK() && !e.Result.DryRun && (len(e.Effects) > 0 || outside) && inv.Principal.ID == p.ID &&
			!e.Started.After(until) &&
			(len(ids) == 0 || slices.Contains(ids, inv.RequestID) || slices.Contains(ids, inv.TraceID)) {
			found = append(found, bus.RecordOf(e))
		}
	}
	return found, nil
}

// Do implements bus.Journal.
func (j *Journal) Do(ctx context.Context, e *bus.Entry, run func(context.Context, bus.Exec) error) error {
	j.mu.Lock()
	defer j.mu.Unlock()
	x := exec{store: j.open(false)}
	if e.Key != nil {
		x.prior = j.lookup(*e.Key)
	}
	err := run(context.WithValue(ctx, storeKey{}, x.store), x)
	x.store.close()
	if errors.Is(err, bus.ErrDiscard) {
		return bus.ErrDiscard
	}
	if j.fail != nil {
		return j.fail
	}
	e.Effects = nil
	if err == nil {
		if e.StoresResult() && j.lookup(*e.Key) != nil {
			return errTaken
		}
		e.Effects = x.store.effects()
		j.rows, j.series = x.store.rows, x.store.series
		j.version++
	}
	return j.keep(e)
}

// DryRun implements bus.Journal.
func (j *Journal) DryRun(ctx context.Context, _ *bus.Entry, run func(context.Context, bus.Exec) error) error {
	j.mu.Lock()
	x := exec{store: j.open(false)}
	j.mu.Unlock()
	defer x.store.close()
	return run(context.WithValue(ctx, storeKey{}, x.store), x)
}

// Record implements bus.Journal.
func (j *Journal) Record(_ context.Context, e *bus.Entry) error {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.fail != nil {
		return j.fail
	}
	return j.keep(e)
}

// errTaken refuses a call whose key belongs to a completed or running call.
var errTaken = bus.Errorf(bus.Conflict, bus.ReasonBusy, "The same request was carried out in the meantime.")

// keep stores the entry and, for a fresh success, its key.
func (j *Journal) keep(e *bus.Entry) error {
	if _, err := json.Marshal(bus.RecordOf(e)); err != nil {
		return fmt.Errorf("bustest: the record cannot be stored: %w", err)
	}
	j.entries = append(j.entries, *e)
	if e.StoresResult() && j.lookup(*e.Key) == nil {
		res := e.Result
		res.Data = e.Stored
		j.store(e, bus.Stored{Result: res})
	}
	return nil
}

func (j *Journal) store(e *bus.Entry, s bus.Stored) {
	if j.keys == nil {
		j.keys = map[bus.Key]kept{}
	}
	s.Arguments, s.RequestID = e.Key.Arguments, e.Invocation.RequestID
	k := kept{Stored: s}
	if j.now != nil && e.Key.Window > 0 {
		k.until = j.now().Add(e.Key.Window)
	}
	j.keys[scope(*e.Key)] = k
}

// Begin implements bus.Journal.
func (j *Journal) Begin(_ context.Context, e *bus.Entry) error {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.fail != nil {
		return j.fail
	}
	if e.Key != nil {
		if j.lookup(*e.Key) != nil {
			return errTaken
		}
		for request, key := range j.inflight {
			if key != nil && scope(*key) == scope(*e.Key) && request != e.Invocation.RequestID {
				return errTaken
			}
		}
	}
	if j.inflight == nil {
		j.inflight = map[string]*bus.Key{}
	}
	j.inflight[e.Invocation.RequestID] = e.Key
	return nil
}

// Finish implements bus.Journal.
func (j *Journal) Finish(_ context.Context, e *bus.Entry) error {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.fail != nil {
		return j.fail
	}
	if err := j.keep(e); err != nil {
		return err
	}
	if e.Key != nil && e.OutcomeUnknown() {
		j.store(e, bus.Stored{Unknown: true})
	}
	delete(j.inflight, e.Invocation.RequestID)
	return nil
}
