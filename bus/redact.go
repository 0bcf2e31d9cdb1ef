package bus

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"github.com/deskhand/deskhand/bus/internal/schema"
	"github.com/deskhand/deskhand/internal/jsonpointer"
)

// Redacted returns the arguments of a capability as records keep them: without its secrets, and without any value if
// there is no such capability. It is for those who keep or show what a caller sent.
func (b *Bus) Redacted(capability string, arguments json.RawMessage) json.RawMessage {
	c := b.find(capability)
	if c == nil {
		safe, _ := b.onlyNames(arguments)
		return safe
	}
	args, why := b.decode(arguments)
	if why != "" {
		return c.in.recordable(arguments)
	}
	safe, where := b.redact(c, args, c.in.validate(args) != nil)
	if where == nil {
		return arguments
	}
	out, err := json.Marshal(safe)
	if err != nil {
		return json.RawMessage(`"` + schema.Redacted + `"`)
	}
	return out
}

// Violations returns what is wrong with the arguments of a capability; nil if they fit, and if there is no such
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

// onlyNames returns the arguments of a call that names no capability without their values: any may be a secret.
func (b *Bus) onlyNames(arguments json.RawMessage) (safe json.RawMessage, where []string) {
	args, _ := b.decode(arguments)
	if _, isObject := args.(map[string]any); !isObject {
		args = schema.Redacted
	}
	where = withoutValues(args, "/arguments")
	safe, _ = json.Marshal(args)
	return safe, where
}

// withoutValues redacts the fields of an object, and returns where they are.
func withoutValues(object any, path string) (where []string) {
	fields, _ := object.(map[string]any)
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		fields[name], where = schema.Redacted, append(where, path+"/"+jsonpointer.Escape(name))
	}
	return where
}

// mayHoldSecrets reports whether secrets of what c stands for may be among its arguments.
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

// redact removes the secrets from the arguments of c, and from those of the steps of a plan.
func (b *Bus) redact(c *registered, args any, invalid bool) (safe any, where []string) {
	if b.mayHoldSecrets(c, args) {
		safe = schema.Clone(args)
		return safe, withoutValues(safe, "")
	}
	if invalid {
		safe, where = c.in.RedactInvalid(args)
	} else {
		safe, where = c.in.Redact(args)
	}
	if !c.plan {
		return safe, where
	}
	plan, _ := safe.(map[string]any)
	steps, _ := plan["steps"].([]any)
	for i := range steps {
		step, _ := steps[i].(map[string]any)
		name, _ := step["capability"].(string)
		redacted, in := step["arguments"], []string(nil)
		if inner := b.find(name); inner != nil {
			redacted, in = inner.in.RedactInvalid(redacted) // it may refer to results: it need not fit
		} else {
			redacted = schema.Clone(redacted)
			in = withoutValues(redacted, "")
		}
		if in == nil {
			continue
		}
		if where == nil {
			copied := schema.Clone(safe).(map[string]any)
			safe, steps = copied, copied["steps"].([]any)
		}
		steps[i].(map[string]any)["arguments"] = redacted
		for _, pointer := range in {
			where = append(where, fmt.Sprint("/steps/", i, "/arguments", pointer))
		}
	}
	return safe, where
}
