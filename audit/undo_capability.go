package audit

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/deskhand/deskhand/bus"
)

// factUndoes is the fact in which an undo names the request that it reversed.
const factUndoes = "undoes"

type undoInput struct {
	RequestID string `json:"requestId" jsonschema:"minLength=1" jsonschema_description:"Id of the request to take back."`
}

type undoOutput struct {
	Capability string `json:"capability" jsonschema_description:"What was taken back."`
	Rows       int    `json:"rows" jsonschema_description:"How many rows are as they were before."`
}

// UndoCapability returns audit.undo. It reverses the changes of one request, in a new request that can be undone too.
// The present definition of the request's capability determines whether it is reversible, and its permissions, which an
// undo needs too.
//
// A row that was changed later is a CONFLICT, reason changed. PRECONDITION_FAILED is the result for a request that is
// not reversible, failed, changed nothing or made a network call, or whose rows were not kept or erased. The fact
// "undoes" links the record to the request, and so does its parent if the caller named none.
func UndoCapability(l *Log) bus.Capability {
	u := undoer{l}
	return bus.Define(bus.Capability{
		Name: "audit.undo", Texts: texts, Changes: []string{"*"}, SideEffect: bus.UIOnly,
		Permissions: []string{"audit:write"},
		Resources:   []string{"database:write"}, Reversible: true, Facts: []string{factUndoes},
		Listing: bus.Listing{Category: "audit", Group: "audit"},
		Checks: bus.Checks{
			Access: bus.Access{Agent: bus.RuleConfirm},
			Limit:  u.allowed,
			Preconditions: []bus.Precondition{{Name: "undoable", Message: "This request cannot be undone.",
				Check: u.undoable}},
		},
	}, u.run)
}

type undoer struct {
	l *Log
}

// target returns the record that the call names.
func (u undoer) target(ctx context.Context, call *bus.Call) (*Record, error) {
	var in undoInput
	if err := call.Decode(&in); err != nil {
		return nil, err
	}
	found, err := mainStream.scanRecords(Tx(ctx).QueryContext(ctx,
		mainStream.selectRecords()+"WHERE r.request_id = ? ORDER BY r.seq DESC LIMIT ?", in.RequestID, defaultLimit))
	if err != nil {
		return nil, err
	}
	for i := range found {
		if len(found[i].Effects) > 0 && !found[i].DryRun {
			return &found[i], nil
		}
	}
	if len(found) == 0 {
		return nil, bus.Errorf(bus.NotFound, bus.ReasonRecord, "There is no request %s that changed anything in the log.",
			in.RequestID).
			WithHint("audit.search finds requests.")
	}
	return &found[0], nil
}

// allowed checks the caller's right to the undone capability itself.
func (u undoer) allowed(ctx context.Context, call *bus.Call) error {
	r, err := u.target(ctx, call)
	if err != nil {
		return err
	}
	for _, c := range u.did(call, r) {
		if c == nil {
			continue
		}
		if call.Person.Model != nil && c.Checks.Access.Agent == bus.RuleDeny {
			return bus.Errorf(bus.Forbidden, bus.ReasonAgentForbidden, "%s is not for the assistant, and neither is undoing it.",
				c.Title).
				WithHint("A person can do it by hand.")
		}
		for _, p := range c.Permissions {
			if strings.Contains(p, ":") && !call.Person.Has(p) {
				return bus.Errorf(bus.Forbidden, bus.ReasonPermission, "Undoing %s needs the permission %s.", c.Title, p).
					WithHint("Ask someone whose role has it.")
			}
		}
	}
	return nil
}

// did returns the capabilities of a record: the steps of a plan, which are undone together, or its own. A capability
// that no longer exists is nil.
func (u undoer) did(call *bus.Call, r *Record) (all []*bus.Capability) {
	names := r.Steps
	if len(names) == 0 {
		names = []string{r.Capability}
	}
	for _, name := range names {
		c, _ := call.Lookup(name)
		all = append(all, c)
	}
	return all
}

// notUndoable refuses a request that changed something.
func notUndoable(why string) error { return notUndone(why).WithHint("Change it by hand.") }

// notChanged refuses a request without a change.
func notChanged(why string) error { return notUndone(why).WithHint("There is nothing to take back.") }

func notUndone(why string) *bus.Error {
	return bus.Errorf(bus.PreconditionFailed, bus.ReasonState, "This request cannot be undone. %s", why)
}

// undoable returns the reason why the request cannot be undone, nil if it can.
func (u undoer) undoable(ctx context.Context, call *bus.Call) error {
	r, err := u.target(ctx, call)
	if err != nil {
		return err
	}
	if u.l.o.Undoable != nil && r.Status == bus.StatusSuccess && !r.Erased && !r.DryRun {
		if err := u.l.o.Undoable(ctx, r.Effects); err != nil {
			return err
		}
	}
	irreversible := func(c *bus.Capability) bool { return c == nil || !c.Reversible && c.SideEffect != bus.Pure }
	switch {
	case r.Erased:
		return notUndoable("Its details were erased.")
	case r.DryRun:
		return notChanged("It was only tried out.")
	case r.Status != "success":
		return notChanged("It failed and changed nothing.")
	case r.Replayed:
		return notUndoable("It gave the answer of an earlier request: undo that one.")
	case bus.SideEffect(r.SideEffect) == bus.Network:
		return notUndoable("It reached outside, from where nothing can be taken back.")
	case slices.ContainsFunc(u.did(call, r), irreversible):
		return notUndoable("What it did is not reversible.")
	case len(r.Effects) == 0:
		return notChanged("It changed nothing.")
	}
	_, err = u.l.invert(r.Effects)
	return err
}

// run undoes the request and announces the same domains as the request did.
func (u undoer) run(ctx context.Context, call *bus.Call, _ undoInput) (undoOutput, error) {
	r, err := u.target(ctx, call)
	if err != nil {
		return undoOutput{}, err
	}
	call.Fact(factUndoes, r.RequestID)
	title := r.Capability
	if c, ok := call.Lookup(r.Capability); ok {
		title = c.Title
	}
	call.Summarize("Undo: %s", title)
	if r.Summary != "" {
		call.Summarize("Undo: %s", r.Summary)
	}
	err = u.l.undo(ctx, r.Effects)
	if errors.Is(err, errChangedSince) {
		back, failed := takenBack(ctx, r.Seq, call.Now)
		if failed == nil && back[r.RequestID] {
			err = errUndone
		}
	}
	if err != nil {
		return undoOutput{}, err
	}
	for _, e := range r.Events {
		if e.Type == bus.EventStateChange {
			call.Announce(e.Domain, bus.Textf("Undone: %s", e.Summary), e.IDs...)
		}
	}
	Tx(ctx).setParent(r.RequestID)
	return undoOutput{Capability: r.Capability, Rows: len(r.Effects)}, nil
}
