package agent

import (
	"encoding/json"

	"github.com/deskhand/deskhand/agent/model"
	"github.com/deskhand/deskhand/agent/policy"
	"github.com/deskhand/deskhand/bus"
)

// UpdateType is the kind of an Update.
type UpdateType string

// The updates of a turn. A turn begins with one turn_started and ends with one turn_ended.
const (
	UpdateTurnStarted UpdateType = "turn_started"
	UpdateDelta       UpdateType = "delta" // a piece of the model's text
	// the model has sent nothing yet; the next update replaces this one
	UpdateWaiting   UpdateType = "waiting"
	UpdateMessage   UpdateType = "message"    // a complete text: the deltas of this message_id together
	UpdateCall      UpdateType = "call"       // a call begins
	UpdateResult    UpdateType = "result"     // the result of a call
	UpdateForm      UpdateType = "form"       // the page should open the form of a capability, filled in
	UpdateTurnEnded UpdateType = "turn_ended" // the last update of the turn
)

// Status is the outcome of a turn.
type Status string

// The outcomes of a turn.
const (
	StatusDone    Status = "done"
	StatusStopped Status = "stopped" // by the person
	StatusError   Status = "error"   // the model did not answer, or its reply was incomplete
	StatusLimit   Status = "limit"   // too many steps or calls, or too much time
)

// Update is one event of a turn for a window or a terminal. Its Type determines the fields that are set; the JSON form
// omits the others.
type Update struct {
	Type           UpdateType   `json:"type"`
	ConversationID string       `json:"conversation_id"`
	TurnID         string       `json:"turn_id"`              // also the trace id of its calls
	Model          *bus.ModelID `json:"model,omitempty"`      // turn_started: the model of the turn
	MessageID      string       `json:"message_id,omitempty"` // delta, message, waiting
	// turn_started: the person's sentence; delta, message: the model's text; waiting: the notice
	Text        string          `json:"text,omitempty"`
	CallID      string          `json:"call_id,omitempty"`     // call, result
	RequestID   string          `json:"request_id,omitempty"`  // call, result
	Capability  string          `json:"capability,omitempty"`  // call, result
	Title       string          `json:"title,omitempty"`       // call, result
	SideEffect  bus.SideEffect  `json:"side_effect,omitempty"` // call, result
	Arguments   json.RawMessage `json:"arguments,omitempty"`   // call: the model's; result: the person's, when edited
	Result      *bus.Result     `json:"result,omitempty"`      // result
	Choices     []bus.Choice    `json:"choices,omitempty"`     // message: possible answers; the title of one answers
	Status      Status          `json:"status,omitempty"`      // turn_ended
	Error       string          `json:"error,omitempty"`       // turn_ended: a sentence that names a way out
	Actions     []Action        `json:"actions,omitempty"`     // turn_ended: every call that was not only a read
	Suggestions []Suggestion    `json:"suggestions,omitempty"` // turn_ended: possible next steps of the person
	Plan        *Suggestion     `json:"plan,omitempty"`        // turn_ended: all suggestions as one plan, if possible
	Usage       *model.Usage    `json:"usage,omitempty"`       // turn_ended: the tokens and cost of all its requests
	// turn_started: the autonomy of the assistant; turn_ended: the same, if it changed during the turn
	Autonomy policy.Autonomy `json:"autonomy,omitempty"`
	Form     *Form           `json:"form,omitempty"`   // form
	Notice   string          `json:"notice,omitempty"` // turn_ended: a sentence for the person
}

// Action is one call of a turn that was not only a read.
type Action struct {
	RequestID  string       `json:"request_id,omitempty"` // absent for a call that did not reach the bus
	Capability string       `json:"capability"`
	Title      string       `json:"title"`
	Text       string       `json:"text"` // its effect, or the reason why it was not done
	Outcome    ActionStatus `json:"outcome"`
	Replayed   bool         `json:"replayed,omitempty"`
	Reversible bool         `json:"reversible,omitempty"`
	Texts      bus.Texts    `json:"texts,omitempty"` // the translatable texts of Text
}

// ActionStatus is the outcome of an Action.
type ActionStatus string

// The outcomes of an action.
const (
	ActionDone    ActionStatus = "done"
	ActionRefused ActionStatus = "refused" // by the bus, by policy or by a person
	ActionFailed  ActionStatus = "failed"
	ActionRunning ActionStatus = "running" // it continues after the turn; its result arrives as an event of the bus
	ActionStopped ActionStatus = "stopped" // the person stopped the turn before it ended or began
)
