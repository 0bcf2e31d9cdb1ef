package agent

import (
	"encoding/json"

	"github.com/deskhand/deskhand/agent/model"
	"github.com/deskhand/deskhand/agent/policy"
	"github.com/deskhand/deskhand/bus"
)

// UpdateType is the kind of an Update.
type UpdateType string

// The updates of a turn. A turn is one turn_started, anything, one turn_ended.
const (
	UpdateTurnStarted UpdateType = "turn_started"
	UpdateDelta       UpdateType = "delta" // a piece of the model's text
	// nothing has come of the model yet; what of it is shown goes with the next update
	UpdateWaiting   UpdateType = "waiting"
	UpdateMessage   UpdateType = "message"    // a whole text: what the deltas of this message_id add up to
	UpdateCall      UpdateType = "call"       // a call begins
	UpdateResult    UpdateType = "result"     // its one result
	UpdateForm      UpdateType = "form"       // the form of a capability is to be opened, filled in
	UpdateTurnEnded UpdateType = "turn_ended" // nothing follows
)

// Status is how a turn ended.
type Status string

// The ends of a turn.
const (
	StatusDone    Status = "done"
	StatusStopped Status = "stopped" // by the person
	StatusError   Status = "error"   // the model could not be asked, or its reply was not whole
	StatusLimit   Status = "limit"   // too many steps or calls, or too long
)

// Update is one thing that happened in a turn, for a window or a terminal to
// show. Which fields are set depends on Type; absent ones are not on the wire.
type Update struct {
	Type           UpdateType   `json:"type"`
	ConversationID string       `json:"conversation_id"`
	TurnID         string       `json:"turn_id"`              // also the trace id of its calls
	Model          *bus.ModelID `json:"model,omitempty"`      // turn_started: who will answer
	MessageID      string       `json:"message_id,omitempty"` // delta, message, waiting
	// turn_started: the person's; delta, message: the model's; waiting: what for
	Text        string          `json:"text,omitempty"`
	CallID      string          `json:"call_id,omitempty"`     // call, result
	RequestID   string          `json:"request_id,omitempty"`  // call, result
	Capability  string          `json:"capability,omitempty"`  // call, result
	Title       string          `json:"title,omitempty"`       // call, result
	SideEffect  bus.SideEffect  `json:"side_effect,omitempty"` // call, result
	Arguments   json.RawMessage `json:"arguments,omitempty"`   // call: the model's; result: the person's, when edited
	Result      *bus.Result     `json:"result,omitempty"`      // result
	Choices     []bus.Choice    `json:"choices,omitempty"`     // message: answers to the question in it; a title is one
	Status      Status          `json:"status,omitempty"`      // turn_ended
	Error       string          `json:"error,omitempty"`       // turn_ended: a sentence that says what to do
	Actions     []Action        `json:"actions,omitempty"`     // turn_ended: every call that was more than a read
	Suggestions []Suggestion    `json:"suggestions,omitempty"` // turn_ended: what the person may do next
	Plan        *Suggestion     `json:"plan,omitempty"`        // turn_ended: all suggestions as one, where they can be
	Usage       *model.Usage    `json:"usage,omitempty"`       // turn_ended: what all its requests cost the model
	// turn_started: how far the assistant may go by itself; turn_ended: the same, when the person changed it meanwhile
	Autonomy policy.Autonomy `json:"autonomy,omitempty"`
	Form     *Form           `json:"form,omitempty"`   // form
	Notice   string          `json:"notice,omitempty"` // turn_ended: what the person should know, a sentence
}

// Action is one call of a turn that was more than a read.
type Action struct {
	RequestID  string       `json:"request_id,omitempty"` // absent when it never reached the bus
	Capability string       `json:"capability"`
	Title      string       `json:"title"`
	Text       string       `json:"text"` // what it did, or why not
	Outcome    ActionStatus `json:"outcome"`
	Replayed   bool         `json:"replayed,omitempty"`
	Reversible bool         `json:"reversible,omitempty"`
	Texts      bus.Texts    `json:"texts,omitempty"` // of Text
}

// ActionStatus is what became of an Action.
type ActionStatus string

// What can become of an action.
const (
	ActionDone    ActionStatus = "done"
	ActionRefused ActionStatus = "refused" // by the bus, by policy or by a person
	ActionFailed  ActionStatus = "failed"
	ActionRunning ActionStatus = "running" // it goes on behind the turn; its one result is an event of the bus
	ActionStopped ActionStatus = "stopped" // ended or never begun because the person stopped the turn
)
