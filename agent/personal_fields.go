package agent

import (
	"context"
	"slices"

	"github.com/deskhand/deskhand/agent/internal/schema"
	"github.com/deskhand/deskhand/agent/internal/text"
)

// personalFields lists the personal fields of results that the rules let an assistant read, and those of the context.
// Their values leave the machine in requests to a remote model.
func (b *Bridge) personalFields(ctx context.Context) []string {
	readable, err := b.o.Policy.Readable(ctx)
	if err != nil {
		b.o.Logger.Warn("no rules for what leaves the machine", "cause", err) // the list is then too long
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
