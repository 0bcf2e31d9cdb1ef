package policy

import (
	"cmp"
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/deskhand/deskhand/agent/internal/schema"
	"github.com/deskhand/deskhand/agent/internal/text"
	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/internal/jsonpointer"
)

// normalize validates the terms of a grant for c and rewrites constraint keys to one form. Each constraint must name a
// fact or a field, and the end must be in the future. A destructive capability also needs a limit of the amount or the
// uses, a subject and an end.
func (t GrantTerms) normalize(c *bus.Capability, now time.Time) (GrantTerms, error) {
	switch {
	case alwaysAsked(c):
		return t, notGrantable(c)
	case c.Checks.Access.Agent == bus.RuleDeny || c.Assistant.Hidden:
		return t, bus.Errorf(bus.Validation, bus.ReasonArguments, "%s is for people only.", c.Title)
	case c.SideEffect == bus.Destructive && len(c.Assistant.Grantable) == 0:
		return t, notGrantable(c)
	case t.Until != 0 && t.Until <= now.UnixMilli():
		return t, bus.Errorf(bus.Validation, bus.ReasonArguments, "The end of the grant is over already.").
			WithHint("Name one after %s.", now.UTC().Format(time.RFC3339))
	case t.Limits.Budget != nil && !slices.Contains(c.Facts, factAmount):
		return t, bus.Errorf(bus.Validation, bus.ReasonArguments, "%s moves no money, so it can have no budget.", c.Title).
			WithHint("Limit the uses.")
	}
	settled := Constraints{}
	for _, key := range slices.Sorted(maps.Keys(t.Constraints)) {
		about, err := subjectOf(key, c)
		if err != nil {
			return t, err
		}
		if _, twice := settled[about]; twice {
			return t, bus.Errorf(bus.Validation, bus.ReasonArguments, "There are two constraints on %s.", about).
				WithHint("Put them into one.")
		}
		settled[about] = t.Constraints[key]
	}
	t.Constraints = settled
	all, err := settled.read()
	if err != nil || c.SideEffect != bus.Destructive {
		return t, err
	}
	return t, t.bounded(c, all)
}

// bounded refuses terms that are too wide for a destructive capability.
func (t GrantTerms) bounded(c *bus.Capability, all map[string]constraint) error {
	limited := t.Limits.Uses > 0 || t.Limits.Budget != nil || all[factAmount].max != nil || all[factAmount].in != nil
	names := slices.DeleteFunc(slices.Clone(c.Assistant.Grantable), func(name string) bool { return name == factAmount })
	subject := func(name string) bool { return all[name].in != nil || all["/"+name].in != nil }
	var lacks []string
	if !limited {
		lacks = append(lacks, "a limit of the amount or the uses")
	}
	if len(names) > 0 && !slices.ContainsFunc(names, subject) {
		for i, name := range names {
			names[i] = strings.ToLower(schema.Label(name))
		}
		lacks = append(lacks, "one "+strings.Join(names, " or ")+" that it is for")
	}
	if t.Until == 0 {
		lacks = append(lacks, "an end")
	}
	if len(lacks) == 0 {
		return nil
	}
	return bus.Errorf(bus.Validation, bus.ReasonArguments, "A grant for %s needs %s.", c.Title,
		strings.Join(lacks, " and "))
}

func notGrantable(c *bus.Capability) error {
	return bus.Errorf(bus.Validation, bus.ReasonArguments, "%s is never granted: a person is asked every time.", c.Title)
}

// subjectOf resolves the key of a constraint: a fact of the capability, or a field of its input, for which the
// pointer's slash is optional.
func subjectOf(key string, c *bus.Capability) (string, error) {
	if slices.Contains(c.Facts, key) {
		return key, nil
	}
	field, inside, _ := strings.Cut(strings.TrimPrefix(key, "/"), "/")
	for _, f := range schema.Fields(c.InputSchema) {
		if f.Name != jsonpointer.Unescape(field) {
			continue
		}
		isScalar := slices.Contains([]string{"string", "number", "integer", "boolean"}, f.Kind) // it has no elements
		if each := eachElement(inside); each != inside && !isScalar {
			return "", bus.Errorf(bus.Validation, bus.ReasonArguments,
				"A bound on one element of a list leaves the others free: %s.", key).
				WithHint("Bound each of them: %s.", "/"+field+"/"+each)
		}
		return "/" + strings.TrimPrefix(key, "/"), nil
	}
	return "", bus.Errorf(bus.Validation, bus.ReasonArguments, "%s has no field or fact %q to be bound by.", c.Title, key).
		WithHint("capability.describe shows the fields; facts are %s.", cmp.Or(strings.Join(c.Facts, ", "), "none"))
}

// eachElement replaces each index in a pointer with an asterisk.
func eachElement(pointer string) string {
	parts := strings.Split(pointer, "/")
	for i, part := range parts {
		if part != "" && strings.Trim(part, "0123456789") == "" {
			parts[i] = "*"
		}
	}
	return strings.Join(parts, "/")
}

// keyText returns the label of a constraint's key, for people.
func keyText(key string, c *bus.Capability) string {
	pointer, isField := strings.CutPrefix(key, "/")
	if !isField {
		return schema.Label(key)
	}
	parts := strings.Split(pointer, "/")
	parts[0] = schema.Named(schema.Fields(c.InputSchema), parts[0]).Label()
	return strings.Join(slices.DeleteFunc(parts, func(part string) bool { return part == "*" }), " ")
}

// suggest returns bounds for a grant that would have covered a call: at most this amount, only this subject, a few
// uses, eight hours. A person may change them. It returns nil if the capability is not grantable.
func suggest(req *bus.ApprovalRequest, facts map[string]any, now time.Time) *GrantTerms {
	c := req.Capability
	t := GrantTerms{Constraints: Constraints{}, Limits: GrantLimits{Uses: suggestedUses}, Until: suggestedEnd(now)}
	for _, name := range c.Assistant.Grantable {
		v, there := facts[name]
		key := name
		if !there {
			input, err := text.ParseJSON(req.Invocation.Arguments)
			if err != nil {
				return nil
			}
			key = "/" + jsonpointer.Escape(name)
			if v, there = jsonpointer.At(input, key); !there {
				continue
			}
		}
		bound := v
		if m, isMoney := v.(map[string]any); isMoney {
			bound = map[string]any{"max": map[string]any{"amount": m["amount"], "currency": m["currency"]}}
		}
		raw, err := json.Marshal(bound)
		if err != nil {
			return nil
		}
		t.Constraints[key] = raw
	}
	if _, err := t.normalize(c, now); err != nil {
		return nil // not grantable
	}
	return &t
}

const suggestedUses = 5

// suggestedEnd returns the end of a suggested grant: eight hours, the length of a shift.
func suggestedEnd(now time.Time) int64 { return now.Add(8 * time.Hour).UnixMilli() }
