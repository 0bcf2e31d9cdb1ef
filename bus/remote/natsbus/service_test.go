package natsbus_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/micro"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/bus/bustest"
	"github.com/deskhand/deskhand/bus/remote"
	"github.com/deskhand/deskhand/bus/remote/internal/shelftest"
	"github.com/deskhand/deskhand/bus/remote/natsbus"
	"github.com/deskhand/deskhand/internal/natstest"
)

func TestAServiceThatCannotBeIsRefused(t *testing.T) {
	nc := natstest.Start(t, server.Options{}).Connect()
	for name, s := range map[string]natsbus.Service{
		"no name":      {},
		"a wildcard":   {Name: "*"},
		"two tokens":   {Name: "desk.one"},
		"no version":   {Name: "desk", Version: "one"},
		"no silence":   {Name: "desk", Silence: time.Microsecond},
		"long silence": {Name: "desk", Silence: 2 * time.Hour},
	} {
		if l, err := natsbus.Listen(nc, s, nil); err == nil {
			t.Errorf("%s was accepted", name)
			_ = l.Close()
		}
	}
	nc.Close()
	if _, err := natsbus.Listen(nc, desk(), nil); !errors.Is(err, nats.ErrConnectionClosed) {
		t.Errorf("over a closed connection it listens with %v", err)
	}
}

func TestDialSaysWhyThereIsNoLink(t *testing.T) {
	e := natstest.Start(t, server.Options{})
	nc := e.Connect()
	for _, name := range []string{"", "*", ">", "till.one", "till one", strings.Repeat("x", 129)} {
		if _, err := natsbus.Dial(t.Context(), nc, "desk", name); err == nil || !strings.Contains(err.Error(), "is no name") {
			t.Errorf("as %q it was dialled with %v", name, err)
		}
	}
	if _, err := natsbus.Dial(t.Context(), nc, "desk", "till"); !errors.Is(err, nats.ErrNoResponders) {
		t.Errorf("without a host it was dialled with %v", err)
	}
	for name, answer := range map[string]string{
		"no answer":       "hello",
		"another version": `{"protocol":2,"tag":"0011223344556677","silence_ms":2000}`,
		"no tag":          `{"protocol":1,"silence_ms":2000}`,
		"a long tag":      `{"protocol":1,"tag":"00112233445566778899","silence_ms":2000}`,
		"no silence":      `{"protocol":1,"tag":"0011223344556677"}`,
		"a long silence":  `{"protocol":1,"tag":"0011223344556677","silence_ms":9223372036854775807}`,
	} {
		sub := answering(t, e, func(m *nats.Msg) { _ = m.Respond([]byte(answer)) })
		if _, err := natsbus.Dial(t.Context(), nc, "desk", "till"); !errors.Is(err, natsbus.ErrBroken) {
			t.Errorf("%s: it was dialled with %v", name, err)
		}
		if err := errors.Join(sub.Unsubscribe(), nc.Flush()); err != nil {
			t.Fatal(err)
		}
	}
	asked := make(chan struct{}, 8)
	answering(t, e, func(*nats.Msg) { asked <- struct{}{} })
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		<-asked
		cancel()
	}()
	if _, err := natsbus.Dial(ctx, nc, "desk", "till"); !errors.Is(err, context.Canceled) {
		t.Errorf("given up it was dialled with %v", err)
	}
	go func() {
		<-asked
		e.Restart()
	}()
	if _, err := natsbus.Dial(t.Context(), nc, "desk", "till"); !errors.Is(err, natsbus.ErrDisconnected) {
		t.Errorf("while the server was started anew it was dialled with %v", err)
	}
}

// answering plays a host as far as the opening of links.
func answering(t *testing.T, e *natstest.Server, answer nats.MsgHandler) *nats.Subscription {
	t.Helper()
	nc := e.Connect()
	sub, err := nc.Subscribe("desk.till.open", answer)
	if err == nil {
		err = nc.Flush()
	}
	if err != nil {
		t.Fatal(err)
	}
	return sub
}

// holds: R6
func TestAHostOpensWhatItIsAskedForAndNothingElse(t *testing.T) {
	e := natstest.Start(t, server.Options{})
	s := desk()
	s.MaxLinks = 2
	listen(t, e.Connect(), s, func(ctx context.Context, _ string, conn io.ReadWriteCloser) {
		_, _ = io.Copy(io.Discard, conn)
	})
	nc := e.Connect()
	victim := subscribe(t, nc, "desk.*.down.>")
	inbox := subscribe(t, nc, "_INBOX.>")
	ask := func(subject, reply, body string) {
		if err := nc.PublishMsg(&nats.Msg{Subject: subject, Reply: reply, Data: []byte(body)}); err != nil {
			t.Fatal(err)
		}
	}
	const one = `{"protocol":1}`
	ask("desk.till.open", "desk.other.down.1", one) // another client's link
	ask("desk.till.open", "_INBOX.x", one)
	ask("desk.till.open", "desk.till.down.1.2", one)
	ask("desk.till.open", "", one)
	ask("desk.till.open", "desk.till.down.old", `{"protocol":2}`)
	ask("desk.till.open", "desk.till.down.1", one)
	ask("desk.till.open", "desk.till.down.1", one) // it is open
	ask("desk.till.open", "desk.till.down.2", one)
	ask("desk.till.open", "desk.till.down.2", one) // it is open, and there is no place
	ask("desk.till.open", "desk.till.down.3", one)
	ask("desk.other.open", "desk.other.down.1", one)
	var got []string
	for range 5 {
		m, err := victim.NextMsg(patience)
		if err != nil {
			t.Fatal(got, err)
		}
		got = append(got, m.Subject+" "+m.Header.Get(micro.ErrorCodeHeader)+" "+m.Header.Get(micro.ErrorHeader))
	}
	want := []string{
		"desk.till.down.old 400 this program speaks version 1 of the protocol and was asked for 2: update the older",
		"desk.till.down.1  ", "desk.till.down.2  ", "desk.till.down.3 429 till has 2 links open", "desk.other.down.1  "}
	if !slices.Equal(got, want) {
		t.Errorf("answered were\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if n, _, err := inbox.Pending(); n != 0 || err != nil {
		t.Errorf("%d answers in an inbox (%v)", n, err)
	}
	if _, err := natsbus.Dial(t.Context(), nc, "desk", "till"); !errors.Is(err, natsbus.ErrRefused) ||
		!strings.Contains(err.Error(), "till has 2 links open") {
		t.Errorf("a third link was dialled with %v", err)
	}
}

// TestPlacesOfLinksThatEndedAreFree opens more links than may be open at once, one after another.
func TestPlacesOfLinksThatEndedAreFree(t *testing.T) {
	e := natstest.Start(t, server.Options{})
	s := desk()
	s.MaxLinks = 1
	listen(t, e.Connect(), s, func(context.Context, string, io.ReadWriteCloser) {}) // it returns: the link is closed
	nc := e.Connect()
	for range 3 {
		conn, err := natsbus.Dial(t.Context(), nc, "desk", "till")
		for errors.Is(err, natsbus.ErrRefused) { // the last one is just ending
			conn, err = natsbus.Dial(t.Context(), nc, "desk", "till")
		}
		if err != nil {
			t.Fatal(err)
		}
		if n, err := conn.Read(make([]byte, 1)); n != 0 || err != io.EOF {
			t.Errorf("%d bytes came, and %v", n, err)
		}
	}
}

// holds: R7
func TestAClientCanBeBoundToItsOwnSubjects(t *testing.T) {
	only := func(publish, subscribe []string) *server.Permissions {
		return &server.Permissions{Publish: &server.SubjectPermission{Allow: publish},
			Subscribe: &server.SubjectPermission{Allow: subscribe}}
	}
	e := natstest.Start(t, server.Options{Users: []*server.User{
		{Username: "host", Password: "host", Permissions: only([]string{"desk.*.down.*"},
			[]string{"desk.*.open", "desk.*.up.*", "$SRV.>"})},
		{Username: "till-1", Password: "1", Permissions: only([]string{"desk.till-1.open", "desk.till-1.up.*"},
			[]string{"desk.till-1.down.*"})},
		{Username: "till-2", Password: "2", Permissions: only([]string{"desk.till-2.open", "desk.till-2.up.*"},
			[]string{"desk.till-2.down.*"})},
		{Username: "till-3", Password: "3", Permissions: only([]string{"desk.*.open"}, []string{"desk.till-3.down.*"})},
	}})
	b, j, _ := bustest.New(t, shelftest.QuickPut())
	clients := make(chan string, 8)
	listen(t, e.Connect(nats.UserInfo("host", "host")), desk(),
		func(ctx context.Context, client string, conn io.ReadWriteCloser) {
			clients <- client
			serving(b)(ctx, client, conn)
		})
	first, second := e.Connect(nats.UserInfo("till-1", "1")), e.Connect(nats.UserInfo("till-2", "2"))
	put := bus.Invocation{Capability: "shelf.put", Arguments: []byte(`{"id":"a","count":2}`)}
	l := open(t, first, "till-1", remote.Options{})
	if r := l.Invoke(t.Context(), put, nil); !r.OK() {
		t.Errorf("a till was answered with %v", r.Err)
	}
	if _, err := natsbus.Dial(t.Context(), second, "desk", "till-1"); !errors.Is(err, nats.ErrPermissionViolation) {
		t.Errorf("under another's name it was dialled with %v", err)
	}
	if l := open(t, second, "till-2", remote.Options{}); !l.Invoke(t.Context(), put, nil).OK() {
		t.Error("after that it cannot use its own name")
	}
	if a, b := <-clients, <-clients; a != "till-1" || b != "till-2" || count(j) != 4 {
		t.Errorf("the host was called by %s and %s; %d are on the shelf", a, b, count(j))
	}
	third := e.Connect(nats.UserInfo("till-3", "3"))
	if _, err := natsbus.Dial(t.Context(), third, "desk", "till-1"); !errors.Is(err, nats.ErrPermissionViolation) {
		t.Errorf("where it may ask, and not hear the answer, it was dialled with %v", err)
	}
}

func TestAServiceIsFoundAndHasStatistics(t *testing.T) {
	e := natstest.Start(t, server.Options{})
	s := desk()
	s.Version, s.Description = "1.2.3", "The shop in Main Street"
	host := listen(t, e.Connect(), s, func(_ context.Context, _ string, conn io.ReadWriteCloser) {
		_, _ = io.Copy(io.Discard, conn)
	})
	nc := e.Connect()
	for range 3 {
		dial(t, nc, "till")
	}
	ask := func(subject string, v any) {
		t.Helper()
		m, err := nc.Request(subject, nil, patience)
		if err == nil {
			err = json.Unmarshal(m.Data, v)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	var info micro.Info
	ask("$SRV.INFO.desk", &info)
	if info.Version != "1.2.3" || info.Description != "The shop in Main Street" || len(info.Endpoints) != 1 ||
		info.Endpoints[0].Subject != "desk.*.open" {
		t.Errorf("it says of itself %+v", info)
	}
	var stats micro.Stats
	for ask("$SRV.STATS.desk", &stats); stats.Endpoints[0].NumRequests < 3; { // one is counted after its answer
		ask("$SRV.STATS.desk", &stats)
	}
	if e := stats.Endpoints[0]; e.NumRequests != 3 || string(e.Data) != `{"links":3}` {
		t.Errorf("its statistics are %+v, %s", e, e.Data)
	}
	if err := errors.Join(host.Close(), host.Close()); err != nil {
		t.Error(err)
	}
	if _, err := natsbus.Dial(t.Context(), nc, "desk", "till"); !errors.Is(err, nats.ErrNoResponders) {
		t.Errorf("after its end it was dialled with %v", err)
	}
}
