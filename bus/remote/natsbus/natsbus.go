package natsbus

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/micro"
)

// Service describes a service that a host offers.
type Service struct {
	Name        string        // letters, digits, "-" and "_": the first token of all subjects
	Version     string        // of the program, a semantic version; "": 0.0.0
	Description string        // shown in lists of services
	Silence     time.Duration // silence after which the other end ends the link; 4 ms to 1 h; 0: 2 s
	MaxLinks    int           // open links for each client; 0: 16
}

// Handler uses a link during its lifetime, for example with [remote.Serve]. client is the name in the subjects of the
// link. With permissions as in the package documentation, the server guarantees the name. ctx ends when the listener is
// closed. The link is closed when the handler returns.
//
//	[remote.Serve]: https://pkg.go.dev/github.com/deskhand/deskhand/bus/remote#Serve
type Handler func(ctx context.Context, client string, conn io.ReadWriteCloser)

// Listener is a service that opens links. Its methods may be called from any goroutine.
type Listener struct {
	nc      *nats.Conn
	s       Service
	handle  Handler
	service micro.Service
	ctx     context.Context // of the handlers
	stop    context.CancelFunc
	running sync.WaitGroup // of the handlers

	mu    sync.Mutex      // guards the other fields
	links map[string]bool // open links, by the subject to the client
	ended bool
}

// Listen registers a service, which opens links until [Listener.Close] or the end of nc. Each link gets a call of
// handle in a separate goroutine. The caller still owns nc; set its handlers for errors and its end before. The error
// describes the fault of s or nc.
func Listen(nc *nats.Conn, s Service, handle Handler) (*Listener, error) {
	s.Silence, s.MaxLinks, s.Version = cmp.Or(s.Silence, 2*time.Second), cmp.Or(s.MaxLinks, 16), cmp.Or(s.Version, "0.0.0")
	if !isToken(s.Name) || s.Silence < beats*time.Millisecond || s.Silence > longest {
		return nil, fmt.Errorf("natsbus: %q is no name of a service, or %v no silence", s.Name, s.Silence)
	}
	l := &Listener{nc: nc, s: s, handle: handle, links: map[string]bool{}}
	l.ctx, l.stop = context.WithCancel(context.Background())
	var err error
	l.service, err = micro.AddService(nc, micro.Config{Name: s.Name, Version: s.Version, Description: s.Description,
		StatsHandler: l.statistics})
	if err == nil {
		err = l.service.AddEndpoint("open", micro.HandlerFunc(l.asked), micro.WithEndpointSubject(s.Name+".*.open"))
	}
	if err == nil {
		err = nc.Flush() // a client that dials now finds it
	}
	if err != nil {
		_ = l.Close()
		return nil, fmt.Errorf("natsbus: %w", err)
	}
	return l, nil
}

// Close ends the service and its links, and waits until the handlers have returned, so a handler must not call it. It
// also waits for writes of the connection, at most for its FlusherTimeout. A second call only waits. The error is that
// of package micro.
func (l *Listener) Close() error {
	l.mu.Lock()
	again := l.ended
	l.ended = true
	l.mu.Unlock()
	var err error
	if !again && l.service != nil {
		err = l.service.Stop()
		// Waits until the server has removed the service, so that Dial gets ErrNoResponders. A lost connection has no
		// service.
		_ = l.nc.FlushTimeout(l.s.Silence)
	}
	l.stop()
	l.running.Wait()
	return err
}

// statistics returns the service's statistics besides those of package micro.
func (l *Listener) statistics(*micro.Endpoint) any {
	l.mu.Lock()
	defer l.mu.Unlock()
	return map[string]int{"links": len(l.links)}
}

// answer is the response to the request for a link. The request only contains the protocol.
type answer struct {
	Protocol int    `json:"protocol"`
	Tag      string `json:"tag"`        // 8 bytes, in hexadecimal
	Silence  int64  `json:"silence_ms"` // for both ends
}

// asked opens a link for a client. It drops a request whose answer would not go to the subject of the client's own
// link, and a request for an open link, because the answer would disturb a link.
func (l *Listener) asked(r micro.Request) {
	client := strings.Split(r.Subject(), ".")[1]
	id, own := strings.CutPrefix(r.Reply(), subject(l.s.Name, client, "down", ""))
	if !own || !isToken(id) || !isToken(client) {
		return
	}
	var asked answer
	if err := json.Unmarshal(r.Data(), &asked); err != nil || asked.Protocol != protocol {
		_ = r.Error("400", fmt.Sprintf("this program speaks version %d of the protocol and was asked for %d: "+
			"update the older", protocol, asked.Protocol), nil)
		return
	}
	switch l.enter(client, r.Reply()) {
	case again:
		return
	case busy:
		_ = r.Error("429", fmt.Sprintf("%s has %d links open", client, l.s.MaxLinks), nil)
		return
	case closing:
		_ = r.Error("503", "it ends just now", nil)
		return
	}
	c := newConn(l.nc, r.Reply())
	c.silence = l.s.Silence
	_, _ = rand.Read(c.tag[:]) // it never fails
	err := c.listen(subject(l.s.Name, client, "up", id), c.take)
	if err == nil {
		err = r.RespondJSON(answer{protocol, hex.EncodeToString(c.tag[:]), c.silence.Milliseconds()})
	}
	if err != nil {
		c.forget()
		l.leave(c.to)
		return
	}
	c.start()
	go func() {
		defer l.leave(c.to)
		defer context.AfterFunc(l.ctx, func() { _ = c.Close() })()
		l.handle(l.ctx, client, c)
		_ = c.Close()
		<-c.gone
	}()
}

// The results of enter.
const (
	entered = iota
	again   // the link is already open
	busy    // the client has too many
	closing // the listener ends
)

// enter registers an open link, if it is allowed.
func (l *Listener) enter(client, to string) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	switch {
	case l.ended:
		return closing
	case l.links[to]:
		return again
	}
	n := 0
	for other := range l.links {
		if strings.HasPrefix(other, subject(l.s.Name, client, "down", "")) {
			n++
		}
	}
	if n >= l.s.MaxLinks {
		return busy
	}
	l.links[to] = true
	l.running.Add(1)
	return entered
}

// leave undoes enter.
func (l *Listener) leave(to string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.links, to)
	l.running.Done()
}

// opening limits the time for opening a link.
const opening = 10 * time.Second

// Dial opens a link to a service under the name of a client, both of letters, digits, "-" and "_". It takes at most 10
// s, or until ctx ends; the link does not end with ctx. The caller still owns nc. The error is [nats.ErrNoResponders]
// if no host offers the service, [nats.ErrPermissionViolation] if the server does not let nc use that name,
// [ErrRefused] with the reason if the host has too many links of the client or ends, [ErrBroken] for an invalid answer,
// [ErrDisconnected], or the cause of ctx.
func Dial(ctx context.Context, nc *nats.Conn, service, client string) (io.ReadWriteCloser, error) {
	if !isToken(service) || !isToken(client) {
		return nil, fmt.Errorf("natsbus: %q or %q is no name", service, client)
	}
	id := rand.Text()
	down := subject(service, client, "down", id)
	c := newConn(nc, subject(service, client, "up", id))
	opened, begun := make(chan error, 1), false
	before := nc.LastError()
	err := c.listen(down, func(m *nats.Msg) {
		if begun {
			c.take(m)
			return
		}
		begun = true
		opened <- c.begin(m)
	})
	if err == nil {
		err = c.dial(ctx, service+"."+client+".open", down, before, opened)
	}
	if err != nil {
		if len(c.status) > 0 {
			err = ErrDisconnected
		}
		c.forget()
		return nil, fmt.Errorf("natsbus: %s: %w", service, err)
	}
	c.start()
	return c, nil
}

// dial asks for the link and waits for the answer. before is the error of the connection before the subscription.
func (c *conn) dial(ctx context.Context, ask, down string, before error, opened <-chan error) error {
	ctx, cancel := context.WithTimeout(ctx, opening)
	defer cancel()
	err := c.nc.PublishRequest(ask, down, fmt.Appendf(nil, `{"protocol":%d}`, protocol))
	if err == nil {
		err = c.nc.FlushWithContext(ctx)
	}
	if err != nil {
		return err
	}
	if err := c.nc.LastError(); err != before && errors.Is(err, nats.ErrPermissionViolation) &&
		(strings.Contains(err.Error(), ask) || strings.Contains(err.Error(), down)) {
		return err
	}
	select {
	case err := <-opened:
		return err
	case <-c.status:
		return ErrDisconnected
	case <-ctx.Done():
		return fmt.Errorf("no answer: %w", context.Cause(ctx))
	}
}

// begin handles the answer to the request for a link.
func (c *conn) begin(m *nats.Msg) error {
	if m.Header.Get("Status") == "503" {
		return nats.ErrNoResponders
	}
	if why := m.Header.Get(micro.ErrorHeader); why != "" {
		return fmt.Errorf("%w: %q", ErrRefused, why)
	}
	var a answer
	if err := json.Unmarshal(m.Data, &a); err != nil || a.Protocol != protocol {
		return fmt.Errorf("%w: the answer is not understood", ErrBroken)
	}
	tag, err := hex.DecodeString(a.Tag)
	if err != nil || len(tag) != len(c.tag) || a.Silence < beats || a.Silence > longest.Milliseconds() {
		return fmt.Errorf("%w: the answer is not understood", ErrBroken)
	}
	copy(c.tag[:], tag)
	c.silence = time.Duration(a.Silence) * time.Millisecond
	return nil
}

// subject returns SERVICE.CLIENT.DIRECTION.LINK.
func subject(service, client, direction, id string) string {
	return strings.Join([]string{service, client, direction, id}, ".")
}

// isToken reports whether s is a valid token of a subject and no wildcard.
func isToken(s string) bool { return len(s) <= 128 && token.MatchString(s) }

var token = regexp.MustCompile(`^[A-Za-z0-9_-]+$`)
