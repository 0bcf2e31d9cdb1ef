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

// Options configure a Policy. The zero value cannot ask: a call that needs a person is refused.
type Options struct {
	Clock   func() time.Time // default time.Now
	Rand    io.Reader        // for approval ids; default crypto/rand
	Timeout time.Duration    // how long a card stays open; default 5 minutes

	// OnCard shows a card and takes it away again; the answer comes by [Policy.Decide]. It is called by the goroutine
	// that waits for the answer, or by that of [Policy.Watch]. With neither OnCard nor Ask there is nobody to ask.
	OnCard func(CardEvent)

	// Ask shows a card and returns the answer, as at a terminal: one card at a time, by the goroutine of the call. The
	// answer is that of the person whose call it is, with their rights, unless it names another: ApprovalID, By and Who
	// may be empty. After an error the call is refused because no person could be asked. A model can have a person type
	// a yes before its card: Ask must drop earlier input, or take only a word that the card shows.
	Ask func(ctx context.Context, c Card) (Answer, error)

	// Caller is the kind of caller that an answer is recorded with, and the grant it gives; default bus.CallerUI.
	Caller bus.CallerType

	// Fixed answers every card without showing it: "allow" or "deny". It is how a
	// command line without a person at it says what it wants. Default: ask.
	Fixed bus.Answer
	Copy  bool // Fixed is for a copy of the data: it does not answer for what reaches outside

	// Log has the owner's rules and grants, in the tables of agent.Modules, and, if it is [Shared], the cards that
	// wait: every program on it can show and answer them. An [audit.Log] is. nil: there are no rules and grants, and
	// cards are answered in this program.
	Log Database

	// Colleagues lists the people of the place with their rights, those with the fewest first; Authentication is how
	// each can prove who they are at a card, "" for who cannot. It is asked inside a snapshot, or the transaction of an
	// effect. nil: there is no second approver.
	Colleagues func(ctx context.Context) ([]bus.Principal, error)

	// VerifyPIN checks a PIN and returns the person it belongs to. It counts and delays
	// failures, and records each without the PIN. nil: no PIN is accepted.
	VerifyPIN func(ctx context.Context, proof PINCheck) (bus.Principal, error)

	// ClientCommand is how an enrolled client starts this program, and what writes that into the settings of a program,
	// as words of command lines. nil: they are not told.
	ClientCommand func(client string) (start, install []string)

	// Wording is for what a card offers to grant, in words.
	Wording Wording

	// Classes and Capabilities override the defaults for agents. Deny always wins.
	Classes      map[bus.SideEffect]bus.Rule
	Capabilities map[string]bus.Rule
}

var (
	_ bus.Approver       = (*Policy)(nil)
	_ bus.GrantTeller    = (*Policy)(nil)
	_ bus.SecondApprover = (*Policy)(nil)
)

// Policy decides what an agent may do by itself and asks a person about the
// rest. It implements bus.Approver and is safe for concurrent use.
type Policy struct {
	o      Options
	shared Shared // the log, if it is shared

	bus atomic.Pointer[bus.Bus] // to do what an answer says as well; set by [New]

	asking sync.Mutex // held while Ask is called

	mu     sync.Mutex   // guards the rest
	open   []*pending   // oldest first
	closed []closedCard // the latest, oldest first
}

// maxClosed is how many answered cards are remembered, so that a late answer can be told from an invented id.
const maxClosed = 1024

var _ bus.Approver = (*Policy)(nil)

// New makes a policy. It panics on a rule that does not exist.
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

// mustBeRule panics on a rule that does not exist.
func mustBeRule(what string, rule bus.Rule) {
	if !slices.Contains(strictness, rule) {
		panic(fmt.Sprintf("agent: policy for %s: %q is not one of allowed, confirmation_required, forbidden", what, rule))
	}
}

// Authorize implements bus.Approver: it applies the rules the program was started
// with, the owner's, and those of the definitions.
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

// Refuse makes a context in which every call of an agent is refused with an error, and recorded.
func Refuse(ctx context.Context, why *bus.Error) context.Context {
	return context.WithValue(ctx, verdictKey{}, error(why))
}

// Bookkeeping makes a context for what a bridge records of itself: no rule is asked about it.
func Bookkeeping(ctx context.Context) context.Context {
	return context.WithValue(ctx, verdictKey{}, bus.Decision{Rule: bus.RuleAllow, By: "access"})
}

// Ask returns a context in which every call of an agent waits for a card, whatever the rules say.
func Ask(ctx context.Context) context.Context {
	return context.WithValue(ctx, verdictKey{}, bus.Decision{Rule: bus.RuleConfirm, By: "review"})
}

// GrantStatus tells what an agent may expect of a call, as [bus.Approver] describes.
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
