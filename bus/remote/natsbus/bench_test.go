package natsbus_test

import (
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/bus/bustest"
	"github.com/deskhand/deskhand/bus/remote"
	"github.com/deskhand/deskhand/bus/remote/internal/shelftest"
	"github.com/deskhand/deskhand/internal/natstest"
)

// BenchmarkInvoke is a reading call on a bus, a bare request of NATS with as many bytes each way as the same call has
// over a link, and the call over the link. "ratio" is the last beside the sum of the others, measured in turns.
func BenchmarkInvoke(b *testing.B) {
	s := natstest.Start(b, server.Options{Port: -1}).Server() // by TCP, as between computers
	connect := func() *nats.Conn {
		nc, err := nats.Connect(s.ClientURL(), nats.RetryOnFailedConnect(true))
		for err == nil && !nc.IsConnected() {
			time.Sleep(time.Millisecond)
		}
		if err != nil {
			b.Fatal(err)
		}
		b.Cleanup(nc.Close)
		return nc
	}
	far, _, _ := bustest.New(b, shelftest.List())
	client, host := connect(), connect()
	listen(b, host, desk(), serving(far))
	up, down := subscribe(b, client, "desk.till.up.*"), subscribe(b, client, "desk.till.down.*")
	l := open(b, client, "till", remote.Options{})
	inv := bus.Invocation{Capability: "shelf.list", Caller: bus.Caller{Type: bus.CallerCLI},
		Principal: shelftest.Kim().Principal}
	size := func(sub *nats.Subscription, of string) []byte { // of the messages of the first call
		for {
			m, err := sub.NextMsg(patience)
			if err != nil {
				b.Fatal(err)
			}
			if strings.Contains(string(m.Data), of) {
				return m.Data
			}
		}
	}
	if r := l.Invoke(b.Context(), inv, nil); !r.OK() {
		b.Fatal(r.Err)
	}
	request, answer := size(up, `"invoke"`), size(down, `"result"`)
	for _, sub := range []*nats.Subscription{up, down} {
		if err := sub.Unsubscribe(); err != nil {
			b.Fatal(err)
		}
	}
	if _, err := host.Subscribe("bare", func(m *nats.Msg) { _ = m.Respond(answer) }); err != nil {
		b.Fatal(err)
	}
	if err := host.Flush(); err != nil {
		b.Fatal(err)
	}
	here := func() { far.Invoke(b.Context(), inv) }
	bare := func() {
		if _, err := client.Request("bare", request, patience); err != nil {
			b.Fatal(err)
		}
	}
	over := func() {
		if r := l.Invoke(b.Context(), inv, nil); !r.OK() {
			b.Fatal(r.Err)
		}
	}
	for _, c := range []struct {
		name string
		call func()
	}{{"here", here}, {"bare request", bare}, {"over NATS", over}} {
		b.Run(c.name, func(b *testing.B) {
			for b.Loop() {
				c.call()
			}
		})
	}
	b.Run("in turns", func(b *testing.B) {
		var spent [3]time.Duration
		for b.Loop() {
			for i, call := range []func(){here, bare, over} {
				begun := time.Now()
				call()
				spent[i] += time.Since(begun)
			}
		}
		b.ReportMetric(float64(spent[2])/float64(spent[0]+spent[1]), "ratio")
	})
}
