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

// JournalFixture is a journal on a new, empty store, for [ConformJournal] to look at. The domain in that store is a
// table of numbers by name.
type JournalFixture struct {
	Journal bus.Journal
	// Write stores a number under a name in the transaction of ctx. The store refuses a negative one by a constraint.
	Write func(ctx context.Context, name string, value int) error
	// Read returns the number under a name, as the transaction or snapshot of ctx sees it; 0 where there is none.
	Read func(ctx context.Context, name string) (int, error)
	// Records returns the results in the records of a request, whichever program made them.
	Records func(ctx context.Context, requestID string) ([]bus.Result, error)
	// Another opens the same store as another program does. kill ends that program as a crash would; it is called once.
	// nil: the store belongs to one program, and recovery is not checked.
	Another func(ctx context.Context) (j bus.Journal, kill func(), err error)
	// Advance moves the clock by which keys expire. nil: their window is not checked.
	Advance func(d time.Duration)
	// Fault makes the nth statement of Journal from now on fail, from 1, a commit included. met ends that and reports
	// whether there was one. nil: faults are not checked.
	Fault func(n int) (met func() bool)
}

// ConformJournal checks a journal against every rule of [bus.Journal], in subtests named after the rules. Each opens a
// separate journal.
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

// CheckJournal checks a journal against one rule, named like a subtest of [ConformJournal], and returns the violations.
func CheckJournal(t testing.TB, open func(t testing.TB) JournalFixture, rule string) []Finding {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute) // a wrong journal may wait for itself
	defer cancel()
	p := &journalProbe{JournalFixture: open(t), ctx: ctx, rule: rule}
	journalRules[rule](p)
	for _, kill := range p.kills {
		kill()
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.found) // a call that was given up may add one later
}

// journalRules lists the rules for journals.
var journalRules = map[string]func(*journalProbe){
	"single calls": (*journalProbe).calls, "effects": (*journalProbe).effects, "keys": (*journalProbe).keys,
	"key window": (*journalProbe).window, "concurrent runs": (*journalProbe).concurrent, "view": (*journalProbe).view,
	"late use": (*journalProbe).late, "begin": (*journalProbe).begin, "recovery": (*journalProbe).recovery,
	"faults": (*journalProbe).faults, "data version": (*journalProbe).dataVersion, "rate limit": (*journalProbe).bucket,
	"groups": (*journalProbe).groups, "series": (*journalProbe).series,
}

// journalProbe checks one rule.
type journalProbe struct {
	JournalFixture
	ctx   context.Context
	rule  string
	ids   int
	kills []func()

	mu    sync.Mutex // guards found
	found []Finding
}

// note adds a finding; the first few are enough to act on.
func (p *journalProbe) note(format string, args ...any) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.found) < 5 {
		p.found = append(p.found, Finding{Capability: "journal", Rule: p.rule, Message: fmt.Sprintf(format, args...)})
	}
}

// works notes an error where there should be none.
func (p *journalProbe) works(what string, err error) {
	if err != nil {
		p.note("%s: %v", what, err)
	}
}

// entry returns the entry of a new request, with a key of that value unless it is "".
func (p *journalProbe) entry(key string) *bus.Entry {
	p.ids++
	id := fmt.Sprintf("req_%d", p.ids)
	e := &bus.Entry{Kind: bus.KindInvocation, Version: "1.0.0", SideEffect: bus.Destructive, Seed: "00", Attempts: 1,
		Started: NewClock().Now(), Invocation: bus.Invocation{Capability: "number.set", RequestID: id, TraceID: id,
			Arguments: json.RawMessage(`{}`), Caller: bus.Caller{Type: bus.CallerTest, Source: "kit"}}}
	if key != "" {
		e.Key = &bus.Key{CallerType: bus.CallerTest, Source: "kit", Capability: "number.set", Value: key, Arguments: "args"}
	}
	return settle(e, nil)
}

// entries are new requests for calls that are made at once, all with one key.
func (p *journalProbe) entries(key string) (list []*bus.Entry) {
	for range 8 {
		list = append(list, p.entry(key))
	}
	return list
}

// settle gives an entry the result of a run that ended with err.
func settle(e *bus.Entry, err error) *bus.Entry {
	r := bus.Result{RequestID: e.Invocation.RequestID, Time: e.Started, Status: bus.StatusSuccess}
	if e.Stored = nil; err == nil {
		r.Data, e.Stored = json.RawMessage(`{"secret":"***"}`), json.RawMessage(`{"secret":"1234"}`)
	} else if r.Status = bus.StatusError; !errors.As(err, &r.Err) {
		r.Err = bus.Errorf(bus.Internal, bus.ReasonUncoded, "Something went wrong.")
	}
	e.Result = r
	return e
}

// run is the function that Do runs.
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

var (
	errRefused = bus.Errorf(bus.Conflict, bus.ReasonBusy, "Made to fail.")
	errCut     = bus.Errorf(bus.Transient, bus.ReasonCancelled, "It was cancelled.")
)

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

// leaves compares a number, the records of an entry and its key with the permitted states: "1 [success] stored".
func (p *journalProbe) leaves(what, name string, e *bus.Entry, want ...string) {
	value, key, recorded := 0, "none", []string{}
	p.works("View", p.Journal.View(p.ctx, func(ctx context.Context) (err error) {
		value, err = p.Read(ctx, name)
		return err
	}))
	results, err := p.Records(p.ctx, e.Invocation.RequestID)
	p.works("Records", err)
	for _, r := range results {
		if recorded = append(recorded, string(r.Status)); r.Err != nil {
			recorded[len(recorded)-1] = fmt.Sprintf("%s/%s", r.Err.Code, r.Err.Reason)
		}
	}
	if e.Key != nil {
		s, err := p.Journal.Lookup(p.ctx, *e.Key)
		if p.works("Lookup", err); s != nil {
			key = map[bool]string{false: "stored", true: "unknown"}[s.Unknown]
		}
	}
	if got := fmt.Sprintf("%d %v %s", value, recorded, key); !slices.Contains(want, got) {
		p.note("%s: number, records and key are %q, not %q", what, got, want)
	}
}

// another opens the store once more, or returns the journal itself where that cannot be.
func (p *journalProbe) another() (bus.Journal, func()) {
	if p.Another != nil {
		j, kill, err := p.Another(p.ctx)
		if err == nil {
			kill = sync.OnceFunc(kill)
			p.kills = append(p.kills, kill)
			return j, kill
		}
		p.note("another program cannot open the store: %v", err)
	}
	return p.Journal, func() {}
}

// atOnce makes a call for each entry at the same time, every other one through another program, and returns the errors.
func (p *journalProbe) atOnce(entries []*bus.Entry, call func(j bus.Journal, e *bus.Entry) error) []error {
	other, _ := p.another()
	errs := make([]error, len(entries))
	var wg sync.WaitGroup
	for i, e := range entries {
		wg.Go(func() { errs[i] = call([]bus.Journal{p.Journal, other}[i%2], e) })
	}
	wg.Wait()
	return errs
}

// begins reports whether a request may begin, and notes another refusal than CONFLICT.
func (p *journalProbe) begins(j bus.Journal, e *bus.Entry) bool {
	err := j.Begin(p.ctx, e)
	if coded := new(bus.Error); err != nil && (!errors.As(err, &coded) || coded.Code != bus.Conflict) {
		p.note("Begin is refused with %v, not a CONFLICT", err)
	}
	return err == nil
}

// free notes whether another request may begin under an entry's key where it should not, or the reverse.
func (p *journalProbe) free(what string, e *bus.Entry, want bool) {
	other := p.entry(e.Key.Value)
	got := p.begins(p.Journal, other)
	if got {
		p.works("Finish", p.Journal.Finish(p.ctx, settle(other, errRefused)))
	}
	if got != want {
		p.note("%s: its key may begin: %v", what, got)
	}
}

func (p *journalProbe) effects() {
	before := 0
	for _, values := range [][]int{{611}, {622}, {633, 644}} {
		e, op, after, inside := p.entry(""), bus.Update, values[len(values)-1], []bus.Effect(nil)
		if before == 0 {
			op = bus.Insert
		}
		p.works("Do", do(p.Journal.Do, p.ctx, e, func(ctx context.Context, x bus.Exec) (err error) {
			for _, value := range values {
				err = cmp.Or(err, p.Write(ctx, "a", value))
			}
			inside = x.Effects()
			return err
		}))
		for where, list := range map[string][]bus.Effect{"inside the run": inside, "in the entry": e.Effects} {
			if len(list) != 1 || list[0].Op != op || len(list[0].Key) == 0 || !holds(list[0].After, after) ||
				before > 0 && !holds(list[0].Before, before) {
				p.note("%s the effects are %+v, not one %s from %d to %d", where, list, op, before, after)
			}
		}
		before = after
	}
	e := p.entry("")
	p.works("Do", do(p.Journal.Do, p.ctx, e, p.set("a", 655, errRefused)))
	if len(e.Effects) > 0 {
		p.note("a failed run has effects: %+v", e.Effects)
	}
	p.works("DryRun", do(p.Journal.DryRun, p.ctx, e, func(ctx context.Context, x bus.Exec) error {
		err := p.Write(ctx, "b", 1)
		if seen, failed := p.Read(ctx, "b"); seen != 1 || failed != nil || len(x.Effects()) != 1 {
			p.note("a dry run sees the number %d (%v) and the effects %+v of its write", seen, failed, x.Effects())
		}
		return err
	}))
}

func holds(row map[string]any, value int) bool {
	return strings.Contains(fmt.Sprint(row), fmt.Sprint(value)) // in any type of the store
}

func (p *journalProbe) keys() {
	entries, ran := p.entries("shared"), 0
	for i, err := range p.atOnce(entries, func(j bus.Journal, e *bus.Entry) error {
		return do(j.Do, p.ctx, e, p.add("a"))
	}) {
		p.works("one of many calls with one key", err)
		p.leaves("after many calls with one key at once", "a", entries[i], "1 [success] stored")
		if !entries[i].Result.Replayed {
			ran++
		}
	}
	if ran != 1 {
		p.note("%d of %d calls with one key ran", ran, len(entries))
	}
	key, other := *entries[0].Key, *entries[0].Key
	other.Arguments = "others"
	another, _ := p.another()
	for _, j := range []bus.Journal{p.Journal, another} {
		if s, err := j.Lookup(p.ctx, other); s == nil || s.Arguments != "args" || s.RequestID == "" ||
			string(s.Result.Data) != `{"secret":"1234"}` || !s.Result.OK() {
			p.note("Lookup with other arguments: %+v %v, not the whole result with its own arguments", s, err)
		}
	}
	for i := range 4 {
		k := key
		*[]*string{(*string)(&k.CallerType), &k.Source, &k.Capability, &k.Value}[i] = "other"
		if s, err := p.Journal.Lookup(p.ctx, k); s != nil || err != nil {
			p.note("Lookup of %+v: %+v %v, though only a key of another scope is stored", k, s, err)
		}
	}
	unasked := p.entry("shared")
	if p.Journal.Do(p.ctx, unasked, p.set("a", 9, nil)) == nil {
		p.note("a success under a key that has a result was not refused")
	}
	p.leaves("a success under a key that has a result", "a", unasked, "1 [] stored")
}

func (p *journalProbe) window() {
	if p.Advance == nil {
		return
	}
	short, long, again := p.entry("short"), p.entry("long"), p.entry("short")
	short.Key.Window, again.Key.Window = time.Hour, time.Hour
	p.works("Do", do(p.Journal.Do, p.ctx, short, p.add("a")))
	p.works("Do", do(p.Journal.Do, p.ctx, long, p.add("b")))
	p.Advance(59 * time.Minute)
	p.leaves("within the window", "a", short, "1 [success] stored")
	p.Advance(2 * time.Minute)
	p.leaves("after the window", "a", short, "1 [success] none")
	p.leaves("without a window", "b", long, "1 [success] stored")
	p.works("a key after its window", do(p.Journal.Do, p.ctx, again, p.add("a")))
	p.leaves("a key after its window", "a", again, "2 [success] stored")
}

func (p *journalProbe) concurrent() {
	entries := p.entries("")
	for _, err := range p.atOnce(entries, func(j bus.Journal, e *bus.Entry) error {
		return do(j.Do, p.ctx, e, p.add("a"))
	}) {
		p.works("one of many runs that change the same row", err)
	}
	for _, e := range entries {
		p.leaves("after many runs that add 1", "a", e, fmt.Sprintf("%d [success] none", len(entries)))
		if len(e.Effects) != 1 {
			p.note("a run beside others has the effects %+v, not those of its last call", e.Effects)
		}
	}
}

func (p *journalProbe) view() {
	p.works("Do", do(p.Journal.Do, p.ctx, p.entry(""), p.set("a", 1, nil)))
	other, _ := p.another()
	if err := p.Journal.View(p.ctx, func(ctx context.Context) error {
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
	}); !errors.Is(err, errRefused) {
		p.note("View returned %v, not the error of its run", err)
	}
	e := p.entry("")
	p.leaves("a view that tried to write", "b", e, "0 [] none")
	p.works("Do in spite of it", do(p.Journal.Do, p.ctx, e, p.set("a", 4, nil)))
	p.leaves("after a view", "a", e, "4 [success] none")
}

// late lets a goroutine of a run continue after the run has returned, like a handler that ignores its deadline.
func (p *journalProbe) late() {
	var over atomic.Bool
	var behind sync.WaitGroup
	e := p.entry("late")
	p.works("Do", do(p.Journal.Do, p.ctx, e, func(ctx context.Context, _ bus.Exec) error {
		wrote := make(chan bool)
		behind.Go(func() {
			for i := 1; ; i++ {
				last := over.Load()
				err := p.Write(ctx, "a", i)
				if i == 1 {
					close(wrote)
				}
				if err != nil || last {
					if err == nil {
						p.note("what a run left behind goes on writing after Do")
					}
					return
				}
			}
		})
		<-wrote
		return errRefused
	}))
	over.Store(true)
	behind.Wait()
	p.leaves("a run that left something behind", "a", e, "0 [CONFLICT/busy] none")
}

func (p *journalProbe) begin() {
	var won *bus.Entry
	var mu sync.Mutex
	entries := p.entries("shared")
	p.atOnce(entries, func(j bus.Journal, e *bus.Entry) error {
		if p.begins(j, e) {
			mu.Lock()
			defer mu.Unlock()
			if won != nil {
				p.note("two requests began under one key")
			}
			won = e
		}
		return nil
	})
	if won == nil {
		p.note("of requests with one key at once none began")
		return
	}
	if !p.begins(p.Journal, won) {
		p.note("a request may not begin again, for another attempt")
	}
	p.leaves("a step that began", "a", won, "0 [] none")
	p.free("a step that began", won, false)
	p.works("Finish", p.Journal.Finish(p.ctx, won))
	p.leaves("a step that finished", "a", won, "0 [success] stored")
	one := p.entry("one")
	for _, err := range p.atOnce([]*bus.Entry{one, one, one, one}, func(_ bus.Journal, e *bus.Entry) error {
		return p.Journal.Begin(p.ctx, e)
	}) {
		p.works("one request that begins many times at once", err)
	}
	p.works("Finish", p.Journal.Finish(p.ctx, one))
	p.leaves("a request that began many times", "a", one, "0 [success] stored")
	for range 2 {
		p.works("a request without a key that begins beside another", p.Journal.Begin(p.ctx, p.entry("")))
	}
}

func (p *journalProbe) recovery() {
	if p.Another == nil {
		return
	}
	j, kill := p.another()
	lost, unkeyed, done, living := p.entry("lost"), p.entry(""), p.entry("done"), p.entry("living")
	p.works("Begin", errors.Join(j.Begin(p.ctx, lost), j.Begin(p.ctx, unkeyed), j.Begin(p.ctx, done),
		p.Journal.Begin(p.ctx, living), j.Finish(p.ctx, done)))
	p.another()
	p.leaves("a step under way when another program opens the store", "a", lost, "0 [] none")
	kill()
	for range 2 {
		p.another()
		p.leaves("a step whose program died", "a", lost, "0 [TRANSIENT/interrupted] unknown")
		p.leaves("a step without a key whose program died", "a", unkeyed, "0 [TRANSIENT/interrupted] none")
		p.leaves("a step that finished before its program died", "a", done, "0 [success] stored")
		p.leaves("a step of a living program", "a", living, "0 [] none")
	}
	p.free("a step whose program died", lost, false)
	p.works("Finish", p.Journal.Finish(p.ctx, living))
	p.leaves("a step that finished after another program died", "a", living, "0 [success] stored")
}

// dataVersion checks the first of the interfaces that a journal may also have.
func (p *journalProbe) dataVersion() {
	j, ok := p.Journal.(interface {
		DataVersion(ctx context.Context) (string, error)
	})
	seen := map[string]bool{}
	other, _ := p.another()
	for i, writer := range []bus.Journal{p.Journal, other, p.Journal} {
		if !ok {
			return
		}
		version, err := j.DataVersion(p.ctx)
		if seen[version] || err != nil {
			p.note("%q is the version of two states (%v)", version, err)
		}
		seen[version] = true
		p.works("Do", do(writer.Do, p.ctx, p.entry(""), p.set("a", i+1, nil)))
	}
}

func (p *journalProbe) bucket() {
	type buckets interface {
		Bucket(ctx context.Context, capability string) (bus.Bucket, error)
	}
	j, ok := p.Journal.(buckets)
	if !ok {
		return
	}
	const size = 3
	empty := bus.Errorf(bus.Transient, bus.ReasonRateLimit, "The bucket is empty.")
	limited := p.entries("")
	for _, e := range limited {
		e.Token = func(b bus.Bucket) (bus.Bucket, error) {
			if b.FullAt >= size {
				return b, empty
			}
			return bus.Bucket{FullAt: b.FullAt + 1, UsedAt: b.UsedAt + 1}, nil
		}
	}
	taken := func(what string, want int64) {
		if b, err := j.Bucket(p.ctx, "number.set"); b.FullAt != want || b.UsedAt != want || err != nil {
			p.note("%s: %+v (%v), not %d tokens are taken", what, b, err, want)
		}
	}
	p.works("DryRun", do(p.Journal.DryRun, p.ctx, limited[0], p.set("a", 1, nil)))
	taken("a dry run", 0)
	p.works("Do", do(p.Journal.Do, p.ctx, limited[0], func(ctx context.Context, x bus.Exec) error {
		if in, ok := x.(buckets); !ok {
			p.note("the Exec of a journal that stores buckets does not read them")
		} else if b, err := in.Bucket(ctx, "number.set"); b.FullAt != 0 || err != nil {
			p.note("inside the transaction the bucket is %+v (%v)", b, err)
		}
		return errRefused
	}))
	taken("a failed run", 1)
	for i, err := range p.atOnce(limited[1:7], func(j bus.Journal, e *bus.Entry) error { return j.Record(p.ctx, e) }) {
		want := map[bool]string{true: "0 [success] none", false: "0 [] none"}[err == nil]
		p.leaves(fmt.Sprintf("a record with a token, answered with %v", err), "a", limited[1+i], want)
		if err != nil && !errors.Is(err, empty) {
			p.note("Record with an empty bucket returned %v, not the error of the token", err)
		}
	}
	taken("more records at once than tokens", size)
	if err := p.Journal.Begin(p.ctx, limited[7]); !errors.Is(err, empty) {
		p.note("Begin with an empty bucket returned %v, not the error of the token", err)
	}
}

// groups is the last of the interfaces that a journal may also have.
type groups interface {
	Slot(ctx context.Context, group string, depth int) (give func(), err error)
	SlotFull(group string, depth int) (bool, error)
}

// takeTurn returns nil where there is no turn, which is noted.
func (p *journalProbe) takeTurn(ctx context.Context, j groups, depth int) (give func()) {
	give, err := j.Slot(ctx, "g", depth)
	if give == nil || err != nil {
		p.note("Slot with a queue of %d gives a turn: %v (%v)", depth, give != nil, err)
		return nil
	}
	return give
}

func (p *journalProbe) groups() {
	one, ok := p.Journal.(groups)
	if !ok {
		return
	}
	other, _ := p.another()
	j, ok := other.(groups)
	if !ok {
		p.note("the journal of another program has no groups")
		return
	}
	full := func(what string, depth int, want bool) {
		if got, err := one.SlotFull("g", depth); got != want || err != nil {
			p.note("%s: SlotFull with a queue of %d is %v (%v)", what, depth, got, err)
		}
	}
	full("a free group", 0, false)
	give := p.takeTurn(p.ctx, one, 0)
	if give == nil {
		return // there is nothing to wait for
	}
	full("a held group", 0, true)
	full("a held group", 1, false)
	if second, err := j.Slot(p.ctx, "g", 0); second != nil || err != nil {
		p.note("Slot of a held group with a queue of 0 gives a turn: %v (%v)", second != nil, err)
	}
	ctx, cancel := context.WithTimeout(p.ctx, 50*time.Millisecond)
	defer cancel()
	if _, err := j.Slot(ctx, "g", 1); err == nil {
		p.note("a call that waited until its context ended got no error")
	}
	if give = p.turnAfter(give, one, j); give != nil {
		full("the group of a call that waited", 0, true)
		give()
	}
}

// turnAfter makes a call of another program wait for the turn that give ends. It returns the function that ends the
// second turn, or nil, after noting it, if that call got none.
func (p *journalProbe) turnAfter(give func(), one, j groups) func() {
	ctx, cancel := context.WithCancel(p.ctx)
	defer cancel()
	turn := make(chan func(), 1)
	go func() { turn <- p.takeTurn(ctx, j, 1) }()
	for waits := false; !waits; waits, _ = one.SlotFull("g", 1) {
		select {
		case early := <-turn:
			switch {
			case early != nil:
				p.note("a call got its turn while another one had it")
				early()
			case p.ctx.Err() != nil: // it waited to the end
				p.note("SlotFull with a queue of 1 is false while a call waits")
			}
			give()
			return nil
		case <-p.ctx.Done():
			p.note("SlotFull with a queue of 1 is false while a call waits")
			give()
			return nil
		case <-time.After(time.Millisecond):
		}
	}
	give()
	return <-turn
}
