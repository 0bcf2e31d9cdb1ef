package bus

import "regexp"

var capabilityName = regexp.MustCompile(`\b[a-z][A-Za-z0-9_]*(?:\.[a-z][A-Za-z0-9_]*)+\b`)

// Titled puts the quoted title in the place of every capability name in a text:
// names are for programs and models, a person knows buttons and commands by their
// titles. title says what a capability is called, and whether there is one.
func Titled(text string, title func(name string) (string, bool)) string {
	return capabilityName.ReplaceAllStringFunc(text, func(name string) string {
		if t, ok := title(name); ok {
			return "“" + t + "”"
		}
		return name
	})
}

// ForPeople is an error as somebody reads it who has a window and no names of
// capabilities: what a door for people answers in place of it. The record, a
// program and a model have it as it was.
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
