package openai

import (
	"bytes"
	"encoding/json"
	"errors"
	"slices"
	"strconv"
	"strings"
)

// chunk is one piece of a reply, or a complete reply.
type chunk struct {
	Object  string          `json:"object"`
	Error   json.RawMessage `json:"error"`
	Choices []choice        `json:"choices"`
	Usage   *struct {
		Input  int `json:"prompt_tokens"`
		Output int `json:"completion_tokens"`
	} `json:"usage"`
}

// choice is a piece of one alternative reply.
type choice struct {
	Index   json.RawMessage `json:"index"`
	Delta   *delta          `json:"delta"`
	Message *delta          `json:"message"` // the complete reply so far
	Finish  string          `json:"finish_reason"`
	Error   json.RawMessage `json:"error"`
}

// at returns the index of a choice, 0 if it has none.
func (c choice) at() int {
	n, _ := strconv.Atoi(asText(c.Index))
	return n
}

// delta is the addition of a piece to the message.
type delta struct {
	Content  spoken        `json:"content"`
	Refusal  spoken        `json:"refusal"`
	Thoughts spoken        `json:"reasoning_content"` // DeepSeek, vLLM, llama.cpp, LM Studio
	Thought  spoken        `json:"reasoning"`         // OpenRouter, Ollama, Groq, newer vLLM; not sent back
	Calls    []callPart    `json:"tool_calls"`
	Function *functionPart `json:"function_call"` // the form before tool_calls
}

// callPart is a fragment of a tool call. Endpoints send ids and indices as texts or numbers, and arguments as a text of
// JSON or as JSON.
type callPart struct {
	ID       json.RawMessage `json:"id"`
	Index    json.RawMessage `json:"index"`
	Function functionPart    `json:"function"`
}

type functionPart struct {
	Name      string          `json:"name"`
	Arguments json.RawMessage `json:"arguments"`
}

// parts returns the fragments of calls.
func (d *delta) parts() []callPart {
	if d.Function != nil {
		return append(d.Calls, callPart{Function: *d.Function})
	}
	return d.Calls
}

// spoken is a model's text: a JSON string, or a list of strings and of parts of type text or refusal.
type spoken string

// UnmarshalJSON implements json.Unmarshaler. Any other value is no text.
func (s *spoken) UnmarshalJSON(raw []byte) error {
	var text string
	if json.Unmarshal(raw, &text) == nil {
		*s = spoken(text)
		return nil
	}
	var parts []json.RawMessage
	_ = json.Unmarshal(raw, &parts) // an object has none
	for _, part := range parts {
		var of struct{ Type, Text, Refusal string }
		if json.Unmarshal(part, &text) == nil {
			*s += spoken(text)
			continue
		}
		_ = json.Unmarshal(part, &of) // a field of another type is left empty
		if slices.Contains([]string{"", "text", "output_text", "refusal"}, of.Type) {
			*s += spoken(of.Text + of.Refusal)
		}
	}
	return nil
}

// readChunk decodes a chunk. A field of the wrong type stays empty, and unknown fields are ignored.
func readChunk(data []byte) (c chunk, err error) {
	var mismatch *json.UnmarshalTypeError // a field of the wrong type
	if err := json.NewDecoder(bytes.NewReader(data)).Decode(&c); err != nil && !errors.As(err, &mismatch) {
		return c, cutOff(err)
	}
	failed := hasContent(c.Error) || c.Object == "error"
	for _, one := range c.Choices {
		if hasContent(one.Error) {
			failed, data = true, slices.Concat([]byte(`{"error":`), one.Error, []byte(`}`))
		}
	}
	if failed {
		return c, inStream(problem(ProblemEndpoint, "The endpoint reports an error: %s",
			orStatus(endpointWords(data), 0)), data)
	}
	return c, nil
}

// hasContent reports whether an error field reports an error: several endpoints send an empty one in every chunk.
func hasContent(raw json.RawMessage) bool {
	return !slices.Contains([]string{"", "null", `""`, "{}", "[]", "false", "0"}, strings.TrimSpace(string(raw)))
}

// clampTokens limits a count of tokens, because an endpoint may send any number.
func clampTokens(tokens int) int { return min(max(tokens, 0), 100_000_000) }

// asText returns the content of a JSON text; for other values except null it returns the JSON.
func asText(raw json.RawMessage) (text string) {
	if len(raw) == 0 || json.Unmarshal(raw, &text) == nil {
		return text
	}
	return string(raw)
}
