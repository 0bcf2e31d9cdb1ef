package tour

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/shop/internal/core"
)

// The progress of a person is stored as preferences, one row for each started tour and each completed or skipped step:
// "tour desk" is running, "tour desk customer" is done.
const tourPreference = "tour "

// load returns the tours for a person with their progress.
func load(ctx context.Context, person bus.Principal) ([]tour, error) {
	rows, err := core.List(ctx, func(r core.Row) (kv [2]string, err error) {
		return kv, r.Scan(&kv[0], &kv[1])
	}, `SELECT name, value FROM preferences WHERE person = ? AND name >= ? AND name < ?`, person.ID, tourPreference,
		tourPreference+"~")
	kept := map[string]string{}
	for _, kv := range rows {
		kept[strings.TrimPrefix(kv[0], tourPreference)] = kv[1]
	}
	mine := slices.DeleteFunc(tours(), func(t tour) bool { return t.scope != "" && !person.Has(t.scope) })
	for i := range mine {
		t := &mine[i]
		t.State = cmp.Or(kept[t.ID], t.State)
		for j := range t.Steps {
			t.Steps[j].State = cmp.Or(kept[t.ID+" "+t.Steps[j].ID], t.Steps[j].State)
		}
	}
	return mine, err
}

// next returns the first open step of a tour, or nil if there is none.
func (t *tour) next() *step {
	if i := slices.IndexFunc(t.Steps, func(s step) bool { return s.State == stepOpen }); i >= 0 {
		return &t.Steps[i]
	}
	return nil
}

// running returns the person's current tour, or nil if there is none.
func running(mine []tour) *tour {
	if i := slices.IndexFunc(mine, func(t tour) bool { return t.State == tourRunning }); i >= 0 {
		return &mine[i]
	}
	return nil
}

// keep stores the state of a tour or a step.
func keep(ctx context.Context, call *bus.Call, name, state string) error {
	return core.SetPreference(ctx, call.Person.ID, tourPreference+name, state)
}

// Snapshot is the state of the current tour for a model.
type Snapshot struct {
	Tour string `json:"tour"`
	Step string `json:"step"`
	With string `json:"doneWith"` // the capability that completes the step
}

// Now returns the current step of a person, or nil if no tour is running.
func Now(ctx context.Context, person bus.Principal) (*Snapshot, error) {
	mine, err := load(ctx, person)
	if err != nil {
		return nil, err
	}
	t := running(mine)
	if t == nil || t.next() == nil {
		return nil, nil
	}
	return &Snapshot{t.Title, t.next().Title, t.next().Capability}, nil
}
