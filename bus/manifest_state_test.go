package bus_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/bus/bustest"
)

// counted is an application whose one check counts how often it is asked.
func counted(t *testing.T) (b *bus.Bus, clock *bustest.Clock, asked func() int) {
	t.Helper()
	n := 0
	watched := doing("a.watched", bus.UIOnly, ok)
	watched.Checks.Available = func(ctx context.Context, call *bus.Call) error {
		n++
		if sum := total(ctx); sum > 0 {
			return bus.Errorf(bus.PreconditionFailed, bus.ReasonUnavailable, "there are %d coins, %s", sum, call.Person.Name)
		}
		return nil
	}
	outside := doing("a.outside", bus.UIOnly, ok)
	outside.Resources = nil
	b, _, clock = bustest.New(t, watched, outside, add(), read())
	return b, clock, func() int { was := n; n = 0; return was }
}

// holds: M2
func TestM2AvailabilityIsRememberedUntilSomethingChanges(t *testing.T) {
	b, clock, asked := counted(t)
	look := func(p bus.Principal) string {
		return mustManifest(t, b, bus.View{Caller: bus.CallerUI, Principal: p}).Capabilities[1].UnavailableReason
	}
	step := func(what string, want int) {
		t.Helper()
		if got := asked(); got != want {
			t.Errorf("%s: asked %d times, want %d", what, got, want)
		}
	}
	look(clerk)
	look(clerk)
	step("nothing changed", 1)
	b.Invoke(t.Context(), call("till.read", `{}`))
	look(clerk)
	step("somebody read", 0)
	b.Invoke(t.Context(), call("till.add", `{"coins":3}`))
	if got := look(clerk); got != "there are 3 coins, Kim" {
		t.Errorf("after a change: %q", got)
	}
	step("a change", 1)
	b.Invoke(t.Context(), call("a.outside", `{}`))
	look(clerk)
	step("something beside the journal may have changed", 1)
	ana := clerk
	ana.Name = "Ana"
	if got := look(ana); got != "there are 3 coins, Ana" {
		t.Errorf("another person: %q", got)
	}
	look(clerk)
	step("another person", 1)
	clock.Advance(time.Minute)
	look(clerk)
	step("a minute later", 1)
	b.MustRegister(doing("a.zlast", bus.Pure, ok))
	look(clerk)
	step("something registered", 1)
}

// holds: M2
func TestM2WithoutADataVersionNothingIsRemembered(t *testing.T) {
	n := 0
	c := doing("a.b", bus.Pure, ok)
	c.Checks.Available = func(context.Context, *bus.Call) error { n++; return nil }
	b := bus.New(bus.Options{Journal: struct{ bus.Journal }{&bustest.Journal{}}})
	b.MustRegister(c)
	mustManifest(t, b, bus.View{All: true})
	mustManifest(t, b, bus.View{All: true})
	if n != 2 {
		t.Errorf("asked %d times", n)
	}
}

// holds: M2
func TestM2WhatManyRequireIsAskedOnce(t *testing.T) {
	n := 0
	ready := doing("a.ready", bus.Pure, func(context.Context, *bus.Call) (json.RawMessage, error) {
		n++
		return json.RawMessage(`{"ok":false,"problems":[{"message":"The shop is shut."}]}`), nil
	})
	caps := []bus.Capability{ready}
	for i := range 5 {
		c := doing(fmt.Sprintf("a.do%d", i), bus.UIOnly, ok)
		c.Checks.Requires = []string{"a.ready"}
		caps = append(caps, c)
	}
	b, _, _ := bustest.New(t, caps...)
	m := mustManifest(t, b, bus.View{All: true})
	if n != 1 || m.Capabilities[4].UnavailableReason != "The shop is shut." {
		t.Errorf("asked %d times, %q", n, m.Capabilities[4].UnavailableReason)
	}
}

// holds: M2
func TestM2OneBrokenCheckSpoilsOnlyItsOwnEntry(t *testing.T) {
	broken, odd := doing("a.broken", bus.Pure, ok), doing("a.odd", bus.Pure, ok)
	broken.Checks.Available = func(context.Context, *bus.Call) error { panic("oh") }
	odd.Listing.Current = func(context.Context, *bus.Call) (any, error) { return func() {}, nil }
	b, _, _ := bustest.New(t, broken, odd, read())
	m := mustManifest(t, b, bus.View{All: true})
	if m.Capabilities[0].Available || m.Capabilities[1].Current != nil || !m.Capabilities[2].Available {
		t.Errorf("%+v", m.Capabilities)
	}
	if _, err := json.Marshal(m); err != nil {
		t.Error(err)
	}
}

// failing is a journal whose version or snapshot cannot be had.
type failing struct {
	*bustest.Journal
	version, view error
}

func (f failing) DataVersion(ctx context.Context) (string, error) {
	v, _ := f.Journal.DataVersion(ctx)
	return v, f.version
}

func (f failing) View(ctx context.Context, run func(context.Context) error) error {
	if f.view != nil {
		return f.view
	}
	return f.Journal.View(ctx, run)
}

// holds: M1
func TestM1WithoutTheJournalThereIsNoManifest(t *testing.T) {
	for name, j := range map[string]failing{"no version": {version: errPlain}, "no snapshot": {view: errPlain}} {
		j.Journal = &bustest.Journal{}
		b := bus.New(bus.Options{Journal: j})
		b.MustRegister(read())
		if _, err := b.Manifest(t.Context(), bus.View{}); !errors.Is(err, errPlain) {
			t.Errorf("%s: Manifest says %v", name, err)
		}
		if raw, err := b.AppendManifest(t.Context(), []byte("x"), bus.View{}); !errors.Is(err, errPlain) ||
			string(raw) != "x" {
			t.Errorf("%s: AppendManifest says %q %v", name, raw, err)
		}
		if raw, err := b.AppendStates(t.Context(), []byte("x"), bus.View{}); !errors.Is(err, errPlain) || string(raw) != "x" {
			t.Errorf("%s: AppendStates says %q %v", name, raw, err)
		}
		if _, err := b.NextActions(t.Context(), bus.View{}, nil); !errors.Is(err, errPlain) {
			t.Errorf("%s: NextActions says %v", name, err)
		}
	}
}

// holds: M2
func TestM2ACancelledLookIsNotRemembered(t *testing.T) {
	b, _, asked := counted(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := b.Manifest(ctx, bus.View{All: true}); !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled look says %v", err)
	}
	asked()
	mustManifest(t, b, bus.View{All: true})
	if asked() != 1 {
		t.Error("what was cut off is remembered")
	}
}

// holds: M2
func TestM2ManyPeopleAtOneDeskAreAllRemembered(t *testing.T) {
	b, _, asked := counted(t)
	look := func(i int) {
		p := clerk
		p.ConversationID, p.Model = fmt.Sprint(i), &bus.ModelID{Endpoint: "e", Name: fmt.Sprint(i)}
		mustManifest(t, b, bus.View{Caller: bus.CallerAgent, Principal: p})
	}
	for i := range 100 {
		look(i)
		look(i)
	}
	if n := asked(); n != 100 {
		t.Errorf("asked %d times for 100 people", n)
	}
}

// holds: C15
func TestC15WhatNoManifestCanSayIsRefused(t *testing.T) {
	c := doing("a.b", bus.UIOnly, ok)
	c.Run.Retry = &bus.RetryPolicy{MaxAttempts: 2, BackoffMultiplier: math.NaN()}
	o, _, _ := bustest.Options()
	if err := bus.New(o).Register(c); err == nil ||
		!strings.Contains(err.Error(), `capability "a.b": it cannot be written into a manifest`) {
		t.Errorf("%v", err)
	}
}

// holds: M2
func TestM2AnEmptyReasonIsGivenWords(t *testing.T) {
	c := doing("a.b", bus.UIOnly, ok)
	c.Title = "Do it"
	c.Checks.Available = func(context.Context, *bus.Call) error {
		return bus.Errorf(bus.PreconditionFailed, bus.ReasonUnavailable, "")
	}
	b, _, _ := bustest.New(t, c)
	if got := mustManifest(t, b, bus.View{All: true}).Capabilities[0]; got.Available ||
		got.UnavailableReason != "Do it is not possible now." {
		t.Errorf("%+v", got)
	}
}
