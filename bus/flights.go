package bus

import "sync"

// flights let duplicates of a running key wait for the first.
type flights struct {
	mu   sync.Mutex // guards open
	open map[Key]chan struct{}
}

// enter makes the caller the one that runs, or returns a channel that closes when
// the running one is done. Arguments and Window are not part of the key.
func (f *flights) enter(k Key) (land func(), wait <-chan struct{}) {
	k.Arguments, k.Window = "", 0
	f.mu.Lock()
	defer f.mu.Unlock()
	if running, ok := f.open[k]; ok {
		return nil, running
	}
	if f.open == nil {
		f.open = map[Key]chan struct{}{}
	}
	done := make(chan struct{})
	f.open[k] = done
	return func() {
		f.mu.Lock()
		delete(f.open, k)
		f.mu.Unlock()
		close(done)
	}, nil
}
