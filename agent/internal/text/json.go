package text

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"maps"
	"slices"
	"strings"
)

// CanonicalJSON writes a JSON document with sorted keys, without white space, and with its numbers unchanged. An empty
// document becomes {}.
func CanonicalJSON(raw json.RawMessage) ([]byte, error) {
	v, err := ParseJSON(raw)
	if err != nil {
		return nil, err
	}
	return json.Marshal(v)
}

// PlainJSON encodes a value that was decoded from JSON, without HTML escapes.
func PlainJSON(v any) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(v)
	return strings.TrimSpace(b.String())
}

// IsObject reports whether s is a complete JSON object.
func IsObject(s string) bool {
	s = strings.TrimSpace(s)
	return strings.HasPrefix(s, "{") && json.Valid([]byte(s))
}

// ParseJSON decodes a JSON document and keeps its numbers as json.Number. Text after the document is an error.
func ParseJSON(raw json.RawMessage) (any, error) {
	if len(bytes.TrimSpace(raw)) == 0 {
		return map[string]any{}, nil
	}
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		return nil, err
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("more than one JSON value")
	}
	return v, nil
}

// Each visits a JSON value and all values inside it, those of an object sorted by key.
func Each(v any, visit func(any)) {
	visit(v)
	switch t := v.(type) {
	case []any:
		for _, e := range t {
			Each(e, visit)
		}
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(t)) {
			Each(t[key], visit)
		}
	}
}

// CanonicalOrNil returns CanonicalJSON of a document that is known to be valid.
func CanonicalOrNil(raw json.RawMessage) []byte {
	c, _ := CanonicalJSON(raw) // a call's arguments are always an object
	return c
}
