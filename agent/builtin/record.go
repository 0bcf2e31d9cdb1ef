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

// record is one record of a list, with the words that may name it.
type record struct {
	id    string
	name  string
	words []string
	data  map[string]any
	parts []record // its parts, such as sizes or colours
	field string   // of a part: the argument that takes its id, such as sizeId
	meant bool     // the search matched exactly one part, by its code: parts has only that one
	owner *record  // the record that it belongs to: the guest of a booking
	kind  string   // of an owner: the field of the result that held it, such as "guest"
	lang  *language
}

// source describes the list of a kind of record.
type source struct {
	tool    model.Tool
	pointer string
	query   string // the argument for search words; "": it has none
}

func (t *talk) source(of model.Tool, entity string) (source, bool) {
	return sourceOf(t.tools, of, entity)
}

func sourceOf(tools []model.Tool, of model.Tool, entity string) (source, bool) {
	capability, pointer, _ := strings.Cut(of.Sources[entity], "#")
	tool, known := toolOf(tools, capability)
	if !known {
		return source{}, false
	}
	src := source{tool: tool, pointer: pointer}
	for _, f := range schema.Fields(tool.Input) {
		if f.Kind == "string" && f.Entity == "" && len(f.Enum) == 0 && f.Format == "" && src.query == "" &&
			(f.Name == "query" || f.Required) {
			src.query = f.Name
		}
	}
	return src, true
}

// sourceOfKind finds a list of the records of a kind among all tools.
func (t *talk) sourceOfKind(kind string) (source, bool) {
	for _, tool := range t.tools {
		if src, known := t.source(tool, kind); known && src.query != "" {
			return src, true
		}
	}
	return source{}, false
}

// list returns the records of a source for a query and for the arguments known so far; more adds arguments. If they are
// not looked up yet, ready is false: list adds the call to r.need, or sets r.waits if a required argument is unknown.
func (t *talk) list(src source, query string, r *resolution, more map[string]any) (list []record, ready bool) {
	args := map[string]any{}
	for _, f := range schema.Fields(src.tool.Input) {
		if v, known := r.args[f.Name]; known && f.Entity != "" {
			args[f.Name] = v
		} else if v, known := more[f.Name]; known {
			args[f.Name] = v
		} else if f.Required && f.Name != src.query {
			r.waits = true
			return nil, false
		}
	}
	if src.query != "" && query != "" {
		args[src.query] = query
	}
	raw, _ := json.Marshal(args) // of strings and ids
	call := model.Call{Tool: src.tool.Name, Arguments: raw}
	made, at := t.made(call, r.from, r.end, nil)
	if at < 0 {
		r.need = append(r.need, call)
		return nil, false
	}
	return t.records(src.pointer, t.result(made.ID, at, r.end).Data), true
}

// records reads a list from a result.
func (t *talk) records(pointer string, data json.RawMessage) (list []record) {
	var v any
	_ = json.Unmarshal(data, &v) // a refused call has none
	for name := range strings.SplitSeq(strings.TrimPrefix(pointer, "/"), "/") {
		m, _ := v.(map[string]any)
		v = m[name]
	}
	items, _ := v.([]any)
	for _, it := range items {
		if m, is := it.(map[string]any); is {
			list = append(list, t.record(m, "id", true))
		}
	}
	return list
}

// record reads one record: its id, its name, the words that may name it, and its parts.
func (t *talk) record(m map[string]any, idField string, deep bool) record {
	rec := record{data: m, name: text.NameOf(m), field: idField, lang: t.lang}
	rec.id, _ = m[idField].(string)
	names := append([]string{"id", "name", "title", "label", "number", "email", "phone", "text"}, t.b.codes...)
	for _, k := range names {
		if v, is := m[k].(string); is {
			rec.words = append(rec.words, t.plain(v)...)
		}
	}
	if options, is := m["options"].(map[string]any); is {
		for _, name := range slices.Sorted(maps.Keys(options)) {
			rec.words = append(rec.words, t.plain(fmt.Sprint(options[name]))...)
		}
	}
	if deep {
		t.related(&rec)
	}
	return rec
}

// related reads the owner of a record and its parts.
func (t *talk) related(rec *record) {
	m := rec.data
	for _, k := range slices.Sorted(maps.Keys(m)) {
		if of, is := m[k].(map[string]any); is && of["id"] != nil && text.NameOf(of) != "" && rec.owner == nil {
			owner := t.record(of, "id", false)
			owner.kind, rec.owner = k, &owner
		}
	}
	for _, k := range slices.Sorted(maps.Keys(m)) { // by name, so that the order is always the same
		list, is := m[k].([]any)
		if !is || !strings.HasSuffix(k, "s") {
			continue
		}
		for _, e := range list {
			if part, is := e.(map[string]any); is && part["id"] != nil {
				p := t.record(part, "id", false)
				p.field = strings.TrimSuffix(k, "s") + "Id"
				p.name = strings.TrimSpace(rec.name + " " + p.name)
				rec.parts = append(rec.parts, p)
			}
		}
	}
	for _, p := range rec.parts {
		if p.id == m["matched"+strings.ToUpper(p.field[:1])+p.field[1:]] {
			rec.meant, rec.parts = true, []record{p}
			return
		}
	}
}

// plain splits a text into comparable words: folded, each size as one word.
func (t *talk) plain(s string) (list []string) {
	said := &sentence{lang: t.lang, said: s, list: t.lang.tokens(s)}
	for i := 0; i < len(said.list); i++ {
		said.number(i)
		if f, is := said.findsAt(aSize, i); is {
			list = append(list, fmt.Sprint(f.value))
			i = f.j - 1
			continue
		}
		if tok := said.list[i]; tok.quoted {
			list = append(list, text.Words(tok.text)...)
		} else {
			word := text.Fold(tok.text)
			if short, is := t.lang.word("size words", word); is {
				word = short
			}
			list = append(list, word)
			if parts := strings.Split(text.Fold(tok.text), "-"); len(parts) > 1 {
				list = append(list, parts...)
			}
		}
	}
	return list
}

// The grades of a match between words and a record, best last.
const (
	notNamed = iota
	beginNamed
	wordsNamed
	fullyNamed
)

// names grades the match of words with a record, and returns the parts that match the remaining words.
func (rec record) names(said []string) (grade int, parts []record) {
	if rec.meant {
		return fullyNamed, rec.parts
	}
	if strings.Join(rec.words, " ") == strings.Join(said, " ") || strings.Join(said, " ") == text.Fold(rec.name) {
		return fullyNamed, nil
	}
	grade = beginNamed // words of one or two letters match too many records
	for _, w := range said {
		if len([]rune(w)) > 2 {
			grade = wordsNamed
		}
	}
	var left []string
	for _, w := range said {
		g := rec.has(w)
		if g < beginNamed && slices.ContainsFunc(rec.parts, func(p record) bool { return p.has(w) > g }) {
			left = append(left, w)
			continue
		}
		grade = min(grade, g)
	}
	for _, p := range rec.parts {
		all := len(left) > 0
		for _, w := range left {
			all = all && p.has(w) >= beginNamed
		}
		if all {
			parts = append(parts, p)
		}
	}
	if len(left) > 0 && len(parts) == 0 {
		return notNamed, nil
	}
	return grade, parts
}

// has grades a word as part of a record's words, also with another ending, such as a plural.
func (rec record) has(w string) int {
	grade := inWords(w, rec.words)
	if grade == wordsNamed || len(w) < 4 || rec.lang == nil {
		return grade
	}
	stem := rec.lang.stem(w)
	for _, have := range rec.words {
		if rec.lang.stem(have) == stem {
			return wordsNamed
		}
	}
	return grade
}

// byOwner reports whether every word names the owner of the record, and no word the record itself.
func (rec record) byOwner(said []string) bool {
	return rec.owner != nil && len(said) > 0 && !slices.ContainsFunc(said, func(w string) bool {
		own := slices.ContainsFunc(rec.words, func(have string) bool {
			return inWords(w, []string{have}) > notNamed && !slices.Contains(rec.owner.words, have)
		})
		return own || inWords(w, rec.owner.words) == notNamed
	})
}

// plurals are plural endings.
var plurals = []string{"s", "es", "n", "en", "e"}

// inWords grades the match of a word with a list of words.
func inWords(w string, list []string) int {
	best := notNamed
	for _, have := range list {
		ending, more := strings.CutPrefix(w, have)
		switch {
		case have == w, w+"s" == have, more && len(have) > 1 && slices.Contains(plurals, ending),
			sameNumber(have, w),
			numberIn(have) != "" && numberIn(have) == strings.TrimLeft(w, "0"):
			return wordsNamed
		case len(w) > 2 && strings.HasPrefix(have, w):
			best = max(best, beginNamed)
		}
	}
	return best
}

// sameNumber reports whether two long numbers differ only in leading zeros: codes on goods have several lengths.
func sameNumber(a, b string) bool {
	const long = 8
	return min(len(a), len(b)) >= long && strings.Trim(a+b, "0123456789") == "" &&
		strings.TrimLeft(a, "0") == strings.TrimLeft(b, "0")
}

// numberedForm matches codes of letters and digits, as applications use to number records.
var numberedForm = text.Late(`^\pL{1,4}-?0*([1-9]\d{2,})$`)

// numberIn returns the number in a code, which people say without its letters; "" for none.
func numberIn(code string) string {
	if m := numberedForm().FindStringSubmatch(code); m != nil {
		return m[1]
	}
	return ""
}

// pick finds the records that match the words best.
func pick(list []record, said []string) (best []record, grade int) {
	if len(said) == 0 {
		return list, wordsNamed
	}
	for _, rec := range list {
		g, parts := rec.names(said)
		if g == notNamed || g < grade {
			continue
		}
		if g > grade {
			best, grade = nil, g
		}
		if len(parts) == 1 {
			rec.parts, rec.name = parts, parts[0].name
			best = append(best, rec)
		} else if len(parts) > 1 {
			for _, p := range parts {
				one := rec
				one.parts, one.name = []record{p}, p.name
				best = append(best, one)
			}
		} else {
			rec.parts = nil
			best = append(best, rec)
		}
	}
	return best, grade
}

// value returns the value of a field for a record: its id. If other fields of the action take the ids of its part or
// its owner, the value is an object with all of them.
func (rec record) value(field string, a *action) any {
	all := map[string]any{field: rec.id}
	if a == nil {
		return rec.id
	}
	if id, known := rec.data[field].(string); known && id == "" { // such as a line without a link
		for _, f := range a.fields {
			if rec.data[f.Name] == rec.id {
				return map[string]any{f.Name: rec.id}
			}
		}
	}
	for _, f := range a.fields {
		if id, is := rec.data[f.Name].(string); is && id != "" && f.Entity != "" && f.Name != field {
			all[f.Name] = id
		}
		if len(rec.parts) == 1 && rec.parts[0].field == f.Name {
			all[f.Name] = rec.parts[0].id
		}
	}
	if len(all) == 1 {
		return rec.id
	}
	return all
}

// options returns the options for choosing among records.
func options(field string, a *action, list []record) (o []bus.Option) {
	list = list[:min(maxOptions, len(list))]
	for _, rec := range list {
		o = append(o, bus.Option{Value: rec.value(field, a), Title: rec.among(list)})
	}
	return o
}

// among returns the name of a record, with a text that distinguishes it from records of the same name.
func (rec record) among(list []record) string {
	same := slices.DeleteFunc(slices.Clone(list), func(other record) bool { return other.name != rec.name })
	for _, k := range []string{"label", "text", "number", "email", "phone"} {
		said, _ := rec.data[k].(string)
		shared := func(other record) bool { return other.id != rec.id && other.data[k] == rec.data[k] }
		if len(same) > 1 && said != "" && said != rec.name && !slices.ContainsFunc(same, shared) {
			return rec.name + " (" + text.Shown(said, 120) + ")"
		}
	}
	return rec.name
}

// maxOptions limits the options of a question.
const maxOptions = 8
