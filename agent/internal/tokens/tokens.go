// Package tokens estimates how many tokens messages cost.
package tokens

import (
	"github.com/deskhand/deskhand/agent/model"
)

// Of is about how many tokens messages cost.
func Of(messages []model.Message) (tokens int) {
	for _, m := range messages {
		bytes := len(m.Text) + len(m.Context) + len(m.Thoughts)
		for _, c := range m.Calls {
			bytes += len(c.Tool) + len(c.Arguments)
		}
		if m.Role == model.RoleTool {
			bytes += len(m.Text) / 3 // ids and numbers cost more than words
		}
		tokens += bytes/Bytes + perMessage
	}
	return tokens
}

const Bytes = 4

const perMessage = 4
