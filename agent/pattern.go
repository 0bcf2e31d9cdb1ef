package agent

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"
)

// element is one part of a pattern: a word, or a slot that takes words.
type element struct {
	word string
	slot string
}

// pattern is what a capability's example sentences teach: ways to begin and
// parts that may follow in any order.
type pattern struct {
	tool   Tool
	fields []field
	heads  [][]element
	tails  [][]element
}

var slotForm = regexp.MustCompile(`\{([A-Za-z0-9_]+)\}`)

// learnPattern reads a tool's phrases; its title counts as one.
func learnPattern(t Tool) *pattern {
	p := &pattern{tool: t, fields: readSchema(t.Input)}
	for _, phrase := range append(slices.Clone(t.Phrases), t.Title) {
		p.learn(elements(phrase))
	}
	return p
}

// elements splits a phrase into words and slots. Noise is left out: sentences
// may have it anywhere.
func elements(phrase string) []element {
	var list []element
	plain := func(s string, before bool) {
		if before && strings.HasPrefix(s, "'s") || strings.HasPrefix(s, "’s") {
			s = "}" + s // the possessive of a slot
		}
		for _, t := range canonical(tokenise(s)) {
			if !noise[t.word] {
				list = append(list, element{word: t.word})
			}
		}
	}
	at := 0
	for _, m := range slotForm.FindAllStringSubmatchIndex(phrase, -1) {
		plain(phrase[at:m[0]], at > 0)
		list = append(list, element{slot: phrase[m[2]:m[3]]})
		at = m[1]
	}
	plain(phrase[at:], at > 0)
	return list
}

// learn cuts a phrase where a linking word begins a new part. Each part after
// the first may be left out, since what it says may also be known otherwise.
func (p *pattern) learn(list []element) {
	if len(list) == 0 || list[0].word == "" {
		return // a sentence must begin with a word of its own to be a command
	}
	for _, e := range list {
		if e.slot != "" && p.field(e.slot) == nil {
			return
		}
	}
	cut := p.cuts(list)
	head := list[:cut[0]]
	p.addHead(head)
	for i, from := range cut[:len(cut)-1] {
		p.addTail(list[from:cut[i+1]])
	}
}

// cuts lists where the parts after the head begin, and the end.
func (p *pattern) cuts(list []element) []int {
	var at []int
	for i := 1; i < len(list); i++ {
		if list[i].slot != "" {
			continue
		}
		first := len(at) == 0 && linking[list[i].word] && i+1 < len(list)
		// "… {a} by {b}" and "… {a} paid by {b}" both begin a part behind {a}.
		behind := list[i-1].slot != "" && list[i].word != "'s" &&
			(linking[list[i].word] || i+1 < len(list) && linking[list[i+1].word])
		if first || behind || (len(at) > 0 && linking[list[i].word] && hasSlot(list[at[len(at)-1]:i])) {
			at = append(at, i)
		}
	}
	return append(at, len(list))
}

func hasSlot(list []element) bool {
	return slices.ContainsFunc(list, func(e element) bool { return e.slot != "" })
}

// addHead adds a beginning and the shorter forms of it: without a quantity that
// need not be said, without closing slots when enough words remain.
func (p *pattern) addHead(head []element) {
	p.heads = appendNew(p.heads, head)
	for i, e := range head {
		if f := p.field(e.slot); f != nil && f.countable() && i+1 < len(head) && head[i+1].slot != "" {
			p.addHead(slices.Concat(head[:i], head[i+1:]))
		}
	}
	if last := len(head) - 1; last >= 2 && head[last].slot != "" && head[last-1].slot == "" {
		p.heads = appendNew(p.heads, head[:last])
	}
	p.heads = p.shorter(p.heads, head)
}

// addTail adds a part and its shorter forms: "paid by {x}" is understood as
// "by {x}" too, "to {x}'s list" as "to the list".
func (p *pattern) addTail(tail []element) {
	p.tails = appendNew(p.tails, tail)
	if len(tail) > 2 && !linking[tail[0].word] && linking[tail[1].word] {
		p.tails = appendNew(p.tails, tail[1:])
	}
	p.tails = p.shorter(p.tails, tail)
}

// shorter adds the forms of a part whose owner is not named, and whose kind is
// not repeated: "the {x} page" is understood as "{x}" too.
func (p *pattern) shorter(to [][]element, part []element) [][]element {
	last := len(part) - 1
	if last >= 2 && part[last].slot == "" && part[last-1].slot != "" && !p.field(part[last-1].slot).freeText() {
		to = appendNew(to, part[:last])
	}
	for i, e := range part {
		if e.word == "'s" && i > 0 && part[i-1].slot != "" {
			to = appendNew(to, slices.Concat(part[:i-1], part[i+1:]))
		}
	}
	return to
}

func appendNew(to [][]element, one []element) [][]element {
	if len(one) == 0 || one[0].slot != "" && len(one) == 1 || slices.ContainsFunc(to, func(e []element) bool { return slices.Equal(e, one) }) {
		return to
	}
	return append(to, one)
}

func (p *pattern) field(name string) *field {
	for i := range p.fields {
		if p.fields[i].name == name {
			return &p.fields[i]
		}
	}
	return nil
}

// countable says that a number may go unsaid: it is optional, has a default, or
// counts from one, which is then meant.
func (f field) countable() bool {
	isNumber := f.kind == "integer" || f.kind == "number"
	return isNumber && (!f.required || f.def != nil || (f.min != nil && *f.min == 1))
}

// freeText says that any words are a value.
func (f field) freeText() bool {
	return f.kind == "string" && f.lookup == "" && len(f.enum) == 0 && f.format == ""
}

// longest is how many words a slot may take.
func (f field) longest() int {
	switch {
	case f.kind == "integer" || f.kind == "number" || f.format != "":
		return 3
	case f.freeText():
		return 60
	}
	return 10
}

// takes says whether words can be this field's value. text is what was written.
func (f field) takes(list []token, text string) bool {
	if f.lookup != "" {
		return true
	}
	_, ok := f.value(list, text)
	return ok
}

// value reads words as this field's value.
func (f field) value(list []token, text string) (any, bool) {
	plain := make([]string, len(list))
	for i, t := range list {
		plain[i] = t.word
	}
	switch {
	case len(f.enum) > 0:
		return f.choice(plain)
	case f.kind == "integer" || f.kind == "number":
		n, ok := number(plain)
		if !ok || f.kind == "integer" && n != float64(int64(n)) {
			return nil, false
		}
		return n, true
	case f.kind == "boolean":
		return yesNo(plain)
	case f.kind == "object":
		return money(text)
	case f.format == "date":
		return text, dateForm.MatchString(text)
	case f.kind == "string" || f.kind == "":
		return strings.Trim(text, `"“”'`), text != ""
	}
	return nil, false
}

var dateForm = regexp.MustCompile(`^\d{4}-\d\d-\d\d$`)

func yesNo(list []string) (any, bool) {
	if len(list) != 1 {
		return nil, false
	}
	switch list[0] {
	case "yes", "on", "to", "true": // "on" reads as "to" after canonical
		return true, true
	case "no", "off", "false":
		return false, true
	}
	return nil, false
}

var moneyForm = regexp.MustCompile(`^([$€£])?(\d{1,9})(?:\.(\d\d))?(?: ?([A-Za-z]{3}))?$`)

// money reads an amount with a currency sign or code: $12.50, 12.50 EUR.
func money(text string) (any, bool) {
	m := moneyForm.FindStringSubmatch(strings.TrimSpace(text))
	if m == nil || (m[1] == "") == (m[4] == "") {
		return nil, false
	}
	currency := map[string]string{"$": "USD", "€": "EUR", "£": "GBP"}[m[1]]
	if currency == "" {
		currency = strings.ToUpper(m[4])
	}
	minor := m[3]
	if minor == "" {
		minor = "00"
	}
	return map[string]any{"amount": json.Number(strings.TrimLeft(m[2], "0") + minor), "currency": currency}, true
}

// choice finds the one value of a closed set that is meant: all its words said,
// or the only one with the words that were said.
func (f field) choice(said []string) (any, bool) {
	kind := strings.Fields(words(f.name))
	var words []string
	for _, w := range said {
		if !noise[w] && !slices.Contains(kind, w) {
			words = append(words, w)
		}
	}
	if len(words) == 0 {
		return nil, false
	}
	var found []string
	for _, e := range f.enum {
		have := canonicalWords(e)
		if slices.Equal(have, canonicalWords(strings.Join(said, " "))) {
			return e, true
		}
		all := true
		for _, w := range words {
			all = all && (slices.Contains(have, w) || w == "it" || w == "'s" || w == "is")
		}
		if all {
			found = append(found, e)
		}
	}
	if len(found) != 1 {
		return nil, false
	}
	return found[0], true
}

func canonicalWords(s string) []string {
	var list []string
	for _, t := range canonical(tokenise(s)) {
		list = append(list, t.word)
	}
	return list
}
