package agent

import (
	"strings"
	"sync"

	"github.com/deskhand/deskhand/agent/internal/schema"
	"github.com/deskhand/deskhand/agent/internal/text"
	"github.com/deskhand/deskhand/bus"
)

// maxInvalid is how many calls with wrong arguments a capability takes in one turn: the first and two corrections.
const maxInvalid = 3

// errorPolicy enforces per turn what a model should do about each error code.
type errorPolicy struct {
	mu      sync.Mutex            // guards the maps: reads run in parallel
	invalid map[string]int        // VALIDATION results by capability
	final   map[string]*bus.Error // FORBIDDEN and INTERNAL results by capability
}

// record takes note of a result.
func (c *errorPolicy) record(capability string, res bus.Result) {
	if res.Err == nil {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	switch res.Err.Code {
	case bus.Validation:
		c.invalid[capability]++
	case bus.Forbidden, bus.Internal:
		c.final[capability] = res.Err
	}
}

// forbids says why a capability is not to be called again in this turn.
func (c *errorPolicy) forbids(capability string) *bus.Error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if e := c.final[capability]; e != nil {
		return bus.Errorf(e.Code, e.Reason, "%s It was not called again in this turn.", e.Message).
			WithHint("Tell the person; do not repeat it.")
	}
	if c.invalid[capability] >= maxInvalid {
		return bus.Errorf(bus.Validation, bus.ReasonArguments,
			"The arguments were wrong %d times; it was not called again in this turn.", maxInvalid).
			WithHint("Tell the person what is missing.")
	}
	return nil
}

// action says what became of a call that was more than a read.
func (j *job) action() Action {
	a := Action{RequestID: j.result.RequestID, Capability: j.capability, Title: j.entry.Title, Outcome: ActionDone,
		Replayed: j.result.Replayed, Reversible: j.entry.Reversible && j.result.OK(), Text: j.entry.Title}
	if j.running {
		a.RequestID, a.Outcome = j.requestID, ActionRunning
		return a
	}
	if e := j.result.Err; e != nil {
		a.Text, a.Outcome = e.Message, ActionFailed
		switch {
		case j.note == text.NobodyAnswered:
			a.Text = text.NobodyAnswered
		case e.Code == bus.Validation && len(e.Violations) > 0:
			a.Text = schema.Violations(j.entry.InputSchema, e.Violations)
		}
		switch {
		case e.Reason == bus.ReasonCancelled:
			a.Outcome = ActionStopped
		case e.Code == bus.Forbidden || e.Code == bus.PreconditionFailed || e.Code == bus.NotFound ||
			e.Code == bus.Validation:
			a.Outcome = ActionRefused
		}
		return a
	}
	for _, e := range j.result.Events {
		if e.Type == bus.EventStateChange && e.Summary != "" {
			a.Text = e.Summary
			break
		}
	}
	return a
}

// actionsText names what was and was not done, for when the model does not.
func actionsText(actions []Action) string {
	var done, running, not []string
	for _, a := range actions {
		switch said := strings.TrimSuffix(a.Text, "."); a.Outcome {
		case ActionRunning:
			running = append(running, said)
		case ActionDone:
			done = append(done, said)
		default:
			not = append(not, a.Title+" ("+said+")")
		}
	}
	var parts []string
	if len(done) > 0 {
		parts = append(parts, "Done: "+strings.Join(done, "; ")+".")
	}
	if len(running) > 0 {
		parts = append(parts, "Still running: "+strings.Join(running, "; ")+".")
	}
	if len(not) > 0 {
		parts = append(parts, "Not done: "+strings.Join(not, "; ")+".")
	}
	return strings.Join(parts, " ")
}

// stopText says what a stopped turn did and did not do.
func (t *turnRun) stopText() string {
	if len(t.actions) == 0 {
		return "Stopped. Nothing was changed."
	}
	return "Stopped. " + actionsText(t.actions)
}
