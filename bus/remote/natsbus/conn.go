package natsbus

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
)

// The errors with which a link ends. Errors of Read and Write wrap one of them. After Close, the other end gets
// [io.EOF].
var (
	ErrBroken       = errors.New("natsbus: a message does not belong to this link")
	ErrDisconnected = errors.New("natsbus: the connection to the NATS server was lost")
	ErrSilent       = errors.New("natsbus: the other end is silent")
	ErrSlow         = errors.New("natsbus: the other end reads nothing")
	ErrRefused      = errors.New("natsbus: the other end refuses") // with its reason
)

const (
	protocol = 1
	window   = 4 << 20   // bytes of messages that an end may send ahead of the other's reading
	header   = 1 + 8 + 8 // of a message: kind, tag, number
	piece    = 64 << 10  // maximum size of a message, small enough to arrive within the silence on a slow line

	longest = time.Hour // maximum silence of an end
	beats   = 4         // during the silence
	stuck   = 20        // beats that a Write may wait for an end that reads nothing
)

// The kinds of messages.
const (
	kindData = 'd'
	kindRoom = 'r'
	kindEnd  = 'e'
)

// conn is one end of a link. A goroutine of the NATS client calls take, one goroutine sends, one watches.
type conn struct {
	nc      *nats.Conn
	to      string             // the subject of this end's messages
	from    *nats.Subscription // the other end's messages
	status  chan nats.Status   // receives a value when the connection to the server is lost
	tag     [8]byte            // of this link; set before take is called, like silence
	silence time.Duration
	most    int // bytes of the stream in a message; constant, because a link does not outlive its connection

	next uint64 // number of the next message; of take

	writing sync.Mutex    // held by the running Write; taken before mu
	queue   chan []byte   // messages of kind d, for the sender
	speak   chan struct{} // asks the sender for a message of kind r
	done    chan struct{} // closed when the link has ended
	gone    chan struct{} // closed when the end was sent and no messages arrive any longer

	mu     sync.Mutex   // guards the other fields
	change sync.Cond    // of mu: one of the other fields has changed
	in     bytes.Buffer // received bytes that were not read
	came   uint64       // received bytes of messages of kind d
	told   uint64       // bytes acknowledged to the other end
	sent   uint64       // sent bytes of messages of kind d
	room   uint64       // bytes that the other end has acknowledged
	heard  bool         // a message came since the last beat
	waits  bool         // a Write waits for room
	err    error        // the reason for the link's end
}

func newConn(nc *nats.Conn, to string) *conn {
	c := &conn{nc: nc, to: to, next: 1, most: min(piece, int(nc.MaxPayload())) - header,
		queue: make(chan []byte, 4), speak: make(chan struct{}, 1), done: make(chan struct{}), gone: make(chan struct{}),
		status: nc.StatusChanged(nats.DISCONNECTED, nats.RECONNECTING, nats.CLOSED)}
	c.change.L = &c.mu
	return c
}

// listen subscribes to the other end's messages.
func (c *conn) listen(subject string, take nats.MsgHandler) (err error) {
	if !c.nc.IsConnected() {
		return ErrDisconnected
	}
	if c.most <= 0 {
		return fmt.Errorf("natsbus: the server takes messages of %d bytes: that is too few", c.nc.MaxPayload())
	}
	if c.from, err = c.nc.Subscribe(subject, take); err != nil {
		return fmt.Errorf("natsbus: %w", err)
	}
	return c.from.SetPendingLimits(-1, 2*window) // a correct end stops sending before it
}

// forget undoes newConn and listen.
func (c *conn) forget() {
	c.nc.RemoveStatusListener(c.status)
	if c.from != nil {
		_ = c.from.Unsubscribe() // it fails if the connection is closed
	}
}

// start runs the link. It calls forget at its end.
func (c *conn) start() {
	beat := time.NewTicker(c.silence / beats)
	go c.send()
	go func() {
		defer beat.Stop()
		c.watch(beat.C)
	}()
}

// end ends the link, once. It does not block.
func (c *conn) end(err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.err != nil {
		return
	}
	c.err = err
	close(c.done)
	c.change.Broadcast()
}

// Close ends the link without waiting for the message to the other end.
func (c *conn) Close() error {
	c.end(io.ErrClosedPipe)
	return nil
}

// Read reads bytes from the other end, and waits for them. After the last byte it returns the reason for the link's
// end.
func (c *conn) Read(p []byte) (n int, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for c.in.Len() == 0 && c.err == nil && len(p) > 0 {
		c.change.Wait()
	}
	if c.in.Len() == 0 || c.err == io.ErrClosedPipe {
		return 0, c.err
	}
	n, _ = c.in.Read(p)
	if c.in.Len() == 0 && c.in.Cap() > window/4 {
		c.in = bytes.Buffer{} // releases the memory of a large body
	}
	c.due()
	return n, nil
}

// due requests an acknowledgement when it is worth a message. c.mu is held.
func (c *conn) due() {
	if c.taken()-c.told >= window/4 {
		c.ask()
	}
}

// taken returns the number of received bytes that use no memory any longer. c.mu is held.
func (c *conn) taken() uint64 { return c.came - uint64(c.in.Len()) }

// ask asks the sender for a message of kind r.
func (c *conn) ask() {
	select {
	case c.speak <- struct{}{}:
	default: // it was already asked
	}
}

// Write writes to the other end, in as many messages as the server requires. It waits while the other end has too much
// to read.
func (c *conn) Write(p []byte) (n int, err error) {
	c.writing.Lock()
	defer c.writing.Unlock()
	for len(p) > 0 {
		part := p[:min(len(p), c.most)]
		m := make([]byte, header, header+len(part))
		m[0] = kindData
		m = append(m, part...)
		if err := c.reserve(uint64(len(m))); err != nil {
			return n, err
		}
		select {
		case c.queue <- m:
		case <-c.done:
			return n, c.reserve(0)
		}
		n, p = n+len(part), p[len(part):]
	}
	return n, nil
}

// reserve waits until n bytes may be sent.
func (c *conn) reserve(n uint64) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	for c.err == nil && c.sent+n-c.room > window {
		c.waits = true
		c.change.Wait()
	}
	c.waits = false
	if c.err == io.EOF {
		return io.ErrClosedPipe
	}
	c.sent += n
	return c.err
}

// send sends messages and acknowledgements until the link ends, and then a message about the end.
func (c *conn) send() {
	defer close(c.gone)
	defer c.forget()
	var number uint64
	say := func(m []byte) {
		number++
		copy(m[1:], c.tag[:])
		binary.BigEndian.PutUint64(m[9:], number)
		if err := c.nc.Publish(c.to, m); err != nil {
			c.end(fmt.Errorf("%w: %w", ErrDisconnected, err))
		}
	}
	for {
		select {
		case m := <-c.queue:
			say(m)
		case <-c.speak:
			c.mu.Lock()
			c.told = c.taken()
			m := make([]byte, header, header+8)
			m[0], m = kindRoom, binary.BigEndian.AppendUint64(m, c.told)
			c.mu.Unlock()
			say(m)
		case <-c.done:
			c.mu.Lock()
			err := c.err
			c.mu.Unlock()
			for err == io.ErrClosedPipe && len(c.queue) > 0 { // it was written before the link was closed
				say(<-c.queue)
			}
			m := append(make([]byte, header), err.Error()...)
			if m[0] = kindEnd; err == io.ErrClosedPipe {
				m = m[:header]
			}
			if err != io.EOF && !errors.Is(err, ErrRefused) { // the other end already has the reason
				say(m)
			}
			return
		}
	}
}

// watch ends the link when the connection is lost, the other end is silent, or it makes a Write wait for too long. It
// counts beats instead of time: after a suspension of this end, the other end is not considered dead, although it may
// have ended the link by then.
func (c *conn) watch(beat <-chan time.Time) {
	var silent, waited int
	var room uint64
	for {
		select {
		case <-c.done:
			return
		case <-c.status:
			c.end(ErrDisconnected)
		case <-beat:
			c.mu.Lock()
			silent, waited = silent+1, waited+1
			if c.heard {
				silent = 0
			}
			if !c.waits || c.room != room {
				waited = 0
			}
			c.heard, room = false, c.room
			c.mu.Unlock()
			c.ask()
			switch {
			case silent >= beats-1: // and a part of a beat before them
				c.end(fmt.Errorf("%w for %v", ErrSilent, c.silence))
			case waited >= stuck:
				c.end(ErrSlow)
			}
		}
	}
}

// take handles a message of the other end.
func (c *conn) take(m *nats.Msg) {
	select {
	case <-c.done:
		return
	default:
	}
	if err := c.accept(m.Data); err != nil {
		c.end(err)
	}
}

// accept handles a message, or returns the reason for ending the link.
func (c *conn) accept(m []byte) error {
	if len(m) < header || !bytes.Equal(m[1:9], c.tag[:]) {
		return fmt.Errorf("%w: it has not its tag", ErrBroken)
	}
	switch number := binary.BigEndian.Uint64(m[9:]); {
	case number > c.next:
		return fmt.Errorf("%w: message %d came instead of %d: some were lost", ErrBroken, number, c.next)
	case number < c.next:
		return fmt.Errorf("%w: message %d came again", ErrBroken, number)
	}
	c.next++
	c.mu.Lock()
	defer c.mu.Unlock()
	defer c.change.Broadcast()
	c.heard = true
	switch body := m[header:]; m[0] {
	case kindData:
		if c.came+uint64(len(m))-c.told > window {
			return fmt.Errorf("%w: more came than there is room for", ErrBroken)
		}
		c.came += uint64(len(m))
		c.in.Write(body)
		c.due()
		return nil
	case kindRoom:
		if len(body) == 8 {
			if n := binary.BigEndian.Uint64(body); n >= c.room && n <= c.sent {
				c.room = n
				return nil
			}
		}
		return fmt.Errorf("%w: it took what was not sent", ErrBroken)
	case kindEnd:
		if len(body) == 0 {
			return io.EOF
		}
		return fmt.Errorf("%w: %q", ErrRefused, body[:min(len(body), 500)])
	}
	return fmt.Errorf("%w: there is no kind %q", ErrBroken, m[0])
}
