package bustest

import (
	"encoding/binary"
	"fmt"
	"io"
	"log/slog"
	"sync"
	"testing"
	"time"

	"github.com/deskhand/deskhand/bus"
)

// Clock is a clock that only moves when the test moves it.
type Clock struct {
	mu  sync.Mutex // guards now
	now time.Time
}

// NewClock starts at 2026-03-02 09:00 UTC.
func NewClock() *Clock { return &Clock{now: time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC)} }

// Now returns the time, for bus.Options.Clock.
func (c *Clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

// Advance moves the clock.
func (c *Clock) Advance(d time.Duration) {
	c.mu.Lock()
	c.now = c.now.Add(d)
	c.mu.Unlock()
}

// Options returns the bus options of New: a new Journal, a Clock, counted request ids and seeds, no log output. Change
// the options that the test needs, then call bus.New.
func Options() (bus.Options, *Journal, *Clock) {
	c := NewClock()
	j := &Journal{now: c.Now}
	var mu sync.Mutex
	var ids, seeds uint64
	return bus.Options{
		Journal: j,
		Name:    "test", Version: "0.0.0",
		Clock:  c.Now,
		Logger: slog.New(slog.NewTextHandler(io.Discard, nil)),
		NewRequestID: func() string {
			mu.Lock()
			defer mu.Unlock()
			ids++
			return fmt.Sprintf("req_%d", ids)
		},
		Seed: func() []byte {
			mu.Lock()
			defer mu.Unlock()
			seeds++
			return binary.BigEndian.AppendUint64(nil, seeds)
		},
	}, j, c
}

// New makes a bus with these capabilities on a journal in memory.
func New(t testing.TB, caps ...bus.Capability) (*bus.Bus, *Journal, *Clock) {
	t.Helper()
	o, j, c := Options()
	b := bus.New(o)
	if err := b.Register(caps...); err != nil {
		t.Fatal(err)
	}
	return b, j, c
}
