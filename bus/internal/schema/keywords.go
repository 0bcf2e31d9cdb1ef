package schema

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/deskhand/deskhand/bus/internal/spelling"
	"github.com/deskhand/deskhand/internal/jsonpointer"
)

// keywords lists the keywords that are enforced or carried. All others are refused: the compiler ignores a misspelt
// keyword, and the application would start without that rule. Keywords that begin with "x-" are [extensions], or
// annotations of the application.
var keywords = map[string]bool{
	"$schema": true, "$defs": true, "definitions": true, "$ref": true, "$comment": true,
	"type": true, "enum": true, "const": true, "format": true,
	"properties": true, "required": true, "additionalProperties": true, "minProperties": true, "maxProperties": true,
	"items": true, "prefixItems": true, "minItems": true, "maxItems": true, "uniqueItems": true,
	"minimum": true, "maximum": true, "exclusiveMinimum": true, "exclusiveMaximum": true, "multipleOf": true,
	"minLength": true, "maxLength": true, "pattern": true,
	"oneOf": true, "anyOf": true, "allOf": true, "not": true,
	"title": true, "description": true, "default": true, "examples": true,
	"readOnly": true, "writeOnly": true, "deprecated": true,
}

// extensions lists the keywords of these packages with a sample value; nil for several types. They have one word after
// "x-", and those of an application have two. So an unknown keyword with one word is a misspelling, and its field would
// stay unmarked.
var extensions = map[string]any{"x-entity": "", "x-said": "", "x-file": "", "x-wanted": true, "x-personal": true,
	"x-tainted": true, "x-time": true, "x-detail": nil} // a number, which a struct tag gives as a text

var formats = map[string]bool{
	"uuid": true, "email": true, "uri": true, "uri-reference": true, "date-time": true, "date": true,
}

// checkKeywords walks every subschema and refuses keywords that cannot be enforced.
func (s *Schema) checkKeywords(node any, path string) error {
	m, ok := node.(map[string]any)
	if !ok {
		if _, isBool := node.(bool); isBool {
			return nil
		}
		return fmt.Errorf("%s: a schema is an object or a boolean", at(path))
	}
	for _, k := range sortedKeys(m) {
		sub := path + "/" + jsonpointer.Escape(k)
		if err := checkName(k, m[k]); err != nil {
			return fmt.Errorf("%s: %w", at(sub), err)
		}
		if err := s.checkKeyword(k, m[k], sub); err != nil {
			return err
		}
	}
	return nil
}

// checkName refuses an unknown keyword.
func checkName(keyword string, v any) error {
	word, extended := strings.CutPrefix(keyword, "x-")
	value, own := extensions[keyword]
	switch {
	case keywords[keyword] || extended && strings.Contains(word, "-"):
		return nil
	case !extended:
		return fmt.Errorf("keyword %q is not supported", keyword)
	case !own:
		near := slices.MinFunc(sortedKeys(extensions), func(a, b string) int {
			return spelling.Distance(keyword, a) - spelling.Distance(keyword, b)
		})
		return fmt.Errorf("there is no keyword %q, the nearest is %q; one of your own has two words, such as x-acme-%s",
			keyword, near, word)
	case value != nil && reflect.TypeOf(v) != reflect.TypeOf(value):
		return fmt.Errorf("keyword %q takes a %T, not %v", keyword, value, v)
	}
	return nil
}

func (s *Schema) checkKeyword(keyword string, v any, path string) error {
	switch keyword {
	case "properties", "$defs", "definitions":
		children, ok := v.(map[string]any)
		if !ok {
			return fmt.Errorf("%s: must be an object of schemas", at(path))
		}
		for _, name := range sortedKeys(children) {
			if err := s.checkKeywords(children[name], path+"/"+jsonpointer.Escape(name)); err != nil {
				return err
			}
		}
	case "items", "additionalProperties", "not":
		return s.checkKeywords(v, path)
	case "oneOf", "anyOf", "allOf", "prefixItems":
		list, ok := v.([]any)
		if !ok {
			return fmt.Errorf("%s: must be a list of schemas", at(path))
		}
		for i, c := range list {
			if err := s.checkKeywords(c, fmt.Sprintf("%s/%d", path, i)); err != nil {
				return err
			}
		}
	case "format":
		if f, _ := v.(string); !formats[f] {
			return fmt.Errorf("%s: format %v is not supported", at(path), v)
		}
	case "$ref":
		r, _ := v.(string)
		switch {
		case !strings.HasPrefix(r, "#"):
			return fmt.Errorf("%s: only local references are allowed, not %v", at(path), v)
		case s.deref(r) == nil && !strings.Contains(r, "%"): // the compiler decodes it
			return fmt.Errorf("%s: the schema has nothing at %s", at(path), r)
		}
	}
	return nil
}

// maxParts limits the parts of a schema, each counted as often as references lead to it. Reading one takes time for
// each part, and a short chain of definitions that refer twice to the next one has billions.
const maxParts = 100_000

// checkReferences refuses a schema that is too large once its references are replaced. seen holds the current chain of
// references.
func (s *Schema) checkReferences(node any, path string, seen []string, left *int) error {
	if *left--; *left < 0 {
		return fmt.Errorf("%s: with its references written out the schema has more than %d parts", at(path), maxParts)
	}
	switch t := node.(type) {
	case map[string]any:
		if ref, is := t["$ref"].(string); is && !slices.Contains(seen, ref) {
			if err := s.checkReferences(s.deref(ref), path, append(seen, ref), left); err != nil {
				return err
			}
		}
		for _, name := range sortedKeys(t) {
			if err := s.checkReferences(t[name], path+"/"+jsonpointer.Escape(name), seen, left); err != nil {
				return err
			}
		}
	case []any:
		for i, sub := range t {
			if err := s.checkReferences(sub, fmt.Sprintf("%s/%d", path, i), seen, left); err != nil {
				return err
			}
		}
	}
	return nil
}

func at(path string) string {
	if path == "" {
		return "at the root"
	}
	return "at " + path
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
