// Package filewatch reports writes to a file: from the system on Linux, and by polling twice a second elsewhere.
package filewatch

import "time"

// pollEvery is the interval on systems without such reports.
const pollEvery = 500 * time.Millisecond

// Watch reports writes to a file. It may combine several writes, and also reports those before the first receive.
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
