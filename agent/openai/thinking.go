package openai

import "strings"

// What models put around their thoughts. The beginning may stand in the prompt already, so that only the end is seen.
const (
	thoughtsBegin = "<think>"
	thoughtsEnd   = "</think>"
)

// thinking leaves out what a model thinks before it answers. Only a reply that begins with thoughts is looked at: later
// the words may be part of the answer.
type thinking struct {
	held  string // text that may be the beginning of the mark, or thoughts
	past  bool   // what comes is the answer
	found bool
}

// without is what may be shown of the next piece of text.
func (t *thinking) without(piece string, last bool) string {
	if t.past {
		return piece
	}
	t.held += piece
	said := strings.TrimLeft(t.held, " \t\r\n")
	switch {
	case strings.HasPrefix(said, thoughtsBegin):
		t.found = true
		_, answer, ended := strings.Cut(said, thoughtsEnd)
		if !ended {
			return "" // a reply that ends in its thoughts says nothing
		}
		t.held, t.past = "", strings.TrimSpace(answer) != ""
		if !t.past {
			t.held = answer
		}
		return strings.TrimLeft(answer, " \t\r\n")
	case !last && strings.HasPrefix(thoughtsBegin, said):
		return ""
	}
	if piece, t.held, t.past = t.held, "", true; t.found {
		piece = said
	}
	return piece
}

// afterThoughts is a text without thoughts of which only the end is marked.
func afterThoughts(said string) string {
	if _, answer, ended := strings.Cut(said, thoughtsEnd); ended && !strings.Contains(said, thoughtsBegin) {
		return strings.TrimLeft(answer, " \t\r\n")
	}
	return said
}
