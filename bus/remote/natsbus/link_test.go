package natsbus_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/bus/bustest"
	"github.com/deskhand/deskhand/bus/remote"
	"github.com/deskhand/deskhand/bus/remote/internal/shelftest"
	"github.com/deskhand/deskhand/bus/remote/natsbus"
	"github.com/deskhand/deskhand/internal/natstest"
)

// message is a message of a link, as its documentation has it.
func message(kind byte, tag []byte, number uint64, body string) []byte {
	return append(binary.BigEndian.AppendUint64(append([]byte{kind}, tag...), number), body...)
}

// room is the body of a message of kind r.
func room(n uint64) string { return string(binary.BigEndian.AppendUint64(nil, n)) }

// played is an end of a link that the test plays, message by message.
type played struct {
	t    testing.TB
	nc   *nats.Conn
	to   string             // where it speaks
	from *nats.Subscription // what it hears
	tag  []byte
}

func (p played) say(m []byte) {
	if err := p.nc.Publish(p.to, m); err != nil {
		p.t.Error(err)
	}
}

// hear waits for the next message of a kind and returns its body.
func (p played) hear(kind byte) string {
	p.t.Helper()
	for {
		m, err := p.from.NextMsg(patience)
		if err != nil {
			p.t.Fatal(err)
		}
		if m.Data[0] == kind {
			return string(m.Data[17:])
		}
	}
}

func subscribe(t testing.TB, nc *nats.Conn, subject string) *nats.Subscription {
	t.Helper()
	sub, err := nc.SubscribeSync(subject)
	if err != nil {
		t.Fatal(err)
	}
	if err := nc.Flush(); err != nil {
		t.Fatal(err)
	}
	return sub
}

// playedClient is a link to a host whose client is played.
func playedClient(t testing.TB, e *natstest.Server, silence time.Duration) (host io.ReadWriteCloser, client played) {
	t.Helper()
	hosts := make(chan io.ReadWriteCloser, 1)
	s := desk()
	s.Silence = silence
	listen(t, e.Connect(), s, func(ctx context.Context, _ string, conn io.ReadWriteCloser) {
		hosts <- conn
		<-ctx.Done()
	})
	nc := e.Connect()
	client = played{t: t, nc: nc, to: "desk.till.up.1", from: subscribe(t, nc, "desk.till.down.1")}
	if err := nc.PublishRequest("desk.till.open", "desk.till.down.1", []byte(`{"protocol":1}`)); err != nil {
		t.Fatal(err)
	}
	m, err := client.from.NextMsg(patience)
	if err != nil {
		t.Fatal(err)
	}
	var a struct{ Tag string }
	if err := json.Unmarshal(m.Data, &a); err != nil {
		t.Fatalf("%s: %v", m.Data, err)
	}
	if client.tag, err = hex.DecodeString(a.Tag); err != nil || len(client.tag) != 8 {
		t.Fatalf("%s: %v", m.Data, err)
	}
	return <-hosts, client
}

// playedHost is a link of a client whose host is played.
func playedHost(t testing.TB, e *natstest.Server, silence time.Duration) (client io.ReadWriteCloser, host played) {
	t.Helper()
	nc := e.Connect()
	tag := []byte("the tag!")
	heard := make(chan *nats.Subscription, 1)
	if _, err := nc.Subscribe("desk.till.open", func(m *nats.Msg) {
		sub, err := nc.SubscribeSync(strings.Replace(m.Reply, ".down.", ".up.", 1))
		if err != nil {
			t.Error(err)
		}
		host.to = m.Reply
		heard <- sub
		_ = m.Respond(fmt.Appendf(nil, `{"protocol":1,"tag":"%x","silence_ms":%d}`, tag, silence.Milliseconds()))
	}); err != nil {
		t.Fatal(err)
	}
	if err := nc.Flush(); err != nil {
		t.Fatal(err)
	}
	client = dial(t, e.Connect(), "till")
	from := <-heard
	return client, played{t: t, nc: nc, to: host.to, from: from, tag: tag}
}

// holds: R6
func TestAMessageThatDoesNotBelongEndsTheLinkAndNothingIsReadTwice(t *testing.T) {
	good := func(tag []byte) []byte { return message('d', tag, 1, "good") }
	for name, c := range map[string]struct {
		says func(tag []byte) [][]byte // after "good"
		is   error
		want string
	}{
		"one was lost": {func(tag []byte) [][]byte { return [][]byte{message('d', tag, 3, "x")} },
			natsbus.ErrBroken, "message 3 came instead of 2: some were lost"},
		"one came again": {func(tag []byte) [][]byte { return [][]byte{good(tag)} },
			natsbus.ErrBroken, "message 1 came again"},
		"it was changed and came again": {func(tag []byte) [][]byte { return [][]byte{message('d', tag, 1, "x")} },
			natsbus.ErrBroken, "message 1 came again"},
		"the largest number": {func(tag []byte) [][]byte { return [][]byte{message('d', tag, 1<<64-1, "x")} },
			natsbus.ErrBroken, "some were lost"},
		"another link's": {func([]byte) [][]byte { return [][]byte{message('d', []byte("another!"), 2, "x")} },
			natsbus.ErrBroken, "it has not its tag"},
		"garbage": {func([]byte) [][]byte { return [][]byte{[]byte("HTTP/1.1 400 Bad Request")} },
			natsbus.ErrBroken, "it has not its tag"},
		"nothing": {func([]byte) [][]byte { return [][]byte{nil} }, natsbus.ErrBroken, "it has not its tag"},
		"half a header": {func(tag []byte) [][]byte { return [][]byte{message('d', tag, 2, "")[:16]} },
			natsbus.ErrBroken, "it has not its tag"},
		"an unknown kind": {func(tag []byte) [][]byte { return [][]byte{message('x', tag, 2, "x")} },
			natsbus.ErrBroken, `there is no kind 'x'`},
		"more than there is room for": {func(tag []byte) (all [][]byte) {
			for n := range uint64(natsbus.Window/natsbus.Piece + 1) {
				all = append(all, message('d', tag, 2+n, strings.Repeat("x", natsbus.Piece-17)))
			}
			return all
		}, natsbus.ErrBroken, "more came than there is room for"},
		"it took what was not sent": {func(tag []byte) [][]byte { return [][]byte{message('r', tag, 2, room(1))} },
			natsbus.ErrBroken, "it took what was not sent"},
		"it took no number": {func(tag []byte) [][]byte { return [][]byte{message('r', tag, 2, "much")} },
			natsbus.ErrBroken, "it took what was not sent"},
		"it ends with a reason": {func(tag []byte) [][]byte { return [][]byte{message('e', tag, 2, "fire")} },
			natsbus.ErrRefused, `"fire"`},
		"it ends": {func(tag []byte) [][]byte { return [][]byte{message('e', tag, 2, ""), good(tag)} }, io.EOF, "EOF"},
	} {
		try := func(t *testing.T, conn io.ReadWriteCloser, other played) {
			other.say(good(other.tag))
			for _, m := range c.says(other.tag) {
				other.say(m)
			}
			if c.is == natsbus.ErrBroken { // it is told
				if why := other.hear('e'); !strings.Contains(why, c.want) {
					t.Errorf("the other end was told %q, want %q", why, c.want)
				}
			}
			got, err := make([]byte, 0, 8), error(nil)
			for p := make([]byte, natsbus.Window); err == nil; {
				var n int
				n, err = conn.Read(p)
				got = append(got, p[:n]...)
			}
			if !errors.Is(err, c.is) || !strings.Contains(err.Error(), c.want) {
				t.Errorf("the link ended with %v, want %q", err, c.want)
			}
			if got, _, _ := strings.Cut(string(got), "xxx"); got != "good" {
				t.Errorf("%q was read", got)
			}
			if n, err := conn.Write([]byte("x")); n != 0 || err == nil {
				t.Errorf("after it %d bytes were written (%v)", n, err)
			}
		}
		t.Run(name+", at the host", func(t *testing.T) {
			host, client := playedClient(t, natstest.Start(t, server.Options{MaxPayload: 2 << 20}), patience)
			try(t, host, client)
		})
		t.Run(name+", at the client", func(t *testing.T) {
			client, host := playedHost(t, natstest.Start(t, server.Options{MaxPayload: 2 << 20}), patience)
			try(t, client, host)
		})
	}
}

// holds: R6 N4
func TestAConversationThatIsPlayedAgainDoesNothing(t *testing.T) {
	e := natstest.Start(t, server.Options{})
	b, j, _ := bustest.New(t, shelftest.QuickPut())
	served := make(chan error, 8)
	host := listen(t, e.Connect(), desk(), func(ctx context.Context, _ string, conn io.ReadWriteCloser) {
		served <- remote.Serve(ctx, conn, b, shelftest.Kim())
	})
	thief := e.Connect()
	opened, up := subscribe(t, thief, "desk.till.open"), subscribe(t, thief, "desk.till.up.*")
	down := played{t: t, from: subscribe(t, thief, "desk.till.down.*")}
	l := open(t, e.Connect(), "till", remote.Options{})
	put := bus.Invocation{Capability: "shelf.put", Arguments: []byte(`{"id":"a","count":2}`)}
	if r := l.Invoke(t.Context(), put, nil); !r.OK() {
		t.Fatal(r.Err)
	}
	request, err := opened.NextMsg(patience)
	if err != nil {
		t.Fatal(err)
	}
	var all []*nats.Msg
	for said := ""; !strings.Contains(said, `"invoke"`); {
		m, err := up.NextMsg(patience)
		if err != nil {
			t.Fatal(err)
		}
		all, said = append(all, m), said+string(m.Data[17:])
	}
	replay := func(messages ...*nats.Msg) {
		for _, m := range messages {
			if err := thief.PublishMsg(&nats.Msg{Subject: m.Subject, Reply: m.Reply, Data: m.Data}); err != nil {
				t.Fatal(err)
			}
		}
	}
	replay(request) // the link is open: nothing is heard of it
	if r := l.Invoke(t.Context(), put, nil); !r.OK() || count(j) != 4 {
		t.Fatalf("the second call was answered with %v; %d are on the shelf", r.Err, count(j))
	}
	replay(all[len(all)-1])
	if err := <-served; !errors.Is(err, natsbus.ErrBroken) {
		t.Errorf("a call that came again ended the link with %v", err)
	}
	if <-l.Done(); !errors.Is(l.Err(), natsbus.ErrRefused) {
		t.Errorf("the client was told %v", l.Err())
	}
	down.hear('e')
	for end := time.Now().Add(patience); natsbus.Links(host) > 0 && time.Now().Before(end); {
		time.Sleep(time.Millisecond) // its place is free after its end was told
	}
	replay(request) // the link has ended: it is another one, with another tag
	down.hear('{')
	replay(all...)
	if err := <-served; !errors.Is(err, natsbus.ErrBroken) {
		t.Errorf("all that came again ended with %v", err)
	}
	if n := count(j); n != 4 {
		t.Errorf("%d are on the shelf, want 4", n)
	}
}

func TestAWriteWaitsForAnEndThatReadsLater(t *testing.T) {
	e := natstest.Start(t, server.Options{})
	spy := e.Connect()
	up := subscribe(t, spy, "desk.till.up.*")
	if err := up.SetPendingLimits(-1, -1); err != nil {
		t.Fatal(err)
	}
	host, client := pair(t, e, desk())
	want := make([]byte, 4*natsbus.Window+5)
	rand.New(rand.NewSource(1)).Read(want)
	wrote := make(chan error, 1)
	go func() {
		n, err := client.Write(want)
		if n != len(want) {
			err = fmt.Errorf("%d were written: %w", n, err)
		}
		wrote <- err
	}()
	sent := 0
	count := func(m *nats.Msg) {
		if m.Data[0] == 'd' {
			sent += len(m.Data) - 17
		}
	}
	for sent < natsbus.Window-natsbus.Piece {
		m, err := up.NextMsg(patience)
		if err != nil {
			t.Fatal(err)
		}
		count(m)
	}
	if err := spy.Flush(); err != nil {
		t.Fatal(err)
	}
	for m, err := up.NextMsg(time.Nanosecond); err == nil; m, err = up.NextMsg(time.Nanosecond) {
		count(m)
	}
	if sent > natsbus.Window {
		t.Errorf("%d bytes were sent to an end that reads none, want at most %d", sent, natsbus.Window)
	}
	got := make([]byte, len(want))
	if _, err := io.ReadFull(host, got); err != nil || !bytes.Equal(got, want) {
		t.Errorf("what was read differs (%v)", err)
	}
	if err := <-wrote; err != nil {
		t.Error(err)
	}
	if _, err := host.Write([]byte("thanks")); err != nil {
		t.Error(err)
	}
	if _, err := io.ReadFull(client, got[:6]); err != nil || string(got[:6]) != "thanks" {
		t.Errorf("%q came back (%v)", got[:6], err)
	}
}

func TestWhatWasWrittenBeforeItWasClosedArrives(t *testing.T) {
	host, client := pair(t, natstest.Start(t, server.Options{}), desk())
	want := bytes.Repeat([]byte("x"), 3<<20)
	if _, err := client.Write(want); err != nil {
		t.Fatal(err)
	}
	client.Close()
	got, err := io.ReadAll(host) // until io.EOF
	if err != nil || !bytes.Equal(got, want) {
		t.Errorf("%d bytes came of %d (%v)", len(got), len(want), err)
	}
	if _, err := client.Read(got); err != io.ErrClosedPipe {
		t.Errorf("what was closed is read with %v", err)
	}
	if _, err := host.Write(got); err != io.ErrClosedPipe {
		t.Errorf("what the other end closed is written with %v", err)
	}
}

// holds: N4
func TestALinkDoesNotOutliveTheConnection(t *testing.T) {
	for name, cut := range map[string]func(e *natstest.Server, nc *nats.Conn){
		"the server is started anew": func(e *natstest.Server, _ *nats.Conn) { e.Restart() },
		"the server is gone":         func(e *natstest.Server, _ *nats.Conn) { e.Stop() },
		"the client reconnects":      func(_ *natstest.Server, nc *nats.Conn) { _ = nc.ForceReconnect() },
		"the client is closed":       func(_ *natstest.Server, nc *nats.Conn) { nc.Close() },
	} {
		t.Run(name, func(t *testing.T) {
			e := natstest.Start(t, server.Options{})
			b, _, _ := bustest.New(t, shelftest.List())
			listen(t, e.Connect(), desk(), serving(b))
			nc := e.Connect()
			l := open(t, nc, "till", remote.Options{})
			cut(e, nc)
			if <-l.Done(); !errors.Is(l.Err(), natsbus.ErrDisconnected) {
				t.Errorf("the link ended with %v", l.Err())
			}
			r := l.Invoke(t.Context(), bus.Invocation{Capability: "shelf.list"}, nil)
			if r.OK() || r.Err.Code != bus.Transient || r.Err.Reason != bus.ReasonNetwork {
				t.Errorf("after it a call was answered with %v", r.Err)
			}
			if name == "the server is gone" {
				if _, err := natsbus.Dial(t.Context(), nc, "desk", "till"); !errors.Is(err, natsbus.ErrDisconnected) {
					t.Errorf("without a server it was dialled with %v", err)
				}
				e.Run()
			}
			if nc.IsClosed() {
				if _, err := natsbus.Dial(t.Context(), nc, "desk", "till"); !errors.Is(err, natsbus.ErrDisconnected) {
					t.Errorf("over what was closed it was dialled with %v", err)
				}
				nc = e.Connect()
			}
			ready(t, nc)
			l = open(t, nc, "till", remote.Options{})
			if r := l.Invoke(t.Context(), bus.Invocation{Capability: "shelf.list"}, nil); !r.OK() {
				t.Errorf("over a new link a call was answered with %v", r.Err)
			}
		})
	}
}

// holds: N4
func TestASilentEndEndsTheLink(t *testing.T) {
	const soon = 40 * time.Millisecond
	host, _ := playedClient(t, natstest.Start(t, server.Options{}), soon)
	if _, err := host.Read(make([]byte, 1)); !errors.Is(err, natsbus.ErrSilent) {
		t.Errorf("at the host it ended with %v", err)
	}
	client, other := playedHost(t, natstest.Start(t, server.Options{}), soon)
	if _, err := client.Read(make([]byte, 1)); !errors.Is(err, natsbus.ErrSilent) {
		t.Errorf("at the client it ended with %v", err)
	}
	if why := other.hear('e'); !strings.Contains(why, "silent for 40ms") {
		t.Errorf("the other end was told %q", why)
	}
}

// TestALinkThatIsIdleLives waits for more beats of both ends than an end may miss.
func TestALinkThatIsIdleLives(t *testing.T) {
	e := natstest.Start(t, server.Options{})
	spy := e.Connect()
	up, down := subscribe(t, spy, "desk.till.up.*"), subscribe(t, spy, "desk.till.down.*")
	s := desk()
	s.Silence = 2 * time.Second
	host, client := pair(t, e, s)
	for range natsbus.Beats + 1 {
		for _, sub := range []*nats.Subscription{up, down} {
			if _, err := sub.NextMsg(patience); err != nil {
				t.Fatal(err)
			}
		}
	}
	for _, c := range [][2]io.ReadWriteCloser{{host, client}, {client, host}} {
		_, err := c[0].Write([]byte("x"))
		if _, other := io.ReadFull(c[1], make([]byte, 1)); err != nil || other != nil {
			t.Errorf("an idle link ended with %v, %v", err, other)
		}
	}
}

// beaten is an end whose time is told, and its other end.
func beaten(t *testing.T) (conn io.ReadWriteCloser, beat chan<- time.Time, other played) {
	e := natstest.Start(t, server.Options{})
	nc, ticks := e.Connect(), make(chan time.Time)
	other = played{t: t, nc: nc, to: "b", from: subscribe(t, nc, "a"), tag: make([]byte, 8)}
	conn, err := natsbus.Beaten(e.Connect(), "a", "b", ticks)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	return conn, ticks, other
}

// holds: N4
func TestAnEndThatSaysNothingForSomeBeatsEndsTheLink(t *testing.T) {
	conn, beat, other := beaten(t)
	one := make([]byte, 1)
	for number := range uint64(4) {
		if err := natsbus.Take(conn, message('d', other.tag, number+1, "x")); err != nil {
			t.Fatalf("it ended with %v after %d words", err, number)
		}
		if _, err := io.ReadFull(conn, one); err != nil {
			t.Fatal(err)
		}
		for range natsbus.Beats - 1 { // before the first it has spoken, before the others not
			beat <- time.Time{}
			other.hear('r') // the beat has passed
		}
	}
	beat <- time.Time{}
	if _, err := conn.Read(one); !errors.Is(err, natsbus.ErrSilent) {
		t.Errorf("it ended with %v", err)
	}
	if why := other.hear('e'); !strings.Contains(why, "silent") {
		t.Errorf("the other end was told %q", why)
	}
}

func TestAnEndThatLivesAndReadsNothingEndsTheLink(t *testing.T) {
	conn, beat, other := beaten(t)
	wrote := make(chan error, 1)
	go func() {
		_, err := conn.Write(make([]byte, 2*natsbus.Window))
		wrote <- err
	}()
	for sent := 0; sent < natsbus.Window-natsbus.Piece; {
		sent += len(other.hear('d')) + 17
	}
	for !natsbus.WaitsForRoom(conn) { // the beats before that do not count
		time.Sleep(time.Millisecond)
	}
	number := uint64(0)
	live := func(taken uint64) {
		number++
		if err := natsbus.Take(conn, message('r', other.tag, number, room(taken))); err != nil {
			t.Fatalf("it ended with %v after %d beats", err, number)
		}
		beat <- time.Time{}
	}
	for beats := range 2*natsbus.Stuck - 1 {
		taken := uint64(beats / (natsbus.Stuck - 1)) // 1 is not enough for a message, and a sign of life: it begins anew
		live(min(taken, 1))
		other.hear('r') // the beat has passed
	}
	live(1)
	if err := <-wrote; !errors.Is(err, natsbus.ErrSlow) {
		t.Errorf("it ended with %v", err)
	}
	if why := other.hear('e'); !strings.Contains(why, "reads nothing") {
		t.Errorf("the other end was told %q", why)
	}
}

// FuzzMessages: of any messages, Read gives the bytes of those that belong to the link, in order and once each.
func FuzzMessages(f *testing.F) {
	tag := make([]byte, 8)
	f.Add(message('d', tag, 1, "ab"), message('d', tag, 2, "c"), message('e', tag, 3, ""))
	f.Add(message('d', tag, 1, "ab"), message('d', tag, 1, "ab"), message('d', tag, 2, "c"))
	f.Add(message('r', tag, 1, room(0)), message('d', tag, 3, "c"), []byte{})
	f.Fuzz(func(t *testing.T, a, b, c []byte) {
		conn, _, _ := beaten(t)
		var want []byte
		for i, m := range [][]byte{a, b, c} {
			belongs := len(m) >= 17 && string(m[1:9]) == string(tag) && binary.BigEndian.Uint64(m[9:]) == uint64(i+1) &&
				(m[0] == 'd' || m[0] == 'r' && string(m[17:]) == room(0))
			if err := natsbus.Take(conn, m); belongs != (err == nil) {
				t.Fatalf("message %d was taken with %v", i+1, err)
			} else if err != nil {
				break
			}
			if m[0] == 'd' {
				want = append(want, m[17:]...)
			}
		}
		_ = natsbus.Take(conn, nil) // its end
		if got, err := io.ReadAll(conn); string(got) != string(want) || err != nil && !errors.Is(err, natsbus.ErrBroken) &&
			!errors.Is(err, natsbus.ErrRefused) {
			t.Fatalf("%q was read (%v), want %q", got, err, want)
		}
	})
}
