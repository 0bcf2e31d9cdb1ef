package text

import (
	"regexp"
	"sync"
)

// Mention is a record that a person chose by name: "@[Taxes](folder:f1)" in what they say.
type Mention struct{ Name, Entity, ID string }

var mentionForm = Late(`@\[([^\[\]\n]{1,200})\]\(([A-Za-z][A-Za-z0-9_]*):([^()\s]{1,200})\)`)

// Late is an expression that is compiled when it is first asked for: a large one is felt at every start.
func Late(expression string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expression) })
}

// Mentions writes each mention in a text otherwise.
func Mentions(said string, write func(Mention) string) string {
	return mentionForm().ReplaceAllStringFunc(said, func(form string) string {
		part := mentionForm().FindStringSubmatch(form)
		return write(Mention{part[1], part[2], part[3]})
	})
}

// WithoutIDs writes mentions as their names.
func WithoutIDs(said string) string {
	return Mentions(said, func(m Mention) string { return m.Name })
}
