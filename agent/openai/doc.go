// Package openai is a model.Model behind an OpenAI-compatible endpoint.
//
//	m, err := openai.New(openai.Options{BaseURL: "http://localhost:11434/v1", Model: "qwen3"})
//	reply, err := m.Stream(ctx, model.Request{Messages: messages, Tools: tools}, show)
//
// It copes with what endpoints really send: streams without an end, tool calls
// whose fragments carry no index, errors inside a stream. [Probe] reports what an
// endpoint can do. A failure is an [Error], whose text is for the person.
//
// A model is safe for concurrent use; it keeps no state of a conversation.
package openai
