package main

import (
	"context"
	"log/slog"
	"time"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/shop"
)

// lockGrace is how much later than the page, which sees every touch at once, the
// door locks: it is told of them twice a minute.
const lockGrace = time.Minute

// touched notes that somebody is at the window now.
func (d *desk) touched() { d.touch.Store(d.clock().UnixNano()) }

// lock leaves somebody at the window who has to sign in again.
func (d *desk) lock(p bus.Principal) {
	if s := d.seat.Load(); s != nil && p.Person != "" && s.id == p.Person {
		d.seat.CompareAndSwap(s, &sitting{id: s.id, lockedFor: p.Name})
	}
}

// lockIfIdle locks a window that nobody touched for longer than the shop allows,
// though the page did not. It is asked before anything is done there, so that
// what comes after the time is refused.
func (d *desk) lockIfIdle(ctx context.Context) {
	s := d.seat.Load()
	if s == nil || s.lockedFor != "" || d.person.Door != doorWindow {
		return
	}
	var after time.Duration
	err := d.log.View(ctx, func(ctx context.Context) (err error) {
		after, err = shop.LockAfter(ctx, s.id)
		return err
	})
	if err != nil {
		slog.Error("whether the window is to lock could not be read", "cause", err)
		return
	}
	if after == 0 || d.clock().Sub(time.Unix(0, d.touch.Load())) < after+lockGrace {
		return
	}
	p := d.signedIn(ctx)
	r := d.bus.Invoke(ctx, bus.Invocation{Capability: lockName, Principal: p, Caller: bus.Caller{Type: bus.CallerUI, Source: "idle"}})
	if !r.OK() {
		slog.Error("the window could not be locked; it is all the same", "cause", r.Err)
	}
	d.lock(p)
}
