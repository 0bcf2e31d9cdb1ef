package text

import (
	"regexp"
	"sync"
)

// Mention is a record that a person chose by name: "@[Taxes](folder:f1)" in what they say.
type Mention struct{ Name, Entity, ID string }

var mentionForm = sync.OnceValue(func() *regexp.Regexp { // large: compiled when a sentence comes
	return regexp.MustCompile(`@\[([^\[\]\n]{1,200})\]\(([A-Za-z][A-Za-z0-9_]*):([^()\s]{1,200})\)`)
})

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
