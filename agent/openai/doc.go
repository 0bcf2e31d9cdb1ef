// Package openai is a model.Model at an OpenAI-compatible endpoint.
//
//	m, err := openai.New(openai.Options{BaseURL: "http://localhost:11434/v1", Model: "qwen3"})
//	reply, err := m.Stream(ctx, model.Request{Messages: messages, Tools: tools}, show)
//
// Endpoints differ in the form of their replies. One assembler reads all of them by these rules:
//
//	end       The last finish reason without new content after it, [DONE], or the end of a complete message in one
//	          document. Any other end is a cut: an error, and nothing runs.
//	reason    stop, tool_calls, eos, end_turn, … always end well, with calls or without; length, max_tokens, … cut;
//	          content_filter, safety, … withhold; error, abort, … fail. A later reason does not change a cut or
//	          withheld reply. With an unknown reason the text is complete, and calls do not run.
//	choice    One index: 0, or the first with content. A piece without index belongs to choice 0.
//	text      content as a text or as a list of parts, and refusal; reasoning is not shown.
//	thoughts  If a reply begins with <think> or a similar mark, its text begins after </think>; the same holds if only
//	          that end mark occurs. Thoughts in reasoning_content go back with their call to an endpoint that sends or
//	          requires them; a call without thoughts then gets a space.
//	whole     A complete message next to pieces repeats them. It counts only if no pieces arrived.
//	fragment  Belongs to the call with its id, else to the latest with its index, else to the latest. With a name it
//	          begins a call, unless it repeats the name of a call whose arguments are still open.
//	same      Two calls are one if id (else index), name and arguments are the same, or if the later has no arguments.
//	arguments A JSON object, also as a text in a text; nothing and null mean {}. Everything else, also arguments with
//	          more than 64 levels, becomes model.Call.Broken.
//	name      Without functions., default_api., :0 and <|…|> around it, if the rest is a tool's name.
//	bounds    1 MB of text and arguments, 128 calls, 8 MB an event, 64 MB a body after decompression, 80 levels an event.
//	          A larger reply is an error that names the bound.
//	key       The key is removed from everything that the endpoint returns, also if it arrives in pieces.
//	kind      A web page, or JSON of another protocol, is not a model's reply.
//
// [Probe] reports the abilities of an endpoint. A failure is an [Error], whose text is for the person.
//
// A model is safe for concurrent use; it keeps no state of a conversation.
package openai
