package bus

import (
	"context"
	"encoding/json"
	"slices"
	"time"
)

// SideEffect classifies the effects of a capability. Policy reads it, and the bus chooses the form of the journal entry
// by it.
type SideEffect string

// The four classes, from harmless to irreversible.
const (
	Pure        SideEffect = "pure"        // reads only; may be called speculatively
	UIOnly      SideEffect = "ui-only"     // local and reversible
	Network     SideEffect = "network"     // reaches other computers
	Destructive SideEffect = "destructive" // cannot be undone, or moves money
)

// Type is the kind of a capability.
type Type string

// The capability types.
const (
	TypeAction  Type = "action"  // an operation (the default)
	TypeData    Type = "data"    // a collection or an item
	TypeState   Type = "state"   // a condition that can be read
	TypeControl Type = "control" // a setting: the manifest carries its current value
	TypeStatus  Type = "status"  // a passive indicator
)

// Rule is the access of a kind of caller to a capability.
type Rule string

// The access rules.
const (
	RuleAllow   Rule = "allowed"
	RuleConfirm Rule = "confirmation_required"
	RuleDeny    Rule = "forbidden"
)

// Access holds the rule for each kind of caller. User covers ui, cli, schedule and test. Empty means that a User is
// allowed and that policy decides about an Agent.
type Access struct {
	User  Rule `json:"user,omitempty"`
	Agent Rule `json:"agent,omitempty"`
}

// of returns the rule for a kind of caller.
func (a Access) of(caller CallerType) Rule {
	if caller == CallerAgent {
		return a.Agent
	}
	return a.User
}

// Precondition is a named check on arguments and state. It runs before a person is asked and again inside the
// transaction.
type Precondition struct {
	Name    string `json:"name"`
	Message string `json:"message"` // the message of the result when Check returns ErrUnmet
	// The hint, unless Check returns one; domain.verb is the name of a capability.
	Hint  string                                      `json:"recovery_hint"`
	Check func(ctx context.Context, call *Call) error `json:"-"` // returns nil if met
}

// Concurrency determines which calls may overlap: Concurrent, Exclusive, or the name of a group of capabilities of
// which one call runs at a time. The name alone identifies a group.
type Concurrency string

// The concurrencies without a group.
const (
	Concurrent Concurrency = "concurrent" // calls may overlap (the default)
	Exclusive  Concurrency = "exclusive"  // excludes only itself
)

// RateLimit is a token bucket: Requests per Period, at most Burst at once (0: Requests).
type RateLimit struct {
	Requests int           `json:"requests"`
	Period   time.Duration `json:"-"`
	Burst    int           `json:"burst,omitempty"`
}

// RetryPolicy sets the number and delay of retries after a TRANSIENT failure. Its JSON has milliseconds.
type RetryPolicy struct {
	MaxAttempts       int
	InitialDelay      time.Duration
	BackoffMultiplier float64
	MaxDelay          time.Duration // 0: no limit
	RetryOn           []Reason      // empty: every TRANSIENT reason but cancelled
}

// handler is the type of [Capability.Handler].
type handler = func(ctx context.Context, call *Call) (json.RawMessage, error)

// Capability defines an action of the application. Fill it in, give it a Handler (or use [Define]) and register it; do
// not change it afterwards. Name, Title, Description, SideEffect and Handler are required. The zero value of every
// other field suits a local action without restrictions.
type Capability struct {
	Name        string // domain.verb: letters, digits, "_" and dots between
	Title       string // short, for buttons and cards
	Help        string // a short sentence for people who look for it; "" if the Title is enough
	Description string // purpose and limits; for models, and for people who want details
	Texts       string // the source of Title, Help, Description, Phrases and descriptions of fields for Define
	Version     string // semver of this capability; default "1.0.0"
	Since       string // application version that introduced it
	Type        Type   // default TypeAction

	// JSON Schema 2020-12. nil disables validation, except that Register infers the schemas of Define.
	InputSchema, OutputSchema json.RawMessage

	SideEffect  SideEffect // required
	Permissions []string   // required scopes ("note:write") and named conditions ("pad.open")
	// Resources lists the resources that the handler may use: database:read (without it, it cannot read),
	// database:write (which gives it a transaction, also for reading), network:read, network:write, filesystem:read,
	// filesystem:write, secrets:read, compute:execute.
	Resources  []string
	Facts      []string // names of the facts that the handler states
	Entities   []Entity // the kinds of records that it lists
	Reversible bool     // its effects can be undone

	// Changes lists the domains of state that calls may change; [Call.Changed] fails for any other. Provides lists the
	// domains that the output depends on; a change in one of them makes the output stale. "*" is every domain. nil
	// stands for the first part of the name: in Changes unless the capability is pure (every domain, if it is
	// composite), in Provides if it is pure.
	Changes, Provides []string

	Listing   Listing   // its position in menus and lists
	Checks    Checks    // conditions for an invocation by this caller at this moment
	Run       Run       // the parameters of its execution
	Assistant Assistant // the rights of a model

	// Handler implements the capability: validated arguments in, output or a coded error out. It uses only its
	// transaction (or, for Network, its single step outside, with a read snapshot). It never calls the bus. Time, ids
	// and randomness come from call.
	Handler func(ctx context.Context, call *Call) (json.RawMessage, error)

	plan      bool                      // plan.propose or plan.repeat
	merges    bool                      // it is a Merge
	standsFor standsFor                 // of a StandIn
	ofSteps   bool                      // of a PlanOf
	wrong     error                     // the error of Define
	of        struct{ in, out defined } // by Define
}

// Listing determines the places that show a capability, and the ways to find it. The bus does not enforce it: it is
// advice to palettes, pages and models. The exception is Public, without which a person who is not signed in cannot
// find it. The schemas show whether a capability is a list: with the field cursor in its input and nextCursor in its
// output it is paginated. In such a list the field query or text contains search words, sort is its order, and the
// other optional fields are filters.
type Listing struct {
	Category string // default: the first part of the name
	Group    string // a heading for it in long lists
	Tags     []string
	Routes   []string // its pages; empty: everywhere
	Shortcut string   // e.g. "F9"
	Next     []string // capabilities that people use after it, the likeliest first
	Passive  bool     // shown but not invoked: in no palette, tool list or next action
	Public   bool     // listed even without a signed-in person

	RefreshEvery time.Duration                                      // interval for polling a status; 0: at events
	Current      func(ctx context.Context, call *Call) (any, error) // a control's current value
}

// Checks determine whether a capability may be invoked now, by this caller and with these arguments.
type Checks struct {
	Access        Access
	Preconditions []Precondition // checked in this order
	Requires      []string       // pure capabilities that must succeed, without "ok": false, for this to be available
	// Available returns the reason why the capability cannot be invoked now, or nil. It depends on the state of the
	// journal's data, the person and the clock, never on arguments. It runs on every invocation. A manifest may cache
	// the result until a change through the bus or in the journal, for at most a minute. Errors are as for a
	// [Precondition]: coded, or [ErrUnmet].
	Available func(ctx context.Context, call *Call) error
	Limit     func(ctx context.Context, call *Call) error // limits that depend on the arguments; part of authorisation
}

// Run holds the parameters of a capability's execution.
type Run struct {
	Concurrency Concurrency // default Concurrent
	QueueDepth  int         // waiting calls of the group; the next one gets CONFLICT
	RateLimit   *RateLimit
	Timeout     time.Duration // of one attempt; default 30 s
	Retry       *RetryPolicy
	Idempotent  bool // may be repeated without a key
	KeepResult  bool // its idempotency results never expire
	Background  bool // long work: progress events, its one result at the end
	Bulk        bool // changes so many rows that its record has counts and a digest instead of effects
	Unrecorded  bool // its output is part of the log, so its record omits it

	CostEstimate map[string]string // decimal strings, repeated in the result
	// The place of execution: "local" (default), "client" (only the called program: its pages and session, without
	// events for other programs on the journal) or "remote".
	ExecutionContext string
	Location         string // only copied to the manifest

	// Prepare does slow work that changes nothing, such as reading and decoding a file. It runs before the transaction
	// so that other writers need not wait, once for the preview and all attempts, with a read snapshot. The handler
	// gets its result or error from [Call.Prepared]. In a plan, whose steps share one transaction, it runs within that
	// transaction. It applies only to database:write.
	Prepare func(ctx context.Context, call *Call) (any, error)

	// Preview describes, in any form, a step that cannot be rolled back. It is required for Network, and allowed for
	// UIOnly without database:write (a file). It only reads, and sets the card's sentence with [Call.Summarize]. In all
	// other cases the handler itself produces the preview.
	Preview func(ctx context.Context, call *Call) (json.RawMessage, error)
}

// Assistant holds the rights of a model. Policy and [Access.Agent] determine whether a person must confirm.
type Assistant struct {
	Hidden    bool     // hidden from agents: agent_visible false in the manifest
	Only      bool     // refused to people
	Form      bool     // an agent that may not call it may open its form, filled in, for a person to submit
	Grantable []string // facts and fields for the limits of a standing grant; empty: if destructive, never grantable
	// Phrases are example sentences with {slots} named after input fields. (one|other) matches either and shows the
	// first. {-number} subtracts the number.
	Phrases []string
}

// IsPlan reports whether the output contains the steps of a plan: plan.propose and plan.repeat of [Capabilities], and
// [PlanOf].
func (c *Capability) IsPlan() bool { return c.plan || c.ofSteps }

// IsComposite reports whether it calls other capabilities, which are authorised separately: a plan, or a [StandIn].
func (c *Capability) IsComposite() bool { return c.plan || c.standsFor != nil }

// writes reports whether the handler gets a transaction.
func (c *Capability) writes() bool { return slices.Contains(c.Resources, "database:write") }

type noDatabaseKey struct{}

// within returns the context of the handler. It blocks the database unless the capability's resources include it.
func (c *Capability) within(ctx context.Context) context.Context {
	if c.writes() || slices.Contains(c.Resources, "database:read") {
		return ctx
	}
	return context.WithValue(ctx, noDatabaseKey{}, true)
}

// forOthers returns the context of checks and look-ups that a handler asks for. They may read the database.
func forOthers(ctx context.Context) context.Context {
	return context.WithValue(ctx, noDatabaseKey{}, false)
}

// handle runs the handler within its resources.
func (c *Capability) handle(ctx context.Context, call *Call) (json.RawMessage, error) {
	return c.Handler(c.within(ctx), call)
}

// NoDatabase reports whether ctx belongs to a handler whose [Capability.Resources] include neither database:read nor
// database:write. A [Journal] must refuse its reads.
func NoDatabase(ctx context.Context) bool { return ctx.Value(noDatabaseKey{}) == true }
