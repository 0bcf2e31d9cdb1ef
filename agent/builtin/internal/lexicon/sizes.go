package lexicon

import (
	"strconv"

	"github.com/deskhand/deskhand/agent/internal/text"
)

// Size reads a word such as 250g as a size in its plain form.
func Size(w string) (string, bool) {
	if !DigitFirst(w) {
		return "", false
	}
	i := 0
	for i < len(w) && (w[i] >= '0' && w[i] <= '9' || w[i] == '.' || w[i] == ',') {
		i++
	}
	unit, ok := Units[w[i:]]
	if n, err := strconv.ParseFloat(w[:i], 64); ok && err == nil {
		return text.Value(n) + unit, true // 1.0 l is 1 l
	}
	return w[:i] + unit, ok
}

// WithSizes joins numbers and units to one word each: "1 kg bags of beans" is
// "1kg beans". The container and the "of" behind a size say nothing more.
func WithSizes(list []Token) []Token {
	var out []Token
	for i := 0; i < len(list); i++ {
		t := list[i]
		if n, ok := Number([]string{t.Word}); ok && !t.Quoted && i+1 < len(list) && Units[list[i+1].Word] != "" && !list[i+1].Quoted {
			t.Word, t.Text, t.End = text.Value(n)+Units[list[i+1].Word], t.Text+" "+list[i+1].Text, list[i+1].End
			i++
		} else if s, ok := Size(t.Word); ok {
			t.Word = s
		}
		out = append(out, t)
		if _, ok := Size(t.Word); !ok {
			continue
		}
		switch {
		case i+1 < len(list) && list[i+1].Word == "of":
			i++
		case i+2 < len(list) && list[i+2].Word == "of":
			i += 2
		}
	}
	return out
}

// IsSize says that a word is a size.
func IsSize(t Token) bool {
	_, ok := Size(t.Word)
	return ok
}
