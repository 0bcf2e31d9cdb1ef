package bustest

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/deskhand/deskhand/bus"
)

// begins reports whether a request may begin, and notes another refusal than CONFLICT.
func (p *journalProbe) begins(j bus.Journal, e *bus.Entry) bool {
	err := j.Begin(p.ctx, e)
	if coded := new(bus.Error); err != nil && (!errors.As(err, &coded) || coded.Code != bus.Conflict) {
		p.note("Begin is refused with %v, not a CONFLICT", err)
	}
	return err == nil
}

// free reports whether another request may begin under an entry's key, and leaves it as it was.
func (p *journalProbe) free(e *bus.Entry) bool {
	other := p.entry(e.Key.Value)
	if !p.begins(p.Journal, other) {
		return false
	}
	p.works("Finish", p.Journal.Finish(p.ctx, settle(other, errRefused)))
	return true
}

func (p *journalProbe) begin() {
	entries := make([]*bus.Entry, callers)
	for i := range entries {
		entries[i] = p.entry("shared")
	}
	var won *bus.Entry
	began := make([]bool, callers)
	p.atOnce(func(j bus.Journal, i int) error { began[i] = p.begins(j, entries[i]); return nil })
	for i, e := range entries {
		if began[i] && won != nil {
			p.note("two requests began under one key")
		} else if began[i] {
			won = e
		}
		p.leaves("a step that began", "a", e, "0 [] none")
	}
	if won == nil {
		p.note("of requests with one key at once none began")
		return
	}
	if !p.begins(p.Journal, won) {
		p.note("a request may not begin again for another attempt")
	}
	if p.free(won) {
		p.note("a key under way may begin a second time")
	}
	p.works("Finish", p.Journal.Finish(p.ctx, won))
	p.leaves("the step that finished", "a", won, "0 [success] stored")
	if p.free(won) {
		p.note("a key that has a result may begin again")
	}
	one := p.entry("one")
	for _, err := range p.atOnce(func(j bus.Journal, _ int) error { return p.Journal.Begin(p.ctx, one) }) {
		p.works("one request that begins many times at once", err)
	}
	p.works("Finish", p.Journal.Finish(p.ctx, one))
	p.leaves("a request that began many times", "a", one, "0 [success] stored")
	for range 2 {
		if !p.begins(p.Journal, p.entry("")) {
			p.note("a request without a key may not begin beside another")
		}
	}
}

func (p *journalProbe) finish() {
	for _, c := range []struct {
		err  error
		want string
		free bool
	}{
		{nil, "0 [success] stored", false},
		{errRefused, "0 [CONFLICT/busy] none", true},
		{bus.Errorf(bus.Transient, bus.ReasonInterrupted, "Cut off."), "0 [TRANSIENT/interrupted] unknown", false},
		{bus.Errorf(bus.Internal, bus.ReasonPanic, "Panicked."), "0 [INTERNAL/panic] unknown", false}} {
		e := p.entry(fmt.Sprint(c.err))
		p.works("Begin", p.Journal.Begin(p.ctx, e))
		p.works("Finish", p.Journal.Finish(p.ctx, settle(e, c.err)))
		what := fmt.Sprintf("a step that ended with %v", c.err)
		p.leaves(what, "a", e, c.want)
		if p.free(e) != c.free {
			p.note("%s: its key may begin again: %v", what, !c.free)
		}
	}
}

func (p *journalProbe) recovery() {
	if p.Another == nil {
		return
	}
	j, kill := p.another()
	lost, unkeyed, done, living := p.entry("lost"), p.entry(""), p.entry("done"), p.entry("living")
	for _, e := range []*bus.Entry{lost, unkeyed, done} {
		p.works("Begin", j.Begin(p.ctx, e))
	}
	p.works("Begin", p.Journal.Begin(p.ctx, living))
	p.works("Finish", j.Finish(p.ctx, done))
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
	if p.free(lost) {
		p.note("the key of a step with an unknown outcome may begin again")
	}
	p.works("Finish", p.Journal.Finish(p.ctx, living))
	p.leaves("a step that finished after another program died", "a", living, "0 [success] stored")
}

// faults lets each single statement of each operation fail.
func (p *journalProbe) faults() {
	if p.Fault == nil {
		return
	}
	// With an error nothing is left; else all of it, or the failure that a statement of the run met.
	const nothing, failed = "0 [] none", "0 [INTERNAL/uncoded] none"
	for what, op := range map[string]struct {
		do   func(name string, e *bus.Entry) error
		left []string
	}{
		"Do": {func(name string, e *bus.Entry) error { return do(p.Journal.Do, p.ctx, e, p.set(name, 1, nil)) },
			[]string{"1 [success] stored", failed}},
		"Do of a failure": {func(name string, e *bus.Entry) error {
			return do(p.Journal.Do, p.ctx, e, p.set(name, 1, errRefused))
		}, []string{"0 [CONFLICT/busy] none", failed}},
		"DryRun": {func(name string, e *bus.Entry) error {
			return do(p.Journal.DryRun, p.ctx, e, p.set(name, 1, nil))
		}, []string{nothing}},
		"Record": {func(_ string, e *bus.Entry) error { return p.Journal.Record(p.ctx, e) },
			[]string{"0 [success] stored"}},
		"Begin":  {func(_ string, e *bus.Entry) error { return p.Journal.Begin(p.ctx, e) }, []string{nothing}},
		"Finish": {func(_ string, e *bus.Entry) error { return p.Journal.Finish(p.ctx, e) }, []string{"0 [success] stored"}},
	} {
		for n, met := 1, true; met && len(p.found) == 0; n++ {
			name := fmt.Sprintf("%s %d", what, n)
			e := p.entry(name)
			if what == "Finish" {
				p.works("Begin", p.Journal.Begin(p.ctx, e))
			}
			end := p.Fault(n)
			err := op.do(name, e)
			met = end()
			name = fmt.Sprintf("%s whose statement %d failed, answered with %v", what, n, err)
			if !met {
				p.works(what, err)
			}
			want := op.left
			if err != nil {
				want = []string{nothing}
			}
			p.leaves(name, fmt.Sprintf("%s %d", what, n), e, want...)
			switch {
			case what == "Begin" && p.free(e) != (err != nil):
				p.note("%s: its key may begin: %v", name, err == nil)
			case what == "Finish" && err != nil && p.free(e):
				p.note("%s: it is no longer under way", name)
			case what == "Finish" && err != nil:
				p.works("Finish again", p.Journal.Finish(p.ctx, e))
				p.leaves("Finish again after "+name, "a", e, "0 [success] stored")
			}
		}
	}
}

// dataVersion checks the first of the interfaces that a journal may also have.
func (p *journalProbe) dataVersion() {
	j, ok := p.Journal.(interface {
		DataVersion(ctx context.Context) (string, error)
	})
	if !ok {
		return
	}
	seen := map[string]bool{}
	other, _ := p.another()
	for i, writer := range []bus.Journal{p.Journal, other, p.Journal} {
		before, err := j.DataVersion(p.ctx)
		p.works("DataVersion", err)
		if again, err := j.DataVersion(p.ctx); again != before || err != nil {
			p.note("two versions of one state: %q, %q (%v)", before, again, err)
		}
		if seen[before] {
			p.note("%q is the version of two states", before)
		}
		seen[before] = true
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
	limited := func() *bus.Entry {
		e := p.entry("")
		e.Token = func(b bus.Bucket) (bus.Bucket, error) {
			if b.FullAt >= size {
				return b, empty
			}
			return bus.Bucket{FullAt: b.FullAt + 1, UsedAt: b.UsedAt + 1}, nil
		}
		return e
	}
	taken := func(what string, want int64) {
		b, err := j.Bucket(p.ctx, "number.set")
		if b.FullAt != want || b.UsedAt != want || err != nil {
			p.note("%s: %d tokens are taken (%v), not %d", what, b.FullAt, err, want)
		}
	}
	p.works("DryRun", do(p.Journal.DryRun, p.ctx, limited(), p.set("a", 1, nil)))
	taken("a dry run", 0)
	p.works("Do", do(p.Journal.Do, p.ctx, limited(), func(ctx context.Context, x bus.Exec) error {
		if in, ok := x.(buckets); !ok {
			p.note("the Exec of a journal that stores buckets does not read them")
		} else if b, err := in.Bucket(ctx, "number.set"); b.FullAt != 0 || err != nil {
			p.note("inside the transaction the bucket is %+v (%v)", b, err)
		}
		return errRefused
	}))
	taken("a failed run", 1)
	entries := make([]*bus.Entry, callers)
	for i := range entries {
		entries[i] = limited()
	}
	for i, err := range p.atOnce(func(j bus.Journal, i int) error { return j.Record(p.ctx, entries[i]) }) {
		want := "1"
		if err == nil {
			p.leaves("a record with a token", "a", entries[i], "0 [success] none")
			continue
		}
		if !errors.Is(err, empty) {
			p.note("Record with an empty bucket returned %v, not the error of the token", err)
		}
		p.leaves("a record without a token, of "+want, "a", entries[i], "0 [] none")
	}
	taken("more records at once than tokens", size)
	if err := p.Journal.Begin(p.ctx, limited()); !errors.Is(err, empty) {
		p.note("Begin with an empty bucket returned %v, not the error of the token", err)
	}
}

func (p *journalProbe) slots() {
	type groups interface {
		Slot(ctx context.Context, group string, depth int) (give func(), err error)
		SlotFull(group string, depth int) (bool, error)
	}
	one, ok := p.Journal.(groups)
	if !ok {
		return
	}
	j, _ := p.another()
	other := j.(groups)
	take := func(g groups, depth int) func() {
		ctx, cancel := context.WithTimeout(p.ctx, 10*time.Second)
		defer cancel()
		give, err := g.Slot(ctx, "g", depth)
		p.works("Slot", err)
		return give
	}
	full := func(what string, depth int, want bool) {
		if got, err := one.SlotFull("g", depth); got != want || err != nil {
			p.note("%s: SlotFull with a queue of %d is %v (%v)", what, depth, got, err)
		}
	}
	full("a free group", 0, false)
	give := take(one, 0)
	if give == nil {
		p.note("a free group gives no turn")
		return
	}
	full("a held group", 0, true)
	full("a held group", 1, false)
	if take(other, 0) != nil {
		p.note("two programs have the turn of one group")
	}
	ctx, cancel := context.WithTimeout(p.ctx, 50*time.Millisecond)
	if waited, err := other.Slot(ctx, "g", 1); err == nil {
		p.note("a call that waited until its context ended got %v, not an error", waited != nil)
	}
	cancel()
	turns := make(chan func(), 1)
	go func() { turns <- take(other, 1) }()
	for range 1000 {
		if is, err := one.SlotFull("g", 1); is || err != nil {
			break
		}
		time.Sleep(time.Millisecond)
	}
	full("a held group that another waits for", 1, true)
	give()
	if give = <-turns; give == nil {
		p.note("who waited got no turn")
		return
	}
	full("the group of who waited", 0, true)
	give()
}
