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

// Options configure a Bus. Only Journal is required.
type Options struct {
	Journal       Journal
	Approver      Approver // nil: access rules alone, and no one to ask
	Name, Version string   // of the application, for the manifest
	// Conditions are the named states of the world that capabilities may require,
	// all they name: nil when it is met, else an error that says why not.
	Conditions        map[string]func(ctx context.Context, call *Call) error
	Clock             func() time.Time // default time.Now
	Seed              func() []byte    // an id seed per invocation; default 16 random bytes
	NewRequestID      func() string    // default UUID v7
	Logger            *slog.Logger     // default slog.Default
	IdempotencyWindow time.Duration    // default 30 days
	// CompileLate reads and compiles schemas when they are first needed and not at registration, which is most of the
	// cost of starting a large application. What [Define] made is not compared with its schemas and tags, and [Bus.Check]
	// not called. Use it only if tests register the same capabilities without it: a schema that cannot be compiled then
	// refuses every value.
	CompileLate bool
}

// Bus is the one door to everything the application can do. It is safe for concurrent use.
type Bus struct {
	o      Options
	events *feed
	secret [32]byte // of this bus alone, for digests of secrets

	mu       sync.Mutex              // held by Register
	checked  sync.Once               // at the first invocation
	followed sync.Once               // at the first subscription
	listed   atomic.Pointer[listing] // what is registered; replaced by Register
	states   stateCache
	changes  atomic.Uint64 // counts the invocations that may have changed something
	running  tracker
	flights  flights
	decoders schema.Decoders
	slots    slots
}

// New makes a bus. It panics if there is no journal: nothing may run unrecorded.
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

// Options returns the options of b, defaults filled in: to make another bus like
// it, on the same journal, around the same [Bus.Capabilities], as bustest does.
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

// Cancel ends the running invocation of a person with this request id. It reports whether there was one; its result is
// TRANSIENT, reason cancelled, unless it was already being committed.
func (b *Bus) Cancel(requestID, person string) bool { return b.running.cancel(requestID, person) }

// Close cancels running invocations, refuses new ones, and returns when each has its result and its record, or with
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

// Subscribe delivers every event from now on, in order; from a [Shared] journal also those of other programs.
func (b *Bus) Subscribe() *Subscription { return b.subscribe(nil) }

// SubscribeAs is Subscribe for one viewer, who hears of their own invocations everything; of others, the invocations of
// capabilities that a manifest for v lists, and the changes of domains that such a capability has as its category.
// Notifications and progress are for the person whose invocation made them.
func (b *Bus) SubscribeAs(v View) *Subscription {
	return b.subscribe(func(person string, e Event) bool {
		return person != "" && person == v.Principal.ID || b.Hears(v, e)
	})
}

// Hears reports whether [Bus.SubscribeAs] gives a viewer an event of another person.
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
