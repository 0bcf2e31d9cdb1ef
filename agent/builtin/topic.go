package builtin

import (
	"slices"
	"strings"
	"time"
)

// aboutIt reads "B-77 was a mistake, cancel it" as "cancel B-77, was a mistake", or
// as "cancel B-77" where the command has no place for the rest. It gives the
// sentence with its readings.
func aboutIt(text string, list []token, patterns []*pattern, today time.Time) (string, []token, []reading) {
	for i := 1; i < len(list)-1; i++ {
		if !list[i].comma || list[i].quoted {
			continue
		}
		told, done := list[:i], list[i:]
		code := slices.IndexFunc(told, func(t token) bool { return isCode(t.word) && !t.quoted })
		it := slices.IndexFunc(done, func(t token) bool { return thingPronouns[t.word] && t.word != "one" && !t.quoted })
		if code < 0 || it < 0 || slices.ContainsFunc(told, func(t token) bool { return t.quoted || turning[t.word] && t.word != "mistake" && t.word != "wrong" }) {
			continue
		}
		said := textFrom(text, done[:it]) + " " + told[code].text + " " + textFrom(text, done[it+1:])
		for _, whole := range []string{said + ", " + textFrom(text, told[code+1:]), said} {
			rest, _ := instruction(withoutFillers(openForms(tokenise(whole))))
			if found := split(whole, canonical(rest), patterns, today); len(found) == 1 && !found[0].guarded() && !found[0].bare() {
				return whole, rest, found
			}
		}
	}
	return text, list, nil
}

func textFrom(text string, list []token) string {
	if len(list) == 0 {
		return ""
	}
	return strings.TrimSpace(text[list[0].start:list[len(list)-1].end])
}
