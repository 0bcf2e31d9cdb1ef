package schema

import (
	"encoding/json"
	"math"
	"math/big"
	"slices"
	"strings"
)

// AppendCanonical appends decoded JSON like json.Marshal: sorted keys, no spaces. With reflection it took a tenth of
// the time of an invocation.
func AppendCanonical(b []byte, value any) ([]byte, error) {
	switch t := value.(type) {
	case string:
		return appendText(b, t)
	case json.Number:
		return append(b, canonicalNumber(t)...), nil
	case map[string]any:
		return appendObject(b, t)
	case []any:
		b = append(b, '[')
		for i, child := range t {
			if i > 0 {
				b = append(b, ',')
			}
			var err error
			if b, err = AppendCanonical(b, child); err != nil {
				return nil, err
			}
		}
		return append(b, ']'), nil
	}
	raw, err := json.Marshal(value)
	return append(b, raw...), err
}

// canonicalNumber writes a whole number without fraction and exponent. In a schema 2.0 is an integer, but Go only
// decodes 2 into one.
func canonicalNumber(n json.Number) string {
	if !strings.ContainsAny(string(n), ".eE") {
		return string(n)
	}
	if f, err := n.Float64(); err != nil || math.Abs(f) > math.MaxInt64 {
		return string(n)
	}
	if r, ok := new(big.Rat).SetString(string(n)); ok && r.IsInt() {
		return r.Num().String()
	}
	return string(n)
}

func appendObject(b []byte, m map[string]any) ([]byte, error) {
	var few [8]string
	names := few[:0]
	for name := range m {
		names = append(names, name)
	}
	slices.Sort(names)
	b = append(b, '{')
	for i, name := range names {
		if i > 0 {
			b = append(b, ',')
		}
		var err error
		if b, err = appendText(b, name); err == nil {
			b, err = AppendCanonical(append(b, ':'), m[name])
		}
		if err != nil {
			return nil, err
		}
	}
	return append(b, '}'), nil
}

// appendText appends a string. It uses json.Marshal if the string may need escapes.
func appendText(b []byte, s string) ([]byte, error) {
	for i := range len(s) {
		if c := s[i]; c < ' ' || c > '~' || c == '"' || c == '\\' || c == '<' || c == '>' || c == '&' {
			raw, err := json.Marshal(s)
			return append(b, raw...), err
		}
	}
	b = append(b, '"')
	b = append(b, s...)
	return append(b, '"'), nil
}
