package agent

import (
	"context"
	"slices"

	"github.com/deskhand/deskhand/agent/internal/schema"
	"github.com/deskhand/deskhand/agent/internal/text"
)

// personalFields lists the personal fields that an assistant may read, and those of the context: they leave the machine
// with what it is told. What no rule lets it read is not among them.
func (b *Bridge) personalFields(ctx context.Context) []string {
	readable, err := b.o.Policy.Readable(ctx)
	if err != nil {
		b.o.Logger.Warn("no rules for what leaves the machine", "cause", err) // then it lists too much
	}
	names := slices.Clone(b.o.Personal)
	for _, c := range b.o.Bus.Capabilities() {
		if readable(c) {
			names = append(names, schema.MarkedFields(c.OutputSchema, schema.KeywordPersonal)...)
		}
	}
	for i, name := range names {
		names[i] = text.Capitalize(text.SplitName(name))
	}
	slices.Sort(names)
	return slices.Compact(names)
}
