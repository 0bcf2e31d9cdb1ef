package bustest_test

import (
	"context"
	"errors"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/bus/bustest"
)

// grouped is a journal in memory with one concurrency group, which a test may break.
type grouped struct {
	*bustest.Journal
	turn    chan struct{} // has one while a call has the turn
	waiting atomic.Int64
	slot    func(ctx context.Context, depth int) (give func(), err error)
	full    func(depth int) bool
}

func newGrouped() *grouped {
	g := &grouped{Journal: &bustest.Journal{}, turn: make(chan struct{}, 1)}
	g.slot, g.full = g.take, func(depth int) bool { return len(g.turn) > 0 && int(g.waiting.Load()) >= depth }
	return g
}

func (g *grouped) Slot(ctx context.Context, _ string, depth int) (give func(), err error) {
	return g.slot(ctx, depth)
}
func (g *grouped) SlotFull(_ string, depth int) (bool, error) { return g.full(depth), nil }

func (g *grouped) take(ctx context.Context, depth int) (give func(), err error) {
	give = func() { <-g.turn }
	select {
	case g.turn <- struct{}{}:
		return give, nil
	default:
	}
	defer g.waiting.Add(-1)
	if int(g.waiting.Add(1)) > depth {
		return nil, nil
	}
	select {
	case g.turn <- struct{}{}:
		return give, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// TestAGroupThatIsWrongIsAFinding and neither a panic nor a wait without end.
func TestAGroupThatIsWrongIsAFinding(t *testing.T) {
	for name, c := range map[string]struct {
		breaks func(g *grouped)
		want   string
	}{
		"right": {func(*grouped) {}, ""},
		"no turn": {func(g *grouped) {
			g.slot = func(context.Context, int) (func(), error) { return nil, nil }
		}, "Slot with a queue of 0 gives a turn: false (<nil>)"},
		"an error": {func(g *grouped) {
			g.slot = func(context.Context, int) (func(), error) { return nil, errors.New("the disk is full") }
		}, "gives a turn: false (the disk is full)"},
		"no queue": {func(g *grouped) {
			g.slot = func(ctx context.Context, _ int) (func(), error) { return g.take(ctx, 0) }
		}, "Slot with a queue of 1 gives a turn: false (<nil>)"},
		"a turn for everyone": {func(g *grouped) {
			g.slot = func(context.Context, int) (func(), error) { return func() {}, nil }
		}, "a call got its turn while another one had it"},
		"never full": {func(g *grouped) {
			g.full = func(int) bool { return false }
		}, "SlotFull with a queue of 1 is false while a call waits"},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				found := bustest.CheckJournal(t, func(testing.TB) bustest.JournalFixture {
					g := newGrouped()
					c.breaks(g)
					f := numbers(g.Journal)
					f.Journal = g
					return f
				}, "groups")
				var all []string
				for _, f := range found {
					all = append(all, f.Message)
				}
				if got := strings.Join(all, "\n"); !strings.Contains(got, c.want) || (c.want == "") != (got == "") {
					t.Errorf("found were %q, want %q", got, c.want)
				}
			})
		})
	}
}

var _ bus.Journal = (*grouped)(nil)
