package till

import "encoding/json"

// The calls of a link.
const (
	callOpen = "till.open"
	callPage = "till.page"
	callShow = "till.show"
)

type openRequest struct {
	Window  string `json:"window"`
	Session string `json:"session,omitempty"` // the till's previous session
	Heard   uint64 `json:"heard"`             // number of the last event shown
}

type openAnswer struct {
	Session string `json:"session"`
}

type pageRequest struct {
	Number   uint64          `json:"number"`
	Answered uint64          `json:"answered"` // the answers of all calls up to this number have arrived
	Method   string          `json:"method"`
	Request  json.RawMessage `json:"request"`
	Ran      bool            `json:"ran,omitempty"` // the till ran it on its own bus; it only needs a record
}

type showRequest struct {
	Session string  `json:"session"`
	Events  []event `json:"events"`
}

// event is an event for the page.
type event struct {
	Number  uint64          `json:"number"`
	Stream  string          `json:"stream"`
	Payload json.RawMessage `json:"payload"`
}
