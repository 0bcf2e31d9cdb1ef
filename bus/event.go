package bus

import (
	_ "embed" // the event schema
	"encoding/json"
)

//go:embed event.schema.json
var eventSchema string

// JSONSchema is the published schema (2020-12) that every event on the wire fits.
func (Event) JSONSchema() json.RawMessage { return json.RawMessage(eventSchema) }

// The declared events.
const (
	EventInvocation   = "invocation"   // one per invocation, after its commit
	EventStateChange  = "stateChange"  // something in a domain changed
	EventNotification = "notification" // for the person to see
	EventProgress     = "progress"     // of long work
	EventMissed       = "missed"       // this subscriber was too slow: Missed events were dropped
)

// Event is something that happened, with the id of the request that caused it. The
// fields used depend on Type; absent ones are not on the wire.
type Event struct {
	Type      string `json:"type"`
	RequestID string `json:"request_id,omitempty"`
	Timestamp int64  `json:"timestamp,omitempty"` // ms since 1970

	// invocation
	Capability string  `json:"capability,omitempty"`
	Caller     *Caller `json:"caller,omitempty"`
	Status     string  `json:"status,omitempty"`
	Code       Code    `json:"code,omitempty"`
	Replayed   bool    `json:"replayed,omitempty"`
	DryRun     bool    `json:"dry_run,omitempty"`

	// stateChange
	Domain  string   `json:"domain,omitempty"` // e.g. "note"
	Summary string   `json:"summary,omitempty"`
	IDs     []string `json:"ids,omitempty"`

	// notification, and the words of progress
	Level   string `json:"level,omitempty"` // info, warning, error
	Message string `json:"message,omitempty"`

	// progress
	TaskID  string `json:"task_id,omitempty"` // the request id
	Percent int    `json:"percent,omitempty"`

	// Missed
	Missed int `json:"missed,omitempty"`
}
