package bus

import (
	"context"
	"encoding/json"
	"slices"
	"time"
)

// SideEffect classifies what a capability does to the world. Policy reads it; the
// bus decides by it how a call is journalled.
type SideEffect string

// The four classes, from harmless to irreversible.
const (
	Pure        SideEffect = "pure"        // reads only; may be called speculatively
	UIOnly      SideEffect = "ui-only"     // local and reversible
	Network     SideEffect = "network"     // reaches outside
	Destructive SideEffect = "destructive" // cannot be taken back, or moves money
)

// Type is what kind of thing a capability is.
type Type string

// The capability types.
const (
	TypeAction  Type = "action"  // an operation (the default)
	TypeData    Type = "data"    // a collection or an item
	TypeState   Type = "state"   // a condition that can be read
	TypeControl Type = "control" // a setting: the manifest carries its current value
	TypeStatus  Type = "status"  // a passive indicator
)

// Rule is what a caller kind may do with a capability.
type Rule string

// The access rules.
const (
	RuleAllow   Rule = "allowed"
	RuleConfirm Rule = "confirmation_required"
	RuleDeny    Rule = "forbidden"
)

// Access holds the rule per caller kind. User covers ui, cli, schedule and test. Empty means: User allowed; Agent left
// to policy.
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

// Precondition is a named check on arguments and state, run before a person is asked and again inside the transaction.
type Precondition struct {
	Name    string `json:"name"`
	Message string `json:"message"` // answered when Check returns ErrUnmet
	// The way out, unless Check gives one; domain.verb is the name of a capability.
	Hint  string                                      `json:"recovery_hint"`
	Check func(ctx context.Context, call *Call) error `json:"-"` // nil when it is met
}

// Concurrency says which calls may overlap: Concurrent, Exclusive, or a name for the group of capabilities of which one
// call runs at a time. Groups are found by that name alone.
type Concurrency string

// The concurrencies without a group.
const (
	Concurrent Concurrency = "concurrent" // calls may overlap (the default)
	Exclusive  Concurrency = "exclusive"  // it excludes itself only
)

// RateLimit is a token bucket: Requests per Period, at most Burst at once (0: Requests).
type RateLimit struct {
	Requests int           `json:"requests"`
	Period   time.Duration `json:"-"`
	Burst    int           `json:"burst,omitempty"`
}

// RetryPolicy says how often and how fast the bus repeats a TRANSIENT failure. Its JSON has milliseconds.
type RetryPolicy struct {
	MaxAttempts       int
	InitialDelay      time.Duration
	BackoffMultiplier float64
	MaxDelay          time.Duration // 0: no limit
	RetryOn           []Reason      // empty: every TRANSIENT reason but cancelled
}

// handler is the type of [Capability.Handler].
type handler = func(ctx context.Context, call *Call) (json.RawMessage, error)

// Capability is the definition of one thing the application can do. Fill it in, give it a Handler (or use [Define]),
// register it; from then on it is not changed. Name, Title, Description, SideEffect and Handler are required; the zero
// value of every other field is right for a local action that nothing forbids.
type Capability struct {
	Name        string // domain.verb: letters, digits, "_" and dots between
	Title       string // short, for buttons and cards
	Help        string // one short sentence for people who look for it; "": the Title says enough
	Description string // what, when and what not; for models, and for people who want to know all
	Texts       string // where Define finds Title, Help, Description, Phrases and descriptions of fields
	Version     string // semver of this capability; default "1.0.0"
	Since       string // application version that introduced it
	Type        Type   // default TypeAction

	// JSON Schema 2020-12; nil skips validation, but for what Define made: registering infers it.
	InputSchema, OutputSchema json.RawMessage

	SideEffect  SideEffect // required
	Permissions []string   // scopes ("note:write") and named conditions ("pad.open"), of which all are needed
	// Resources are what the handler may touch: database:read (else it reads nothing),
	// database:write (which gives it a transaction, to read too), network:read, network:write, filesystem:read,
	// filesystem:write, secrets:read, compute:execute.
	Resources  []string
	Facts      []string // names of the facts the handler states
	Entities   []Entity // the kinds of records it lists
	Reversible bool     // its effects can be undone

	// Changes are the domains of state that calls may change: a call of [Call.Changed] with any other fails. Provides are
	// the domains that the answer is made of: a change in one makes it stale. "*" is every domain. nil is the first part
	// of the name: of Changes unless it is pure (every domain, if it is composite), of Provides if it is.
	Changes, Provides []string

	Listing   Listing   // Where is it shown?
	Checks    Checks    // May it be invoked now, by this caller?
	Run       Run       // How is it run?
	Assistant Assistant // What may a model do with it?

	// Handler is its logic: validated arguments in, output or a coded error out. It does nothing but its transaction (or,
	// for Network, its one outside step, with a read snapshot); it never calls the bus; time, ids and randomness come
	// from call.
	Handler func(ctx context.Context, call *Call) (json.RawMessage, error)

	plan      bool                      // plan.propose or plan.repeat
	merges    bool                      // it is a Merge
	standsFor standsFor                 // of a StandIn
	ofSteps   bool                      // of a PlanOf
	wrong     error                     // what Define found wrong
	of        struct{ in, out defined } // by Define
}

// Listing says where a capability is shown and how it is found. Nothing of it is enforced: it is advice to palettes,
// pages and models, but for Public, by which a person who is not signed in finds it at all. That it is a list, and what
// it can be asked for, a manifest tells by the names of its schemas: with the field cursor in its input and nextCursor
// in its output it is paginated; then words to search for are the field query or text, sort is its order, and what else
// it does not require narrows it.
type Listing struct {
	Category string // default: the name's first part
	Group    string // a heading for it in long lists
	Tags     []string
	Routes   []string // pages it belongs to; empty: everywhere
	Shortcut string   // e.g. "F9"
	Next     []string // capabilities that people use after it, the likeliest first
	Passive  bool     // shown, not invoked: in no palette, tool list or next action
	Public   bool     // listed although nobody is signed in

	RefreshEvery time.Duration                                      // how often a status is worth asking for; 0: at events
	Current      func(ctx context.Context, call *Call) (any, error) // a control's present value
}

// Checks say whether a capability may be invoked now, by this caller and with these arguments.
type Checks struct {
	Access        Access
	Preconditions []Precondition // checked in this order
	Requires      []string       // pure capabilities that must succeed, without "ok": false, for this to be available
	// Available returns why it cannot be invoked now, nil if it can, from the state of the journal's data, the person
	// and the clock; never from arguments. It runs on every invocation; a manifest may remember the answer until
	// something is changed through the bus or in the journal, at most a minute. Errors are as of a [Precondition]:
	// coded, or [ErrUnmet].
	Available func(ctx context.Context, call *Call) error
	Limit     func(ctx context.Context, call *Call) error // limits that depend on the arguments; part of authorisation
}

// Run says how a capability is run.
type Run struct {
	Concurrency Concurrency // default Concurrent
	QueueDepth  int         // how many of the group may wait; the next one gets CONFLICT
	RateLimit   *RateLimit
	Timeout     time.Duration // of one attempt; default 30 s
	Retry       *RetryPolicy
	Idempotent  bool // may be repeated without a key
	KeepResult  bool // its idempotency results never expire
	Background  bool // long work: progress events, its one result at the end
	Bulk        bool // changes so many rows that its record keeps counts and a digest instead of effects
	Unrecorded  bool // its output is a part of the log, which each reading would repeat: the record leaves it out

	CostEstimate map[string]string // decimal strings, repeated in the result
	// Where it runs: "local" (default), "client" (the program that was called alone: its pages, its session, of which
	// other programs on the journal hear nothing) or "remote".
	ExecutionContext string
	Location         string // only carried in the manifest

	// Prepare does what would hold up other writers and changes nothing, such as reading and decoding a file: before the
	// transaction, once for all attempts and what was shown, with a read snapshot. The handler gets what it made, or its
	// error, by [Call.Prepared]. In a plan, whose steps are one transaction, it runs within that. Only for database:write.
	Prepare func(ctx context.Context, call *Call) (any, error)

	// Preview describes, in any shape, a step that cannot be rolled back: required for Network, allowed for UIOnly
	// without database:write (a file). It only reads, and sets the card's sentence by [Call.Summarize]. Every other
	// preview is the handler itself.
	Preview func(ctx context.Context, call *Call) (json.RawMessage, error)
}

// Assistant says what a model may do with a capability. Whether it is asked first is policy's to say, and
// [Access.Agent]'s.
type Assistant struct {
	Hidden    bool     // no agent finds it: agent_visible false in the manifest
	Only      bool     // refused to people
	Form      bool     // an agent that may not call it may have its form opened, filled in, for a person to submit
	Grantable []string // facts and fields a standing grant may be bound to; empty: if destructive, never grantable
	// Phrases are example sentences with {slots} named after input fields;
	// (one|other) stands for either, the first is shown, and {-number} takes it away.
	Phrases []string
}

// IsPlan reports whether its output has the steps of a plan: plan.propose and plan.repeat of [Capabilities], [PlanOf].
func (c *Capability) IsPlan() bool { return c.plan || c.ofSteps }

// IsComposite reports whether it does what other capabilities do, judged as those are: a plan, or a [StandIn].
func (c *Capability) IsComposite() bool { return c.plan || c.standsFor != nil }

// writes reports whether the handler is given a transaction.
func (c *Capability) writes() bool { return slices.Contains(c.Resources, "database:write") }

type noDatabaseKey struct{}

// within is the context of the handler: the database is out of reach unless its resources name it.
func (c *Capability) within(ctx context.Context) context.Context {
	if c.writes() || slices.Contains(c.Resources, "database:read") {
		return ctx
	}
	return context.WithValue(ctx, noDatabaseKey{}, true)
}

// handle runs the handler within its resources.
func (c *Capability) handle(ctx context.Context, call *Call) (json.RawMessage, error) {
	return c.Handler(c.within(ctx), call)
}

// NoDatabase reports whether ctx is that of a handler whose [Capability.Resources] name neither database:read nor
// database:write: a [Journal] lets it read nothing.
func NoDatabase(ctx context.Context) bool { return ctx.Value(noDatabaseKey{}) != nil }
