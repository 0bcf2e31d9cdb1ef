package bus

import (
	"encoding/json"
	"fmt"

	"github.com/deskhand/deskhand/bus/internal/schema"
)

// Redacted returns the arguments of a capability as records keep them: without
// its secrets, and whole if there is no such capability. It is for those who keep
// or show what a caller sent.
func (b *Bus) Redacted(capability string, arguments json.RawMessage) json.RawMessage {
	c := b.find(capability)
	if c == nil {
		return recordable(arguments)
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

// redact removes the secrets from the arguments of c, and from those of the steps
// of a plan.
func (b *Bus) redact(c *registered, args any, invalid bool) (safe any, where []string) {
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
		inner := b.find(name)
		if inner == nil {
			continue
		}
		redacted, in := inner.in.RedactInvalid(step["arguments"]) // it may refer to results: it need not fit
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
