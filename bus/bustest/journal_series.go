package bustest

import (
	"context"
	"fmt"
	"slices"

	"github.com/deskhand/deskhand/bus"
)

// counter is an Exec that counts series.
type counter interface {
	bus.Partial
	Next(series string, pinned int64) (int64, error)
}

// draw is a run that draws the next number of a series, or a pinned one, and ends with err.
func (p *journalProbe) draw(series string, pinned int64, number *int64, err error) run {
	return func(_ context.Context, x bus.Exec) error {
		n, failed := x.(counter).Next(series, pinned)
		if *number = n; failed != nil {
			return failed
		}
		return err
	}
}

// draws notes another number than the one wanted.
func (p *journalProbe) draws(what, series string, pinned, want int64) {
	var got int64
	p.works(what, do(p.Journal.Do, p.ctx, p.entry(""), p.draw(series, pinned, &got, nil)))
	if got != want {
		p.note("%s: the number is %d, not %d", what, got, want)
	}
}

func (p *journalProbe) series() {
	counts := false
	p.works("DryRun", do(p.Journal.DryRun, p.ctx, p.entry(""), func(_ context.Context, x bus.Exec) (err error) {
		if _, counts = x.(counter); counts {
			_, err = x.(counter).Next("a", 0)
		}
		return err
	}))
	if !counts {
		return
	}
	p.draws("after a dry run", "a", 0, 1)
	var lost int64
	for what, end := range map[string]error{"a failed run": errRefused, "a discarded run": bus.ErrDiscard} {
		_ = do(p.Journal.Do, p.ctx, p.entry(""), p.draw("a", 0, &lost, end)) // it returns the run's error
		if lost != 2 {
			p.note("%s got the number %d, not 2", what, lost)
		}
	}
	p.draws("after runs that were not kept", "a", 0, 2)
	p.draws("another series", "b", 0, 1)
	p.works("Do", do(p.Journal.Do, p.ctx, p.entry(""), func(_ context.Context, x bus.Exec) error {
		part := x.(counter)
		_ = part.Part(func() error { return p.draw("a", 0, &lost, errRefused)(p.ctx, x) }) // it is taken back
		if n, err := part.Next("a", 0); n != 3 || err != nil {
			p.note("after a part that was taken back the number is %d (%v), not 3", n, err)
		}
		n, err := part.Next("a", 0)
		if n != 4 {
			p.note("the second number of a call is %d, not 4", n)
		}
		return err
	}))
	p.draws("a pinned number", "a", 40, 40)
	p.draws("after a pinned number", "a", 0, 41)
	p.draws("a pinned number below", "a", 7, 7)
	p.draws("after a pinned number below", "a", 0, 42)
	p.seriesAtOnce()
	p.seriesFaults()
}

// seriesAtOnce draws from several programs at the same time, and after one of them died.
func (p *journalProbe) seriesAtOnce() {
	entries := p.entries("")
	numbers := map[*bus.Entry]*int64{}
	for _, e := range entries {
		numbers[e] = new(int64)
	}
	var got, want []int64
	for i, err := range p.atOnce(entries, func(j bus.Journal, e *bus.Entry) error {
		return do(j.Do, p.ctx, e, p.draw("at once", 0, numbers[e], nil))
	}) {
		p.works("one of many calls that draw a number", err)
		got, want = append(got, *numbers[entries[i]]), append(want, int64(i)+1)
	}
	if slices.Sort(got); !slices.Equal(got, want) {
		p.note("calls at once drew the numbers %v", got)
	}
	other, kill := p.another()
	var last int64
	p.works("Do", do(other.Do, p.ctx, p.entry(""), p.draw("at once", 0, &last, nil)))
	kill()
	p.draws("after a program died", "at once", 0, int64(len(want))+2)
}

// seriesFaults draws while each statement fails once. The kept draws must have every number once.
func (p *journalProbe) seriesFaults() {
	if p.Fault == nil {
		return
	}
	kept := int64(0)
	for n, met := 1, true; met && len(p.found) == 0; n++ {
		var number int64
		what := fmt.Sprintf("a draw, its statement %d failing", n)
		end := p.Fault(n)
		e := p.entry("")
		err := do(p.Journal.Do, p.ctx, e, p.draw("faults", 0, &number, nil))
		if met = end(); err == nil && e.Result.OK() {
			if kept++; number != kept {
				p.note("%s: the number is %d, not %d", what, number, kept)
			}
		}
		kept++
		p.draws("after "+what, "faults", 0, kept)
	}
}
