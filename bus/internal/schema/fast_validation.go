package schema

import (
	"encoding/json"
	"regexp"
	"strconv"
	"unicode/utf8"
)

// validator is the fast validation: it accepts a value that certainly fits its
// schema. Everything else — a violation, a number that is not a plain integer, a
// schema with a keyword not known here — is left to the compiled schema, which
// alone can refuse. It saves a fifth of an invocation; FuzzFast compares the two.
type validator func(value any) bool

// fast compiles the fast validation of a schema that was checked; nil if there is
// none. Only keywords that it implements in full may be listed.
func fast(node any) validator {
	m, ok := node.(map[string]any)
	if !ok {
		if node == true {
			return func(any) bool { return true }
		}
		return nil
	}
	var all []validator
	for k, v := range m {
		f, known := fastKeyword(k, v, m)
		if !known {
			return nil
		}
		if f != nil {
			all = append(all, f)
		}
	}
	return func(value any) bool {
		for _, f := range all {
			if !f(value) {
				return false
			}
		}
		return true
	}
}

// fastKeyword compiles one keyword; nil and true for one that asserts nothing.
func fastKeyword(k string, v any, m map[string]any) (f validator, known bool) {
	switch k {
	case "$schema", "$comment", "title", "description", "default", "examples", "readOnly", "writeOnly", "deprecated":
		return nil, true
	case "type":
		f = fastType(v)
	case "properties":
		f = fastProperties(v, m)
	case "additionalProperties":
		if _, listed := m["properties"]; listed {
			return nil, true // by fastProperties
		}
		f = fastProperties(map[string]any{}, m)
	case "required":
		f = fastRequired(v)
	case "items":
		if _, tuple := m["prefixItems"]; !tuple {
			f = fastItems(v)
		}
	case "enum":
		f = fastEnum(v)
	case "const":
		f = fastEnum([]any{v})
	case "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum":
		f = fastBound(k, v)
	case "minLength", "maxLength", "minItems", "maxItems":
		f = fastSize(k, v)
	case "pattern":
		f = fastPattern(v)
	default:
		return nil, len(k) > 2 && k[:2] == "x-"
	}
	return f, f != nil
}

func fastType(v any) validator {
	switch v {
	case "object":
		return is[map[string]any]
	case "array":
		return is[[]any]
	case "string":
		return is[string]
	case "boolean":
		return is[bool]
	case "null":
		return func(value any) bool { return value == nil }
	case "number":
		return is[json.Number]
	case "integer":
		return func(value any) bool { _, ok := plain(value); return ok }
	}
	return nil
}

func is[T any](value any) bool {
	_, ok := value.(T)
	return ok
}

// plain is a number written as an integer that validator into 64 bits.
func plain(value any) (int64, bool) {
	n, ok := value.(json.Number)
	if !ok {
		return 0, false
	}
	i, err := strconv.ParseInt(string(n), 10, 64)
	return i, err == nil
}

func fastProperties(v any, m map[string]any) validator {
	props, ok := v.(map[string]any)
	if !ok {
		return nil
	}
	known := make(map[string]validator, len(props))
	for name, sub := range props {
		if known[name] = fast(sub); known[name] == nil {
			return nil
		}
	}
	rest := fast(true)
	if extra, ok := m["additionalProperties"]; ok {
		if extra == false {
			rest = func(any) bool { return false }
		} else if rest = fast(extra); rest == nil {
			return nil
		}
	}
	return func(value any) bool {
		obj, ok := value.(map[string]any)
		if !ok {
			return true
		}
		for name, child := range obj {
			f := known[name]
			if f == nil {
				f = rest
			}
			if !f(child) {
				return false
			}
		}
		return true
	}
}

func fastRequired(v any) validator {
	list, ok := v.([]any)
	if !ok {
		return nil
	}
	names := make([]string, len(list))
	for i, n := range list {
		if names[i], ok = n.(string); !ok {
			return nil
		}
	}
	return func(value any) bool {
		obj, ok := value.(map[string]any)
		if !ok {
			return true
		}
		for _, name := range names {
			if _, present := obj[name]; !present {
				return false
			}
		}
		return true
	}
}

func fastItems(v any) validator {
	each := fast(v)
	if each == nil {
		return nil
	}
	return func(value any) bool {
		list, _ := value.([]any)
		for _, child := range list {
			if !each(child) {
				return false
			}
		}
		return true
	}
}

// fastEnum finds texts, and numbers written as in the schema.
func fastEnum(v any) validator {
	list, ok := v.([]any)
	if !ok {
		return nil
	}
	for _, allowed := range list {
		switch allowed.(type) {
		case string, json.Number, bool, nil:
		default:
			return nil
		}
	}
	return func(value any) bool {
		switch value.(type) {
		case string, json.Number, bool, nil:
			for _, allowed := range list {
				if value == allowed {
					return true
				}
			}
		}
		return false
	}
}

func fastBound(k string, v any) validator {
	bound, ok := plain(v)
	if !ok {
		return nil
	}
	return func(value any) bool {
		if _, number := value.(json.Number); !number {
			return true
		}
		n, ok := plain(value)
		switch k {
		case "minimum":
			return ok && n >= bound
		case "maximum":
			return ok && n <= bound
		case "exclusiveMinimum":
			return ok && n > bound
		default:
			return ok && n < bound
		}
	}
}

func fastSize(k string, v any) validator {
	limit, ok := plain(v)
	if !ok {
		return nil
	}
	least := k == "minLength" || k == "minItems"
	ofText := k == "minLength" || k == "maxLength"
	return func(value any) bool {
		var size int64
		switch t := value.(type) {
		case string:
			if !ofText {
				return true
			}
			size = int64(utf8.RuneCountInString(t))
		case []any:
			if ofText {
				return true
			}
			size = int64(len(t))
		default:
			return true
		}
		if least {
			return size >= limit
		}
		return size <= limit
	}
}

func fastPattern(v any) validator {
	text, ok := v.(string)
	if !ok {
		return nil
	}
	re, err := regexp.Compile(text)
	if err != nil {
		return nil
	}
	return func(value any) bool {
		s, ok := value.(string)
		return !ok || re.MatchString(s)
	}
}
