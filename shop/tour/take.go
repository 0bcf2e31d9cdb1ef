package tour

import (
	"context"
	"slices"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/shop/internal/core"
)

type toursOut struct {
	Tours   []tour `json:"tours"`
	Running string `json:"running,omitempty" jsonschema:"enum=desk,enum=setup" doc:"The tour that is being taken."`
	Step    string `json:"step,omitempty" doc:"Its first open step."`
	Offer   string `json:"offer,omitempty" jsonschema:"enum=desk,enum=setup"`
}

func get(ctx context.Context, call *bus.Call, _ struct{}) (out toursOut, err error) {
	if out.Tours, err = load(ctx, call.Person); err != nil {
		return out, err
	}
	if t := running(out.Tours); t != nil {
		out.Running = t.ID
		if step := t.next(); step != nil {
			out.Step = step.ID
		}
	}
	out.Offer, err = offered(ctx, out.Tours)
	return out, err
}

type tourIn struct {
	Tour string `json:"tour" jsonschema:"enum=desk,enum=setup"`
}

// find returns the tour if it is among the person's tours.
func (in tourIn) find(ctx context.Context, person bus.Principal) (t *tour, mine []tour, err error) {
	if mine, err = load(ctx, person); err != nil {
		return nil, nil, err
	}
	i := slices.IndexFunc(mine, func(t tour) bool { return t.ID == in.Tour })
	if i < 0 {
		return nil, nil, core.NotFound("There is no tour %q for you.", in.Tour).WithHint("tour.get lists the tours.")
	}
	return &mine[i], mine, nil
}

func start(ctx context.Context, call *bus.Call, in tourIn) (out toursOut, err error) {
	t, mine, err := in.find(ctx, call.Person)
	if err != nil {
		return out, err
	}
	if other := running(mine); other != nil && other.ID != t.ID {
		if err := keep(ctx, call, other.ID, tourLeft); err != nil {
			return out, err
		}
	}
	next := t.next()
	if next == nil { // the tour was finished: open its steps again
		next = &t.Steps[0]
		steps := tourPreference + t.ID + " "
		if err := core.Exec(ctx, `DELETE FROM preferences WHERE person = ? AND name >= ? AND name < ?`, call.Person.ID,
			steps, steps+"~"); err != nil {
			return out, err
		}
	}
	if err := keep(ctx, call, t.ID, tourRunning); err != nil {
		return out, err
	}
	call.Summarize("Take the tour: %s", bus.Phrase(t.Title))
	call.Announce("tour", bus.Textf("The tour has begun: %s.", bus.Phrase(t.Title)), t.ID, next.ID)
	return get(ctx, call, struct{}{})
}

func leave(ctx context.Context, call *bus.Call, in tourIn) (out toursOut, err error) {
	t, _, err := in.find(ctx, call.Person)
	if err != nil {
		return out, err
	}
	if err := keep(ctx, call, t.ID, tourLeft); err != nil {
		return out, err
	}
	call.Summarize("Leave the tour: %s", bus.Phrase(t.Title))
	call.Announce("tour", bus.Textf("The tour was left: %s.", bus.Phrase(t.Title)), t.ID)
	return get(ctx, call, struct{}{})
}

type tourMarkIn struct {
	tourIn
	Step string `json:"step" jsonschema:"minLength=1,maxLength=40"`
	As   string `json:"as" jsonschema:"enum=done,enum=skipped"`
}

// mark records a step. The window calls it when the capability of a step was used or the person skips the step.
func mark(ctx context.Context, call *bus.Call, in tourMarkIn) (out toursOut, err error) {
	t, _, err := in.find(ctx, call.Person)
	if err != nil {
		return out, err
	}
	at := slices.IndexFunc(t.Steps, func(s step) bool { return s.ID == in.Step })
	if at < 0 {
		return out, core.NotFound("The tour has no step %q.", in.Step).WithHint("tour.get lists the steps.")
	}
	if t.State != tourRunning {
		return out, core.Refused("Nobody is taking this tour.").WithHint("Begin it with tour.start.")
	}
	if err := keep(ctx, call, t.ID+" "+in.Step, in.As); err != nil {
		return out, err
	}
	said := bus.Textf("left out")
	if in.As == stepDone {
		said = bus.Textf("done")
	}
	call.Summarize("%s: %s", bus.Phrase(t.Steps[at].Title), said)
	t.Steps[at].State = in.As
	if next := t.next(); next != nil {
		call.Announce("tour", bus.Textf("The next step is: %s.", bus.Phrase(next.Title)), t.ID, next.ID)
		return get(ctx, call, struct{}{})
	}
	if err := keep(ctx, call, t.ID, tourFinished); err != nil {
		return out, err
	}
	call.Announce("tour", bus.Textf("The tour is finished: %s.", bus.Phrase(t.Title)), t.ID)
	call.Notify("info", "That was it: %s. Any tour can be taken again from the list of keys (F1).", bus.Phrase(t.Title))
	return get(ctx, call, struct{}{})
}
