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

// conversation is one in memory. Fields without a guard belong to the running turn.
type conversation struct {
	id         string
	person     string   // whose it is
	erasures   erasures // so far, at the time it was read from the store
	messages   []model.Message
	saved      int           // how many messages are stored
	window     historyWindow // what of them the model is still told
	provenance *policy.Provenance
	mask       *mask.Mask
	callIDs    map[string]bool // used so far; an id answers one call only
	toolset    toolset
	limits     map[string]int // sizes of results in tokens, by call: a page was made to fit
	ratio      float64        // of the tokens that the endpoint counts to those that are estimated; 0: nothing was counted
	thread     thread
	passed     map[string]string // texts of others that the person let models read, and the request of the card

	// Guarded by Bridge.mu.
	turn        *turnRun        // the running one, nil between turns
	used        int             // its latest turn, counted over all conversations
	ended       bool            // and that is stored, and tells only its end
	eventsSeen  int             // the position in the event log up to which the model was told
	ownRequests map[string]bool // request ids of the latest turn: their events were in its results
}

// maxThread is how many updates a thread keeps.
const maxThread = 400

// thread is what the turns of a conversation in memory have told, for a window that is loaded anew.
type thread struct {
	mu      sync.Mutex
	updates []any
}

func (t *thread) add(u Update) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if u.Type == UpdateMessage || u.Type == UpdateTurnEnded { // its pieces are in it
		t.updates = slices.DeleteFunc(t.updates, func(told any) bool { return told.(Update).Type == UpdateDelta })
		t.updates = t.updates[max(len(t.updates)-maxThread, 0):]
	}
	t.updates = append(t.updates, u)
}

func (t *thread) told() []any {
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

// maxLog is how many events are kept for conversations that were silent.
const maxLog = 500

// eventLog keeps the latest events worth telling a model. Positions are absolute.
type eventLog struct {
	events  []bus.Event
	dropped int // events no longer kept
}

func (l *eventLog) end() int { return l.dropped + len(l.events) }

// drain takes what the bus queued without waiting for more: a cancelled context ends Next only when nothing is queued.
func (l *eventLog) drain(sub *bus.Subscription) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	for {
		e, err := sub.Next(ctx)
		if err != nil {
			break // nothing queued, or closed
		}
		if e.Type == bus.EventInvocation && (e.Status == "success" || e.Code == "") {
			continue // what it did is told by its own events
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

// since lists what happened after a position, but for the requests in own, and counts what is not kept of it. Of the
// progress of a task it has the latest only.
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

// eventLines puts events into words.
func eventLines(missed int, events []bus.Event, quotes bool) (lines []string) {
	if missed > 0 {
		lines = append(lines, fmt.Sprintf("%d earlier events are not listed: look again before relying on anything.", missed))
	}
	for _, e := range events {
		lines = append(lines, eventText(e, quotes))
	}
	return lines
}

// eventText puts an event into words. What an event quotes stays quoted: it may hold words of others. Without quotes
// nothing is quoted: an event may name people who were not looked up in this conversation, so their names could not be
// masked.
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
