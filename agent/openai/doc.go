// Package openai is a model.Model behind an OpenAI-compatible endpoint.
//
//	m, err := openai.New(openai.Options{BaseURL: "http://localhost:11434/v1", Model: "qwen3"})
//	reply, err := m.Stream(ctx, model.Request{Messages: messages, Tools: tools}, show)
//
// Endpoints differ in what they send. One assembler makes a reply of it, by these rules:
//
//	end       The last finish reason with nothing new behind it, [DONE], or the end of a whole message in one document.
//	          Any other end is a cut: an error, and nothing runs.
//	reason    stop, tool_calls, eos, end_turn, … in any case end well, with calls or without; length, max_tokens, … cut;
//	          content_filter, safety, … withhold; error, abort, … fail. What was cut or withheld stays so. With an
//	          unknown reason a text is whole, and calls do not run.
//	choice    One index: 0, or the first that says something. A piece without index is of choice 0.
//	text      content as a text or as a list of parts, and refusal; reasoning is not shown.
//	thoughts  A reply that begins with <think>, or what other families write, is what stands behind </think>; so is
//	          one of which only that end is seen. Those in reasoning_content go back with the call that they led to, to
//	          an endpoint that gave such or demands them; a call without thoughts gets a space then.
//	whole     A whole message beside or behind pieces repeats them. It counts where no pieces came.
//	fragment  Of the call with its id, else of the latest with its index, else of the latest. With a name it begins a
//	          call, unless it repeats the name of one whose arguments are not closed.
//	same      Two calls are one if id (else index), name and arguments are the same, or if the later has no arguments.
//	arguments A JSON object, also as a text in a text; nothing and null are {}. All else is model.Call.Broken, also what
//	          is nested more than 64 levels deep.
//	name      Without functions., default_api., :0 and <|…|> around it, if that is a tool's name.
//	bounds    1 MB of text and arguments, 128 calls, 8 MB an event, 64 MB a body after decompression, 80 levels an event.
//	          Beyond them the reply is refused, and the error says which it was.
//	key       The key is taken out of all that is said, also where it comes in pieces.
//	kind      A web page, or JSON of another protocol, is no model's reply.
//
// [Probe] reports what an endpoint can do. A failure is an [Error], whose text is for the person.
//
// A model is safe for concurrent use; it keeps no state of a conversation.
package openai
