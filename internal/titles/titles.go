// Package titles replaces the names of capabilities by their titles.
package titles

import "regexp"

var capabilityName = regexp.MustCompile(`\b[a-z][A-Za-z0-9_]*(?:\.[a-z][A-Za-z0-9_]*)+\b`)

// InPlaceOfNames replaces every capability name in a text by the quoted title. Names are for programs and models;
// people know buttons and commands by their titles. title returns the title of a capability, and whether it exists.
func InPlaceOfNames(text string, title func(name string) (string, bool)) string {
	return Replace(text, func(name string) (string, bool) {
		t, ok := title(name)
		return "“" + t + "”", ok
	})
}

// Replace replaces the capability names in a text that with knows.
func Replace(text string, with func(name string) (string, bool)) string {
	return capabilityName.ReplaceAllStringFunc(text, func(name string) string {
		if other, ok := with(name); ok {
			return other
		}
		return name
	})
}
