package page

import (
	"fmt"
	"net/http"
	"sync"
	"time"
)

// Stream keeps the open pages of one person connected by server-sent events, for an application over HTTP. The caller
// of ServeHTTP checks the person's right first. The zero Stream is ready to use.
type Stream struct {
	Clock func() time.Time // default: time.Now

	mu    sync.Mutex
	pages map[*connected]bool
}

// maxQueued limits the events that wait for one page.
const maxQueued = 1024

// connected is an open page.
type connected struct {
	events chan string // closed when the page is too slow
}

// ServeHTTP connects a page until its request ends.
func (s *Stream) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "text/event-stream")
	p := &connected{events: make(chan string, maxQueued)}
	s.mu.Lock()
	if s.pages == nil {
		s.pages = map[*connected]bool{}
	}
	s.pages[p] = true
	s.mu.Unlock()
	connection := http.NewResponseController(w)
	connection.Flush() // a client that has the headers receives every later event
	defer func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		delete(s.pages, p)
	}()
	clock := s.Clock
	if clock == nil {
		clock = time.Now
	}
	for {
		select {
		case <-r.Context().Done():
			return
		case event, open := <-p.events:
			if !open {
				return
			}
			connection.SetWriteDeadline(clock().Add(10 * time.Second))
			if _, err := fmt.Fprint(w, event); err != nil {
				return
			}
			if err := connection.Flush(); err != nil {
				return
			}
		}
	}
}

// Send sends an event to the pages; pass it to [Numbered]. It does not wait for them. The connection of a page ends if
// the page reads nothing for ten seconds, or if more than 1024 events wait for it.
func (s *Stream) Send(stream, payload string, number int64) {
	event := fmt.Sprintf("event: %s\ndata: %s\nid: %d\n\n", stream, payload, number)
	s.mu.Lock()
	defer s.mu.Unlock()
	for p := range s.pages {
		select {
		case p.events <- event:
		default:
			delete(s.pages, p)
			close(p.events)
		}
	}
}
