package agent

import (
	"cmp"
	"maps"
	"strings"
	"sync"

	"github.com/deskhand/deskhand/agent/internal/schema"
	"github.com/deskhand/deskhand/agent/internal/text"
	"github.com/deskhand/deskhand/bus"
)

// maxDeclined is the number of refusals by a person after which the policy blocks a capability in the turn. A corrected
// call or another record deserves a new card, but many of them do not.
const maxDeclined = 2

// maxWrong limits the consecutive replies with wrong arguments for a capability: the first, and two corrections.
const maxWrong = 3

// errorPolicy enforces the model's correct reaction to each error code within a turn.
type errorPolicy struct {
	mu       sync.Mutex            // guards the maps: reads run in parallel
	refused  map[string]*bus.Error // the last error of calls that must not be repeated, by capability and arguments
	declined map[string]int        // by capability
	wrong    map[string][]int      // requests with VALIDATION since the last success, by capability
	final    map[string]*bus.Error // the error of a capability that must not be called again
}

// callKey identifies a call by its capability and arguments.
func callKey(j *job) string {
	arguments := string(j.call.Broken)
	if arguments == "" {
		arguments = string(text.CanonicalOrNil(j.call.Arguments))
	}
	return j.capability + "\x00" + arguments
}

// record notes the result of a call that the model made in its answer to a request. A successful change clears refusals
// for preconditions and missing records, because it may have removed their cause.
func (c *errorPolicy) record(request int, j *job, res bus.Result) {
	c.mu.Lock()
	defer c.mu.Unlock()
	e := res.Err
	if e == nil {
		delete(c.wrong, j.capability)
		if j.entry.SideEffect != bus.Pure {
			maps.DeleteFunc(c.refused, func(_ string, e *bus.Error) bool {
				return e.Code == bus.PreconditionFailed || e.Code == bus.NotFound
			})
		}
		return
	}
	switch e.Code {
	case bus.Validation:
		c.refused[callKey(j)] = e
		wrong := c.wrong[j.capability]
		if len(wrong) == 0 || wrong[len(wrong)-1] != request {
			wrong = append(wrong, request)
		}
		if c.wrong[j.capability] = wrong; len(wrong) >= maxWrong {
			c.final[j.capability] = e
		}
	case bus.PreconditionFailed, bus.NotFound:
		c.refused[callKey(j)] = e
	case bus.Internal:
		c.final[j.capability] = e
	case bus.Forbidden:
		switch e.Reason {
		case bus.ReasonDeclined:
			c.refused[callKey(j)] = e
			if c.declined[j.capability]++; c.declined[j.capability] >= maxDeclined {
				c.final[j.capability] = e
			}
		case bus.ReasonLimit, bus.ReasonConstraint:
			c.refused[callKey(j)] = e
		default:
			c.final[j.capability] = e
		}
	}
}

// forbids returns the reason not to make a call again in this turn: the same call was refused, or its capability is
// forbidden, failed, got wrong arguments in maxWrong replies, or was declined maxDeclined times.
func (c *errorPolicy) forbids(j *job) *bus.Error {
	c.mu.Lock()
	defer c.mu.Unlock()
	final := c.final[j.capability]
	e := cmp.Or(c.refused[callKey(j)], final)
	switch {
	case e == nil:
		return nil
	case e.Code == bus.Validation && final != nil:
		return bus.Errorf(e.Code, e.Reason, "%s It is not called again in this turn: it was called with wrong arguments "+
			"in %d replies.", e.MessageText(), maxWrong).WithHint("Tell the person the missing values.")
	case e.Code == bus.Validation:
		again := bus.Errorf(e.Code, e.Reason, "%s The same arguments were not tried again.", e.MessageText()).
			WithHint("Correct them, or tell the person what is missing.")
		again.Violations = e.Violations
		return again
	case e.Code == bus.PreconditionFailed || e.Code == bus.NotFound:
		return e.WithMessage("%s Nothing was changed since, so it was not tried again.", e.MessageText())
	default:
		return bus.Errorf(e.Code, e.Reason, "%s It was not called again in this turn.", e.MessageText()).
			WithHint("Tell the person; do not repeat it.")
	}
}

// say sets the text of an action.
func (a *Action) say(what bus.Text) {
	a.Text, a.Texts = what.String(), nil
	a.Texts.Put("/text", what)
}

// action returns the outcome of a call that was not only a read.
func (j *job) action() Action {
	a := Action{RequestID: j.result.RequestID, Capability: j.capability, Title: j.entry.Title, Outcome: ActionDone,
		Replayed: j.result.Replayed, Reversible: j.entry.Reversible && j.result.OK(), Text: j.entry.Title}
	if j.running {
		a.RequestID, a.Outcome = j.requestID, ActionRunning
		return a
	}
	if e := j.result.Err; e != nil {
		a.say(e.MessageText())
		a.Outcome = ActionFailed
		switch {
		case j.note == text.NobodyAnswered:
			a.say(bus.Phrase(text.NobodyAnswered))
		case e.Code == bus.Validation && len(e.Violations) > 0:
			a.say(schema.Violations(j.entry.InputSchema, e.Violations))
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
			a.say(e.Texts.At("/summary", e.Summary))
			break
		}
	}
	return a
}

// actionsText lists the done and the refused actions, for replies in which the model does not.
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

// stopText describes the done and the stopped actions of a stopped turn.
func (t *turnRun) stopText() string {
	if len(t.actions) == 0 {
		return "Stopped. Nothing was changed."
	}
	return "Stopped. " + actionsText(t.actions)
}
