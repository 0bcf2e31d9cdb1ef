package policy

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"

	"github.com/deskhand/deskhand/agent/internal/stored"
	"github.com/deskhand/deskhand/agent/internal/text"
	"github.com/deskhand/deskhand/bus"
)

// routine is a saved plan, possibly with blanks. A routine is never changed, only replaced by another one.
type routine struct {
	ID        string          `json:"id"`
	Name      string          `json:"name"`
	Person    string          `json:"person"`
	CreatedAt int64           `json:"createdAt" jsonschema_extras:"x-time=true"`
	Does      []string        `json:"does"`
	Uses      []string        `json:"uses"`
	Form      json.RawMessage `json:"form,omitempty"`
	Problem   string          `json:"problem,omitempty"`
	At        *routineAt      `json:"at,omitempty"`

	steps json.RawMessage
}

type routineStep struct {
	Each       *routineEach    `json:"$each,omitempty"`
	Capability string          `json:"capability" jsonschema:"minLength=1,maxLength=64"`
	Arguments  json.RawMessage `json:"arguments,omitempty" jsonschema:"type=object"`
}

// routineEach makes a step run for each row of a list, as in plan.propose.
type routineEach struct {
	From  string          `json:"from" jsonschema:"minLength=2,maxLength=200"`
	Where json.RawMessage `json:"where,omitempty" jsonschema:"type=object"`
}

// keptStep is a step as it is stored, with the version of its capability at that time.
type keptStep struct {
	routineStep
	MinVersion string `json:"minVersion,omitempty"`
}

type routineSaveInput struct {
	Name  string        `json:"name" jsonschema:"title=Routine,minLength=1,maxLength=60"`
	Steps []routineStep `json:"steps" jsonschema:"minItems=1,maxItems=20"`
	At    *routineAt    `json:"at,omitempty"`
	Allow *routineAllow `json:"allow,omitempty"`
}

// routineAllow bounds the scheduled runs that need no confirmation.
type routineAllow struct {
	Uses  int64 `json:"uses" jsonschema:"title=Runs,minimum=1,maximum=1000"`
	Until int64 `json:"until" jsonschema:"title=Up to,minimum=1" jsonschema_extras:"x-time=true"`
}

type routineInput struct {
	RoutineID string `json:"routineId" jsonschema:"title=Routine,minLength=1,maxLength=60" x:"entity=routine"`
}

type routineRunInput struct {
	routineInput
	Values json.RawMessage `json:"values,omitempty" jsonschema:"type=object"`
}

type routineListOutput struct {
	Routines []routine `json:"routines"`
}

const nameRoutineRun = "routine.run"

// maxRoutines limits the number of stored routines.
const maxRoutines = 200

const routineColumns = `SELECT id, name, person, steps, at, created_at FROM assistant_routines `

func scanRoutine(scan stored.Scan) (r routine, err error) {
	var steps, at string
	err = scan(&r.ID, &r.Name, &r.Person, &steps, &at, &r.CreatedAt)
	if r.steps = json.RawMessage(steps); err == nil && at != "" {
		err = json.Unmarshal([]byte(at), &r.At)
	}
	return r, err
}

// routineCapabilities returns routine.save, routine.run, routine.list and routine.remove.
func routineCapabilities(db Database, say Wording) []bus.Capability {
	base := bus.Capability{Texts: texts, SideEffect: bus.UIOnly, Permissions: []string{"routine:write"},
		Resources: []string{"database:write"}, Reversible: true, Listing: bus.Listing{Category: "routine"},
		Checks: bus.Checks{Access: bus.Access{Agent: bus.RuleDeny}}}
	save, run, list, remove := base, base, base, base
	save.Name, remove.Name, list.Name, run.Name = "routine.save", "routine.remove", "routine.list", nameRoutineRun
	list.Type, list.SideEffect, list.Reversible, list.Run.Idempotent = bus.TypeData, bus.Pure, false, true
	list.Permissions, list.Resources = []string{"routine:read"}, []string{"database:read"}
	list.Checks.Access.Agent = bus.RuleAllow
	list.Entities = []bus.Entity{{Type: "routine", Title: "Routine", List: "/routines"}}
	save.Changes, remove.Changes = []string{"routine", "grant"}, []string{"routine", "grant"}
	run.Assistant.Grantable = []string{"routineId"} // for scheduled runs: see [Policy.asCalled]
	run.SideEffect, run.Checks.Access = bus.Destructive, bus.Access{User: bus.RuleConfirm, Agent: bus.RuleConfirm}
	return []bus.Capability{
		bus.Define(save, func(ctx context.Context, call *bus.Call, in routineSaveInput) (routine, error) {
			return saveRoutine(ctx, db, call, in, say)
		}),
		bus.PlanOf(run, func(ctx context.Context, call *bus.Call, in routineRunInput) (json.RawMessage, error) {
			r, err := routineOf(ctx, db, in.RoutineID)
			if err == nil {
				call.Summarize("%s", r.Name)
				err = r.describe(call)
			}
			if err != nil {
				return nil, err
			}
			return call.Fill(r.steps, in.Values, "/values")
		}),
		bus.Define(list, func(ctx context.Context, call *bus.Call, _ struct{}) (out routineListOutput, err error) {
			out.Routines, err = stored.Rows(ctx, db, scanRoutine, routineColumns+`ORDER BY lower(name), id`)
			for i := range out.Routines {
				r := &out.Routines[i]
				if e, _ := errors.AsType[*bus.Error](r.describe(call)); e != nil {
					r.Problem = e.Message
				}
			}
			return out, err
		}),
		bus.Define(remove, func(ctx context.Context, call *bus.Call, in routineInput) (struct{}, error) {
			r, err := routineOf(ctx, db, in.RoutineID)
			if err != nil {
				return struct{}{}, err
			}
			if r.Person != call.Person.ID && !call.Person.Has("policy:write") {
				return struct{}{}, bus.Errorf(bus.Forbidden, bus.ReasonPermission, "Another person saved this routine.").
					WithHint("Ask them, or the owner, to remove it.")
			}
			call.Summarize("Remove the routine %s", r.Name)
			call.Announce("routine", bus.Textf("A routine was removed."), r.ID)
			return struct{}{}, errors.Join(endGrants(ctx, db, call, r.ID),
				db.Exec(ctx, `DELETE FROM assistant_routines WHERE id = $1`, r.ID))
		}),
	}
}

// routineOf reads a routine in the transaction of ctx.
func routineOf(ctx context.Context, db Database, id string) (*routine, error) {
	r, err := stored.One(ctx, db, scanRoutine, routineColumns+`WHERE id = $1`, id)
	if err == nil && r == nil {
		err = bus.Errorf(bus.NotFound, bus.ReasonRecord, "There is no such routine.").WithHint("routine.list shows them.")
	}
	return r, err
}

// describe fills in the titles of the steps and the form for the blanks. It returns an error if the routine can no
// longer run.
func (r *routine) describe(call *bus.Call) (err error) {
	var steps []routineStep
	if err := json.Unmarshal(r.steps, &steps); err != nil {
		return err
	}
	r.Does, r.Uses = []string{}, []string{}
	for _, s := range steps {
		title := s.Capability
		if c, known := call.Lookup(s.Capability); known {
			title = c.Title
		}
		r.Does, r.Uses = append(r.Does, title), append(r.Uses, s.Capability)
	}
	if r.Form, err = call.Form(r.steps); err == nil {
		return nil
	}
	why := err.Error()
	if e, coded := errors.AsType[*bus.Error](err); coded {
		why = e.Message
	}
	return bus.Errorf(bus.PreconditionFailed, bus.ReasonState, "The routine cannot be run any more. %s", why).
		WithHint("Save it anew, as it is done now.")
}

// ofRoutine returns the constraints of a grant for one routine.
func ofRoutine(id string) Constraints {
	value, _ := json.Marshal(id) // a text
	return Constraints{"/routineId": value}
}

// allow creates the grant that a person gives with a routine when saving it.
func (r *routine) allow(ctx context.Context, db Database, call *bus.Call, in routineSaveInput, say Wording) error {
	switch {
	case in.Allow == nil:
		return nil
	case in.At == nil:
		return bus.Errorf(bus.Validation, bus.ReasonArguments, "Only a routine with a time runs without a question.").
			WithHint("Give it a time, or no permission.")
	case !call.Person.Has(scopeGrant):
		return bus.Errorf(bus.Forbidden, bus.ReasonPermission, "It needs the permission %s to let a routine run unasked.",
			scopeGrant).WithHint("Save it without, and answer its card at each run.")
	}
	to := Grantee{call.Person.ID, scheduleModel.Endpoint, scheduleModel.Name}
	_, err := createGrant(ctx, db, call, grantCreateInput{to, nameRoutineRun, ofRoutine(r.ID),
		GrantLimits{Uses: in.Allow.Uses}, in.Allow.Until}, "", say)
	return err
}

// endGrants revokes the grants for a routine.
func endGrants(ctx context.Context, db Database, call *bus.Call, routine string) error {
	constraints, err := json.Marshal(ofRoutine(routine))
	if err != nil {
		return err
	}
	return db.Exec(ctx, `UPDATE assistant_grants SET status = 'revoked', ended_at = $1, ended_by = $2
		WHERE capability = $3 AND constraints = $4 AND status = 'active'`,
		call.Now.UnixMilli(), call.Person.ID, nameRoutineRun, string(constraints))
}

func saveRoutine(ctx context.Context, db Database, call *bus.Call, in routineSaveInput, say Wording) (r routine,
	err error) {
	r = routine{ID: call.NewID("routine"), Name: text.Clean(in.Name, 60), Person: call.Person.ID, At: in.At,
		CreatedAt: call.Now.UnixMilli()}
	if r.Name == "" {
		return r, bus.Errorf(bus.Validation, bus.ReasonArguments, "The name has no letters.").
			WithHint("Name it by what it does.")
	}
	all, err := stored.Rows(ctx, db, scanRoutine, routineColumns)
	switch {
	case err != nil:
		return r, err
	case len(all) >= maxRoutines:
		return r, bus.Errorf(bus.PreconditionFailed, bus.ReasonState, "There are %d routines already.", len(all)).
			WithHint("Remove one that is not needed.")
	case slices.ContainsFunc(all, func(other routine) bool { return strings.EqualFold(other.Name, r.Name) }):
		return r, bus.Errorf(bus.Conflict, bus.ReasonChanged, "There is a routine of that name.").
			WithHint("Take another name, or remove that one.")
	}
	kept := make([]keptStep, len(in.Steps))
	for i, s := range in.Steps {
		kept[i].routineStep = s
		if c, known := call.Lookup(s.Capability); known {
			kept[i].MinVersion = c.Version
		}
	}
	if r.steps, err = json.Marshal(kept); err != nil {
		return r, err
	}
	if _, err := call.Form(r.steps); err != nil {
		return r, err
	}
	at := []byte{}
	if in.At != nil {
		if _, err := call.Fill(r.steps, nil, ""); err != nil {
			return r, bus.Errorf(bus.Validation, bus.ReasonArguments, "What runs by itself can ask for nothing.").
				WithHint("Save it without blanks, or without a time.")
		}
		if at, err = json.Marshal(in.At); err != nil {
			return r, err
		}
	}
	if err := r.allow(ctx, db, call, in, say); err != nil {
		return r, err
	}
	call.Summarize("Save the routine %s", r.Name)
	if in.Allow != nil {
		call.Summarize("Save the routine %s and let it run %d times without a question", r.Name, in.Allow.Uses)
	}
	call.Announce("routine", bus.Textf("A routine was saved."), r.ID)
	return r, errors.Join(r.describe(call), db.Exec(ctx,
		`INSERT INTO assistant_routines (id, name, person, steps, at, created_at) VALUES ($1, $2, $3, $4, $5, $6)`,
		r.ID, r.Name, r.Person, string(r.steps), string(at), r.CreatedAt))
}
