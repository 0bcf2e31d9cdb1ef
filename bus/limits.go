package bus

import (
	"context"
	"fmt"
	"math"
	"sync"
	"time"

	"golang.org/x/time/rate"
)

// bucket is a capability's token bucket.
type bucket struct {
	limit RateLimit

	mu   sync.Mutex // guards the rest
	r    *rate.Limiter
	last time.Time // a clock that steps back must not refuse falsely
}

func newBucket(l RateLimit) (*bucket, error) {
	if l.Requests <= 0 || l.Period <= 0 {
		return nil, fmt.Errorf("rate limit: requests and period must be positive")
	}
	if l.Burst == 0 {
		l.Burst = l.Requests
	}
	every := rate.Every(l.Period / time.Duration(l.Requests))
	return &bucket{limit: l, r: rate.NewLimiter(every, l.Burst)}, nil
}

// take spends one token or answers with the structured refusal.
func (b *bucket) take(now time.Time) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if now.Before(b.last) {
		now = b.last
	}
	b.last = now
	if b.r.AllowN(now, 1) {
		return nil
	}
	missing := 1 - b.r.TokensAt(now)
	wait := time.Duration(missing / float64(b.r.Limit()) * float64(time.Second))
	seconds := int(math.Ceil(wait.Seconds()))
	e := Errorf(Transient, ReasonRateLimit, "Too many requests: at most %d in %s.", b.limit.Requests, b.limit.Period).
		WithHint("Try again in %d s.", seconds)
	e.RetryAfterSeconds, e.Limit, e.ResetAt = seconds, b.limit.Requests, now.Add(wait).UnixMilli()
	return e
}

// slots keep calls of one concurrency group apart.
type slots struct {
	mu   sync.Mutex // guards held
	held map[string]*slot
}

// slot is one group's turn, and who waits for it, first come first served.
type slot struct {
	waiting []chan struct{}
	left    bool // its caller is answered; a handler that did not look is still inside
}

// full reports whether a call could neither run nor queue. Where only a handler
// that was given up is inside, the first who waits is the one that runs next.
func (s *slot) full(queue int) bool {
	if s.left {
		queue++
	}
	return len(s.waiting) >= queue
}

// busy reports whether a call could neither run nor queue now.
func (s *slots) busy(key string, queue int) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	held := s.held[key]
	return held != nil && held.full(queue)
}

// take waits for the group's turn. The returned function gives it back.
func (s *slots) take(ctx context.Context, key string, queue int) (func(), error) {
	s.mu.Lock()
	held := s.held[key]
	if held == nil {
		if s.held == nil {
			s.held = map[string]*slot{}
		}
		s.held[key] = &slot{}
		s.mu.Unlock()
		return func() { s.give(key) }, nil
	}
	if held.full(queue) {
		s.mu.Unlock()
		return nil, errBusy()
	}
	turn := make(chan struct{})
	held.waiting = append(held.waiting, turn)
	s.mu.Unlock()
	select {
	case <-turn:
		return func() { s.give(key) }, nil
	case <-ctx.Done():
		s.mu.Lock()
		for i, w := range held.waiting {
			if w == turn {
				held.waiting = append(held.waiting[:i], held.waiting[i+1:]...)
				s.mu.Unlock()
				return nil, ended(ctx)
			}
		}
		s.mu.Unlock()
		s.give(key) // the turn came at the same moment: pass it on
		return nil, ended(ctx)
	}
}

// leave notes that a slot is held for a handler whose caller is answered.
func (s *slots) leave(key string) {
	s.mu.Lock()
	s.held[key].left = true
	s.mu.Unlock()
}

func (s *slots) give(key string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	held := s.held[key]
	if len(held.waiting) == 0 {
		delete(s.held, key)
		return
	}
	held.left = false
	next := held.waiting[0]
	held.waiting = held.waiting[1:]
	close(next)
}

func errBusy() error {
	return Errorf(Conflict, ReasonBusy, "Another call is in progress that this one must not overlap.").
		WithHint("Wait for it to finish, then try again.")
}

// flights let duplicates of a running key wait for the first.
type flights struct {
	mu   sync.Mutex // guards open
	open map[Key]chan struct{}
}

// enter makes the caller the one that runs, or returns a channel that closes
// when the one that runs is done. Arguments and Window are not part of the key.
func (f *flights) enter(k Key) (leave func(), wait <-chan struct{}) {
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

// tracker finds running invocations by request id, and knows when there are none.
type tracker struct {
	mu      sync.Mutex // guards the rest
	running map[string]context.CancelCauseFunc
	closed  bool
	empty   chan struct{} // closed when the last one ended after close; made by close
}

// add registers a request; an error says why it may not run.
func (t *tracker) add(id string, cancel context.CancelCauseFunc) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.closed {
		return Errorf(Transient, ReasonCancelled, "The application is closing.").WithHint("Start it again, then retry with the same idempotency key.")
	}
	if _, twice := t.running[id]; twice {
		return Errorf(Validation, ReasonEnvelope, "The request id %q is already running.", id).
			WithHint("Leave request_id out to get a fresh one.")
	}
	if t.running == nil {
		t.running = map[string]context.CancelCauseFunc{}
	}
	t.running[id] = cancel
	return nil
}

func (t *tracker) remove(id string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	delete(t.running, id)
	if t.empty != nil && len(t.running) == 0 {
		close(t.empty)
		t.empty = nil
	}
}

// close refuses new requests, cancels the running ones and returns a channel
// that closes when all of them have answered.
func (t *tracker) close() <-chan struct{} {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.closed = true
	done := make(chan struct{})
	if len(t.running) == 0 {
		close(done)
		return done
	}
	t.empty = done
	for _, cancel := range t.running {
		cancel(context.Canceled)
	}
	return done
}

func (t *tracker) cancel(id string) bool {
	t.mu.Lock()
	cancel, ok := t.running[id]
	t.mu.Unlock()
	if ok {
		cancel(context.Canceled)
	}
	return ok
}

// ended turns the end of a context into TRANSIENT: timeout or cancelled.
func ended(ctx context.Context) *Error {
	if ctx.Err() == context.DeadlineExceeded {
		return Errorf(Transient, ReasonTimeout, "It took too long and was stopped; nothing was changed.").
			WithHint("Try again with the same idempotency key.")
	}
	return Errorf(Transient, ReasonCancelled, "It was cancelled; nothing was changed.")
}
