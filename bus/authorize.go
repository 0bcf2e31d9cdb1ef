package bus

import (
	"context"
	"errors"
	"strings"
)

// authorize is B3: person, caller kind, policy.
func (r *run) authorize(ctx context.Context) error {
	agent := r.inv.Caller.Type == CallerAgent
	if r.cap.AgentOnly && !agent {
		return Errorf(Forbidden, ReasonPermission, "%s is for the assistant only.", r.cap.Title)
	}
	rule := r.cap.Access.User
	if agent {
		rule = r.cap.Access.Agent
	}
	if rule == RuleDeny {
		if err := r.cap.scoped(r.inv.Principal); err != nil {
			return err
		}
		reason := ReasonPermission
		if agent {
			reason = ReasonAgentForbidden
		}
		return r.forbid(reason, Decision{Rule: RuleDeny, By: "access"})
	}
	if err := r.permitted(ctx); err != nil {
		return err
	}
	if err := r.decide(ctx, agent, rule); err != nil {
		return err
	}
	if r.refused != nil {
		r.confirm()
	}
	return nil
}

// confirm makes a card of what policy would let pass: the right for it is another
// person's.
func (r *run) confirm() {
	by := "access"
	if d := r.entry.Decision; d != nil {
		by = d.By
	}
	r.entry.Decision = &Decision{Rule: RuleConfirm, By: by}
}

// decide asks policy about an agent's call, or falls back to the access rules.
func (r *run) decide(ctx context.Context, agent bool, rule Rule) error {
	if !agent {
		if rule == RuleConfirm {
			r.entry.Decision = &Decision{Rule: RuleConfirm, By: "access"}
		}
		return nil
	}
	if r.b.o.Approver == nil {
		r.entry.Decision = &Decision{Rule: defaultRule(rule, r.cap.SideEffect), By: "access"}
		return nil
	}
	d, err := r.b.o.Approver.Authorize(ctx, &ApprovalRequest{Capability: &r.cap.Capability, Invocation: r.inv})
	if err != nil {
		return err
	}
	switch d.Rule {
	case RuleAllow, RuleConfirm:
		r.entry.Decision = &d
		return nil
	case RuleDeny:
	default:
		r.b.o.Logger.Error("policy gave no known rule: denied", "capability", r.cap.Name, "rule", d.Rule)
		d.Rule, d.Code = RuleDeny, ""
	}
	reason := d.Code
	if reason == "" {
		reason = ReasonCapabilityNotGranted
	}
	return r.forbid(reason, d)
}

// defaultRule is what an agent may do where neither a definition nor policy says.
func defaultRule(rule Rule, effect SideEffect) Rule {
	if rule != "" {
		return rule
	}
	if effect == Pure || effect == UIOnly {
		return RuleAllow
	}
	return RuleConfirm
}

func (r *run) forbid(reason Reason, d Decision) error {
	r.entry.Decision = &d
	e := Errorf(Forbidden, reason, "%s is not allowed for this caller.", r.cap.Title)
	if reason == ReasonAgentForbidden || reason == ReasonCapabilityNotGranted {
		return e.WithHint("A person can do it by hand.")
	}
	return e
}

// scoped refuses a person who lacks a scope.
func (c *registered) scoped(p Principal) error {
	var missing []string
	for _, s := range c.Permissions {
		if isScope(s) && !p.Has(s) {
			missing = append(missing, s)
		}
	}
	if len(missing) == 0 {
		return nil
	}
	return Errorf(Forbidden, ReasonPermission, "%s needs the permission %s.", c.Title, strings.Join(missing, ", ")).
		WithHint("Ask someone whose role has it.")
}

// replay is B4: the same key and arguments give the stored success; a duplicate
// of a running key waits and shares its outcome.
func (r *run) replay(ctx context.Context) error {
	if r.inv.IdempotencyKey == "" || r.inv.DryRun {
		return nil
	}
	window := r.b.o.IdempotencyWindow
	if r.cap.KeepResult {
		window = 0
	}
	key := Key{CallerType: r.inv.Caller.Type, Source: r.inv.Caller.Source, Capability: r.cap.Name,
		Value: r.inv.IdempotencyKey, Arguments: digest(r.identity()), Window: window}
	r.entry.Key = &key
	for {
		leave, wait := r.b.flights.enter(key)
		if wait == nil {
			r.leave = leave
			break
		}
		select {
		case <-wait:
		case <-ctx.Done():
			return ended(ctx)
		}
	}
	if r.looksInTime() {
		return nil
	}
	prior, err := r.b.o.Journal.Lookup(ctx, key)
	if err != nil {
		return r.journalFailed(err)
	}
	if prior == nil {
		return nil
	}
	if err := r.take(prior); err != nil {
		return err
	}
	r.record(ctx)
	return nil
}

// looksInTime says that the look inside the transaction is early enough: nothing
// before it could refuse, or ask a person, what was done already.
func (r *run) looksInTime() bool {
	d := r.entry.Decision
	return r.cap.writes() && r.cap.SideEffect != Network && !r.cap.hasChecks() && r.cap.RateLimit == nil &&
		r.cap.slotKey() == "" && (d == nil || d.Rule == RuleAllow)
}

// take makes a stored result this run's own.
func (r *run) take(prior *Stored) error {
	if prior.Arguments != r.entry.Key.Arguments {
		return Errorf(Validation, ReasonIdempotencyMismatch, "The idempotency key was already used with other arguments.").
			WithHint("Use a new key for a new action.")
	}
	if prior.Unknown {
		return Errorf(Transient, ReasonInterrupted, "An earlier request with this key was interrupted; nobody knows whether it reached its goal.").
			WithHint("Check the outcome by hand, then use a new key.")
	}
	res := prior.Result
	res.RequestID, res.Replayed, res.Events = r.inv.RequestID, true, nil
	res.ExecutionTimeMS, res.Timestamp = r.elapsed(), r.now.UnixMilli()
	r.settle(res)
	r.entry.Read = false
	return nil
}

// preconditions is B5: conditions, availability, named checks, in that order.
func (r *run) preconditions(ctx context.Context) error {
	if !r.cap.hasChecks() {
		return nil
	}
	return orEnded(ctx, r.b.o.Journal.View(ctx, r.ready))
}

// orEnded says of a check that was cut off that it was; a coded error is kept.
func orEnded(ctx context.Context, err error) error {
	var e *Error
	if err == nil || ctx.Err() == nil || errors.As(err, &e) {
		return err
	}
	return ended(ctx)
}

func (c *registered) hasChecks() bool {
	if c.Available != nil || len(c.Requires) > 0 || len(c.Preconditions) > 0 {
		return true
	}
	for _, p := range c.Permissions {
		if !strings.Contains(p, ":") {
			return true
		}
	}
	return false
}

// ready reports the first check that is unmet; it runs before a person is asked
// and again inside the transaction.
func (r *run) ready(ctx context.Context) error {
	if err := r.b.availability(ctx, r.cap, r.newCall()); err != nil {
		return err
	}
	for _, p := range r.cap.Preconditions {
		if p.Check == nil {
			continue
		}
		err := p.Check(ctx, r.newCall())
		if err == nil {
			continue
		}
		message := p.Message
		if message == "" {
			message = r.cap.Title + " is not possible now."
		}
		return unmet(ctx, err, ReasonPrecondition, message, p.Hint)
	}
	return nil
}

// limits is B6: the rate, and a look at the concurrency slot.
func (r *run) limits(context.Context) error {
	if r.cap.rate != nil {
		if err := r.cap.rate.take(r.b.o.Clock()); err != nil {
			return err
		}
	}
	if key := r.cap.slotKey(); key != "" && r.b.slots.busy(key, r.cap.QueueDepth) {
		return errBusy()
	}
	return nil
}

// slotKey is the name of what the capability excludes; "" when nothing.
func (c *registered) slotKey() string {
	switch c.Concurrency {
	case "":
		return ""
	case Exclusive:
		return "capability:" + c.Name
	}
	return "group:" + c.Concurrency
}
