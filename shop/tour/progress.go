package tour

import (
	"context"
	"strings"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/shop/internal/core"
)

// The progress of a person lies among their preferences, a row for each tour that was
// begun and each step that is settled: "tour desk" is running, "tour desk customer"
// is done.
const tourPreference = "tour "

// keptTours is the progress of one person's tours, without tourPreference.
type keptTours map[string]string

func loadTours(ctx context.Context, person string) (keptTours, error) {
	rows, err := core.List(ctx, func(r core.Row) (kv [2]string, err error) {
		return kv, r.Scan(&kv[0], &kv[1])
	}, `SELECT name, value FROM preferences WHERE person = ? AND name >= ? AND name < ?`, person, tourPreference,
		tourPreference+"~")
	kept := keptTours{}
	for _, kv := range rows {
		kept[strings.TrimPrefix(kv[0], tourPreference)] = kv[1]
	}
	return kept, err
}

// state is how far a tour is.
func (k keptTours) state(t tour) string {
	if s, found := k[t.id]; found {
		return s
	}
	return tourNew
}

// step is how far a step is.
func (k keptTours) step(t tour, s tourStep) string {
	if state, found := k[t.id+" "+s.id]; found {
		return state
	}
	return stepOpen
}

// next is the first open step of a tour; nil: there is none.
func (k keptTours) next(t tour) *tourStep {
	for i := range t.steps {
		if k.step(t, t.steps[i]) == stepOpen {
			return &t.steps[i]
		}
	}
	return nil
}

// running is the tour that the person is taking.
func (k keptTours) running(mine []tour) (tour, bool) {
	for _, t := range mine {
		if k.state(t) == tourRunning {
			return t, true
		}
	}
	return tour{}, false
}

// keep notes how far a tour or a step is, in the map and in the file.
func (k keptTours) keep(ctx context.Context, call *bus.Call, name, value string) error {
	k[name] = value
	return core.SetPreference(ctx, call.Person.Person, tourPreference+name, value)
}

// forget lets the steps of a tour be open again.
func (k keptTours) forget(ctx context.Context, call *bus.Call, t tour) error {
	for _, s := range t.steps {
		name := t.id + " " + s.id
		delete(k, name)
		if err := core.Exec(ctx, `DELETE FROM preferences WHERE person = ? AND name = ?`, call.Person.Person, tourPreference+
			name); err != nil {
			return err
		}
	}
	return nil
}

// Snapshot is the state of the running tour that a model gets.
type Snapshot struct {
	Tour string `json:"tour"`
	Step string `json:"step"`
	With string `json:"doneWith"` // the capability
}

// Now is the current step of a person; nil: they take no tour.
func Now(ctx context.Context, person bus.Principal) (*Snapshot, error) {
	kept, err := loadTours(ctx, person.Person)
	if err != nil {
		return nil, err
	}
	t, found := kept.running(toursOf(person))
	if !found {
		return nil, nil
	}
	step := kept.next(t)
	if step == nil {
		return nil, nil
	}
	return &Snapshot{t.title, step.title, step.capability}, nil
}
