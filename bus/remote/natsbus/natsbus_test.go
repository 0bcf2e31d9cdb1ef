package natsbus_test

import (
	"context"
	"io"
	"testing"
	"time"

	"github.com/nats-io/nats.go"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/bus/bustest"
	"github.com/deskhand/deskhand/bus/remote"
	"github.com/deskhand/deskhand/bus/remote/internal/shelftest"
	"github.com/deskhand/deskhand/bus/remote/natsbus"
	"github.com/deskhand/deskhand/internal/natstest"
)

// patience is the last guard of a test: nothing that is asserted depends on it.
const patience = time.Minute

// desk is a service that is in no hurry.
func desk() natsbus.Service { return natsbus.Service{Name: "desk", Silence: patience} }

// listen registers a service that ends with the test.
func listen(t testing.TB, nc *nats.Conn, s natsbus.Service, handle natsbus.Handler) *natsbus.Listener {
	t.Helper()
	l, err := natsbus.Listen(nc, s, handle)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := l.Close(); err != nil && !nc.IsClosed() {
			t.Error(err)
		}
	})
	return l
}

// serving serves a bus to each link, for Kim.
func serving(b *bus.Bus) natsbus.Handler {
	return func(ctx context.Context, _ string, conn io.ReadWriteCloser) {
		_ = remote.Serve(ctx, conn, b, shelftest.Kim())
	}
}

// dial opens the connection of a link; it is closed when the test ends.
func dial(t testing.TB, nc *nats.Conn, client string) io.ReadWriteCloser {
	t.Helper()
	conn, err := natsbus.Dial(t.Context(), nc, "desk", client)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	return conn
}

// open opens a link.
func open(t testing.TB, nc *nats.Conn, client string, o remote.Options) *remote.Link {
	t.Helper()
	l, err := remote.Open(t.Context(), dial(t, nc, client), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		l.Close()
		<-l.Done()
	})
	return l
}

// pair is both ends of a connection without a bus, the host's and the client's.
func pair(t testing.TB, e *natstest.Server, s natsbus.Service) (host, client io.ReadWriteCloser) {
	t.Helper()
	hosts := make(chan io.ReadWriteCloser, 1)
	listen(t, e.Connect(), s, func(ctx context.Context, _ string, conn io.ReadWriteCloser) {
		hosts <- conn
		<-ctx.Done()
	})
	client = dial(t, e.Connect(), "till")
	return <-hosts, client
}

// ready waits until client and host have found the server that was started last.
func ready(t *testing.T, nc *nats.Conn) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	for {
		if _, err := nc.Request("$SRV.PING.desk", nil, time.Second); err == nil {
			return
		} else if ctx.Err() != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Millisecond)
	}
}

func count(j *bustest.Journal) int { return shelftest.Count(j, "a") }
