package agent

import (
	"cmp"
	"strings"
	"sync"

	"github.com/deskhand/deskhand/agent/internal/schema"
	"github.com/deskhand/deskhand/agent/internal/text"
	"github.com/deskhand/deskhand/bus"
)

// maxDeclined is how often a person says no to a capability in one turn before they are not asked again: a correction
// and another record deserve a card, a flood of them does not.
const maxDeclined = 2

// errorPolicy enforces per turn what a model should do about each error code.
type errorPolicy struct {
	mu       sync.Mutex            // guards the maps: reads run in parallel
	wrong    map[string]*bus.Error // of calls, by capability and arguments: VALIDATION, declined and limits
	declined map[string]int        // by capability
	final    map[string]*bus.Error // other FORBIDDEN and INTERNAL results by capability
}

// callKey tells calls apart by what they do.
func callKey(j *job) string {
	arguments := string(j.call.Broken)
	if arguments == "" {
		arguments = string(text.CanonicalOrNil(j.call.Arguments))
	}
	return j.capability + "\x00" + arguments
}

// record takes note of a result.
func (c *errorPolicy) record(j *job, res bus.Result) {
	e := res.Err
	if e == nil {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case e.Code == bus.Validation:
		c.wrong[callKey(j)] = e
	case e.Code == bus.Forbidden && (e.Reason == bus.ReasonDeclined || e.Reason == bus.ReasonLimit ||
		e.Reason == bus.ReasonConstraint):
		c.wrong[callKey(j)] = e
		if e.Reason == bus.ReasonDeclined {
			c.declined[j.capability]++
		}
		if c.declined[j.capability] >= maxDeclined {
			c.final[j.capability] = e
		}
	case e.Code == bus.Forbidden || e.Code == bus.Internal:
		c.final[j.capability] = e
	}
}

// forbids says why a call is not to be made again in this turn: the same one after it was refused, and any of a
// capability that is forbidden, that failed, or that the person declined several times.
func (c *errorPolicy) forbids(j *job) *bus.Error {
	c.mu.Lock()
	defer c.mu.Unlock()
	e := cmp.Or(c.final[j.capability], c.wrong[callKey(j)])
	switch {
	case e == nil:
		return nil
	case e.Code == bus.Validation:
		again := bus.Errorf(e.Code, e.Reason, "%s The same arguments were not tried again.", e.Message).
			WithHint("Correct them, or tell the person what is missing.")
		again.Violations = e.Violations
		return again
	}
	return bus.Errorf(e.Code, e.Reason, "%s It was not called again in this turn.", e.Message).
		WithHint("Tell the person; do not repeat it.")
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
