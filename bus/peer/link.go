package peer

import (
	"context"
	"io"
	"sync"
	"time"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/bus/remote"
)

// Dialer opens a connection to a peer.
type Dialer func(ctx context.Context) (io.ReadWriteCloser, error)

// greeting bounds how long a peer may take to start and to say hello.
const greeting = 10 * time.Second

// Peer is a peer that is reached when it is first called, and again when its link has ended. Its methods may be
// called from any goroutine.
type Peer struct {
	agent string
	dial  Dialer

	mu     sync.Mutex // guards the rest; held while a link is opened
	link   *remote.Link
	closed bool
}

// New is the peer of a file, reached by dial.
func New(f *File, dial Dialer) *Peer { return &Peer{agent: f.Agent, dial: dial} }

// Invoke is a [remote.Invoker] that reaches the peer. One that cannot be reached answers TRANSIENT, reason network:
// nothing was sent.
func (p *Peer) Invoke(ctx context.Context, inv bus.Invocation, progress func(bus.Event)) bus.Result {
	l, err := p.open(ctx)
	if err != nil {
		return bus.Result{Status: bus.StatusError, RequestID: inv.RequestID, Err: bus.Errorf(bus.Transient, bus.ReasonNetwork,
			"%s cannot be reached: nothing was sent.", p.agent).WithHint("See that it is there, then retry.").WithCause(err)}
	}
	return l.Invoke(ctx, inv, progress)
}

// Reach opens the link, unless it is open.
func (p *Peer) Reach(ctx context.Context) error {
	_, err := p.open(ctx)
	return err
}

// open returns the open link, or opens one.
func (p *Peer) open(ctx context.Context) (*remote.Link, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		return nil, io.ErrClosedPipe
	}
	if p.link != nil {
		select {
		case <-p.link.Done():
		default:
			return p.link, nil
		}
	}
	ctx, cancel := context.WithTimeout(ctx, greeting)
	defer cancel()
	conn, err := p.dial(ctx)
	if err != nil {
		return nil, err
	}
	p.link, err = remote.Open(ctx, conn, remote.Options{})
	return p.link, err
}

// Close ends the link. Calls that come later are refused.
func (p *Peer) Close() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.closed = true
	if p.link == nil {
		return nil
	}
	return p.link.Close()
}
