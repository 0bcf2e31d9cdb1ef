// Package natstest starts NATS servers for tests.
package natstest

import (
	"fmt"
	"math/rand/v2"
	"net"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
)

// patience is the last guard of a test: nothing that is asserted depends on it.
const patience = 3 * time.Minute

// Server is an embedded server, which can be started anew.
type Server struct {
	t testing.TB
	o server.Options

	mu sync.Mutex // guards s
	s  *server.Server
}

// Start starts a server with these options. It has a port, any, if they name one or a cluster; what JetStream stores is
// gone with the test. It is shut down when the test ends.
func Start(t testing.TB, o server.Options) *Server {
	t.Helper()
	o.DontListen = o.Port == 0 && o.Cluster.Port == 0
	o.Host, o.Port, o.NoLog, o.NoSigs = "127.0.0.1", -1, true, true
	if o.JetStream {
		o.StoreDir = t.TempDir()
	}
	s := &Server{t: t, o: o}
	s.Run()
	t.Cleanup(s.Stop)
	return s
}

// FreeAddress is an address of this computer where nobody listens. Its port is below those that the system gives to
// connections, so that no connection takes it before the caller listens.
func FreeAddress(t testing.TB) string {
	t.Helper()
	for range 100 {
		address := fmt.Sprintf("127.0.0.1:%d", 20_000+rand.IntN(12_000))
		if free, err := net.Listen("tcp", address); err == nil {
			_ = free.Close()
			return address
		}
	}
	t.Fatal("no port is free")
	return ""
}

// Run starts it again, on what it stored.
func (s *Server) Run() { s.RunWith(func(*server.Options) {}) }

// RunWith starts it again with other options.
func (s *Server) RunWith(change func(*server.Options)) {
	change(&s.o)
	o := s.o
	one, err := server.NewServer(&o)
	if err != nil {
		s.t.Error(err)
		return
	}
	one.Start()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.s = one
}

// Server is the one that was started last.
func (s *Server) Server() *server.Server {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.s
}

// Folder is where JetStream stores.
func (s *Server) Folder() string { return s.o.StoreDir }

// Stop shuts it down.
func (s *Server) Stop() {
	one := s.Server()
	one.Shutdown()
	one.WaitForShutdown()
}

// Restart stops the server and starts another, which knows what was stored and nothing else of the first.
func (s *Server) Restart() {
	s.Stop()
	s.Run()
}

// InProcessConn is how clients connect, again too.
func (s *Server) InProcessConn() (net.Conn, error) { return s.Server().InProcessConn() }

// Connect is a client that reconnects by itself, at once and without end.
func (s *Server) Connect(o ...nats.Option) *nats.Conn {
	s.t.Helper()
	nc, err := nats.Connect("", append([]nats.Option{nats.InProcessServer(s), nats.MaxReconnects(-1),
		nats.ReconnectWait(time.Millisecond), nats.ReconnectJitter(0, 0), nats.Timeout(patience),
		nats.ErrorHandler(func(*nats.Conn, *nats.Subscription, error) {})}, o...)...) // seen where it matters
	if err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(nc.Close)
	return nc
}
