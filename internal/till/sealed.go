package till

import (
	"context"
	"crypto/ed25519"
	"crypto/rand"
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"math/big"
	"net"
	"time"

	"github.com/nats-io/nkeys"

	"github.com/deskhand/deskhand/internal/tills"
)

// Shared servers between the ends are not trusted. Inside the link both ends use TLS 1.3, the host with its key and the
// till with its own. Each message is bound to both keys, and no server in between can read it.

// ServiceOf returns the name of a service of the host with a key. The names differ because several hosts share the
// servers.
func ServiceOf(service string, hostKey []byte) string { return service + "-" + digitsOf(hostKey) }

// digitsOf returns the digits of a key's digest for a code.
func digitsOf(digest []byte) string {
	if len(digest) != sha256.Size {
		return "unknown"
	}
	return tills.KeyDigits(digest)
}

// sealWait limits the time in which both ends must prove their keys.
const sealWait = 5 * time.Second

// The answers of a host after it has verified the till: one byte, so that the till knows that it was accepted.
const (
	mayEnter = 'y'
	removed  = 'n'
)

var errSealedOut = errors.New("till: it is not one that may work here")

// Seal is the host's end of a link over shared servers. id is from the subject of the link; the other end must prove
// that it has that key. The error is the reason for refusing it.
func Seal(ctx context.Context, conn io.ReadWriteCloser, host tls.Certificate, id string, may bool) (
	io.ReadWriteCloser, error) {
	secure := tls.Server(pipe{conn}, &tls.Config{MinVersion: tls.VersionTLS13, Certificates: []tls.Certificate{host},
		ClientAuth: tls.RequireAnyClientCert, SessionTicketsDisabled: true,
		VerifyConnection: func(state tls.ConnectionState) error {
			public, is := state.PeerCertificates[0].PublicKey.(ed25519.PublicKey)
			if !is {
				return fmt.Errorf("till: a key of the type %T", state.PeerCertificates[0].PublicKey)
			}
			if proved, err := nkeys.Encode(nkeys.PrefixByteUser, public); err != nil || string(proved) != id {
				return fmt.Errorf("till: it has another key than %s", id)
			}
			return nil
		}})
	says := byte(removed)
	if may {
		says = mayEnter
	}
	err := within(ctx, conn, func(ctx context.Context) error {
		if err := secure.HandshakeContext(ctx); err != nil {
			return err
		}
		if _, err := secure.Write([]byte{says}); err != nil || may {
			return err
		}
		_, _ = secure.Read(make([]byte, 1)) // until the till, which has the answer, ends the link
		return errSealedOut
	})
	return secure, err
}

// sealed is the till's end.
func (p *Pairing) sealed(ctx context.Context, conn io.ReadWriteCloser, check func(digest []byte) error) (
	io.ReadWriteCloser, error) {
	own, err := p.certificate()
	if err != nil {
		return nil, err
	}
	var refused error
	secure := tls.Client(pipe{conn}, pinning(check, &refused, own))
	says := make([]byte, 1)
	err = within(ctx, conn, func(ctx context.Context) error {
		if err := secure.HandshakeContext(ctx); err != nil {
			return err
		}
		_, err := io.ReadFull(secure, says)
		return err
	})
	switch {
	case refused != nil:
		return nil, refused
	case err != nil:
		return nil, err
	case says[0] != mayEnter:
		return nil, errUnknownTill(errSealedOut)
	}
	return secure, nil
}

// within runs the handshake of two ends, and closes the connection if it takes too long.
func within(ctx context.Context, conn io.Closer, begin func(context.Context) error) error {
	ctx, cancel := context.WithTimeout(ctx, sealWait)
	defer cancel()
	defer context.AfterFunc(ctx, func() {
		if ctx.Err() == context.DeadlineExceeded {
			_ = conn.Close()
		}
	})()
	return begin(ctx)
}

// pinning returns the TLS configuration of a till. It verifies the host only by its key, because the certificate is
// self-signed.
func pinning(check func(digest []byte) error, refused *error, own ...tls.Certificate) *tls.Config {
	return &tls.Config{MinVersion: tls.VersionTLS13, InsecureSkipVerify: true, Certificates: own,
		VerifyConnection: func(state tls.ConnectionState) error {
			sum := sha256.Sum256(state.PeerCertificates[0].RawSubjectPublicKeyInfo)
			*refused = check(sum[:])
			return *refused
		}}
}

// certificate returns a certificate for the till's key.
func (p *Pairing) certificate() (tls.Certificate, error) {
	seed, err := p.key.Seed()
	if err != nil {
		return tls.Certificate{}, err
	}
	_, raw, err := nkeys.DecodeSeed(seed)
	if err != nil {
		return tls.Certificate{}, err
	}
	return Certify(ed25519.NewKeyFromSeed(raw))
}

// Certify returns a certificate that only contains the key, because the other end verifies nothing else.
func Certify(private ed25519.PrivateKey) (tls.Certificate, error) {
	template := &x509.Certificate{SerialNumber: big.NewInt(1), NotBefore: time.Unix(0, 0),
		NotAfter: time.Date(2999, 1, 1, 0, 0, 0, 0, time.UTC), DNSNames: []string{"deskhand"}}
	der, err := x509.CreateCertificate(rand.Reader, template, template, private.Public(), private)
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: private}, err
}

// pipe is a link in the form that package tls requires. It has no deadlines, because a silent link ends by itself.
type pipe struct{ io.ReadWriteCloser }

func (pipe) LocalAddr() net.Addr              { return pipeAddr{} }
func (pipe) RemoteAddr() net.Addr             { return pipeAddr{} }
func (pipe) SetDeadline(time.Time) error      { return nil }
func (pipe) SetReadDeadline(time.Time) error  { return nil }
func (pipe) SetWriteDeadline(time.Time) error { return nil }

type pipeAddr struct{}

func (pipeAddr) Network() string { return "nats" }
func (pipeAddr) String() string  { return "link" }

// shared returns the URL of the shared servers for a host.
func (p *Pairing) shared() (url string, is bool) {
	scheme, at, is := tills.SharedServers(p.Address)
	return scheme + "://" + at, is
}
