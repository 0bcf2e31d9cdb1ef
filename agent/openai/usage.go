package openai

import (
	"encoding/json"

	"github.com/deskhand/deskhand/agent/internal/tokens"
	"github.com/deskhand/deskhand/agent/model"
)

// counted is the usage of a reply as the endpoint reports it, else estimated from the
// length of request and reply. A reply that never began has none.
func (m *endpoint) counted(said model.Usage, req model.Request, text string, calls []model.Call) model.Usage {
	if text == "" && len(calls) == 0 || said.Input > 0 && said.Output > 0 {
		return said
	}
	if said.Input == 0 {
		sent, _ := json.Marshal(m.request(req)) // as it was sent a moment ago
		said.Input = len(sent) / tokens.Bytes
	}
	if said.Output == 0 {
		said.Output = tokens.Of([]model.Message{{Text: text, Calls: calls}})
	}
	said.Estimated = true
	return said
}
