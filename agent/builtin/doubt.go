package builtin

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"

	"github.com/deskhand/deskhand/agent/internal/text"
	"github.com/deskhand/deskhand/agent/model"
	"github.com/deskhand/deskhand/bus"
)

// formCapability opens the form of another capability, filled in. The person edits the values and submits it.
const formCapability = "form.fill"

// opensForms reports whether there is a page that shows forms.
func (t *talk) opensForms() bool {
	_, is := t.tool(formCapability)
	return is
}

// doubtful reports whether a guess would write without using a value of the sentence, as in "five instead of two", and
// no answer has chosen among the values.
func (g *guess) doubtful() bool {
	for name := range g.chosen {
		if sl := g.action.slotOf(name); sl != nil && sl.typed() {
			return false
		}
	}
	return g.action.tool.SideEffect != bus.Pure && len(g.leftOver()) > 0
}

// leftOver lists the values of the sentence that no slot of a guess uses.
func (g *guess) leftOver() (list []span) {
	for i, tok := range g.s.list {
		if tok.quoted && !g.inValue(i) {
			list = append(list, span{i: i, j: i + 1})
		}
	}
	for _, sp := range g.spans {
		if _, is := sp.value.([]share); is && g.s.halved(sp.i, sp.j) {
			list = append(list, sp)
		}
	}
	for _, f := range g.s.found {
		if slices.Contains([]kind{aNumber, anAmount, anEmail, aPhone}, f.kind) && g.leaves(f) {
			list = append(list, span{i: f.i, j: f.j, value: f.value})
		}
	}
	return list
}

// leaves reports whether a guess uses no word of a value.
func (g *guess) leaves(f found) bool {
	for i := f.i; i < f.j; i++ {
		tok := g.s.list[i]
		if g.inValue(i) || tok.noise || tok.common || slices.Contains(g.doc.stems, tok.stem) || g.s.inFound(someDays, i) ||
			f.kind == aNumber && g.s.inFound(aSize, i) {
			return false
		}
	}
	return true
}

// inValue reports whether a word belongs to a value of a guess, or of the guess that it was split from. For a record
// that the person chose from several, only the words of its name count.
func (g *guess) inValue(i int) bool {
	if g.of != nil {
		return g.of.inValue(i)
	}
	for name, sp := range g.spans {
		called, chosen := g.called[name]
		if sp.i <= i && i < sp.j && (!chosen || slices.Contains(text.Words(called), g.s.list[i].word)) {
			return true
		}
	}
	return false
}

// call returns the call for a guess. While a value is in doubt, it opens the form instead.
func (t *talk) call(g *guess, r *resolution) model.Call {
	tool, args := g.action.tool, any(r.args)
	if form, is := t.tool(formCapability); is && g.doubtful() {
		args = map[string]any{"capability": tool.Capability, "arguments": r.args}
		tool = form
	}
	raw, _ := json.Marshal(args) // every value was decoded from JSON
	return model.Call{Tool: tool.Name, Arguments: raw}
}

// doubt returns the question about a value in doubt if no page can show a form; nil if there is no doubt.
func (t *talk) doubt(g *guess) *question {
	if !g.doubtful() || t.opensForms() {
		return nil
	}
	left := g.leftOver()[0]
	said := g.s.verbatim(left.i, left.j)
	for _, sl := range g.action.slots {
		sp, filled := g.spans[sl.name]
		if _, same := g.s.findsAt(kindOf[sl.form], left.i); !sl.typed() || !filled || !same || left.value == nil {
			continue
		}
		q := &question{field: sl.field.Name, text: t.lang.say("which", t.label(sl.field))}
		for _, one := range []span{sp, left} {
			q.options = append(q.options, bus.Option{Value: one.value, Title: g.s.verbatim(one.i, one.j)})
		}
		return q
	}
	return &question{text: t.lang.say("unclear part", said)}
}

// typed reports whether the form of words alone identifies them as a value of the slot.
func (sl *slot) typed() bool {
	_, is := kindOf[sl.form]
	return is
}

// asks prefixes a question with the action and its known values. It asks nothing if the action is not available, unless
// a call may have changed that.
func (t *talk) asks(g *guess, r *resolution, q *question) (string, *question) {
	tool, _ := t.tool(g.action.tool.Capability)
	if tool.Closed == "" || t.did(r.from, r.end) {
		return t.lang.say("for", t.named(g, r), r.asked.text), q
	}
	return t.lang.say("failed", text.Sentence(tool.Closed)), nil
}

// did reports whether messages contain a call that is not only a read.
func (t *talk) did(from, end int) bool {
	return slices.ContainsFunc(t.messages[from:end], func(m model.Message) bool {
		return slices.ContainsFunc(m.Calls, func(c model.Call) bool {
			return slices.ContainsFunc(t.tools, func(tool model.Tool) bool {
				return tool.Name == c.Tool && tool.SideEffect != bus.Pure
			})
		})
	})
}

// named describes the action of a guess with all its known values.
func (t *talk) named(g *guess, r *resolution) string {
	parts := []string{g.action.title}
	for _, f := range g.action.fields {
		v, known := r.args[f.Name]
		if !known || r.asked != nil && f.Name == r.asked.field {
			continue
		}
		sl := g.action.slotOf(f.Name)
		if sl == nil {
			sl = &slot{}
		}
		name := cmp.Or(r.names[f.Name], g.called[f.Name])
		if sp, said := g.spans[sl.name]; said && name == "" && g.chosen[f.Name] == nil {
			name = g.s.verbatim(sp.i, sp.j)
		}
		if name != "" || f.Entity == "" { // the record's name includes its part
			parts = append(parts, t.label(f)+" "+cmp.Or(name, saidValue(v)))
		}
	}
	return strings.Join(parts, ", ")
}

// saidValue formats a value in words.
func saidValue(v any) string {
	if m, is := v.(map[string]any); is {
		if amount, is := text.Money(m); is {
			return amount
		}
	}
	if s, is := v.(string); is {
		return s
	}
	raw, _ := json.Marshal(v) // it is an argument
	return string(raw)
}
