package host

import (
	"context"
	"errors"
	"sync"
	"testing"
	"testing/synctest"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/bus/bustest"
	"github.com/deskhand/deskhand/internal/tills"
)

// listing is a host whose tills are listed by a function.
func listing(t *testing.T, list func() (map[string]tills.Till, error)) *Host {
	h := &Host{list: list, changed: make(chan struct{}), at: map[string]*workstation{}, links: map[string]int{}}
	h.ctx, h.end = context.WithCancel(t.Context())
	t.Cleanup(func() {
		h.end()
		h.inside.Wait()
	})
	return h
}

// TestAnOlderListOfTheTillsReplacesNoNewerOne: one read lists a till that asks, and ends after another read, which began
// later and listed it as let in. The till would wait for ten minutes otherwise.
//
// holds: N3
func TestAnOlderListOfTheTillsReplacesNoNewerOne(t *testing.T) {
	var mu sync.Mutex
	now := tills.Till{ID: "till", Asks: true}
	listed, goOn := make(chan struct{}), make(chan struct{})
	hold := sync.OnceFunc(func() {
		close(listed)
		<-goOn
	})
	h := listing(t, func() (map[string]tills.Till, error) {
		mu.Lock()
		all := map[string]tills.Till{now.ID: now}
		mu.Unlock()
		if all["till"].Asks {
			hold()
		}
		return all, nil
	})
	ended := make(chan error)
	go func() { ended <- h.readTills() }()
	<-listed
	mu.Lock()
	now.Asks = false // the owner lets it in
	mu.Unlock()
	if err := h.readTills(); err != nil {
		t.Fatal(err)
	}
	close(goOn)
	if err := <-ended; err != nil {
		t.Fatal(err)
	}
	if !h.mayWork("till") {
		t.Error("the till still waits, although the owner let it in")
	}
}

// TestAFailedReadOfTheTillsIsRepeated: the change that asks for it is announced once.
//
// holds: N3
func TestAFailedReadOfTheTillsIsRepeated(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		reads := 0
		h := listing(t, func() (map[string]tills.Till, error) {
			if reads++; reads == 1 {
				return nil, errors.New("the disk is slow")
			}
			return map[string]tills.Till{"till": {ID: "till"}}, nil
		})
		add := bus.Define(bus.Capability{Name: "till.add", Title: "Add", Description: "Add a till.", SideEffect: bus.UIOnly},
			func(_ context.Context, call *bus.Call, _ struct{}) (struct{}, error) {
				call.Changed(tills.Domain, "A till was let in.", "till")
				return struct{}{}, nil
			})
		b, _, _ := bustest.New(t, add)
		changes := b.Subscribe()
		h.inside.Go(func() { h.watch(changes) })
		changed := h.changed
		if r := b.Invoke(t.Context(), bus.Invocation{Capability: "till.add", Caller: bus.Caller{Type: bus.CallerTest}}); !r.OK() {
			t.Fatal(r.Err)
		}
		<-changed
		if !h.mayWork("till") {
			t.Error("the till is not known")
		}
		h.end()
		h.inside.Wait()
	})
}
