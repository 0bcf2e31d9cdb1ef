package host_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"fmt"
	"math/big"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/internal/desk"
	"github.com/deskhand/deskhand/internal/desk/desktest"
	"github.com/deskhand/deskhand/internal/host"
	"github.com/deskhand/deskhand/internal/natstest"
	"github.com/deskhand/deskhand/internal/till"
	"github.com/deskhand/deskhand/internal/tills"
	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
)

// listener greets as a NATS server without encryption does, and keeps what it is sent.
type listener struct {
	net.Listener
	mu   sync.Mutex // guards the rest
	came int
	sent strings.Builder
}

func listens(t *testing.T) *listener {
	t.Helper()
	l := &listener{}
	var err error
	if l.Listener, err = net.Listen("tcp", "127.0.0.1:0"); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			l.mu.Lock()
			l.came++
			l.mu.Unlock()
			go l.serve(conn)
		}
	}()
	return l
}

func (l *listener) serve(conn net.Conn) {
	defer conn.Close()
	fmt.Fprintf(conn, "INFO {\"server_id\":\"x\",\"version\":\"2.10.0\",\"proto\":1,\"nonce\":\"abcd\","+
		"\"host\":\"127.0.0.1\",\"port\":4222,\"max_payload\":1048576}\r\n")
	piece := make([]byte, 4096)
	for {
		n, err := conn.Read(piece)
		l.mu.Lock()
		l.sent.Write(piece[:n])
		l.mu.Unlock()
		if err != nil {
			return
		}
		_, _ = conn.Write([]byte("PONG\r\n"))
	}
}

func (l *listener) got() (came int, sent string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.came, l.sent.String()
}

// TestR7ServersWithEncryptionAreNeverReachedInClear: where the scheme asks for encryption, neither host nor till sends
// anything without it; a scheme that is not supported is refused before a connection is made.
//
// holds: R7
func TestR7ServersWithEncryptionAreNeverReachedInClear(t *testing.T) {
	folder := desktest.Copy(t)
	for scheme, dialled := range map[string]bool{"tls": true, "TLS": true, "wss": false, "ws": false, "https": false,
		"nats+tls": false, "": false} {
		l := listens(t)
		h, err := host.Open(t.Context(), host.Options{Folder: folder, NATS: scheme + "://" + l.Addr().String(),
			Secrets: &keychain{}, Desk: desk.Options{}})
		if err == nil {
			h.Close()
			t.Errorf("%q: the host has connected", scheme)
		}
		came, sent := l.got()
		if dialled != (came > 0) || strings.Contains(sent, "CONNECT") {
			t.Errorf("%q: %d connections, sent %q", scheme, came, sent)
		}
		if refused, is := err.(*bus.Error); !dialled && (!is || refused.Code != bus.Validation || refused.Hint == "") {
			t.Errorf("%q: %v", scheme, err)
		}
	}
	l := listens(t)
	_, err := till.Ask(t.Context(), tills.Code{Address: "tls:" + l.Addr().String(), Secret: "K7QM2RTX",
		Key: "0123456789ABCDEF"}, "Office", &keychain{}, func(string) {})
	if came, sent := l.got(); err == nil || came == 0 || strings.Contains(sent, "CONNECT") {
		t.Errorf("the till: %v, %d connections, sent %q", err, came, sent)
	}
}

// TestR7TheSchemeOfServersIsInTheCode: so the till asks for the encryption that the host asks for.
//
// holds: R7
func TestR7TheSchemeOfServersIsInTheCode(t *testing.T) {
	certificate, ca := certified(t)
	servers := natstest.Start(t, server.Options{Port: -1, TLSConfig: &tls.Config{MinVersion: tls.VersionTLS13,
		Certificates: []tls.Certificate{certificate}}, TLS: true})
	at, err := url.Parse(servers.Server().ClientURL())
	if err != nil {
		t.Fatal(err)
	}
	s := &shop{t: t, folder: desktest.Copy(t), keys: &keychain{}}
	s.owner = desktest.Open(t, desk.Options{Folder: s.folder, Clock: s.clock})
	if s.host, err = host.Open(t.Context(), host.Options{Folder: s.folder, NATS: "tls://" + at.Host, Secrets: s.keys,
		Connect: []nats.Option{nats.RootCAs(ca)}, Desk: desk.Options{Clock: s.clock}}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.host.Close)
	code, err := tills.ParseCode(s.code())
	if err != nil || code.Address != "tls:"+at.Host {
		t.Errorf("%+v %v", code, err)
	}
}

// certified makes a certificate of this computer, and the file that a client trusts it by.
func certified(t *testing.T) (tls.Certificate, string) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	from := &x509.Certificate{SerialNumber: big.NewInt(1), NotAfter: time.Now().Add(time.Hour), IsCA: true,
		BasicConstraintsValid: true, IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}}
	raw, err := x509.CreateCertificate(rand.Reader, from, from, key.Public(), key)
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "ca.pem")
	if err := os.WriteFile(file, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: raw}), 0o600); err != nil {
		t.Fatal(err)
	}
	return tls.Certificate{Certificate: [][]byte{raw}, PrivateKey: key}, file
}
