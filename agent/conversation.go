package agent

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/deskhand/deskhand/agent/internal/mask"
	"github.com/deskhand/deskhand/agent/internal/text"
	"github.com/deskhand/deskhand/agent/model"
	"github.com/deskhand/deskhand/agent/policy"
	"github.com/deskhand/deskhand/bus"
)

// conversation is one conversation in memory. The running turn owns the fields without a guard.
type conversation struct {
	id         string
	person     string   // the owner's id
	erasures   erasures // count when it was read from the store
	messages   []model.Message
	saved      int           // number of stored messages
	window     historyWindow // the part that the model still gets
	provenance *policy.Provenance
	mask       *mask.Mask
	callIDs    map[string]bool // used so far; an id answers one call only
	toolset    toolset
	limits     map[string]int // sizes of results in tokens, by call: a page was cut to its size
	ratio      float64        // tokens that the endpoint counts for each estimated one; 0: not measured
	thread     thread
	passed     map[string]string // texts of other people that the person let models read, with the request id of the card

	// Guarded by Bridge.mu.
	turn        *turnRun        // the running one, nil between turns
	used        int             // number of its latest turn, counted over all conversations
	ended       bool            // the turn is stored; only its last update is left
	eventsSeen  int             // position in the event log after the last event that the model got
	ownRequests map[string]bool // request ids of the latest turn, whose results contained their events
}

// maxThread limits the updates in a thread.
const maxThread = 400

// thread keeps recent updates of a conversation so that a reloaded page can replay them.
type thread struct {
	mu      sync.Mutex
	updates []any
}

func (t *thread) add(u Update) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if u.Type == UpdateMessage || u.Type == UpdateTurnEnded { // the message contains its deltas
		t.updates = slices.DeleteFunc(t.updates, func(told any) bool { return told.(Update).Type == UpdateDelta })
		t.updates = t.updates[max(len(t.updates)-maxThread, 0):]
	}
	t.updates = append(t.updates, u)
}

func (t *thread) recent() []any {
	t.mu.Lock()
	defer t.mu.Unlock()
	return slices.Clone(t.updates)
}

// uniqueCallID keeps the model's id for a call unless it is missing or taken.
func (c *conversation) uniqueCallID(id string) string {
	if id == "" || len(id) > 64 || c.callIDs[id] {
		for n := len(c.callIDs) + 1; ; n++ {
			if id = "call_" + strconv.Itoa(n); !c.callIDs[id] {
				break
			}
		}
	}
	c.callIDs[id] = true
	return id
}

// maxLog limits the events kept for conversations without a turn.
const maxLog = 500

// eventLog keeps the latest events for models. Positions are absolute.
type eventLog struct {
	events  []bus.Event
	dropped int // events no longer kept
}

func (l *eventLog) end() int { return l.dropped + len(l.events) }

// drain takes the queued events and does not wait: with a cancelled context, Next fails only if none is queued.
func (l *eventLog) drain(sub *bus.Subscription) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	for {
		e, err := sub.Next(ctx)
		if err != nil {
			break // nothing queued, or closed
		}
		if e.Type == bus.EventInvocation && (e.Status == "success" || e.Code == "") {
			continue // its other events describe it
		}
		l.events = append(l.events, e)
	}
	if extra := len(l.events) - maxLog; extra > 0 {
		l.events = append([]bus.Event(nil), l.events[extra:]...)
		l.dropped += extra
	}
}

// clear drops all events.
func (l *eventLog) clear() { l.events, l.dropped = nil, l.end() }

// since lists the events after a position, except those of the requests in own, and counts those that the log dropped.
// For a task it keeps only the latest progress.
func (l *eventLog) since(position int, own map[string]bool) (missed int, events []bus.Event) {
	if missed = max(l.dropped-position, 0); missed > 0 {
		position = l.dropped
	}
	progress := map[string]int{}
	for _, e := range l.events[position-l.dropped:] {
		if own[e.RequestID] && e.RequestID != "" {
			continue
		}
		if e.Type == bus.EventProgress {
			if at, ok := progress[e.TaskID]; ok {
				events[at] = e
				continue
			}
			progress[e.TaskID] = len(events)
		}
		events = append(events, e)
	}
	return missed, events
}

// eventLines describes events in one line each.
func eventLines(missed int, events []bus.Event, quotes bool) (lines []string) {
	if missed > 0 {
		lines = append(lines, fmt.Sprintf("%d earlier events are not listed: look again before relying on anything.", missed))
	}
	for _, e := range events {
		lines = append(lines, eventText(e, quotes))
	}
	return lines
}

// eventText describes an event. Quoted text stays quoted, because other people may have written it. Without quotes it
// leaves such text out: an event may name people who did not occur in this conversation, so the mask would miss their
// names.
func eventText(e bus.Event, quotes bool) string {
	quote := func(said string, limit int) string {
		if !quotes {
			return ""
		}
		return ": " + strconv.Quote(text.Clean(said, limit))
	}
	switch e.Type {
	case bus.EventStateChange:
		said := e.Domain + " changed"
		if e.Summary != "" {
			said += quote(e.Summary, 300)
		}
		if n := len(e.IDs); n > 0 && n <= 10 && quotes {
			said += " (" + strings.Join(e.IDs, ", ") + ")"
		}
		return said
	case bus.EventNotification:
		if !quotes {
			return fmt.Sprintf("the application showed a message (%s)", e.Level)
		}
		return fmt.Sprintf("the application showed (%s)", e.Level) + quote(e.Message, 500)
	case bus.EventProgress:
		return fmt.Sprintf("task %s is at %d %%", e.TaskID, e.Percent) + quote(e.Message, 200)
	case bus.EventMissed:
		return fmt.Sprintf("%d events were missed: look again before relying on anything.", e.Missed)
	}
	who := "someone"
	if e.Caller != nil {
		who = string(e.Caller.Type)
	}
	return fmt.Sprintf("%s by %s failed: %s", e.Capability, who, e.Code)
}

// isStop reports whether the person stopped the turn.
func isStop(ctx context.Context) bool { return errors.Is(context.Cause(ctx), errStopped) }
