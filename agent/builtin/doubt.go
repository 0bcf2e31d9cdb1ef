package builtin

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/deskhand/deskhand/agent/internal/text"
	"github.com/deskhand/deskhand/agent/model"
	"github.com/deskhand/deskhand/bus"
)

// formCapability has the form of another capability opened, filled in: the person changes the values and submits it.
const formCapability = "form.fill"

// opensForms reports whether there is a page that shows forms.
func (t *talk) opensForms() bool {
	_, is := t.tool(formCapability)
	return is
}

// doubtful reports whether a guess would write and leave out a value of the sentence, as in "five instead of two", and
// no answer has settled which of them counts.
func (g *guess) doubtful() bool {
	for name := range g.chosen {
		if sl := g.action.slotOf(name); sl != nil && sl.typed() {
			return false
		}
	}
	return g.action.tool.SideEffect != bus.Pure && len(g.leftOver()) > 0
}

// leftOver lists the values of the sentence that no slot of a guess takes.
func (g *guess) leftOver() (list []span) {
	for i, tok := range g.s.list {
		if tok.quoted && !g.takes(i) {
			list = append(list, span{i: i, j: i + 1})
		}
	}
	for _, f := range g.s.found {
		left := slices.Contains([]kind{aNumber, anAmount, anEmail, aPhone}, f.kind)
		for i := f.i; i < f.j && left; i++ {
			tok := g.s.list[i]
			left = !g.takes(i) && !tok.noise && !tok.common && !slices.Contains(g.doc.stems, tok.stem) &&
				!g.s.inFound(someDays, i) && (f.kind != aNumber || !g.s.inFound(aSize, i))
		}
		if left {
			list = append(list, span{i: f.i, j: f.j, value: f.value})
		}
	}
	return list
}

// takes reports whether a word belongs to a value of a guess, or of the guess that it was split from. For a record that
// was chosen from several only the words of its name count.
func (g *guess) takes(i int) bool {
	if g.of != nil {
		return g.of.takes(i)
	}
	for name, sp := range g.spans {
		called, chosen := g.called[name]
		if sp.i <= i && i < sp.j && (!chosen || slices.Contains(text.Words(called), g.s.list[i].word)) {
			return true
		}
	}
	return false
}

// call makes the call for a guess: while a value is in doubt, it opens the form.
func (t *talk) call(g *guess, r *resolution) model.Call {
	tool, args := g.action.tool, any(r.args)
	if form, is := t.tool(formCapability); is && g.doubtful() {
		args = map[string]any{"capability": tool.Capability, "arguments": r.args}
		tool = form
	}
	raw, _ := json.Marshal(args) // every value was decoded from JSON
	return model.Call{Tool: tool.Name, Arguments: raw}
}

// doubt asks which of the values counts if there is no page to show a form; it is nil when there is no doubt.
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
		q := &question{field: sl.field.Name, text: t.lang.say("which", label(sl.field))}
		for _, one := range []span{sp, left} {
			q.options = append(q.options, bus.Option{Value: one.value, Title: g.s.verbatim(one.i, one.j)})
		}
		return q
	}
	return &question{text: t.lang.say("unclear part", said)}
}

// typed reports whether the form of some words tells that they are a value of a slot.
func (sl *slot) typed() bool {
	_, is := kindOf[sl.form]
	return is
}

// about puts the action and all its known values before a question.
func (t *talk) about(g *guess, r *resolution) string {
	var values []string
	for _, f := range g.action.fields {
		v, known := r.args[f.Name]
		if !known || f.Name == r.asked.field {
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
		if name != "" || f.Entity == "" { // a part of a record is in the record's name
			values = append(values, label(f)+" "+cmp.Or(name, saidValue(v)))
		}
	}
	title := strings.Join(append([]string{g.action.title}, values...), ", ")
	return t.lang.say("for", title, r.asked.text)
}

// saidValue is a value in words.
func saidValue(v any) string {
	if amount, is := v.(map[string]any); is && amount["amount"] != nil {
		return fmt.Sprint(amount["amount"], " ", amount["currency"])
	}
	if s, is := v.(string); is {
		return s
	}
	raw, _ := json.Marshal(v) // it is an argument
	return string(raw)
}
