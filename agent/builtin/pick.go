package builtin

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"

	"github.com/deskhand/deskhand/agent/builtin/internal/lexicon"
	"github.com/deskhand/deskhand/agent/internal/text"
	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/internal/jsonpointer"
)

// item is one entry of a looked-up list.
type item struct {
	lex     *lexicon.Lexicon
	id      string
	name    string   // for people
	primary []string // words of what it is called by
	other   []string // words of its remaining text
	chosen  bool     // default: true
	fields  map[string]any
}

// listAt reads the list at a JSON Pointer of a result's data.
func listAt(lex *lexicon.Lexicon, data json.RawMessage, pointer string) []item {
	var v any
	if json.Unmarshal(data, &v) != nil {
		return nil
	}
	at, _ := jsonpointer.At(v, pointer)
	list, _ := at.([]any)
	return itemsOf(lex, list)
}

// itemsOf reads the entries of a list that have an id.
func itemsOf(lex *lexicon.Lexicon, list []any) (items []item) {
	for _, e := range list {
		m, _ := e.(map[string]any)
		id, _ := m["id"].(string)
		if id == "" {
			continue
		}
		it := item{lex: lex, id: id, name: cmp.Or(text.NameOf(m), id), fields: m}
		it.chosen, _ = m["default"].(bool)
		for k, v := range m {
			switch s, isText := v.(string); {
			case !isText:
			case slices.Contains(called, k) || slices.Contains(lex.Codes, k):
				it.primary = append(it.primary, nameWords(s)...)
			default:
				it.other = append(it.other, nameWords(s)...)
			}
		}
		items = append(items, it)
	}
	return items
}

// called are the fields that say what a thing is called, in every domain.
var called = []string{"id", "name", "label", "title", "text", "number", "email", "phone", "status", "kind"}

// nameWords are the words of a name, the parts of compound ones, and "1 kg" written together as well.
func nameWords(s string) []string {
	list := text.Words(s)
	for i, w := range slices.Clone(list) {
		if i > 0 && lexicon.Units[w] != "" && lexicon.DigitFirst(list[i-1]) {
			whole, _ := lexicon.Size(list[i-1] + lexicon.Units[w])
			list = append(list, list[i-1]+lexicon.Units[w], whole)
		}
		if plain, ok := lexicon.Size(w); ok && plain != w {
			list = append(list, plain)
		}
		if long, ok := spelledOut[w]; ok {
			list = append(list, long)
		}
		for _, part := range strings.FieldsFunc(w, func(r rune) bool { return r == '-' || r == '/' }) {
			if len(part) >= 3 && part != w {
				list = append(list, part)
			}
		}
	}
	return list
}

// unsaid chooses when nothing was said: the default, or the only one.
func unsaid(items []item) (item, bool) {
	if len(items) > 1 {
		items = slices.DeleteFunc(slices.Clone(items), func(it item) bool { return !it.chosen })
	}
	if len(items) != 1 {
		return item{}, false
	}
	return items[0], true
}

// offered makes options of items, with titles that can be told from each other.
func offered(items []item) []bus.Option {
	count := map[string]int{}
	for _, it := range items {
		count[it.name]++
	}
	var options []bus.Option
	for _, it := range items {
		title := it.name
		if count[title] > 1 {
			title += " (" + it.distinction() + ")"
		}
		options = append(options, bus.Option{Value: it.id, Title: title})
	}
	return options
}

// distinction returns a value that distinguishes an item from others of its name.
func (it item) distinction() string {
	for _, k := range slices.Concat([]string{"email", "phone", "text", "subtitle"}, it.lex.Codes, []string{"number"}) {
		if s, ok := it.fields[k].(string); ok && s != "" && s != it.name {
			return text.Clean(s, 60)
		}
	}
	return it.id
}

var ordinals = map[string]int{"first": 0, "second": 1, "third": 2, "fourth": 3, "fifth": 4, "last": -1}

// chosenFrom reads an answer to a question with options: a position, or words that fit one of them.
func chosenFrom(options []bus.Option, answer string) (int, bool) {
	var said []string
	for _, w := range text.Words(answer) {
		if !lexicon.Noise[w] && w != "one" && w != "ones" && w != "number" || len(text.Words(answer)) == 1 {
			said = append(said, w)
		}
	}
	same := func(o bus.Option) bool { return text.Normalized(o.Title) == text.Normalized(answer) }
	if i := slices.IndexFunc(options, same); i >= 0 {
		return i, true
	}
	if len(options) == 1 && agreeing[strings.TrimSpace(text.Normalized(answer))] {
		return 0, true
	}
	if len(said) == 1 {
		if i, ok := ordinals[said[0]]; ok {
			if i < 0 {
				i = len(options) - 1
			}
			return i, i < len(options)
		}
	}
	var items []item
	for _, o := range options {
		items = append(items, item{id: o.Title, name: o.Title, primary: text.Words(o.Title)})
	}
	if len(said) > 0 {
		if top := pick(items, said); len(top) == 1 {
			return slices.IndexFunc(options, func(o bus.Option) bool { return o.Title == top[0].id }), true
		}
	}
	if len(said) == 1 {
		if n, ok := lexicon.Number(said); ok && n >= 1 && int(n) <= len(options) && n == float64(int(n)) {
			return int(n) - 1, true
		}
	}
	return 0, false
}
