package bustest

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/deskhand/deskhand/bus"
)

// invalid sends bodies that break the input schema.
func (p *probe) invalid() {
	bodies := newMangler(p.in, p.args, p.cap.Name).bodies(p.app.Bodies)
	p.notRun(ruleInvalid, func() {
		for batch := range slices.Chunk(bodies, 16) {
			together(len(batch), func(i int) bus.Result {
				inv := p.invocation()
				inv.Arguments = batch[i]
				r := p.invoke(inv)
				if !is(r, bus.Validation, bus.ReasonArguments) || len(r.Err.Violations) == 0 || r.Err.SchemaSide != "request" {
					p.note(ruleInvalid, "%s was answered with %s", clip(batch[i]), brief(r))
				}
				return r
			})
		}
	})
}

// version asks for the next version, and for the major one before.
func (p *probe) version() {
	major, _ := strconv.Atoi(strings.Split(p.cap.Version, ".")[0])
	asked := []string{p.cap.Version + ".1", strconv.Itoa(major + 1)}
	if major > 1 {
		asked = append(asked, strconv.Itoa(major-1)+".9")
	}
	p.notRun(ruleVersion, func() {
		for _, version := range asked {
			inv := p.invocation()
			inv.MinVersion = version
			if r := p.invoke(inv); !is(r, bus.Validation, bus.ReasonVersion) {
				p.note(ruleVersion, "%s was asked for, and %s was answered with %s", version, p.cap.Version, brief(r))
			}
		}
	})
}

// clip is a body short enough for a finding.
func clip(body []byte) string {
	if len(body) > 200 {
		return fmt.Sprintf("%q… (%d bytes)", body[:200], len(body))
	}
	return fmt.Sprintf("%q", body)
}

// callers are the caller kinds that get past visibility and access rules, or those that do not.
func (p *probe) callers(admitted bool) []bus.CallerType {
	var kinds []bus.CallerType
	if admitted == (!p.cap.Assistant.Only && p.cap.Checks.Access.User != bus.RuleDeny) {
		kinds = append(kinds, bus.CallerUI, bus.CallerCLI, bus.CallerTest)
	}
	if admitted == (!p.cap.Assistant.Hidden && p.cap.Checks.Access.Agent != bus.RuleDeny) {
		kinds = append(kinds, bus.CallerAgent)
	}
	return kinds
}

// permission takes each scope away in turn.
func (p *probe) permission() {
	for _, lacking := range scopes(p.cap) {
		for _, kind := range p.callers(true) {
			p.notRun(rulePermission, func() {
				inv := p.invocationBy(kind)
				inv.Principal.Scopes = slices.DeleteFunc(slices.Clone(inv.Principal.Scopes),
					func(s string) bool { return s == lacking })
				if r := p.invoke(inv); !is(r, bus.Forbidden, bus.ReasonPermission) {
					p.note(rulePermission, "%s without %s was answered with %s", kind, lacking, brief(r))
				}
			})
		}
	}
}

// access calls as the caller kinds that may not.
func (p *probe) access() {
	for _, kind := range p.callers(false) {
		code, reason := bus.Forbidden, bus.ReasonPermission
		switch {
		case kind == bus.CallerAgent && p.cap.Assistant.Hidden:
			code, reason = bus.NotFound, bus.ReasonCapability
		case kind == bus.CallerAgent:
			reason = bus.ReasonAgentForbidden
		}
		p.notRun(ruleAccess, func() {
			if r := p.invoke(p.invocationBy(kind)); !is(r, code, reason) {
				p.note(ruleAccess, "%s was answered with %s, want %s/%s", kind, brief(r), code, reason)
			}
		})
	}
}

// checks lets each condition, requirement, availability and precondition fail in turn while all others hold.
func (p *probe) checks() {
	for _, name := range p.cap.Permissions {
		if slices.Contains(scopes(p.cap), name) {
			continue
		}
		p.unmet(ruleCondition, bus.ReasonCondition, "the condition "+name,
			func(o *bus.Options) { o.Conditions[name] = unmetCheck }, nil)
	}
	if len(p.cap.Checks.Requires) > 0 {
		p.unmet(ruleCondition, bus.ReasonUnavailable, "what it requires", nil,
			func(c *bus.Capability) { c.Checks.Requires = []string{refusing.Name} })
	}
	if p.cap.Checks.Available != nil {
		p.unmet(ruleCondition, bus.ReasonUnavailable, "its availability", nil,
			func(c *bus.Capability) { c.Checks.Available = unmetCheck })
	}
	for i, pre := range p.cap.Checks.Preconditions {
		results := p.unmet(rulePrecondition, bus.ReasonPrecondition, "the precondition "+pre.Name, nil,
			func(c *bus.Capability) { c.Checks.Preconditions[i].Check = unmetCheck })
		for _, r := range results {
			if r.Err != nil && (r.Err.Hint != pre.Hint || pre.Message != "" && r.Err.Message != pre.Message) {
				p.note(rulePrecondition, "%s is refused with %q and the hint %q", pre.Name, r.Err.Message, r.Err.Hint)
			}
		}
	}
}

// unmetCheck is a check that is unmet.
func unmetCheck(context.Context, *bus.Call) error { return bus.ErrUnmet }

// refusing is a pure capability that says no.
var refusing = bus.Capability{Name: "conformance.refusing", Title: "Refuse", Description: "Says no.",
	SideEffect: bus.Pure,
	Handler: func(context.Context, *bus.Call) (json.RawMessage, error) {
		return json.RawMessage(`{"ok":false,"problems":["made to fail"]}`), nil
	}}

// unmet calls by every caller kind that may, where one check fails.
func (p *probe) unmet(rule string, reason bus.Reason, what string, options func(*bus.Options),
	define func(*bus.Capability)) (results []bus.Result) {
	b, err := p.bus(func(o *bus.Options) {
		conditions := map[string]func(context.Context, *bus.Call) error{}
		for name := range o.Conditions {
			conditions[name] = func(context.Context, *bus.Call) error { return nil }
		}
		o.Conditions = conditions
		if options != nil {
			options(o)
		}
	}, func(c *bus.Capability) {
		c.Checks.Requires, c.Checks.Available = nil, nil
		c.Checks.Preconditions = slices.Clone(c.Checks.Preconditions)
		for i := range c.Checks.Preconditions {
			c.Checks.Preconditions[i].Check = func(context.Context, *bus.Call) error { return nil }
		}
		if define != nil {
			define(c)
		}
	}, refusing)
	if err != nil {
		p.note(rule, "%v", err)
		return nil
	}
	for _, kind := range p.callers(true) {
		p.notRun(rule, func() {
			r := p.invokeOn(p.ctx, b, p.invocationBy(kind))
			results = append(results, r)
			if !is(r, bus.PreconditionFailed, reason) && !is(r, bus.Forbidden, bus.ReasonLimit) {
				p.note(rule, "%s, with %s unmet, was answered with %s", kind, what, brief(r))
			}
		})
	}
	return results
}

// rate uses up the limit at one instant, and makes another call.
func (p *probe) rate() {
	if p.cap.Run.RateLimit == nil {
		return
	}
	still := p.b.Options().Clock()
	b, err := p.bus(func(o *bus.Options) { o.Clock = func() time.Time { return still } }, func(c *bus.Capability) {
		c.Run.RateLimit = p.cap.Run.RateLimit
		waits(c, func(context.Context) {})
	})
	if err != nil {
		p.note(ruleRate, "%v", err)
		return
	}
	burst := cmp.Or(p.cap.Run.RateLimit.Burst, p.cap.Run.RateLimit.Requests)
	for n := range burst + 1 {
		r := p.invokeOn(p.ctx, b, p.invocation())
		refused := is(r, bus.Transient, bus.ReasonRateLimit)
		switch {
		case refused != (n == burst):
			p.note(ruleRate, "call %d of %d at one instant was answered with %s", n+1, burst, brief(r))
		case refused && (r.Err.RetryAfter < time.Second || r.Err.Limit != p.cap.Run.RateLimit.Requests ||
			!r.Err.ResetAt.After(still)):
			p.note(ruleRate, "the refusal does not say when to come back: %+v", *r.Err)
		}
	}
}

// waits makes c a capability of the same concurrency and rate that only waits:
// no state is needed to call it, and no transaction is held meanwhile.
func waits(c *bus.Capability, wait func(context.Context)) {
	c.Checks.Requires, c.Checks.Available, c.Checks.Preconditions, c.Checks.Limit, c.Listing.Current,
		c.Run.Preview, c.Run.Prepare = nil, nil, nil, nil, nil, nil, nil
	c.Permissions = scopes(c)
	c.SideEffect, c.Checks.Access, c.Resources, c.OutputSchema, c.Assistant.Grantable = bus.Pure, bus.Access{}, nil, nil,
		nil
	c.Handler = func(ctx context.Context, _ *bus.Call) (json.RawMessage, error) {
		wait(ctx)
		return json.RawMessage(`{}`), nil
	}
}
