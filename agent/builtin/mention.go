package builtin

import (
	"slices"
	"strings"

	"github.com/deskhand/deskhand/agent/internal/text"
	"github.com/deskhand/deskhand/agent/model"
)

// hear takes the messages with each record that the person chose as its name in quotation marks, and keeps which record
// of its kind that is.
func (d *dialogue) hear(messages []model.Message) {
	d.messages, d.chosen = slices.Clone(messages), map[string]item{}
	for i, m := range d.messages {
		if m.Role != model.RoleUser {
			continue
		}
		d.messages[i].Text = text.Mentions(m.Text, func(m text.Mention) string {
			name := strings.ReplaceAll(m.Name, `"`, "'")
			if other, is := d.chosen[mentionKey(m.Entity, name)]; is && other.id != m.ID {
				name += " " + m.ID // a namesake
			}
			d.chosen[mentionKey(m.Entity, name)] = item{lex: d.lex, id: m.ID, name: name}
			return `"` + name + `"`
		})
	}
}

// mentionKey is a record by its kind and its name as it is said.
func mentionKey(entity, name string) string {
	return entity + " " + strings.TrimSpace(text.Normalized(strings.Trim(name, `"“”' `)))
}
