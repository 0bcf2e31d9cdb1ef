package desk

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/deskhand/deskhand/agent"
	"github.com/deskhand/deskhand/audit"
	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/internal/drafts"
	"github.com/deskhand/deskhand/shop/staff"
)

// shopFolder returns the folder of the shop, also for a draft of it.
func (d *Desk) shopFolder() string {
	if d.Draft == nil {
		return d.Folder
	}
	return drafts.Origin(d.Folder)
}

// draftNote returns the text that tells a model about the draft, or "" in a shop.
func (d *Desk) draftNote() string {
	if d.Draft == nil {
		return ""
	}
	return "\n- You work on a draft: a copy of the shop. Nothing you do reaches the shop until a person merges " +
		"the draft, and a discarded draft leaves nothing. So do the work that the person asks for; the application " +
		"allows it here without asking. Mails and other messages are refused and offered after the merge. Say that " +
		"it was done on the copy, and that the person can look at the difference and merge or discard it."
}

// notOnDraft lists the tables that are empty in a draft: credentials, and everything that runs without a person.
var notOnDraft = []string{"staff_pins", "peers", "assistant_grants", "assistant_clients", "assistant_routines",
	"tills", "till_codes", "till_serving"}

// The capabilities of the draft itself, by the first part of their names: those of the bridge, and those of drafts.
var ofDraft = []string{"agent", "conversation", "draft", "plan"}

// shopAlone lists domains that only the shop may change, even if the change could be merged.
var shopAlone = []string{"grant", "peer", "policy", "routine", "staff", "till"}

// onlyMergeable makes a draft refuse changes that cannot be merged, and effects outside, which must wait.
func (d *Desk) onlyMergeable(all []bus.Capability) {
	for i := range all {
		c := &all[i]
		domain, _, _ := strings.Cut(c.Name, ".")
		outside := c.SideEffect == bus.Network
		writes := slices.Contains(c.Resources, "database:write") || c.Run.Background
		if d.Draft == nil || slices.Contains(ofDraft, domain) || c.Name == "audit.undo" || !outside && !writes {
			continue
		}
		if outside {
			c.Checks.Available = nil // availability is checked later, after the merge
		}
		first := bus.Precondition{Name: "not_on_a_draft", Message: "This is a draft.",
			Check: func(context.Context, *bus.Call) error {
				if outside {
					return bus.Errorf(bus.PreconditionFailed, bus.ReasonPrecondition,
						"This is a draft: nothing leaves it. It is noted, and can be done once the draft is merged.").
						WithHint("Go on without it.")
				}
				err := d.Bus.CheckStep(c.Name)
				if err == nil && !slices.Contains(shopAlone, domain) {
					return nil
				}
				return bus.Errorf(bus.PreconditionFailed, bus.ReasonPrecondition,
					"This is a draft, and %s could not be merged.", c.Title).WithHint("Do it in the shop itself.").WithCause(err)
			}}
		c.Checks.Preconditions = slices.Insert(slices.Clone(c.Checks.Preconditions), 0, first)
	}
}

// journal returns the journal of the bus. A draft also records in the shop's log.
func (d *Desk) journal() bus.Journal {
	if d.Draft == nil {
		return Journal{d.Log}
	}
	return draftJournal{Journal{d.Log}, filepath.Join(d.shopFolder(), DatabaseName)}
}

// draftJournal is the log of a draft. It also records the turns of the assistant in the shop's log, because they
// document the data that left the machine: a discarded draft takes its own log with it.
type draftJournal struct {
	Journal
	shop string // the file
}

// Record implements [bus.Journal].
func (j draftJournal) Record(ctx context.Context, e *bus.Entry) error {
	if err := j.Journal.Record(ctx, e); err != nil || e.Invocation.Capability != agent.TurnCapability {
		return err
	}
	log, err := audit.Open(ctx, j.shop, storedOptions())
	if err != nil {
		return err
	}
	turn := *e
	turn.Invocation.Caller.TriggeringMessage, turn.Invocation.Caller.Reasoning = "", ""
	return errors.Join(log.Record(ctx, &turn), log.Close())
}

// sweepDrafts removes the files of drafts that are no longer listed, now and after each change, until the desk is
// closed.
func (d *Desk) sweepDrafts() {
	if d.Draft != nil {
		return
	}
	ctx, cancel := context.WithCancel(context.Background())
	sweep := func() {
		if err := d.drafts.Sweep(context.WithoutCancel(ctx)); err != nil {
			slog.Error("Could not remove the files of a draft.", "cause", err)
		}
	}
	sub := d.Bus.Subscribe()
	var ended sync.WaitGroup
	ended.Go(func() {
		defer sub.Close()
		for {
			e, err := sub.Next(ctx)
			if err != nil {
				return
			}
			over := e.Type == bus.EventStateChange && slices.Contains([]string{drafts.Domain, "*"}, e.Domain)
			if over || e.Type == bus.EventMissed { // also after a restore of the shop
				sweep()
			}
		}
	})
	d.endSweep = sync.OnceFunc(func() { cancel(); ended.Wait(); sweep() })
}

// EndDrafts discards the expired drafts, for the owner.
func (d *Desk) EndDrafts(ctx context.Context) error {
	var owner bus.Principal
	overdue, err := read(ctx, d.Log, func(ctx context.Context) (ids []string, err error) {
		if ids, err = d.drafts.Overdue(ctx, d.clock()); err != nil || len(ids) == 0 {
			return nil, err
		}
		who, err := staff.FindPerson(ctx, "")
		if err == nil {
			owner, err = staff.Present(ctx, who.ID)
		}
		return ids, err
	})
	for _, id := range overdue {
		args, _ := json.Marshal(map[string]string{"draftId": id}) // a text
		if r := d.Bus.Invoke(ctx, bus.Invocation{Capability: "draft.discard", Arguments: args, Principal: owner,
			Caller: bus.Caller{Type: bus.CallerSchedule, Source: "daily"}}); err == nil {
			err = r.Error()
		}
	}
	return err
}

// DraftFolder returns the folder of a draft of this shop. A desk opened there works on the draft.
func (d *Desk) DraftFolder(id string) string { return d.drafts.FolderOf(id) }
