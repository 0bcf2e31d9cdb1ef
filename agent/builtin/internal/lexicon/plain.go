package lexicon

import (
	"slices"
	"strings"
)

// OpenForms writes short forms out. The words keep the place of what was written.
func (l *Lexicon) OpenForms(list []Token) []Token {
	out := make([]Token, 0, len(list))
	for i, t := range list {
		long, short := l.short[t.Word]
		switch {
		case t.Quoted:
		case short:
			for j, w := range strings.Fields(long) {
				part := t
				part.Word, part.Comma, part.short = w, t.Comma && j == 0, true
				out = append(out, part)
			}
			continue
		case t.Word == "'s" && i > 0 && i+1 < len(list) && beenDone[list[i+1].Word]:
			t.Word = "has"
		case t.Word == "'s" && i > 0 && (beforeIs[list[i-1].Word] || i+1 < len(list) && behindIs[list[i+1].Word]):
			t.Word = "is"
		case strings.HasSuffix(t.Word, "'d") || strings.HasSuffix(t.Word, "'ll"):
			name, end, _ := strings.Cut(t.Word, "'")
			verb := t
			t.Word, t.Folded, t.Text, t.End = name, name, t.Text[:len(name)], t.Start+len(name)
			verb.Word, verb.short, verb.Comma = map[string]string{"d": "would", "ll": "will"}[end], true, false
			out = append(out, t, verb)
			continue
		}
		out = append(out, t)
	}
	return out
}

// WithoutFillers takes fillers out, unless nothing would be left.
func WithoutFillers(list []Token) []Token {
	if out := FillersOut(list); len(out) > 0 {
		return out
	}
	return list
}

func FillersOut(list []Token) []Token {
	out := make([]Token, 0, len(list))
	for i := 0; i < len(list); {
		n := LongestRun(fillers, list[i:])
		if n == 0 {
			out = append(out, list[i])
			i++
			continue
		}
		if i+n < len(list) && list[i].Comma {
			list = slices.Clone(list)
			list[i+n].Comma = true
		}
		i += n
	}
	return out
}
