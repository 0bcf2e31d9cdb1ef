// Package mailaddress validates mail addresses, including domains with letters of any language.
package mailaddress

import (
	"net/netip"
	"strings"
	"unicode"
)

// Valid reports whether a text is a mail address: kim@example.com, info@müller.example.
func Valid(address string) bool {
	at := strings.LastIndexByte(address, '@')
	if at < 1 || at > 64 || len(address) > 254 || !isLocal(address[:at]) {
		return false
	}
	domain := address[at+1:]
	if literal, is := strings.CutPrefix(domain, "["); is {
		ip, err := netip.ParseAddr(strings.TrimPrefix(strings.TrimSuffix(literal, "]"), "IPv6:"))
		return err == nil && ip.Zone() == "" && strings.HasSuffix(literal, "]")
	}
	for label := range strings.SplitSeq(domain, ".") {
		if label == "" || len(label) > 63 || strings.HasPrefix(label, "-") || strings.HasSuffix(label, "-") ||
			strings.ContainsFunc(label, func(c rune) bool {
				return c != '-' && !unicode.In(c, unicode.L, unicode.Nd, unicode.Mn, unicode.Mc)
			}) {
			return false
		}
	}
	return true
}

// isLocal reports whether a text is a valid part before the @: ASCII words separated by points, or one in quotes.
func isLocal(s string) bool {
	if len(s) > 2 && s[0] == '"' && s[len(s)-1] == '"' {
		return !strings.ContainsFunc(s[1:len(s)-1], func(c rune) bool { return c < ' ' || c > '~' || c == '"' || c == '\\' })
	}
	const signs = "!#$%&'*+-/=?^_`{|}~"
	for word := range strings.SplitSeq(s, ".") {
		if word == "" || strings.ContainsFunc(word, func(c rune) bool {
			return (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && (c < '0' || c > '9') && !strings.ContainsRune(signs, c)
		}) {
			return false
		}
	}
	return true
}
