package bus_test

import (
	"context"
	"encoding/json"
	"testing"
	"time"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/bus/bustest"
)

func TestAPinnedInvocationHasTheClockAndIDsOfTheFirst(t *testing.T) {
	b, j, clock := bustest.New(t, bus.Define(bus.Capability{Name: "id.make", Title: "Make", Description: "Makes an id.",
		SideEffect: bus.UIOnly},
		func(_ context.Context, call *bus.Call, _ struct{}) (map[string]any, error) {
			return map[string]any{"id": call.NewID("x"), "now": call.Now.UnixMilli()}, nil
		}))
	run := func(at time.Time, seed string) string {
		r := b.Invoke(context.Background(), bus.Invocation{Capability: "id.make", Caller: bus.Caller{Type: bus.CallerTest},
			PinnedClock: at, PinnedSeed: []byte(seed)})
		clock.Advance(time.Hour)
		return string(r.Data)
	}
	then := time.UnixMilli(1_000)
	first, other, again := run(then, "seed"), run(time.Time{}, ""), run(then, "seed")
	if first != again || first == other {
		t.Errorf("%s, then %s; not pinned %s", first, again, other)
	}
	entries := j.Entries()
	if e := entries[len(entries)-1]; e.Started.UnixMilli() != 1_000 || e.Seed != "73656564" {
		t.Errorf("recorded: %v %s", e.Started, e.Seed)
	}
}

func TestNobodyPinsFromOutside(t *testing.T) {
	for _, name := range []string{"PinnedClock", "pinned_clock", "PinnedSeed"} {
		data, _ := json.Marshal(map[string]any{"capability": "id.make", "caller": map[string]any{"type": "ui"},
			name: "2026-03-02T09:00:00Z"})
		if inv, err := bus.DecodeInvocation(data); err == nil {
			t.Errorf("%s: %+v", data, inv)
		}
	}
}
