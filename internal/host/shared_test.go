package host_test

import (
	"context"
	"crypto/ed25519"
	"crypto/tls"
	"io"
	"net"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/deskhand/deskhand/bus/remote/natsbus"
	"github.com/deskhand/deskhand/internal/desk"
	"github.com/deskhand/deskhand/internal/desk/desktest"
	"github.com/deskhand/deskhand/internal/host"
	"github.com/deskhand/deskhand/internal/natstest"
	"github.com/deskhand/deskhand/internal/till"
	"github.com/nats-io/nats-server/v2/server"
)

// openAt opens a shop whose tills come by servers that others share.
func openAt(t *testing.T, address string) *shop {
	t.Helper()
	s := &shop{t: t, folder: desktest.StaffedShop(t), keys: &keychain{}}
	s.owner = desktest.Open(t, desk.Options{Folder: s.folder, Clock: s.clock, PIN: desktest.PIN})
	h, err := host.Open(t.Context(), host.Options{Folder: s.folder, NATS: address, Secrets: s.keys,
		Desk: desk.Options{Clock: s.clock}})
	if err != nil {
		t.Fatal(err)
	}
	s.host = h
	t.Cleanup(h.Close)
	return s
}

// share starts a server that lets everybody use every subject.
func share(t *testing.T) (servers *natstest.Server, address string) {
	t.Helper()
	servers = natstest.Start(t, server.Options{Port: -1})
	at, err := url.Parse(servers.Server().ClientURL())
	if err != nil {
		t.Fatal(err)
	}
	return servers, at.Host
}

// TestTwoShopsShareTheirServers: a till reaches its own shop, and is refused at once when it was removed.
//
// holds: R7
func TestTwoShopsShareTheirServers(t *testing.T) {
	_, address := share(t)
	one, two := openAt(t, address), openAt(t, "nats://"+address)
	if code := one.code(); !strings.HasPrefix(code, "nats:"+address+"/") {
		t.Errorf("the code is %s", code)
	}
	p, other := one.joined("Stockroom"), two.joined("Stockroom")
	for s, p := range map[*shop]*till.Pairing{one: p, two: other} {
		in := call(t, s.window(p.Dial), "session.signIn", desktest.SignIn("mara_lindqvist"))
		if !strings.Contains(in, `"success"`) {
			t.Fatal(in)
		}
		r, err := s.owner.Invoke(t.Context(), "till.list", struct{}{}, "test")
		if err != nil || strings.Count(string(r.Data), `"name"`) != 1 || !strings.Contains(string(r.Data), p.ID) {
			t.Errorf("tills: %s, %v", r.Data, err)
		}
	}
	conn, err := p.Dial(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	desktest.Must(t, one.owner, "cli", "till.remove", `{"till":"`+p.ID+`"}`, nil)
	if _, err := io.ReadAll(conn); err != nil && !strings.Contains(err.Error(), "EOF") {
		t.Errorf("its link ended by %v", err)
	}
	if _, err := p.Dial(t.Context()); !till.WasRemoved(err) {
		t.Errorf("it was removed: %v", err)
	}
	if conn, err := other.Dial(t.Context()); err != nil {
		t.Error(err)
	} else {
		_ = conn.Close()
	}
}

// wire is a link as package tls takes it.
type wire struct {
	io.ReadWriteCloser
	net.Conn
}

func (w wire) Read(p []byte) (int, error)       { return w.ReadWriteCloser.Read(p) }
func (w wire) Write(p []byte) (int, error)      { return w.ReadWriteCloser.Write(p) }
func (w wire) Close() error                     { return w.ReadWriteCloser.Close() }
func (w wire) SetDeadline(time.Time) error      { return nil }
func (w wire) SetWriteDeadline(time.Time) error { return nil }

// TestServersThatOthersShareAreBelievedNothing: who uses the subjects of a till without its key is not served, and a
// till sends nothing to a program that answers in the place of its host.
//
// holds: R7
func TestServersThatOthersShareAreBelievedNothing(t *testing.T) {
	servers, address := share(t)
	s := openAt(t, address)
	p := s.joined("Stockroom")
	code := s.code()
	service := till.ServiceTill + "-" + strings.ReplaceAll(code[strings.LastIndex(code, "/")+1:], "-", "")
	nc := servers.Connect()
	dial := func() io.ReadWriteCloser {
		conn, err := natsbus.Dial(t.Context(), nc, service, p.ID)
		if err != nil {
			t.Fatal(err)
		}
		return conn
	}
	bare := dial()
	if _, err := bare.Write([]byte(`{"type":"hello","body":{"protocol":1}}`)); err != nil {
		t.Fatal(err)
	}
	if got, _ := io.ReadAll(bare); strings.Contains(string(got), "hello") {
		t.Errorf("served without a key: %q", got)
	}
	_, key, err := ed25519.GenerateKey(nil)
	if err != nil {
		t.Fatal(err)
	}
	wrong, err := till.Certify(key)
	if err != nil {
		t.Fatal(err)
	}
	for name, own := range map[string][]tls.Certificate{"another key": {wrong}, "no key": nil} {
		secure := tls.Client(wire{ReadWriteCloser: dial()}, &tls.Config{InsecureSkipVerify: true, Certificates: own})
		if n, err := secure.Read(make([]byte, 1)); n > 0 || err == nil {
			t.Errorf("served with %s", name)
		}
	}

	s.host.Close()
	heard := make(chan error, 1)
	l, err := natsbus.Listen(nc, natsbus.Service{Name: service},
		func(ctx context.Context, id string, conn io.ReadWriteCloser) {
			secure, err := till.Seal(ctx, conn, wrong, id, true)
			if err == nil {
				_, err = secure.Read(make([]byte, 1))
			}
			heard <- err
		})
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	if _, err := p.Dial(t.Context()); err == nil || !strings.Contains(err.Error(), "Another computer answers") {
		t.Errorf("another host: %v", err)
	}
	if err := <-heard; err == nil {
		t.Error("another host heard something of the till")
	}
}
