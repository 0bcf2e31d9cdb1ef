package policy

import (
	"context"
	_ "embed"
	"slices"

	"github.com/deskhand/deskhand/bus"
)

// texts describes the capabilities and their fields: see bus.Define.
//
//go:embed texts.txt
var texts string

// Capabilities returns policy.get and policy.set, grant.list, grant.create and grant.revoke, agent.requestCapability,
// and the capabilities of clients and of routines. If Log is [Shared] it adds approval.answer, policy.tryOut and
// grant.suggest. It needs the options Log and Wording, and for policy.tryOut the rules of the program.
func Capabilities(o Options) []bus.Capability {
	list := slices.Concat(policyCapabilities(o.Log), grantCapabilities(o.Log, o.Wording), clientCapabilities(o),
		routineCapabilities(o.Log, o.Wording))
	if s, shared := o.Log.(Shared); shared {
		list = append(list, answerCapability(s))
		list = append(list, tryCapabilities(o, s)...)
	}
	return list
}

type policyGetOutput struct {
	Rules    []Rule `json:"rules" jsonschema_description:"The owner's."`
	Defaults []Rule `json:"defaults"`
}

type policySetInput struct {
	Rules []Rule `json:"rules" jsonschema:"maxItems=500"`
}

// defaults lists the rule of each class that applies if there is no other rule.
func defaults() []Rule {
	return []Rule{{Class: bus.Pure, Rule: bus.RuleAllow}, {Class: bus.UIOnly, Rule: bus.RuleAllow},
		{Class: bus.Network, Rule: bus.RuleConfirm}, {Class: bus.Destructive, Rule: bus.RuleConfirm}}
}

// policyCapabilities returns policy.get and policy.set.
func policyCapabilities(db Database) []bus.Capability {
	get := bus.Capability{Name: "policy.get", Texts: texts, Type: bus.TypeData,
		SideEffect: bus.Pure, Permissions: []string{"policy:read"},
		Resources: []string{"database:read"},
		Listing:   bus.Listing{Category: "assistant", Group: "policy", Routes: []string{"settings"}},
		Checks:    bus.Checks{Access: bus.Access{Agent: bus.RuleAllow}},
		Run:       bus.Run{Idempotent: true},
	}
	set := bus.Capability{Name: "policy.set", Texts: texts,
		SideEffect: bus.UIOnly, Permissions: []string{"policy:write"},
		Resources: []string{"database:write"}, Reversible: true,
		Listing: bus.Listing{Category: "assistant", Group: "policy", Routes: []string{"settings"}},
		Checks:  bus.Checks{Access: bus.Access{Agent: bus.RuleDeny}},
		Run:     bus.Run{Idempotent: true}}
	return []bus.Capability{
		bus.Define(get, func(ctx context.Context, _ *bus.Call, _ struct{}) (policyGetOutput, error) {
			list, err := storedRules(ctx, db)
			return policyGetOutput{list, defaults()}, err
		}),
		bus.Define(set, func(ctx context.Context, call *bus.Call, in policySetInput) (policySetInput, error) {
			for i, r := range in.Rules {
				if err := checkRule(call, r, in.Rules[:i]); err != nil {
					return in, err
				}
			}
			return in, setRules(ctx, db, call, in.Rules)
		}),
	}
}

// checkRule refuses a rule without effect, such as a second one for the same subject.
func checkRule(call *bus.Call, r Rule, before []Rule) error {
	if (r.Capability == "") == (r.Class == "") {
		return bus.Errorf(bus.Validation, bus.ReasonArguments, "A rule is for a capability or for a class.").
			WithHint("Name one of the two.")
	}
	if slices.ContainsFunc(before, func(other Rule) bool { return other.subject() == r.subject() }) {
		return bus.Errorf(bus.Validation, bus.ReasonArguments, "There are two rules for %s.", r.Capability+string(r.Class)).
			WithHint("Keep one of them.")
	}
	if r.Capability == "" {
		if r.Rule == bus.RuleAllow && r.Class != bus.Pure && r.Class != bus.UIOnly {
			return needsGrant("Everything that is " + string(r.Class))
		}
		return nil
	}
	c, known := call.Lookup(r.Capability)
	switch {
	case !known:
		return noCapability(r.Capability)
	case r.Rule != bus.RuleDeny && c.Checks.Access.Agent == bus.RuleDeny:
		return bus.Errorf(bus.Validation, bus.ReasonArguments, "%s is for people only.", c.Title)
	case r.Rule == bus.RuleAllow && (!isLocal(c) || alwaysAsked(c)):
		return needsGrant(c.Title)
	}
	return nil
}

func needsGrant(what string) error {
	return bus.Errorf(bus.Validation, bus.ReasonArguments, "%s is confirmed by a person: no rule can allow it.", what).
		WithHint("Give the assistant a grant with bounds by grant.create.")
}

// setRules replaces the stored rules with want.
func setRules(ctx context.Context, db Database, call *bus.Call, want []Rule) error {
	have, err := storedRules(ctx, db)
	if err != nil {
		return err
	}
	changed := 0
	for _, r := range have {
		if slices.ContainsFunc(want, func(w Rule) bool { return w.subject() == r.subject() }) {
			continue
		}
		changed++
		if err := db.Exec(ctx, `DELETE FROM assistant_rules WHERE subject = $1`, r.subject()); err != nil {
			return err
		}
	}
	for _, r := range want {
		if slices.Contains(have, r) {
			continue
		}
		changed++
		if err := db.Exec(ctx, `INSERT INTO assistant_rules (subject, rule) VALUES ($1, $2)
			ON CONFLICT (subject) DO UPDATE SET rule = excluded.rule`, r.subject(), string(r.Rule)); err != nil {
			return err
		}
	}
	call.Summarize("Change %d of the rules for the assistant; %d are set", changed, len(want))
	call.Announce("policy", bus.Textf("What the assistant may do was changed."))
	return nil
}
