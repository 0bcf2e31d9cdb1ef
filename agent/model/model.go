package model

import (
	"context"
	"encoding/json"
	"net"
	"net/url"
	"time"

	"github.com/deskhand/deskhand/bus"
)

// Model answers requests. Implementations are safe for concurrent use and keep no state between requests: the Request
// contains everything that they need.
type Model interface {
	// Profile names the model in records.
	Profile() bus.ModelID

	// Stream requests one reply and passes its text to onDelta as it arrives. The calls are complete and in the model's
	// order. With an error, Reply.Text is the text shown so far and Reply.Calls is empty: a reply that did not end
	// properly runs nothing. The bridge shows an error to the person if it has a method ForPeople() bool that returns
	// true, and logs other errors.
	Stream(ctx context.Context, req Request, onDelta func(Delta)) (Reply, error)
}

// Request is the complete input of a model for one reply.
type Request struct {
	System   string    // standing instructions; the same in every request of a conversation
	Messages []Message // the conversation, oldest first
	Tools    []Tool    // the tools that it may call, in a stable order
}

// Role names the author of a message.
type Role string

// The roles in Request.Messages. Standing instructions are in Request.System.
const (
	RoleUser      Role = "user"
	RoleAssistant Role = "assistant"
	RoleTool      Role = "tool"
)

// Message is one entry of a conversation. Its JSON is the stored form.
type Message struct {
	Role   Role   `json:"role"`
	Text   string `json:"text,omitempty"`    // the person's words, the model's words, or a tool's result
	Calls  []Call `json:"calls,omitempty"`   // assistant: its calls; one tool message answers each
	CallID string `json:"call_id,omitempty"` // tool: the call that this message answers

	Choices []bus.Choice `json:"choices,omitempty"` // assistant: possible answers to the question in Text

	// assistant: its thoughts, if the endpoint sends them separately; never shown
	Thoughts string `json:"thoughts,omitempty"`

	Shown string `json:"shown,omitempty"` // tool: request of the card that showed a person the text of others
	Held  string `json:"held,omitempty"`  // tool: the reason to keep that text from models, a sentence

	Context string    `json:"-"` // user: the application's message for the model (state, events)
	At      time.Time `json:"-"` // user: time of the message, in the time zone of days
	Open    []string  `json:"-"` // user: names of the open pages and ids of the records on them

	// Violations lists the wrong arguments of the call that a tool message answers. Only models that read them directly
	// need it: Text describes them for other models.
	Violations []bus.Violation `json:"-"`

	Others bool `json:"-"` // tool: other people wrote a part of the result
}

// Call is one tool call of a model.
type Call struct {
	ID        string          `json:"id"`                  // unique in the conversation
	Tool      string          `json:"tool"`                // the tool's name as the model wrote it
	Arguments json.RawMessage `json:"arguments,omitempty"` // always a JSON object
	Broken    string          `json:"broken,omitempty"`    // the model's text if it is no JSON object; never sent back
	// Capability is the tool's capability. The bridge sets it; a model leaves it empty.
	Capability string `json:"capability,omitempty"`
}

// Tool is a tool that a model may call. Endpoints get Name, Description and Parameters; the other fields are for models
// that read the manifest directly.
type Tool struct {
	Name        string          // ≤ 64 of [A-Za-z0-9_-]
	Description string          //
	Parameters  json.RawMessage // JSON Schema without extension keywords

	Capability string          // the name on the bus
	Title      string          //
	SideEffect bus.SideEffect  //
	Phrases    []string        // example sentences with {slots} named after input fields
	Input      json.RawMessage // the input schema with its extension keywords

	// Sources names the list that contains the ids of each kind: x-entity → "capability#/list".
	Sources map[string]string

	Closed string // the reason why it is not available now; "" if it is
	Usual  int    // its place among the capabilities in most use, from 1; 0 for none
}

// Delta is a piece of a reply as it arrives.
type Delta struct {
	Text string
}

// Finish is the reason for the end of a reply.
type Finish string

// The two proper ends of a reply, and the two improper ones.
const (
	FinishStop   Finish = "stop"           // the reply is complete
	FinishCalls  Finish = "tool_calls"     // it waits for results
	FinishLength Finish = "length"         // cut off by the endpoint's limit; unfinished calls are dropped
	FinishFilter Finish = "content_filter" // withheld by the endpoint
)

// Reply is one answer of a model.
type Reply struct {
	Text    string
	Calls   []Call       // empty unless the reply ended properly
	Dropped int          // number of incomplete calls, which must not run
	Choices []bus.Choice // possible answers to the question in Text
	Finish  Finish
	Usage   Usage
	Thinks  bool // it wrote its thoughts, which are not in Text

	Thoughts string // its thoughts, if sent separately; some endpoints require them back with the results
}

// IsRemote reports whether requests to a model leave the machine.
func IsRemote(m bus.ModelID) bool {
	u, err := url.Parse(m.Endpoint)
	if err != nil || u.Host == "" {
		return false
	}
	ip := net.ParseIP(u.Hostname())
	return u.Hostname() != "localhost" && (ip == nil || !ip.IsLoopback())
}
