package remote_test

import (
	"context"
	"errors"
	"net"
	"testing"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/bus/remote"
	"github.com/deskhand/deskhand/bus/remote/internal/shelftest"
)

// cutAfter makes one call over a link that is cut after so many frames.
func cutAfter(t *testing.T, b *bus.Bus, frames int, within bool, inv bus.Invocation) (r bus.Result, opened, cut bool) {
	t.Helper()
	here, there := net.Pipe()
	s := shelftest.NewScissors(frames, within, func() { here.Close(); there.Close() })
	served := make(chan struct{})
	go func() {
		defer close(served)
		_ = remote.Serve(t.Context(), s.End(there), b, kims)
	}()
	l, err := remote.Open(t.Context(), s.End(here), remote.Options{})
	if err == nil {
		r = l.Invoke(t.Context(), inv, nil)
		l.Close()
		<-l.Done()
	}
	s.Cut()
	<-served
	return r, err == nil, s.Done()
}

// holds: N4
func TestALinkCutAfterAnyFrameLosesNothingAndDoesNothingTwice(t *testing.T) {
	shelftest.LosesNothing(t, cutAfter, func(t *testing.T, b *bus.Bus, inv bus.Invocation) bus.Result {
		return over(t, b, kims, remote.Options{}).Invoke(t.Context(), inv, nil)
	})
}

// holds: N4
func TestWhatRunsForALinkThatIsGoneIsCancelled(t *testing.T) {
	entered, ended := make(chan struct{}), make(chan error, 1)
	wait := bus.Define(bus.Capability{Name: "shelf.wait", Title: "Wait", Description: "Wait.", SideEffect: bus.Pure},
		func(ctx context.Context, _ *bus.Call, _ struct{}) (struct{}, error) {
			close(entered)
			<-ctx.Done()
			ended <- ctx.Err()
			return struct{}{}, ctx.Err()
		})
	b, _ := shelf(t, wait)
	l := over(t, b, kims, remote.Options{})
	result := make(chan bus.Result, 1)
	go func() { result <- l.Invoke(t.Context(), bus.Invocation{Capability: "shelf.wait"}, nil) }()
	<-entered
	l.Close()
	if err := <-ended; !errors.Is(err, context.Canceled) {
		t.Errorf("the handler ended with %v", err)
	}
	if r := <-result; r.OK() || r.Err.Reason != bus.ReasonNetwork {
		t.Errorf("the caller was answered with %v", r.Err)
	}
	if r := l.Invoke(t.Context(), bus.Invocation{Capability: "shelf.wait"}, nil); r.OK() ||
		r.Err.Reason != bus.ReasonNetwork {
		t.Errorf("after its end the link answered %v", r.Err)
	}
}
