package natsbus_test

import (
	"fmt"
	"net/url"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/bus/bustest"
	"github.com/deskhand/deskhand/bus/remote"
	"github.com/deskhand/deskhand/bus/remote/internal/shelftest"
	"github.com/deskhand/deskhand/internal/natstest"
)

// TestTheEndsMayBeAtDifferentServers opens many links, one after another: each is used at once, before a server could
// hear of it by chance.
func TestTheEndsMayBeAtDifferentServers(t *testing.T) {
	cluster := server.ClusterOpts{Name: "shops", Host: "127.0.0.1", Port: -1}
	one := natstest.Start(t, server.Options{ServerName: "one", Cluster: cluster})
	for end := time.Now().Add(patience); one.Server().ClusterAddr() == nil; time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("the server listens for no other")
		}
	}
	two := natstest.Start(t, server.Options{ServerName: "two", Cluster: cluster, Routes: []*url.URL{
		{Scheme: "nats-route", Host: one.Server().ClusterAddr().String()}}})
	b, _, _ := bustest.New(t, shelftest.List())
	listen(t, one.Connect(), desk(), serving(b))
	nc := two.Connect()
	ready(t, nc)
	for i := range 20 {
		l := open(t, nc, fmt.Sprintf("till-%d", i), remote.Options{})
		if r := l.Invoke(t.Context(), bus.Invocation{Capability: "shelf.list"}, nil); !r.OK() {
			t.Fatalf("link %d: %v", i, r.Err)
		}
	}
}
