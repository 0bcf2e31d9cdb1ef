package text

import (
	"bytes"
	"encoding/json"
	"strings"
)

// CanonicalJSON writes a JSON document with sorted keys and no white space,
// numbers as they were written. Absent is {}.
func CanonicalJSON(raw json.RawMessage) ([]byte, error) {
	v, err := ParseJSON(raw)
	if err != nil {
		return nil, err
	}
	return json.Marshal(v)
}

// IsObject reports whether s is a whole JSON object.
func IsObject(s string) bool {
	s = strings.TrimSpace(s)
	return strings.HasPrefix(s, "{") && json.Valid([]byte(s))
}

// ParseJSON decodes JSON with its numbers as they are written.
func ParseJSON(raw json.RawMessage) (any, error) {
	if len(bytes.TrimSpace(raw)) == 0 {
		return map[string]any{}, nil
	}
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	var v any
	err := d.Decode(&v)
	return v, err
}

// CanonicalOrNil is CanonicalJSON of what is known to be JSON.
func CanonicalOrNil(raw json.RawMessage) []byte {
	c, _ := CanonicalJSON(raw) // a call's arguments are always an object
	return c
}
