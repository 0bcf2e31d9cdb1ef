package builtin

import "time"

// longestWhich is how many words say which one is meant behind a comma.
const longestWhich = 4

// whichOne reads "add a pen to the list, the red one" and "add two pens, red ones":
// what stands behind the comma says which of the things is meant.
func whichOne(text string, list []token, patterns []*pattern, today time.Time) []reading {
	last := len(list) - 1
	from := last
	for from > 1 && !list[from].comma {
		from--
	}
	switch {
	case last < 2 || list[last].quoted || !list[from].comma:
		return nil
	case list[last].word == "one" || list[last].word == "ones":
	case list[from].word == "the" && last > from:
		last++ // "the large pack"
	default:
		return nil
	}
	which := asSaid(list[from:last])
	if last-from > longestWhich || len(which) == 0 {
		return nil
	}
	for i, t := range which {
		if guards[t.word] || t.quoted {
			return nil
		}
		which[i].comma = false // they belong to the name from now on
	}
	if len(which) > 1 && noise[which[0].word] {
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
	s.tokens = append(append([]token(nil), s.tokens...), which...)
	s.text += " " + text[which[0].start:which[len(which)-1].end]
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
func withoutParticle(list []token) []token {
	if n := len(list) - 1; n > 1 && (list[n].word == "in" || list[n].word == "on" || list[n].word == "up") && !list[n].quoted {
		return list[:n]
	}
	return list
}
