package bus_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/bus/bustest"
)

// busyShared is a journal of several programs whose file cannot be read at first.
type busyShared struct {
	sharedBuckets
	followed int
}

func (j *busyShared) Elsewhere(ctx context.Context, heard func(*bus.Entry)) error {
	if j.followed++; j.followed == 1 {
		return errors.New("the file is locked")
	}
	heard(&bus.Entry{Invocation: bus.Invocation{Capability: "bell.ring", RequestID: "req_other"},
		Result: bus.Result{Status: bus.StatusSuccess}})
	<-ctx.Done()
	return ctx.Err()
}

// TestOtherProgramsAreFollowedAgainAfterAFailure, and a subscriber learns that it missed something.
//
// holds: N4
func TestOtherProgramsAreFollowedAgainAfterAFailure(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		o, j, _ := bustest.Options()
		shared := &busyShared{}
		shared.Journal = j
		o.Journal = shared
		b := bus.New(o)
		b.MustRegister(bus.Define(bus.Capability{Name: "bell.ring", Title: "Ring", Description: "Ring the bell.",
			SideEffect: bus.UIOnly}, func(context.Context, *bus.Call, struct{}) (struct{}, error) { return struct{}{}, nil }))
		events := b.Subscribe()
		for _, want := range []bus.EventType{bus.EventMissed, bus.EventMissed, bus.EventInvocation} {
			if e, err := events.Next(t.Context()); err != nil || e.Type != want {
				t.Fatalf("%+v came (%v), want %s", e, err, want)
			}
		}
		events.Close()
		if err := b.Close(t.Context()); err != nil {
			t.Error(err)
		}
	})
}
