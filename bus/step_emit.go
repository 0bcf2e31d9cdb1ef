package bus

import "time"

// emit is B11: after the commit it publishes the result event, then the handler's own.
func (r *run) emit() Result {
	res := r.entry.Result
	if r.entry.SideEffect != Pure {
		r.b.changes.Add(1) // before any event, so that a query by a subscriber gets a current answer
	}
	r.b.publish(r.entry, res.Events, false) // a replay and a dry run have none
	return res
}

// publish announces an invocation and its changes. elsewhere means that another program made it.
func (b *Bus) publish(e *Entry, events []Event, elsewhere bool) {
	res, person := &e.Result, e.Invocation.Principal.ID
	caller := e.Invocation.Caller
	caller.TriggeringMessage, caller.Reasoning = "", ""
	all := make([]Event, 0, 1+len(events))
	all = append(all, Event{Type: EventInvocation, RequestID: e.Invocation.RequestID, Time: res.Time,
		Capability: e.Invocation.Capability, Caller: &caller, Status: res.Status, Replayed: res.Replayed,
		DryRun: res.DryRun})
	if res.Err != nil {
		all[0].Code = res.Err.Code
	}
	all = append(all, events...)
	for i := range all {
		all[i].Elsewhere = elsewhere
	}
	b.events.publish(person, all)
}

// followAgain is the pause before it follows other programs again after a failure.
const followAgain = time.Second

// follow publishes the events of other programs on the journal, until the bus or the journal is closed. After a failure
// it starts again, and subscribers get an EventMissed.
func (b *Bus) follow() {
	j, shared := b.o.Journal.(Shared)
	if !shared {
		return
	}
	for {
		err := j.Elsewhere(b.events.done, b.publishOther)
		if err == nil || b.events.done.Err() != nil {
			return
		}
		b.o.Logger.Error("bus: cannot follow other programs", "error", err)
		b.events.publish("", []Event{{Type: EventMissed}})
		select {
		case <-time.After(followAgain):
		case <-b.events.done.Done():
			return
		}
		b.events.publish("", []Event{{Type: EventMissed}}) // events of the pause
	}
}

// publishOther publishes the events of another program, except those for its own windows and terminals: notifications,
// progress and capabilities of the execution context client.
func (b *Bus) publishOther(e *Entry) {
	c := b.find(e.Invocation.Capability)
	if c == nil || c.Run.ExecutionContext == contextClient {
		return
	}
	var events []Event
	for _, event := range e.Result.Events {
		if event.Type == EventStateChange {
			events = append(events, event)
		}
	}
	if e.SideEffect != Pure {
		b.changes.Add(1)
	}
	b.publish(e, events, true)
}
