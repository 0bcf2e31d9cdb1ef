// Package titles puts what people call a capability in the place of its name.
package titles

import "regexp"

var capabilityName = regexp.MustCompile(`\b[a-z][A-Za-z0-9_]*(?:\.[a-z][A-Za-z0-9_]*)+\b`)

// InPlaceOfNames puts the quoted title in the place of every capability name in a text: names are for programs and
// models, people know buttons and commands by their titles. title returns the title of a capability, and whether there
// is one.
func InPlaceOfNames(text string, title func(name string) (string, bool)) string {
	return Replace(text, func(name string) (string, bool) {
		t, ok := title(name)
		return "“" + t + "”", ok
	})
}

// Replace puts something else in the place of every capability name in a text of which with knows it.
func Replace(text string, with func(name string) (string, bool)) string {
	return capabilityName.ReplaceAllStringFunc(text, func(name string) string {
		if other, ok := with(name); ok {
			return other
		}
		return name
	})
}
