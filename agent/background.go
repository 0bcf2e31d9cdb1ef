package agent

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"time"

	"github.com/deskhand/deskhand/agent/internal/text"
	"github.com/deskhand/deskhand/agent/model"
	"github.com/deskhand/deskhand/bus"
)

// runsInBackground reports whether a call may outlive its turn: it is long work that needs no approval.
func (t *turnRun) runsInBackground(j *job) bool {
	c, known := t.b.o.Bus.Lookup(j.capability)
	return known && c.Run.Background && c.Checks.Access.Agent == bus.RuleAllow
}

// task is a call that may outlive its turn. Under b.mu the turn either takes the result or marks the task as late, and
// then the next turn takes it.
type task struct {
	done   chan struct{}
	result bus.Result // set before done is closed
	late   bool       // guarded by Bridge.mu: the turn stopped waiting
}

// startInBackground starts a call that may outlive its turn, and waits up to MaxInline for it. A call that ends by then
// is like any other. Otherwise the model reads that the call is running, and gets the result in a later turn. It
// returns false if the bridge is closing.
func (t *turnRun) startInBackground(ctx context.Context, reply model.Reply, j *job) bool {
	b := t.b
	k := &task{done: make(chan struct{})}
	own := *j
	own.begun = make(chan struct{})
	b.mu.Lock()
	if b.closed {
		b.mu.Unlock()
		return false
	}
	b.turns.Add(1)
	behind, cancel := context.WithCancelCause(context.WithoutCancel(ctx))
	b.tasks[k] = cancel
	b.mu.Unlock()
	go func() {
		defer b.turns.Done()
		result := t.invoke(behind, reply, &own)
		b.mu.Lock()
		defer b.mu.Unlock()
		delete(b.tasks, k)
		cancel(nil)
		k.result = result
		if k.late {
			b.ended[t.conv.id] = append(b.ended[t.conv.id], ended{capability: own.capability, title: own.entry.Title,
				result: result, erasures: t.conv.erasures})
		}
		close(k.done)
	}()
	select { // the model must not read that a call is running before the call has a record
	case <-own.begun:
	case <-k.done:
	}
	patience := time.NewTimer(b.o.MaxInline)
	defer patience.Stop()
	select {
	case <-k.done:
	case <-ctx.Done():
		cancel(context.Cause(ctx))
		<-k.done
	case <-patience.C:
		b.mu.Lock()
		select {
		case <-k.done:
		default:
			k.late, own.running, j.requestID = true, true, own.requestID
			delete(t.conv.ownRequests, own.requestID) // its later events are news for the model
		}
		b.mu.Unlock()
	}
	if j.running = k.late; !j.running {
		j.requestID, j.note, j.edited, j.result = own.requestID, own.note, own.edited, k.result
		t.emitResult(j)
	}
	return true
}

// ended is a task that outlived its turn, with its result.
type ended struct {
	capability, title string
	result            bus.Result
	erasures          erasures // when it began
}

// text formats the end of the task for the model. The result stays quoted, because it may contain other people's text.
func (e ended) text() string {
	raw, err := json.Marshal(e.result)
	if err != nil {
		raw = []byte("its result cannot be shown")
	}
	return fmt.Sprintf("task %s (%s) has ended: %s", e.result.RequestID, e.title,
		strconv.Quote(text.Clean(string(raw), maxWords)))
}

// addEndedTasks adds the tasks that ended between the turns to the news for the model.
func (t *turnRun) addEndedTasks(late []ended) {
	t.endedTasks = late
	for i, e := range late {
		if e.erasures.people != t.conv.erasures.people { // the result may be about the erased person
			late[i].result = bus.Result{Status: e.result.Status, RequestID: e.result.RequestID}
			if why := e.result.Err; why != nil {
				late[i].result.Err = bus.Errorf(why.Code, why.Reason, erasedText)
			}
			continue
		}
		t.learn(e.capability, e.result, true) // marks its personal values
	}
}

// endedText formats the end of a task. If a person must review text that other people wrote, it leaves this text out.
func (t *turnRun) endedText(e ended) string {
	if t.reviews {
		e.result = t.b.withOthers(e.capability, e.result, func(string, any) any { return keptBack })
	}
	return e.text()
}

// runningAnswer returns the tool message of a task that is still running.
func runningAnswer(j *job) string {
	raw, _ := json.Marshal(map[string]string{"status": "running", "task_id": j.requestID, // texts marshal
		"note": "It goes on by itself. Its result comes with a later turn; do not call it again."})
	return string(raw)
}
