// Package userinfo removes user names and passwords from the URLs in a text.
package userinfo

import "strings"

// Strip replaces scheme://user:password@host by scheme://host in a text.
func Strip(text string) string {
	if !strings.Contains(text, "://") {
		return text
	}
	var out strings.Builder
	rest := text
	for {
		at := strings.Index(rest, "://")
		if at < 0 {
			break
		}
		at += len("://")
		out.WriteString(rest[:at])
		rest = rest[at+length(rest[at:]):]
	}
	if out.Len()+len(rest) == len(text) {
		return text
	}
	return out.String() + rest
}

// length returns the length of the userinfo after the "://" of a URL, including the @.
func length(rest string) int {
	word := rest
	if end := strings.IndexAny(rest, " \t\r\n\"'`<>"); end >= 0 {
		word = rest[:end]
	}
	if next := strings.Index(word, "://"); next >= 0 { // another URL, in a query or a list
		word = word[:next]
	}
	authority := word
	if end := strings.IndexAny(word, "/?#\\,;"); end >= 0 {
		authority = word[:end]
	}
	// A password may contain an unescaped character that ends a host; then no port follows the colon.
	if at := strings.LastIndexByte(authority, '@'); at >= 0 {
		return at + 1
	}
	if _, behind, colon := strings.Cut(authority, ":"); colon && !strings.HasPrefix(authority, "[") && !isPort(behind) {
		return strings.LastIndexByte(word, '@') + 1
	}
	return 0
}

func isPort(s string) bool {
	return len(s) <= 5 && strings.IndexFunc(s, func(r rune) bool { return r < '0' || r > '9' }) < 0
}
