package openai

import (
	"encoding/json"

	"github.com/deskhand/deskhand/agent/internal/tokens"
	"github.com/deskhand/deskhand/agent/model"
)

// counted is what a reply cost: as the endpoint says, and by the length of what
// was sent and what came where it does not. Of a reply that never began nothing
// is known.
func (m *endpoint) counted(said model.Usage, req model.Request, text string, calls []model.Call) model.Usage {
	if text == "" && len(calls) == 0 || said.Input > 0 && said.Output > 0 {
		return said
	}
	if said.Input == 0 {
		sent, err := json.Marshal(m.request(req))
		if err != nil {
			return said // it was sent a moment ago
		}
		said.Input = len(sent) / tokens.Bytes
	}
	if said.Output == 0 {
		said.Output = tokens.Of([]model.Message{{Text: text, Calls: calls}})
	}
	said.Estimated = true
	return said
}
