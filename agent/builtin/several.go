package builtin

import (
	"slices"
	"strings"
	"unicode"

	"github.com/deskhand/deskhand/agent/internal/text"
)

// abbreviations end in a full stop that ends no sentence.
var abbreviations = set("st ave rd blvd ln apt no nr mr mrs ms dr prof jr sr vs etc approx inc ltd co")

// sentences cuts a text where a sentence ends: at . ! ? ; or a line's end,
// outside quotation marks and not behind an abbreviation.
func sentences(said string) []string {
	var runes []rune
	var at []int
	for i, r := range said {
		runes, at = append(runes, text.PlainQuote(r)), append(at, i)
	}
	at = append(at, len(said))
	inside := text.QuotedRunes(runes)
	var list []string
	from := 0
	cut := func(to int) {
		if s := strings.TrimSpace(said[at[from]:at[to]]); len(tokenise(s)) > 0 {
			list = append(list, s)
		}
		from = to
	}
	for i, r := range runes {
		last := i+1 == len(runes) || unicode.IsSpace(runes[i+1])
		switch {
		case inside[i] && !(r == '"' && i > 0 && strings.ContainsRune(".!?", runes[i-1])):
		case r == '\n', r == ';', last && (r == '!' || r == '?'), last && r == '.' && !abbreviated(runes[from:i]):
			cut(i + 1)
		}
	}
	cut(len(runes))
	return list
}

// abbreviated says that the word before a full stop is short for another.
func abbreviated(before []rune) bool {
	i := len(before)
	for i > 0 && unicode.IsLetter(before[i-1]) {
		i--
	}
	w := text.Fold(string(before[i:]))
	return abbreviations[w] || len(w) == 1 && w != "a" && w != "i"
}

// listed makes several readings of one that names several things: "two pens and
// one ink" is two pens, and one ink. Every thing but the first must have a number
// or an article of its own, since "and" may also be part of a name.
func (r reading) listed(text string) []reading {
	for _, f := range r.pattern.fields {
		s, said := r.slots[f.Name]
		if !said || f.Lookup == "" {
			continue
		}
		groups := things(s.tokens)
		if len(groups) < 2 {
			continue
		}
		var all []reading
		for i, g := range groups {
			one, ok := r.thing(text, f, g, i == 0)
			if !ok {
				return []reading{r}
			}
			all = append(all, one)
		}
		return all
	}
	return []reading{r}
}

// things cuts the words of a slot at "and" and commas.
func things(list []token) [][]token {
	groups := [][]token{nil}
	for i, t := range list {
		if i > 0 && !t.quoted && t.comma && len(groups[len(groups)-1]) > 0 && !saysMore(list[i:]) {
			groups = append(groups, nil)
		}
		if t.word == "and" && !t.quoted && len(groups[len(groups)-1]) > 0 {
			groups = append(groups, nil)
			continue
		}
		if n := len(groups) - 1; len(groups[n]) > 0 || t.word != "and" {
			groups[n] = append(groups[n], t)
		}
	}
	return slices.DeleteFunc(groups, func(g []token) bool { return len(g) == 0 })
}

// saysMore says that what stands behind a comma tells more of the thing before it,
// as in "a kilo of the beans, ground, and a brush": no number, no article, one word.
func saysMore(list []token) bool {
	_, counts := number(plainWords(list[:1]))
	return !counts && !noise[list[0].word] && list[0].word != "and" && (len(list) == 1 || list[1].word == "and" || list[1].comma && counted(list[1:]))
}

// counted says that a number or an article begins the list.
func counted(list []token) bool {
	_, counts := number(plainWords(list[:1]))
	return counts || articles[list[0].word]
}

// thing is the reading for one of several things.
func (r reading) thing(text string, f field, list []token, first bool) (reading, bool) {
	lead := r.slots[f.Name].lead
	if !first {
		lead = nil
		count, n := r.pattern.leadingCount(text, list)
		if n > 0 {
			r = r.bind(count.Name, slotText{text: text[list[0].start:list[n-1].end], tokens: list[:n]})
			list = list[n:]
		} else if c := r.pattern.count(); c != nil {
			r = r.bind(c.Name, slotText{})
			delete(r.slots, c.Name)
		}
		for len(list) > 1 && noise[list[0].word] {
			lead, list = append(lead, list[0]), list[1:]
		}
		if n == 0 && !slices.ContainsFunc(lead, func(t token) bool { return articles[t.word] }) {
			return reading{}, false
		}
	}
	if len(list) == 0 {
		return reading{}, false
	}
	return r.bind(f.Name, slotText{text: text[list[0].start:list[len(list)-1].end], tokens: list, lead: lead}), true
}

// count is the field that says how many, nil for none.
func (p *pattern) count() *field {
	for i := range p.fields {
		if p.fields[i].countable() && p.fields[i].Required {
			return &p.fields[i]
		}
	}
	return nil
}

// leadingCount reads how many there are from the first n words, with at least
// one word left for the name.
func (p *pattern) leadingCount(text string, list []token) (f *field, n int) {
	f = p.count()
	if f == nil {
		return nil, 0
	}
	for n = min(3, len(list)-1); n > 0; n-- {
		if _, ok := f.value(list[:n], text[list[0].start:list[n-1].end]); ok && !list[0].quoted {
			return f, n
		}
	}
	return nil, 0
}
