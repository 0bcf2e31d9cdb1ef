package page

import (
	"fmt"
	"net/http"
	"sync"
	"time"
)

// Stream keeps the open pages of one person connected by server-sent events, for an application over HTTP. Who may
// open it is decided before ServeHTTP is called. The zero Stream is ready to use.
type Stream struct {
	Clock func() time.Time // default: time.Now

	mu    sync.Mutex
	pages map[http.ResponseWriter]bool
}

// ServeHTTP connects a page until its request ends.
func (s *Stream) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "text/event-stream")
	s.mu.Lock()
	if s.pages == nil {
		s.pages = map[http.ResponseWriter]bool{}
	}
	s.pages[w] = true
	http.NewResponseController(w).Flush()
	s.mu.Unlock()
	<-r.Context().Done()
	s.mu.Lock()
	delete(s.pages, w)
	s.mu.Unlock()
}

// Send sends an event to the pages; give it to [Numbered]. The connection of one that takes nothing for ten seconds
// ends.
func (s *Stream) Send(stream, payload string, number int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	clock := s.Clock
	if clock == nil {
		clock = time.Now
	}
	for w := range s.pages {
		connection := http.NewResponseController(w)
		connection.SetWriteDeadline(clock().Add(10 * time.Second))
		fmt.Fprintf(w, "event: %s\ndata: %s\nid: %d\n\n", stream, payload, number)
		connection.Flush() // where it fails, the request ends
	}
}
