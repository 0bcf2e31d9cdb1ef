package builtin

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/deskhand/deskhand/agent/builtin/internal/lexicon"
	"github.com/deskhand/deskhand/agent/internal/text"
	"github.com/deskhand/deskhand/agent/model"
	"github.com/deskhand/deskhand/bus"
)

// resolution is how far the arguments of a command are known.
type resolution struct {
	fields  []field // of the command
	args    map[string]any
	owner   []lexicon.Token   // whose it is said to be
	seen    []json.RawMessage // what was looked up
	need    []model.Call      // look-ups to make first
	asked   *question         // what only the person can say
	refused string            // why it cannot be done
	notes   []string          // what was chosen without being said
}

func (r resolution) arguments() json.RawMessage {
	raw, _ := json.Marshal(r.args) // strings, numbers and booleans
	return raw
}

// resolve finds the arguments of a command: what was said, names looked up, and for what must be there and was not said
// the default or only choice. Look-ups that do not wait for one another are made together.
func (d *dialogue) resolve(c reading, from, end int) resolution {
	r := resolution{fields: c.pattern.fields, args: map[string]any{}, owner: c.owner}
	var waiting, missing []field
	for _, f := range c.pattern.fields {
		switch {
		case f.Lookup != "":
			waiting = append(waiting, f)
		case f.isList():
		case !c.plain(f, r.args):
			missing = append(missing, f)
		}
	}
	for before := 0; before != len(waiting); {
		before = len(waiting)
		waiting = slices.DeleteFunc(slices.Clone(waiting), func(f field) bool {
			return d.lookUp(c, f, waiting, from, end,
				&r)
		})
	}
	for _, f := range c.pattern.fields {
		if f.isList() {
			d.enlist(c, f, from, end, &r)
		}
	}
	for _, f := range c.pattern.fields {
		if bare, is := r.args[f.Name].(bareAmount); is {
			r.inCurrency(f, bare)
		}
	}
	for _, f := range missing { // only when the rest is settled
		r.askPlain(f, c.slots[f.Name])
	}
	if len(r.need) > 0 {
		r.asked, r.refused = nil, ""
	} else if len(r.owner) > 0 && !slices.ContainsFunc(r.seen, func(data json.RawMessage) bool {
		return belongs(data,
			r.owner)
	}) {
		r.asked, r.refused = nil, fmt.Sprintf("This is not %s's, as far as I can see, so I have not done it.",
			text.Capitalize(text.Clean(textOf(r.owner), 80)))
	}
	return r
}

// plain settles a field that needs no look-up; false: only the person knows.
func (c reading) plain(f field, args map[string]any) bool {
	if s, said := c.slots[f.Name]; said {
		if s.value != nil {
			args[f.Name] = s.value
			return true
		}
		if v, ok := f.value(s.tokens, s.text); ok {
			if n, is := v.(float64); is && s.minus {
				v = -n
			}
			args[f.Name] = v
			return true
		}
		other, note := c.otherwise(f)
		if note == nil {
			return false
		}
		args[f.Name], args[note.Name] = other, s.text
		return true
	}
	switch {
	case !f.Required || f.Default != nil:
	case f.countable() && c.single():
		args[f.Name] = 1.0 // "the book" is one book
	default:
		return false
	}
	return true
}

// otherwise finds where words go that are none of a closed set's values: to the
// one field for free text, when the set has a value for the rest.
func (c reading) otherwise(f field) (value string, note *field) {
	i := slices.IndexFunc(f.Enum, func(e string) bool { return e == "other" })
	if i < 0 {
		return "", nil
	}
	for n := range c.pattern.fields {
		o := &c.pattern.fields[n]
		if _, said := c.slots[o.Name]; said || !o.freeText() || o.Required {
			continue
		}
		if note != nil {
			return "", nil
		}
		note = o
	}
	return f.Enum[i], note
}

func (r *resolution) askPlain(f field, s slotText) {
	switch {
	case r.refused != "":
	case len(f.Enum) > 0 && s.misfit:
		r.ask(f, fmt.Sprintf("There is no %s “%s”. Which %s?", lowerLabel(f), text.Clean(s.text, 80), lowerLabel(f)),
			plainOptions(f.Enum...))
		r.asked.unknown = true
	case len(f.Enum) > 0:
		r.ask(f, fmt.Sprintf("Which %s?", lowerLabel(f)), plainOptions(f.Enum...))
	case f.countable():
		r.ask(f, "How many?", plainOptions("1", "2", "3"))
	default:
		r.ask(f, fmt.Sprintf("What is the %s?", lowerLabel(f)), nil)
	}
}

func (r *resolution) ask(f field, text string, options []bus.Option) {
	if r.asked == nil {
		r.asked = &question{slot: f.Name, text: text, options: options}
	}
}

// plainOptions are options whose values are their titles.
func plainOptions(values ...string) (options []bus.Option) {
	for _, v := range values {
		options = append(options, bus.Option{Value: v, Title: v})
	}
	return options
}

func (r *resolution) refuse(format string, args ...any) {
	if r.refused == "" && r.asked == nil {
		r.refused = fmt.Sprintf(format, args...)
	}
}

func lowerLabel(f field) string { return strings.ToLower(f.Label()) }

// lookUp settles a field whose value is an id. false: it waits for another one.
func (d *dialogue) lookUp(c reading, f field, waiting []field, from, end int, r *resolution) bool {
	s, said := c.slots[f.Name]
	if s.value != nil {
		r.args[f.Name] = s.value
		return true
	}
	if !said && f.Required {
		s, said = c.pointedAt(f)
	}
	if it, is := d.chosen[mentionKey(f.Entity, s.text)]; is && said {
		d.settle(f, s, []item{it}, r)
		return true
	}
	points := said && !s.picked && s.pointed(f)
	if points {
		if items := d.recall(f, s, from, end); len(items) > 0 {
			d.settle(f, s, items, r)
			return true
		}
		said = false
		if slices.ContainsFunc(s.tokens, func(t lexicon.Token) bool {
			return thingPronouns[t.Word] && (!f.Required || t.Word == "one")
		}) {
			r.ask(f, fmt.Sprintf("Which %s do you mean?", lowerLabel(f)), nil)
			r.asked.unknown = r.asked.slot == f.Name
			return true
		}
	}
	if !said && !f.Required {
		return true
	}
	tool, ok := d.tool(f.Lookup)
	known := r.args
	if points {
		known = d.ownersOf(tool, s, r.args, from, end)
	}
	if said && !s.picked {
		s, known = ofOwner(d.lex, tool, s, known)
	}
	call, ready, possible := lookUpCall(tool, f, waiting, s, said, known)
	switch {
	case !ready:
		return false
	case ok && possible:
		d.choose(c, f, s, said, call, from, end, r)
	case said: // codes and numbers are ids too
		r.args[f.Name] = s.text
	default:
		r.ask(f, fmt.Sprintf("Which %s?", lowerLabel(f)), nil)
	}
	return true
}

// lookUpCall makes the call that lists candidates: the words as its query where it takes one, and every argument of
// ours that it takes too and that narrows the search: an id. A new phone number is not what its owner is found by.
func lookUpCall(tool model.Tool, f field, waiting []field, s slotText, said bool,
	known map[string]any) (call model.Call, ready, possible bool) {
	args := map[string]any{}
	for _, in := range readSchema(f.lex, tool.Input, tool.Sources) {
		switch v, have := known[in.Name]; {
		case have && (in.Lookup != "" || in.Required || len(in.Enum) > 0):
			args[in.Name] = v
		case in.Name != f.Name && slices.ContainsFunc(waiting, func(w field) bool { return w.Name == in.Name && w.Required }):
			return model.Call{}, false, true
		case in.Name == "query" && said:
			args["query"] = queries(s, f)[0]
		case in.Required && in.Default == nil:
			return model.Call{}, true, false
		}
	}
	raw, _ := json.Marshal(args)
	return model.Call{Tool: tool.Name, Arguments: raw}, true, true
}

// choose reads the candidates and picks, asks or refuses. A name that fits
// nothing is looked for with fewer of its words.
func (d *dialogue) choose(c reading, f field, s slotText, said bool, call model.Call, from, end int, r *resolution) {
	calls := []model.Call{call}
	_, searched := stringAt(call.Arguments, "query")
	if searched {
		for _, q := range queries(s, f)[1:] {
			calls = append(calls, withQuery(call, q))
		}
	}
	var seen []item
	for _, one := range calls {
		items, found := d.candidates(f, one, from, end, r)
		switch {
		case !found:
			return
		case !said && s.latest():
			d.settle(f, s, items, r)
			return
		case !said:
			d.chooseUnsaid(f, items, r)
			return
		case d.fits(c, f, s, items, r), d.fitsOwned(c, f, s, items, r):
			return
		}
		for _, it := range items {
			if !slices.ContainsFunc(seen, func(o item) bool { return o.id == it.id }) {
				seen = append(seen, it)
			}
		}
	}
	d.suggest(c, f, s, seen, searched, r)
	if r.asked != nil && r.asked.slot == f.Name {
		r.asked.unknown = true
	}
}

func withQuery(call model.Call, query string) model.Call {
	args := object(call.Arguments)
	args["query"] = query
	raw, _ := json.Marshal(args)
	return model.Call{Tool: call.Tool, Arguments: raw}
}

// fits settles the field when the words fit one of the items, or asks when they fit several.
func (d *dialogue) fits(c reading, f field, s slotText, items []item, r *resolution) bool {
	if s.picked {
		if i := slices.IndexFunc(offered(items), func(o bus.Option) bool { return o.Title == s.text }); i >= 0 {
			r.take(f, items[i])
			return true
		}
	}
	for _, name := range contents(s, f) {
		words := lexicon.PlainWords(name)
		if top := pick(items, words); len(top) > 0 && (!c.unsure || top[0].fit(words) > 1) {
			d.settle(f, s, top, r)
			return true
		}
		if of, parts, field := pickPart(items, words, c.pattern); len(parts) > 0 {
			r.settlePart(f, s, of, parts, field)
			return true
		}
	}
	return false
}

// maxChoices is how many choices a person is offered at once.
const maxChoices = 8

func (d *dialogue) chooseUnsaid(f field, items []item, r *resolution) {
	if f.Wanted && len(items) == 0 {
		return
	}
	it, ok := unsaid(items)
	if !ok {
		r.askWhich(f, items, fmt.Sprintf("Which %s?", lowerLabel(f)))
		return
	}
	r.args[f.Name] = it.id
	why := "the default"
	if len(items) == 1 {
		why = "the only one"
	}
	r.notes = append(r.notes, fmt.Sprintf("%s: %s (%s).", f.Label(), it.name, why))
}

// candidates reads the look-up's list, or notes that it must be made first.
func (d *dialogue) candidates(f field, call model.Call, from, end int, r *resolution) ([]item, bool) {
	made, at := d.made(call, from, end, nil)
	if at < 0 {
		same := func(c model.Call) bool { return c.Tool == call.Tool && string(c.Arguments) == string(call.Arguments) }
		if !slices.ContainsFunc(r.need, same) {
			r.need = append(r.need, call)
		}
		return nil, false
	}
	res := d.result(made.ID, at, end)
	r.seen = append(r.seen, res.Data)
	if !res.ok() {
		r.refuse("I could not look up the %s. %s", lowerLabel(f), d.failure(model.Tool{}, res))
		return nil, false
	}
	return listAt(d.lex, res.Data, f.LookupList), true
}

func (d *dialogue) tool(capability string) (model.Tool, bool) {
	for _, t := range d.tools {
		if t.Capability == capability {
			return t, true
		}
	}
	return model.Tool{}, false
}

// object reads a JSON object; anything else has no fields.
func object(raw json.RawMessage) (fields map[string]any) {
	_ = json.Unmarshal(raw, &fields)
	return fields
}

func stringAt(raw json.RawMessage, name string) (string, bool) {
	s, _ := object(raw)[name].(string)
	return s, s != ""
}
