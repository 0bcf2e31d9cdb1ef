package drafts

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"time"

	"github.com/deskhand/deskhand/bus"
)

type oneInput struct {
	ID string `json:"draftId" jsonschema:"minLength=1,maxLength=100"`
}

type openOutput struct {
	ID string `json:"draftId"`
}

// listed is a draft in a list.
type listed struct {
	Mark
	EndsAt int64 `json:"endsAt" x:"time=true"`
}

type listOutput struct {
	Drafts []listed `json:"drafts"`
	Here   *Mark    `json:"here,omitempty"` // set if this desk works on the draft
}

// change is a change on a draft, made by one request.
type change struct {
	RequestID  string `json:"requestId"`
	Time       int64  `json:"time" x:"time=true"`
	Capability string `json:"capability"`
	Summary    string `json:"summary" jsonschema_extras:"x-tainted=true"`
	Rows       int    `json:"rows"`
	Model      string `json:"model,omitempty"` // of the assistant that made it
}

// waiting is a call with an outside effect that waits for the merge.
type waiting struct {
	Capability string          `json:"capability"`
	Arguments  json.RawMessage `json:"arguments" jsonschema_extras:"x-tainted=true"`
}

type getOutput struct {
	Mark
	Changes []change  `json:"changes"`
	Outside []waiting `json:"outside"`
	Turns   int       `json:"turns"`
	Models  []string  `json:"models"`
}

// MergeCapability is the plan that repeats the changes of a draft in the shop.
const MergeCapability = "draft.merge"

// Capabilities returns draft.open, draft.list, draft.get, draft.merge and draft.discard. draft.enter and draft.leave
// switch the window between the shop and a draft.
func (d *Drafts) Capabilities() []bus.Capability {
	base := bus.Capability{Texts: texts, SideEffect: bus.UIOnly, Permissions: []string{"plan:write"},
		Resources: []string{"database:write", "filesystem:write"},
		Listing:   bus.Listing{Category: "draft"},
		Checks: bus.Checks{Access: bus.Access{Agent: bus.RuleDeny}, Preconditions: []bus.Precondition{
			{Name: "on_the_shop", Message: "This is a draft itself.", Hint: "Go back to the shop first.",
				Check: func(context.Context, *bus.Call) error {
					if d.o.Here != nil {
						return bus.ErrUnmet
					}
					return nil
				}}}}}
	open, list, get, merge, discard, enter, leave := base, base, base, base, base, base, base
	open.Name, open.Resources = "draft.open", []string{"database:read", "filesystem:write"}
	open.Checks.Access.Agent = bus.RuleConfirm
	open.Run.Preview = func(_ context.Context, call *bus.Call) (json.RawMessage, error) {
		call.Summarize("Open a copy of the shop to try things on")
		return json.Marshal(openOutput{call.NewID("draft")})
	}
	for _, c := range []*bus.Capability{&list, &get} {
		c.Type, c.SideEffect, c.Permissions = bus.TypeData, bus.Pure, []string{"plan:read"}
		c.Resources, c.Run.Idempotent = []string{"database:read", "filesystem:read"}, true
		c.Checks.Access.Agent = bus.RuleAllow
	}
	list.Name, list.Checks.Preconditions = "draft.list", nil
	get.Name = "draft.get"
	merge.Name, merge.SideEffect, merge.Reversible = MergeCapability, bus.Destructive, true
	merge.Resources = []string{"database:write", "filesystem:read"}
	merge.Facts, merge.Checks.Access.User = []string{"steps", "left", "turns", "models"}, bus.RuleConfirm
	discard.Name, discard.SideEffect = "draft.discard", bus.Destructive
	discard.Facts = []string{"changes", "turns", "models"}
	discard.Checks.Access.Agent = bus.RuleConfirm
	for _, c := range []*bus.Capability{&enter, &leave} {
		c.Permissions, c.Resources = []string{"plan:read"}, []string{"database:read", "filesystem:read"}
	}
	enter.Name, leave.Name, leave.Checks.Preconditions = "draft.enter", "draft.leave", nil
	return []bus.Capability{
		bus.Define(open, d.open), bus.Define(list, d.list), bus.Define(get, d.get),
		bus.Merge(merge, d.merge), bus.Define(discard, d.discard),
		bus.Define(enter, func(ctx context.Context, call *bus.Call, in oneInput) (struct{}, error) {
			call.Summarize("Show a draft in the window")
			if _, err := d.find(ctx, call.Person, in.ID); err != nil {
				return struct{}{}, err
			}
			return struct{}{}, d.show(ctx, in.ID, call.Person.ID)
		}),
		bus.Define(leave, func(ctx context.Context, call *bus.Call, _ struct{}) (struct{}, error) {
			call.Summarize("Show the shop in the window")
			return struct{}{}, d.show(ctx, "", call.Person.ID)
		}),
	}
}

// show makes the window show a draft, or the shop.
func (d *Drafts) show(ctx context.Context, id, person string) error {
	if d.o.Window == nil {
		return bus.Errorf(bus.PreconditionFailed, bus.ReasonUnavailable, "There is no window here.").
			WithHint("On the command line --data names the folder of the draft: %s", d.FolderOf("DRAFT"))
	}
	return d.o.Window.Enter(ctx, id, person)
}

// atMost limits the drafts that are open at a time.
const atMost = 5

func (d *Drafts) open(ctx context.Context, call *bus.Call, _ struct{}) (openOutput, error) {
	m := Mark{call.NewID("draft"), call.Person.ID, call.Now.UnixMilli()}
	// The row comes first, because an erasure during the copy ends the draft by its row.
	err := d.o.Log.UpdateBridge(ctx, func(ctx context.Context) error {
		known, err := d.rows(ctx, "")
		if err != nil {
			return err
		}
		if n := len(slices.DeleteFunc(known, func(r row) bool { return r.endedAt != 0 })); n >= atMost {
			return bus.Errorf(bus.PreconditionFailed, bus.ReasonState, "There are %d drafts already.", n).
				WithHint("Merge or discard one first.")
		}
		return d.o.Log.Exec(ctx, `INSERT INTO agent_drafts (id, opened_by, opened_at) VALUES (?, ?, ?)`, m.ID, m.OpenedBy,
			m.OpenedAt)
	})
	if err != nil {
		return openOutput{}, err
	}
	if err := d.fork(ctx, m); err != nil {
		return openOutput{}, errors.Join(err, d.o.Log.UpdateBridge(ctx, func(ctx context.Context) error {
			return d.end(ctx, call, m.ID)
		}))
	}
	call.Summarize("Opened a copy of the shop to try things on")
	call.Announce(Domain, bus.Textf("A draft was opened."), m.ID)
	return openOutput{m.ID}, nil
}

func (d *Drafts) list(ctx context.Context, _ *bus.Call, _ struct{}) (listOutput, error) {
	out := listOutput{Drafts: []listed{}, Here: d.o.Here}
	known, err := d.rows(ctx, "")
	for _, r := range known {
		if r.endedAt == 0 {
			out.Drafts = append(out.Drafts, listed{r.Mark, r.OpenedAt + Lasts.Milliseconds()})
		}
	}
	return out, err
}

func (d *Drafts) get(ctx context.Context, call *bus.Call, in oneInput) (getOutput, error) {
	r, err := d.find(ctx, call.Person, in.ID)
	if err != nil {
		return getOutput{}, err
	}
	h, err := d.read(ctx, in.ID)
	out := getOutput{Mark: r.Mark, Changes: []change{}, Outside: []waiting{}, Turns: len(h.turns), Models: h.models()}
	for _, r := range h.done {
		c := change{RequestID: r.RequestID, Time: r.Time, Capability: r.Capability, Summary: r.Summary, Rows: len(r.Effects)}
		if r.Model != nil {
			c.Model = r.Model.Name
		}
		out.Changes = append(out.Changes, c)
	}
	for _, r := range slices.Backward(h.outside) {
		out.Outside = append(out.Outside, waiting{r.Capability, r.Arguments})
	}
	return out, err
}

// models returns the models that answered on the draft.
func (h *history) models() []string {
	names := []string{}
	for _, t := range h.turns {
		if t.Model != nil {
			names = append(names, t.Model.Name)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// note adds the person and the models of the draft to the record in the shop.
func (h *history) note(call *bus.Call) {
	call.Fact("turns", len(h.turns))
	call.Fact("models", h.models())
}

func (d *Drafts) merge(ctx context.Context, call *bus.Call, in oneInput) ([]bus.Record, error) {
	if _, err := d.find(ctx, call.Person, in.ID); err != nil {
		return nil, err
	}
	h, err := d.read(ctx, in.ID)
	if err != nil {
		return nil, err
	}
	h.note(call)
	call.Announce(Domain, bus.Textf("A draft was merged."), in.ID)
	return h.done, d.end(ctx, call, in.ID)
}

func (d *Drafts) discard(ctx context.Context, call *bus.Call, in oneInput) (struct{}, error) {
	if _, err := d.find(ctx, call.Person, in.ID); err != nil {
		return struct{}{}, err
	}
	h, err := d.read(ctx, in.ID)
	if err == nil {
		h.note(call)
		call.Fact("changes", len(h.done))
		call.Summarize("Discarded a draft with %d changes", len(h.done))
	} else { // an unreadable draft is discarded too
		call.Summarize("Discarded a draft that could not be read")
	}
	call.Announce(Domain, bus.Textf("A draft was discarded."), in.ID)
	return struct{}{}, d.end(ctx, call, in.ID)
}

// Overdue returns the expired drafts.
func (d *Drafts) Overdue(ctx context.Context, now time.Time) (ids []string, err error) {
	known, err := d.rows(ctx, "")
	for _, r := range known {
		if r.endedAt == 0 && r.OpenedAt+Lasts.Milliseconds() < now.UnixMilli() {
			ids = append(ids, r.ID)
		}
	}
	return ids, err
}
