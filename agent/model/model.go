package model

import (
	"context"
	"encoding/json"
	"net"
	"net/url"
	"time"

	"github.com/deskhand/deskhand/bus"
)

// Model answers requests. Implementations are safe for concurrent use and keep
// no state between requests: everything they need is in the Request.
type Model interface {
	// Profile names the model in records.
	Profile() bus.ModelID

	// Stream asks for one reply and hands its text to onDelta as it arrives. Calls are complete and in the order the
	// model made them. With an error, Reply.Text is what was shown until then and Reply.Calls is empty: a reply that
	// did not end properly runs nothing. An error with a method ForPeople() bool that returns true is shown to the
	// person; any other is logged.
	Stream(ctx context.Context, req Request, onDelta func(Delta)) (Reply, error)
}

// Request is everything a model is told.
type Request struct {
	System   string    // standing instructions; the same in every request of a conversation
	Messages []Message // the conversation, oldest first
	Tools    []Tool    // what it may call, in a stable order
}

// Role says who a message is from.
type Role string

// The roles in Request.Messages. Standing instructions are Request.System.
const (
	RoleUser      Role = "user"
	RoleAssistant Role = "assistant"
	RoleTool      Role = "tool"
)

// Message is one entry of a conversation. Its JSON is what is stored of it.
type Message struct {
	Role   Role   `json:"role"`
	Text   string `json:"text,omitempty"`    // the person's words, the model's words, or a tool's result
	Calls  []Call `json:"calls,omitempty"`   // assistant: the calls it made; each is answered by one tool message
	CallID string `json:"call_id,omitempty"` // tool: the call this answers

	Choices []bus.Choice `json:"choices,omitempty"` // assistant: answers to the question in Text

	// assistant: its thoughts, as the endpoint gave them apart from the text; never shown
	Thoughts string `json:"thoughts,omitempty"`

	Shown string `json:"shown,omitempty"` // tool: the request whose card showed a person what others wrote in the result
	Held  string `json:"held,omitempty"`  // tool: why that is kept from models then, a sentence

	Context string    `json:"-"` // user: what the application says beside the person's words (state, events)
	At      time.Time `json:"-"` // user: when it was said, in the time zone that days are counted in
	Open    []string  `json:"-"` // user: names of the pages and ids of the records that are open before the person

	// Violations are what was wrong with the arguments of the call, of a tool's message.
	// They are for models that read them themselves: Text has all that a model is told.
	Violations []bus.Violation `json:"-"`

	Others bool `json:"-"` // tool: others wrote a part of the result
}

// Call is one tool call of a model.
type Call struct {
	ID        string          `json:"id"`                  // unique in the conversation
	Tool      string          `json:"tool"`                // the tool's name as the model wrote it
	Arguments json.RawMessage `json:"arguments,omitempty"` // always a JSON object
	Broken    string          `json:"broken,omitempty"`    // sent by the model instead of a JSON object; never sent back
	// Capability is what the tool stands for, as the bridge found it. A model leaves it empty.
	Capability string `json:"capability,omitempty"`
}

// Tool is something a model may call. Endpoints see Name, Description and
// Parameters; the rest is for models that read the manifest themselves.
type Tool struct {
	Name        string          // ≤ 64 of [A-Za-z0-9_-]
	Description string          //
	Parameters  json.RawMessage // JSON Schema without extension keywords

	Capability string          // the name on the bus
	Title      string          //
	SideEffect bus.SideEffect  //
	Phrases    []string        // example sentences with {slots} named after input fields
	Input      json.RawMessage // the input schema with its extension keywords

	// Sources are the lists in which ids are found, "capability#/list" by what x-entity says.
	Sources map[string]string

	Closed string // why it is not possible now; "" where it is
}

// Delta is a piece of a reply as it arrives.
type Delta struct {
	Text string
}

// Finish is how a reply ended.
type Finish string

// The proper ends of a reply, and the two improper ones.
const (
	FinishStop   Finish = "stop"           // it said what it had to say
	FinishCalls  Finish = "tool_calls"     // it waits for results
	FinishLength Finish = "length"         // cut off by the endpoint's own limit; unfinished calls are dropped
	FinishFilter Finish = "content_filter" // withheld by the endpoint
)

// Reply is one answer of a model.
type Reply struct {
	Text    string
	Calls   []Call       // empty unless the reply ended properly
	Dropped int          // calls that were cut off and must not run
	Choices []bus.Choice // answers to the question in Text
	Finish  Finish
	Usage   Usage
	Thinks  bool // it wrote down how it came to it; that is left out

	Thoughts string // that, where the endpoint gave it apart: it may want it back with the results of the calls
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
