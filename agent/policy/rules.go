package policy

import (
	"context"
	"slices"
	"strings"

	"github.com/deskhand/deskhand/agent/internal/stored"
	"github.com/deskhand/deskhand/bus"
)

// rules are the rules of the program and of the owner, which add to those of the capability definitions.
type rules struct {
	by  map[string]bus.Rule // by [Rule.subject]
	off bool                // the assistant is switched off: every call is refused
}

// Rule is one rule that an owner sets, for a capability or for a class of side effects.
type Rule struct {
	Capability string         `json:"capability,omitempty" jsonschema:"maxLength=64"`
	Class      bus.SideEffect `json:"class,omitempty" jsonschema:"enum=pure,enum=ui-only,enum=network,enum=destructive"`
	Rule       bus.Rule       `json:"rule" jsonschema:"enum=allowed,enum=confirmation_required,enum=forbidden"`
}

const (
	subjectCapability = "capability:"
	subjectClass      = "class:"
)

func (r Rule) subject() string {
	if r.Capability != "" {
		return subjectCapability + r.Capability
	}
	return subjectClass + string(r.Class)
}

// storedRules lists the owner's rules in the snapshot of ctx: capabilities first, then classes, each sorted by name.
func storedRules(ctx context.Context, db Database) ([]Rule, error) {
	return stored.Rows(ctx, db, func(scan stored.Scan) (p Rule, err error) {
		var subject, rule string
		err = scan(&subject, &rule)
		p.Rule = bus.Rule(rule)
		if name, ok := strings.CutPrefix(subject, subjectCapability); ok {
			p.Capability = name
		} else {
			p.Class = bus.SideEffect(strings.TrimPrefix(subject, subjectClass))
		}
		return p, err
	}, `SELECT subject, rule FROM assistant_rules ORDER BY subject`)
}

// rules combines the rules of the program with those that the owner stored.
func (o *Options) rules(ctx context.Context) (rules, error) {
	if o.Log == nil {
		return o.withRules(nil), nil
	}
	var all rules
	err := o.Log.View(ctx, func(ctx context.Context) error {
		list, err := storedRules(ctx, o.Log)
		if err != nil {
			return err
		}
		all = o.withRules(list)
		on, err := stored.Enabled(ctx, o.Log)
		all.off = !on
		return err
	})
	return all, err
}

// withRules combines the rules of the program with a list of an owner's rules; for each subject the strictest counts.
func (o *Options) withRules(list []Rule) rules {
	all := rules{by: map[string]bus.Rule{}}
	for name, rule := range o.Capabilities {
		all.by[subjectCapability+name] = rule
	}
	for class, rule := range o.Classes {
		all.by[subjectClass+string(class)] = rule
	}
	for _, r := range list {
		all.by[r.subject()] = strictest(all.by[r.subject()], r.Rule)
	}
	return all
}

// Readable returns a function that reports whether the rules let an assistant use a capability, with or without a card.
// It ignores the switch that turns the assistant off.
func (p *Policy) Readable(ctx context.Context) (func(*bus.Capability) bool, error) {
	r, err := p.o.rules(ctx)
	r.off = false
	return func(c *bus.Capability) bool { return !c.Assistant.Hidden && r.decide(c).Rule != bus.RuleDeny }, err
}

// strictness ranks the rules, from no rule to the strictest.
var strictness = []bus.Rule{"", bus.RuleAllow, bus.RuleConfirm, bus.RuleDeny}

func strictest(a, b bus.Rule) bus.Rule {
	return strictness[max(slices.Index(strictness, a), slices.Index(strictness, b))]
}

// decide applies the rules to a capability. A rule that forbids it wins. Otherwise the order is: the rule for the
// capability, the rule for its class, the access in its definition, the default of the class. A rule for the capability
// may be looser than its definition only if the effect can be undone; for other effects a person must create a grant,
// which has bounds. A rule for the class is never looser than the definition.
func (r rules) decide(c *bus.Capability) bus.Decision {
	own, class := r.by[subjectCapability+c.Name], r.by[subjectClass+string(c.SideEffect)]
	byOwn, byClass := "policy for "+c.Name, "policy for "+string(c.SideEffect)
	switch defined := c.Checks.Access.Agent; {
	case r.off:
		return denied("the assistant is switched off")
	case defined == bus.RuleDeny:
		return bus.Decision{Rule: bus.RuleDeny, By: "access", Code: bus.ReasonAgentForbidden}
	case own == bus.RuleDeny:
		return denied(byOwn)
	case class == bus.RuleDeny:
		return denied(byClass)
	case own != "" && mayOverrule(own, c):
		return bus.Decision{Rule: own, By: byOwn}
	case own == "" && class != "" && strictest(class, defined) == class:
		return bus.Decision{Rule: class, By: byClass}
	case defined != "":
		return bus.Decision{Rule: defined, By: "access"}
	case isLocal(c):
		return bus.Decision{Rule: bus.RuleAllow, By: "default for " + string(c.SideEffect)}
	}
	return bus.Decision{Rule: bus.RuleConfirm, By: "default for " + string(c.SideEffect)}
}

// isLocal reports whether a capability only reads, or its effects can be undone.
func isLocal(c *bus.Capability) bool {
	return c.SideEffect == bus.Pure || c.SideEffect == bus.UIOnly
}

// mayOverrule reports whether a rule for a capability may replace the access in its definition.
func mayOverrule(rule bus.Rule, c *bus.Capability) bool {
	return rule == strictest(rule, c.Checks.Access.Agent) || isLocal(c) && !alwaysAsked(c)
}

// alwaysAsked reports whether a person must answer every call, because no rule and no grant may: the assistant requests
// a grant, runs a plan, or the application itself asks.
func alwaysAsked(c *bus.Capability) bool {
	return c.Name == nameRequest || c.IsComposite() && c.Name != nameRoutineRun || c.Assistant.Only && c.Listing.Passive
}

func denied(by string) bus.Decision {
	return bus.Decision{Rule: bus.RuleDeny, By: by, Code: bus.ReasonCapabilityNotGranted}
}
