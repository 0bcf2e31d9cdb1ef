package staff

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/shop/internal/core"
)

type sessionStaff struct {
	ID     string   `json:"id"`
	Name   string   `json:"name"`
	Role   string   `json:"role"`
	Scopes []string `json:"scopes"`
}

type sessionPerson struct {
	ID   string `json:"id"`
	Name string `json:"name"`
	PIN  bool   `json:"needsPin" doc:"Signs in with a PIN."`
}

type sessionOut struct {
	Staff  *sessionStaff   `json:"staff,omitempty" doc:"Who is signed in; absent when nobody is."`
	Locked bool            `json:"locked" doc:"Somebody has to sign in first."`
	For    string          `json:"lockedFor,omitempty"`
	People []sessionPerson `json:"people" doc:"Who can sign in here."`
	Shop   *sessionShop    `json:"shop,omitempty" doc:"Absent: there is no shop yet."`
}

type sessionShop struct {
	Name     string `json:"name"`
	Currency string `json:"currency"`
	TimeZone string `json:"timeZone"`
}

func get(ctx context.Context, call *bus.Call, _ struct{}) (out sessionOut, err error) {
	p := call.Person
	if out.Locked = p.ID == ""; !out.Locked {
		out.Staff = &sessionStaff{p.ID, p.Name, p.Role, append([]string{}, p.Scopes...)}
	} else if p.Authentication == authenticationLocked {
		out.For = p.Name
	}
	if out.Shop, _, err = core.Find(ctx, func(r core.Row) (*sessionShop, error) {
		var s sessionShop
		if err := r.Scan(&s.Name, &s.Currency, &s.TimeZone); err != nil {
			return nil, err
		}
		return &s, nil
	}, `SELECT name, currency, time_zone FROM shop`); err != nil {
		return out, err
	}
	out.People, err = core.List(ctx, func(r core.Row) (sessionPerson, error) {
		m, err := core.ScanStaff(r)
		return sessionPerson{m.ID, m.Name, m.PIN}, err
	}, core.SelectStaff+` WHERE m.without_pin AND NOT ? OR p.staff_id IS NOT NULL ORDER BY m.name_fold, m.id`,
		core.Bit(elsewhere(p.Door)))
	return out, err
}

type signInIn struct {
	StaffID string `json:"staffId" jsonschema:"minLength=1,maxLength=100" x:"entity=person"`
	PIN     string `json:"pin,omitempty" jsonschema:"maxLength=12,writeOnly=true" doc:"Of somebody who has one."`
}

type signInOut struct {
	Staff          sessionStaff `json:"staff"`
	Authentication string       `json:"authentication" jsonschema:"enum=none,enum=pin"`
	Notice         string       `json:"notice,omitempty"`
}

// At returns the name of a door on another computer. kind is for example "till".
func At(kind, computer string) string { return kind + ":" + computer }

// elsewhere reports whether a door is on a computer other than the shop's.
func elsewhere(door string) bool { return strings.Contains(door, ":") }

// signIn authenticates a person. The calling door keeps the result, because a session belongs to a process and is not
// stored in the database.
func (p Ports) signIn(ctx context.Context, call *bus.Call, in signInIn) (out signInOut, err error) {
	m, err := core.StaffByID(ctx, in.StaffID)
	if err != nil {
		return out, err
	}
	out.Staff, out.Authentication = sessionStaff{m.ID, m.Name, m.Role, core.Scopes(m.Role)}, core.AuthenticationNone
	switch {
	case m.PIN:
		if err := checkPIN(ctx, call, p, m, in.PIN); err != nil {
			return out, err
		}
		out.Authentication = core.AuthenticationPIN
	case !m.WithoutPIN:
		return out, errNoPIN(m)
	case elsewhere(call.Person.Door):
		return out, core.Refused("%s has no PIN, and only people with a PIN sign in at another computer.", m.Name).
			WithHint("Set the PIN of %s at the computer of the shop.", m.Name)
	default:
		if out.Notice, err = notice(ctx, m); err != nil {
			return out, err
		}
	}
	call.Summarize("Sign %s in", m.Name)
	domain := "session"
	if call.Person.Authentication == authenticationLocked && call.Person.Name == m.Name {
		domain = domainLock // names are unique
	}
	call.Announce(domain, bus.Textf("%s is signed in.", m.Name))
	return out, nil
}

// notice returns a warning for a manager without a PIN in a shop where others have one. Older versions allowed this.
func notice(ctx context.Context, m core.StaffMember) (string, error) {
	others, err := core.Exists(ctx, `SELECT 1 FROM staff_pins`)
	if !others || !m.Open() {
		return "", err
	}
	return fmt.Sprintf("%s has no PIN: anyone at this computer can sign in as %s. Set one in the settings, under Staff.",
		m.Name, m.Name), err
}

// checkPIN checks a PIN. A wrong PIN is FORBIDDEN with the reason permission, which wrongPINs counts.
func checkPIN(ctx context.Context, call *bus.Call, p Ports, m core.StaffMember, pin string) error {
	if pin == "" {
		return errPINWanted(m)
	}
	kept, _, err := core.Find(ctx, func(r core.Row) (kept struct {
		hash      string
		goodSince int64
	}, err error) {
		return kept, r.Scan(&kept.hash, &kept.goodSince)
	}, `SELECT hash, good_since FROM staff_pins WHERE staff_id = ?`, m.ID)
	if err != nil {
		return err
	}
	if err := slowDown(ctx, call, p, m, time.UnixMilli(kept.goodSince)); err != nil {
		return err
	}
	right, err := isPIN(kept.hash, pin)
	if err != nil {
		return err
	}
	if !right {
		return bus.Errorf(bus.Forbidden, bus.ReasonPermission, "That is not the PIN of %s.", m.Name).
			WithHint("Try again, or ask an owner to set another one with staff.setPin.")
	}
	return core.Exec(ctx, `UPDATE staff_pins SET good_since = ? WHERE staff_id = ?`, call.Now.UnixMilli(), m.ID)
}

func errPINWanted(m core.StaffMember) error {
	return core.Refused("%s signs in with a PIN.", m.Name).WithHint("Use session.signIn with the PIN.")
}

func errNoPIN(m core.StaffMember) error {
	return core.Refused("%s has no PIN yet and may not sign in without one.", m.Name).
		WithHint("Ask an owner to set one with staff.setPin.")
}

func signOut(_ context.Context, call *bus.Call, _ struct{}) (struct{}, error) {
	call.Summarize("Sign %s out", call.Person.Name)
	// The id distinguishes the event from a sign-in.
	call.Announce("session", bus.Textf("%s is signed out.", call.Person.Name), call.Person.ID)
	return struct{}{}, nil
}
