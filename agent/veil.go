package agent

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/deskhand/deskhand/bus"
)

// keywordPersonal marks a field of a schema that says something about a person.
const keywordPersonal = "x-personal"

// veil puts placeholders in place of personal values in all that a model is told,
// and the values back in all that it says. Which values are personal is known from
// the marked fields of results; from then on they are veiled wherever they stand,
// in the person's own words too. It belongs to a conversation and is safe for
// concurrent use.
type veil struct {
	mu     sync.Mutex        // guards the rest
	names  map[string]string // placeholder by value
	values map[string]string // value by placeholder
	order  []string          // values, the longest first
}

// veilMark stands at both ends of a placeholder.
const veilMark = "§"

// leastVeiled is how short a value may be: what is shorter is in every word.
const leastVeiled = 3

// learn collects the personal values of an output.
func (v *veil) learn(schema, data json.RawMessage) {
	var root map[string]any
	var value any
	if json.Unmarshal(schema, &root) != nil || json.Unmarshal(data, &value) != nil {
		return
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	marked(root, root, value, keywordPersonal, 0, func(found any) { _ = mapText(found, func(s string) string { v.add(s); return s }) })
}

// add gives a value its placeholder. The caller holds v.mu.
func (v *veil) add(value string) {
	value = strings.TrimSpace(value)
	if utf8.RuneCountInString(value) < leastVeiled || v.names[value] != "" || strings.Contains(value, veilMark) {
		return
	}
	if v.names == nil {
		v.names, v.values = map[string]string{}, map[string]string{}
	}
	name := fmt.Sprintf("%sP%d%s", veilMark, len(v.names)+1, veilMark)
	v.names[value], v.values[name] = name, value
	at, _ := slices.BinarySearchFunc(v.order, value, func(a, b string) int { return len(b) - len(a) })
	v.order = slices.Insert(v.order, at, value)
}

// over veils a text. A value counts only where it stands as words of its own.
func (v *veil) over(text string) string {
	v.mu.Lock()
	defer v.mu.Unlock()
	for _, value := range v.order {
		if strings.Contains(text, value) {
			text = replaceWord(text, value, v.names[value])
		}
	}
	return text
}

// overJSON veils the texts in a JSON document; what is none is veiled as text.
func (v *veil) overJSON(raw string) string {
	value, err := exactly(json.RawMessage(raw))
	if err != nil {
		return v.over(raw)
	}
	out, err := json.Marshal(mapText(value, v.over))
	if err != nil {
		return v.over(raw)
	}
	return string(out)
}

// off puts the values back.
func (v *veil) off(text string) string {
	if !strings.Contains(text, veilMark) {
		return text
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	for name, value := range v.values {
		text = strings.ReplaceAll(text, name, value)
	}
	return text
}

// offJSON puts the values back into the texts of a JSON document.
func (v *veil) offJSON(raw json.RawMessage) json.RawMessage {
	if !strings.Contains(string(raw), veilMark) && !strings.Contains(string(raw), `\u00a7`) {
		return raw
	}
	value, err := exactly(raw)
	if err != nil {
		return raw
	}
	out, err := json.Marshal(mapText(value, v.off))
	if err != nil {
		return raw
	}
	return out
}

// veiled is a request as a model is told it.
func (v *veil) veiled(req Request) Request {
	messages := make([]Message, len(req.Messages))
	for i, m := range req.Messages {
		if m.Role == RoleTool {
			m.Text = v.overJSON(m.Text)
		} else {
			m.Text, m.Note = v.over(m.Text), v.over(m.Note)
		}
		calls := slices.Clone(m.Calls)
		for j := range calls {
			calls[j].Arguments = json.RawMessage(v.overJSON(string(calls[j].Arguments)))
		}
		m.Calls = calls
		messages[i] = m
	}
	req.Messages = messages
	return req
}

// unveiled is a reply as the person reads it and the application runs it.
func (v *veil) unveiled(r Reply) Reply {
	r.Text = v.off(r.Text)
	for i := range r.Calls {
		r.Calls[i].Arguments, r.Calls[i].Broken = v.offJSON(r.Calls[i].Arguments), v.off(r.Calls[i].Broken)
	}
	return r
}

// unveiling hands on the pieces of a reply with the values put back. A piece that
// ends within a placeholder waits for the next; flush hands on what is left.
func (v *veil) unveiling(onDelta func(Delta)) (piece func(Delta), flush func()) {
	held := ""
	give := func(text string) {
		if text != "" {
			onDelta(Delta{Text: v.off(text)})
		}
	}
	piece = func(d Delta) {
		held += d.Text
		cut := len(held)
		if at := strings.LastIndex(held, veilMark); at >= 0 && strings.Count(held, veilMark)%2 == 1 && len(held)-at < longestVeil {
			cut = at
		}
		give(held[:cut])
		held = held[cut:]
	}
	return piece, func() { give(held); held = "" }
}

const longestVeil = 16

// replaceWord replaces what stands as words of its own.
func replaceWord(text, old, with string) string {
	var b strings.Builder
	for {
		at := strings.Index(text, old)
		if at < 0 {
			b.WriteString(text)
			return b.String()
		}
		before, _ := utf8.DecodeLastRuneInString(text[:at])
		after, _ := utf8.DecodeRuneInString(text[at+len(old):])
		b.WriteString(text[:at])
		if at > 0 && isWordRune(before) || isWordRune(after) {
			b.WriteString(old)
		} else {
			b.WriteString(with)
		}
		text = text[at+len(old):]
	}
}

func isWordRune(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

// mapText is v with other texts; names of fields stay.
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
		for key, sub := range t {
			out[key] = mapText(sub, change)
		}
		return out
	}
	return v
}

// personalFields lists the marked fields of a schema, by name.
func personalFields(schema json.RawMessage) (names []string) {
	var root any
	if json.Unmarshal(schema, &root) != nil {
		return nil
	}
	var walk func(node any)
	walk = func(node any) {
		switch t := node.(type) {
		case map[string]any:
			properties, _ := t["properties"].(map[string]any)
			for name, sub := range properties {
				if s, ok := sub.(map[string]any); ok && s[keywordPersonal] == true {
					names = append(names, name)
				}
			}
			for _, sub := range t {
				walk(sub)
			}
		case []any:
			for _, sub := range t {
				walk(sub)
			}
		}
	}
	walk(root)
	return names
}

// leaves lists the personal fields that an assistant may read and that leave the
// machine with what it is told.
func leaves(b *bus.Bus) []string {
	var names []string
	for _, c := range b.Capabilities() {
		if c.AgentHidden || c.Access.Agent == bus.RuleDeny {
			continue
		}
		for _, name := range personalFields(c.OutputSchema) {
			names = append(names, capitalise(words(name)))
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}
