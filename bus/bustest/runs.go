package bustest

import (
	"bytes"
	"context"
	"encoding/json"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/deskhand/deskhand/bus"
)

// exclusive holds one call inside a handler that only waits and sends as many
// more as may queue, one too many, and one of another capability of the group.
func (p *probe) exclusive() {
	c := p.cap
	if c.Run.Concurrency == bus.Concurrent {
		return
	}
	var inside atomic.Int64
	gate := make(chan struct{})
	open := sync.OnceFunc(func() { close(gate) })
	b, err := p.bus(nil, func(c *bus.Capability) {
		waits(c, func(ctx context.Context) {
			if inside.Add(1) > 1 {
				p.note(ruleExclusive, "two calls were inside at once")
				open()
			}
			select {
			case <-gate:
			case <-ctx.Done():
			}
			inside.Add(-1)
		})
	}, member(c.Run.Concurrency))
	if err != nil {
		p.note(ruleExclusive, "%v", err)
		return
	}
	n := c.Run.QueueDepth + 2
	results := make(chan bus.Result, n)
	for range n {
		go func() { results <- p.invokeOn(p.ctx, b, p.invocation()) }()
	}
	if first := <-results; !is(first, bus.Conflict, bus.ReasonBusy) { // only a refusal ends while the first call is held
		p.note(ruleExclusive, "%d calls at once, %d of which may wait: the first answer was %s", n, c.Run.QueueDepth,
			brief(first))
	}
	if c.Run.Concurrency != bus.Exclusive {
		inv := p.invocation()
		inv.Capability, inv.Arguments = memberName, nil
		if r := p.invokeOn(p.ctx, b, inv); !is(r, bus.Conflict, bus.ReasonBusy) {
			p.note(ruleExclusive, "another capability of the group, meanwhile, was answered with %s", brief(r))
		}
	}
	open()
	for range n - 1 {
		if r := <-results; !r.OK() {
			p.note(ruleExclusive, "a call that could wait was answered with %s", brief(r))
		}
	}
}

const memberName = "conformance.member"

// member is another capability of a group, which does not queue.
func member(group bus.Concurrency) bus.Capability {
	return bus.Capability{Name: memberName, Title: "Member", Description: "Does nothing.", SideEffect: bus.Pure,
		Handler: func(context.Context, *bus.Call) (json.RawMessage, error) { return json.RawMessage(`{}`), nil },
		Run:     bus.Run{Concurrency: group}}
}

// conformKey is the key of a dry run, which must not store it, and of the later replay.
const conformKey = "conformance"

// dryRun runs without effect. Its key is used again by replay, which shows whether it was kept.
func (p *probe) dryRun() {
	p.unchanged(ruleDryRun, func() {
		inv := p.invocation()
		inv.DryRun, inv.IdempotencyKey = true, conformKey
		r := p.invoke(inv)
		if !r.OK() {
			p.stuck = true
			p.note(ruleArguments, "%s was answered with %s", clip(p.args), brief(r))
			return
		}
		if !r.DryRun || r.Replayed {
			p.note(ruleDryRun, "it was answered as if it were none: %s", brief(r))
		}
	})
}

// declined leaves a confirmation unanswered.
func (p *probe) declined() {
	for _, kind := range p.callers(true) {
		rule := p.cap.Checks.Access.User
		if kind == bus.CallerAgent {
			rule = agentRule(p.cap)
		}
		if rule != bus.RuleConfirm {
			continue
		}
		p.unchanged(ruleAccess, func() {
			p.nobody.Store(true)
			defer p.nobody.Store(false)
			if r := p.invoke(p.invocationBy(kind)); !is(r, bus.Forbidden, bus.ReasonDeclined) {
				p.note(ruleAccess, "%s, unconfirmed, was answered with %s", kind, brief(r))
			}
		})
	}
}

// writes reports whether the handler gets a transaction: only then can it run and be rolled back.
func writes(c *bus.Capability) bool { return slices.Contains(c.Resources, "database:write") }

// dwell does the handler's work where it can be taken back, and then waits for the end of its context.
func (p *probe) dwell(entered chan<- struct{}) behaviour {
	return func(ctx context.Context, call *bus.Call, h handler) (json.RawMessage, error) {
		if writes(p.cap) {
			if out, err := h(ctx, call); err != nil || !live(ctx) {
				return out, err
			}
		}
		select {
		case entered <- struct{}{}:
		default:
		}
		<-ctx.Done()
		return nil, ctx.Err()
	}
}

// interrupted reports whether a call ended as interrupted for a reason. The outcome of a network step is unknown.
func (p *probe) interrupted(r bus.Result, reason bus.Reason) bool {
	return is(r, bus.Transient, reason) || p.cap.SideEffect == bus.Network && is(r, bus.Transient, bus.ReasonInterrupted)
}

// cancel ends a running call by its request id, one by its context, and one that has not begun.
func (p *probe) cancel() {
	for name, end := range map[string]func(string, context.CancelFunc) bool{
		"by its request id": func(id string, _ context.CancelFunc) bool {
			return p.b.Cancel(id, p.invocation().Principal.ID)
		},
		"by its context": func(_ string, cancel context.CancelFunc) bool { cancel(); return true },
	} {
		entered := make(chan struct{}, 1)
		p.unchanged(ruleCancel, func() {
			p.behaving(p.dwell(entered), func() {
				ctx, cancel := context.WithCancel(p.ctx)
				defer cancel()
				inv := p.invocation()
				result := make(chan bus.Result, 1)
				go func() { result <- p.invokeOn(ctx, p.b, inv) }()
				select {
				case <-entered:
				case r := <-result:
					p.note(ruleCancel, "the handler was not reached: %s", brief(r))
					return
				}
				if !end(inv.RequestID, cancel) {
					p.note(ruleCancel, "%s: no such request is running", name)
					cancel()
				}
				if r := <-result; !p.interrupted(r, bus.ReasonCancelled) {
					p.note(ruleCancel, "cancelled %s, it was answered with %s", name, brief(r))
				}
			})
		})
	}
	p.notRun(ruleCancel, func() {
		ctx, cancel := context.WithCancel(p.ctx)
		cancel()
		if r := p.invokeOn(ctx, p.b, p.invocation()); !is(r, bus.Transient, bus.ReasonCancelled) {
			p.note(ruleCancel, "cancelled before it began, it was answered with %s", brief(r))
		}
	})
}

// timeout gives a call less time than it takes.
func (p *probe) timeout() {
	p.unchanged(ruleTimeout, func() {
		p.behaving(p.dwell(make(chan struct{}, 1)), func() {
			inv := p.invocation()
			inv.Timeout = 25 * time.Millisecond
			if r := p.invoke(inv); !p.interrupted(r, bus.ReasonTimeout) {
				p.note(ruleTimeout, "it was answered with %s", brief(r))
			}
		})
	})
}

// failure lets the handler do its work and then fail.
func (p *probe) failure() {
	for _, ending := range []struct {
		code   bus.Code
		reason bus.Reason
		end    func() error
	}{
		{bus.Conflict, bus.ReasonChanged, func() error {
			return bus.Errorf(bus.Conflict, bus.ReasonChanged, "Made to fail.")
		}},
		{bus.Internal, bus.ReasonPanic, func() error { panic("made to panic") }},
	} {
		p.unchanged(ruleRollback, func() {
			p.behaving(func(ctx context.Context, call *bus.Call, h handler) (json.RawMessage, error) {
				if writes(p.cap) {
					if out, err := h(ctx, call); err != nil || !live(ctx) {
						return out, err
					}
				}
				return nil, ending.end()
			}, func() {
				if r := p.invoke(p.invocation()); !is(r, ending.code, ending.reason) {
					p.note(ruleRollback, "made to fail with %s/%s, it was answered with %s", ending.code, ending.reason, brief(r))
				}
			})
		})
	}
}

// duplicates is the number of concurrent calls with the same key.
const duplicates = 16

// replay sends duplicates of one key at once, one later, and one with other arguments.
func (p *probe) replay() {
	keyed := func(int) bus.Result {
		inv := p.invocation()
		inv.IdempotencyKey = conformKey
		return p.invoke(inv)
	}
	results := together(duplicates, keyed)
	p.state = nil
	p.unchanged(ruleReplay, func() {
		p.notRun(ruleReplay, func() {
			later := keyed(0)
			if !later.Replayed {
				p.note(ruleReplay, "a later call with the key was answered with %s", brief(later))
			}
			results = append(results, later)
		})
	})
	ran := 0
	for _, r := range results {
		switch {
		case !r.OK():
			p.note(ruleReplay, "one of %d calls with one key was answered with %s", len(results), brief(r))
			return
		case !r.Replayed:
			ran++
		}
		if !bytes.Equal(r.Data, results[0].Data) {
			p.note(ruleReplay, "two calls with one key were answered with different data")
		}
	}
	switch {
	case ran == 0:
		p.note(ruleDryRun, "it left its key: a call with it did not run")
	case ran > 1:
		p.note(ruleReplay, "%d of %d calls with one key ran", ran, len(results))
	}
	other := newMangler(p.in, p.args, p.cap.Name).other()
	if other == nil {
		return
	}
	p.notRun(ruleReplay, func() {
		inv := p.invocation()
		inv.IdempotencyKey, inv.Arguments = conformKey, other
		if r := p.invoke(inv); !is(r, bus.Validation, bus.ReasonIdempotencyMismatch) &&
			!is(r, bus.Forbidden, bus.ReasonLimit) {
			p.note(ruleReplay, "other arguments under the key were answered with %s", brief(r))
		}
	})
}
