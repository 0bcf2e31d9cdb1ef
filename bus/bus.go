package bus

import (
	"context"
	"crypto/rand"
	"fmt"
	"log/slog"
	"regexp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/google/uuid"
)

// Options configure a Bus. Only Journal is required.
type Options struct {
	Journal       Journal
	Approver      Approver // nil: access rules alone, and nobody to ask
	Name, Version string   // of the application, for the manifest
	// Conditions are the named states of the world that capabilities may require,
	// all they name: nil when it is met, else an error that says why not.
	Conditions        map[string]func(ctx context.Context, call *Call) error
	Clock             func() time.Time // default time.Now
	Seed              func() []byte    // an id seed per invocation; default 16 random bytes
	NewRequestID      func() string    // default UUID v7
	Logger            *slog.Logger     // default slog.Default
	IdempotencyWindow time.Duration    // default 30 days
	// CompileLate has schemas compiled when they are first needed and not when they are
	// registered, which is most of what starting a large application costs. It is for
	// those whose tests register the same capabilities without it: a schema that cannot
	// be compiled then refuses every value.
	CompileLate bool
}

// Bus is the one door to everything the application can do. It is safe for
// concurrent use.
type Bus struct {
	o      Options
	events *feed
	secret [32]byte // of this bus alone, for digests of secrets

	mu       sync.RWMutex // guards caps
	caps     map[string]*registered
	listed   atomic.Pointer[listing] // the same by name; replaced by Register under mu
	states   stateCache
	changes  atomic.Uint64 // counts the invocations that may have changed something
	running  tracker
	flights  flights
	decoders decoders
	slots    slots
}

// registered is a capability with everything derivable resolved.
type registered struct {
	Capability
	in, out *schema
	rate    *bucket
	entry   ManifestEntry // its part of a manifest, but for the present state
	json    entryJSON     // the same, encoded
	tokens  int           // about what its tool definition costs a model
}

// New makes a bus. It panics when there is no journal: nothing may run unrecorded.
func New(o Options) *Bus {
	if o.Journal == nil {
		panic("bus: New needs Options.Journal")
	}
	if o.Clock == nil {
		o.Clock = time.Now
	}
	if o.Seed == nil {
		o.Seed = func() []byte {
			b := make([]byte, 16)
			_, _ = rand.Read(b) // never fails: crypto/rand aborts the program instead
			return b
		}
	}
	if o.NewRequestID == nil {
		o.NewRequestID = func() string { return "req_" + uuid.Must(uuid.NewV7()).String() }
	}
	if o.Logger == nil {
		o.Logger = slog.Default()
	}
	if o.IdempotencyWindow == 0 {
		o.IdempotencyWindow = 30 * 24 * time.Hour
	}
	b := &Bus{o: o, events: newFeed(), caps: map[string]*registered{}}
	_, _ = rand.Read(b.secret[:])
	b.listed.Store(newListing(b.caps))
	return b
}

// Options are what b was made with, defaults filled in: to make another bus like
// it, on the same journal, around the same [Bus.Capabilities]. Package bustest
// does so to watch from inside.
func (b *Bus) Options() Options { return b.o }

// MustRegister is Register for start-up: it panics with what is wrong.
func (b *Bus) MustRegister(caps ...Capability) {
	if err := b.Register(caps...); err != nil {
		panic("bus: " + err.Error())
	}
}

// Register adds capabilities: all of them, or none and an error that says which
// one is wrong and how.
func (b *Bus) Register(caps ...Capability) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	added := map[string]*registered{}
	tools := map[string]string{}
	for name := range b.caps {
		tools[toolName(name)] = name
	}
	for _, c := range caps {
		r, err := b.resolve(c)
		if err != nil {
			return fmt.Errorf("capability %q: %w", c.Name, err)
		}
		if _, twice := added[c.Name]; twice || b.caps[c.Name] != nil {
			return fmt.Errorf("capability %q: registered twice", c.Name)
		}
		if other, taken := tools[toolName(c.Name)]; taken {
			return fmt.Errorf("capability %q: its tool name collides with %q", c.Name, other)
		}
		tools[toolName(c.Name)] = c.Name
		added[c.Name] = r
	}
	for _, r := range added {
		for _, name := range r.Requires {
			other := added[name]
			if other == nil {
				other = b.caps[name]
			}
			if other == nil || other.SideEffect != Pure {
				return fmt.Errorf("capability %q: requires %q, which is not a registered pure capability", r.Name, name)
			}
		}
	}
	for name, r := range added {
		b.caps[name] = r
	}
	b.listed.Store(newListing(b.caps))
	return nil
}

var (
	nameForm  = regexp.MustCompile(`^[A-Za-z0-9_]+(\.[A-Za-z0-9_]+)+$`)
	scopeForm = regexp.MustCompile(`^[A-Za-z0-9_]+:[A-Za-z0-9_]+$`)
)

const (
	longestName    = 64 // how long tool names may be at common endpoints
	defaultTimeout = 30 * time.Second
	defaultVersion = "1.0.0"
)

// resources are what a handler may be given to touch. One that is misspelt would
// silently be none.
var resources = []string{"database:read", "database:write", "network:read", "network:write",
	"filesystem:read", "filesystem:write", "secrets:read", "compute:execute"}

// resolve checks a definition and compiles what it carries.
func (b *Bus) resolve(c Capability) (*registered, error) {
	switch {
	case !nameForm.MatchString(c.Name) || len(c.Name) > longestName:
		return nil, fmt.Errorf("the name must be domain.verb of letters, digits and _ (at most %d)", longestName)
	case c.Title == "":
		return nil, fmt.Errorf("it has no title")
	case c.Description == "":
		return nil, fmt.Errorf("it has no description")
	case c.Handler == nil:
		return nil, fmt.Errorf("it has no handler")
	}
	switch c.SideEffect {
	case Pure, UIOnly, Network, Destructive:
	default:
		return nil, fmt.Errorf("side effect %q is not one of pure, ui-only, network, destructive", c.SideEffect)
	}
	switch c.Type {
	case "", TypeAction, TypeData, TypeState, TypeControl, TypeStatus:
	default:
		return nil, fmt.Errorf("type %q is not one of action, data, state, control, status", c.Type)
	}
	if c.QueueDepth != 0 && c.Concurrency == "" {
		return nil, fmt.Errorf("it has a queue depth, and nothing to queue for: it may overlap")
	}
	for i, p := range c.Preconditions {
		if slices.ContainsFunc(c.Preconditions[:i], func(q Precondition) bool { return q.Name == p.Name }) {
			return nil, fmt.Errorf("it has two preconditions called %q", p.Name)
		}
	}
	for _, name := range c.Resources {
		if !slices.Contains(resources, name) {
			return nil, fmt.Errorf("resource %q is not one of %s", name, strings.Join(resources, ", "))
		}
	}
	if c.SideEffect == Pure && c.writes() {
		return nil, fmt.Errorf("a pure capability cannot have database:write")
	}
	if c.SideEffect == Network && c.writes() {
		return nil, fmt.Errorf("a network capability runs outside the transaction and cannot have database:write")
	}
	switch outside := c.SideEffect == UIOnly && !c.writes(); {
	case c.SideEffect == Network && c.Preview == nil:
		return nil, fmt.Errorf("a network capability has a Preview of its own")
	case c.Preview != nil && c.SideEffect != Network && !outside:
		return nil, fmt.Errorf("only what reaches beyond the database has a Preview of its own")
	}
	if c.Type == "" {
		c.Type = TypeAction
	}
	if c.Version == "" {
		c.Version = defaultVersion
	}
	if c.Timeout == 0 {
		c.Timeout = defaultTimeout
	}
	if c.ExecutionContext == "" {
		c.ExecutionContext = "local"
	}
	for _, p := range c.Permissions {
		if strings.Contains(p, ":") {
			if !scopeForm.MatchString(p) {
				return nil, fmt.Errorf("scope %q is not domain:action", p)
			}
		} else if b.o.Conditions[p] == nil {
			return nil, fmt.Errorf("condition %q is not defined", p)
		}
	}
	for _, rule := range []Rule{c.Access.User, c.Access.Agent} {
		switch rule {
		case "", RuleAllow, RuleConfirm, RuleDeny:
		default:
			return nil, fmt.Errorf("access rule %q is not one of allowed, confirmation_required, forbidden", rule)
		}
	}
	r := &registered{Capability: c}
	var err error
	compile := compileSchema
	if b.o.CompileLate {
		compile = readSchema
	}
	if r.in, err = compile(c.InputSchema); err != nil {
		return nil, fmt.Errorf("input schema: %w", err)
	}
	if r.out, err = compile(c.OutputSchema); err != nil {
		return nil, fmt.Errorf("output schema: %w", err)
	}
	if c.RateLimit != nil {
		if r.rate, err = newBucket(*c.RateLimit); err != nil {
			return nil, err
		}
	}
	if err := r.prepare(); err != nil {
		return nil, err
	}
	return r, nil
}

// Lookup finds a capability by name.
func (b *Bus) Lookup(name string) (*Capability, bool) {
	r := b.find(name)
	if r == nil {
		return nil, false
	}
	return &r.Capability, true
}

// Capabilities lists all capabilities by name.
func (b *Bus) Capabilities() []*Capability {
	all := b.listed.Load().caps
	list := make([]*Capability, len(all))
	for i, r := range all {
		list[i] = &r.Capability
	}
	return list
}

func (b *Bus) find(name string) *registered {
	b.mu.RLock()
	defer b.mu.RUnlock()
	return b.caps[name]
}

// Cancel ends the running invocation with this request id. It reports whether
// there was one; its result is TRANSIENT, reason cancelled, unless it was
// already being committed.
func (b *Bus) Cancel(requestID string) bool { return b.running.cancel(requestID) }

// Close cancels what is running, refuses what comes, and returns when everything
// has its result and its record, or with ctx's error. Subscriptions end after the
// last event. Close it before its journal.
func (b *Bus) Close(ctx context.Context) error {
	select {
	case <-b.running.close():
		b.events.end()
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Subscribe delivers every event from now on, in order.
func (b *Bus) Subscribe() *Subscription { return b.events.subscribe() }
