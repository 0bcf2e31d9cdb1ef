package agent

import (
	"context"
	"encoding/json"
	"slices"

	"github.com/deskhand/deskhand/bus"
)

// personalFields lists the marked fields of a schema, by name.
func personalFields(schema json.RawMessage) (names []string) {
	var root any
	if json.Unmarshal(schema, &root) != nil {
		return nil
	}
	var walk func(node any)
	walk = func(node any) {
		switch t := node.(type) {
		case map[string]any:
			properties, _ := t["properties"].(map[string]any)
			for name, sub := range properties {
				if s, ok := sub.(map[string]any); ok && s[keywordPersonal] == true {
					names = append(names, name)
				}
			}
			for _, sub := range t {
				walk(sub)
			}
		case []any:
			for _, sub := range t {
				walk(sub)
			}
		}
	}
	walk(root)
	return names
}

// leaves lists the personal fields that an assistant may read, and those of the
// context: they leave the machine with what it is told. What no rule lets it read is
// not among them.
func (b *Bridge) leaves(ctx context.Context) []string {
	rules, err := b.o.Policy.rules(ctx)
	if err != nil {
		b.o.Logger.Warn("no rules for what leaves the machine", "cause", err) // then it lists too much
	}
	rules.off = false // it would read them once it is switched on
	var names []string
	for _, name := range b.o.Personal {
		names = append(names, capitalise(words(name)))
	}
	for _, c := range b.o.Bus.Capabilities() {
		if c.AgentHidden || rules.decide(c).Rule == bus.RuleDeny {
			continue
		}
		for _, name := range personalFields(c.OutputSchema) {
			names = append(names, capitalise(words(name)))
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}
