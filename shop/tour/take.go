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

func (tourStepOut) DescribeFields() map[string]string {
	return map[string]string{
		"capability": "With what it is done; when that is not available now, its reason is what is in the way.",
		"subject":    "The first id of the change it makes; absent: any use of the capability.",
		"page":       "Where it is done in the window.",
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

func (toursOut) DescribeFields() map[string]string {
	return map[string]string{
		"offer": "The tour to offer somebody who has neither begun nor refused one.",
	}
}

func tourGet() bus.Capability {
	return bus.Define(bus.Capability{
		Name: "tour.get", Title: "Show the tours", Category: "tour", Type: bus.TypeState,
		Description: "Shows the tours through the desk, their steps with how each is done, and how far the person signed " +
			"in is. Use it to say what the next step is and how it is done. It begins none and does no step.",
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

func (tourIn) DescribeFields() map[string]string {
	return map[string]string{
		"tour": "desk: an order from the first call to the audit log. setup: a new shop, from its name to the first " +
			"PIN; the owner's.",
	}
}

func tourStart() bus.Capability {
	return bus.Define(bus.Capability{
		Name: "tour.start", Title: "Take a tour", Category: "tour",
		Description: "Begins a tour through the desk, or goes on with it where it was left; one that was finished begins " +
			"anew. Use it when somebody is new here or asks to be shown around. It does no step: those are the person's to do.",
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
		Name: "tour.leave", Title: "Leave the tour", Category: "tour",
		Description: "Leaves a tour, or refuses the one that is offered; what was done of it is kept, and tour.start goes " +
			"on there. Use it when somebody has seen enough. It does not take back what was done on the way.",
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
		Name: "tour.mark", Title: "Tick off a step of the tour", Category: "tour",
		Description: "Notes that a step of the tour that is being taken was done, or is left out; after the last one the " +
			"tour is finished. Use it to go on to the next step. It does not do the step.",
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
