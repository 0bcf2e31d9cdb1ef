package policy

import (
	"context"
	"encoding/json"
	"slices"
	"time"

	"github.com/deskhand/deskhand/agent/internal/stored"
	"github.com/deskhand/deskhand/bus"
)

// routineAt is the schedule of a routine, in the people's time zone.
type routineAt struct {
	Time string `json:"time" jsonschema:"pattern=^([01][0-9]|2[0-3]):[0-5][0-9]$"`
	Days []int  `json:"days,omitempty" jsonschema:"minimum=1,maximum=7,maxItems=7"`
}

// scheduleTimeout is the time for which the card of a scheduled run stays open.
const scheduleTimeout = 12 * time.Hour

// scheduleModel is the grantee of grants for the scheduled runs of a person's routines.
var scheduleModel = bus.ModelID{Endpoint: "schedule", Name: "routine"}

// last returns the latest scheduled moment up to now.
func (a routineAt) last(now time.Time) time.Time {
	clock, _ := time.Parse("15:04", a.Time) // the schema checked the form
	for back := 0; ; back++ {
		day := now.AddDate(0, 0, -back)
		at := time.Date(day.Year(), day.Month(), day.Day(), clock.Hour(), clock.Minute(), 0, 0, now.Location())
		if !at.After(now) && (len(a.Days) == 0 || slices.Contains(a.Days, (int(at.Weekday())+6)%7+1)) {
			return at
		}
	}
}

// Due returns an invocation for each routine whose time has come, without the rights of its person. All programs on the
// log together get each run once, also if its time passed while none was running. The caller invokes each one and then
// calls [Policy.Ran].
func (p *Policy) Due(ctx context.Context, now time.Time) (due []bus.Invocation, err error) {
	if p.shared == nil {
		return nil, nil
	}
	zone, all := time.UTC, []routine{}
	err = p.shared.View(ctx, func(ctx context.Context) (err error) {
		if p.o.Wording.Zone != nil {
			if zone, err = p.o.Wording.Zone(ctx); err != nil {
				return err
			}
		}
		all, err = stored.Rows(ctx, p.shared, scanRoutine, routineColumns+`WHERE at <> '' ORDER BY created_at, id`)
		return err
	})
	for _, r := range all {
		planned := r.At.last(now.In(zone)).UnixMilli()
		if err != nil || planned < r.CreatedAt {
			continue
		}
		var mine bool
		err = p.shared.UpdateBridge(ctx, func(ctx context.Context) (err error) {
			mine, err = p.claim(ctx, r.ID, planned)
			return err
		})
		if args, _ := json.Marshal(routineInput{r.ID}); mine { // an id always marshals
			due = append(due, bus.Invocation{Capability: nameRoutineRun, Arguments: args,
				Principal: bus.Principal{ID: r.Person}, Caller: bus.Caller{Type: bus.CallerSchedule, Source: r.ID}})
		}
	}
	return due, err
}

// claim reports whether this program should run the routine: no running program has begun this run, and none has done
// it.
func (p *Policy) claim(ctx context.Context, routine string, planned int64) (mine bool, err error) {
	own, err := p.shared.Program()
	if err != nil {
		return false, err
	}
	type run struct {
		planned, done int64
		owner         string
	}
	last, err := stored.One(ctx, p.shared, func(scan stored.Scan) (r run, err error) {
		return r, scan(&r.planned, &r.done, &r.owner)
	}, `SELECT planned, done, owner FROM agent_routine_runs WHERE routine = $1`, routine)
	if err != nil || last != nil && last.planned >= planned && (last.done == 1 || last.owner == own) {
		return false, err
	}
	if last != nil && last.done == 0 {
		if ended, err := p.shared.ProgramEnded(last.owner); err != nil || !ended {
			return false, err
		}
	}
	return true, p.shared.Exec(ctx, `INSERT INTO agent_routine_runs (routine, planned, owner) VALUES ($1, $2, $3)
		ON CONFLICT (routine) DO UPDATE SET planned = excluded.planned, owner = excluded.owner, done = 0`,
		routine, planned, own)
}

// Ran records the end of a run of [Policy.Due]. A run that ended with a transient error is repeated by the next
// program.
func (p *Policy) Ran(ctx context.Context, run bus.Invocation, result bus.Result) error {
	if result.Err != nil && result.Err.Code == bus.Transient {
		return nil
	}
	return p.shared.UpdateBridge(ctx, func(ctx context.Context) error {
		return p.shared.Exec(ctx, `UPDATE agent_routine_runs SET done = 1 WHERE routine = $1`, run.Caller.Source)
	})
}

// asCalled returns the request that a grant for a scheduled routine must cover: the call of the routine instead of its
// plan.
func (p *Policy) asCalled(req *bus.ApprovalRequest) *bus.ApprovalRequest {
	b, inv := p.bus.Load(), req.Invocation
	if inv.Caller.Type != bus.CallerSchedule || b == nil {
		return req
	}
	c, known := b.Lookup(inv.As.Capability)
	if !known {
		return req
	}
	of := *req
	of.Capability = c
	of.Invocation.Capability, of.Invocation.Arguments = inv.As.Capability, inv.As.Arguments
	of.Invocation.Principal.Model = &scheduleModel
	return &of
}
