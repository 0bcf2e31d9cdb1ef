package openai

import (
	"encoding/json"

	"github.com/deskhand/deskhand/agent/internal/tokens"
	"github.com/deskhand/deskhand/agent/model"
)

// counted returns the usage of a reply as the endpoint reports it, otherwise an estimate from the length of request and
// reply. A reply that never began has none.
func (m *endpoint) counted(said model.Usage, req model.Request, text string, calls []model.Call) model.Usage {
	if text == "" && len(calls) == 0 || said.Input > 0 && said.Output > 0 {
		return said
	}
	if said.Input == 0 {
		sent, _ := json.Marshal(m.request(req)) // as sent just before
		said.Input = len(sent) / tokens.Bytes
	}
	if said.Output == 0 {
		said.Output = tokens.Of([]model.Message{{Text: text, Calls: calls}})
	}
	said.Estimated = true
	return said
}
