package builtin

import (
	"slices"

	"github.com/deskhand/deskhand/agent/builtin/internal/lexicon"
)

// goOn reads "and two pens" behind "add a book to Ana's list" as the same once more
// with another thing; nil when it is nothing of the kind.
func (d *dialogue) goOn(i int, text string, before *plan) *plan {
	list := lexicon.WithoutFillers(d.lex.OpenForms(lexicon.Tokenise(text)))
	n := lexicon.LongestRun(goingOn, list)
	if n == 0 || n == len(list) || len(before.commands) == 0 {
		return nil
	}
	last := before.commands[len(before.commands)-1]
	rest := lexicon.AsSaid(list[n:])
	if slices.ContainsFunc(rest, func(t lexicon.Token) bool { return lexicon.Guards[t.Word] && !t.Quoted }) {
		return nil
	}
	for _, f := range last.pattern.fields {
		if _, said := last.slots[f.Name]; !said {
			continue
		}
		r := reading{pattern: last.pattern, slots: last.slots, said: list}
		value := trimmed(rest)
		s := slotText{text: text[value[0].Start:value[len(value)-1].End], tokens: value}
		more := r.bind(f.Name, s)
		switch {
		case len(f.Enum) > 0 && f.says(value), f.freeText() && !r.acts():
		case f.Lookup != "" && (f.Required || !r.acts()):
			if one, ok := r.thing(text, f, rest, false); ok {
				more = one
			} else if r.acts() {
				return nil
			}
		default:
			continue
		}
		return &plan{since: i, commands: []reading{more.command()}}
	}
	return nil
}

// trimmed leaves out noise at the front, unless nothing else is there.
func trimmed(list []lexicon.Token) []lexicon.Token {
	for len(list) > 1 && (lexicon.Noise[list[0].Word] || lexicon.Linking[list[0].Word]) && !list[0].Quoted {
		list = list[1:]
	}
	return list
}
