package bus

import (
	"context"
	"errors"
	"sync"
)

// maxBacklog is how many events wait for one slow subscriber before it is told
// that it missed some.
const maxBacklog = 8192

// ErrClosed is what Next returns after Close.
var ErrClosed = errors.New("bus: subscription closed")

// feed hands events to subscribers. Publishing never blocks on any of them.
type feed struct {
	mu   sync.Mutex // guards subs; held while queueing so that all see one order
	subs map[*Subscription]struct{}
}

func newFeed() *feed { return &feed{subs: map[*Subscription]struct{}{}} }

func (f *feed) subscribe() *Subscription {
	s := &Subscription{feed: f, wake: make(chan struct{}, 1)}
	f.mu.Lock()
	f.subs[s] = struct{}{}
	f.mu.Unlock()
	return s
}

// publish queues first and what belongs to it, with nothing between them.
func (f *feed) publish(first Event, rest ...Event) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for s := range f.subs {
		s.push(first, rest)
	}
}

// Subscription is one ordered view of the events. Next is for one goroutine.
type Subscription struct {
	feed *feed
	wake chan struct{} // holds one token while there may be something to read

	mu     sync.Mutex // guards the rest
	queue  []Event
	missed int
	closed bool
}

func (s *Subscription) push(first Event, rest []Event) {
	s.mu.Lock()
	s.enqueue(first)
	for _, e := range rest {
		s.enqueue(e)
	}
	s.mu.Unlock()
	select {
	case s.wake <- struct{}{}:
	default:
	}
}

func (s *Subscription) enqueue(e Event) {
	if len(s.queue) >= maxBacklog {
		s.queue = s.queue[1:]
		s.missed++
	}
	s.queue = append(s.queue, e)
}

// Next waits for the next event. A subscriber that fell too far behind first
// gets one EventMissed with the number of events that were dropped.
func (s *Subscription) Next(ctx context.Context) (Event, error) {
	for {
		s.mu.Lock()
		switch {
		case s.missed > 0:
			n := s.missed
			s.missed = 0
			s.mu.Unlock()
			return Event{Type: EventMissed, Missed: n}, nil
		case len(s.queue) > 0:
			e := s.queue[0]
			s.queue = s.queue[1:]
			s.mu.Unlock()
			return e, nil
		case s.closed:
			s.mu.Unlock()
			return Event{}, ErrClosed
		}
		s.mu.Unlock()
		select {
		case <-s.wake:
		case <-ctx.Done():
			return Event{}, ctx.Err()
		}
	}
}

// Close ends the subscription; what is queued can still be read.
func (s *Subscription) Close() {
	s.feed.mu.Lock()
	delete(s.feed.subs, s)
	s.feed.mu.Unlock()
	s.mu.Lock()
	s.closed = true
	s.mu.Unlock()
	select {
	case s.wake <- struct{}{}:
	default:
	}
}
