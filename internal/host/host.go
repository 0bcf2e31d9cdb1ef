// Package host serves a shop to tills: windows on other computers. It has no window. An embedded NATS server connects
// them. Each till has a separate desk, which works like that of a window on the shop.
package host

import (
	"context"
	"crypto/ed25519"
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"net"
	"slices"
	"sync"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nkeys"

	"github.com/deskhand/deskhand/agent/policy"
	"github.com/deskhand/deskhand/audit"
	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/bus/remote/natsbus"
	"github.com/deskhand/deskhand/internal/desk"
	"github.com/deskhand/deskhand/internal/keychain"
	"github.com/deskhand/deskhand/internal/till"
	"github.com/deskhand/deskhand/internal/tills"
)

// Options configures a host.
type Options struct {
	Folder string // of the shop
	Listen string // host:port; the port may be 0
	// NATS is host:port of servers shared with others, through which tills reach this host, with the prefix tls:// for
	// encryption; "" for the embedded server. Connect holds options for these servers.
	NATS    string
	Connect []nats.Option
	Secrets keychain.Kept
	Desk    desk.Options // of each desk; the host sets folder, door and window
}

// Host serves a shop to its tills.
type Host struct {
	o      Options
	ctx    context.Context
	end    context.CancelFunc
	desk   *desk.Desk // of the host itself: due tasks, and the admission of tills
	key    tls.Certificate
	spki   []byte         // the public key in the form of a certificate
	server *server.Server // nil: the servers are shared
	nc     *nats.Conn
	open   []*natsbus.Listener
	inside sync.WaitGroup
	told   *tills.Announcement // the host's announced address; nil until it is announced
	list   func() (map[string]tills.Till, error)

	mu      sync.Mutex // guards the other fields
	tills   map[string]tills.Till
	reads   int                     // number of reads of the tills that have started
	stored  int                     // number of the read that produced tills
	changed chan struct{}           // closed when tills change
	at      map[string]*workstation // by the till's key
	links   map[string]int          // number of links of each connected till
}

// workstation is a till that has connected: its desk, and the session that outlives its links.
type workstation struct {
	name    string
	page    *desk.Boundary
	session *till.Session
	ctx     context.Context // ends when the till is removed
	end     context.CancelFunc
}

// Open opens the shop and serves it. The error names the missing part.
func Open(ctx context.Context, o Options) (h *Host, err error) {
	seed, err := keychain.Seed(ctx, o.Secrets, tills.HostKeyName, true)
	if err != nil {
		return nil, err
	}
	private := ed25519.NewKeyFromSeed(seed)
	h = &Host{o: o, changed: make(chan struct{}), at: map[string]*workstation{}, links: map[string]int{}}
	h.ctx, h.end = context.WithCancel(context.WithoutCancel(ctx))
	h.list = h.listTills
	defer func() {
		if err != nil {
			h.Close()
			h = nil
		}
	}()
	own := o.Desk
	own.Folder, own.Door, own.SignedOut = o.Folder, "host", true
	if h.desk, err = desk.Open(ctx, own); err != nil {
		return h, err
	}
	changes := h.desk.Bus.Subscribe() // before the first read, so that no later change is missed
	h.inside.Go(func() { h.watch(changes) })
	if err = h.readTills(); err != nil {
		return h, err
	}
	if h.key, err = till.Certify(private); err != nil {
		return h, err
	}
	if h.spki, err = x509.MarshalPKIXPublicKey(private.Public()); err != nil {
		return h, err
	}
	key := till.HostKeyDigest(h.spki)
	if len(h.tills) > 0 {
		if err = tills.CheckKey(o.Folder, key); err != nil {
			return h, err
		}
	}
	address, err := h.reach()
	if err != nil {
		return h, err
	}
	told, err := tills.Announce(o.Folder, tills.Host{Address: address, Key: key})
	if err != nil {
		return h, err
	}
	h.mu.Lock()
	h.told = told
	h.mu.Unlock()
	h.noteConnected() // tills that were faster
	h.desk.Serve()
	return h, nil
}

// Log returns the log of the shop.
func (h *Host) Log() *audit.Log { return h.desk.Log }

// Address returns the address for tills, as in codes.
func (h *Host) Address() string {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.told.Address()
}

// Close ends the links and closes the shop.
func (h *Host) Close() {
	h.end()
	if h.told != nil {
		h.told.End()
	}
	for _, l := range h.open {
		_ = l.Close()
	}
	if h.nc != nil {
		h.nc.Close()
	}
	if h.server != nil {
		h.server.Shutdown()
		h.server.WaitForShutdown()
	}
	h.inside.Wait()
	h.mu.Lock()
	all := h.at
	h.at = map[string]*workstation{}
	h.mu.Unlock()
	for _, w := range all {
		w.end()
		w.page.Close()
	}
	if h.desk != nil {
		if err := h.desk.Close(); err != nil {
			slog.Error("Could not close the desk.", "cause", err)
		}
	}
}

// reachable returns the address for codes. If the server listens on all addresses, it is one of this computer.
func reachable(at net.Addr) (string, error) {
	tcp, is := at.(*net.TCPAddr)
	if !is {
		return "", fmt.Errorf("the server listens at %v", at)
	}
	if !tcp.IP.IsUnspecified() {
		return tcp.String(), nil
	}
	all, err := net.InterfaceAddrs()
	for _, one := range all {
		if ip, is := one.(*net.IPNet); is && ip.IP.IsGlobalUnicast() && ip.IP.To4() != nil {
			return net.JoinHostPort(ip.IP.String(), fmt.Sprint(tcp.Port)), nil
		}
	}
	return net.JoinHostPort("127.0.0.1", fmt.Sprint(tcp.Port)), err
}

// reach connects to the servers for tills and serves there. It returns the address for codes.
func (h *Host) reach() (address string, err error) {
	services := map[string]natsbus.Handler{till.ServiceTill: h.serveTill, till.ServiceLine: h.serveLine,
		till.ServicePair: h.serveJoin}
	if h.o.NATS != "" {
		scheme, at, err := tills.ParseServers(h.o.NATS)
		if err != nil {
			return "", err
		}
		sum := sha256.Sum256(h.spki)
		sealed := map[string]natsbus.Handler{}
		for service, handle := range services {
			sealed[till.ServiceOf(service, sum[:])] = h.sealed(handle, service == till.ServicePair)
		}
		services, address = sealed, scheme+":"+at
		o := append([]nats.Option{nats.Name("deskhand host"), nats.MaxReconnects(-1)}, h.o.Connect...)
		if h.nc, err = nats.Connect(scheme+"://"+at, o...); err != nil {
			return "", bus.Errorf(bus.PreconditionFailed, bus.ReasonState, "The servers at %s cannot be reached.", at).
				WithHint("Look at the address and the credentials.").WithCause(err)
		}
	} else {
		if err = h.listen(); err != nil {
			return "", err
		}
		if address, err = reachable(h.server.Addr()); err != nil {
			return "", err
		}
	}
	for service, handle := range services {
		l, err := natsbus.Listen(h.nc, natsbus.Service{Name: service, Silence: silence}, handle)
		if err != nil {
			return "", err
		}
		h.open = append(h.open, l)
	}
	return address, nil
}

// sealed makes a till prove its key before it is served, because the servers in between guarantee nothing. anyKey also
// admits unknown keys.
func (h *Host) sealed(handle natsbus.Handler, anyKey bool) natsbus.Handler {
	return func(ctx context.Context, id string, conn io.ReadWriteCloser) {
		secure, err := till.Seal(ctx, conn, h.key, id, anyKey || h.mayWork(id))
		if err != nil {
			slog.Debug("a link is not served", "till", id, "cause", err)
			return
		}
		handle(ctx, id, secure)
		_ = secure.Close()
	}
}

// listen starts the embedded server.
func (h *Host) listen() error {
	name, port, err := net.SplitHostPort(h.o.Listen)
	if err != nil {
		return bus.Errorf(bus.Validation, bus.ReasonArguments, "%q is no address to listen at.", h.o.Listen).
			WithHint("For example: --listen 0.0.0.0:4222, or --listen 127.0.0.1:4222 for this computer alone.")
	}
	number, err := net.LookupPort("tcp", port)
	if err != nil {
		return err
	}
	if number == 0 {
		number = server.RANDOM_PORT
	}
	own, err := nkeys.CreateUser()
	if err != nil {
		return err
	}
	id, err := own.PublicKey()
	if err != nil {
		return err
	}
	h.server, err = server.NewServer(&server.Options{ServerName: "deskhand", Host: name, Port: number, NoSigs: true,
		NoLog: true, AlwaysEnableNonce: true, CustomClientAuthentication: guard{h, id}, TLSTimeout: 5, AuthTimeout: 5,
		TLSConfig:         &tls.Config{MinVersion: tls.VersionTLS13, Certificates: []tls.Certificate{h.key}},
		TLSHandshakeFirst: true, NoSystemAccount: true})
	if err != nil {
		return err
	}
	h.server.Start()
	if !h.server.ReadyForConnections(10 * time.Second) {
		return bus.Errorf(bus.PreconditionFailed, bus.ReasonState, "Nothing can listen at %s.", h.o.Listen).
			WithHint("Another program may: choose another port.")
	}
	h.nc, err = nats.Connect("", nats.InProcessServer(h.server), nats.Nkey(id, own.Sign))
	if err != nil {
		return fmt.Errorf("the host does not reach its own server: %w", err)
	}
	return nil
}

// silence is the maximum silence of a link, so that the window reports an interruption within two seconds.
const silence = 1500 * time.Millisecond

// guard authenticates clients of the server. A client that has proved a key may only use the subjects of that key:
// those of a till or, for an unknown key, those for asking to become one.
type guard struct {
	h   *Host
	own string // the host's own key
}

// Check implements [server.Authentication].
func (g guard) Check(c server.ClientAuthentication) bool {
	o := c.GetOpts()
	key, err := nkeys.FromPublicKey(o.Nkey)
	if err != nil {
		return false
	}
	signature, err := base64.RawURLEncoding.DecodeString(o.Sig)
	if err != nil || key.Verify(c.GetNonce(), signature) != nil {
		return false
	}
	user := &server.User{Username: o.Nkey}
	if o.Nkey != g.own {
		services := []string{till.ServicePair}
		if g.h.mayWork(o.Nkey) {
			services = append(services, till.ServiceTill, till.ServiceLine) // it may join again, under another name
		}
		var publish, subscribe []string
		for _, service := range services {
			at := service + "." + o.Nkey
			publish, subscribe = append(publish, at+".open", at+".up.*"), append(subscribe, at+".down.*")
		}
		user.Permissions = &server.Permissions{Publish: &server.SubjectPermission{Allow: publish},
			Subscribe: &server.SubjectPermission{Allow: subscribe}}
	}
	c.RegisterUser(user)
	return true
}

// listTills returns the tills of the shop by their keys.
func (h *Host) listTills() (map[string]tills.Till, error) {
	known := map[string]tills.Till{}
	err := h.desk.Log.View(h.ctx, func(ctx context.Context) error {
		all, err := h.desk.Tills.All(ctx)
		for _, one := range all {
			known[one.ID] = one
		}
		return err
	})
	return known, err
}

// readTills reads the tills and stores them, unless a read that started later has already stored them. Of two
// overlapping reads the first may end last, with an outdated list: a till that the owner has let in would still wait,
// or a removed one would stay.
func (h *Host) readTills() error {
	h.mu.Lock()
	h.reads++
	read := h.reads
	h.mu.Unlock()
	known, err := h.list()
	if err != nil {
		return err
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if read < h.stored {
		return nil
	}
	h.tills, h.stored = known, read
	close(h.changed)
	h.changed = make(chan struct{})
	for id, w := range h.at {
		if one, is := known[id]; !is || one.Asks {
			w.end()
			delete(h.at, id)
			h.inside.Go(w.page.Close)
		}
	}
	return nil
}

func (h *Host) mayWork(id string) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	one, is := h.tills[id]
	return is && !one.Asks
}

// watch reads the tills whenever they change, in this program or another one on the shop.
func (h *Host) watch(changes *bus.Subscription) {
	defer changes.Close()
	for {
		e, err := changes.Next(h.ctx)
		if err != nil {
			return
		}
		if tills.Changed(e) {
			h.readUntilDone()
		}
	}
}

// readAgain is the pause before the next attempt to read the tills after a failure.
const readAgain = time.Second

// readUntilDone reads the tills until it succeeds or the host ends, because the change is announced only once.
func (h *Host) readUntilDone() {
	for {
		err := h.readTills()
		if err == nil || h.ctx.Err() != nil {
			return
		}
		slog.Error("Could not read the tills.", "cause", err)
		select {
		case <-time.After(readAgain):
		case <-h.ctx.Done():
		}
	}
}

// serveTill serves a till over a new link. The server guarantees its key.
func (h *Host) serveTill(ctx context.Context, id string, conn io.ReadWriteCloser) {
	w := h.workstation(id)
	if w == nil {
		return
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(w.ctx, cancel)()
	h.connected(id, 1)
	defer h.connected(id, -1)
	if err := w.session.Serve(ctx, conn); err != nil {
		slog.Debug("the link of a till has ended", "till", id, "cause", err)
	}
}

// connected counts the links of a till.
func (h *Host) connected(id string, more int) {
	h.mu.Lock()
	if h.links[id] += more; h.links[id] == 0 {
		delete(h.links, id)
	}
	h.mu.Unlock()
	h.noteConnected()
}

// noteConnected publishes the connected tills for other programs.
func (h *Host) noteConnected() {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.told == nil {
		return
	}
	if err := h.told.Connected(slices.Collect(maps.Keys(h.links))); err != nil {
		slog.Error("Could not write which tills are connected.", "cause", err)
	}
}

// serveLine serves the command line at a till: the bus itself, with a desk for each link.
func (h *Host) serveLine(ctx context.Context, id string, conn io.ReadWriteCloser) {
	w := h.workstation(id)
	if w == nil {
		return
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(w.ctx, cancel)()
	o := h.o.Desk
	o.Folder, o.Door, o.SignedOut, o.Beside = h.o.Folder, desk.DoorTillCommand(w.name), true, h.desk
	o.OnCard = func(policy.CardEvent) {} // windows show it
	d, err := desk.Open(ctx, o)
	if err != nil {
		slog.Error("Could not open the shop for a command.", "cause", err)
		return
	}
	if err := errors.Join(d.ServeLink(ctx, conn, bus.CallerCLI), d.Close()); err != nil {
		slog.Debug("a command of a till has ended", "till", id, "cause", err)
	}
}

// workstation returns the workstation of a till, or nil if the till may not work here.
func (h *Host) workstation(id string) *workstation {
	h.mu.Lock()
	defer h.mu.Unlock()
	one, is := h.tills[id]
	if !is || one.Asks || h.ctx.Err() != nil {
		return nil
	}
	if w := h.at[id]; w != nil {
		return w
	}
	w := &workstation{name: one.Name, page: &desk.Boundary{Folder: h.o.Folder}}
	w.ctx, w.end = context.WithCancel(h.ctx)
	w.session = till.NewSession(w.page, desk.OfWindow()...)
	w.session.Erasures = w.page.Erasures
	w.page.Context, w.page.Emit = w.ctx, w.session.Emit
	options := func(o desk.Options) desk.Options {
		of := h.o.Desk
		of.Folder, of.Door, of.OnCard, of.Window, of.Person = o.Folder, desk.DoorTill(one.Name), o.OnCard, w.page, o.Person
		of.Till = w.session
		return of
	}
	w.page.Open = func() (*desk.Desk, error) {
		o := options(desk.Options{Folder: h.o.Folder, OnCard: w.page.ShowCard})
		o.SignedOut, o.Beside = true, h.desk
		return desk.Open(w.ctx, o)
	}
	w.page.OpenDraft = func(o desk.Options) (*desk.Desk, error) { return desk.Open(w.ctx, options(o)) }
	w.page.ForwardEvents(w.ctx)
	h.at[id] = w
	return w
}

// serveJoin serves a window that asks to become a till.
func (h *Host) serveJoin(ctx context.Context, id string, conn io.ReadWriteCloser) {
	ctx, cancel := context.WithTimeout(ctx, tills.CodeLasts+silence)
	defer cancel()
	err := till.ServeJoin(ctx, conn, func(ctx context.Context, in till.JoinRequest) error { return h.ask(ctx, id, in) })
	if err != nil {
		slog.Debug("a window that asked to join has gone", "cause", err)
	}
}

// ask records the request of a window, and waits until it is accepted or refused.
func (h *Host) ask(ctx context.Context, id string, in till.JoinRequest) error {
	raw, err := json.Marshal(map[string]string{"till": id, "name": in.Name, "secret": in.Secret})
	if err != nil {
		return err
	}
	r := h.desk.Bus.Invoke(ctx, bus.Invocation{Capability: tills.AskName, Arguments: raw,
		Principal: bus.Principal{ID: "host", Name: "Host", Door: "host", Scopes: []string{tills.Scope}},
		Caller:    bus.Caller{Type: bus.CallerCLI, Source: "host"}})
	if err := r.Error(); err != nil {
		return err
	}
	var out struct{ Accepted bool }
	if err := json.Unmarshal(r.Data, &out); err != nil {
		return err
	}
	if !out.Accepted {
		return bus.Errorf(bus.Forbidden, bus.ReasonPermission, "That code is not taken.").
			WithHint("A code is good once and for ten minutes. Make a new one at the host, in the settings under Desks.")
	}
	if err := h.readTills(); err != nil {
		return err
	}
	over := time.After(tills.CodeLasts)
	for {
		h.mu.Lock()
		one, is := h.tills[id]
		changed := h.changed
		h.mu.Unlock()
		switch {
		case !is:
			return bus.Errorf(bus.Forbidden, bus.ReasonDeclined, "The owner did not let this desk in.").
				WithHint("Ask the owner for a new code.")
		case !one.Asks:
			return nil
		}
		select {
		case <-changed:
		case <-over:
			return bus.Errorf(bus.PreconditionFailed, bus.ReasonState, "Nobody let this desk in within ten minutes.").
				WithHint("Make a new code at the host, in the settings under Desks, and let this desk in there.")
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}
