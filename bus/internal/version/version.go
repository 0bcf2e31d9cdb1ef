// Package version compares the versions of capabilities.
package version

import (
	"strconv"
	"strings"
)

// Older reports whether a dotted version is older than another, number by number.
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

// Raised reports whether have is of a later major version than want, which is incompatible. Versions before 1 are
// compatible.
func Raised(have, want string) bool {
	is, was := leadingNumber(have), leadingNumber(want)
	return was > 0 && is > was
}

// leadingNumber reads the leading digits of s. It returns 0 without digits, and the largest int for a number that is
// too large.
func leadingNumber(s string) int {
	n, _ := strconv.Atoi(strings.TrimSuffix(s, strings.TrimLeft(s, "0123456789")))
	return n
}
