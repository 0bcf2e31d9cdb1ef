// Package filewatch tells when a file was written to: by the system where it can
// (Linux), by looking twice a second elsewhere.
package filewatch

import "time"

// pollEvery is the interval where the system reports no changes.
const pollEvery = 500 * time.Millisecond

// Watch reports writes to a file. Several writes may be reported once; those before the first receive are reported too.
type Watch struct {
	Changed chan struct{} // has room for one
	Close   func()
}

func (w *Watch) signal() {
	select {
	case w.Changed <- struct{}{}:
	default: // reported already
	}
}

// Poll reports a change at every interval.
func Poll(every time.Duration) *Watch {
	ticker, done := time.NewTicker(every), make(chan struct{})
	w := &Watch{Changed: make(chan struct{}, 1), Close: func() { ticker.Stop(); close(done) }}
	go func() {
		for {
			select {
			case <-ticker.C:
				w.signal()
			case <-done:
				return
			}
		}
	}()
	return w
}
