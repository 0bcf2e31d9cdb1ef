package till

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nkeys"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/bus/remote"
	"github.com/deskhand/deskhand/bus/remote/natsbus"
	"github.com/deskhand/deskhand/internal/atomicfile"
	"github.com/deskhand/deskhand/internal/keychain"
	"github.com/deskhand/deskhand/internal/tills"
)

// The services of a host: for the links of tills, and for windows that ask to become one.
const (
	ServiceTill = "till"
	ServiceLine = "line" // of the command line at a till: the shop's own bus
	ServicePair = "pair"
)

// callJoin is the call of a window that asks to become a till: {"name", "secret"} → {}, answered when the owner has
// accepted it.
const callJoin = "till.join"

// JoinRequest is the request of a window that asks to become a till.
type JoinRequest struct {
	Name   string `json:"name"`
	Secret string `json:"secret"`
}

// Pairing holds a till's data about its host. It is stored in the folder of the till, without the private key.
type Pairing struct {
	Address string `json:"address"`  // host:port, or as in [tills.Code]
	HostKey string `json:"host_key"` // SHA-256 of the host's public key (SPKI), hex; pinned
	Name    string `json:"name"`     // of the till
	ID      string `json:"id"`       // its public key, an nkey

	key    nkeys.KeyPair
	digits string // of the host's key, as long as only its code is known
}

const pairingName = "till.json"

// Read reads the pairing in a folder, or returns nil if the folder is not that of a till.
func Read(ctx context.Context, folder string, s keychain.Kept) (*Pairing, error) {
	raw, err := os.ReadFile(filepath.Join(folder, pairingName))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("%s cannot be read: %w", pairingName, err)
	}
	var p Pairing
	if err := json.Unmarshal(raw, &p); err != nil {
		return nil, bus.Errorf(bus.PreconditionFailed, bus.ReasonState, "%s is damaged.", pairingName).WithCause(err).
			WithHint("Remove %s, have a new code made at the host (deskhand-host pair), then join again: "+
				"deskhand --data %s join CODE", filepath.Join(folder, pairingName), folder)
	}
	if p.key, err = findKey(ctx, s, false); err != nil {
		return nil, err
	}
	if p.key != nil {
		if id, err := p.key.PublicKey(); err == nil && id == p.ID {
			return &p, nil
		}
	}
	return nil, bus.Errorf(bus.PreconditionFailed, bus.ReasonState, "The key of this till is not in the keychain.").
		WithHint("Unlock the keychain, or give the key in DESKHAND_TILL_KEY. If it is lost, remove the till at its host, "+
			"and %s here; then join again.", filepath.Join(folder, pairingName))
}

// findKey returns the key of this till, or nil if there is none. With create it makes one.
func findKey(ctx context.Context, s keychain.Kept, create bool) (nkeys.KeyPair, error) {
	seed, err := keychain.Seed(ctx, s, tills.KeyName, create)
	if seed == nil || err != nil {
		return nil, err
	}
	return nkeys.FromRawSeed(nkeys.PrefixByteUser, seed)
}

// Join turns a folder into that of a till, with a code as typed: see [Ask]. The caller must know that the folder
// contains no shop.
func Join(ctx context.Context, folder, typed, name string, s keychain.Kept, told func(id string)) (*Pairing, error) {
	code, err := tills.ParseCode(typed)
	if err != nil {
		return nil, err
	}
	before, err := Read(ctx, folder, s)
	if err != nil {
		return nil, err
	}
	if before != nil {
		switch conn, err := before.Dial(ctx); {
		case err == nil:
			return nil, errors.Join(bus.Errorf(bus.PreconditionFailed, bus.ReasonState,
				"This folder is a till of the shop at %s already.", before.Address).
				WithHint("Join with another folder: deskhand --data FOLDER join CODE"), conn.Close())
		case !WasRemoved(err):
			return nil, bus.Errorf(bus.PreconditionFailed, bus.ReasonState,
				"This folder is a till of the shop at %s, which cannot be reached.", before.Address).
				WithHint("To join another shop, remove %s first.", filepath.Join(folder, pairingName)).WithCause(err)
		}
	}
	p, err := Ask(ctx, code, name, s, told)
	if err != nil {
		return nil, err
	}
	return p, p.Keep(folder)
}

// Ask asks the host of a code to accept this window under a name, and waits for its owner. It calls told with the
// public key of this till before it asks the host, because the owner compares it.
func Ask(ctx context.Context, code tills.Code, name string, s keychain.Kept, told func(id string)) (*Pairing, error) {
	p := &Pairing{Address: code.Address, Name: name, digits: code.Key}
	var err error
	if p.key, err = findKey(ctx, s, true); err != nil {
		return nil, err
	}
	if p.ID, err = p.key.PublicKey(); err != nil {
		return nil, err
	}
	conn, err := p.dial(ctx, ServicePair, func(digest []byte) error {
		if tills.KeyDigits(digest) != code.Key {
			return errOtherHost
		}
		p.HostKey = hex.EncodeToString(digest)
		return nil
	})
	if err != nil {
		return nil, err
	}
	link, err := remote.Open(ctx, conn, remote.Options{})
	if err != nil {
		return nil, err
	}
	defer link.Close()
	told(p.ID)
	raw, err := json.Marshal(JoinRequest{Name: name, Secret: code.Secret})
	if err != nil {
		return nil, err
	}
	return p, link.Invoke(ctx, bus.Invocation{Capability: callJoin, Arguments: raw}, nil).Error()
}

// Keep turns a folder into that of this till.
func (p *Pairing) Keep(folder string) error {
	raw, err := json.Marshal(p)
	if err != nil {
		return err
	}
	if err := atomicfile.MkdirAll(folder); err != nil {
		return err
	}
	return atomicfile.Write(filepath.Join(folder, pairingName), raw, 0o600)
}

// ServeJoin answers a window that asks to become a till. ask returns when the owner has accepted it, or an error.
func ServeJoin(ctx context.Context, conn io.ReadWriteCloser, ask func(context.Context, JoinRequest) error) error {
	link, err := remote.Open(ctx, conn, remote.Options{MaxCalls: 1,
		Answer: func(ctx context.Context, invocation []byte, _ func(*bus.Invocation)) bus.Result {
			var in struct {
				Capability string
				Arguments  JoinRequest
			}
			if err := json.Unmarshal(invocation, &in); err != nil || in.Capability != callJoin {
				return failed(bus.Errorf(bus.Validation, bus.ReasonEnvelope, "What the window sent is not understood.").
					WithCause(err))
			}
			if err := ask(ctx, in.Arguments); err != nil {
				return failed(err)
			}
			return bus.Result{Status: bus.StatusSuccess, Data: json.RawMessage(`{}`)}
		}})
	if err != nil {
		return err
	}
	defer context.AfterFunc(ctx, func() { _ = link.Close() })()
	<-link.Done()
	return link.Err()
}

// removedError is the cause of an error that means that the host no longer knows this till.
type removedError struct{ error }

func (r removedError) Unwrap() error { return r.error }

// WasRemoved reports whether an error of [Pairing.Dial] means that the owner removed this till.
func WasRemoved(err error) bool { return errors.As(err, new(removedError)) }

func errUnknownTill(err error) error {
	return bus.Errorf(bus.Forbidden, bus.ReasonPermission, "The owner of the shop removed this desk.").
		WithHint("Have a new code made at the host, then join again: deskhand join CODE").WithCause(removedError{err})
}

var errOtherHost = bus.Errorf(bus.Forbidden, bus.ReasonPermission, "Another computer answers at that address.").
	WithHint("Nothing was sent to it. Make a new code at the host, and look whether the address is right.")

// Dial opens a connection to the host, for a window.
func (p *Pairing) Dial(ctx context.Context) (io.ReadWriteCloser, error) {
	return p.dial(ctx, ServiceTill, p.isPinned)
}

// DialCommands opens a connection for the command line, which serves the bus of the shop like `deskhand bus --link`.
func (p *Pairing) DialCommands(ctx context.Context) (io.ReadWriteCloser, error) {
	return p.dial(ctx, ServiceLine, p.isPinned)
}

// Ping returns the time that a message to the host and back takes. It fails like a window if the host is unreachable,
// has another key, or refuses this till.
func (p *Pairing) Ping(ctx context.Context) (time.Duration, error) {
	conn, err := p.DialCommands(ctx)
	if err != nil {
		return 0, err
	}
	defer conn.Close()
	return conn.(connection).nc.RTT()
}

// Joined returns the time when the folder last became that of a till.
func Joined(folder string) (time.Time, error) {
	info, err := os.Stat(filepath.Join(folder, pairingName))
	if err != nil {
		return time.Time{}, err
	}
	return info.ModTime(), nil
}

func (p *Pairing) isPinned(digest []byte) error {
	if hex.EncodeToString(digest) != p.HostKey {
		return errOtherHost
	}
	return nil
}

// dial connects to a service of the host whose key passes check.
func (p *Pairing) dial(ctx context.Context, service string, check func(digest []byte) error) (
	io.ReadWriteCloser, error) {
	if url, is := p.shared(); is {
		return p.dialShared(ctx, url, service, check)
	}
	var refused error
	limit := patienceOf(ctx)
	nc, err := nats.Connect("tls://"+p.Address, append(p.options(limit), nats.TLSHandshakeFirst(),
		nats.Secure(pinning(check, &refused)))...)
	switch {
	case refused != nil:
		return nil, refused
	case errors.Is(err, nats.ErrAuthorization):
		return nil, errUnknownTill(err)
	case err != nil:
		return nil, bus.Errorf(bus.Transient, bus.ReasonNetwork, "There is no host at %s.", p.Address).
			WithHint("Look whether it is switched on, and the network there.").WithCause(err)
	}
	conn, err := natsbus.Dial(ctx, nc, service, p.ID)
	if err != nil {
		nc.Close()
		if errors.Is(err, nats.ErrPermissionViolation) {
			return nil, errUnknownTill(err)
		}
		return nil, bus.Errorf(bus.Transient, bus.ReasonNetwork, "The host at %s does not answer.", p.Address).WithCause(err)
	}
	return connection{conn, nc}, nil
}

// patienceOf returns the time limit for connecting to a server.
func patienceOf(ctx context.Context) time.Duration {
	limit := 5 * time.Second
	if until, limited := ctx.Deadline(); limited {
		limit = min(limit, max(time.Until(until), time.Millisecond))
	}
	return limit
}

// options returns the options of each connection of a till, which proves its key.
func (p *Pairing) options(limit time.Duration) []nats.Option {
	return []nats.Option{nats.NoReconnect(), nats.Timeout(limit), nats.Name("deskhand " + p.Name),
		nats.ErrorHandler(func(_ *nats.Conn, _ *nats.Subscription, err error) {
			slog.Debug("the connection to the host", "cause", err)
		}), nats.Nkey(p.ID, func(nonce []byte) ([]byte, error) {
			return p.key.Sign(nonce)
		})}
}

// CredsName is the environment variable with the file of credentials for shared servers. Without it the till proves its
// own key, if the servers request one.
const CredsName = "DESKHAND_NATS_CREDS"

// dialShared is dial through servers shared with others.
func (p *Pairing) dialShared(ctx context.Context, url, service string, check func(digest []byte) error) (
	io.ReadWriteCloser, error) {
	o := p.options(patienceOf(ctx))
	anonymous := o[:len(o)-1]
	if file := os.Getenv(CredsName); file != "" {
		o = append(anonymous, nats.UserCredentials(file))
	}
	nc, err := nats.Connect(url, o...)
	if errors.Is(err, nats.ErrNkeysNotSupported) { // they require no key
		nc, err = nats.Connect(url, anonymous...)
	}
	if err != nil {
		return nil, bus.Errorf(bus.Transient, bus.ReasonNetwork,
			"There are no servers at %s that let this desk in.", url).
			WithHint("Look at the network, and at %s for the file of credentials.", CredsName).WithCause(err)
	}
	digits := p.digits
	if digits == "" {
		digest, _ := hex.DecodeString(p.HostKey) // an invalid one matches no service
		digits = digitsOf(digest)
	}
	conn, err := natsbus.Dial(ctx, nc, service+"-"+digits, p.ID)
	if err == nil {
		conn, err = p.sealed(ctx, conn, check)
	}
	if err != nil {
		nc.Close()
		if _, coded := errors.AsType[*bus.Error](err); coded {
			return nil, err
		}
		return nil, bus.Errorf(bus.Transient, bus.ReasonNetwork, "The host does not answer by the servers at %s.", url).
			WithCause(err)
	}
	return connection{conn, nc}, nil
}

// connection is a link with its own connection to the server.
type connection struct {
	io.ReadWriteCloser
	nc *nats.Conn
}

// Close closes both. It does not wait, so that a silent host cannot delay the window's report.
func (c connection) Close() error {
	err := c.ReadWriteCloser.Close()
	go func() {
		_ = c.nc.FlushTimeout(time.Second) // sends the written data
		c.nc.Close()
	}()
	return err
}

// HostKeyDigest returns the digest of a host's public key that a till pins.
func HostKeyDigest(spki []byte) string {
	sum := sha256.Sum256(spki)
	return hex.EncodeToString(sum[:])
}
