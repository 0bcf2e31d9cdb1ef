package bus

import (
	"context"
	"io"
	"sync"
	"sync/atomic"
)

// maxBacklog limits the events that wait for a slow subscriber. When it falls further behind, it gets an EventMissed.
const maxBacklog = 8192

// feed is a chain of events. All subscribers follow it, each at its own pace. Publishing adds a link, which costs the
// same for one subscriber as for a thousand and never waits for one.
type feed struct {
	mu    sync.Mutex // guards the other fields
	subs  map[*Subscription]struct{}
	last  *link
	swept int // begin of last at the latest sweep of slow subscribers
	ended bool

	first atomic.Pointer[link] // the oldest link that a subscriber may still read

	done context.Context // ended by end
	stop context.CancelFunc
}

// link holds the events of one publication. They never change.
type link struct {
	events []Event
	person string // the person whose invocation caused them
	begin  int    // number of events before it
	next   atomic.Pointer[link]
	ready  chan struct{} // closed when there is a next link
}

func (l *link) end() int { return l.begin + len(l.events) }

func newFeed() *feed {
	l := &link{ready: make(chan struct{})}
	f := &feed{subs: map[*Subscription]struct{}{}, last: l}
	f.done, f.stop = context.WithCancel(context.Background())
	f.first.Store(l)
	return f
}

func (f *feed) subscribe(hears func(person string, e Event) bool) *Subscription {
	f.mu.Lock()
	defer f.mu.Unlock()
	s := &Subscription{feed: f, at: f.last, read: len(f.last.events), closing: make(chan struct{}), hears: hears}
	f.subs[s] = struct{}{}
	if f.ended {
		f.drop(s)
	}
	return s
}

// publish appends events that a person's invocation caused.
func (f *feed) publish(person string, events []Event) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if len(f.subs) == 0 {
		return
	}
	l := &link{events: events, person: person, begin: f.last.end(), ready: make(chan struct{})}
	f.last.next.Store(l)
	close(f.last.ready)
	f.last = l
	first := f.first.Load()
	for l.end()-first.end() >= maxBacklog {
		first = first.next.Load()
	}
	f.first.Store(first)
	if l.begin-f.swept < maxBacklog {
		return
	}
	f.swept = l.begin
	for s := range f.subs { // a subscriber that never reads must not keep old events in memory
		s.mu.Lock()
		s.catchUp()
		s.mu.Unlock()
	}
}

// Subscription delivers the events in order. Only one goroutine may call Next.
type Subscription struct {
	feed    *feed
	closing chan struct{}                     // closed by Close
	hears   func(person string, e Event) bool // nil: everything

	mu     sync.Mutex // guards the other fields
	at     *link
	read   int // number of events of at that were read
	missed int
	closed bool
	until  int // with closed: the end of its events
}

// catchUp moves a subscriber that fell behind to the oldest event. The caller holds mu.
func (s *Subscription) catchUp() {
	if first := s.feed.first.Load(); s.at.begin+s.read < first.begin {
		s.missed += first.begin - s.at.begin - s.read
		s.at, s.read = first, 0
	}
}

// Next waits for the next event. A subscriber that fell more than 8192 events behind first gets one EventMissed with
// the number of dropped events. After the last event of a closed subscription or bus, the error is io.EOF.
func (s *Subscription) Next(ctx context.Context) (Event, error) {
	for {
		s.mu.Lock()
		s.catchUp()
		if n := s.missed; n > 0 {
			s.missed = 0
			s.mu.Unlock()
			return Event{Type: EventMissed, Missed: n}, nil
		}
		if s.closed && s.at.begin+s.read >= s.until {
			s.mu.Unlock()
			return Event{}, io.EOF
		}
		if s.read < len(s.at.events) {
			e := s.at.events[s.read]
			person := s.at.person
			s.read++
			s.mu.Unlock()
			if s.hears != nil && !s.hears(person, e) {
				continue
			}
			return e, nil
		}
		at, next := s.at, s.at.next.Load()
		if next != nil {
			s.at, s.read = next, 0
		}
		s.mu.Unlock()
		if next != nil {
			continue
		}
		select {
		case <-at.ready:
		case <-s.closing:
		case <-ctx.Done():
			return Event{}, ctx.Err()
		}
	}
}

// Close ends the subscription. Next still returns the events before it.
func (s *Subscription) Close() {
	s.feed.mu.Lock()
	defer s.feed.mu.Unlock()
	s.feed.drop(s)
}

// drop ends s after the events so far. The caller holds mu.
func (f *feed) drop(s *Subscription) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return
	}
	delete(f.subs, s)
	s.closed, s.until = true, f.last.end()
	close(s.closing)
}

// end drops all subscribers, and later ones immediately.
func (f *feed) end() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.ended = true
	f.stop()
	for s := range f.subs {
		f.drop(s)
	}
}
