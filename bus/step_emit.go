package bus

// emit is B11: the result event, then the handler's own, after the commit.
func (r *run) emit() Result {
	res := r.entry.Result
	if r.entry.SideEffect != Pure {
		r.b.changes.Add(1) // before any event: what a subscriber asks next is answered afresh
	}
	caller := r.inv.Caller
	caller.TriggeringMessage, caller.Reasoning = "", ""
	first := Event{Type: EventInvocation, RequestID: r.inv.RequestID, Time: res.Time,
		Capability: r.inv.Capability, Caller: &caller, Status: res.Status, Replayed: res.Replayed, DryRun: res.DryRun}
	if res.Err != nil {
		first.Code = res.Err.Code
	}
	r.b.events.publish(first, res.Events...) // a replay and a dry run have none
	return res
}
