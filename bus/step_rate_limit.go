package bus

import (
	"context"
	"fmt"
	"math"
	"sync"
	"time"

	"golang.org/x/time/rate"
)

// rateLimit is B6: the rate, by the invocation's clock, and a look at the
// concurrency slot.
func (r *run) rateLimit(context.Context) error {
	if r.cap.rate != nil {
		if err := r.cap.rate.take(r.now); err != nil {
			return err
		}
	}
	if key := r.cap.slotKey(); key != "" && r.b.slots.busy(key, r.cap.QueueDepth) {
		return errBusy()
	}
	return nil
}

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
