package remote_test

import (
	"context"
	"net"
	"testing"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/bus/bustest"
	"github.com/deskhand/deskhand/bus/remote"
	"github.com/deskhand/deskhand/bus/remote/internal/shelftest"
)

var (
	put      = shelftest.Put
	quickPut = shelftest.QuickPut
	list     = shelftest.List
	echo     = shelftest.Echo
	count    = shelftest.Count
	kims     = shelftest.Kim()
)

// shelf is an application of these capabilities.
func shelf(t testing.TB, caps ...bus.Capability) (*bus.Bus, *bustest.Journal) {
	t.Helper()
	b, j, _ := bustest.New(t, caps...)
	return b, j
}

// over opens both ends of a link: b is served to the first.
func over(t testing.TB, b *bus.Bus, v bus.View, o remote.Options) *remote.Link {
	t.Helper()
	here, there := net.Pipe()
	served := make(chan error, 1)
	go func() { served <- remote.Serve(t.Context(), there, b, v) }()
	l, err := remote.Open(t.Context(), here, o)
	if err != nil {
		t.Fatalf("open: %v; served: %v", err, <-served)
	}
	t.Cleanup(func() {
		l.Close()
		<-l.Done()
		<-served
	})
	return l
}

// through is a door for the conformance kit: each invocation goes over a link whose serving end stamps who it is for.
func through(t testing.TB) func(context.Context, *bus.Bus, bus.Invocation) bus.Result {
	return func(ctx context.Context, b *bus.Bus, inv bus.Invocation) bus.Result {
		l := over(t, b, bus.View{Caller: inv.Caller.Type, Principal: inv.Principal}, remote.Options{})
		defer l.Close()
		return l.Invoke(ctx, inv, nil)
	}
}

// holds: N2
func TestTheConformanceKitPassesOverALink(t *testing.T) { shelftest.Conforms(t, through(t)) }
