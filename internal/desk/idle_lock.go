package desk

import (
	"context"
	"log/slog"
	"time"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/shop/staff"
)

// lockGrace is the additional time before the door locks. The page sees every touch immediately, but reports touches to
// the door only twice a minute.
const lockGrace = time.Minute

// touched records a use of the window.
func (d *Desk) touched() { d.touch.Store(d.clock().UnixNano()) }

// lock locks the seat of a person, who must sign in again.
func (d *Desk) lock(p bus.Principal) {
	if s := d.seat.Load(); s != nil && p.ID != "" && s.id == p.ID {
		d.seat.CompareAndSwap(s, &seat{id: s.id, lockedFor: p.Name})
	}
}

// lockIfIdle locks a window that was idle for longer than the shop allows, if the page has not done so. It runs before
// every call of the window, so that a late call is refused.
func (d *Desk) lockIfIdle(ctx context.Context) {
	s := d.seat.Load()
	if s == nil || s.lockedFor != "" || !isWindow(d.Person.Door) {
		return
	}
	after, err := read(ctx, d.Log, func(ctx context.Context) (time.Duration, error) { return staff.LockAfter(ctx, s.id) })
	if err != nil {
		slog.Error("Could not read after how many minutes the window locks.", "cause", err)
		return
	}
	if after == 0 || d.clock().Sub(time.Unix(0, d.touch.Load())) < after+lockGrace {
		return
	}
	p := d.SignedIn(ctx)
	r := d.Bus.Invoke(ctx, bus.Invocation{Capability: LockName, Principal: p,
		Caller: bus.Caller{Type: bus.CallerUI, Source: "idle"}})
	if !r.OK() {
		slog.Error("Could not record session.lock; locking the window anyway.", "cause", r.Err)
	}
	d.lock(p)
}
