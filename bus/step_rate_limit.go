package bus

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"sync"
	"time"
)

// rateLimit is step B6 of docs/specification.md. It takes a token at the time of the invocation, and checks the
// concurrency slot. An invocation with a pinned clock, such as a replay, takes no token.
func (r *run) rateLimit(ctx context.Context) error {
	if r.cap.rate != nil && r.inv.PinnedClock.IsZero() {
		if err := r.takeToken(ctx); err != nil {
			return err
		}
	}
	return r.checkSlot(ctx)
}

// takeToken takes a token from the bucket of this program, which also counts calls that are not recorded yet. If the
// journal has buckets, the commit of the record takes a second token there.
func (r *run) takeToken(ctx context.Context) error {
	var stored Bucket
	t := &token{r.cap.rate.limit, r.now}
	j, shared := r.b.o.Journal.(Shared)
	if shared {
		var err error
		if stored, err = j.Bucket(ctx, r.cap.Name); err != nil {
			return r.orJournal(ctx, err)
		}
	}
	if err := r.cap.rate.take(t, stored); err != nil {
		return err
	}
	if shared {
		r.entry.Token = t.take
	}
	return nil
}

// checkToken checks the journal's bucket in the transaction of the call, because another program may have emptied it
// since takeToken.
func (r *run) checkToken(ctx context.Context, x Exec) error {
	j, shared := x.(interface {
		Bucket(ctx context.Context, capability string) (Bucket, error)
	})
	if r.entry.Token == nil || !shared {
		return nil
	}
	stored, err := j.Bucket(ctx, r.cap.Name)
	if err == nil {
		_, err = r.entry.Token(stored)
	}
	return err
}

// Bucket is the state of a rate limit. Times are nanoseconds since 1970. The zero value is full.
type Bucket struct {
	FullAt int64 // time when it will be full again
	UsedAt int64 // time when a token was last taken
}

// token is the token that a call takes from its capability's bucket.
type token struct {
	limit RateLimit
	at    time.Time
}

// take returns the bucket with one token less, or a structured error. After a step back of the clock the bucket does
// not refill until the clock passes its last use.
func (t *token) take(b Bucket) (Bucket, error) {
	every := int64(t.limit.Period) / int64(t.limit.Requests)
	now := max(t.at.UnixNano(), b.UsedAt)
	full := max(b.FullAt, now) + every
	wait := time.Duration(full - now - every*int64(t.limit.Burst))
	if wait <= 0 {
		return Bucket{full, now}, nil
	}
	seconds := int(math.Ceil(wait.Seconds()))
	e := Errorf(Transient, ReasonRateLimit, "Too many requests: at most %d in %s.", t.limit.Requests,
		period(t.limit.Period)).
		WithHint("Try again in %d s.", seconds)
	e.RetryAfter, e.Limit, e.ResetAt = time.Duration(seconds)*time.Second, t.limit.Requests, time.Unix(0, now).Add(wait)
	return b, e
}

// rateBucket is a capability's bucket in this program.
type rateBucket struct {
	limit RateLimit

	mu    sync.Mutex // guards state
	state Bucket
}

func newRateBucket(l RateLimit) (*rateBucket, error) {
	if l.Requests <= 0 || l.Period <= 0 {
		return nil, fmt.Errorf("rate limit: requests and period must be positive")
	}
	l.Burst = cmp.Or(l.Burst, l.Requests)
	return &rateBucket{limit: l}, nil
}

// take takes a token from the bucket that results from the states of this program and of the journal.
func (b *rateBucket) take(t *token, stored Bucket) (err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.state, err = t.take(Bucket{max(b.state.FullAt, stored.FullAt), max(b.state.UsedAt, stored.UsedAt)})
	return err
}
