package policy

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/deskhand/deskhand/bus"
)

// Options configure a Policy. The zero value has no way to ask a person, so it refuses each call that needs one.
type Options struct {
	Clock   func() time.Time // default time.Now
	Rand    io.Reader        // for approval ids; default crypto/rand
	Timeout time.Duration    // how long a card stays open; default 5 minutes

	// OnCard shows a card when it opens and removes it when it closes; [Policy.Decide] takes the answer. The goroutine
	// that waits for the answer calls it, or the goroutine of [Policy.Watch]. With neither OnCard nor Ask the policy
	// cannot ask a person.
	OnCard func(CardEvent)

	// Ask shows a card and returns the answer, for example at a terminal. The goroutine of the call runs it, for one
	// card at a time. The answer may lack ApprovalID, By and Who; then it counts as that of the person who made the
	// call, with their rights. After an error the policy refuses the call with the reason that no person could be
	// asked. A model can lead a person to type "yes" before the card appears, so Ask must drop earlier input or accept
	// only a word that the card shows.
	Ask func(ctx context.Context, c Card) (Answer, error)

	// Caller is the caller type in the records of answers and of the grants that answers create; default bus.CallerUI.
	Caller bus.CallerType

	// Fixed answers every card without showing it: "allow" or "deny". A command line that runs without a person sets
	// it. Default: ask.
	Fixed       bus.Answer
	FixedReason string // for Fixed "deny": the reason in the record
	Copy        bool   // Fixed is for a copy of the data: it does not answer for network calls

	// Log stores the owner's rules and grants in the tables of agent.Modules. A [Shared] log, such as an [audit.Log],
	// also stores the open cards, so that every program on it can show and answer them. nil: there are no rules and no
	// grants, and only this program can answer its cards.
	Log Database

	// Colleagues lists the people of the installation with their rights, those with the fewest rights first. The field
	// Authentication names the method by which each person can prove their identity at a card; it is empty for a person
	// without one. The caller holds a snapshot, or the transaction of an effect. nil: there is no second approver.
	Colleagues func(ctx context.Context) ([]bus.Principal, error)

	// VerifyPIN checks a PIN and returns its person. It counts failures, delays after them, and
	// records each without the PIN. nil: no PIN is accepted.
	VerifyPIN func(ctx context.Context, proof PINCheck) (bus.Principal, error)

	// ClientCommand returns two command lines, each as a list of words: the one that starts this program for an
	// enrolled client, and the one that writes the first into the settings of another program. nil: assistant.clients
	// shows none.
	ClientCommand func(client string) (start, install []string)

	// Wording supplies the application's names for the sentences about grants.
	Wording Wording

	// Classes and Capabilities override the defaults for agents. Deny always wins.
	Classes      map[bus.SideEffect]bus.Rule
	Capabilities map[string]bus.Rule
}

var (
	_ bus.Approver       = (*Policy)(nil)
	_ bus.SecondApprover = (*Policy)(nil)
)

// Policy applies the rules to an agent's calls and asks a person to confirm the others. It implements bus.Approver and
// is safe for concurrent use.
type Policy struct {
	o      Options
	shared Shared // the log, if it is shared

	bus atomic.Pointer[bus.Bus] // creates grants for answers; set by [Policy.Attach]

	asking sync.Mutex // held while Ask is called

	mu     sync.Mutex   // guards the rest
	open   []*pending   // oldest first
	closed []closedCard // the latest, oldest first
}

// maxClosed is the number of answered cards in memory. It lets the policy tell a late answer from an invented id.
const maxClosed = 1024

var _ bus.Approver = (*Policy)(nil)

// New makes a policy. It panics on an unknown rule.
func New(o Options) *Policy {
	if o.Clock == nil {
		o.Clock = time.Now
	}
	o.Rand, o.Timeout = cmp.Or(o.Rand, rand.Reader), cmp.Or(o.Timeout, 5*time.Minute)
	o.Caller = cmp.Or(o.Caller, bus.CallerUI)
	for class, rule := range o.Classes {
		mustBeRule("class "+string(class), rule)
	}
	for name, rule := range o.Capabilities {
		mustBeRule("capability "+name, rule)
	}
	shared, _ := o.Log.(Shared)
	return &Policy{o: o, shared: shared}
}

// mustBeRule panics on an unknown rule.
func mustBeRule(what string, rule bus.Rule) {
	if !slices.Contains(strictness, rule) {
		panic(fmt.Sprintf("agent: policy for %s: %q is not one of allowed, confirmation_required, forbidden", what, rule))
	}
}

// Authorize implements bus.Approver: it applies the rules of the program, of the owner and of the capability
// definitions.
func (p *Policy) Authorize(ctx context.Context, req *bus.ApprovalRequest) (bus.Decision, error) {
	switch verdict := ctx.Value(verdictKey{}).(type) {
	case error:
		return bus.Decision{}, verdict
	case bus.Decision:
		return verdict, nil
	}
	if err := withinAutonomy(ctx, req.Capability); err != nil {
		return bus.Decision{}, err
	}
	r, err := p.o.rules(ctx)
	if err != nil {
		return bus.Decision{}, err
	}
	return r.decide(req.Capability), nil
}

type verdictKey struct{}

// Refuse returns a context in which the policy refuses every call of an agent with why. The log records each refusal.
func Refuse(ctx context.Context, why *bus.Error) context.Context {
	return context.WithValue(ctx, verdictKey{}, error(why))
}

// Bookkeeping returns a context for a bridge's calls that record its own work. The policy allows them without a rule.
func Bookkeeping(ctx context.Context) context.Context {
	return context.WithValue(ctx, verdictKey{}, bus.Decision{Rule: bus.RuleAllow, By: "access"})
}

// Ask returns a context in which every call of an agent waits for a card, regardless of the rules.
func Ask(ctx context.Context) context.Context {
	return context.WithValue(ctx, verdictKey{}, bus.Decision{Rule: bus.RuleConfirm, By: "review"})
}

// GrantStatus returns the status of a capability for an agent, as [bus.Approver] describes.
func (p *Policy) GrantStatus(ctx context.Context, c *bus.Capability, who bus.Principal) (string, error) {
	d, err := p.Authorize(ctx, &bus.ApprovalRequest{Capability: c,
		Invocation: bus.Invocation{Capability: c.Name, Principal: who,
			Caller: bus.Caller{Type: bus.CallerAgent}}})
	if e, refused := errors.AsType[*bus.Error](err); refused && e.Code == bus.Forbidden {
		return string(bus.RuleDeny), nil
	}
	switch d.Rule {
	case bus.RuleAllow:
		return "granted", nil
	case bus.RuleConfirm:
		if provenanceOf(ctx).Autonomy() == AskFirst {
			return string(bus.RuleConfirm), nil
		}
		status, err := p.grantStatus(ctx, c, who)
		return cmp.Or(status, string(bus.RuleConfirm)), err
	}
	return string(bus.RuleDeny), err
}
