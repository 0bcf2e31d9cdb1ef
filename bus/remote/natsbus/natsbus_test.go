package natsbus_test

import (
	"context"
	"io"
	"net"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/bus/bustest"
	"github.com/deskhand/deskhand/bus/remote"
	"github.com/deskhand/deskhand/bus/remote/internal/shelftest"
	"github.com/deskhand/deskhand/bus/remote/natsbus"
)

// patience is the last guard of a test: nothing that is asserted depends on it.
const patience = time.Minute

// engine is an embedded server, which can be started anew. It has a port only if it is in a cluster.
type engine struct {
	t testing.TB
	o server.Options

	mu sync.Mutex // guards s
	s  *server.Server
}

// start starts a server with these options. It is shut down when the test ends.
func start(t testing.TB, o server.Options) *engine {
	t.Helper()
	o.Host, o.Port, o.DontListen, o.NoLog, o.NoSigs = "127.0.0.1", -1, o.Cluster.Port == 0, true, true
	e := &engine{t: t, o: o}
	e.run()
	t.Cleanup(func() { e.stop() })
	return e
}

func (e *engine) run() {
	o := e.o
	s, err := server.NewServer(&o)
	if err != nil {
		e.t.Error(err)
		return
	}
	s.Start()
	e.mu.Lock()
	defer e.mu.Unlock()
	e.s = s
}

func (e *engine) stop() {
	e.mu.Lock()
	s := e.s
	e.mu.Unlock()
	s.Shutdown()
	s.WaitForShutdown()
}

// restart stops the server and starts another, which knows nothing of the first.
func (e *engine) restart() {
	e.stop()
	e.run()
}

// InProcessConn is how clients connect, again too.
func (e *engine) InProcessConn() (net.Conn, error) {
	e.mu.Lock()
	s := e.s
	e.mu.Unlock()
	return s.InProcessConn()
}

// connect is a client that reconnects by itself, at once and without end.
func (e *engine) connect(o ...nats.Option) *nats.Conn {
	e.t.Helper()
	nc, err := nats.Connect("", append([]nats.Option{nats.InProcessServer(e), nats.MaxReconnects(-1),
		nats.ReconnectWait(time.Millisecond), nats.ReconnectJitter(0, 0), nats.Timeout(patience),
		nats.ErrorHandler(func(*nats.Conn, *nats.Subscription, error) {})}, o...)...) // seen where it matters
	if err != nil {
		e.t.Fatal(err)
	}
	e.t.Cleanup(nc.Close)
	return nc
}

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
func pair(t testing.TB, e *engine, s natsbus.Service) (host, client io.ReadWriteCloser) {
	t.Helper()
	hosts := make(chan io.ReadWriteCloser, 1)
	listen(t, e.connect(), s, func(ctx context.Context, _ string, conn io.ReadWriteCloser) {
		hosts <- conn
		<-ctx.Done()
	})
	client = dial(t, e.connect(), "till")
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
