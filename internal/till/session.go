package till

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"slices"
	"sync"
	"time"

	"github.com/google/uuid"

	"github.com/deskhand/deskhand/agent/page"
	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/bus/remote"
)

// maxWaiting limits the events that wait for a till whose link is interrupted.
const maxWaiting = 4096

// showPause is the delay of other programs' events after events were sent.
const showPause = 10 * time.Millisecond

// Session is a till at its host. It outlives its links, of which there is one at a time.
type Session struct {
	// Erasures returns the number of people whose data was erased; nil means that no data is ever erased.
	Erasures func(context.Context) (int64, error)

	page page.Methods
	own  *bus.Bus // the capabilities that the till runs itself
	id   string
	more chan struct{} // holds an element when there may be events to send
	soon chan struct{} // holds an element when there may be events that must not be delayed

	mu      sync.Mutex // guards the other fields
	link    *remote.Link
	opened  bool   // the link's till has sent till.open
	window  string // that makes the calls
	calls   map[uint64]*pageCall
	ran     map[string]bool // requests that the till ran itself, while they are recorded
	waiting []*waiting      // unconfirmed events
	last    uint64          // number of the last event
	erased  int64           // number of erased people when a link was last opened
}

// pageCall is a call of the page that is running, or whose answer is unconfirmed.
type pageCall struct {
	done   chan struct{}
	answer json.RawMessage // when done
}

// NewSession returns a session. Its page handles the calls of the till and gets [Session.Emit] for its events. own
// holds the capabilities that the till runs itself: see [Session.Run].
func NewSession(methods page.Methods, own ...bus.Capability) *Session {
	return &Session{page: methods, own: busOf(own, atHost{}), id: uuid.NewString(), more: make(chan struct{}, 1),
		soon: make(chan struct{}, 1), calls: map[uint64]*pageCall{}, ran: map[string]bool{}}
}

// ownWait limits the time that a call waits for the till's window, because it may hold a transaction.
const ownWait = 2 * time.Second

// Run makes the till run a call of a capability of its window, unless the till already ran it.
func (s *Session) Run(ctx context.Context, call *bus.Call) error {
	s.mu.Lock()
	link, ran := s.link, s.ran[call.RequestID]
	if !s.opened {
		link = nil
	}
	s.mu.Unlock()
	switch {
	case ran:
		return nil
	case link == nil:
		return errNotThere
	}
	ctx, cancel := context.WithTimeout(ctx, ownWait)
	defer cancel()
	return atTill(link.Invoke(ctx, bus.Invocation{Capability: call.Capability.Name, Arguments: call.Arguments,
		RequestID: call.RequestID, TraceID: call.TraceID}, nil))
}

// Emit sends an event to the till's page, in order, now or when its link is back. It merges events of other programs
// with similar waiting ones, so that a slow till, or many tills that sell at once, need little memory.
func (s *Session) Emit(stream string, payload any) {
	e, is := payload.(bus.Event)
	elsewhere := is && e.Elsewhere
	if !elsewhere { // its values may change afterwards
		raw, err := json.Marshal(payload)
		if err != nil {
			slog.Error("Could not marshal an event.", "name", stream, "cause", err)
			return
		}
		payload = json.RawMessage(raw)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if elsewhere && s.joins(&e) {
		return
	}
	if len(s.waiting) >= maxWaiting {
		s.waiting = nil
		stream, payload = "bus", renewed
	}
	s.add(stream, payload, elsewhere)
}

// add queues an event. The caller holds mu.
func (s *Session) add(stream string, payload any, elsewhere bool) {
	s.last++
	s.waiting = append(s.waiting, &waiting{number: s.last, stream: stream, payload: payload})
	s.wake()
	if !elsewhere {
		signal(s.soon)
	}
}

// joins merges an event with a similar waiting one, if there is one. The caller holds mu.
func (s *Session) joins(e *bus.Event) bool {
	for _, w := range slices.Backward(s.waiting) {
		if w.sent {
			return false
		}
		if before, is := w.payload.(bus.Event); is && before.Elsewhere && sameEvent(&before, e) {
			w.payload = mergeEvents(&before, e)
			return true
		}
	}
	return false
}

// renewed is the event that makes a page reload.
var renewed = bus.Event{Type: bus.EventStateChange, Domain: "desk"}

// waiting is an event that the till has not confirmed.
type waiting struct {
	number  uint64
	stream  string
	payload any
	sent    bool
}

// sameEvent reports whether two events have the same effect for a page: the same part of it is outdated.
func sameEvent(a, b *bus.Event) bool {
	return a.Type == b.Type && a.Domain == b.Domain && a.Capability == b.Capability && a.Status == b.Status &&
		a.DryRun == b.DryRun && (a.Caller == nil) == (b.Caller == nil) && (a.Caller == nil || a.Caller.Type == b.Caller.Type)
}

// maxMergedIDs limits the ids of a merged event.
const maxMergedIDs = 100

// mergeEvents returns the later of two similar events, with the ids of both.
func mergeEvents(before, e *bus.Event) bus.Event {
	both := *e
	both.IDs = slices.Clone(before.IDs)
	for _, id := range e.IDs {
		if len(both.IDs) < maxMergedIDs && !slices.Contains(both.IDs, id) {
			both.IDs = append(both.IDs, id)
		}
	}
	return both
}

func (s *Session) wake() { signal(s.more) }

func signal(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default: // it has one
	}
}

// Serve serves the till over a connection, until the connection or ctx ends. It ends an earlier link of the till. Calls
// in progress continue, and are answered over the new link.
func (s *Session) Serve(ctx context.Context, conn io.ReadWriteCloser) error {
	var link *remote.Link
	ready := make(chan struct{})
	link, err := remote.Open(ctx, conn, remote.Options{
		Answer: func(ctx context.Context, invocation []byte, _ func(*bus.Invocation)) bus.Result {
			<-ready
			data, err := s.answer(ctx, link, invocation)
			if err != nil {
				return failed(err)
			}
			return bus.Result{Status: bus.StatusSuccess, Data: data}
		}})
	if err == nil {
		s.mu.Lock()
		if s.link != nil {
			_ = s.link.Close() // the till no longer uses it
		}
		s.link, s.opened = link, false
		s.mu.Unlock()
	}
	close(ready)
	if err != nil {
		return err
	}
	defer context.AfterFunc(ctx, func() { _ = link.Close() })()
	s.send(ctx, link)
	<-link.Done()
	return link.Err()
}

// answer handles a call of the till.
func (s *Session) answer(ctx context.Context, link *remote.Link, invocation []byte) (json.RawMessage, error) {
	var in struct {
		Capability string
		Arguments  json.RawMessage
	}
	err := json.Unmarshal(invocation, &in)
	switch {
	case err != nil:
	case in.Capability == callOpen:
		var open openRequest
		if err = json.Unmarshal(in.Arguments, &open); err == nil {
			if err := fits(link.Manifest(), s.own); err != nil {
				return nil, err
			}
			s.forget(ctx)
			return json.Marshal(s.open(link, open))
		}
	case in.Capability == callPage:
		var call pageRequest
		if err = json.Unmarshal(in.Arguments, &call); err == nil {
			return s.call(ctx, link, call)
		}
	default:
		err = fmt.Errorf("there is no call %q", in.Capability)
	}
	return nil, bus.Errorf(bus.Validation, bus.ReasonEnvelope, "What the till sent is not understood.").
		WithHint("Update the older of the two programs.").WithCause(err)
}

// forget drops the waiting events if a person was erased since a link was last opened, because they may concern that
// person. The page reloads.
func (s *Session) forget(ctx context.Context) {
	if s.Erasures == nil {
		return
	}
	now, err := s.Erasures(ctx)
	if err != nil {
		slog.Error("Could not count the erasures.", "cause", err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if (err != nil || now != s.erased) && len(s.waiting) > 0 {
		s.waiting = nil
		s.add("bus", renewed, false)
	}
	s.erased = now
}

// open starts or continues the session.
func (s *Session) open(link *remote.Link, in openRequest) openAnswer {
	s.mu.Lock()
	defer s.mu.Unlock()
	if in.Window != s.window { // the till's program was restarted, and numbers its calls from 1
		s.window, s.calls = in.Window, map[uint64]*pageCall{}
	}
	if in.Session == s.id {
		s.confirm(in.Heard)
	}
	if s.link == link {
		s.opened = true
		s.wake()
	}
	return openAnswer{s.id}
}

// confirm drops the events up to a number. The caller holds mu.
func (s *Session) confirm(number uint64) {
	for len(s.waiting) > 0 && s.waiting[0].number <= number {
		s.waiting = s.waiting[1:]
	}
}

// call runs a call of the page, or waits for the answer of the same one.
func (s *Session) call(ctx context.Context, link *remote.Link, in pageRequest) (json.RawMessage, error) {
	method := methodOf(s.page, in.Method)
	if method == nil {
		return nil, bus.Errorf(bus.NotFound, bus.ReasonCapability, "A page has no method %q.", in.Method)
	}
	s.mu.Lock()
	if s.link != link || !s.opened {
		s.mu.Unlock()
		return nil, bus.Errorf(bus.Transient, bus.ReasonNetwork, "This link of the till has ended.")
	}
	for number := range s.calls {
		if number <= in.Answered {
			delete(s.calls, number)
		}
	}
	c := s.calls[in.Number]
	if c == nil {
		c = &pageCall{done: make(chan struct{})}
		s.calls[in.Number] = c
		go func() { // not bound to the link: its answer may be requested over the next one
			defer close(c.done)
			if in.Ran {
				defer s.runs(in.Request)()
			}
			c.answer = json.RawMessage(method(string(in.Request)))
		}()
	}
	s.mu.Unlock()
	select {
	case <-c.done:
		return c.answer, nil
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

// runs records that the till ran a call itself, until the returned function is called.
func (s *Session) runs(request json.RawMessage) (recorded func()) {
	var in struct {
		ID string `json:"request_id"`
	}
	if json.Unmarshal(request, &in) != nil || in.ID == "" {
		return func() {}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.ran[in.ID] = true
	return func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		delete(s.ran, in.ID)
	}
}

// send sends events until the link ends.
func (s *Session) send(ctx context.Context, link *remote.Link) {
	for {
		select {
		case <-s.more:
		case <-link.Done():
			return
		}
		s.mu.Lock()
		if s.link != link { // the next one sends them
			s.wake()
			s.mu.Unlock()
			return
		}
		in := showRequest{Session: s.id}
		if s.opened {
			in.Events = s.take()
		}
		s.mu.Unlock()
		if len(in.Events) == 0 {
			continue
		}
		raw, err := json.Marshal(in)
		if err != nil { // each payload was marshalled before
			slog.Error("Could not marshal events.", "cause", err)
			return
		}
		if r := link.Invoke(ctx, bus.Invocation{Capability: callShow, Arguments: raw}, nil); !r.OK() {
			continue
		}
		s.mu.Lock()
		s.confirm(in.Events[len(in.Events)-1].Number)
		if len(s.waiting) > 0 {
			s.wake()
		}
		s.mu.Unlock()
		select { // collects further events of other programs for merging
		case <-time.After(showPause):
		case <-s.soon:
		case <-link.Done():
		}
	}
}

// take returns the next events to send. The caller holds mu.
func (s *Session) take() (events []event) {
	for _, w := range s.waiting[:min(len(s.waiting), 256)] {
		raw, err := json.Marshal(w.payload)
		if err != nil {
			slog.Error("Could not marshal an event.", "name", w.stream, "cause", err)
			raw = json.RawMessage("null")
		}
		w.sent = true
		events = append(events, event{w.number, w.stream, raw})
	}
	return events
}

// methodOf returns the method with a name of the wire form, or nil if there is none.
func methodOf(m page.Methods, name string) func(string) string {
	switch name {
	case "invoke":
		return m.Invoke
	case "cancel":
		return m.Cancel
	case "manifest":
		return m.Manifest
	case "send":
		return m.Send
	case "stop":
		return m.Stop
	case "decide":
		return m.Decide
	case "dropFile":
		return m.DropFile
	}
	return nil
}

// failed returns the result of a call that failed.
func failed(err error) bus.Result {
	e, coded := errors.AsType[*bus.Error](err)
	if !coded {
		e = bus.Errorf(bus.Transient, bus.ReasonNetwork, "The link has ended.").WithCause(err)
	}
	return bus.Result{Status: bus.StatusError, Err: e}
}
