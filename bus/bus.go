package bus

import (
	"cmp"
	"context"
	"crypto/rand"
	"log/slog"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/deskhand/deskhand/bus/internal/schema"
	"github.com/google/uuid"
)

// Options configures a Bus. Only Journal is required.
type Options struct {
	Journal       Journal
	Approver      Approver // nil: access rules alone, and no one to ask
	Name, Version string   // of the application, for the manifest
	// Conditions holds the named conditions that capabilities may require. A function returns nil if its condition is
	// met, or an error with the reason.
	Conditions        map[string]func(ctx context.Context, call *Call) error
	Clock             func() time.Time // default time.Now
	Seed              func() []byte    // id seed for each invocation; default 16 random bytes
	NewRequestID      func() string    // default UUID v7
	Logger            *slog.Logger     // default slog.Default
	IdempotencyWindow time.Duration    // default 30 days
	// CompileLate reads and compiles schemas at first use instead of at registration, which is the largest part of the
	// start-up time of a large application. The bus then neither compares the results of [Define] with their schemas
	// and tags nor calls [Bus.Check]. Use it only if tests register the same capabilities without it: a schema that
	// does not compile then refuses every value.
	CompileLate bool
}

// Bus runs all capabilities of an application. It is safe for concurrent use.
type Bus struct {
	o      Options
	events *feed
	secret [32]byte // of this bus alone, for digests of secrets

	mu       sync.Mutex              // held by Register
	checked  sync.Once               // at the first invocation
	followed sync.Once               // at the first subscription
	listed   atomic.Pointer[listing] // the registered capabilities; replaced by Register
	states   stateCache
	changes  atomic.Uint64 // number of invocations that may have changed state
	running  tracker
	flights  flights
	decoders schema.Decoders
	slots    slots
}

// New makes a bus. It panics without a journal, because every run must be recorded.
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
	o.Logger = cmp.Or(o.Logger, slog.Default())
	o.IdempotencyWindow = cmp.Or(o.IdempotencyWindow, 30*24*time.Hour)
	b := &Bus{o: o, events: newFeed()}
	_, _ = rand.Read(b.secret[:])
	b.listed.Store(newListing(nil))
	if a, wants := o.Approver.(interface{ Attach(b *Bus) }); wants {
		a.Attach(b)
	}
	return b
}

// Options returns the options of b with defaults filled in. Package bustest uses them to make another bus with the same
// journal and [Bus.Capabilities].
func (b *Bus) Options() Options { return b.o }

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

// find returns nil if there is no capability of that name.
func (b *Bus) find(name string) *registered {
	l := b.listed.Load()
	if at, known := l.at[name]; known {
		return l.caps[at]
	}
	return nil
}

// Cancel cancels the running invocation of a person with a request id, and reports whether there was one. Its result is
// TRANSIENT, reason cancelled, unless it was already being committed.
func (b *Bus) Cancel(requestID, person string) bool { return b.running.cancel(requestID, person) }

// Close cancels running invocations and refuses new ones. It returns when each has its result and its record, or with
// ctx's error. Subscriptions end after the last event. Close the bus before its journal.
func (b *Bus) Close(ctx context.Context) error {
	select {
	case <-b.running.close():
		b.events.end()
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Subscribe delivers every event from now on, in order. A [Shared] journal also delivers those of other programs.
func (b *Bus) Subscribe() *Subscription { return b.subscribe(nil) }

// SubscribeAs is Subscribe for one viewer. The viewer receives all events of invocations that they made. Of other
// people's they receive the invocations of capabilities in their manifest, and the changes of domains that are the
// category of such a capability. Notifications and progress go only to the person whose invocation caused them.
func (b *Bus) SubscribeAs(v View) *Subscription {
	return b.subscribe(func(person string, e Event) bool {
		return person != "" && person == v.Principal.ID || b.Hears(v, e)
	})
}

// Hears reports whether [Bus.SubscribeAs] delivers an event of another person to a viewer.
func (b *Bus) Hears(v View, e Event) bool {
	switch {
	case v.All || e.Type == EventMissed:
		return true
	case e.Type == EventInvocation:
		c := b.find(e.Capability)
		return c != nil && v.sees(&c.sight)
	case e.Type == EventStateChange:
		return slices.ContainsFunc(b.listed.Load().caps, func(c *registered) bool {
			return c.Listing.Category == e.Domain && v.sees(&c.sight)
		})
	}
	return false
}

func (b *Bus) subscribe(hears func(person string, e Event) bool) *Subscription {
	s := b.events.subscribe(hears)
	b.followed.Do(func() { go b.follow() })
	return s
}
