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

// Protocol is the version of the wire form. Ends with different versions refuse each other.
const Protocol = 1

// Options configures one end of a link.
type Options struct {
	Bus  *bus.Bus // the bus that this end serves; nil for none
	View bus.View // sets the caller kind and person of every call by the other end

	// Answer runs a call of the other end; nil means [bus.Bus.InvokeJSON] of Bus. A door can check in it who is signed
	// in. It must call stamp once, if it can read the invocation. Without a Bus, this end serves only Answer. The other
	// end then receives no manifest and must know the capabilities.
	Answer func(ctx context.Context, invocation []byte, stamp func(*bus.Invocation)) bus.Result

	// OnEvent receives the events of the other end, one at a time, in order. It may make calls. If it is nil, the other
	// end sends no events.
	OnEvent func(bus.Event)

	MaxCalls int           // limit of concurrent calls by the other end; 0: 64
	Grace    time.Duration // time that a cancelled call waits for its result; 0: 5 s
}

// hello is the first frame of each end.
type hello struct {
	Protocol int           `json:"protocol"`
	Manifest *bus.Manifest `json:"manifest,omitempty"` // of the bus that it serves
	Events   bool          `json:"events,omitempty"`   // it requests events
}

// Link is an open connection to another end. All methods may be called from any goroutine.
type Link struct {
	o     Options
	conn  io.ReadWriteCloser
	in    *reader
	out   writer
	other hello

	heard  chan bus.Event // for OnEvent
	missed int            // events dropped because OnEvent was too slow; of read

	serving context.Context // of calls by the other end
	gone    chan struct{}   // closed when no frames arrive any longer
	done    chan struct{}   // closed when all work of this link has ended
	inside  sync.WaitGroup
	answers chan struct{} // holds one element for each call of the other end whose result is not written yet

	end context.CancelFunc

	mu     sync.Mutex                    // guards the other fields
	last   uint64                        // id of the last call
	calls  map[uint64]*call              // calls that wait for a result
	left   map[uint64]bool               // abandoned calls; their results are dropped
	served map[uint64]context.CancelFunc // running calls of the other end
	ids    map[string]uint64             // the same, by request id
	early  uint64                        // the last call that was cancelled before it ran
	err    error                         // the reason for its end
}

// call is a call of this end that waits for its result.
type call struct {
	inv      bus.Invocation
	result   chan bus.Result // gets one
	progress func(bus.Event)
}

// Open sends the hello and starts the link, which then owns conn. ctx limits only the exchange of hellos. The error
// describes the fault of the other end: another version, another protocol, or silence.
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
		events = o.Bus.SubscribeAs(o.View) // before the hello, so that later events are sent
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

// Serve opens a link that serves b to the other end, and waits for its end. It returns nil when the other end has left,
// or the cause of ctx if that ended first.
func Serve(ctx context.Context, conn io.ReadWriteCloser, b *bus.Bus, v bus.View) error {
	l, err := Open(ctx, conn, Options{Bus: b, View: v})
	if err != nil {
		return err
	}
	defer context.AfterFunc(ctx, func() { _ = l.Close() })()
	<-l.Done()
	return cmp.Or(context.Cause(ctx), l.Err())
}

// greet sends its hello and reads the other end's. Both ends write first, so neither may wait to be read.
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

// Manifest returns the manifest that the other end sent when the link was opened. It is empty if it serves nothing.
func (l *Link) Manifest() bus.Manifest { return *l.other.Manifest }

// Close ends the link and cancels the calls of the other end. Done is closed when they have ended.
func (l *Link) Close() error {
	l.fail(nil)
	return nil
}

// Done is closed when the link and all calls of the other end have ended.
func (l *Link) Done() <-chan struct{} { return l.done }

// Err returns the reason for the end of the link. It is nil while the link is open, after Close, and if the other end
// closed it between frames.
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

// read handles incoming frames until the link ends.
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

// take handles a frame. It only ever waits for the other end: see serve.
func (l *Link) take(f frame) error {
	switch f.Type {
	case frameInvoke:
		return l.serve(f)
	case frameCancel:
		l.mu.Lock()
		defer l.mu.Unlock()
		if cancel := l.served[f.ID]; cancel != nil {
			cancel()
		} else { // it has ended, or comes next
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

// hear handles an event.
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
	case c != nil && c.progress != nil: // it may have ended in the meantime
		c.progress(e)
	}
	return nil
}

// keep passes an event to OnEvent. If OnEvent is too slow, it later receives the number of dropped events.
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
