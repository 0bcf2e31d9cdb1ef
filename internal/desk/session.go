package desk

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"log/slog"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/shop/staff"
)

// AskPIN asks for the PIN of the person with that name.
type AskPIN func(ctx context.Context, name string) (string, error)

// seat is the person signed in at a door.
type seat struct {
	id             string
	authentication string // method of authentication; "" is as in staff.SignIn
	toBe           bool   // there was no shop yet; the person becomes its owner
	lockedFor      string // the name of the person who must sign in again; "": not locked
}

// The capabilities that change the seat of the door that called them.
const (
	SignInName  = "session.signIn"
	signOutName = "session.signOut"
	LockName    = "session.lock"
	stayName    = "session.stay"
)

// signIn signs in the person that a desk is opened for. A PIN goes through session.signIn, so that a wrong one is
// recorded and counted. A desk that cannot ask for it opens without a signed-in person.
func (d *Desk) signIn(ctx context.Context, o Options) error {
	d.Person.Door = o.Door
	if o.SignedOut {
		return nil
	}
	who, err := read(ctx, d.Log, func(ctx context.Context) (staff.Person, error) {
		who, err := staff.FindPerson(ctx, o.Person)
		if err == nil && !who.PIN && d.Draft == nil {
			_, err = staff.SignIn(ctx, who.ID)
		}
		return who, err
	})
	e, coded := errors.AsType[*bus.Error](err)
	switch {
	case o.PIN == nil && (who.PIN || coded && e.Reason == bus.ReasonState):
		return nil
	case err != nil:
		return err
	case !who.PIN:
		d.seat.Store(&seat{id: who.ID, toBe: who.ToBe})
	default:
		pin, err := o.PIN(ctx, who.Name)
		if err != nil {
			return err
		}
		r, err := d.Invoke(ctx, SignInName, map[string]string{"staffId": who.ID, "pin": pin}, "sign-in")
		if err != nil {
			return err
		}
		if !r.OK() {
			return r.Err
		}
		d.trackSession(SignInName, nil, r)
	}
	d.Person = d.SignedIn(ctx)
	return nil
}

// Language returns the language that the signed-in person has chosen for the window: "de", "en" or "system".
func (d *Desk) Language(ctx context.Context) string { return d.chosen(ctx, "language.set", "system") }

// Notifies reports whether the signed-in person wants desktop notifications about waiting work.
func (d *Desk) Notifies(ctx context.Context) bool {
	return d.chosen(ctx, "notifications.set", "on") == "on"
}

// chosen returns the current value of a control for the signed-in person.
func (d *Desk) chosen(ctx context.Context, control, otherwise string) string {
	m, err := d.Bus.Manifest(ctx, bus.View{Caller: bus.CallerUI, Principal: d.SignedIn(ctx)})
	if err != nil {
		return otherwise
	}
	for _, c := range m.Capabilities {
		if chosen, is := c.Current.(string); is && c.Name == control {
			return chosen
		}
	}
	return otherwise
}

// SignedIn returns the signed-in person with current rights: a changed role applies immediately, and a person removed
// from the staff is signed out.
func (d *Desk) SignedIn(ctx context.Context) bus.Principal {
	none := bus.Principal{Door: d.Person.Door}
	s := d.seat.Load()
	if s == nil {
		return none
	}
	p := none
	if s.lockedFor != "" {
		p = staff.AtLockedDesk(s.lockedFor)
		p.Door = none.Door
		return p
	}
	err := d.Log.View(ctx, func(ctx context.Context) error {
		if s.toBe {
			owner, err := staff.FindPerson(ctx, "")
			if err != nil {
				return err
			}
			if owner.PIN {
				return nil
			}
			if !owner.ToBe {
				next := &seat{id: owner.ID}
				d.seat.CompareAndSwap(s, next)
				s = next
			}
		}
		present, err := staff.Present(ctx, s.id)
		if err == nil && present.ID != "" {
			p = present
		}
		return err
	})
	if err != nil {
		slog.Error("Could not read the person signed in.", "cause", err)
		return none
	}
	p.Door = d.Person.Door
	p.Authentication = cmp.Or(s.authentication, p.Authentication)
	return p
}

// Answer runs an invocation for the signed-in person at this door, and then updates the seat. stamp adds the door's
// other data.
func (d *Desk) Answer(ctx context.Context, invocation []byte, stamp func(*bus.Invocation)) bus.Result {
	var (
		name   string
		before *seat
	)
	d.lockIfIdle(ctx)
	r := d.Bus.InvokeJSON(ctx, invocation, func(inv *bus.Invocation) {
		inv.Principal = d.SignedIn(ctx)
		before = d.seat.Load()
		stamp(inv)
		name = inv.Capability
	})
	d.trackSession(name, before, r)
	return r
}

// trackSession updates the seat after a session.* call. before is the seat at the call. The event of the call comes
// earlier, so someone else may have signed in since; that person stays. It ignores a replayed result, because the PIN
// may have changed since.
func (d *Desk) trackSession(capability string, before *seat, r bus.Result) {
	if !r.OK() || r.Replayed || r.DryRun {
		return
	}
	switch capability {
	case signOutName:
		d.seat.CompareAndSwap(before, nil)
	case LockName:
		if d.seat.Load() == before {
			d.lock(d.SignedIn(context.Background()))
		}
	case stayName:
		d.touched()
	case SignInName:
		var in struct {
			Staff          struct{ ID string }
			Authentication string
		}
		if err := json.Unmarshal(r.Data, &in); err != nil {
			slog.Error("Could not decode the answer of session.signIn.", "cause", err)
			d.seat.Store(nil)
			return
		}
		d.seat.Store(&seat{id: in.Staff.ID, authentication: in.Authentication})
		d.touched()
	}
}

// signOut signs a person out, if signed in here.
func (d *Desk) signOut(id string) {
	if s := d.seat.Load(); s != nil && s.id == id {
		d.seat.CompareAndSwap(s, nil)
	}
}
