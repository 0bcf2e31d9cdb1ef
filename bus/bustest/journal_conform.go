package bustest

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/deskhand/deskhand/bus"
)

// JournalFixture is a journal on a new, empty store, for [CheckJournal] to look at. The domain in that store is a table
// of numbers by name.
type JournalFixture struct {
	Journal bus.Journal

	// Write stores a number under a name in the transaction of ctx. The store refuses a negative one by a constraint.
	Write func(ctx context.Context, name string, value int) error

	// Read returns the number under a name, as the transaction or snapshot of ctx sees it; 0 where there is none.
	Read func(ctx context.Context, name string) (int, error)

	// Records returns the results in the records of a request, whichever program made them.
	Records func(ctx context.Context, requestID string) ([]bus.Result, error)

	// Another opens the same store as another program does. kill ends that program as a crash would; the check calls it
	// at most once. nil: the store belongs to one program, and recovery is not checked.
	Another func(ctx context.Context) (j bus.Journal, kill func(), err error)

	// Advance moves the clock by which keys expire. nil: their window is not checked.
	Advance func(d time.Duration)

	// Fault makes the nth statement of Journal from now on fail, from 1, a commit included. met ends that and reports
	// whether there was one. nil: faults are not checked.
	Fault func(n int) (met func() bool)
}

// ConformJournal checks a journal against every rule of [bus.Journal], in subtests named after the rules; each opens a
// journal of its own.
func ConformJournal(t *testing.T, open func(t testing.TB) JournalFixture) {
	t.Helper()
	for _, rule := range slices.Sorted(maps.Keys(journalRules)) {
		t.Run(rule, func(t *testing.T) {
			for _, f := range CheckJournal(t, open, rule) {
				t.Error(f.Message)
			}
		})
	}
}

// CheckJournal checks a journal against one rule, named as a subtest of [ConformJournal], and returns what breaks it.
func CheckJournal(t testing.TB, open func(t testing.TB) JournalFixture, rule string) []Finding {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), journalDeadline)
	defer cancel()
	p := &journalProbe{JournalFixture: open(t), ctx: ctx, rule: rule}
	journalRules[rule](p)
	for _, kill := range p.kills {
		kill()
	}
	return p.found
}

// journalRules are what a journal is checked for.
var journalRules = map[string]func(*journalProbe){
	"all or nothing":  (*journalProbe).transaction,
	"effects":         (*journalProbe).effects,
	"keys":            (*journalProbe).keys,
	"key window":      (*journalProbe).window,
	"concurrent runs": (*journalProbe).concurrent,
	"dry run":         (*journalProbe).dryRun,
	"view":            (*journalProbe).view,
	"late use":        (*journalProbe).late,
	"cancellation":    (*journalProbe).cancelled,
	"records":         (*journalProbe).records,
	"begin":           (*journalProbe).begin,
	"finish":          (*journalProbe).finish,
	"recovery":        (*journalProbe).recovery,
	"faults":          (*journalProbe).faults,
	"data version":    (*journalProbe).dataVersion,
	"rate limit":      (*journalProbe).bucket,
	"groups":          (*journalProbe).slots,
}

// journalDeadline bounds the check of one rule: a wrong journal may wait for itself.
const journalDeadline = time.Minute

// journalProbe checks one rule.
type journalProbe struct {
	JournalFixture
	ctx  context.Context
	rule string
	ids  atomic.Int64

	mu    sync.Mutex // guards the rest
	found []Finding
	kills []func()
}

// note adds a finding; the first few are enough to act on.
func (p *journalProbe) note(format string, args ...any) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.found) < 5 {
		p.found = append(p.found, Finding{Rule: p.rule, Message: fmt.Sprintf(format, args...)})
	}
}

// works notes an error where there should be none.
func (p *journalProbe) works(what string, err error) {
	if err != nil {
		p.note("%s: %v", what, err)
	}
}

// entry is what the bus hands over for a new request, with a key of that value unless it is "".
func (p *journalProbe) entry(key string) *bus.Entry {
	id := fmt.Sprintf("req_%d", p.ids.Add(1))
	e := &bus.Entry{Kind: bus.KindInvocation, Version: "1.0.0", SideEffect: bus.Destructive, Seed: "00", Attempts: 1,
		Started: NewClock().Now(), Invocation: bus.Invocation{Capability: "number.set", RequestID: id, TraceID: id,
			Arguments: json.RawMessage(`{}`), Caller: bus.Caller{Type: bus.CallerTest, Source: "kit"}}}
	if key != "" {
		e.Key = &bus.Key{CallerType: bus.CallerTest, Source: "kit", Capability: "number.set", Value: key, Arguments: "args"}
	}
	return settle(e, nil)
}

// settle gives an entry the result of a run that ended with err.
func settle(e *bus.Entry, err error) *bus.Entry {
	r := bus.Result{RequestID: e.Invocation.RequestID, Timestamp: e.Started.UnixMilli(), Status: "success"}
	if e.Stored = nil; err == nil {
		r.Data, e.Stored = json.RawMessage(`{"secret":"***"}`), json.RawMessage(`{"secret":"1234"}`)
	} else if r.Status = "error"; !errors.As(err, &r.Err) {
		r.Err = bus.Errorf(bus.Internal, bus.ReasonUncoded, "Something went wrong.")
	}
	e.Result = r
	return e
}

// run is what Do runs.
type run = func(ctx context.Context, x bus.Exec) error

// do calls Do, or DryRun, as the bus does.
func do(call func(context.Context, *bus.Entry, run) error, ctx context.Context, e *bus.Entry, r run) error {
	return call(ctx, e, func(ctx context.Context, x bus.Exec) error {
		if prior := x.Prior(); prior != nil {
			e.Result, e.Result.Replayed = prior.Result, true
			return nil
		}
		err := r(ctx, x)
		if !errors.Is(err, bus.ErrDiscard) {
			settle(e, err)
		}
		return err
	})
}

var errRefused = bus.Errorf(bus.Conflict, bus.ReasonBusy, "Made to fail.")

// set is a run that writes a number and ends with err.
func (p *journalProbe) set(name string, value int, err error) run {
	return func(ctx context.Context, _ bus.Exec) error { return cmp.Or(p.Write(ctx, name, value), err) }
}

// add is a run that reads a number and writes the next one.
func (p *journalProbe) add(name string) run {
	return func(ctx context.Context, _ bus.Exec) error {
		value, err := p.Read(ctx, name)
		return cmp.Or(err, p.Write(ctx, name, value+1))
	}
}

// left is the committed number of a name and what an entry left behind: "1 [success] stored", "0 [] none".
func (p *journalProbe) left(name string, e *bus.Entry) string {
	var value int
	p.works("View", p.Journal.View(p.ctx, func(ctx context.Context) (err error) {
		value, err = p.Read(ctx, name)
		return err
	}))
	results, err := p.Records(p.ctx, e.Invocation.RequestID)
	p.works("Records", err)
	recorded := []string{}
	for _, r := range results {
		text := r.Status
		if r.Err != nil {
			text = fmt.Sprintf("%s/%s", r.Err.Code, r.Err.Reason)
		}
		recorded = append(recorded, text)
	}
	key := "none"
	if e.Key != nil {
		switch s, err := p.Journal.Lookup(p.ctx, *e.Key); {
		case err != nil:
			p.note("Lookup: %v", err)
		case s != nil && s.Unknown:
			key = "unknown"
		case s != nil:
			key = "stored"
		}
	}
	return fmt.Sprintf("%d %v %s", value, recorded, key)
}

// leaves compares what an entry left behind with what it may leave.
func (p *journalProbe) leaves(what, name string, e *bus.Entry, want ...string) {
	if got := p.left(name, e); !slices.Contains(want, got) {
		p.note("%s: number, records and key are %q, not %q", what, got, strings.Join(want, `" or "`))
	}
}

// another opens the store once more, or returns the journal itself where that cannot be.
func (p *journalProbe) another() (bus.Journal, func()) {
	if p.Another == nil {
		return p.Journal, func() {}
	}
	j, kill, err := p.Another(p.ctx)
	if err != nil {
		p.note("another program cannot open the store: %v", err)
		return p.Journal, func() {}
	}
	kill = sync.OnceFunc(kill)
	p.kills = append(p.kills, kill)
	return j, kill
}

// callers is the number of calls that are made at once.
const callers = 8

// atOnce makes calls at the same time, every other one through another program, and returns their errors.
func (p *journalProbe) atOnce(call func(j bus.Journal, i int) error) []error {
	other, _ := p.another()
	errs := make([]error, callers)
	var wg sync.WaitGroup
	for i := range callers {
		wg.Go(func() { errs[i] = call([]bus.Journal{p.Journal, other}[i%2], i) })
	}
	wg.Wait()
	return errs
}

func (p *journalProbe) transaction() {
	e := p.entry("kept")
	p.works("Do", do(p.Journal.Do, p.ctx, e, p.set("a", 1, nil)))
	p.leaves("a success", "a", e, "1 [success] stored")
	for what, run := range map[string]run{
		"a failed run": p.set("a", 2, errRefused),
		"a run whose statement failed": func(ctx context.Context, x bus.Exec) error {
			return cmp.Or(p.set("a", 2, nil)(ctx, x), p.Write(ctx, "b", -1))
		}} {
		e := p.entry("failed")
		p.works(what, do(p.Journal.Do, p.ctx, e, run))
		p.leaves(what, "a", e, "1 [CONFLICT/busy] none", "1 [INTERNAL/uncoded] none")
	}
	hidden := p.entry("hidden")
	err := do(p.Journal.Do, p.ctx, hidden, func(ctx context.Context, _ bus.Exec) error {
		err := p.Write(ctx, "c", 3)
		if p.Write(ctx, "b", -1) == nil {
			p.note("the store took a negative number: the fixture is to refuse it")
		}
		return err
	})
	want := "3 [success] stored"
	if err != nil {
		want = "0 [] none"
	}
	p.leaves(fmt.Sprintf("a run that hid the error of its statement, answered with %v", err), "c", hidden, want)
	e = p.entry("discarded")
	if err := do(p.Journal.Do, p.ctx, e, p.set("a", 4, bus.ErrDiscard)); !errors.Is(err, bus.ErrDiscard) {
		p.note("a discarded run: Do returned %v", err)
	}
	p.leaves("a discarded run", "a", e, "1 [] none")
	p.works("Do after it", do(p.Journal.Do, p.ctx, e, p.set("a", 5, nil)))
	p.leaves("the same request after a discarded run", "a", e, "5 [success] stored")
}

func (p *journalProbe) effects() {
	for i, step := range []struct {
		op     string
		before int
		values []int
	}{{"insert", 0, []int{611}}, {"update", 611, []int{622}}, {"update", 622, []int{633, 644}}} {
		e := p.entry("")
		last := step.values[len(step.values)-1]
		var inside []bus.Effect
		p.works("Do", do(p.Journal.Do, p.ctx, e, func(ctx context.Context, x bus.Exec) error {
			for _, value := range step.values {
				if err := p.Write(ctx, "a", value); err != nil {
					return err
				}
			}
			inside = x.Effects()
			return nil
		}))
		for where, list := range map[string][]bus.Effect{"inside the run": inside, "in the entry": e.Effects} {
			if len(list) != 1 || list[0].Op != step.op || len(list[0].Key) == 0 || !holds(list[0].After, last) ||
				step.before > 0 && !holds(list[0].Before, step.before) {
				p.note("change %d, %s: the effects are %+v, not one %s from %d to %d", i+1, where, list, step.op, step.before,
					last)
			}
		}
	}
	e := p.entry("")
	p.works("Do", do(p.Journal.Do, p.ctx, e, p.set("a", 655, errRefused)))
	if len(e.Effects) > 0 {
		p.note("a failed run has effects: %+v", e.Effects)
	}
}

func holds(row map[string]any, value int) bool {
	for _, v := range row {
		if fmt.Sprint(v) == fmt.Sprint(value) {
			return true
		}
	}
	return false
}

func (p *journalProbe) keys() {
	entries := make([]*bus.Entry, callers)
	for i := range entries {
		entries[i] = p.entry("shared")
	}
	for i, err := range p.atOnce(func(j bus.Journal, i int) error { return do(j.Do, p.ctx, entries[i], p.add("a")) }) {
		p.works("one of many calls with one key", err)
		p.leaves("after many calls with one key at once", "a", entries[i], "1 [success] stored")
	}
	if ran := slices.DeleteFunc(entries, func(e *bus.Entry) bool { return e.Result.Replayed }); len(ran) != 1 {
		p.note("%d of %d calls with one key ran", len(ran), callers)
	}
	key := *p.entry("shared").Key
	key.Arguments = "others"
	s, err := p.Journal.Lookup(p.ctx, key)
	if s == nil || s.Arguments != "args" || string(s.Result.Data) != `{"secret":"1234"}` || s.RequestID == "" ||
		!s.Result.OK() {
		p.note("Lookup with other arguments: %+v %v, not the whole result with its own arguments", s, err)
	}
	for _, change := range []func(k *bus.Key){
		func(k *bus.Key) { k.CallerType = bus.CallerAgent }, func(k *bus.Key) { k.Source = "other" },
		func(k *bus.Key) { k.Capability = "other.set" }, func(k *bus.Key) { k.Value = "other" }} {
		other := *p.entry("shared").Key
		change(&other)
		if s, err := p.Journal.Lookup(p.ctx, other); s != nil || err != nil {
			p.note("Lookup of %+v: %+v %v, though only a key of another scope is stored", other, s, err)
		}
	}
	unasked := p.entry("shared")
	err = p.Journal.Do(p.ctx, unasked, func(ctx context.Context, x bus.Exec) error { return p.set("a", 9, nil)(ctx, x) })
	if err == nil {
		p.note("a success under a key that has a result was not refused")
	}
	p.leaves("a success under a key that has a result", "a", unasked, "1 [] stored")
	other, _ := p.another()
	if s, err := other.Lookup(p.ctx, key); s == nil {
		p.note("another program does not find the key: %v", err)
	}
}

func (p *journalProbe) window() {
	if p.Advance == nil {
		return
	}
	short, long := p.entry("short"), p.entry("long")
	short.Key.Window = time.Hour
	p.works("Do", do(p.Journal.Do, p.ctx, short, p.add("a")))
	p.works("Do", do(p.Journal.Do, p.ctx, long, p.add("b")))
	p.Advance(59 * time.Minute)
	p.leaves("within the window", "a", short, "1 [success] stored")
	p.Advance(2 * time.Minute)
	p.leaves("after the window", "a", short, "1 [success] none")
	p.leaves("without a window", "b", long, "1 [success] stored")
	again := p.entry("short")
	again.Key.Window = time.Hour
	p.works("a key after its window", do(p.Journal.Do, p.ctx, again, p.add("a")))
	p.leaves("a key after its window", "a", again, "2 [success] stored")
}

func (p *journalProbe) concurrent() {
	entries := make([]*bus.Entry, callers)
	for i := range entries {
		entries[i] = p.entry("")
	}
	for _, err := range p.atOnce(func(j bus.Journal, i int) error { return do(j.Do, p.ctx, entries[i], p.add("a")) }) {
		p.works("one of many runs that change the same row", err)
	}
	for _, e := range entries {
		p.leaves(fmt.Sprintf("after %d runs that add 1", callers), "a", e, fmt.Sprintf("%d [success] none", callers))
		if len(e.Effects) != 1 {
			p.note("a run beside others has the effects %+v, not those of its last call", e.Effects)
		}
	}
}

func (p *journalProbe) dryRun() {
	e := p.entry("dry")
	p.works("DryRun", do(p.Journal.DryRun, p.ctx, e, func(ctx context.Context, x bus.Exec) error {
		err := p.Write(ctx, "a", 1)
		if seen, err := p.Read(ctx, "a"); seen != 1 || len(x.Effects()) != 1 {
			p.note("a dry run sees the number %d (%v) and the effects %+v of its write", seen, err, x.Effects())
		}
		return err
	}))
	p.leaves("a dry run", "a", e, "0 [] none")
	if err := do(p.Journal.DryRun, p.ctx, e, p.set("a", 1, errRefused)); !errors.Is(err, errRefused) {
		p.note("DryRun returned %v, not the error of its run", err)
	}
	p.leaves("a dry run that failed", "a", e, "0 [] none")
}

func (p *journalProbe) view() {
	p.works("Do", do(p.Journal.Do, p.ctx, p.entry(""), p.set("a", 1, nil)))
	other, _ := p.another()
	err := p.Journal.View(p.ctx, func(ctx context.Context) error {
		before, err := p.Read(ctx, "a")
		p.works("Read", err)
		p.works("Do", do(other.Do, p.ctx, p.entry(""), p.set("a", 2, nil)))
		if after, err := p.Read(ctx, "a"); before != 1 || after != before || err != nil {
			p.note("a view read %d and then %d (%v): it is one snapshot", before, after, err)
		}
		if p.Write(ctx, "b", 3) == nil {
			p.note("a view may write")
		}
		return errRefused
	})
	if !errors.Is(err, errRefused) {
		p.note("View returned %v, not the error of its run", err)
	}
	e := p.entry("")
	p.leaves("a view that tried to write", "b", e, "0 [] none")
	p.works("Do in spite of it", do(p.Journal.Do, p.ctx, e, p.set("a", 4, nil)))
	p.leaves("after a view", "a", e, "4 [success] none")
}

// late lets what a run started go on when the run has returned, as a handler does that did not look at its deadline.
func (p *journalProbe) late() {
	for what, end := range map[string]error{"kept": nil, "failed": errRefused} {
		var over atomic.Bool
		var behind sync.WaitGroup
		e := p.entry(what)
		p.works("Do", do(p.Journal.Do, p.ctx, e, func(ctx context.Context, _ bus.Exec) error {
			wrote := make(chan bool)
			behind.Go(func() {
				for i := 1; ; i++ {
					last := over.Load()
					err := p.Write(ctx, what, i)
					if i == 1 {
						close(wrote)
					}
					if err != nil {
						return
					} else if last {
						p.note("what a run left behind goes on writing after Do")
						return
					}
				}
			})
			<-wrote
			return end
		}))
		left := p.left(what, e)
		over.Store(true)
		behind.Wait()
		if end != nil {
			left = "0 [CONFLICT/busy] none"
		}
		p.leaves("a run that left something behind", what, e, left)
	}
}

func (p *journalProbe) cancelled() {
	e := p.entry("cancelled")
	ctx, cancel := context.WithCancel(p.ctx)
	err := do(p.Journal.Do, ctx, e, func(ctx context.Context, _ bus.Exec) error {
		err := p.Write(ctx, "a", 1)
		cancel()
		return cmp.Or(err, error(bus.Errorf(bus.Transient, bus.ReasonCancelled, "It was cancelled.").WithCause(ctx.Err())))
	})
	want := "0 [TRANSIENT/cancelled] none"
	if err != nil {
		want = "0 [] none"
	}
	p.leaves(fmt.Sprintf("a cancelled run, answered with %v", err), "a", e, want)
	e, want = p.entry("before"), "1 [success] stored"
	if err := do(p.Journal.Do, ctx, e, p.set("a", 1, nil)); err != nil {
		want = "0 [] none"
	}
	p.leaves("a run cancelled before it began", "a", e, want)
	e = p.entry("after")
	p.works("Do after a cancelled run", do(p.Journal.Do, p.ctx, e, p.set("a", 2, nil)))
	p.leaves("after a cancelled run", "a", e, "2 [success] stored")
}

func (p *journalProbe) records() {
	for what, c := range map[string]struct {
		change func(e *bus.Entry)
		want   string
	}{
		"a success": {func(*bus.Entry) {}, "0 [success] stored"},
		"a refusal": {func(e *bus.Entry) { settle(e, errRefused) }, "0 [CONFLICT/busy] none"},
		"a replay":  {func(e *bus.Entry) { e.Result.Replayed = true }, "0 [success] none"},
		"a dry run": {func(e *bus.Entry) { e.Result.DryRun = true }, "0 [success] none"}} {
		e := p.entry(what)
		c.change(e)
		p.works("Record", p.Journal.Record(p.ctx, e))
		p.leaves("the record of "+what, "a", e, c.want)
	}
}
