package bus

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/deskhand/deskhand/bus/internal/schema"
	"github.com/deskhand/deskhand/internal/jsonpointer"
	"github.com/deskhand/deskhand/internal/userinfo"
)

// Redacted returns the arguments of a capability in their recorded form: without its secrets, and without any values if
// there is no such capability. It is for code that stores or shows a caller's arguments.
func (b *Bus) Redacted(capability string, arguments json.RawMessage) json.RawMessage {
	c := b.find(capability)
	if c == nil {
		safe, _ := b.onlyNames(arguments)
		return safe
	}
	args, why := b.decode(arguments)
	if why != "" {
		return b.recordable(c, arguments)
	}
	safe, where := b.redact(c, args, arguments, c.in.validate(args) != nil)
	if where == nil {
		return arguments
	}
	out, err := json.Marshal(safe)
	if err != nil {
		return json.RawMessage(`"` + schema.Redacted + `"`)
	}
	return out
}

// Violations returns the violations of a capability's schema in arguments, or nil if they fit or if there is no such
// capability.
func (b *Bus) Violations(capability string, arguments json.RawMessage) []Violation {
	c := b.find(capability)
	if c == nil {
		return nil
	}
	args, why := b.decode(arguments)
	if why != "" {
		return []Violation{{Message: why}}
	}
	c.in.Fill(args)
	return c.in.validate(args)
}

// onlyNames returns the arguments of a call to an unknown capability without their values, because any may be a secret.
func (b *Bus) onlyNames(arguments json.RawMessage) (safe json.RawMessage, where []string) {
	args, _ := b.decode(arguments)
	if _, isObject := args.(map[string]any); !isObject {
		args = schema.Redacted
	}
	where = withoutValues(args, "/arguments")
	safe, _ = json.Marshal(args)
	return safe, where
}

// withoutValues redacts the fields of an object, and returns their pointers.
func withoutValues(object any, path string) (where []string) {
	fields, _ := object.(map[string]any)
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		fields[name], where = schema.Redacted, append(where, path+"/"+jsonpointer.Escape(name))
	}
	return where
}

// mayHoldSecrets reports whether the arguments may contain secrets of the capabilities that c stands for.
func (b *Bus) mayHoldSecrets(c *registered, args any) bool {
	if c.standsFor == nil || c.ofSteps { // no step has a secret
		return false
	}
	raw, err := json.Marshal(args)
	if err != nil {
		return true
	}
	name, _, err := c.standsFor(context.Background(), &Call{Arguments: raw})
	named := b.find(name)
	return err != nil || named == nil || named.in.HasSecrets()
}

// redact removes from the arguments of c its secrets, those of capabilities whose names appear next to arguments, and
// the userinfo of URLs. raw is args as JSON.
func (b *Bus) redact(c *registered, args any, raw []byte, invalid bool) (safe any, where []string) {
	if b.mayHoldSecrets(c, args) {
		safe = schema.Clone(args)
		return safe, withoutValues(safe, "")
	}
	if invalid {
		safe, where = c.in.RedactInvalid(args)
	} else {
		safe, where = c.in.Redact(args)
	}
	if invalid || c.in.MayHoldAny() || mayHoldUserinfo(raw) {
		n := nested{b: b, where: where, sent: true}
		n.outer = c.standsFor != nil && !c.ofSteps // its own pair was checked above
		safe, where = n.walk(safe, ""), n.where
	}
	return safe, where
}

// mayHoldUserinfo reports whether JSON may contain a URL.
func mayHoldUserinfo(raw []byte) bool {
	return bytes.Contains(raw, []byte("://")) || bytes.IndexByte(raw, '\\') >= 0 // escapes may hide one
}

// nested removes secrets from values of any shape. It copies values before it changes them.
type nested struct {
	b     *Bus
	where []string // pointers of the removed values
	sent  bool     // by a caller: each value of an unknown field may be a secret
	outer bool     // the outermost object is no pair of a name and arguments
}

func (n *nested) walk(node any, path string) any {
	switch t := node.(type) {
	case string:
		if safe := userinfo.Strip(t); safe != t {
			n.where = append(n.where, path)
			return safe
		}
	case []any:
		var out []any
		for i, child := range t {
			before := len(n.where)
			safe := n.walk(child, fmt.Sprint(path, "/", i))
			if len(n.where) > before {
				if out == nil {
					out = slices.Clone(t)
				}
				out[i] = safe
			}
		}
		if out != nil {
			return out
		}
	case map[string]any:
		return n.object(t, path)
	}
	return node
}

func (n *nested) object(t map[string]any, path string) any {
	var named []*registered
	called := false
	if !n.outer {
		named, called = n.names(t)
	}
	n.outer = false
	var out map[string]any
	for _, key := range slices.Sorted(maps.Keys(t)) {
		before, at := len(n.where), path+"/"+jsonpointer.Escape(key)
		safe := t[key]
		for _, c := range named {
			safe = n.beside(c, key, safe, at)
		}
		if called && named == nil && n.sent && isArguments(key) {
			safe = n.without(safe, at)
		}
		safe = n.walk(safe, at)
		if len(n.where) > before {
			if out == nil {
				out = maps.Clone(t)
			}
			out[key] = safe
		}
	}
	if out != nil {
		return out
	}
	return t
}

// names returns the capabilities that an object names, and whether it has a field for such a name or for arguments.
func (n *nested) names(t map[string]any) (named []*registered, called bool) {
	for key, value := range t {
		text, isText := value.(string)
		isName := strings.EqualFold(key, "capability") || strings.EqualFold(key, "tool")
		called = called || isArguments(key) || isText && isName
		if !isText || len(text) > longestName {
			continue
		}
		if c := n.b.named(text); c != nil {
			named = append(named, c)
		}
	}
	slices.SortFunc(named, func(a, b *registered) int { return strings.Compare(a.Name, b.Name) })
	return named, called
}

// named returns the capability with a name, or with a tool name, or nil if there is none.
func (b *Bus) named(text string) *registered {
	if c := b.find(text); c != nil {
		return c
	}
	if !strings.Contains(text, "_") {
		return nil
	}
	for _, c := range b.listed.Load().caps {
		if toolName(c.Name) == text {
			return c
		}
	}
	return nil
}

// isArguments reports whether a field holds the arguments of a call.
func isArguments(key string) bool { return strings.EqualFold(key, "arguments") }

// beside removes the secrets of c from a value that is in the same object as its name: the arguments of a call, which
// may be invalid because they may contain references, or limits by the pointers of fields.
func (n *nested) beside(c *registered, key string, value any, at string) any {
	if !c.in.HasSecrets() {
		return value
	}
	object, isObject := value.(map[string]any)
	var safe any
	var in []string
	switch {
	case isArguments(key) && isObject:
		safe, in = c.in.RedactInvalid(value)
	case isArguments(key):
		return n.without(value, at)
	default:
		safe, in = c.in.Redact(value)
	}
	for name := range object {
		if c.in.IsSecretPointer(name) {
			safe.(map[string]any)[name] = schema.Redacted // a copy, since c has secrets
			in = append(in, "/"+jsonpointer.Escape(name))
		}
	}
	slices.Sort(in)
	for _, pointer := range in {
		n.where = append(n.where, at+pointer)
	}
	if in == nil {
		return value
	}
	return safe
}

// without removes the values of an object, or any other value as a whole.
func (n *nested) without(value any, at string) any {
	switch t := value.(type) {
	case nil:
		return nil
	case map[string]any:
		safe := schema.Clone(t)
		n.where = append(n.where, withoutValues(safe, at)...)
		return safe
	}
	n.where = append(n.where, at)
	return schema.Redacted
}

// redactData removes secrets and userinfo from an output for records and models, and returns their pointers.
func (b *Bus) redactData(c *registered, data json.RawMessage) (safe json.RawMessage, where []string) {
	if !c.out.HasSecrets() && !c.out.NamesAny() && !mayHoldUserinfo(data) {
		return data, nil
	}
	value, err := b.decoders.Decode(data)
	if err != nil {
		return data, nil // it was validated before: it is JSON
	}
	value, where = c.out.Redact(value)
	n := nested{b: b, where: where}
	if value = n.walk(value, ""); n.where == nil {
		return data, nil
	}
	safe, _ = json.Marshal(value) // it was decoded from JSON
	return safe, n.where
}

// redactedResponse returns an output that violates its schema, in a form for the record.
func (b *Bus) redactedResponse(c *registered, out json.RawMessage) json.RawMessage {
	value, err := b.decoders.Decode(out)
	if err != nil {
		if c.out.HasSecrets() || userinfo.Strip(string(out)) != string(out) {
			return json.RawMessage(`"` + schema.Redacted + `"`)
		}
		return recordable(out)
	}
	value, where := c.out.RedactInvalid(value)
	n := nested{b: b, where: where}
	if value = n.walk(value, ""); n.where == nil {
		return recordable(out)
	}
	safe, _ := json.Marshal(value) // it was decoded from JSON
	return safe
}

// recordable returns arguments that were not read, in a form for the record. It returns nothing if they may contain a
// secret.
func (b *Bus) recordable(c *registered, raw json.RawMessage) json.RawMessage {
	if c.in.HasSecrets() || c.in.MayHoldAny() || userinfo.Strip(string(raw)) != string(raw) {
		return json.RawMessage(`"` + schema.Redacted + `"`)
	}
	return recordable(raw)
}
