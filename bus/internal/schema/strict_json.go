package schema

import (
	"bytes"
	"encoding/json"
	"strings"
	"unicode/utf8"
)

// Ambiguity returns the reason why a JSON text is ambiguous, or "". The decoder replaces bytes that are not UTF-8, and
// uses the last of two equal keys. Another reader may differ, so that a person could see other arguments than those
// sent. value is raw, decoded and not yet changed.
func Ambiguity(raw []byte, value any) string {
	if !utf8.Valid(raw) {
		return "not valid UTF-8"
	}
	var seen census
	seen.count(value)
	switch {
	case seen.members != colons(raw):
		return "a property name stands twice in one object"
	case seen.tooLong != "":
		return "the number " + seen.tooLong + " is beyond what can be kept"
	}
	return ""
}

// Limits of a number. Any 64-bit number and any amount of money is shorter. 1e999999 has eight bytes on the wire, but a
// comparison with a minimum needs a megabyte.
const (
	longestNumber   = 64
	longestExponent = 4
)

// tooLong reports whether a number is too long for calculations, or exceeds a float64, so that no handler could decode
// it.
func tooLong(n json.Number) bool {
	i := strings.IndexAny(string(n), "eE")
	if i < 0 {
		return len(n) > longestNumber
	}
	_, err := n.Float64()
	return err != nil || len(n) > longestNumber || len(n)-i-1 > longestExponent
}

// colons counts the colons of raw outside strings. In valid JSON each object member has one, also a duplicate.
func colons(raw []byte) int {
	n := 0
	for {
		i := bytes.IndexByte(raw, '"')
		if i < 0 {
			return n + bytes.Count(raw, []byte(":"))
		}
		n += bytes.Count(raw[:i], []byte(":"))
		raw = raw[i+1:]
		for raw[0] != '"' {
			if raw[0] == '\\' {
				raw = raw[1:]
			}
			raw = raw[1:]
		}
		raw = raw[1:]
	}
}

// census counts the contents of a decoded value.
type census struct {
	members int    // of all objects
	tooLong string // a number that is too long, shortened
}

func (c *census) count(value any) {
	switch t := value.(type) {
	case map[string]any:
		c.members += len(t)
		for _, v := range t {
			c.count(v)
		}
	case []any:
		for _, v := range t {
			c.count(v)
		}
	case json.Number:
		if short := string(t[:min(len(t), longestNumber)]); tooLong(t) && (c.tooLong == "" || short < c.tooLong) {
			c.tooLong = short // the smallest one, independent of the order of a map
		}
	}
}
