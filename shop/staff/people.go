package staff

import (
	"cmp"
	"context"
	"strings"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/shop/internal/core"
	"github.com/deskhand/deskhand/shop/internal/text"
)

func person(m core.StaffMember) staffPerson {
	return staffPerson{m.ID, m.Name, m.Role, m.PIN, m.WithoutPIN}
}

// Person holds the data that a door needs to ask a person for a PIN.
type Person struct {
	ID   string
	Name string
	PIN  bool // signs in with a PIN through session.signIn
	ToBe bool // there is no shop yet; the person who starts the program will own it
}

// FindPerson finds a person by id, name or role, as [SignIn] does, without a sign-in. It runs inside Journal.View.
func FindPerson(ctx context.Context, nameOrRole string) (Person, error) {
	m, err := staffCalled(ctx, nameOrRole)
	return Person{ID: m.ID, Name: m.Name, PIN: m.PIN, ToBe: m.ToBe}, err
}

// SignIn finds a person by id, name or role and returns a principal with the scopes of the role. Of several people with
// a role it takes the first by id. "" is the owner. While there is no shop, everyone who starts the program is its
// future owner. A person who has or needs a PIN gets PRECONDITION_FAILED and must use session.signIn. SignIn runs
// inside Journal.View; the door adds its own fields.
func SignIn(ctx context.Context, nameOrRole string) (bus.Principal, error) {
	m, err := staffCalled(ctx, nameOrRole)
	switch {
	case err != nil:
		return bus.Principal{}, err
	case m.PIN:
		return bus.Principal{}, errPINWanted(m)
	case !m.WithoutPIN:
		return bus.Principal{}, errNoPIN(m)
	}
	return m.Principal(), nil
}

// Present returns the current principal of a signed-in person, because roles change. A removed person has an empty
// principal. It runs inside Journal.View.
func Present(ctx context.Context, id string) (bus.Principal, error) {
	set, err := core.Exists(ctx, `SELECT 1 FROM shop`)
	if err != nil {
		return bus.Principal{}, err
	}
	if !set && id == core.OwnerID {
		return ownerToBe().Principal(), nil
	}
	m, found, err := core.Find(ctx, core.ScanStaff, core.SelectStaff+` WHERE m.id = ?`, id)
	if err != nil || !found {
		return bus.Principal{}, err
	}
	return m.Principal(), nil
}

// ownerToBe returns the person who starts the program while there is no shop.
func ownerToBe() core.StaffMember {
	return core.StaffMember{ID: core.OwnerID, Name: "Owner", Role: core.RoleOwner, WithoutPIN: true, ToBe: true}
}

// staffCalled finds a person by id, name or role.
func staffCalled(ctx context.Context, nameOrRole string) (core.StaffMember, error) {
	set, err := core.Exists(ctx, `SELECT 1 FROM shop`)
	if err != nil {
		return core.StaffMember{}, err
	}
	who := cmp.Or(strings.TrimSpace(nameOrRole), core.RoleOwner)
	if !set {
		if !strings.EqualFold(who, core.RoleOwner) {
			return core.StaffMember{}, core.Unavailable("There is no shop here yet, so there is nobody called %q.", who).
				WithHint("Make one with shop.setUp.")
		}
		return ownerToBe(), nil
	}
	m, found, err := core.Find(ctx, core.ScanStaff, core.SelectStaff+` WHERE m.id = ?1 OR m.name_fold = ?2 OR m.role = ?3
		ORDER BY CASE WHEN m.id = ?1 THEN 0 WHEN m.name_fold = ?2 THEN 1 ELSE 2 END, m.id
		LIMIT 1`, who, text.Fold(who), strings.ToLower(who))
	if err != nil || found {
		return m, err
	}
	there, err := core.List(ctx, func(r core.Row) (o bus.Option, err error) { return o, r.Scan(&o.Value, &o.Title) },
		`SELECT name, name || ' (' || role || ')' FROM staff ORDER BY id`)
	if err != nil {
		return m, err
	}
	return m, core.NotFound("Nobody at this desk is called %q.", who).WithChoice("as", there...)
}
