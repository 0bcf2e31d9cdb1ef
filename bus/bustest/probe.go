package bustest

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/deskhand/deskhand/bus"
)

// probe is one capability under test: a bus like the application's on the same
// journal, where the handler, the journal and the approver are watched.
type probe struct {
	ctx    context.Context
	app    App
	cap    *bus.Capability // as the application defined it
	b      *bus.Bus
	out    *oracle
	in     *oracle
	kept   *witness
	events *bus.Subscription
	event  *oracle
	caller bus.CallerType // a kind that may call it
	args   json.RawMessage
	state  *string // the digest since the last look at it; nil when it may have changed
	stuck  bool    // it could not be made to succeed

	ran    atomic.Int64              // how often its handler or preview was entered
	behave atomic.Pointer[behaviour] // replaces its handler, if not nil
	nobody atomic.Bool               // no one answers the confirmation card
	source sync.Mutex                // held while the application's clock, seeds and request ids are asked
	drain  sync.Mutex                // held while events are read
	told   map[string]int            // invocation events by request id; under drain

	mu       sync.Mutex // guards the rest
	noted    map[string]bool
	findings []Finding
}

// behaviour wraps a handler.
type behaviour func(ctx context.Context, call *bus.Call, h handler) (json.RawMessage, error)

func newProbe(ctx context.Context, a App, name string) (*probe, error) {
	c, ok := a.Bus.Lookup(name)
	if !ok {
		return nil, fmt.Errorf("there is no capability %q", name)
	}
	p := &probe{ctx: ctx, app: a, cap: c, told: map[string]int{}, kept: &witness{Journal: a.Bus.Options().Journal},
		caller: bus.CallerTest}
	if p.app.Invoke == nil {
		p.app.Invoke = func(ctx context.Context, b *bus.Bus, inv bus.Invocation) bus.Result { return b.Invoke(ctx, inv) }
	}
	p.app.Bodies = cmp.Or(p.app.Bodies, 200)
	if m, inMemory := p.kept.Journal.(*Journal); inMemory {
		if p.app.Digest == nil {
			p.app.Digest = m.digest
		}
		if p.app.Records == nil {
			p.app.Records = m.recordsOf
		}
	}
	if c.Assistant.Only || c.Checks.Access.User == bus.RuleDeny {
		p.caller = bus.CallerAgent
	}
	var err error
	if p.in, err = newOracle(c.InputSchema); err != nil {
		return nil, err
	}
	if p.out, err = newOracle(c.OutputSchema); err != nil {
		return nil, err
	}
	if p.event, err = newOracle(bus.Event{}.JSONSchema()); err != nil {
		return nil, err
	}
	if p.b, err = p.bus(nil, nil); err != nil {
		return nil, err
	}
	p.events = p.b.Subscribe()
	if a.Arguments != nil {
		p.args = a.Arguments(name)
	}
	if p.args == nil {
		p.args = example{app: p.app, ctx: p.ctx}.arguments(c)
	}
	return p, nil
}

// bus makes a watched bus like the application's, around the capability; the hooks may change its options and its
// definition.
func (p *probe) bus(options func(*bus.Options), define func(*bus.Capability), more ...bus.Capability,
) (*bus.Bus, error) {
	o := p.app.Bus.Options()
	o.Journal, o.CompileLate = p.kept, false
	o.Approver = cards{p}
	clock, seed := o.Clock, o.Seed // made for tests they may be for one goroutine
	o.Clock = func() time.Time { p.source.Lock(); defer p.source.Unlock(); return clock() }
	o.Seed = func() []byte { p.source.Lock(); defer p.source.Unlock(); return seed() }
	o.Logger = slog.New(slog.NewTextHandler(io.Discard, nil)) // provoked errors are not worth logging
	if options != nil {
		options(&o)
	}
	c := *p.cap
	c.Run.Retry = nil // a refusal is looked at when it comes, not after a backoff
	c.Run.RateLimit = nil
	c.Handler, c.Run.Preview = p.watched(c.Handler), p.watched(c.Run.Preview)
	if define != nil {
		define(&c)
	}
	return p.app.Bus.With(o, append([]bus.Capability{c}, more...)...)
}

// watched counts the runs of a handler, and puts the behaviour of the moment before it.
func (p *probe) watched(h handler) handler {
	if h == nil {
		return nil
	}
	return func(ctx context.Context, call *bus.Call) (json.RawMessage, error) {
		p.ran.Add(1)
		if b := p.behave.Load(); b != nil {
			return (*b)(ctx, call, h)
		}
		return h(ctx, call)
	}
}

// behaving runs f while the handler behaves in another way.
func (p *probe) behaving(b behaviour, f func()) {
	p.behave.Store(&b)
	defer p.behave.Store(nil)
	f()
}

// cards answers for the person: it allows everything, or no one is there.
type cards struct{ p *probe }

// Authorize implements bus.Approver by the access rules alone.
func (c cards) Authorize(_ context.Context, req *bus.ApprovalRequest) (bus.Decision, error) {
	return bus.Decision{Rule: agentRule(req.Capability), By: "conformance"}, nil
}

// Approve implements bus.Approver.
func (c cards) Approve(context.Context, *bus.ApprovalRequest, *bus.Preview) (bus.Decision, error) {
	if c.p.nobody.Load() {
		return bus.Decision{Answer: "nobody"}, nil
	}
	return bus.Decision{Allowed: true, Answer: "allow", By: "conformance"}, nil
}

// agentRule returns the default rule for agents.
func agentRule(c *bus.Capability) bus.Rule {
	switch {
	case c.Checks.Access.Agent != "":
		return c.Checks.Access.Agent
	case c.SideEffect == bus.Pure || c.SideEffect == bus.UIOnly:
		return bus.RuleAllow
	}
	return bus.RuleConfirm
}

// invocation is a call with the valid arguments by someone who may.
func (p *probe) invocation() bus.Invocation { return p.invocationBy(p.caller) }

func (p *probe) invocationBy(caller bus.CallerType) bus.Invocation {
	person := p.app.Person
	if person.ID == "" {
		person.ID, person.Name = "conformance", "Conformance"
	}
	person.Scopes = scopes(p.cap)
	p.source.Lock()
	id := p.app.Bus.Options().NewRequestID()
	p.source.Unlock()
	return bus.Invocation{Capability: p.cap.Name, Arguments: p.args, RequestID: id,
		Caller: bus.Caller{Type: caller, Source: "conformance"}, Principal: person}
}

// scopes are the permissions of a capability that are not names of conditions.
func scopes(c *bus.Capability) []string {
	return slices.DeleteFunc(slices.Clone(c.Permissions), func(p string) bool { return !strings.Contains(p, ":") })
}

// invoke makes a call and checks the rules for all calls.
func (p *probe) invoke(inv bus.Invocation) bus.Result { return p.invokeOn(p.ctx, p.b, inv) }

func (p *probe) invokeOn(ctx context.Context, b *bus.Bus, inv bus.Invocation) bus.Result {
	r := p.app.Invoke(ctx, b, inv)
	p.codes(r)
	p.recorded(inv)
	if b != p.b {
		return r // its handler may be another one
	}
	p.announced(inv)
	if r.OK() && !r.Replayed && (!r.DryRun || p.cap.Run.Preview == nil) {
		if why := p.out.breaks(r.Data); why != "" {
			p.note(ruleOutput, "a success does not fit: %s", why)
		}
	}
	return r
}

// codes checks the answer's form. A panic is provoked now and then, and has its
// own reason; any other INTERNAL is a defect.
func (p *probe) codes(r bus.Result) {
	switch {
	case r.OK() && r.Err != nil, !r.OK() && r.Err == nil, !r.OK() && r.Status != "error":
		p.note(ruleCodes, "status %q with error %v", r.Status, r.Err)
		return
	case r.Err == nil:
		return
	}
	provoked := p.behave.Load() != nil
	switch {
	case !slices.Contains(r.Err.Code.Reasons(), r.Err.Reason) && !strings.Contains(string(r.Err.Reason), "."):
		p.note(ruleCodes, "%s/%s is not in the closed list", r.Err.Code, r.Err.Reason)
	case r.Err.Reason == bus.ReasonResponse:
		p.note(ruleOutput, "the handler's output does not fit: %v", r.Err.Violations)
	case r.Err.Code == bus.Internal && !provoked:
		p.note(ruleCodes, "a defect: %s%s", brief(r), cause(r.Err))
	case r.Err.Message == "":
		p.note(ruleCodes, "%s/%s has no message", r.Err.Code, r.Err.Reason)
	}
}

// cause returns the cause of a defect, which is hidden from callers.
func cause(err *bus.Error) string {
	if under := errors.Unwrap(err); under != nil {
		return fmt.Sprintf(" (%v)", under)
	}
	return ""
}

// recorded checks that a request left one record.
func (p *probe) recorded(inv bus.Invocation) {
	n, err := p.kept.records(inv.RequestID), error(nil)
	if n == 1 && p.app.Records != nil {
		n, err = p.app.Records(inv.RequestID)
	}
	if n != 1 || err != nil {
		p.note(ruleRecords, "%d records of one invocation (%v)", n, err)
	}
}

// announced checks that a request was announced once, and every event's form.
func (p *probe) announced(inv bus.Invocation) {
	p.drain.Lock()
	defer p.drain.Unlock()
	now, cancel := context.WithCancel(p.ctx)
	cancel()
	for {
		e, err := p.events.Next(now)
		if err != nil {
			break
		}
		if why := p.event.breaks(e); why != "" {
			p.note(ruleEvents, "an event of type %s does not fit: %s", e.Type, why)
		}
		if e.Type == bus.EventInvocation {
			p.told[e.RequestID]++
		}
	}
	if n := p.told[inv.RequestID]; n != 1 {
		p.note(ruleEvents, "%d events announce one invocation", n)
	}
}

// unchanged runs f and reports its changes. Nothing changes between two of these calls either, so the state is read
// once after each.
func (p *probe) unchanged(rule string, f func()) {
	if p.app.Digest == nil {
		f()
		return
	}
	if p.state == nil {
		p.state = p.digest(rule)
	}
	f()
	if after := p.digest(rule); *after != *p.state {
		p.note(rule, "an effect stayed")
		p.state = after
	}
}

func (p *probe) digest(rule string) *string {
	s, err := p.app.Digest()
	if err != nil {
		p.note(rule, "the state could not be read: %v", err)
	}
	return &s
}

// notRun runs f and reports whether the handler was reached.
func (p *probe) notRun(rule string, f func()) {
	before := p.ran.Load()
	f()
	if p.ran.Load() != before {
		p.note(rule, "the handler was reached")
	}
}

// handler is the type of [bus.Capability.Handler].
type handler = func(ctx context.Context, call *bus.Call) (json.RawMessage, error)
