package schema

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	"github.com/deskhand/deskhand/agent/internal/text"
	"github.com/deskhand/deskhand/internal/jsonpointer"
)

// Field is one property of an input schema.
type Field struct {
	Name       string
	Title      string
	Kind       string   // JSON type; "" if the schema leaves it open
	Enum       []string // string values only
	Default    any      // nil for none
	Min        *float64
	MaxLength  int  // of a string; 0 for none
	Money      bool // an object with amount and currency
	Postal     bool // an object with the lines of an address
	Format     string
	Required   bool
	Wanted     bool            // not required: the default or the only record is used if there is one
	Entity     string          // kind of the record whose id it holds
	Lookup     string          // capability that resolves a name to this id
	LookupList string          // JSON Pointer of the list in its output
	Said       string          // words for the values of a closed set: "words:value|…"
	Items      json.RawMessage // of a list: the schema of its entries
}

// Fields lists the properties of an object schema in their order in the document.
func Fields(raw json.RawMessage) []Field {
	var s struct {
		Properties json.RawMessage `json:"properties"`
		Required   []string        `json:"required"`
	}
	if json.Unmarshal(raw, &s) != nil {
		return nil
	}
	var props map[string]json.RawMessage
	_ = json.Unmarshal(s.Properties, &props) // anything else has no keys
	var fields []Field
	for _, name := range Keys(s.Properties) {
		f := newField(name, props[name])
		f.Required = slices.Contains(s.Required, name)
		fields = append(fields, f)
	}
	return fields
}

func newField(name string, raw json.RawMessage) Field {
	var p struct {
		Type    any             `json:"type"`
		Title   string          `json:"title"`
		Enum    []any           `json:"enum"`
		Default any             `json:"default"`
		Minimum *float64        `json:"minimum"`
		Longest int             `json:"maxLength"`
		Format  string          `json:"format"`
		Items   json.RawMessage `json:"items"`
		Entity  string          `json:"x-entity"`
		Said    string          `json:"x-said"`
		Wanted  bool            `json:"x-wanted"`
		Parts   struct {
			Amount, Currency, Line1, City, PostalCode, Country any
		} `json:"properties"`
	}
	f := Field{Name: name}
	if json.Unmarshal(raw, &p) != nil {
		return f
	}
	f.Title, f.Default, f.Min, f.Format, f.Said, f.Wanted = p.Title, p.Default, p.Minimum, p.Format, p.Said, p.Wanted
	f.MaxLength = p.Longest
	switch t := p.Type.(type) {
	case string:
		f.Kind = t
	case []any: // nullable types: the first that is not null
		for _, one := range t {
			if s, ok := one.(string); ok && s != "null" {
				f.Kind = s
				break
			}
		}
	}
	if f.Kind == "array" {
		f.Items = p.Items
	}
	parts := p.Parts
	f.Money = f.Kind == "object" && parts.Amount != nil && parts.Currency != nil
	f.Postal = f.Kind == "object" && parts.Line1 != nil && parts.City != nil && parts.PostalCode != nil &&
		parts.Country != nil
	for _, e := range p.Enum {
		if s, ok := e.(string); ok {
			f.Enum = append(f.Enum, s)
		}
	}
	f.Entity = p.Entity
	return f
}

// EntityAt returns the kind of the record whose id a value is, from x-entity at its field or at an enclosing one; "" if
// the value is no id.
func EntityAt(raw json.RawMessage, pointer string) (kind string) {
	var node map[string]any
	if json.Unmarshal(raw, &node) != nil {
		return ""
	}
	for name := range strings.SplitSeq(strings.TrimPrefix(pointer, "/"), "/") {
		properties, _ := node["properties"].(map[string]any)
		next, found := properties[jsonpointer.Unescape(name)].(map[string]any)
		if !found {
			next, _ = node["items"].(map[string]any)
		}
		if of, ok := next["x-entity"].(string); ok {
			kind = of
		}
		node = next
	}
	return kind
}

// Named returns the field with a name; if there is none, a field that has only the name.
func Named(fields []Field, name string) Field {
	if i := slices.IndexFunc(fields, func(f Field) bool { return f.Name == name }); i >= 0 {
		return fields[i]
	}
	return Field{Name: name}
}

// Keys reads an object's keys in their order in the document.
func Keys(raw json.RawMessage) []string {
	d := json.NewDecoder(bytes.NewReader(raw))
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return nil
	}
	var keys []string
	for d.More() {
		var skip json.RawMessage
		key, err := d.Token()
		if err != nil || d.Decode(&skip) != nil {
			break
		}
		keys = append(keys, key.(string)) // only a key precedes a value
	}
	return keys
}

// Label returns the label of the field for people.
func (f Field) Label() string {
	if f.Title != "" {
		return f.Title
	}
	return Label(f.Name)
}

// Label returns the label of a name without a title: "Parent folder" for parentFolderId.
func Label(name string) string {
	return text.Capitalize(strings.TrimSuffix(text.SplitName(name), " id"))
}
