package builtin

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/deskhand/deskhand/agent/internal/schema"
	"github.com/deskhand/deskhand/agent/internal/text"
	"github.com/deskhand/deskhand/agent/model"
	"github.com/deskhand/deskhand/bus"
)

// resolution is what became of the words for an action's values.
type resolution struct {
	from, end int // the messages that may hold its look-ups
	args      map[string]any
	need      []model.Call // look-ups to be made first
	waits     bool         // for a value that is not known yet
	asked     *question
	notes     []string
	doubt     float64 // how much less likely the guess is for what was looked up
}

// resolve makes arguments of the words for an action's values, field by field.
func (t *talk) resolve(g *guess, from, end int) *resolution {
	r := &resolution{from: from, end: end, args: map[string]any{}}
	fields := slices.Clone(g.action.fields)
	for range 3 { // what needs the value of a later field comes again
		var later []schema.Field
		for _, f := range fields {
			r.waits = false
			t.settle(g, f, r)
			if r.waits {
				later = append(later, f)
			}
		}
		if fields = later; len(later) == 0 {
			break
		}
	}
	if r.asked == nil && len(r.need) == 0 {
		for _, f := range fields { // the required ones without a value
			if f.Required {
				r.ask(&question{field: f.Name, text: t.lang.say("which", label(f))})
			}
		}
	}
	return r
}

// ask keeps the first question.
func (r *resolution) ask(q *question) {
	if r.asked == nil {
		r.asked = q
	}
}

func label(f schema.Field) string { return strings.ToLower(f.Label()) }

// settle settles the value of one field.
func (t *talk) settle(g *guess, f schema.Field, r *resolution) {
	if _, done := r.args[f.Name]; done {
		return
	}
	if v, chosen := g.chosen[f.Name]; chosen {
		t.take(f, v, r)
		return
	}
	sl := g.action.slotOf(f.Name)
	if sl == nil {
		return
	}
	sp, said := g.spans[sl.name]
	switch {
	case sl.form == aRecord:
		t.record1(g, f, sp, said, r)
	case sl.form == aList:
		t.entries(g, sl, sp, said, r)
	case !said && f.Name == "requestId" && f.Required && t.focus["request"] != "":
		r.args[f.Name] = t.focus["request"]
	case !said && sl.form == aCount && g.sized():
		r.args[f.Name] = json.Number("1")
	case !said:
		if f.Required && f.Default == nil {
			r.ask(t.missing(f, sl))
		}
	case sl.form == aPeriod:
		r.period(g.action.fields, sp.value.(days))
	case sl.form == aPostal:
		r.args[f.Name], _ = postalAddress(words(g.s.said, g.s.list[sp.i:sp.j])) // only such words are taken
	case sp.value != nil && sl.form == aCount && g.doc.minus:
		r.args[f.Name] = json.Number("-" + fmt.Sprint(sp.value))
	case sp.value != nil:
		r.args[f.Name] = sp.value
	default:
		t.freeText(g, f, sl, sp, r)
	}
}

// take takes the answer to a question: a value, or a record with the part that is meant.
func (t *talk) take(f schema.Field, v any, r *resolution) {
	if both, is := v.(map[string]any); is && f.Entity != "" {
		maps.Copy(r.args, both)
		return
	}
	r.args[f.Name] = v
}

// missing asks for a value.
func (t *talk) missing(f schema.Field, sl *slot) *question {
	q := &question{field: f.Name, text: t.lang.say("what is", label(f))}
	switch sl.form {
	case aChoice:
		q.text = t.lang.say("which", label(f))
		for _, v := range f.Enum {
			q.options = append(q.options, bus.Option{Value: v, Title: v})
		}
		if f.Kind == "boolean" {
			q.text = t.lang.say("yes no", f.Label())
			q.options = []bus.Option{{Value: true, Title: t.lang.say("yes")}, {Value: false, Title: t.lang.say("no")}}
		}
	case aCount:
		q.text = t.lang.say("how many")
		for n := 1; n <= 3; n++ {
			q.options = append(q.options, bus.Option{Value: n, Title: fmt.Sprint(n)})
		}
	}
	return q
}

// freeText takes text as it was said.
func (t *talk) freeText(g *guess, f schema.Field, sl *slot, sp span, r *resolution) {
	said := strings.Trim(words(g.s.said, g.s.list[sp.i:sp.j]), " ,;:")
	if f.Name == "requestId" && t.lang.has("pronouns", g.s.list[sp.i].word) {
		said = t.focus["request"]
	}
	if said == "" {
		r.ask(t.missing(f, sl))
		return
	}
	r.args[f.Name] = text.WithoutIDs(said)
}

// period puts days into the fields that an action has for them.
func (r *resolution) period(fields []schema.Field, d days) {
	whole, since := schema.Named(fields, "period"), schema.Named(fields, "since")
	switch {
	case !d.since && d.name != "" && slices.Contains(whole.Enum, d.name):
		r.args["period"] = d.name
	case d.since && d.name != "" && slices.Contains(since.Enum, d.name):
		r.args["since"] = d.name
	default:
		r.args["from"] = d.from.Format("2006-01-02")
		if !d.to.IsZero() {
			r.args["to"] = d.to.Format("2006-01-02")
		}
	}
}

// saidWords are the words of a span that can name a record: without articles, containers and the kind of record.
func (t *talk) saidWords(g *guess, f schema.Field, list []token) (said []string, query string) {
	kinds := append(strings.Fields(text.SplitName(f.Entity)), text.Words(f.Label())...)
	var kept []token
	for i, tok := range list {
		kind := slices.ContainsFunc(kinds, func(k string) bool { return t.lang.stem(k) == tok.stem })
		sized := i+1 < len(list) && t.lang.has("units", list[i+1].word)
		if tok.quoted || sized || !(tok.noise && tok.text == tok.word) && !kind && tok.word != "'s" &&
			!(t.lang.has("containers", tok.word) && i < len(list)-1) {
			kept = append(kept, tok)
		}
	}
	named := slices.DeleteFunc(slices.Clone(kept), func(tok token) bool {
		return !tok.quoted && (tok.common || t.lang.has("pronouns", tok.word)) && tok.text == tok.word
	})
	if len(named) > 0 {
		kept = named
	}
	if len(kept) == 0 {
		kept = list
	}
	var names []string
	for _, tok := range kept {
		if tok.quoted || !strings.ContainsAny(tok.word[:1], "0123456789.") && !t.lang.has("units", tok.word) &&
			!t.lang.has("numbers", tok.word) {
			names = append(names, tok.text)
		}
	}
	var all []string
	for _, tok := range kept {
		all = append(all, tok.text)
	}
	if len(names) == 0 {
		names = all
	}
	return t.plain(strings.Join(all, " ")), strings.Join(names, " ")
}

// record1 settles the id of a record.
func (t *talk) record1(g *guess, f schema.Field, sp span, said bool, r *resolution) {
	if !said {
		t.unsaid(g, f, r)
		return
	}
	list := g.s.list[sp.i:sp.j]
	list = t.pieces(g, list)[0]
	if m := list[0].mention; m != nil && len(list) == 1 {
		r.args[f.Name] = m.ID
		return
	}
	src, known := t.source(g.action.tool, f.Entity)
	if !known {
		r.doubt += 0.3
		return
	}
	if id, is := t.pointed(f, list); is {
		r.args[f.Name] = id
		return
	}
	if len(list) < 3 && t.lang.has("pronouns", list[0].word) && t.focus[f.Entity] == "" {
		t.opened(f, src, r)
		return
	}
	plain, query := t.saidWords(g, f, list)
	items, ready, last := t.found(g, src, f, list, query, r)
	if !ready {
		return
	}
	if last && len(items) > 0 {
		r.args[f.Name] = items[0].id
		return
	}
	best, grade := pick(items, plain)
	if bare := t.lang.bare(query); bare != query && len(best) == 0 {
		if items, ready = t.list(src, bare, r, nil); !ready {
			return
		}
		best, grade = pick(items, plain)
	}
	t.choose(g, f, src, best, grade, words(g.s.said, list), r)
}

// pointed is the record that a pronoun stands for.
func (t *talk) pointed(f schema.Field, list []token) (string, bool) {
	if t.focus[f.Entity] == "" {
		return "", false
	}
	for i, tok := range list {
		pronoun := t.lang.has("pronouns", tok.word) && !tok.quoted
		if !pronoun && !tok.noise && (i == 0 || t.lang.stem(f.Entity) != tok.stem) {
			return "", false
		}
	}
	return t.focus[f.Entity], t.lang.is("pronouns", list[:1]) || list[0].noise
}

// opened settles a record that is open before the person: the one of those whose id the source knows.
func (t *talk) opened(f schema.Field, src source, r *resolution) {
	for _, id := range slices.Backward(t.open) {
		if !strings.ContainsAny(id, "0123456789_") || src.query == "" {
			continue
		}
		list, ready := t.list(src, id, r, nil)
		if !ready {
			return
		}
		for _, rec := range list {
			if rec.id == id {
				r.args[f.Name] = id
				return
			}
		}
	}
	r.doubt += 0.2
	r.ask(&question{field: f.Name, text: t.lang.say("which", label(f))})
}

// found are the records that a source lists for words; last: the latest of them is meant.
func (t *talk) found(g *guess, src source, f schema.Field, list []token, query string, r *resolution) (
	items []record, ready, last bool) {
	more := map[string]any{}
	var rest []token
	for _, tok := range list {
		if t.lang.has("newest", tok.word) && len(list) > 1 {
			last = true
			continue
		}
		rest = append(rest, tok)
	}
	if last {
		_, query = t.saidWords(g, f, rest)
		for _, of := range schema.Fields(src.tool.Input) {
			if of.Entity != "" && t.lang.has("pronouns", rest[0].word) && t.focus[of.Entity] != "" {
				more[of.Name], query = t.focus[of.Entity], ""
			}
		}
		if t.lang.stem(query) == t.lang.stem(f.Entity) {
			query = ""
		}
	}
	items, ready = t.list(src, query, r, more)
	return items, ready, last
}

// choose takes the one record that was named, or asks which of several is meant.
func (t *talk) choose(g *guess, f schema.Field, src source, best []record, grade int, said string, r *resolution) {
	said = text.Clean(said, 80)
	switch {
	case len(best) == 0:
		r.doubt += 0.4
		q := &question{field: f.Name, text: t.lang.say("none called", label(f), said)}
		if src.query == "" {
			all, _ := t.list(src, "", r, nil)
			q.text, q.options = q.text+" "+t.lang.say("of these"), options(f.Name, g.action, all)
		}
		r.ask(q)
	case grade <= beginNamed && g.action.tool.SideEffect != bus.Pure:
		r.doubt += 0.1
		q := &question{field: f.Name, text: t.lang.say("near", label(f), said, best[0].name),
			options: options(f.Name, g.action, best[:1])}
		if len(best) > 1 {
			q.text = t.lang.say("which said", label(f), said)
			q.options = options(f.Name, g.action, best)
		}
		r.ask(q)
	case len(best) > 1:
		r.ask(&question{field: f.Name, text: t.lang.say("which said", label(f), said),
			options: options(f.Name, g.action, best)})
	default:
		r.doubt -= 0.05
		t.take(f, best[0].value(f.Name, g.action), r)
	}
}

// unsaid finds the record of a field that the sentence does not name: the default of its list, or the only record in
// it. Otherwise it asks.
func (t *talk) unsaid(g *guess, f schema.Field, r *resolution) {
	if !f.Required && !f.Wanted {
		return
	}
	src, known := t.source(g.action.tool, f.Entity)
	if !known {
		if f.Required {
			r.ask(&question{field: f.Name, text: t.lang.say("which", label(f))})
		}
		return
	}
	list, ready := t.list(src, "", r, nil)
	if !ready {
		return
	}
	if src.query == "" {
		for _, rec := range list {
			if isDefault, _ := rec.data["default"].(bool); isDefault || len(list) == 1 {
				r.args[f.Name] = rec.id
				r.notes = append(r.notes, t.lang.say("default", f.Label(), rec.name))
				return
			}
		}
	}
	if f.Required || len(list) > 1 {
		r.ask(&question{field: f.Name, text: t.lang.say("which", label(f)), options: options(f.Name, g.action, list)})
	}
}

// pieces parts things that are named one after the other: "the mug, two filters and a kettle".
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

// entries settles a list of records: how many of what, and what instead.
func (t *talk) entries(g *guess, sl *slot, sp span, said bool, r *resolution) {
	var names []schema.Field
	var count schema.Field
	for _, e := range sl.entry {
		if e.Entity != "" {
			names = append(names, e)
		} else if e.Kind == "integer" {
			count = e
		}
	}
	src, known := t.source(g.action.tool, names[0].Entity)
	if !known || !said && !sl.field.Required {
		return
	}
	there, ready := t.list(src, "", r, nil)
	if !ready {
		return
	}
	if !said {
		r.ask(&question{field: sl.name, text: t.lang.say("which", label(sl.field)), options: options("", nil, there)})
		return
	}
	list := g.s.list[sp.i:sp.j]
	named := slices.ContainsFunc(list, func(tok token) bool { return !tok.noise && !tok.common })
	if len(names) == 1 && (t.lang.is("all", list) || !named) {
		var all []any
		for _, rec := range there {
			all = append(all, entryOf(names[0], rec.id, map[string]any{}))
		}
		r.args[sl.name] = all
		return
	}
	var out []any
	all := pieces(t.lang, list)
	for _, piece := range all {
		one, ok := t.entry(g, sl, names, count, piece, there, r)
		if !ok {
			if r.asked != nil && len(all) > 1 {
				r.asked.options = nil // one answer is not all of it
			}
			return
		}
		out = append(out, one)
	}
	r.args[sl.name] = out
}

// entry settles one thing of a list: how many of what, and what comes in its place.
func (t *talk) entry(g *guess, sl *slot, names []schema.Field, count schema.Field, piece []token, there []record,
	r *resolution) (any, bool) {
	one := map[string]any{}
	part := &sentence{lang: t.lang, said: g.s.said, list: piece}
	if n, value := part.numeral(0); n > 0 && n < len(piece) && !t.lang.has("units", piece[n].word) {
		if piece = piece[n:]; count.Name != "" {
			one[count.Name] = json.Number(value)
		}
	}
	said := [][]token{piece, nil}
	for i := 1; i < len(piece)-1 && len(names) > 1; i++ {
		if n, _ := t.lang.at("replacing", piece, i); n > 0 {
			said = [][]token{piece[:i], piece[i+n:]}
		}
	}
	var before record
	for k, f := range names[:min(2, len(names))] {
		if k > 0 {
			src, known := t.source(g.action.tool, f.Entity)
			if !known {
				return nil, false
			}
			others, ready := t.list(src, "", r, nil)
			if !ready {
				return nil, false
			}
			there = slices.DeleteFunc(others, func(o record) bool { return o.id == before.id || !alike(before, o, names) })
		}
		best, grade := there, notNamed
		if len(said[k]) > 0 {
			plain, _ := t.saidWords(g, f, said[k])
			best, grade = pick(there, plain)
			if k > 0 {
				best = nearestTo(before, best)
			}
		}
		if len(best) != 1 || grade == notNamed {
			if len(best) == 0 {
				best = there
			}
			q := &question{field: sl.name, text: t.lang.say("which", label(sl.field))}
			if k == len(names)-1 { // it completes the entry
				q.options = options("", nil, best)
			}
			for i := range q.options {
				q.options[i].Value = []any{entryOf(f, best[i].id, one)}
			}
			r.ask(q)
			return nil, false
		}
		before = best[0]
		if f.Name == "" {
			return before.id, true
		}
		one[f.Name] = before.id
	}
	return one, true
}

// entryOf is an entry with one more record.
func entryOf(f schema.Field, id string, beside map[string]any) any {
	if f.Name == "" {
		return id
	}
	one := maps.Clone(beside)
	one[f.Name] = id
	return one
}

// nearestTo keeps the records that share most words with another.
func nearestTo(before record, list []record) (best []record) {
	most := -1
	for _, rec := range list {
		n := 0
		for _, w := range rec.words {
			if slices.Contains(before.words, w) {
				n++
			}
		}
		if n > most {
			best, most = nil, n
		}
		if n == most {
			best = append(best, rec)
		}
	}
	return best
}

// alike reports whether two records are of the same thing, by the first id of something else that both have.
func alike(a, b record, names []schema.Field) bool {
	for _, k := range slices.Sorted(maps.Keys(a.data)) {
		id, is := a.data[k].(string)
		own := slices.ContainsFunc(names, func(f schema.Field) bool { return f.Name == k })
		if is && !own && k != "id" && strings.HasSuffix(k, "Id") && b.data[k] != nil {
			return b.data[k] == id
		}
	}
	return true
}

// sized reports whether a record is named by a size that it comes in: "1 kg of it" is one of these.
func (g *guess) sized() bool {
	for _, sl := range g.action.slots {
		if sp, said := g.spans[sl.name]; said && sl.form == aRecord && g.s.inFound(aSize, sp.i) {
			return true
		}
	}
	return false
}
