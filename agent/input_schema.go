package agent

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"unicode"
)

// field is one property of an input schema, as far as the bridge reads it.
type field struct {
	name       string
	title      string
	kind       string     // JSON type; "" when the schema leaves it open
	enum       []string   // string values only
	values     [][]string // the words of each of them
	def        any        // default, nil for none
	min        *float64
	money      bool // an object with amount and currency
	postal     bool // an object with the lines of an address
	format     string
	required   bool
	lookup     string            // capability that resolves a name to this id
	lookupList string            // JSON Pointer of the list in its output
	entry      []field           // of a list of objects
	words      map[string]string // what people say for the values of a closed set
}

// readSchema lists the properties of an object schema in the order they are
// written there.
func readSchema(raw json.RawMessage) []field {
	var s struct {
		Properties json.RawMessage `json:"properties"`
		Required   []string        `json:"required"`
	}
	if json.Unmarshal(raw, &s) != nil {
		return nil
	}
	var fields []field
	for _, name := range orderedKeys(s.Properties) {
		var props map[string]json.RawMessage
		_ = json.Unmarshal(s.Properties, &props) // orderedKeys has read it
		f := readField(name, props[name])
		f.required = slices.Contains(s.Required, name)
		fields = append(fields, f)
	}
	return fields
}

func readField(name string, raw json.RawMessage) field {
	var p struct {
		Type    any      `json:"type"`
		Title   string   `json:"title"`
		Enum    []any    `json:"enum"`
		Default any      `json:"default"`
		Minimum *float64 `json:"minimum"`
		Format  string   `json:"format"`
		Lookup  string   `json:"x-lookup"`
		Said    string   `json:"x-said"`
		Parts   struct {
			Amount, Currency any
			postal
		} `json:"properties"`
	}
	f := field{name: name}
	if json.Unmarshal(raw, &p) != nil {
		return f
	}
	f.title, f.def, f.min, f.format = p.Title, p.Default, p.Minimum, p.Format
	switch t := p.Type.(type) {
	case string:
		f.kind = t
	case []any: // nullable types: the first that is not null
		for _, one := range t {
			if s, ok := one.(string); ok && s != "null" {
				f.kind = s
				break
			}
		}
	}
	f.money = f.kind == "object" && p.Parts.Amount != nil && p.Parts.Currency != nil
	f.postal = f.kind == "object" && p.Parts.whole()
	for _, e := range p.Enum {
		if s, ok := e.(string); ok {
			f.enum, f.values = append(f.enum, s), append(f.values, canonicalWords(words(s)))
		}
	}
	f.lookup, f.lookupList, _ = strings.Cut(p.Lookup, "#")
	if f.kind == "array" {
		f.entry = readEntry(raw)
	}
	for pair := range strings.SplitSeq(p.Said, "|") {
		if words, value, ok := strings.Cut(pair, ":"); ok {
			if f.words == nil {
				f.words = map[string]string{}
			}
			f.words[strings.Join(canonicalWords(words), " ")] = value
		}
	}
	return f
}

// orderedKeys reads an object's keys in the order they are written.
func orderedKeys(raw json.RawMessage) []string {
	d := json.NewDecoder(bytes.NewReader(raw))
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return nil
	}
	var keys []string
	for d.More() {
		t, err := d.Token()
		if err != nil {
			return keys
		}
		if k, ok := t.(string); ok {
			keys = append(keys, k)
		}
		var skip json.RawMessage
		if d.Decode(&skip) != nil {
			return keys
		}
	}
	return keys
}

// label is what a person reads beside the value.
func (f field) label(name string) string {
	if f.title != "" {
		return f.title
	}
	return capitalise(strings.TrimSuffix(words(name), " id"))
}

// words splits a camelCase or snake_case name: "parentFolderId" → "parent folder id".
func words(name string) string {
	var b strings.Builder
	var last rune
	for _, r := range name {
		switch {
		case r == '_' || r == '-' || r == '.':
			b.WriteByte(' ')
		case unicode.IsUpper(r):
			if last != 0 && !unicode.IsUpper(last) && last != '_' && last != '-' && last != '.' {
				b.WriteByte(' ')
			}
			b.WriteRune(unicode.ToLower(r))
		default:
			b.WriteRune(r)
		}
		last = r
	}
	return b.String()
}

func capitalise(s string) string {
	for i, r := range s {
		return string(unicode.ToUpper(r)) + s[i+len(string(r)):]
	}
	return s
}
