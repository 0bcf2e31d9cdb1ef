package policy

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/deskhand/deskhand/audit"
	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/internal/period"
)

// pastCall is a recorded call of an assistant, with the input of a decision about it.
type pastCall struct {
	req      bus.ApprovalRequest
	facts    map[string]any
	x        *Provenance // the text that the model had read; autonomy as if grants counted
	at       time.Time
	decision bus.Decision
	askFirst bool // in its conversation no grant counted
	gone     bool // its arguments or facts were erased or never recorded
}

// card reports whether a person was asked to confirm the call.
func (c *pastCall) card() bool { return c.decision.ApprovalID != "" }

func (c *pastCall) denied() bool { return c.card() && c.decision.Answer == bus.AnswerDeny }

// pastCalls lists the recorded calls of assistants that q selects, oldest first. It skips capabilities that no longer
// exist.
func pastCalls(ctx context.Context, db Shared, call *bus.Call, q audit.Query) (list []pastCall, err error) {
	q.CallerType, q.Limit = bus.CallerAgent, 500
	for more := true; more; {
		page, err := db.Search(ctx, q)
		if err != nil {
			return nil, err
		}
		for i := range page.Records {
			r := &page.Records[i]
			c, known := call.Lookup(r.Capability)
			if known && r.Decision != nil && (q.Capability == "" || q.Capability == r.Capability) && !r.DryRun {
				list = append(list, pastCallOf(r, c))
			}
		}
		q.Cursor, more = page.NextCursor, page.HasMore
	}
	slices.Reverse(list)
	return list, nil
}

func pastCallOf(r *audit.Record, c *bus.Capability) pastCall {
	p := pastCall{req: bus.ApprovalRequest{Capability: c, Invocation: bus.Invocation{Capability: c.Name,
		Arguments: r.Arguments, RequestID: r.RequestID, Caller: bus.Caller{Type: bus.CallerAgent},
		Principal: bus.Principal{ID: r.Caller.Person, ConversationID: r.ConversationID, Model: r.Model}}},
		facts: r.Facts, at: time.UnixMilli(r.Time), decision: *r.Decision, x: &Provenance{tainted: r.Decision.Tainted}}
	if r.Decision.Needs != "" {
		p.req.Refused = &bus.Error{Code: bus.Forbidden, Reason: bus.ReasonPermission}
	}
	p.askFirst = r.Model != nil && r.Model.Autonomy == string(AskFirst)
	p.gone = r.Erased || r.Unreadable != "" || len(c.Facts) > 0 && len(r.Facts) == 0 ||
		slices.ContainsFunc(r.Redacted, func(pointer string) bool { return strings.HasPrefix(pointer, "/arguments") })
	return p
}

// pastWeeks is the default period for reading the log, in weeks.
const pastWeeks = 4

// since returns the period that days names, as milliseconds since 1970; by default the last four weeks.
func since(ctx context.Context, say Wording, days period.Days, now time.Time) (from, to int64, err error) {
	zone := time.UTC
	if say.Zone != nil {
		if zone, err = say.Zone(ctx); err != nil {
			return 0, 0, err
		}
	}
	from, to, problem := days.Moments(now.In(zone))
	if problem != "" {
		return 0, 0, bus.Errorf(bus.Validation, bus.ReasonArguments, "%s", problem)
	}
	if to == 0 || to > now.UnixMilli() {
		to = now.UnixMilli()
	}
	if from == 0 {
		from = time.UnixMilli(to).AddDate(0, 0, -7*pastWeeks).UnixMilli()
	}
	return from, to, nil
}
