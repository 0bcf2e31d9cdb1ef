package bustest

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/deskhand/deskhand/bus"
)

// journalCall is a single call about a number that is 1.
type journalCall struct {
	what  string
	begun bool // a step that Begin has noted
	call  func(ctx context.Context, name string, e *bus.Entry) error
	err   error  // its error
	left  string // the state afterwards
}

// list has a call of each kind.
func (p *journalProbe) list() []journalCall {
	type call = func(ctx context.Context, name string, e *bus.Entry) error
	run := func(do1 func(context.Context, *bus.Entry, run) error, err error) call {
		return func(ctx context.Context, name string, e *bus.Entry) error {
			return do(do1, ctx, e, p.set(name, 2, err))
		}
	}
	end := func(record func(context.Context, *bus.Entry) error, err error, replayed, dry bool) call {
		return func(ctx context.Context, _ string, e *bus.Entry) error {
			settle(e, err)
			e.Result.Replayed, e.Result.DryRun = replayed, dry
			return record(ctx, e)
		}
	}
	breaks := func(ctx context.Context, name string, e *bus.Entry) error {
		return do(p.Journal.Do, ctx, e, func(ctx context.Context, x bus.Exec) error {
			return cmp.Or(p.set(name, 2, nil)(ctx, x), p.Write(ctx, name+"'", -1))
		})
	}
	cancelled := func(ctx context.Context, name string, e *bus.Entry) error {
		whole := ctx
		ctx, cancel := context.WithCancel(ctx)
		err := do(p.Journal.Do, ctx, e, func(ctx context.Context, x bus.Exec) error {
			defer cancel()
			return p.set(name, 2, errCut)(ctx, x)
		})
		if errors.Is(err, context.Canceled) && !e.Result.OK() { // it need not be recorded: then the bus does it
			err = p.Journal.Record(whole, e)
		}
		return err
	}
	j, unknown := p.Journal, bus.Errorf(bus.Transient, bus.ReasonInterrupted, "Cut off.")
	return []journalCall{
		{"Do", false, run(j.Do, nil), nil, "2 [success] stored"},
		{"Do of a failure", false, run(j.Do, errRefused), nil, "1 [CONFLICT/busy] none"},
		{"Do that is discarded", false, run(j.Do, bus.ErrDiscard), bus.ErrDiscard, "1 [] none"},
		{"Do of a statement that fails", false, breaks, nil, "1 [INTERNAL/uncoded] none"},
		{"Do that is cancelled", false, cancelled, nil, "1 [TRANSIENT/cancelled] none"},
		{"DryRun", false, run(j.DryRun, nil), nil, "1 [] none"},
		{"DryRun of a failure", false, run(j.DryRun, errRefused), errRefused, "1 [] none"},
		{"Record", false, end(j.Record, nil, false, false), nil, "1 [success] stored"},
		{"Record of a refusal", false, end(j.Record, errRefused, false, false), nil, "1 [CONFLICT/busy] none"},
		{"Record of a replay", false, end(j.Record, nil, true, false), nil, "1 [success] none"},
		{"Record of a dry run", false, end(j.Record, nil, false, true), nil, "1 [success] none"},
		{"Finish", true, end(j.Finish, nil, false, false), nil, "1 [success] stored"},
		{"Finish of a failure", true, end(j.Finish, errRefused, false, false), nil, "1 [CONFLICT/busy] none"},
		{"Finish of what was cut off", true, end(j.Finish, unknown, false, false), nil,
			"1 [TRANSIENT/interrupted] unknown"},
	}
}

// make makes a call on a new number, with a separate entry.
func (c *journalCall) make(p *journalProbe, name string, around func(call func() error) error) (*bus.Entry, error) {
	e := p.entry(name)
	p.works("Do", do(p.Journal.Do, p.ctx, p.entry(""), p.set(name, 1, nil)))
	if c.begun {
		p.works("Begin", p.Journal.Begin(p.ctx, e))
	}
	return e, around(func() error { return c.call(p.ctx, name, e) })
}

func (p *journalProbe) calls() {
	for _, c := range p.list() {
		e, err := c.make(p, c.what, func(call func() error) error { return call() })
		if !errors.Is(err, c.err) {
			p.note("%s returns %v, not %v", c.what, err, c.err)
		}
		p.leaves(c.what, c.what, e, c.left)
		p.free(c.what, e, strings.HasSuffix(c.left, "none"))
	}
	// A statement whose error the run hides may cost the run, or only itself.
	e, want := p.entry("hidden"), "3 [success] stored"
	if err := do(p.Journal.Do, p.ctx, e, func(ctx context.Context, _ bus.Exec) error {
		err := p.Write(ctx, "hidden", 3)
		if p.Write(ctx, "negative", -1) == nil {
			p.note("the store took a negative number: the fixture is to refuse it")
		}
		return err
	}); err != nil {
		want = "0 [] none"
	}
	p.leaves("Do of a run that hides an error", "hidden", e, want)
}

// faults lets each single statement of each call fail. After an error nothing is left; else all of it is, or the
// failure that a statement of the run met.
func (p *journalProbe) faults() {
	if p.Fault == nil {
		return
	}
	for _, c := range p.list() {
		for n, met := 1, true; met && len(p.found) == 0; n++ {
			name := fmt.Sprintf("%s, its statement %d failing", c.what, n)
			e, err := c.make(p, name, func(call func() error) error {
				end := p.Fault(n)
				err := call()
				met = end()
				return err
			})
			if err == nil || errors.Is(err, c.err) {
				p.leaves(name, name, e, c.left, "1 [INTERNAL/uncoded] none")
				continue
			}
			p.leaves(fmt.Sprintf("%s, answered with %v", name, err), name, e, "1 [] none")
			if p.free(name, e, !c.begun); c.begun {
				p.works("Finish again", c.call(p.ctx, name, e))
				p.leaves("Finish again after "+name, name, e, c.left)
			}
			if !met {
				p.note("%s returns %v without a fault", c.what, err)
			}
		}
	}
	for n, met := 1, true; met && len(p.found) == 0; n++ {
		e := p.entry(fmt.Sprintf("Begin, its statement %d failing", n))
		end := p.Fault(n)
		err := p.Journal.Begin(p.ctx, e)
		met = end()
		p.leaves(e.Key.Value, "a", e, "0 [] none")
		p.free(fmt.Sprintf("%s, answered with %v", e.Key.Value, err), e, err != nil)
	}
}
