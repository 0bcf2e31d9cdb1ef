package bus

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/deskhand/deskhand/bus/internal/plan"
	"github.com/deskhand/deskhand/bus/internal/schema"
	"github.com/deskhand/deskhand/internal/jsonpointer"
)

// subject is a record for which actions are repeated.
type subject struct {
	Type string `json:"type" jsonschema:"minLength=1,maxLength=64"`
	ID   string `json:"id" jsonschema:"minLength=1,maxLength=200"`
}

type repeatInput struct {
	RequestIDs []string  `json:"requestIds,omitempty" jsonschema:"maxItems=20"`
	Subjects   []subject `json:"subjects" jsonschema:"minItems=1,maxItems=100"`
}

type repeatOutput struct {
	planOutput
	Subjects int       `json:"subjects"`
	Left     []leftOut `json:"left"`
}

// leftOut is a record that was skipped.
type leftOut struct {
	Subject subject `json:"subject"`
	Name    string  `json:"name" x:"personal=true"`
	Why     Text    `json:"why"`
}

// maxPause is the maximum time between the last actions with one record.
const maxPause = 15 * time.Minute

// act is an action to repeat.
type act struct {
	cap   *registered
	args  any // decoded
	data  any // its output
	ids   []givenID
	bound []binding
}

// binding determines the replacement of an id for another record.
type binding struct {
	givenID
	made string      // a reference to an earlier act's output
	same string      // the field of the record; "" with list nil: the record itself
	list *registered // lists the related records, at pointer
	at   string
}

// repetition is one run of plan.repeat.
type repetition struct {
	*run // reads as the person
	call *Call
	of   *kind
	from string // the original record
	acts []act
	out  repeatOutput
}

// executeRepeat repeats earlier actions for other records, in one transaction. If an action is refused for a record,
// that record is skipped with the reason, and all its changes are undone.
func (b *Bus) executeRepeat(ctx context.Context, call *Call, in repeatInput) (repeatOutput, error) {
	p := &repetition{call: call, of: b.listed.Load().kinds[in.Subjects[0].Type],
		out: repeatOutput{planOutput: planOutput{Steps: []planDone{}}, Left: []leftOut{}},
		run: &run{b: b, inPlan: true, now: call.Now, seed: call.seed, entry: &Entry{},
			inv: Invocation{Caller: Caller{Type: call.caller}, Principal: call.Person}}}
	journal, remembers := b.o.Journal.(Remembering)
	switch {
	case p.of == nil || p.of.by == nil:
		return p.out, Errorf(Validation, ReasonArguments, "There is no kind of record %q.", in.Subjects[0].Type).
			WithHint("The fields of capability.describe say of which kind an id is.")
	case slices.ContainsFunc(in.Subjects, func(s subject) bool { return s.Type != p.of.Type }):
		return p.out, Errorf(Validation, ReasonArguments, "The records are of different kinds.").
			WithHint("Do it for the records of one kind at a time.")
	case !remembers || !call.takesParts():
		return p.out, Errorf(PreconditionFailed, ReasonUnavailable, "The journal of this application cannot repeat.").
			WithHint("Do it by plan.propose, with the steps for each record.")
	}
	found, err := journal.Recall(ctx, call.Person, call.Now, in.RequestIDs...)
	if err == nil {
		err = p.lift(ctx, in.RequestIDs, found)
	}
	if err != nil {
		return p.out, err
	}
	p.bind(ctx)
	call.stepRefused(nil)
	done := map[string]bool{}
	for _, s := range in.Subjects {
		if done[s.ID] {
			continue
		}
		done[s.ID] = true
		if err := p.repeat(ctx, s); err != nil {
			return p.out, err
		}
	}
	return p.out, p.finish(ctx)
}

// lift extracts the actions from records, newest first. Without ids it takes the newest sequence of actions with one
// record; otherwise it takes all.
func (p *repetition) lift(ctx context.Context, ids []string, found []Record) error {
	var about []string
	requests := map[string][]string{} // by the record that they are about
	var last int64
	for i := range found {
		acts := p.b.actsOf(&found[i])
		named := p.subjectsOf(acts)
		if len(ids) == 0 {
			if len(named) == 0 {
				continue
			}
			ends := len(about) > 0 && (named[0] != about[0] || last-found[i].Time > maxPause.Milliseconds())
			if len(named) > 1 || ends {
				break
			}
		}
		last = found[i].Time
		for _, id := range named {
			about = append(about, id)
			requests[id] = append(requests[id], found[i].RequestID)
		}
		about = slices.Compact(slices.Sorted(slices.Values(about)))
		p.acts = append(acts, p.acts...)
	}
	if len(about) > 1 {
		return p.ambiguous(ctx, about, requests)
	}
	if len(about) == 0 {
		return Errorf(NotFound, ReasonRecord, "Nothing was done just now with one of this kind that could be done again: %s.",
			Phrase(p.of.Title)).WithHint("Do it with one first, or name its requests.")
	}
	p.from = about[0]
	return nil
}

// ambiguous asks for the record that is meant, among those of the requests.
func (p *repetition) ambiguous(ctx context.Context, about []string, requests map[string][]string) error {
	e := Errorf(Validation, ReasonArguments, "This was done with several of the kind %s: choose which is meant.",
		Phrase(p.of.Title))
	names, err := p.b.namesIn(ctx, p.call.Person, p.of.Type, about)
	if err != nil {
		return err
	}
	var options []Option
	for _, id := range about {
		options = append(options, Option{requests[id], cmp.Or(names[id], id)})
	}
	return e.WithChoice("requestIds", options...)
}

// actsOf returns the actions of a record: its own, or those of a plan in their order. A repetition has the actions that
// it repeated.
func (b *Bus) actsOf(r *Record) (acts []act) {
	c := b.find(r.Capability)
	if c == nil || c.Name == nameRepeat {
		return nil
	}
	add := func(c *registered, arguments, data json.RawMessage) {
		args, _ := b.decoders.Decode(arguments) // of a record: both were decoded before
		given, _ := b.decoders.Decode(data)
		acts = append(acts, act{cap: c, args: args, data: given, ids: (&run{b: b, cap: c, args: args}).givenIDs()})
	}
	if !c.plan {
		add(c, r.Arguments, r.Data)
		return acts
	}
	var in planInput
	var out planOutput
	if json.Unmarshal(r.Arguments, &in) != nil || json.Unmarshal(r.Data, &out) != nil ||
		len(in.Steps) != len(out.Steps) && !isProgram(in.Steps) {
		return nil
	}
	var results []any
	for i, done := range out.Steps {
		args, err := done.Arguments, error(nil)
		if args == nil {
			args, err = in.Steps[i].resolved(results)
		}
		step := b.find(done.Capability)
		if err != nil || step == nil {
			return nil
		}
		add(step, args, done.Data)
		results = append(results, acts[i].data)
	}
	return acts
}

// subjectsOf returns the records of the kind in the actions, each once.
func (p *repetition) subjectsOf(acts []act) (ids []string) {
	for _, a := range acts {
		for _, id := range a.ids {
			if id.kind == p.of {
				ids = append(ids, id.text)
			}
		}
	}
	slices.Sort(ids)
	return slices.Compact(ids)
}

// bind determines the origin of each id in the actions: the record itself, the output of an earlier action, a field of
// the record, or a list for the call. Any other id was typed and stays. It removes actions that cannot be steps of a
// plan.
func (p *repetition) bind(ctx context.Context) {
	record := p.record(ctx, p.from)
	p.acts = slices.DeleteFunc(p.acts, func(a act) bool {
		err := a.cap.mayBeStep()
		if err == nil && a.cap.SideEffect == Network {
			err = Errorf(Validation, ReasonArguments, "%s reaches outside: it is not done again here.", a.cap.TitleText())
		}
		if err != nil {
			p.leave(subject{p.of.Type, p.from}, err)
		}
		return err != nil
	})
	for i := range p.acts {
		a := &p.acts[i]
		for _, id := range a.ids {
			if b, is := p.bindingOf(ctx, i, id, record); is {
				a.bound = append(a.bound, b)
			}
		}
	}
}

func (p *repetition) bindingOf(ctx context.Context, i int, id givenID, record any) (b binding, is bool) {
	b.givenID = id
	if id.kind == p.of && id.text == p.from {
		return b, true
	}
	for j, before := range p.acts[:i] {
		if at, ok := plan.PointerTo(before.data, id.text); ok {
			b.made = fmt.Sprint("/", j, at)
			return b, true
		}
	}
	l := p.b.listed.Load()
	if at, known := l.at[p.of.Get]; known {
		for _, path := range l.caps[at].out.PathsOf(id.kind.Type) {
			if v, _ := jsonpointer.At(record, path); v == id.text {
				b.same = path
				return b, true
			}
		}
	}
	of, pointer, _ := strings.Cut(p.acts[i].cap.entry().Sources[id.kind.Type], "#")
	at, known := l.at[of]
	if !known || len(l.caps[at].in.Required()) == 0 {
		return b, false // it can be chosen for any record
	}
	b.list, b.at = l.caps[at], pointer
	records := p.belonging(ctx, b, p.acts[i].args)
	return b, slices.ContainsFunc(records, func(r map[string]any) bool { return r["id"] == id.text })
}

// record returns a record of the kind from the capability that reads one, or nil if there is none.
func (p *repetition) record(ctx context.Context, id string) any {
	l := p.b.listed.Load()
	at, known := l.at[p.of.Get]
	if !known {
		return nil
	}
	get := l.caps[at]
	v, _ := p.b.decoders.Decode(p.answer(ctx, get, map[string]any{get.in.Required()[0]: id})) // empty if it was refused
	return v
}

// belonging lists the records that are related to the records in the arguments.
func (p *repetition) belonging(ctx context.Context, b binding, args any) []map[string]any {
	given, _ := args.(map[string]any)
	needs := map[string]any{}
	for _, name := range b.list.in.Required() {
		needs[name] = given[name]
	}
	return p.read(ctx, b.list, needs, b.at)
}

// repeat runs the actions for one record, or skips it.
func (p *repetition) repeat(ctx context.Context, s subject) error {
	if s.ID == p.from {
		p.leave(s, Errorf(PreconditionFailed, ReasonState, "It is the one that this was done with."))
		return nil
	}
	why, err := p.call.partly(&p.out.planOutput, func() error {
		var results []any
		for i := range p.acts {
			step, err := p.stepFor(ctx, i, s)
			if err != nil {
				return err
			}
			done, value, err := p.b.executeStep(ctx, p.call, len(p.out.Steps), step, results)
			if err != nil {
				return err
			}
			results, p.out.Steps = append(results, value), append(p.out.Steps, done)
		}
		return nil
	})
	switch {
	case err != nil:
		return err
	case why != nil:
		p.leave(s, why)
	default:
		p.out.Subjects++
	}
	return nil
}

// stepFor returns an action with the ids of another record.
func (p *repetition) stepFor(ctx context.Context, i int, s subject) (step planStep, err error) {
	a := &p.acts[i]
	args := schema.Clone(a.args)
	var record any
	for _, b := range a.bound {
		var to any = s.ID
		switch {
		case b.made != "":
			to = map[string]any{plan.From: b.made}
		case b.same != "":
			if record == nil {
				record = p.record(ctx, s.ID)
			}
			var has bool
			if to, has = jsonpointer.At(record, b.same); !has {
				return step, p.lacks(b)
			}
		case b.list != nil:
			continue // below: it is listed for the ids of this record
		}
		jsonpointer.Set(args, "/"+b.field, to)
	}
	for _, b := range a.bound {
		if b.list == nil {
			continue
		}
		to, err := p.oneOf(b, p.belonging(ctx, b, args))
		if err != nil {
			return step, err
		}
		jsonpointer.Set(args, "/"+b.field, to)
	}
	step.Capability = a.cap.Name
	step.Arguments, err = schema.AppendCanonical(nil, args)
	return step, err
}

func (p *repetition) lacks(b binding) error {
	return Errorf(PreconditionFailed, ReasonState, "There is none for it: %s.", Phrase(b.kind.Title))
}

// oneOf returns the related record that replaces an id: the same one, or the only one.
func (p *repetition) oneOf(b binding, all []map[string]any) (any, error) {
	switch {
	case len(all) == 0:
		return nil, p.lacks(b)
	case len(all) == 1:
		return all[0]["id"], nil
	case slices.ContainsFunc(all, func(r map[string]any) bool { return r["id"] == b.text }):
		return b.text, nil
	}
	return nil, Errorf(PreconditionFailed, ReasonState, "It has several, and which is meant is not known: %s.",
		Phrase(b.kind.Title))
}

// leave records a skipped record with the reason.
func (p *repetition) leave(s subject, why error) {
	p.out.Left = append(p.out.Left, leftOut{s, s.ID, coded(why).MessageText()})
}

// finish sets the summary and facts. It returns an error if all records were skipped.
func (p *repetition) finish(ctx context.Context) error {
	ids := make([]string, len(p.out.Left))
	for i, l := range p.out.Left {
		ids[i] = l.Subject.ID
	}
	names, err := p.b.namesIn(ctx, p.call.Person, p.of.Type, ids)
	if err != nil {
		return err
	}
	var left []Text
	for i := range p.out.Left {
		l := &p.out.Left[i]
		l.Name = cmp.Or(names[l.Subject.ID], l.Name)
		left = append(left, Textf("%s: %s", l.Name, l.Why))
	}
	if p.out.Subjects == 0 {
		return Errorf(PreconditionFailed, ReasonState, "It can be done with none of them. %s", joined(left, " ")).
			WithHint("Choose other records, or do it with each by itself.")
	}
	var titles []Text
	for _, a := range p.acts {
		titles, p.call.did = append(titles, a.cap.TitleText()), append(p.call.did, a.cap.Name)
	}
	p.call.Fact("steps", len(p.out.Steps))
	p.call.Fact("left", len(left))
	p.call.Summarize("Do the same with %d: %s", p.out.Subjects, joined(titles, "; "))
	return nil
}
