// Package tokens estimates the tokens of messages.
package tokens

import (
	"github.com/deskhand/deskhand/agent/model"
)

// Of estimates the tokens of messages.
func Of(messages []model.Message) (tokens int) {
	for _, m := range messages {
		bytes := len(m.Text) + len(m.Context) + len(m.Thoughts)
		for _, c := range m.Calls {
			bytes += len(c.Tool) + len(c.Arguments)
		}
		if m.Role == model.RoleTool {
			bytes += len(m.Text) / 3 // ids and numbers need more tokens than words
		}
		tokens += bytes/Bytes + perMessage
	}
	return tokens
}

// Bytes is the average length of a token in a message.
const Bytes = 4

// perMessage is the overhead of a message in tokens.
const perMessage = 4
