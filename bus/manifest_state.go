package bus

import (
	"context"
	"encoding/json"
	"sync"
	"time"
)

// state is the current state of one capability in a manifest.
type state struct {
	reason  Text   // why it is unavailable; "" when it is available
	current any    // a control's value
	json    []byte // the same in the form of an entry
}

func (s *state) describe(e *ManifestEntry) {
	e.Available, e.UnavailableReason, e.Current = s.reason.IsZero(), s.reason.String(), s.current
	e.Texts = s.texts()
}

var availableJSON = []byte(stateMark)

// encode encodes the state like json.Marshal. It omits a value that cannot be encoded.
func (s *state) encode() error {
	s.json = availableJSON
	if !s.reason.IsZero() {
		reason, err := json.Marshal(s.reason)
		if err != nil {
			return err
		}
		s.json = append([]byte(`,"available":false,"unavailable_reason":`), reason...)
		if texts := s.texts(); texts != nil {
			raw, err := json.Marshal(texts)
			if err != nil {
				return err
			}
			s.json = append(append(s.json, `,"texts":`...), raw...)
		}
	}
	if s.current == nil {
		return nil
	}
	current, err := json.Marshal(s.current)
	if err != nil {
		s.current = nil
		return err
	}
	s.json = append(append(s.json[:len(s.json):len(s.json)], `,"current":`...), current...)
	return nil
}

// texts returns the sentences of the state for a manifest.
func (s *state) texts() (texts Texts) {
	texts.Put("/unavailable_reason", s.reason)
	return texts
}

// stateCache caches states until a change.
type stateCache struct {
	mu     sync.Mutex // guards the other fields
	stamp  stamp
	byUser map[string]remembered
}

// stamp identifies all the data that states may depend on.
type stamp struct {
	list    *listing
	changes uint64 // number of invocations that may have changed data outside the journal
	data    string // the journal's version, which covers other programs
}

type remembered struct {
	states []state
	at     time.Time
}

const (
	freshFor       = time.Minute // for checks that depend on the clock
	maxRememberers = 32          // people at one desk, and their conversations
)

// present returns the state of every capability of l for a person, from the cache if it is current. It takes the stamp
// before the snapshot, so that cached states are never older than their stamp.
func (b *Bus) present(ctx context.Context, l *listing, p Principal, now time.Time) ([]state, error) {
	versions, versioned := b.o.Journal.(Versioned)
	if !versioned {
		return b.evaluate(ctx, l, p, now)
	}
	at := stamp{list: l, changes: b.changes.Load()}
	var err error
	if at.data, err = versions.DataVersion(ctx); err != nil {
		return nil, err
	}
	seen, err := json.Marshal(p) // everything that a check knows about a person
	if err != nil {
		return nil, err
	}
	user := string(seen)
	if states := b.states.recall(at, user, now); states != nil {
		return states, nil
	}
	states, err := b.evaluate(ctx, l, p, now)
	if err == nil {
		b.states.keep(at, user, now, states)
	}
	return states, err
}

func (c *stateCache) recall(at stamp, user string, now time.Time) []state {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.stamp != at {
		return nil
	}
	r := c.byUser[user]
	if age := now.Sub(r.at); age < 0 || age >= freshFor {
		return nil
	}
	return r.states
}

func (c *stateCache) keep(at stamp, user string, now time.Time, states []state) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.stamp != at || len(c.byUser) >= maxRememberers {
		c.stamp, c.byUser = at, map[string]remembered{}
	}
	c.byUser[user] = remembered{states, now}
}

// evaluate runs every check, in one snapshot.
func (b *Bus) evaluate(ctx context.Context, l *listing, p Principal, now time.Time) ([]state, error) {
	states := make([]state, len(l.caps))
	err := b.o.Journal.View(forOthers(ctx), func(ctx context.Context) error {
		verdicts := map[string]error{}
		for i := range states {
			states[i].json = availableJSON
		}
		for _, i := range l.stateful {
			c := l.caps[i]
			states[i] = b.stateOf(ctx, c, &Call{Capability: &c.Capability, Arguments: json.RawMessage("{}"), Person: p, b: b,
				Now: now, seed: []byte("manifest"), verdicts: verdicts})
		}
		return ctx.Err()
	})
	return states, err
}

// hasState reports whether the capability depends on the state.
func (r *registered) hasState() bool {
	return r.Listing.Current != nil || r.Checks.Available != nil || len(r.Checks.Requires) > 0 || len(r.conditions()) > 0
}

// unknownState returns the reason for a capability whose checks are broken.
func unknownState() Text { return Textf("Could not check whether this is available.") }

// stateOf runs the checks of one capability. A check that panics makes only its own capability unavailable.
func (b *Bus) stateOf(ctx context.Context, c *registered, call *Call) (s state) {
	defer func() {
		if p := recover(); p != nil {
			b.o.Logger.Error("panic in a check", "capability", c.Name, "panic", p)
			s = state{reason: unknownState()}
			_ = s.encode() // a plain text
		}
	}()
	if err := b.availability(ctx, c, call); err != nil {
		e := coded(err)
		s.reason = e.MessageText()
		switch {
		case s.reason.IsZero(): // a capability without a reason is available
			s.reason = c.notNow()
		case e.Code == Internal:
			b.o.Logger.Error("a check failed", "capability", c.Name, "cause", err)
			s.reason = unknownState()
		}
	}
	if c.Listing.Current != nil {
		if v, err := c.Listing.Current(ctx, call); err == nil {
			s.current = v
		}
	}
	if err := s.encode(); err != nil {
		b.o.Logger.Error("the current value cannot be written", "capability", c.Name, "cause", err)
	}
	return s
}
