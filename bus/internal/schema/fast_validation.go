package schema

import (
	"encoding/json"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// fast is a fast validation. It accepts a value that certainly fits its schema. It leaves everything else to the
// compiled schema: a violation, a number other than a plain integer, and a schema with an unknown keyword. Only the
// compiled schema refuses. This saves a fifth of the time of an invocation (BenchmarkOverMandatory); FuzzFast compares
// both.
type fast struct {
	never      bool
	kind       string // "" for any
	enums      [][]any
	bounds     []bound
	pattern    *regexp.Regexp
	items      *fast
	properties map[string]*fast
	rest       *fast // of additional properties; nil for any
	required   []string
}

// bound is a keyword that compares a number or a size with a limit.
type bound struct {
	keyword string
	limit   int64
}

// newFast compiles a checked schema. It returns nil if a keyword is not fully implemented here.
func newFast(node any) *fast {
	if allowed, isBool := node.(bool); isBool {
		return &fast{never: !allowed}
	}
	f := &fast{}
	m, ok := node.(map[string]any)
	for k, v := range m {
		ok = ok && f.add(k, v)
	}
	if !ok {
		return nil
	}
	return f
}

// add compiles one keyword. known is false for an unsupported one.
func (f *fast) add(keyword string, v any) (known bool) {
	switch keyword {
	case "$schema", "$comment", "title", "description", "default", "examples", "readOnly", "writeOnly", "deprecated":
		return true
	case "type":
		f.kind, known = v.(string)
	case "enum", "const":
		list, isList := v.([]any)
		if keyword == "const" {
			list, isList = []any{v}, true
		}
		f.enums = append(f.enums, list)
		known = isList && !slices.ContainsFunc(list, func(v any) bool { return !isScalar(v) })
	case "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "minLength", "maxLength", "minItems", "maxItems":
		limit, isPlain := plain(v)
		f.bounds, known = append(f.bounds, bound{keyword, limit}), isPlain
	case "pattern":
		text, isText := v.(string)
		var err error
		f.pattern, err = regexp.Compile(text)
		known = isText && err == nil
	case "items":
		f.items = newFast(v)
		known = f.items != nil
	case "additionalProperties":
		f.rest = newFast(v)
		known = f.rest != nil
	case "properties":
		var props map[string]any
		props, known = v.(map[string]any)
		f.properties = make(map[string]*fast, len(props))
		for name, sub := range props {
			f.properties[name] = newFast(sub)
			known = known && f.properties[name] != nil
		}
	case "required":
		var list []any
		list, known = v.([]any)
		for _, name := range list {
			text, isText := name.(string)
			f.required, known = append(f.required, text), known && isText
		}
	default:
		known = strings.HasPrefix(keyword, "x-")
	}
	return known
}

func (f *fast) accepts(value any) bool {
	if f.never || !f.isKind(value) || slices.ContainsFunc(f.bounds, func(b bound) bool { return !b.holds(value) }) {
		return false
	}
	for _, list := range f.enums { // texts, and numbers in the same notation as in the schema
		if !isScalar(value) || !slices.Contains(list, value) {
			return false
		}
	}
	switch t := value.(type) {
	case string:
		return f.pattern == nil || f.pattern.MatchString(t)
	case []any:
		return f.items == nil || !slices.ContainsFunc(t, func(v any) bool { return !f.items.accepts(v) })
	case map[string]any:
		return f.acceptsObject(t)
	}
	return true
}

func (f *fast) acceptsObject(object map[string]any) bool {
	for _, name := range f.required {
		if _, present := object[name]; !present {
			return false
		}
	}
	for name, child := range object {
		sub := f.properties[name]
		if sub == nil {
			sub = f.rest
		}
		if sub != nil && !sub.accepts(child) {
			return false
		}
	}
	return true
}

func (f *fast) isKind(value any) (is bool) {
	switch f.kind {
	case "":
		is = true
	case "object":
		_, is = value.(map[string]any)
	case "array":
		_, is = value.([]any)
	case "string":
		_, is = value.(string)
	case "boolean":
		_, is = value.(bool)
	case "null":
		is = value == nil
	case "number":
		_, is = value.(json.Number)
	case "integer":
		_, is = plain(value)
	}
	return is
}

// holds reports whether value is within the bound, or the bound does not apply to it.
func (b bound) holds(value any) bool {
	var size int64
	var subject string
	switch t := value.(type) {
	case json.Number:
		n, isPlain := plain(t)
		if !isPlain {
			return strings.HasSuffix(b.keyword, "Length") || strings.HasSuffix(b.keyword, "Items")
		}
		size, subject = n, "imum"
	case string:
		size, subject = int64(utf8.RuneCountInString(t)), "Length"
	case []any:
		size, subject = int64(len(t)), "Items"
	}
	if subject == "" || !strings.HasSuffix(b.keyword, subject) {
		return true
	}
	switch {
	case b.keyword == "exclusiveMinimum":
		return size > b.limit
	case b.keyword == "exclusiveMaximum":
		return size < b.limit
	case strings.HasPrefix(b.keyword, "min"):
		return size >= b.limit
	}
	return size <= b.limit
}

func isScalar(value any) bool {
	switch value.(type) {
	case string, json.Number, bool, nil:
		return true
	}
	return false
}

// plain reads a number in integer notation that fits into 64 bits.
func plain(value any) (int64, bool) {
	n, ok := value.(json.Number)
	if !ok {
		return 0, false
	}
	i, err := strconv.ParseInt(string(n), 10, 64)
	return i, err == nil
}
