package openai

import (
	"bytes"
	"encoding/json"
	"errors"
	"strconv"

	"github.com/deskhand/deskhand/agent/model"
)

// chunk is one piece of a reply, or a whole reply.
type chunk struct {
	delta
	finish model.Finish
	usage  *model.Usage
}

// delta is what a piece adds to the message.
type delta struct {
	Content string     `json:"content"`
	Calls   []callPart `json:"tool_calls"`
}

// callPart is a fragment of a tool call. Endpoints send ids and indices as texts and as numbers, arguments as a text of
// JSON and as JSON.
type callPart struct {
	ID       json.RawMessage `json:"id"`
	Index    json.RawMessage `json:"index"`
	Function struct {
		Name      string          `json:"name"`
		Arguments json.RawMessage `json:"arguments"`
	} `json:"function"`
}

// readChunk reads what has the form of a chunk and passes over the rest. Of a reply that did not come in pieces the
// end of the document is its end.
func readChunk(data []byte, pieces bool) (c chunk, err error) {
	var wire struct {
		Error   any `json:"error"`
		Choices []struct {
			Delta   *delta       `json:"delta"`
			Message *delta       `json:"message"` // some repeat all that was said beside each piece
			Finish  model.Finish `json:"finish_reason"`
		} `json:"choices"`
		Usage *struct {
			Input  int `json:"prompt_tokens"`
			Output int `json:"completion_tokens"`
		} `json:"usage"`
	}
	var mismatch *json.UnmarshalTypeError // that field is left empty
	if err := json.NewDecoder(bytes.NewReader(data)).Decode(&wire); err != nil && !errors.As(err, &mismatch) {
		return c, cutOff(err)
	}
	if wire.Error != nil {
		return c, problem(ProblemEndpoint, "The endpoint reports an error: %s", orStatus(endpointWords(data), 0))
	}
	if u := wire.Usage; u != nil {
		c.usage = &model.Usage{Input: believed(u.Input), Output: believed(u.Output)}
	}
	if len(wire.Choices) == 0 {
		return c, nil
	}
	one := wire.Choices[0] // one reply was asked for
	c.finish = one.Finish
	switch {
	case one.Delta != nil:
		c.delta = *one.Delta
	case one.Message != nil:
		c.delta = *one.Message
		for i := range c.Calls {
			c.Calls[i].Index = strconv.AppendInt(nil, int64(i), 10)
		}
		if c.finish == "" && !pieces {
			c.finish = model.FinishStop
		}
	}
	return c, nil
}

// believed bounds a count of tokens: what an endpoint sends may be anything.
func believed(tokens int) int { return min(max(tokens, 0), 100_000_000) }

// asText is a JSON text's content; of anything else but null its JSON.
func asText(raw json.RawMessage) (text string) {
	if len(raw) == 0 || json.Unmarshal(raw, &text) == nil {
		return text
	}
	return string(raw)
}
