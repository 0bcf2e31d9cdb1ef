package openai

import (
	"slices"
	"strings"
)

// thoughtMarks are the marks that known model families put around their thoughts.
var thoughtMarks = [][2]string{
	{"<think>", thoughtsEnd}, // Qwen, DeepSeek, GLM and most others
	{"<thinking>", "</thinking>"},
	{"<thought>", "</thought>"},
	{"<seed:think>", "</seed:think>"},
	{"[THINK]", "[/THINK]"},                                // Magistral
	{"<|channel|>analysis", "<|channel|>final<|message|>"}, // gpt-oss, if its server does not separate it
	{"◁think▷", "◁/think▷"},                                // Kimi
}

// thoughtsEnd may occur without its beginning, which is then in the prompt.
const thoughtsEnd = "</think>"

// thinking removes a model's thoughts from the beginning of a reply. Later the same words may be part of the answer.
type thinking struct {
	held  string // text that may be the beginning of the mark, or thoughts
	past  bool   // the answer has begun
	found bool
}

// without adds a piece of text and returns the part that may be shown.
func (t *thinking) without(piece string, last bool) string {
	if t.past {
		return piece
	}
	t.held += piece
	said := strings.TrimLeft(t.held, " \t\r\n")
	if i := slices.IndexFunc(thoughtMarks, func(m [2]string) bool { return strings.HasPrefix(said, m[0]) }); i >= 0 {
		t.found = true
		_, answer, ended := strings.Cut(said, thoughtMarks[i][1])
		if !ended {
			return "" // a reply that ends inside its thoughts has no text
		}
		t.held, t.past = "", strings.TrimSpace(answer) != ""
		if !t.past {
			t.held = answer
		}
		return strings.TrimLeft(answer, " \t\r\n")
	}
	if !last && slices.ContainsFunc(thoughtMarks, func(m [2]string) bool { return strings.HasPrefix(m[0], said) }) {
		return ""
	}
	if piece, t.held, t.past = t.held, "", true; t.found {
		piece = said
	}
	return piece
}

// afterThoughts removes thoughts of which only the end is marked.
func afterThoughts(said string) string {
	if _, answer, ended := strings.Cut(said, thoughtsEnd); ended && !strings.Contains(said, thoughtMarks[0][0]) {
		return strings.TrimLeft(answer, " \t\r\n")
	}
	return said
}
