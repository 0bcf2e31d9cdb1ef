package bus_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"testing"
	"time"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/bus/bustest"
)

// holds: B5
func TestB5AnErrorNamesTheFailedPrecondition(t *testing.T) {
	c := doing("till.open", bus.UIOnly, ok)
	c.Permissions = []string{"till.unlocked"}
	shut, locked := error(nil), bus.ErrUnmet
	c.Checks.Preconditions = []bus.Precondition{
		{Name: "day-begun", Check: func(context.Context, *bus.Call) error { return nil }},
		{Name: "till-closed", Check: func(context.Context, *bus.Call) error { return shut }}}
	b := bus.New(bus.Options{Journal: &bustest.Journal{}, Conditions: map[string]func(context.Context, *bus.Call) error{
		"till.unlocked": func(context.Context, *bus.Call) error { return locked }}})
	b.MustRegister(c)
	for name, unmet := range map[string]func(){
		"till.unlocked": func() {},
		"till-closed":   func() { locked, shut = nil, bus.Errorf(bus.PreconditionFailed, bus.ReasonState, "It is open.") },
	} {
		locked, shut = bus.ErrUnmet, nil
		unmet()
		r := b.Invoke(t.Context(), call("till.open", `{}`))
		var back bus.Result
		if err := json.Unmarshal([]byte(wire(t, r)), &back); err != nil || back.Err == nil || back.Err.Precondition != name {
			t.Errorf("%s: %s %v", name, wire(t, r), err)
		}
	}
}

// holds: B8
func TestB10AnApplicationHasReasonsOfItsOwn(t *testing.T) {
	for reason, want := range map[bus.Reason]bus.Code{
		"till.jammed": bus.Conflict, "jammed": bus.Internal, "till.": bus.Internal, "till.ja mmed": bus.Internal,
	} {
		b := bus.New(bus.Options{Journal: &bustest.Journal{}})
		b.MustRegister(doing("till.open", bus.UIOnly, func(context.Context, *bus.Call) (json.RawMessage, error) {
			return nil, bus.Errorf(bus.Conflict, reason, "The till is jammed.")
		}))
		r := b.Invoke(t.Context(), call("till.open", `{}`))
		if r.Err == nil || r.Err.Code != want || want == bus.Conflict && r.Err.Reason != reason {
			t.Errorf("%s: %s", reason, wire(t, r))
		}
	}
}

// repeating is a journal whose first try of a transaction meets another one.
type repeating struct{ bustest.Journal }

func (j *repeating) Do(ctx context.Context, e *bus.Entry, run func(context.Context, bus.Exec) error) error {
	return j.Journal.Do(ctx, e, func(ctx context.Context, x bus.Exec) error {
		_ = run(ctx, x)
		return run(ctx, x)
	})
}

// holds: B10
func TestB10OnlyTheLastTryOfAJournalIsLogged(t *testing.T) {
	for name, last := range map[string]error{"": nil, "ERROR": errors.New("it is broken")} {
		var log bytes.Buffer
		b := bus.New(bus.Options{Journal: &repeating{}, Logger: slog.New(slog.NewTextHandler(&log, nil))})
		tries := 0
		b.MustRegister(doing("till.open", bus.UIOnly, func(context.Context, *bus.Call) (json.RawMessage, error) {
			if tries++; tries == 1 {
				return nil, errors.New("could not serialize access")
			}
			return json.RawMessage(`{}`), last
		}))
		r := b.Invoke(t.Context(), call("till.open", `{}`))
		if tries != 2 || r.OK() != (last == nil) || bytes.Contains(log.Bytes(), []byte("serialize")) ||
			bytes.Count(log.Bytes(), []byte("ERROR")) != len(name)/5 {
			t.Errorf("%d tries, %s, logged %s", tries, wire(t, r), &log)
		}
	}
}

// holds: B6 C10
func TestC10AReplayHasNoRateLimit(t *testing.T) {
	c := doing("a.b", bus.Pure, ok)
	c.Run.RateLimit = &bus.RateLimit{Requests: 1, Period: time.Minute}
	b, _, _ := bustest.New(t, c)
	for range 3 {
		inv := call("a.b", `{}`)
		inv.PinnedClock, inv.PinnedSeed = time.UnixMilli(1_700_000_000_000), []byte("seed")
		wantOK(t, b.Invoke(t.Context(), inv))
	}
	wantOK(t, b.Invoke(t.Context(), call("a.b", `{}`)))
	wantError(t, b.Invoke(t.Context(), call("a.b", `{}`)), bus.Transient, bus.ReasonRateLimit)
}
