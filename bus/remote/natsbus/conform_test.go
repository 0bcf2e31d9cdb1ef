package natsbus_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"testing"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/bus/bustest"
	"github.com/deskhand/deskhand/bus/remote"
	"github.com/deskhand/deskhand/bus/remote/internal/shelftest"
	"github.com/deskhand/deskhand/bus/remote/natsbus"
	"github.com/deskhand/deskhand/internal/natstest"
)

// doors serves to each client what was set down for its name.
type doors struct {
	nc *nats.Conn // of the clients

	mu     sync.Mutex // guards the rest
	served map[string]func(ctx context.Context, conn io.ReadWriteCloser)
}

func newDoors(t *testing.T, e *natstest.Server) *doors {
	d := &doors{nc: e.Connect(), served: map[string]func(context.Context, io.ReadWriteCloser){}}
	listen(t, e.Connect(), desk(), func(ctx context.Context, client string, conn io.ReadWriteCloser) {
		d.mu.Lock()
		serve := d.served[client]
		d.mu.Unlock()
		serve(ctx, conn)
	})
	return d
}

// next is a new client, served by serve.
func (d *doors) next(serve func(ctx context.Context, conn io.ReadWriteCloser)) string {
	d.mu.Lock()
	defer d.mu.Unlock()
	client := fmt.Sprintf("till-%d", len(d.served))
	d.served[client] = serve
	return client
}

// holds: N2
func TestTheConformanceKitPassesOverNATS(t *testing.T) {
	d := newDoors(t, natstest.Start(t, server.Options{}))
	shelftest.Conforms(t, func(ctx context.Context, b *bus.Bus, inv bus.Invocation) bus.Result {
		v := bus.View{Caller: inv.Caller.Type, Principal: inv.Principal}
		client := d.next(func(ctx context.Context, conn io.ReadWriteCloser) { _ = remote.Serve(ctx, conn, b, v) })
		l, err := remote.Open(t.Context(), dial(t, d.nc, client), remote.Options{})
		if err != nil {
			t.Error(err)
			return bus.Result{}
		}
		defer l.Close()
		return l.Invoke(ctx, inv, nil)
	})
}

// holds: N4
func TestAServerStartedAnewAfterAnyFrameLosesNothingAndDoesNothingTwice(t *testing.T) {
	e := natstest.Start(t, server.Options{})
	d := newDoors(t, e)
	cutAfter := func(t *testing.T, b *bus.Bus, frames int, within bool, inv bus.Invocation) (
		r bus.Result, opened, cut bool) {
		s, served := shelftest.NewScissors(frames, within, e.Restart), make(chan struct{})
		client := d.next(func(ctx context.Context, conn io.ReadWriteCloser) {
			defer close(served)
			_ = remote.Serve(ctx, s.End(conn), b, shelftest.Kim())
		})
		ready(t, d.nc)
		conn, err := natsbus.Dial(t.Context(), d.nc, "desk", client)
		if err != nil && (!s.Done() || !errors.Is(err, natsbus.ErrDisconnected)) {
			t.Fatal(err)
		} else if err != nil { // the host greeted and cut before the client knew that it was there
			<-served
			return r, false, true
		}
		l, err := remote.Open(t.Context(), s.End(conn), remote.Options{})
		if err == nil {
			r = l.Invoke(t.Context(), inv, nil)
			l.Close()
			<-l.Done()
		}
		<-served
		return r, err == nil, s.Done()
	}
	shelftest.LosesNothing(t, cutAfter, func(t *testing.T, b *bus.Bus, inv bus.Invocation) bus.Result {
		client := d.next(func(ctx context.Context, conn io.ReadWriteCloser) {
			_ = remote.Serve(ctx, conn, b, shelftest.Kim())
		})
		ready(t, d.nc)
		return open(t, d.nc, client, remote.Options{}).Invoke(t.Context(), inv, nil)
	})
}

// holds: R6
func TestAFrameIsCutIntoWhatTheServerTakes(t *testing.T) {
	e := natstest.Start(t, server.Options{MaxPayload: 16 << 10})
	b, _, _ := bustest.New(t, shelftest.Echo())
	listen(t, e.Connect(), desk(), serving(b))
	l := open(t, e.Connect(), "till", remote.Options{})
	words := strings.Repeat("<é\u2028>", 60_000)
	args, err := json.Marshal(map[string]string{"words": words})
	if err != nil || len(args) < remote.MaxFrame {
		t.Fatal(len(args), err)
	}
	percents := make(chan int, 8)
	r := l.Invoke(t.Context(), bus.Invocation{Capability: "shelf.echo", Arguments: args},
		func(p bus.Event) { percents <- p.Percent })
	var got struct{ Words string }
	if err := r.Decode(&got); err != nil || got.Words != words {
		t.Fatalf("%d bytes came back, want %d (%v)", len(got.Words), len(words), err)
	}
	for _, want := range []int{25, 50, 75, 100} {
		if p := <-percents; p != want {
			t.Errorf("it was told %d %%, want %d", p, want)
		}
	}
}

// holds: N1 N2
func TestTwoProgramsAreOneSurfaceOverNATS(t *testing.T) {
	e := natstest.Start(t, server.Options{})
	till, _, _ := bustest.New(t, shelftest.Echo())
	host, j, _ := bustest.New(t, shelftest.QuickPut(), shelftest.List())
	merged, ended := make(chan string, 1), make(chan error, 1)
	listen(t, e.Connect(), desk(), func(ctx context.Context, client string, conn io.ReadWriteCloser) {
		l, err := remote.Open(ctx, conn, remote.Options{Bus: host, View: shelftest.Kim()})
		if err == nil {
			err = host.Register(remote.Mount(l.Manifest(), l.Invoke)...)
		}
		if err != nil {
			ended <- err
			return
		}
		r := host.Invoke(ctx, bus.Invocation{Capability: "shelf.echo", Arguments: []byte(`{"words":"hello"}`),
			Caller: bus.Caller{Type: bus.CallerAgent}, Principal: shelftest.Kim().Principal})
		merged <- string(r.Data)
		<-l.Done()
		ended <- l.Err()
	})
	heard := make(chan bus.Event, 64)
	l := open(t, e.Connect(), "till", remote.Options{Bus: till, View: shelftest.Kim(),
		OnEvent: func(e bus.Event) { heard <- e }})
	select {
	case data := <-merged:
		if data != `{"words":"hello"}` {
			t.Errorf("the till answered the host %s", data)
		}
	case err := <-ended:
		t.Fatal(err)
	}
	if r := l.Invoke(t.Context(), bus.Invocation{Capability: "shelf.put", Arguments: []byte(`{"id":"a","count":2}`)},
		nil); !r.OK() || count(j) != 2 {
		t.Errorf("the host answered the till %v; %d are on the shelf", r.Err, count(j))
	}
	for ev := range heard {
		if ev.Type == bus.EventStateChange && ev.Domain == "shelf" {
			break
		}
	}
	l.Close()
	if err := <-ended; err != nil {
		t.Errorf("a link that was closed ended with %v", err)
	}
}

// holds: N4
func TestACancelledCallIsCancelledAtTheHost(t *testing.T) {
	e := natstest.Start(t, server.Options{})
	entered := make(chan struct{})
	wait := bus.Define(bus.Capability{Name: "shelf.wait", Title: "Wait", Description: "Wait.", SideEffect: bus.Pure},
		func(ctx context.Context, _ *bus.Call, _ struct{}) (struct{}, error) {
			entered <- struct{}{}
			<-ctx.Done()
			return struct{}{}, ctx.Err()
		})
	b, _, _ := bustest.New(t, wait)
	host := listen(t, e.Connect(), desk(), serving(b))
	l := open(t, e.Connect(), "till", remote.Options{Grace: patience})
	inv := bus.Invocation{Capability: "shelf.wait"}
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		<-entered
		cancel()
	}()
	if r := l.Invoke(ctx, inv, nil); r.OK() || r.Err.Reason != bus.ReasonCancelled {
		t.Errorf("cancelled, it was answered with %v", r.Err)
	}
	result := make(chan bus.Result, 1)
	go func() { result <- l.Invoke(t.Context(), inv, nil) }()
	<-entered
	if err := host.Close(); err != nil {
		t.Error(err)
	}
	if r := <-result; r.OK() || r.Err.Code != bus.Transient {
		t.Errorf("when the host closed it was answered with %v", r.Err)
	}
}
