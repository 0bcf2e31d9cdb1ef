package mask

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/deskhand/deskhand/agent/internal/text"
	"github.com/deskhand/deskhand/agent/model"
)

// Mask replaces personal values in requests to a model with placeholders, and restores the values in its replies. A
// value is personal if a result or the context has it in a field marked x-personal. From then on Mask hides it
// everywhere, also in the person's words and in ids that contain it. It recognises mail addresses and phone numbers by
// their form. A Mask belongs to one conversation and is safe for concurrent use.
type Mask struct {
	// NameFields lists fields, in small letters, whose values are names of people, in addition to those that end in
	// "name".
	NameFields []string

	mu     sync.Mutex        // guards the rest
	names  map[string]string // placeholder by value
	values map[string]string // value by placeholder
	order  []hiddenText      // the longest first
	parts  map[string]bool   // parts of people's names, in small letters
}

// hiddenText is a value that no model may read.
type hiddenText struct {
	value, small string
	part         bool                  // of a name: it may also be an ordinary word, so its capital counts
	any, exact   func() *regexp.Regexp // its form in any case, and in its own case
}

// mark is at both ends of a placeholder.
const mark = "§"

var placeholder = text.Late(mark + `P\d+` + mark)

// minLength is the least length of a masked value: shorter ones occur in ordinary words.
const minLength = 3

// add gives a value its placeholder. The caller holds v.mu.
func (v *Mask) add(value string, part bool) {
	value = strings.TrimSpace(value)
	if utf8.RuneCountInString(value) < minLength || v.names[value] != "" || strings.Contains(value, mark) {
		return
	}
	if v.names == nil {
		v.names, v.values, v.parts = map[string]string{}, map[string]string{}, map[string]bool{}
	}
	name := fmt.Sprintf("%sP%d%s", mark, len(v.names)+1, mark)
	v.names[value], v.values[name] = name, value
	at, _ := slices.BinarySearchFunc(v.order, value, func(a hiddenText, b string) int { return len(b) - len(a.value) })
	v.order = slices.Insert(v.order, at, hiddenText{value: value, small: strings.ToLower(value), part: part,
		any:   text.Late("(?i)" + regexp.QuoteMeta(value)),
		exact: text.Late(regexp.QuoteMeta(value))})
}

// hide masks a text. It hides a value only as a whole word or words, in any case. It hides a part of a name in its own
// case; in the person's text also in small letters, unless it is an ordinary word too.
func (v *Mask) hide(text string, byPerson bool) string {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.learnForms(text, byPerson)
	small := strings.ToLower(text)
	for _, t := range v.order {
		if !strings.Contains(small, t.small) {
			continue
		}
		form := t.exact
		if !t.part || byPerson && !strings.Contains(alsoWords, " "+t.small+" ") {
			form = t.any
		}
		text = replaceWords(text, form(), v.names[t.value])
		small = strings.ToLower(text)
	}
	return text
}

// replaceWords replaces matches that are whole words.
func replaceWords(text string, form *regexp.Regexp, with string) string {
	for at := 0; ; {
		found := form.FindStringIndex(text[at:])
		if found == nil {
			return text
		}
		from, to := at+found[0], at+found[1]
		if !standsAlone(text, from, to) {
			at = to
			continue
		}
		text, at = text[:from]+with+text[to:], from+len(with)
	}
}

// hideJSON masks the texts in a JSON document. It masks a broken document as text.
func (v *Mask) hideJSON(raw string) string {
	hide := func(s string) string { return v.hide(s, false) }
	if out, err := mapJSON([]byte(raw), hide); err == nil {
		return string(out)
	}
	return hide(raw)
}

// mapJSON returns a JSON document with changed texts.
func mapJSON(raw json.RawMessage, change func(string) string) (json.RawMessage, error) {
	value, err := text.ParseJSON(raw)
	if err != nil {
		return nil, err
	}
	return json.Marshal(mapText(value, change))
}

// reveal restores the values in a text.
func (v *Mask) reveal(text string) string {
	if !strings.Contains(text, mark) {
		return text
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	return placeholder().ReplaceAllStringFunc(text, func(name string) string {
		return cmp.Or(v.values[name], name)
	})
}

// revealJSON restores the values in the texts of a JSON document.
func (v *Mask) revealJSON(raw json.RawMessage) json.RawMessage {
	if !strings.Contains(string(raw), mark) && !strings.Contains(string(raw), `\u00a7`) {
		return raw
	}
	out, err := mapJSON(raw, v.reveal)
	if err != nil {
		return raw
	}
	return out
}

// Request returns a request with placeholders, for the model.
func (v *Mask) Request(req model.Request) model.Request {
	messages := make([]model.Message, len(req.Messages))
	for i, m := range req.Messages {
		if m.Role == model.RoleTool {
			m.Text = v.hideJSON(m.Text)
		} else {
			m.Text, m.Context = v.hide(m.Text, m.Role == model.RoleUser), v.hide(m.Context, false)
			m.Thoughts = v.hide(m.Thoughts, false)
		}
		calls := slices.Clone(m.Calls)
		for j := range calls {
			calls[j].Arguments = json.RawMessage(v.hideJSON(string(calls[j].Arguments)))
		}
		m.Calls, m.Violations = calls, nil // violations may quote values
		messages[i] = m
	}
	req.Messages = messages
	return req
}

// Reply returns a reply with the values restored, for the person and the application.
func (v *Mask) Reply(r model.Reply) model.Reply {
	r.Text, r.Thoughts = v.reveal(r.Text), v.reveal(r.Thoughts)
	for i := range r.Calls {
		r.Calls[i].Arguments, r.Calls[i].Broken = v.revealJSON(r.Calls[i].Arguments), v.reveal(r.Calls[i].Broken)
	}
	return r
}

// Stream returns functions that pass on the pieces of a reply with the values restored. A piece that ends inside a
// placeholder waits for the next one; flush passes on the rest.
func (v *Mask) Stream(onDelta func(model.Delta)) (piece func(model.Delta), flush func()) {
	held := ""
	give := func(text string) {
		if text != "" {
			onDelta(model.Delta{Text: v.reveal(text)})
		}
	}
	piece = func(d model.Delta) {
		held += d.Text
		cut := len(held)
		if at := strings.LastIndex(held, mark); at >= 0 && strings.Count(held, mark)%2 == 1 &&
			len(held)-at < longestPlaceholder {
			cut = at
		}
		give(held[:cut])
		held = held[cut:]
	}
	return piece, func() { give(held); held = "" }
}

const longestPlaceholder = 16

// standsAlone reports whether a part of a text consists of whole words.
func standsAlone(text string, from, to int) bool {
	before, _ := utf8.DecodeLastRuneInString(text[:from])
	after, _ := utf8.DecodeRuneInString(text[to:])
	return (from == 0 || !isWordRune(before)) && !isWordRune(after)
}

// isWordRune also counts the marks of a placeholder, so that no value inside one is replaced.
func isWordRune(r rune) bool {
	return r == '_' || r == '§' || unicode.IsLetter(r) || unicode.IsDigit(r)
}

// mapText returns v with changed texts; the names of fields stay.
func mapText(v any, change func(string) string) any {
	switch t := v.(type) {
	case string:
		return change(t)
	case []any:
		out := make([]any, len(t))
		for i := range t {
			out[i] = mapText(t[i], change)
		}
		return out
	case map[string]any:
		out := make(map[string]any, len(t))
		for _, key := range slices.Sorted(maps.Keys(t)) { // placeholders are numbered in this order
			out[key] = mapText(t[key], change)
		}
		return out
	}
	return v
}
