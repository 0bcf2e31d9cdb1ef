package bus

import (
	"context"
	"slices"
	"sync"
)

// slotKey returns the name of the capability's concurrency group, or "" if calls may overlap.
func (c *registered) slotKey() string {
	switch c.Run.Concurrency {
	case Concurrent:
		return ""
	case Exclusive:
		return "capability:" + c.Name
	}
	return "group:" + string(c.Run.Concurrency)
}

// checkSlot checks before a question to a person whether the call could run or queue.
func (r *run) checkSlot(ctx context.Context) (err error) {
	key, depth := r.cap.slotKey(), r.cap.Run.QueueDepth
	if key == "" {
		return nil
	}
	var full bool
	if j, shared := r.b.o.Journal.(Shared); shared {
		full, err = j.SlotFull(key, depth)
	} else {
		full = r.b.slots.busy(key, depth)
	}
	if full {
		return errBusy()
	}
	return r.orJournal(ctx, err)
}

// takeSlot waits for the group's turn, at most for the time of an attempt.
func (r *run) takeSlot(ctx context.Context) (give func(), err error) {
	ctx, cancel := context.WithTimeout(ctx, r.timeout())
	defer cancel()
	key, depth := r.cap.slotKey(), r.cap.Run.QueueDepth
	j, shared := r.b.o.Journal.(Shared)
	if !shared {
		return r.b.slots.take(ctx, key, depth)
	}
	if give, err = j.Slot(ctx, key, depth); err == nil && give == nil {
		return nil, errBusy()
	}
	return give, r.orJournal(ctx, err)
}

// slots keep calls of one concurrency group apart in this program.
type slots struct {
	mu   sync.Mutex // guards held
	held map[string]*slot
}

// slot is the turn of one group, and its queue in order of arrival.
type slot struct {
	waiting []chan struct{}
	left    bool // its caller has a result; an abandoned handler is still running
}

// full reports whether a call could neither run nor queue. If only an abandoned handler is running, the first in the
// queue runs next.
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

// take waits for the group's turn. The returned function ends the turn.
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
		i := slices.Index(held.waiting, turn)
		if i >= 0 {
			held.waiting = slices.Delete(held.waiting, i, i+1)
		}
		s.mu.Unlock()
		if i < 0 {
			s.give(key) // the turn came at the same moment: pass it on
		}
		return nil, ended(ctx)
	}
}

// leave marks a slot as held by a handler whose caller already has a result.
func (s *slots) leave(key string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if held := s.held[key]; held != nil { // else the journal has the slot
		held.left = true
	}
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
