package text

import (
	"regexp"
	"sync"
)

// Mention is a record that a person chose by name: "@[Taxes](folder:f1)" in their text.
type Mention struct{ Name, Entity, ID string }

var mentionForm = Late(`@\[([^\[\]\n]{1,200})\]\(([A-Za-z][A-Za-z0-9_]*):([^()\s]{1,200})\)`)

// Late returns a function that compiles an expression at its first call, because compiling large ones slows every
// start.
func Late(expression string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expression) })
}

// Mentions replaces each mention in a text.
func Mentions(said string, write func(Mention) string) string {
	return mentionForm().ReplaceAllStringFunc(said, func(form string) string {
		part := mentionForm().FindStringSubmatch(form)
		return write(Mention{part[1], part[2], part[3]})
	})
}

// WithoutIDs replaces mentions with their names.
func WithoutIDs(said string) string {
	return Mentions(said, func(m Mention) string { return m.Name })
}
