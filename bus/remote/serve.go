package remote

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/deskhand/deskhand/bus"
)

// unread limits the wait for an end that calls and reads no results, in units of [Options].Grace. While 2 ×
// [Options].MaxCalls results wait to be written, serve waits; after that time the link ends.
const unread = 12

// serve starts a call of the other end. If too many results wait to be written, it first waits until the other end
// reads some. This limits memory.
func (l *Link) serve(f frame) error {
	if l.o.Answer == nil {
		return fmt.Errorf("%w: it calls an end that serves no calls", errProtocol)
	}
	select {
	case l.answers <- struct{}{}:
	default:
		patience := time.NewTimer(unread * l.o.Grace)
		defer patience.Stop()
		select {
		case l.answers <- struct{}{}:
		case <-l.gone:
			return nil
		case <-patience.C:
			return fmt.Errorf("%w: it calls, and reads no answers", errProtocol)
		}
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.served[f.ID] != nil {
		return fmt.Errorf("%w: it used the number of a call that still runs", errProtocol)
	}
	busy := len(l.served) >= l.o.MaxCalls
	ctx, cancel := context.WithCancel(l.serving)
	if l.early == f.ID {
		cancel() // it was cancelled before it arrived
	}
	if !busy {
		l.served[f.ID] = cancel
	}
	l.inside.Go(func() {
		defer func() { <-l.answers }()
		defer cancel()
		result := bus.Result{Status: bus.StatusError, Err: errBusy}
		if !busy {
			result = l.run(ctx, f)
		}
		err := l.out.write(frameResult, f.ID, result)
		if errors.Is(err, errTooLarge) { // the call ran and is recorded
			result.Data, result.Events, result.Status, result.Err = nil, nil, bus.StatusError, errLargeAnswer
			err = l.out.write(frameResult, f.ID, result)
		}
		if err != nil {
			l.fail(err)
		}
	})
	return nil
}

// errBusy leaves no record, because the body of the call was not read.
var errBusy = bus.Errorf(bus.Conflict, bus.ReasonBusy, "Too many calls of this link are under way.").
	WithHint("Wait until one of them has ended, then retry.")

var errLargeAnswer = bus.Errorf(bus.Internal, bus.ReasonResponse,
	"It was done, and its answer is larger than %d MB: it cannot be sent.", MaxBody>>20).
	WithHint("Ask for less of it, such as a page of a list.")

// run runs a call of the other end, with the person and the caller kind of this end.
func (l *Link) run(ctx context.Context, f frame) bus.Result {
	var own string
	defer func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		delete(l.served, f.ID)
		if l.ids[own] == f.ID {
			delete(l.ids, own)
		}
	}()
	defer l.sendProgress(f.ID)()
	return l.o.Answer(ctx, f.Body, func(inv *bus.Invocation) {
		inv.Caller.Type, inv.Principal = l.o.View.Caller, l.o.View.Principal
		if inv.RequestID == "" && l.o.Bus != nil {
			inv.RequestID = l.o.Bus.Options().NewRequestID() // its progress is found by it
		}
		own = inv.RequestID
		l.mu.Lock()
		defer l.mu.Unlock()
		if _, taken := l.ids[own]; !taken { // it is that of a running call: the bus refuses this one
			l.ids[own] = f.ID
		}
	})
}

// sendProgress sends the progress of a call of the other end, from a subscription for the call. The returned function
// ends it after sending all earlier events, so that progress precedes the result.
func (l *Link) sendProgress(id uint64) (end func()) {
	if l.o.Bus == nil {
		return func() {}
	}
	events, sent := l.o.Bus.SubscribeAs(l.o.View), make(chan struct{})
	go func() {
		defer close(sent)
		for {
			e, err := events.Next(l.serving)
			if err != nil {
				return // the call or the link ends, or the bus is closed
			}
			if e.Type != bus.EventProgress || l.callOf(&e) != id {
				continue
			}
			if err := l.out.write(frameProgress, id, e); err != nil {
				l.fail(err)
				return
			}
		}
	}()
	return func() {
		events.Close()
		<-sent
	}
}

// callOf returns the number of the other end's call that caused an event, or 0 for none.
func (l *Link) callOf(e *bus.Event) uint64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.ids[e.RequestID]
}

// forward sends the events that the other end requested, except the progress of calls by that end.
func (l *Link) forward(events *bus.Subscription) {
	defer events.Close()
	for {
		e, err := events.Next(l.serving)
		if err != nil {
			return // the link ends, or the bus is closed
		}
		if e.Type == bus.EventProgress && l.callOf(&e) != 0 {
			continue
		}
		if err := l.out.write(frameEvent, 0, e); err != nil {
			l.fail(err)
			return
		}
	}
}
