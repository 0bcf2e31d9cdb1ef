package peer

import (
	"context"
	"errors"
	"io"
	"sync"
	"time"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/bus/remote"
)

// Dialer opens a connection to a peer.
type Dialer func(ctx context.Context) (io.ReadWriteCloser, error)

// greeting limits the time that a peer may take to start and to send its hello.
const greeting = 10 * time.Second

// Peer connects to a peer at the first call, and again after its link has ended. Its methods may be called from any
// goroutine.
type Peer struct {
	// At returns an invoker for the offers that the file locates at an address, such as an Invoker of package token.
	// Set it before the first call. If it is nil, such calls are refused.
	At func(ctx context.Context, location string) (remote.Invoker, error)

	file *File
	dial Dialer

	mu      sync.Mutex // guards the other fields
	link    *remote.Link
	opening *opening // nil: no link is being opened
	closed  bool
}

// opening is a link that is being opened. All callers wait for the same one.
type opening struct {
	end  context.CancelFunc
	done chan struct{} // closed when the other fields are set
	link *remote.Link
	err  error
}

// New returns the peer of a file, which dial connects to.
func New(f *File, dial Dialer) *Peer { return &Peer{file: f, dial: dial} }

// Invoke is a [remote.Invoker] that calls the peer. If the peer is unreachable, the result is TRANSIENT, reason
// network: nothing was sent.
func (p *Peer) Invoke(ctx context.Context, inv bus.Invocation, progress func(bus.Event)) bus.Result {
	invoke, err := p.way(ctx, inv.Capability)
	if err == nil {
		return invoke(ctx, inv, progress)
	}
	e, coded := errors.AsType[*bus.Error](err)
	if !coded {
		e = bus.Errorf(bus.Transient, bus.ReasonNetwork, "%s cannot be reached: nothing was sent.", p.file.Agent).
			WithHint("See that it is there, then retry.").WithCause(err)
	}
	return bus.Result{Status: bus.StatusError, RequestID: inv.RequestID, Err: e}
}

// way returns the invoker for an offer.
func (p *Peer) way(ctx context.Context, offer string) (remote.Invoker, error) {
	for _, o := range p.file.Offers {
		switch {
		case o.Name != offer || o.Location == "":
		case p.At == nil:
			return nil, bus.Errorf(bus.PreconditionFailed, bus.ReasonState, "Nothing is called at %s from here.", o.Location).
				WithHint("Give the peer a way there: Peer.At.")
		default:
			return p.At(ctx, o.Location)
		}
	}
	l, err := p.open(ctx)
	if err != nil {
		return nil, err
	}
	return l.Invoke, nil
}

// Reach opens the link, unless it is open.
func (p *Peer) Reach(ctx context.Context) error {
	_, err := p.open(ctx)
	return err
}

// open returns the open link, or opens one. Concurrent callers wait for the same one, each until its ctx ends.
func (p *Peer) open(ctx context.Context) (*remote.Link, error) {
	p.mu.Lock()
	if p.closed {
		p.mu.Unlock()
		return nil, io.ErrClosedPipe
	}
	if p.link != nil {
		select {
		case <-p.link.Done():
		default:
			defer p.mu.Unlock()
			return p.link, nil
		}
	}
	o := p.opening
	if o == nil {
		o = &opening{done: make(chan struct{})}
		dialing, end := context.WithTimeout(context.WithoutCancel(ctx), greeting)
		o.end, p.opening = end, o
		go p.connect(dialing, o)
	}
	p.mu.Unlock()
	select {
	case <-o.done:
		return o.link, o.err
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

// connect opens a link.
func (p *Peer) connect(ctx context.Context, o *opening) {
	defer o.end()
	var link *remote.Link
	conn, err := p.dial(ctx)
	if err == nil {
		link, err = remote.Open(ctx, conn, remote.Options{})
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if err == nil && p.closed {
		err = errors.Join(io.ErrClosedPipe, link.Close())
	}
	if o.err = err; err == nil {
		o.link, p.link = link, link
	}
	p.opening = nil
	close(o.done)
}

// Close ends the link, also one that is being opened. Later calls are refused.
func (p *Peer) Close() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.closed = true
	if p.opening != nil {
		p.opening.end()
	}
	if p.link == nil {
		return nil
	}
	return p.link.Close()
}
