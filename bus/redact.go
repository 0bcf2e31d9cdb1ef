package bus

import (
	"encoding/json"
	"fmt"
	"slices"
	"sort"
	"strings"
)

// hasSecrets reports whether any field is writeOnly.
func (s *schema) hasSecrets() bool { return s != nil && len(s.secrets) > 0 }

// secret reports whether a value at path, or around it, is writeOnly.
func (s *schema) secret(path string) bool {
	parts := strings.Split(path, "/")
	for _, pattern := range s.secrets {
		want := strings.Split(pattern, "/")
		if len(want) > len(parts) {
			continue
		}
		match := true
		for i, w := range want {
			match = match && (w == "*" || w == parts[i])
		}
		if match {
			return true
		}
	}
	return false
}

// keepable returns arguments that could not be read as they can be recorded: not
// at all where there may be a secret in them.
func (s *schema) keepable(raw json.RawMessage) json.RawMessage {
	if s.hasSecrets() {
		return json.RawMessage(`"` + redactedMark + `"`)
	}
	return keepable(raw)
}

// redact returns value without its writeOnly fields, and where they were. value
// itself stays as it is.
func (s *schema) redact(value any) (any, []string) {
	if !s.hasSecrets() {
		return value, nil
	}
	copied := clone(value)
	var where []string
	for _, pattern := range s.secrets {
		where = append(where, blank(copied, strings.Split(pattern, "/")[1:], "")...)
	}
	sort.Strings(where)
	return copied, where
}

// redactUnfit is redact for a value that does not fit: a secret may be where the
// schema has no field, so nothing stays that it does not name.
func (s *schema) redactUnfit(value any) (any, []string) {
	if !s.hasSecrets() {
		return value, nil
	}
	safe, where := s.redact(value)
	where = append(where, s.blankUnnamed(safe, "", "")...)
	sort.Strings(where)
	return safe, where
}

// blankUnnamed takes out of a value what has no field in the schema. path is
// where it is, pattern the same with "*" for each index.
func (s *schema) blankUnnamed(node any, path, pattern string) (where []string) {
	switch t := node.(type) {
	case map[string]any:
		for _, name := range sortedKeys(t) {
			at, as := path+"/"+escapePointer(name), pattern+"/"+escapePointer(name)
			if slices.Contains(s.fields, as) {
				where = append(where, s.blankUnnamed(t[name], at, as)...)
				continue
			}
			t[name], where = redactedMark, append(where, at)
		}
	case []any:
		for i, child := range t {
			where = append(where, s.blankUnnamed(child, fmt.Sprint(path, "/", i), pattern+"/*")...)
		}
	}
	return where
}

// Redacted returns the arguments of a capability as records keep them: without
// its secrets, and whole when there is no such capability. It is for those who
// keep or show what a caller sent.
func (b *Bus) Redacted(capability string, arguments json.RawMessage) json.RawMessage {
	c := b.find(capability)
	if c == nil {
		return arguments
	}
	args, err := b.decoders.decode(arguments)
	if unreadable(arguments, args, err) != "" {
		return c.in.keepable(arguments)
	}
	safe, where := b.redact(c, args, c.in != nil && c.in.validate(args) != nil)
	if where == nil {
		return arguments
	}
	out, err := json.Marshal(safe)
	if err != nil {
		return json.RawMessage(`"` + redactedMark + `"`)
	}
	return out
}

// redact takes the secrets out of the arguments of c, and out of those of the steps
// that a plan is made of.
func (b *Bus) redact(c *registered, args any, unfit bool) (safe any, where []string) {
	if unfit {
		safe, where = c.in.redactUnfit(args)
	} else {
		safe, where = c.in.redact(args)
	}
	if c.Name != CapabilityPlan {
		return safe, where
	}
	plan, _ := safe.(map[string]any)
	steps, _ := plan["steps"].([]any)
	for i := range steps {
		step, _ := steps[i].(map[string]any)
		name, _ := step["capability"].(string)
		inner := b.find(name)
		if inner == nil {
			continue
		}
		blanked, in := inner.in.redactUnfit(step["arguments"]) // it may refer to results: it need not fit
		if in == nil {
			continue
		}
		if where == nil {
			copied := clone(safe).(map[string]any)
			safe, steps = copied, copied["steps"].([]any)
		}
		steps[i].(map[string]any)["arguments"] = blanked
		for _, pointer := range in {
			where = append(where, fmt.Sprint("/steps/", i, "/arguments", pointer))
		}
	}
	return safe, where
}

// redactedMark stands in records where a secret stood.
const redactedMark = "[redacted]"

func blank(node any, pattern []string, path string) []string {
	if len(pattern) == 0 {
		return nil
	}
	var where []string
	visit := func(key string, child any, set func(any)) {
		at := path + "/" + escapePointer(key)
		if len(pattern) == 1 {
			set(redactedMark)
			where = append(where, at)
			return
		}
		where = append(where, blank(child, pattern[1:], at)...)
	}
	switch t := node.(type) {
	case map[string]any:
		name := unescapePointer(pattern[0])
		if child, ok := t[name]; ok {
			visit(name, child, func(v any) { t[name] = v })
		}
	case []any:
		if pattern[0] == "*" {
			for i, child := range t {
				visit(fmt.Sprint(i), child, func(v any) { t[i] = v })
			}
		}
	}
	return where
}
