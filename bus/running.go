package bus

import (
	"context"
	"sync"
)

// tracker holds the running invocations by request id, and reports when there are none.
type tracker struct {
	mu      sync.Mutex // guards the other fields
	running map[string]runningCall
	closed  bool
	inside  sync.WaitGroup
}

// runningCall is an invocation that its person can cancel.
type runningCall struct {
	person string
	cancel context.CancelCauseFunc
}

// add registers a request, or returns the reason why it may not run.
func (t *tracker) add(id string, call runningCall) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.closed {
		return Errorf(Transient, ReasonCancelled, "The application is closing.").
			WithHint("Start it again, then retry with the same idempotency key.")
	}
	if _, twice := t.running[id]; twice {
		return Errorf(Validation, ReasonEnvelope, "The request id %q is already running.", id).
			WithHint("Leave request_id out to get a fresh one.")
	}
	if t.running == nil {
		t.running = map[string]runningCall{}
	}
	t.running[id] = call
	t.inside.Add(1)
	return nil
}

func (t *tracker) remove(id string) {
	t.mu.Lock()
	delete(t.running, id)
	t.mu.Unlock()
	t.inside.Done()
}

// close refuses new requests, cancels the running ones and returns a channel that closes when all have their results.
func (t *tracker) close() <-chan struct{} {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.closed = true
	for _, call := range t.running {
		call.cancel(context.Canceled)
	}
	done := make(chan struct{})
	go func() {
		t.inside.Wait()
		close(done)
	}()
	return done
}

func (t *tracker) cancel(id, person string) bool {
	t.mu.Lock()
	call, ok := t.running[id]
	t.mu.Unlock()
	if !ok || call.person != person {
		return false
	}
	call.cancel(context.Canceled)
	return true
}
