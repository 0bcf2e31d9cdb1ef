package bus

import (
	"encoding/json"
	"regexp"
	"strconv"
	"unicode/utf8"
)

// fits is the short way through validation: it says yes to a value that surely
// fits its schema. Everything else — a violation, a number that is not a plain
// integer, a schema with a keyword not known here — is left to the compiled
// schema, which alone can refuse. FuzzFits holds the two against each other.
type fits func(value any) bool

// quick compiles the short way for a schema that was checked; nil when there is
// none. Only keywords whose whole meaning is here may be listed.
func quick(node any) fits {
	m, ok := node.(map[string]any)
	if !ok {
		if node == true {
			return func(any) bool { return true }
		}
		return nil
	}
	var all []fits
	for k, v := range m {
		f, known := quickKeyword(k, v, m)
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

// quickKeyword compiles one keyword; nil and true for one that asserts nothing.
func quickKeyword(k string, v any, m map[string]any) (f fits, known bool) {
	switch k {
	case "$schema", "$comment", "title", "description", "default", "examples", "readOnly", "writeOnly", "deprecated":
		return nil, true
	case "type":
		f = quickType(v)
	case "properties":
		f = quickProperties(v, m)
	case "additionalProperties":
		if _, listed := m["properties"]; listed {
			return nil, true // by quickProperties
		}
		f = quickProperties(map[string]any{}, m)
	case "required":
		f = quickRequired(v)
	case "items":
		if _, tuple := m["prefixItems"]; !tuple {
			f = quickItems(v)
		}
	case "enum":
		f = quickEnum(v)
	case "const":
		f = quickEnum([]any{v})
	case "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum":
		f = quickBound(k, v)
	case "minLength", "maxLength", "minItems", "maxItems":
		f = quickSize(k, v)
	case "pattern":
		f = quickPattern(v)
	default:
		return nil, len(k) > 2 && k[:2] == "x-"
	}
	return f, f != nil
}

func quickType(v any) fits {
	switch v {
	case "object":
		return func(value any) bool { _, ok := value.(map[string]any); return ok }
	case "array":
		return func(value any) bool { _, ok := value.([]any); return ok }
	case "string":
		return func(value any) bool { _, ok := value.(string); return ok }
	case "boolean":
		return func(value any) bool { _, ok := value.(bool); return ok }
	case "null":
		return func(value any) bool { return value == nil }
	case "number":
		return func(value any) bool { _, ok := value.(json.Number); return ok }
	case "integer":
		return func(value any) bool { _, ok := plain(value); return ok }
	}
	return nil
}

// plain is a number written as an integer that fits into 64 bits.
func plain(value any) (int64, bool) {
	n, ok := value.(json.Number)
	if !ok {
		return 0, false
	}
	i, err := strconv.ParseInt(string(n), 10, 64)
	return i, err == nil
}

func quickProperties(v any, m map[string]any) fits {
	props, ok := v.(map[string]any)
	if !ok {
		return nil
	}
	known := make(map[string]fits, len(props))
	for name, sub := range props {
		if known[name] = quick(sub); known[name] == nil {
			return nil
		}
	}
	rest := quick(true)
	if extra, ok := m["additionalProperties"]; ok {
		if extra == false {
			rest = func(any) bool { return false }
		} else if rest = quick(extra); rest == nil {
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

func quickRequired(v any) fits {
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

func quickItems(v any) fits {
	each := quick(v)
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

// quickEnum finds texts, and numbers written as in the schema.
func quickEnum(v any) fits {
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

func quickBound(k string, v any) fits {
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

func quickSize(k string, v any) fits {
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

func quickPattern(v any) fits {
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
