package tour

import (
	"context"
	"slices"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/shop/internal/core"
)

type tourStepOut struct {
	ID         string `json:"id"`
	Title      string `json:"title"`
	Text       string `json:"text" doc:"How it is done."`
	Capability string `json:"capability"`
	Subject    string `json:"subject,omitempty"`
	Page       string `json:"page"`
	PageID     string `json:"pageId,omitempty"`
	State      string `json:"state" jsonschema:"enum=open,enum=done,enum=skipped"`
}

func (tourStepOut) TagFields() map[string]string {
	return map[string]string{
		"page": `jsonschema:"enum=counter,enum=orders,enum=customers,enum=catalog,enum=reports,enum=audit,` +
			`enum=settings"`,
	}
}

type tourOut struct {
	ID    string        `json:"id" jsonschema:"enum=desk,enum=setup"`
	Title string        `json:"title"`
	About string        `json:"about"`
	State string        `json:"state" jsonschema:"enum=new,enum=running,enum=left,enum=finished"`
	Steps []tourStepOut `json:"steps"`
}

type toursOut struct {
	Tours   []tourOut `json:"tours"`
	Running string    `json:"running,omitempty" jsonschema:"enum=desk,enum=setup" doc:"The tour that is being taken."`
	Step    string    `json:"step,omitempty" doc:"Its first open step."`
	Offer   string    `json:"offer,omitempty" jsonschema:"enum=desk,enum=setup"`
}

func tourGet() bus.Capability {
	return bus.Define(bus.Capability{
		Name: "tour.get", Texts: texts, Category: "tour", Type: bus.TypeState,
		SideEffect: bus.Pure, Permissions: []string{"tour:read"}, Access: core.AgentMay, Resources: core.Reads,
	}, func(ctx context.Context, call *bus.Call, _ struct{}) (toursOut, error) {
		return showTours(ctx, call.Person)
	})
}

func showTours(ctx context.Context, person bus.Principal) (toursOut, error) {
	out := toursOut{Tours: []tourOut{}}
	kept, err := loadTours(ctx, person.Person)
	if err != nil {
		return out, err
	}
	mine := toursOf(person)
	for _, t := range mine {
		next := tourOut{ID: t.id, Title: t.title, About: t.about, State: kept.state(t), Steps: []tourStepOut{}}
		for _, s := range t.steps {
			next.Steps = append(next.Steps, tourStepOut{s.id, s.title, s.text, s.capability, s.subject, s.place.Page, s.place.ID,
				kept.step(t, s)})
		}
		out.Tours = append(out.Tours, next)
	}
	if t, found := kept.running(mine); found {
		out.Running = t.id
		if step := kept.next(t); step != nil {
			out.Step = step.id
		}
	}
	out.Offer, err = offered(ctx, mine, kept)
	return out, err
}

type tourIn struct {
	Tour string `json:"tour" jsonschema:"enum=desk,enum=setup"`
}

func tourStart() bus.Capability {
	return bus.Define(bus.Capability{
		Name: "tour.start", Texts: texts, Category: "tour",
		SideEffect: bus.UIOnly, Permissions: []string{"tour:write"}, Access: core.AgentMay, Resources: core.Writes,
		Reversible: true, Idempotent: true,
	}, startTour)
}

func startTour(ctx context.Context, call *bus.Call, in tourIn) (toursOut, error) {
	t, err := tourFor(call.Person, in.Tour)
	if err != nil {
		return toursOut{}, err
	}
	kept, err := loadTours(ctx, call.Person.Person)
	if err != nil {
		return toursOut{}, err
	}
	if other, found := kept.running(toursOf(call.Person)); found && other.id != t.id {
		if err := kept.keep(ctx, call, other.id, tourLeft); err != nil {
			return toursOut{}, err
		}
	}
	if kept.next(t) == nil {
		if err := kept.forget(ctx, call, t); err != nil {
			return toursOut{}, err
		}
	}
	if err := kept.keep(ctx, call, t.id, tourRunning); err != nil {
		return toursOut{}, err
	}
	call.Summarize("Take the tour: %s", t.title)
	call.Changed("tour", "The tour has begun: "+t.title+".", t.id, kept.next(t).id)
	return showTours(ctx, call.Person)
}

func tourLeave() bus.Capability {
	return bus.Define(bus.Capability{
		Name: "tour.leave", Texts: texts, Category: "tour",
		SideEffect: bus.UIOnly, Permissions: []string{"tour:write"}, Access: core.AgentMay, Resources: core.Writes,
		Reversible: true, Idempotent: true,
	}, func(ctx context.Context, call *bus.Call, in tourIn) (toursOut, error) {
		t, err := tourFor(call.Person, in.Tour)
		if err != nil {
			return toursOut{}, err
		}
		kept := keptTours{}
		if err := kept.keep(ctx, call, t.id, tourLeft); err != nil {
			return toursOut{}, err
		}
		call.Summarize("Leave the tour: %s", t.title)
		call.Changed("tour", "The tour was left: "+t.title+".", t.id)
		return showTours(ctx, call.Person)
	})
}

type tourMarkIn struct {
	tourIn
	Step string `json:"step" jsonschema:"minLength=1,maxLength=40"`
	As   string `json:"as" jsonschema:"enum=done,enum=skipped"`
}

// tourMark is how the window tells what it heard: that the capability of a step
// was used, or that the person skips the step.
func tourMark() bus.Capability {
	return bus.Define(bus.Capability{
		Name: "tour.mark", Texts: texts, Category: "tour",
		SideEffect: bus.UIOnly, Permissions: []string{"tour:write"}, Access: core.AgentNever, Resources: core.Writes,
		Reversible: true, Idempotent: true,
	}, markStep)
}

func markStep(ctx context.Context, call *bus.Call, in tourMarkIn) (toursOut, error) {
	t, err := tourFor(call.Person, in.Tour)
	if err != nil {
		return toursOut{}, err
	}
	at := slices.IndexFunc(t.steps, func(s tourStep) bool { return s.id == in.Step })
	if at < 0 {
		return toursOut{}, core.NotFound("The tour has no step %q.", in.Step).WithHint("tour.get lists the steps.")
	}
	kept, err := loadTours(ctx, call.Person.Person)
	if err != nil {
		return toursOut{}, err
	}
	if kept.state(t) != tourRunning {
		return toursOut{}, core.Refused("Nobody is taking this tour.").WithHint("Begin it with tour.start.")
	}
	if err := kept.keep(ctx, call, t.id+" "+in.Step, in.As); err != nil {
		return toursOut{}, err
	}
	said := "left out"
	if in.As == stepDone {
		said = "done"
	}
	call.Summarize("%s: %s", t.steps[at].title, said)
	if next := kept.next(t); next != nil {
		call.Changed("tour", "The next step is: "+next.title+".", t.id, next.id)
		return showTours(ctx, call.Person)
	}
	if err := kept.keep(ctx, call, t.id, tourFinished); err != nil {
		return toursOut{}, err
	}
	call.Changed("tour", "The tour is finished: "+t.title+".", t.id)
	call.Notify("info", "That was it: %s. Any tour can be taken again from the list of keys (F1).", t.title)
	return showTours(ctx, call.Person)
}
