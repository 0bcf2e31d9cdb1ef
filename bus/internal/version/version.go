// Package version compares the versions of capabilities.
package version

import (
	"strconv"
	"strings"
)

// Older compares dotted versions number by number.
func Older(have, want string) bool {
	h, w := strings.Split(have, "."), strings.Split(want, ".")
	for i := range w {
		var a int
		if i < len(h) {
			a = leadingNumber(h[i])
		}
		b := leadingNumber(w[i])
		if a != b {
			return a < b
		}
	}
	return false
}

// Raised reports whether have is of a later major version than want, which is incompatible. Before 1 nothing is.
func Raised(have, want string) bool {
	is, was := leadingNumber(have), leadingNumber(want)
	return was > 0 && is > was
}

// leadingNumber reads the digits s begins with: none is 0, and what is too large is the largest there is.
func leadingNumber(s string) int {
	n, _ := strconv.Atoi(strings.TrimSuffix(s, strings.TrimLeft(s, "0123456789")))
	return n
}
