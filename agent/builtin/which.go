package builtin

import (
	"time"

	"github.com/deskhand/deskhand/agent/builtin/internal/lexicon"
)

// longestWhich is how many words say which one is meant behind a comma.
const longestWhich = 4

// whichOne reads "add a pen to the list, the red one" and "add two pens, red ones":
// what stands behind the comma says which of the things is meant.
func whichOne(text string, list []lexicon.Token, patterns []*pattern, today time.Time) []reading {
	last := len(list) - 1
	from := last
	for from > 1 && !list[from].Comma {
		from--
	}
	switch {
	case last < 2 || list[last].Quoted || !list[from].Comma:
		return nil
	case list[last].Word == "one" || list[last].Word == "ones":
	case list[from].Word == "the" && last > from:
		last++ // "the large pack"
	default:
		return nil
	}
	which := lexicon.AsSaid(list[from:last])
	if last-from > longestWhich || len(which) == 0 {
		return nil
	}
	for i, t := range which {
		if lexicon.Guards[t.Word] || t.Quoted {
			return nil
		}
		which[i].Comma = false // they belong to the name from now on
	}
	if len(which) > 1 && lexicon.Noise[which[0].Word] {
		which = which[1:]
	}
	found := split(text, withoutParticle(list[:from]), patterns, today)
	if len(found) != 1 {
		return nil
	}
	r := found[0]
	f := r.counted()
	if f == nil {
		return nil
	}
	s := r.slots[f.Name]
	s.tokens = append(append([]lexicon.Token(nil), s.tokens...), which...)
	s.text += " " + text[which[0].Start:which[len(which)-1].End]
	r = r.bind(f.Name, s)
	r.others = nil
	return []reading{r}
}

// counted is the name that a number or an article stands before, or the only one
// that is looked up; nil when that is not plain.
func (r reading) counted() *field {
	var only *field
	for i := range r.pattern.fields {
		f := &r.pattern.fields[i]
		if _, bound := r.slots[f.Name]; !bound || f.Lookup == "" {
			continue
		}
		if r.pattern.count() != nil && f.Required {
			return f
		}
		if only != nil {
			return nil
		}
		only = f
	}
	return only
}

// withoutParticle leaves out the second half of a verb at the end: "stick two in".
func withoutParticle(list []lexicon.Token) []lexicon.Token {
	if n := len(list) - 1; n > 1 && (list[n].Word == "in" || list[n].Word == "on" || list[n].Word == "up") && !list[n].Quoted {
		return list[:n]
	}
	return list
}
