package builtin

import (
	"cmp"
	"encoding/json"
	"maps"
	"slices"

	"github.com/deskhand/deskhand/agent/internal/schema"
)

// pieces splits a list of names: "the mug, two filters and a kettle".
func pieces(l *language, list []token) (all [][]token) {
	from := 0
	for i := range list {
		n, _ := l.at("conjunctions", list, i)
		if n == 0 && !(list[i].comma && i > from && !list[i].quoted) || i == 0 || i+n >= len(list) {
			continue
		}
		if i > from {
			all = append(all, list[from:i])
		}
		from = i + n
	}
	return append(all, list[from:])
}

// entries determines a list of records with their quantities and replacements.
func (t *talk) entries(g *guess, sl *slot, sp span, said bool, r *resolution) {
	if parts, is := sp.value.([]share); is {
		t.shared(g, sl, parts, r)
		return
	}
	names := slices.DeleteFunc(slices.Clone(sl.entry), func(e schema.Field) bool { return e.Entity == "" })
	var lists [][]record // the records that each name may mean
	for _, f := range names[:min(2, len(names))] {
		src, known := t.source(g.action.tool, f.Entity)
		if !known || !said && !sl.field.Required {
			return
		}
		if src.query != "" && said {
			t.searchedEntries(g, sl, f, src, g.s.list[sp.i:sp.j], r)
			return
		}
		list, ready := t.list(src, "", r, nil)
		if !ready {
			return
		}
		lists = append(lists, list)
	}
	if !said {
		r.ask(&question{field: sl.name, text: t.lang.say("which", t.label(sl.field)), options: options("", nil, lists[0])})
		return
	}
	t.namedEntries(sl, lists, names, g.s.list[sp.i:sp.j], r)
}

// namedEntries determines a list of records from complete lists, by their names: all of them, or some.
func (t *talk) namedEntries(sl *slot, lists [][]record, names []schema.Field, list []token, r *resolution) {
	var out []any
	if len(lists) == 1 && (t.lang.is("all", list) || plain(list)) {
		for _, rec := range lists[0] {
			field, value := sl.named(names[0], rec)
			out = append(out, entryOf(field, value, nil))
		}
		r.args[sl.name] = out
		return
	}
	all := pieces(t.lang, list)
	for _, piece := range all {
		one, q := t.entry(sl, lists, names, piece)
		if q != nil {
			if len(all) > 1 {
				q.options = nil // one answer does not complete the list
			}
			r.ask(q)
			return
		}
		out = append(out, one)
	}
	r.args[sl.name] = out
}

// searchedEntries determines a list of records by searching for their names.
func (t *talk) searchedEntries(g *guess, sl *slot, f schema.Field, src source, list []token, r *resolution) {
	var out []any
	of := &guess{action: &action{tool: g.action.tool, fields: sl.entry}, s: g.s}
	for _, piece := range pieces(t.lang, list) {
		beside, thing := t.counts(sl, piece)
		one := &resolution{from: r.from, end: r.end, args: map[string]any{}, names: map[string]string{}}
		t.searched(of, f, thing, src, one)
		r.need, r.doubt = append(r.need, one.need...), r.doubt+one.doubt
		if one.asked != nil {
			one.asked.field, one.asked.options = sl.name, nil
			r.ask(one.asked)
		}
		maps.Copy(beside, one.args)
		out = append(out, beside)
	}
	if r.asked == nil && len(r.need) == 0 {
		r.args[sl.name] = out
	}
}

// named returns the field of an entry for a record, and its value, which is usually the record's id. If the record has
// another value for the field, it returns another field that takes the id, otherwise that value.
func (sl *slot) named(f schema.Field, rec record) (schema.Field, string) {
	value, has := rec.data[f.Name].(string)
	if !has || value == rec.id {
		return f, rec.id
	}
	for _, other := range sl.entry {
		if rec.data[other.Name] == rec.id {
			return other, rec.id
		}
	}
	return f, value
}

// entry returns one element of a list: a quantity, a record and its replacement; or the question for a missing one.
func (t *talk) entry(sl *slot, lists [][]record, names []schema.Field, piece []token) (one any, q *question) {
	beside, piece := t.counts(sl, piece)
	said := [][]token{piece, nil}
	for i := 1; i < len(piece)-1 && len(lists) > 1; i++ {
		if n, _ := t.lang.at("replacing", piece, i); n > 0 {
			said = [][]token{piece[:i], piece[i+n:]}
		}
	}
	before := ""
	for k, list := range lists {
		list = slices.DeleteFunc(slices.Clone(list), func(o record) bool { return o.id == before })
		best, grade := list, notNamed
		if len(said[k]) > 0 {
			plain, _ := t.saidWords(names[k], said[k])
			best, grade = pick(list, plain)
		}
		if len(best) != 1 || grade == notNamed {
			q = &question{field: sl.name, text: t.lang.say("which", t.label(sl.field))}
			if len(best) == 0 {
				best = list
			}
			if k == len(lists)-1 { // it completes the entry
				q.options = options("", nil, best)
			}
			for i := range q.options {
				field, value := sl.named(names[k], best[i])
				q.options[i].Value = []any{entryOf(field, value, beside)}
			}
			return nil, q
		}
		before = best[0].id
		field, value := sl.named(names[k], best[0])
		one = entryOf(field, value, beside)
		beside[field.Name] = value
	}
	return one, nil
}

// counts splits words into a quantity and the words for a record.
func (t *talk) counts(sl *slot, piece []token) (beside map[string]any, thing []token) {
	beside = map[string]any{}
	n, value := (&sentence{lang: t.lang, list: piece}).numeral(0)
	if n == 0 {
		n, value = t.lang.at("one", piece, 0) // a definite article has no value
	}
	for _, e := range sl.entry {
		if e.Entity == "" && e.Kind == "integer" && e.Required {
			value = cmp.Or(value, "1")
			beside[e.Name] = json.Number(value)
		}
	}
	if n == 0 || value == "" || n >= len(piece) || t.lang.has("units", piece[n].word) {
		return beside, piece
	}
	for _, e := range sl.entry {
		if e.Entity == "" && e.Kind == "integer" {
			beside[e.Name] = json.Number(value)
		}
	}
	return beside, piece[n:]
}

// entryOf returns an entry with one more record.
func entryOf(f schema.Field, id string, beside map[string]any) any {
	if f.Name == "" {
		return id
	}
	one := map[string]any{f.Name: id}
	for name, v := range beside {
		if name != f.Name {
			one[name] = v
		}
	}
	return one
}
