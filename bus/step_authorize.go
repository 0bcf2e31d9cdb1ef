package bus

import (
	"cmp"
	"context"
	"strings"
)

// authorize is B3: person, caller kind, policy.
func (r *run) authorize(ctx context.Context) error {
	agent := r.inv.Caller.Type == CallerAgent
	if r.cap.Assistant.Only && !agent {
		return Errorf(Forbidden, ReasonPermission, "%s is for the assistant only.", r.cap.TitleText())
	}
	rule := r.cap.Checks.Access.of(r.inv.Caller.Type)
	if rule == RuleDeny {
		if err := r.cap.checkScopes(r.inv.Principal); err != nil {
			return err
		}
		reason := ReasonPermission
		if agent {
			reason = ReasonAgentForbidden
		}
		return r.forbid(reason, Decision{Rule: RuleDeny, By: "access"})
	}
	if err := r.checkPerson(ctx); err != nil {
		return err
	}
	if err := r.decide(ctx, agent, rule); err != nil {
		return err
	}
	if r.needsApprover != nil {
		r.requireConfirmation()
	}
	return nil
}

// requireConfirmation requires a card even if policy allows the call, because the right belongs to another person.
func (r *run) requireConfirmation() {
	by := "access"
	if d := r.entry.Decision; d != nil {
		by = d.By
	}
	r.entry.Decision = &Decision{Rule: RuleConfirm, By: by}
}

// decide asks policy about an agent's call, or uses the access rules.
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
	return r.forbid(cmp.Or(d.Code, ReasonCapabilityNotGranted), d)
}

// defaultRule returns the rule for an agent if neither the definition nor policy contains one.
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
	e := Errorf(Forbidden, reason, "%s is not allowed for this caller.", r.cap.TitleText())
	if reason == ReasonAgentForbidden || reason == ReasonCapabilityNotGranted {
		return e.WithHint("A person can do it by hand.")
	}
	return e
}

// checkScopes refuses a person who lacks a scope.
func (c *registered) checkScopes(p Principal) error {
	missing := c.sight.missing(p)
	if len(missing) == 0 {
		return nil
	}
	return Errorf(Forbidden, ReasonPermission, "%s needs the permission %s.", c.TitleText(), strings.Join(missing, ", ")).
		WithHint("Ask someone whose role has it.")
}

// checkLimit refuses arguments over the limits of the person with additional scopes.
func (r *run) checkLimit(ctx context.Context, extraScopes []string) error {
	if r.cap.Checks.Limit == nil {
		return nil
	}
	return r.cap.Checks.Limit(ctx, r.callWith(extraScopes))
}

// isScope reports whether a permission is a scope of a person and not a named condition.
func isScope(permission string) bool { return strings.Contains(permission, ":") }
