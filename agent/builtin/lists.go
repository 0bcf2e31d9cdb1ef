package builtin

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/deskhand/deskhand/agent/builtin/internal/lexicon"
	"github.com/deskhand/deskhand/agent/internal/text"
)

// isList says that the field is a list of entries that name things: what comes
// back of a delivery, what is swapped for what.
func (f field) isList() bool { return len(f.names()) > 0 }

// names are the entry's fields that are looked up: what, and what instead.
func (f field) names() []field {
	return slices.DeleteFunc(slices.Clone(f.entry), func(e field) bool { return e.Lookup == "" })
}

// swaps says that an entry is one thing in place of another.
func (f field) swaps() bool { return len(f.names()) > 1 }

// entry is one entry as it was said: how many of what, and what instead.
type entry struct {
	count   []lexicon.Token
	what    []lexicon.Token
	instead []lexicon.Token
}

// entries reads the words of a list.
func (f field) entries(list []lexicon.Token) []entry {
	var all []entry
	for _, g := range things(list) {
		var e entry
		if f.swaps() {
			for i := len(g) - 1; i > 0; i-- {
				if replacing[g[i].Word] && !g[i].Quoted {
					g, e.instead = g[:i], g[i+1:]
					break
				}
			}
		}
		for n := min(3, len(g)-1); n > 0; n-- {
			if _, is := lexicon.Number(lexicon.PlainWords(g[:n])); is && !g[0].Quoted && !lexicon.IsSize(lexicon.WithSizes(g)[0]) {
				e.count, g = g[:n], g[n:]
				break
			}
		}
		e.what = g
		if len(g) > 0 {
			all = append(all, e)
		}
	}
	return all
}

// nameable looks up what an entry's field can name, once what that needs is known.
func (d *dialogue) nameable(name field, from, end int, r *resolution) ([]item, bool) {
	tool, ok := d.tool(name.Lookup)
	call, ready, possible := lookUpCall(tool, name, nil, slotText{}, false, r.args)
	if !ok || !ready || !possible {
		return nil, false
	}
	return d.candidates(name, call, from, end, r)
}

// enlist settles a field that is a list.
func (d *dialogue) enlist(c reading, f field, from, end int, r *resolution) {
	s, said := c.slots[f.Name]
	if !said && !f.Required {
		return
	}
	names := f.names()
	there, found := d.nameable(names[0], from, end, r)
	if !found {
		return // what it is a list of is still asked for
	}
	if !said {
		r.askEntry(f, fmt.Sprintf("Which %s?", lowerLabel(f)), there, func(s string) string { return s })
		return
	}
	var out []any
	all := f.entries(s.tokens)
	if c.means(strings.TrimSpace(text.Normalized(s.text))) && !f.swaps() {
		for _, it := range there {
			out = append(out, map[string]any{names[0].Name: it.id})
		}
		r.args[f.Name] = out
		return
	}
	for i, e := range all {
		one, ok := d.enter(f, e, there, from, end, r, func(choice string, instead bool) string { return reworded(all, i, choice, instead) })
		if !ok {
			return
		}
		out = append(out, one)
	}
	r.args[f.Name] = out
}

// means says that words for a list mean all of it: "everything", "the whole list" where the command is about a list.
func (c reading) means(all string) bool {
	return everything[all] || slices.ContainsFunc(c.pattern.fields, func(f field) bool {
		return f.Lookup != "" && f.kindWord() == strings.TrimPrefix(all, "the whole ")
	})
}

// enter reads one entry.
func (d *dialogue) enter(f field, e entry, there []item, from, end int, r *resolution, again func(choice string, instead bool) string) (map[string]any, bool) {
	names := f.names()
	what, ok := one(names[0], e.what, there, nil)
	if !ok {
		r.askEntry(f, fmt.Sprintf("Which %s do you mean by “%s”?", lowerLabel(f), text.Clean(textOf(e.what), 80)), orAll(what, there), func(s string) string { return again(s, false) })
		return nil, false
	}
	out := map[string]any{names[0].Name: what[0].id}
	if len(e.count) > 0 {
		n, _ := lexicon.Number(lexicon.PlainWords(e.count))
		if i := slices.IndexFunc(f.entry, field.isNumber); i >= 0 {
			out[f.entry[i].Name] = n
		}
	}
	if !f.swaps() {
		return out, true
	}
	others, found := d.nameable(names[1], from, end, r)
	if !found {
		return nil, false
	}
	others = slices.DeleteFunc(others, func(o item) bool { return o.id == what[0].id || !o.alike(what[0], names) })
	instead, ok := one(names[1], e.instead, others, &what[0])
	if !ok {
		r.askEntry(f, fmt.Sprintf("What instead of %s?", what[0].name), orAll(instead, others), func(s string) string { return again(s, true) })
		return nil, false
	}
	out[names[1].Name] = instead[0].id
	return out, true
}

// one finds the one item that words name; otherwise those they may name. What it
// comes in place of decides between several: a large for a medium keeps its color.
func one(f field, said []lexicon.Token, items []item, before *item) ([]item, bool) {
	if len(said) == 0 {
		return nil, len(items) == 1 && before == nil
	}
	for _, name := range contents(slotText{text: textOf(said), tokens: said}, f) {
		top := pick(items, lexicon.PlainWords(name))
		if len(top) == 0 {
			if better, changed := respell(name, items); changed {
				top = pick(items, lexicon.PlainWords(better))
			}
		}
		if len(top) > 1 && before != nil {
			top = nearestTo(*before, top)
		}
		top = slices.CompactFunc(top, func(a, b item) bool { return a.id == b.id }) // the same on two lines
		if len(top) > 0 {
			return top, len(top) == 1
		}
	}
	return nil, false
}

// nearestTo keeps the items that share most words with another.
func nearestTo(before item, items []item) []item {
	return highest(items, func(it item) int {
		n := 1
		for _, w := range before.primary {
			if slices.Contains(it.primary, w) {
				n++
			}
		}
		return n
	})
}

// alike says that two items belong together: they name the same thing they are of,
// in the first field by name that both have and that names nothing in the list itself.
func (it item) alike(other item, names []field) bool {
	for _, k := range slices.Sorted(maps.Keys(it.fields)) {
		if id, is := it.fields[k].(string); is && k != "id" && strings.HasSuffix(k, "Id") && !slices.ContainsFunc(names, func(f field) bool { return f.Name == k }) && other.fields[k] != nil {
			return other.fields[k] == id
		}
	}
	return true
}

// reworded returns the words of a list with one part replaced by a choice.
func reworded(all []entry, at int, choice string, instead bool) string {
	var parts []string
	for i, e := range all {
		what, other := textOf(e.what), textOf(e.instead)
		if i == at && instead {
			other = `"` + choice + `"`
		} else if i == at {
			what = `"` + choice + `"`
		}
		text := strings.TrimSpace(textOf(e.count) + " " + what)
		if other != "" {
			text += " for " + other
		}
		parts = append(parts, text)
	}
	return strings.Join(parts, " and ")
}

func textOf(list []lexicon.Token) string {
	var parts []string
	for _, t := range list {
		parts = append(parts, t.Text)
	}
	return strings.Join(parts, " ")
}

// orAll is some of a list, or all of it where that leaves nothing.
func orAll[T any](some, all []T) []T {
	if len(some) > 0 {
		return some
	}
	return all
}

// askEntry asks about an entry of a list; reword makes an answer part of the list.
func (r *resolution) askEntry(f field, text string, items []item, reword func(string) string) {
	r.offer(f, offered(items), text, text)
	if r.asked.slot == f.Name {
		r.asked.reword = reword
	}
}
