package main

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/shop"
)

// askPIN asks for the PIN of the person with that name.
type askPIN func(ctx context.Context, name string) (string, error)

// sitting is who is signed in at a door.
type sitting struct {
	id             string
	authentication string // how that was proved; "" is as shop.SignIn says
	toBe           bool   // there was no shop yet: becomes its owner with it
	lockedFor      string // the name of that person, who has to sign in again; "": is there
}

// signInName and signOutName are the capabilities after which somebody else is
// signed in at the door they came through.
const (
	signInName  = "session.signIn"
	signOutName = "session.signOut"
	lockName    = "session.lock"
	stayName    = "session.stay"
)

func errNobody() error {
	return bus.Errorf(bus.Forbidden, bus.ReasonPermission, "Nobody is signed in.").WithHint("Sign in with session.signIn.")
}

// enter signs in whom a desk is opened for. A PIN is given to session.signIn like
// any other, so that a wrong one is recorded and counted. A desk that cannot ask
// for it opens with nobody signed in.
func (d *desk) enter(ctx context.Context, o deskOptions) error {
	d.person.Door = o.Door
	var who shop.Person
	err := d.log.View(ctx, func(ctx context.Context) (err error) {
		if who, err = shop.FindPerson(ctx, o.Person); err != nil || who.PIN {
			return err
		}
		_, err = shop.SignIn(ctx, who.ID)
		return err
	})
	var e *bus.Error
	switch {
	case o.PIN == nil && (who.PIN || errors.As(err, &e) && e.Reason == bus.ReasonState):
		return nil
	case err != nil:
		return err
	case !who.PIN:
		d.seat.Store(&sitting{id: who.ID, toBe: who.ToBe})
	default:
		pin, err := o.PIN(ctx, who.Name)
		if err != nil {
			return err
		}
		args, err := json.Marshal(map[string]string{"staffId": who.ID, "pin": pin})
		if err != nil {
			return err
		}
		r := d.bus.Invoke(ctx, bus.Invocation{Capability: signInName, Arguments: args, Principal: d.person,
			Caller: bus.Caller{Type: bus.CallerCLI, Source: "sign-in"}})
		if !r.OK() {
			return r.Err
		}
		d.heed(signInName, r)
	}
	d.person = d.signedIn(ctx)
	return nil
}

// signedIn is who is signed in, with what that person may do now: a role that
// changed counts at once, and who was removed from the staff is nobody.
func (d *desk) signedIn(ctx context.Context) bus.Principal {
	nobody := bus.Principal{Door: d.person.Door}
	s := d.seat.Load()
	if s == nil {
		return nobody
	}
	if s.lockedFor != "" {
		nobody = shop.AtLockedDesk(s.lockedFor)
		nobody.Door = d.person.Door
		return nobody
	}
	p := nobody
	err := d.log.View(ctx, func(ctx context.Context) error {
		if s.toBe {
			owner, err := shop.FindPerson(ctx, "")
			if err != nil {
				return err
			}
			if owner.PIN {
				return nil
			}
			if !owner.ToBe {
				next := &sitting{id: owner.ID}
				d.seat.CompareAndSwap(s, next)
				s = next
			}
		}
		present, err := shop.Present(ctx, s.id)
		if err == nil && present.Person != "" {
			p = present
		}
		return err
	})
	if err != nil {
		slog.Error("who is signed in could not be read", "cause", err)
		return nobody
	}
	p.Door = d.person.Door
	if s.authentication != "" {
		p.Authentication = s.authentication
	}
	return p
}

// answer runs an invocation of whoever is signed in at this door, and notes who
// is afterwards; stamp says what else the door knows.
func (d *desk) answer(ctx context.Context, invocation []byte, stamp func(*bus.Invocation)) bus.Result {
	var name string
	d.lockIfIdle(ctx)
	r := d.bus.InvokeJSON(ctx, invocation, func(inv *bus.Invocation) {
		inv.Principal = d.signedIn(ctx)
		stamp(inv)
		name = inv.Capability
	})
	d.heed(name, r)
	return r
}

// heed notes who signed in or out. A replayed answer is an old one: the PIN may
// have been changed since.
func (d *desk) heed(capability string, r bus.Result) {
	if !r.OK() || r.Replayed || r.DryRun {
		return
	}
	switch capability {
	case signOutName:
		d.seat.Store(nil)
	case lockName:
		d.lock(d.signedIn(context.Background()))
	case stayName:
		d.touched()
	case signInName:
		var in struct {
			Staff          struct{ ID string }
			Authentication string
		}
		if err := json.Unmarshal(r.Data, &in); err != nil {
			slog.Error("an answer of session.signIn is not understood", "cause", err)
			d.seat.Store(nil)
			return
		}
		d.seat.Store(&sitting{id: in.Staff.ID, authentication: in.Authentication})
		d.touched()
	}
}

// leave signs somebody out who is signed in here.
func (d *desk) leave(id string) {
	if s := d.seat.Load(); s != nil && s.id == id {
		d.seat.CompareAndSwap(s, nil)
	}
}
