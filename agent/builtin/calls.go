package builtin

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/deskhand/deskhand/agent/internal/text"
	"github.com/deskhand/deskhand/agent/model"
	"github.com/deskhand/deskhand/bus"
)

// unique returns the calls without repetitions. Two calls are equal if tool and bytes of the arguments are equal.
func unique(calls []model.Call) (list []model.Call) {
	for _, c := range calls {
		if !slices.ContainsFunc(list, func(o model.Call) bool {
			return o.Tool == c.Tool && bytes.Equal(o.Arguments, c.Arguments)
		}) {
			list = append(list, c)
		}
	}
	return list
}

// numbered sets the ids of the calls in a move. They continue the count of earlier calls.
func (t *talk) numbered(m move, end int) move {
	n := 0
	for _, msg := range t.messages[:end] {
		n += len(msg.Calls)
	}
	for i := range m.calls {
		m.calls[i].ID = fmt.Sprintf("call_%d", n+i+1)
	}
	return m
}

// made returns a call in messages[from:end] with the same tool and arguments, and the index of its message; -1 if there
// is none. It prefers the latest message and skips taken ids.
func (t *talk) made(want model.Call, from, end int, taken map[string]bool) (model.Call, int) {
	arguments := text.CanonicalOrNil(want.Arguments)
	for i := end - 1; i >= from; i-- {
		for _, c := range t.messages[i].Calls {
			if c.Tool == want.Tool && !taken[c.ID] && bytes.Equal(text.CanonicalOrNil(c.Arguments), arguments) {
				return c, i
			}
		}
	}
	return model.Call{}, -1
}

// callsAfter reports whether a message later than messages[at] has calls. Then the call in that one was a look-up.
func (t *talk) callsAfter(at, end int) bool {
	return slices.ContainsFunc(t.messages[at+1:end], func(m model.Message) bool { return len(m.Calls) > 0 })
}

// outcome is the content of a tool message.
type outcome struct {
	Status     string          `json:"status"`
	RequestID  string          `json:"request_id"`
	Data       json.RawMessage `json:"data"`
	Code       bus.Code        `json:"code"`
	Reason     bus.Reason      `json:"reason"`
	Message    string          `json:"message"`
	Hint       string          `json:"recovery_hint"`
	Choices    []bus.Choice    `json:"choices"`
	Violations []bus.Violation `json:"-"` // copied from the message: its JSON omits them
	Events     []bus.Event     `json:"events"`
	Replayed   bool            `json:"replayed"`
	Note       string          `json:"note"`
}

func (o outcome) ok() bool { return o.Status == "success" }

// result returns the answer to a call. If none is readable, it returns the outcome of an error.
func (t *talk) result(id string, from, end int) outcome {
	for _, m := range t.messages[from:end] {
		if m.Role == model.RoleTool && m.CallID == id {
			var o outcome
			if json.Unmarshal([]byte(m.Text), &o) == nil {
				o.Violations = m.Violations
				return o
			}
		}
	}
	return outcome{Status: "error", Message: t.lang.say("no result")}
}

func (t *talk) tool(capability string) (model.Tool, bool) { return toolOf(t.tools, capability) }

func toolOf(tools []model.Tool, capability string) (model.Tool, bool) {
	for _, tool := range tools {
		if tool.Capability == capability && capability != "" {
			return tool, true
		}
	}
	return model.Tool{}, false
}
