package bus_test

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/bus/bustest"
	"pgregory.net/rapid"
)

// walks is how many random interleavings are tried; make soak asks for more.
var walks = flag.Int("walks", 500, "random interleavings of calls")

// holds: B4
func TestB4AThousandDuplicatesRunOnce(t *testing.T) {
	for name, effect := range map[string]bus.SideEffect{"in a transaction": bus.UIOnly, "reading": bus.Pure,
		"reaching out": bus.Network} {
		t.Run(name, func(t *testing.T) {
			const n = 1000
			var ran atomic.Int32
			open := make(chan struct{})
			c := doing("a.slow", effect, func(_ context.Context, call *bus.Call) (json.RawMessage, error) {
				ran.Add(1)
				<-open
				return json.RawMessage(`{"id":"` + call.NewID("x") + `"}`), nil
			})
			b, j, _ := bustest.New(t, c)
			inv := call("a.slow", `{"x":1}`)
			inv.IdempotencyKey = "k"
			results := make(chan bus.Result, n)
			for range n {
				go func() { results <- b.Invoke(context.Background(), inv) }()
			}
			close(open)
			replayed, data := 0, map[string]int{}
			for range n {
				r := <-results
				wantOK(t, r)
				data[string(r.Data)]++
				if r.Replayed {
					replayed++
				}
			}
			if ran.Load() != 1 || replayed != n-1 || len(data) != 1 {
				t.Errorf("it ran %d times, %d got the stored result, %d different ones", ran.Load(), replayed, len(data))
			}
			records(t, j, n)
		})
	}
}

// step is one call of a random walk.
type step struct {
	capability string
	at, takes  time.Duration
	cancelAt   time.Duration // 0: never
	byContext  bool          // cancelled by its context, else by its request id
	timeout    time.Duration // 0: the capability's own
	deaf       bool          // its handler does not look at its context
	fails      bool
	key        string
	dryRun     bool
}

// room is what excludes what in a walk.
type room struct {
	group string // "" excludes nothing
	queue int
}

// TestB8RandomInterleavingsExcludeAndEnd: whatever overlaps, is cancelled, is too
// late or fails, groups never overlap, queues never grow beyond their depth,
// every call has one result and one record, and none waits for ever.
// holds: B6 B8 C9
func TestB8RandomInterleavingsExcludeAndEnd(t *testing.T) {
	done := 0
	for done < *walks {
		rapid.Check(t, func(rt *rapid.T) {
			w := drawWalk(rt)
			var failure string
			synctest.Test(t, func(t *testing.T) { failure = w.run(t) })
			if failure != "" {
				rt.Fatal(failure)
			}
			done++
		})
	}
}

// walkers are the capabilities of a walk: one excludes itself, two each other,
// one nothing.
var walkers = []string{"w.alone", "w.one", "w.two", "w.free"}

// walk is a few capabilities and the calls made of them.
type walk struct {
	rooms map[string]room
	steps []step
}

func drawWalk(t *rapid.T) walk {
	w := walk{rooms: map[string]room{}}
	w.rooms["w.alone"] = room{string(bus.Exclusive), rapid.IntRange(0, 3).Draw(t, "queue alone")}
	shared := rapid.IntRange(0, 3).Draw(t, "queue shared")
	w.rooms["w.one"], w.rooms["w.two"] = room{"g", shared}, room{"g", shared}
	ms := func(label string, least, most int) time.Duration {
		return time.Duration(rapid.IntRange(least, most).Draw(t, label)) * time.Millisecond
	}
	for i := range rapid.IntRange(2, 14).Draw(t, "calls") {
		s := step{capability: rapid.SampledFrom(walkers).Draw(t, "capability"), at: ms("at", 0, 8), takes: ms("takes", 0, 6)}
		switch rapid.IntRange(0, 7).Draw(t, "fate") {
		case 0, 1:
			s.cancelAt, s.byContext = s.at+ms("cancel", 0, 6), rapid.Bool().Draw(t, "by context")
		case 2:
			s.timeout = ms("timeout", 1, 5)
		case 3:
			s.fails = true
		case 4:
			s.key = rapid.SampledFrom([]string{"k1", "k2"}).Draw(t, "key")
		case 5:
			s.dryRun = true
		}
		s.at += time.Duration(i) * 10 * time.Microsecond // so that no call begins at the instant another ends
		s.deaf = rapid.IntRange(0, 4).Draw(t, "deaf") == 0
		w.steps = append(w.steps, s)
	}
	return w
}

// watch sees who is where during a walk.
type watch struct {
	walk walk

	mu     sync.Mutex // guards the rest
	wrong  []string
	inside map[string]int // handlers that run, by group
	there  map[int]bool   // calls that are not answered
	crowd  map[string]int // how many, by group
	firm   map[string]int // those of them that cannot be waiting for a duplicate
	peak   map[int]int    // per call: the largest crowd it was in
}

func (w *watch) note(format string, args ...any) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.wrong = append(w.wrong, fmt.Sprintf(format, args...))
}

// group is what a call excludes, "" when nothing.
func (w *watch) group(i int) string {
	s := w.walk.steps[i]
	if g := w.walk.rooms[s.capability].group; g != string(bus.Exclusive) {
		return g
	}
	return s.capability
}

// hold counts a call in; drop counts it out when it is answered.
func (w *watch) hold(i int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	g := w.group(i)
	w.there[i] = true
	w.crowd[g]++
	if w.walk.steps[i].key == "" {
		w.firm[g]++
	}
	for other := range w.there {
		if w.there[other] && w.group(other) == g {
			w.peak[other] = max(w.peak[other], w.crowd[g])
		}
	}
}

func (w *watch) drop(i int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	g := w.group(i)
	w.there[i] = false
	w.crowd[g]--
	if w.walk.steps[i].key == "" {
		w.firm[g]--
	}
}

// enter and leave stand around a handler.
func (w *watch) enter(i int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	g := w.group(i)
	if w.inside[g]++; g != "" && w.inside[g] > 1 {
		w.wrong = append(w.wrong, "two calls of "+g+" are inside")
	}
}

func (w *watch) leave(i int) {
	w.mu.Lock()
	w.inside[w.group(i)]--
	w.mu.Unlock()
}

// look is taken between two milliseconds, when everything is asleep: whoever is
// there is inside or in the queue.
func (w *watch) look() {
	w.mu.Lock()
	defer w.mu.Unlock()
	for i, s := range w.walk.steps {
		if g, queue := w.group(i), w.walk.rooms[s.capability].queue; g != "" && w.firm[g] > 1+queue {
			w.wrong = append(w.wrong, fmt.Sprintf("%d calls of %s are there, %d may wait", w.firm[g], g, queue))
		}
	}
}

// handle is every capability's handler.
func (w *watch) handle(ctx context.Context, call *bus.Call) (json.RawMessage, error) {
	i, _ := strconv.Atoi(call.RequestID)
	s := w.walk.steps[i]
	w.enter(i)
	defer w.leave(i)
	if s.deaf {
		time.Sleep(s.takes)
	} else {
		select {
		case <-time.After(s.takes):
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
	if s.fails {
		return nil, bus.Errorf(bus.Conflict, bus.ReasonChanged, "It changed.")
	}
	return json.RawMessage(`{"ran":"` + call.RequestID + `"}`), nil
}

// run makes the calls inside a bubble of its own time and says what went wrong.
func (w walk) run(t *testing.T) string {
	seen := &watch{walk: w, inside: map[string]int{}, there: map[int]bool{}, crowd: map[string]int{},
		firm: map[string]int{}, peak: map[int]int{}}
	var caps []bus.Capability
	for _, name := range walkers {
		c := doing(name, bus.Pure, seen.handle) // a transaction is held with a lock, which no bubble sees through
		c.Run.Concurrency, c.Run.QueueDepth = bus.Concurrency(w.rooms[name].group), w.rooms[name].queue
		caps = append(caps, c)
	}
	b, j, _ := bustest.New(t, caps...)
	results := make([]bus.Result, len(w.steps))
	var wg sync.WaitGroup
	for i, s := range w.steps {
		inv := call(s.capability, `{}`)
		inv.RequestID, inv.IdempotencyKey, inv.DryRun, inv.Timeout = strconv.Itoa(i), s.key, s.dryRun,
			s.timeout
		ctx, cancel := context.WithCancel(t.Context())
		wg.Go(func() {
			defer cancel()
			time.Sleep(s.at)
			seen.hold(i)
			results[i] = b.Invoke(ctx, inv)
			seen.drop(i)
		})
		if s.cancelAt > 0 {
			wg.Go(func() {
				time.Sleep(s.cancelAt)
				if s.byContext {
					cancel()
				} else {
					b.Cancel(inv.RequestID, inv.Principal.ID)
				}
			})
		}
	}
	time.Sleep(time.Millisecond / 2)
	for range 30 {
		seen.look()
		time.Sleep(time.Millisecond)
	}
	wg.Wait()
	time.Sleep(time.Second) // the deaf ones end
	left := map[string]int{}
	for _, e := range j.Entries() {
		left[e.Invocation.RequestID]++
	}
	for i, s := range w.steps {
		if why := s.wrongEnd(results[i], seen.peak[i] > 1+w.rooms[s.capability].queue); why != "" {
			seen.note("call %d of %s: %s: %s", i, s.capability, why, wire(t, results[i]))
		}
		if n := left[strconv.Itoa(i)]; n != 1 {
			seen.note("call %d left %d records", i, n)
		}
	}
	if err := b.Close(t.Context()); err != nil {
		seen.note("close: %v", err)
	}
	if len(seen.wrong) == 0 {
		return ""
	}
	return fmt.Sprintf("%v\nof %+v", seen.wrong, w)
}

// wrongEnd says what a call may not end with, "" when all is well; crowded says
// that there were more calls than may run and wait.
func (s step) wrongEnd(r bus.Result, crowded bool) string {
	switch {
	case r.OK():
		return ""
	case r.Err.Code == bus.Conflict && r.Err.Reason == bus.ReasonBusy:
		if !crowded {
			return "there was room"
		}
		return ""
	case r.Err.Code == bus.Conflict && r.Err.Reason == bus.ReasonChanged && s.fails,
		r.Err.Reason == bus.ReasonCancelled && s.cancelAt > 0,
		r.Err.Reason == bus.ReasonTimeout && s.timeout > 0:
		return ""
	}
	return "it cannot end so"
}
