package bus

import "regexp"

var capabilityName = regexp.MustCompile(`\b[a-z][A-Za-z0-9_]*(?:\.[a-z][A-Za-z0-9_]*)+\b`)

// Titled puts the quoted title in the place of every capability name in a text: names are for programs and models,
// people know buttons and commands by their titles. title returns the title of a capability, and whether there is one.
func Titled(text string, title func(name string) (string, bool)) string {
	return capabilityName.ReplaceAllStringFunc(text, func(name string) string {
		if t, ok := title(name); ok {
			return "“" + t + "”"
		}
		return name
	})
}

// ForPeople returns an error with titles in the place of capability names: a door
// for people answers it in place of e. The record, a program and a model get e.
func (b *Bus) ForPeople(e *Error) *Error {
	title := func(name string) (string, bool) {
		if c := b.find(name); c != nil {
			return c.Title, true
		}
		return "", false
	}
	told := *e
	told.Message, told.Hint = Titled(e.Message, title), Titled(e.Hint, title)
	return &told
}
