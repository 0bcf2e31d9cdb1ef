// Package schema compiles the JSON Schemas of capabilities, validates values, applies defaults and removes secrets.
package schema

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/deskhand/deskhand/internal/jsonpointer"
	"github.com/deskhand/deskhand/internal/mailaddress"
	"github.com/santhosh-tekuri/jsonschema/v6"
	"golang.org/x/text/language"
	"golang.org/x/text/message"
)

// Schema is the input or output schema of a capability. The methods of a nil Schema accept any value.
type Schema struct {
	read        func() error                       // sets the fields below on the first call
	compiled    func() (*jsonschema.Schema, error) // compiles on the first call
	fast        func() *fast                       // on the first call; nil if there is no fast validation
	doc         map[string]any
	hasDefaults bool
	secrets     []string          // patterns of writeOnly fields, "*" for an array index
	fields      []string          // patterns of all named fields
	free        bool              // some object may have any fields, or names a capability
	open        bool              // free, or some object may have further fields
	entities    map[string]string // kinds of records by the patterns of fields that contain their ids
}

// Compile checks the keywords of raw and compiles it. It returns nil for an absent schema.
func Compile(raw json.RawMessage) (*Schema, error) {
	s, err := Read(raw)
	if s == nil || err != nil {
		return nil, err
	}
	return s, s.Compile()
}

// Compile compiles a schema from Read, and returns the errors in it.
func (s *Schema) Compile() error {
	if s == nil {
		return nil
	}
	_, err := s.compiled()
	return err
}

// Read checks the keywords of raw. The schema is compiled when the fast validation first fails to accept a value. Read
// returns nil for an absent schema.
func Read(raw json.RawMessage) (*Schema, error) {
	if len(raw) == 0 {
		return nil, nil
	}
	s := newSchema(func() error { return nil })
	if err := s.parse(raw); err != nil {
		return nil, err
	}
	if err := s.checkKeywords(s.doc, ""); err != nil {
		return nil, err
	}
	left := maxParts
	if err := s.checkReferences(s.doc, "", nil, &left); err != nil {
		return nil, err
	}
	if err := s.checkDefaults(s.doc, ""); err != nil {
		return nil, err
	}
	s.collect(s.doc, "", nil)
	return s, nil
}

// Late reads raw at first use. It checks nothing, so raw must be valid for Read. A raw that is no JSON object accepts
// no value.
func Late(raw json.RawMessage) *Schema {
	var s *Schema
	s = newSchema(sync.OnceValue(func() error {
		err := s.parse(raw)
		s.collect(s.doc, "", nil)
		return err
	}))
	return s
}

func newSchema(read func() error) *Schema {
	s := &Schema{read: read}
	s.fast = sync.OnceValue(func() *fast {
		if read() != nil {
			return nil
		}
		return newFast(s.doc)
	})
	s.compiled = sync.OnceValues(func() (*jsonschema.Schema, error) {
		if err := read(); err != nil {
			return nil, err
		}
		c := jsonschema.NewCompiler()
		c.DefaultDraft(jsonschema.Draft2020)
		c.AssertFormat()
		c.RegisterFormat(&jsonschema.Format{Name: "email", Validate: isEmail})
		c.UseLoader(noLoader{})
		const url = "mem:///schema.json"
		if err := c.AddResource(url, s.doc); err != nil {
			return nil, err
		}
		compiled, err := c.Compile(url)
		if refused, is := errors.AsType[*jsonschema.SchemaValidationError](err); is {
			if invalid, is := errors.AsType[*jsonschema.ValidationError](refused.Err); is {
				first := leaves(invalid, message.NewPrinter(language.English), nil)[0]
				return nil, fmt.Errorf("%s: %s", at(first.Path), first.Message)
			}
		}
		return compiled, err
	})
	return s
}

// isEmail also accepts domains in any language.
func isEmail(v any) error {
	if s, is := v.(string); is && !mailaddress.Valid(s) {
		return errors.New("not an address of mail")
	}
	return nil
}

// parse decodes the document of the schema.
func (s *Schema) parse(raw json.RawMessage) error {
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(raw))
	if err != nil {
		return fmt.Errorf("not JSON: %w", err)
	}
	var isObject bool
	if s.doc, isObject = doc.(map[string]any); !isObject {
		return errors.New("a schema is a JSON object")
	}
	return nil
}

// known returns s after reading its document.
func (s *Schema) known() *Schema {
	_ = s.read() // an unreadable schema names no fields
	return s
}

// HasField reports whether the schema names the field at a pointer, with "*" for an index of a list.
func (s *Schema) HasField(pointer string) bool {
	return s != nil && slices.Contains(s.known().fields, pointer)
}

// Entities lists the kinds of records in the values of x-entity, each once.
func (s *Schema) Entities() []string {
	if s == nil {
		return nil
	}
	return slices.Compact(slices.Sorted(maps.Values(s.known().entities)))
}

// PathsOf returns the pointers to fields with the id of one record of a kind. They pass through no list.
func (s *Schema) PathsOf(entity string) (pointers []string) {
	if s == nil {
		return nil
	}
	for _, pattern := range sortedKeys(s.known().entities) {
		if s.entities[pattern] == entity && !strings.Contains(pattern, "*") {
			pointers = append(pointers, pattern)
		}
	}
	return pointers
}

// EntityAt returns the kind of record that the value at a pointer identifies, or "". The pointer has "*" for an index
// of a list. The keyword may also be at a list of ids.
func (s *Schema) EntityAt(pattern string) string {
	if s == nil {
		return ""
	}
	return cmp.Or(s.known().entities[pattern], s.entities[strings.TrimSuffix(pattern, "/*")])
}

// Required lists the required fields of the document itself.
func (s *Schema) Required() (names []string) {
	if s == nil {
		return nil
	}
	list, _ := s.known().doc["required"].([]any)
	for _, name := range list {
		if name, ok := name.(string); ok {
			names = append(names, name)
		}
	}
	return names
}

// noLoader refuses every reference that leaves the document.
type noLoader struct{}

func (noLoader) Load(url string) (any, error) {
	return nil, fmt.Errorf("reference to %q: only local references are allowed", url)
}

// collect walks the schema for defaults, fields and writeOnly fields. seen holds the current chain of references.
func (s *Schema) collect(node any, pattern string, seen []string) {
	m, ok := node.(map[string]any)
	if !ok {
		s.free = s.free || node == true
		return
	}
	_, named := m["properties"]
	s.open = s.open || isOpen(m)
	s.free = s.free || !named && isOpen(m)
	if ref, ok := m["$ref"].(string); ok {
		if slices.Contains(seen, ref) {
			return
		}
		s.collect(s.deref(ref), pattern, append(seen, ref))
	}
	if _, ok := m["default"]; ok {
		s.hasDefaults = true
	}
	if of, ok := m["x-entity"].(string); ok {
		if s.entities == nil {
			s.entities = map[string]string{}
		}
		s.entities[pattern] = of
	}
	if m["writeOnly"] == true {
		s.secrets = append(s.secrets, pattern)
	}
	if props, ok := m["properties"].(map[string]any); ok {
		for _, name := range sortedKeys(props) {
			field := pattern + "/" + jsonpointer.Escape(name)
			s.fields = append(s.fields, field)
			s.free = s.free || strings.EqualFold(name, "capability") || strings.EqualFold(name, "tool")
			s.collect(props[name], field, seen)
		}
	}
	if items, ok := m["items"]; ok {
		s.collect(items, pattern+"/*", seen)
	}
	for _, k := range []string{"oneOf", "anyOf", "allOf"} {
		list, _ := m[k].([]any)
		for _, c := range list {
			s.collect(c, pattern, seen)
		}
	}
}

// isOpen reports whether a schema accepts objects with unnamed fields, or lists of any values.
func isOpen(m map[string]any) bool {
	for _, k := range []string{"$ref", "enum", "const", "oneOf", "anyOf", "allOf"} {
		if _, says := m[k]; says {
			return false
		}
	}
	takes := func(kind string) bool {
		list, several := m["type"].([]any)
		return m["type"] == nil || m["type"] == kind || several && slices.Contains(list, any(kind))
	}
	_, items := m["items"]
	return takes("object") && m["additionalProperties"] != false || takes("array") && !items
}

// MayHoldAny reports whether a valid value may contain fields that the schema does not name, or arguments next to the
// name of a capability.
func (s *Schema) MayHoldAny() bool { return s != nil && (s.known().open || s.free) }

// NamesAny is [Schema.MayHoldAny] for an output, which has no further fields if the schema names some.
func (s *Schema) NamesAny() bool { return s != nil && s.known().free }

// NodeAt returns the schema of the value at a pointer, or nil if there is none.
func (s *Schema) NodeAt(pointer string) map[string]any {
	if s == nil {
		return nil
	}
	node := any(s.known().doc)
	for token := range strings.SplitSeq(strings.TrimPrefix(pointer, "/"), "/") {
		m, _ := node.(map[string]any)
		if ref, is := m["$ref"].(string); is {
			m, _ = s.deref(ref).(map[string]any)
		}
		if props, _ := m["properties"].(map[string]any); props[jsonpointer.Unescape(token)] != nil {
			node = props[jsonpointer.Unescape(token)]
		} else {
			node = m["items"]
		}
	}
	m, _ := node.(map[string]any)
	return m
}

// deref resolves a local reference, or returns nil if it has no target.
func (s *Schema) deref(ref string) any {
	node, _ := jsonpointer.At(s.doc, strings.TrimPrefix(ref, "#"))
	return node
}
