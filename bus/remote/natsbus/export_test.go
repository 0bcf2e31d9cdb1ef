package natsbus

import (
	"io"
	"time"

	"github.com/nats-io/nats.go"
)

// For tests outside the package.
const (
	Window = window
	Piece  = piece
	Beats  = beats
	Stuck  = stuck
)

// Beaten is an end that is open, with a tag of zeros, and whose time is told by beat.
func Beaten(nc *nats.Conn, to, from string, beat <-chan time.Time) (io.ReadWriteCloser, error) {
	c := newConn(nc, to)
	c.silence = time.Hour
	if err := c.listen(from, c.take); err != nil {
		return nil, err
	}
	go c.send()
	go c.watch(beat)
	return c, nil
}

// WaitsForRoom reports whether a Write waits for the other end to take something.
func WaitsForRoom(end io.ReadWriteCloser) bool {
	c := end.(*conn)
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.waits
}

// Links is how many are open.
func Links(l *Listener) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.links)
}

// Take gives an end a message, as the NATS client does, and returns why the link has ended.
func Take(end io.ReadWriteCloser, m []byte) error {
	c := end.(*conn)
	c.take(&nats.Msg{Data: m})
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.err
}
