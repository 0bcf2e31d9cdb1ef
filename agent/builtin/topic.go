package builtin

import (
	"slices"
	"strings"
	"time"

	"github.com/deskhand/deskhand/agent/builtin/internal/lexicon"
)

// aboutIt reads "B-77 was a mistake, cancel it" as "cancel B-77, was a mistake", or as "cancel B-77" where the command
// has no place for the rest. It gives the sentence with its readings.
func aboutIt(text string, list []lexicon.Token, patterns []*pattern, today time.Time) (string, []lexicon.Token, []reading) {
	for i := 1; i < len(list)-1; i++ {
		if !list[i].Comma || list[i].Quoted {
			continue
		}
		told, done := list[:i], list[i:]
		code := slices.IndexFunc(told, func(t lexicon.Token) bool { return lexicon.IsCode(t.Word) && !t.Quoted })
		it := slices.IndexFunc(done, func(t lexicon.Token) bool { return thingPronouns[t.Word] && t.Word != "one" && !t.Quoted })
		if code < 0 || it < 0 || slices.ContainsFunc(told, func(t lexicon.Token) bool {
			return t.Quoted || turning[t.Word] && t.Word != "mistake" && t.Word != "wrong"
		}) {
			continue
		}
		said := textFrom(text, done[:it]) + " " + told[code].Text + " " + textFrom(text, done[it+1:])
		for _, whole := range []string{said + ", " + textFrom(text, told[code+1:]), said} {
			rest, _ := patterns[0].lex.Instruction(lexicon.WithoutFillers(patterns[0].lex.OpenForms(lexicon.Tokenise(whole))))
			if found := split(whole, patterns[0].lex.Canonical(rest), patterns, today); len(found) == 1 && !found[0].guarded() && !found[0].bare() {
				return whole, rest, found
			}
		}
	}
	return text, list, nil
}

func textFrom(text string, list []lexicon.Token) string {
	if len(list) == 0 {
		return ""
	}
	return strings.TrimSpace(text[list[0].Start:list[len(list)-1].End])
}
