package builtin

import (
	"slices"

	"github.com/deskhand/deskhand/agent/builtin/internal/lexicon"
)

// listed makes several readings of one that names several things: "two pens and one ink" is two pens, and one ink.
// Every thing but the first must have a number or an article of its own, since "and" may also be part of a name.
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
func things(list []lexicon.Token) [][]lexicon.Token {
	groups := [][]lexicon.Token{nil}
	for i, t := range list {
		if i > 0 && !t.Quoted && t.Comma && len(groups[len(groups)-1]) > 0 && !saysMore(list[i:]) {
			groups = append(groups, nil)
		}
		if t.Word == "and" && !t.Quoted && len(groups[len(groups)-1]) > 0 {
			groups = append(groups, nil)
			continue
		}
		if n := len(groups) - 1; len(groups[n]) > 0 || t.Word != "and" {
			groups[n] = append(groups[n], t)
		}
	}
	return slices.DeleteFunc(groups, func(g []lexicon.Token) bool { return len(g) == 0 })
}

// saysMore says that what stands behind a comma tells more of the thing before it,
// as in "a kilo of the beans, ground, and a brush": no number, no article, one word.
func saysMore(list []lexicon.Token) bool {
	_, counts := lexicon.Number(lexicon.PlainWords(list[:1]))
	return !counts && !lexicon.Noise[list[0].Word] && list[0].Word != "and" && (len(list) == 1 || list[1].Word == "and" || list[1].Comma && counted(list[1:]))
}

// counted says that a number or an article begins the list.
func counted(list []lexicon.Token) bool {
	_, counts := lexicon.Number(lexicon.PlainWords(list[:1]))
	return counts || lexicon.Articles[list[0].Word]
}

// thing is the reading for one of several things.
func (r reading) thing(text string, f field, list []lexicon.Token, first bool) (reading, bool) {
	lead := r.slots[f.Name].lead
	if !first {
		lead = nil
		count, n := r.pattern.leadingCount(text, list)
		if n > 0 {
			r = r.bind(count.Name, slotText{text: text[list[0].Start:list[n-1].End], tokens: list[:n]})
			list = list[n:]
		} else if c := r.pattern.count(); c != nil {
			r = r.bind(c.Name, slotText{})
			delete(r.slots, c.Name)
		}
		for len(list) > 1 && lexicon.Noise[list[0].Word] {
			lead, list = append(lead, list[0]), list[1:]
		}
		if n == 0 && !slices.ContainsFunc(lead, func(t lexicon.Token) bool { return lexicon.Articles[t.Word] }) {
			return reading{}, false
		}
	}
	if len(list) == 0 {
		return reading{}, false
	}
	return r.bind(f.Name, slotText{text: text[list[0].Start:list[len(list)-1].End], tokens: list, lead: lead}), true
}

// count is the field that says how many, nil for none.
func (p *pattern) count() *field {
	if i := slices.IndexFunc(p.fields, func(f field) bool { return f.countable() && f.Required }); i >= 0 {
		return &p.fields[i]
	}
	return nil
}

// leadingCount reads how many there are from the first n words, with at least one word left for the name.
func (p *pattern) leadingCount(text string, list []lexicon.Token) (f *field, n int) {
	f = p.count()
	if f == nil {
		return nil, 0
	}
	for n = min(3, len(list)-1); n > 0; n-- {
		if _, ok := f.value(list[:n], text[list[0].Start:list[n-1].End]); ok && !list[0].Quoted {
			return f, n
		}
	}
	return nil, 0
}
