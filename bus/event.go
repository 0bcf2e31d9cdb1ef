package bus

import (
	_ "embed" // the event schema
	"encoding/json"
	"time"

	"github.com/deskhand/deskhand/internal/userinfo"
)

//go:embed event.schema.json
var eventSchema string

// JSONSchema returns the published schema (2020-12) of events on the wire.
func (Event) JSONSchema() json.RawMessage { return json.RawMessage(eventSchema) }

// EventType is the kind of an event.
type EventType string

// The event types.
const (
	EventInvocation   EventType = "invocation"   // one for each invocation, after its commit
	EventStateChange  EventType = "stateChange"  // the state of a domain changed
	EventNotification EventType = "notification" // for the person to see
	EventProgress     EventType = "progress"     // of long work
	EventMissed       EventType = "missed"       // the subscriber was too slow: Missed events were dropped
)

// Event is an event with the id of the request that caused it. Type determines its fields; absent fields are not on the
// wire.
type Event struct {
	Type      EventType `json:"type"`
	RequestID string    `json:"request_id,omitempty"`
	Time      time.Time `json:"-"` // timestamp in JSON, Unix milliseconds

	// invocation
	Capability string  `json:"capability,omitempty"`
	Caller     *Caller `json:"caller,omitempty"`
	Status     Status  `json:"status,omitempty"`
	Code       Code    `json:"code,omitempty"`
	Replayed   bool    `json:"replayed,omitempty"`
	DryRun     bool    `json:"dry_run,omitempty"`

	// stateChange
	Domain  string   `json:"domain,omitempty"` // e.g. "note"
	Summary string   `json:"summary,omitempty"`
	IDs     []string `json:"ids,omitempty"`

	// notification, and the text of progress
	Level   Level  `json:"level,omitempty"`
	Message string `json:"message,omitempty"`

	// progress
	TaskID  string `json:"task_id,omitempty"` // the request id
	Percent int    `json:"percent,omitempty"`

	// Missed
	Missed int `json:"missed,omitempty"`

	Texts Texts `json:"-"` // of Summary and Message; texts in JSON

	Elsewhere bool `json:"-"` // caused by another program on a [Shared] journal
}

// stripURLs removes user names and passwords from the URLs in its texts.
func (e *Event) stripURLs() {
	e.Summary, e.Message = userinfo.Strip(e.Summary), userinfo.Strip(e.Message)
	e.Texts = e.Texts.without(e.restated())
}

// restated lists the sentences whose English has changed.
func (e *Event) restated() (pointers []string) {
	for pointer, english := range map[string]string{"/summary": e.Summary, "/message": e.Message} {
		if t, ok := e.Texts[pointer]; ok && t.english != english {
			pointers = append(pointers, pointer)
		}
	}
	return pointers
}

// Level is the importance of a notification.
type Level string

// The levels.
const (
	LevelInfo    Level = "info"
	LevelWarning Level = "warning"
	LevelError   Level = "error"
)

type plainEvent Event // without methods

// wireEvent is the JSON of an Event with its first fields in order.
type wireEvent struct {
	Type      EventType `json:"type"`
	RequestID string    `json:"request_id,omitempty"`
	Timestamp int64     `json:"timestamp,omitempty"`
	*plainEvent
	Texts Texts `json:"texts,omitempty"`
}

// MarshalJSON writes the wire form.
func (e Event) MarshalJSON() ([]byte, error) {
	return json.Marshal(wireEvent{e.Type, e.RequestID, toMS(e.Time), (*plainEvent)(&e), e.Texts})
}

// UnmarshalJSON reads the wire form.
func (e *Event) UnmarshalJSON(data []byte) error {
	w := wireEvent{plainEvent: (*plainEvent)(e)}
	err := json.Unmarshal(data, &w)
	e.Type, e.RequestID, e.Time, e.Texts = w.Type, w.RequestID, timeOf(w.Timestamp), w.Texts
	return err
}
