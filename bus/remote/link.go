package remote

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/deskhand/deskhand/bus"
)

// Protocol is the version of the wire shape. Two ends of different versions do not talk.
const Protocol = 1

// Options are one end of a link.
type Options struct {
	Bus  *bus.Bus // what this end serves; nil: nothing
	View bus.View // for whom: every call of the other end gets its caller kind and its person

	// Answer runs a call of the other end; nil: [bus.Bus.InvokeJSON] of Bus does. It lets the door look anew at who is
	// signed in; it calls stamp once, if it can read the invocation. Without a Bus it is all that this end serves: the
	// other end is told of no capabilities and has to know them.
	Answer func(ctx context.Context, invocation []byte, stamp func(*bus.Invocation)) bus.Result

	// OnEvent hears what happens at the other end, one event at a time, in order. It may call. Nil: no events are sent.
	OnEvent func(bus.Event)

	MaxCalls int           // how many calls of the other end run at once; 0: 64
	Grace    time.Duration // how long a cancelled call waits for the other end's answer; 0: 5 s
}

// hello is what each end says first.
type hello struct {
	Protocol int           `json:"protocol"`
	Manifest *bus.Manifest `json:"manifest,omitempty"` // of what it serves
	Events   bool          `json:"events,omitempty"`   // it wants to hear them
}

// Link is an open connection to another end. All methods may be called from any goroutine.
type Link struct {
	o     Options
	conn  io.ReadWriteCloser
	in    *reader
	out   writer
	other hello

	heard  chan bus.Event // for OnEvent
	missed int            // events that it was too slow for; of read

	serving context.Context // of what runs for the other end
	gone    chan struct{}   // closed when nothing comes any more
	done    chan struct{}   // closed when nothing of this link runs any more
	inside  sync.WaitGroup
	answers chan struct{} // has one for each call of the other end whose answer is not written yet

	end context.CancelFunc

	mu     sync.Mutex                    // guards the rest
	last   uint64                        // id of the last call made
	calls  map[uint64]*call              // those that wait for a result
	left   map[uint64]bool               // those that do not any more: their results are dropped
	served map[uint64]context.CancelFunc // calls of the other end that run
	ids    map[string]uint64             // the same, by request id
	early  uint64                        // the last one that was cancelled and did not run
	err    error                         // why it ended
}

// call is one call of this end that waits for its result.
type call struct {
	inv      bus.Invocation
	result   chan bus.Result // gets one
	progress func(bus.Event)
}

// Open greets the other end and starts the link, which owns conn from now on. ctx bounds the greeting only. The error
// says what is wrong with the other end: another version, no frames of this package, silence.
func Open(ctx context.Context, conn io.ReadWriteCloser, o Options) (*Link, error) {
	o.MaxCalls, o.Grace = cmp.Or(o.MaxCalls, 64), cmp.Or(o.Grace, 5*time.Second)
	l := &Link{o: o, conn: conn, in: newReader(conn), out: writer{w: conn}, calls: map[uint64]*call{},
		left: map[uint64]bool{}, served: map[uint64]context.CancelFunc{}, ids: map[string]uint64{},
		gone: make(chan struct{}), done: make(chan struct{}), heard: make(chan bus.Event, 1024),
		answers: make(chan struct{}, 2*o.MaxCalls)}
	if o.Answer == nil && o.Bus != nil {
		l.o.Answer = o.Bus.InvokeJSON
	}
	l.serving, l.end = context.WithCancel(context.WithoutCancel(ctx))
	var events *bus.Subscription
	if o.Bus != nil {
		events = o.Bus.SubscribeAs(o.View) // before the greeting, so that later events are sent
	}
	stop := context.AfterFunc(ctx, func() { _ = conn.Close() })
	err := l.greet(ctx)
	if !stop() {
		err = fmt.Errorf("remote: the other end did not greet in time: %w", context.Cause(ctx))
	}
	if events != nil && (err != nil || !l.other.Events) {
		events.Close()
		events = nil
	}
	if err != nil {
		l.end()
		_ = conn.Close()
		return nil, err
	}
	l.inside.Go(l.read)
	if o.OnEvent != nil {
		l.inside.Go(l.tell)
	}
	if events != nil {
		l.inside.Go(func() { l.forward(events) })
	}
	go func() {
		l.inside.Wait()
		close(l.done)
	}()
	return l, nil
}

// Serve opens a link that serves b to whoever is at the other end, and waits for its end. It returns nil when the other
// end is gone, and the cause of ctx when that ended first.
func Serve(ctx context.Context, conn io.ReadWriteCloser, b *bus.Bus, v bus.View) error {
	l, err := Open(ctx, conn, Options{Bus: b, View: v})
	if err != nil {
		return err
	}
	defer context.AfterFunc(ctx, func() { _ = l.Close() })()
	<-l.Done()
	return cmp.Or(context.Cause(ctx), l.Err())
}

// greet says hello and reads the other end's. Both ends speak first: neither may wait for being read.
func (l *Link) greet(ctx context.Context) error {
	h := hello{Protocol: Protocol, Events: l.o.OnEvent != nil}
	if l.o.Bus != nil {
		m, err := l.o.Bus.Manifest(ctx, l.o.View)
		if err != nil {
			return err
		}
		h.Manifest = &m
	}
	wrote := make(chan error, 1)
	go func() { wrote <- l.out.write(frameHello, 0, h) }()
	f, err := l.in.next()
	switch {
	case err != nil:
		return fmt.Errorf("remote: no greeting came: %w", err)
	case f.Type != frameHello:
		return fmt.Errorf("%w: it began with %q", errProtocol, f.Type)
	}
	if err := json.Unmarshal(f.Body, &l.other); err != nil {
		return fmt.Errorf("%w: its greeting is not understood: %w", errProtocol, err)
	}
	if l.other.Manifest == nil {
		l.other.Manifest = &bus.Manifest{}
	}
	if l.other.Protocol != Protocol {
		return fmt.Errorf("remote: %s speaks version %d of the protocol, and this program version %d: update the older",
			cmp.Or(l.other.Manifest.Application.Name, "the other end"), l.other.Protocol, Protocol)
	}
	return <-wrote
}

// Manifest is what the other end served this one when the link was opened; empty where it serves nothing.
func (l *Link) Manifest() bus.Manifest { return *l.other.Manifest }

// Close ends the link. What runs for the other end is cancelled; Done tells when that has ended.
func (l *Link) Close() error {
	l.fail(nil)
	return nil
}

// Done is closed when the link has ended and nothing runs for the other end any more.
func (l *Link) Done() <-chan struct{} { return l.done }

// Err is why the link ended; nil while it is open, after Close, and where the other end closed it between frames.
func (l *Link) Err() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.err
}

// fail ends the link, once.
func (l *Link) fail(err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	select {
	case <-l.gone:
		return
	default:
	}
	if !errors.Is(err, io.EOF) {
		l.err = err
	}
	close(l.gone)
	l.end()
	_ = l.conn.Close()
}

// read takes what comes until the link ends.
func (l *Link) read() {
	defer close(l.heard)
	for {
		f, err := l.in.next()
		if err == nil {
			err = l.take(f)
		}
		if err != nil {
			l.fail(err)
			return
		}
	}
}

// take does what a frame asks for. It waits for the other end alone: see serve.
func (l *Link) take(f frame) error {
	switch f.Type {
	case frameInvoke:
		return l.serve(f)
	case frameCancel:
		l.mu.Lock()
		defer l.mu.Unlock()
		if cancel := l.served[f.ID]; cancel != nil {
			cancel()
		} else { // it has ended meanwhile, or comes next
			l.early = f.ID
		}
		return nil
	case frameResult:
		return l.answered(f)
	case frameProgress, frameEvent:
		return l.hear(f)
	}
	return fmt.Errorf("%w: it greets again", errProtocol)
}

// hear passes an event on.
func (l *Link) hear(f frame) error {
	var e bus.Event
	if err := json.Unmarshal(f.Body, &e); err != nil {
		return fmt.Errorf("%w: an event is not understood", errProtocol)
	}
	if f.Type == frameEvent {
		return l.keep(e)
	}
	l.mu.Lock()
	c, made := l.calls[f.ID], f.ID <= l.last
	l.mu.Unlock()
	switch {
	case !made:
		return fmt.Errorf("%w: progress of a call that was not made", errProtocol)
	case c != nil && c.progress != nil: // it may have ended meanwhile
		c.progress(e)
	}
	return nil
}

// keep hands an event to OnEvent. Where that is too slow, it is told how many it missed.
func (l *Link) keep(e bus.Event) error {
	if l.o.OnEvent == nil {
		return fmt.Errorf("%w: an event that nobody asked for", errProtocol)
	}
	if l.missed > 0 {
		select {
		case l.heard <- bus.Event{Type: bus.EventMissed, Missed: l.missed}:
			l.missed = 0
		default:
		}
	}
	select {
	case l.heard <- e:
	default:
		l.missed++
	}
	return nil
}

// tell calls OnEvent.
func (l *Link) tell() {
	for e := range l.heard {
		l.o.OnEvent(e)
	}
}
