package shop

import (
	"context"
	"strings"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/shop/internal/text"
)

// The roles of the people at the desk.
const (
	roleClerk   = "clerk"
	roleManager = "manager"
	roleOwner   = "owner"
	roleAuditor = "auditor"
)

// Scopes that lift a limit rather than open a domain.
const (
	scopeErase    = "erase:write"    // a customer, for good: the owner's
	scopeDiscount = "discount:write" // discounts over the clerk's limit
	scopeRefund   = "refund:write"   // refunds over the clerk's limit
)

// The domains of the roles.
const (
	domainsRead = "assistant audit capability cart catalog checkout conversation customer grant navigation order policy report search session settings tour"
	domainsOwn  = "agent assistant conversation language modal navigation plan session theme tour" // what is everyone's own: the window and the chat
	domainsDesk = "cart checkout customer document email order webhook"
)

// scopes are what a role may do.
func scopes(role string) []string {
	var all []string
	add := func(domains, action string) {
		for _, d := range strings.Fields(domains) {
			all = append(all, d+":"+action)
		}
	}
	switch role {
	case roleOwner:
		return []string{"*"}
	case roleManager:
		add(domainsRead, "read")
		add(domainsOwn, "write")
		add(domainsDesk+" catalog discount refund", "write")
	case roleClerk:
		add(domainsRead, "read")
		add(domainsOwn, "write")
		add(domainsDesk, "write")
	case roleAuditor:
		add(domainsRead+" staff", "read")
		add(domainsOwn, "write")
	}
	return all
}

// staffMember is one person at the desk.
type staffMember struct {
	id, name, role  string
	pin, withoutPIN bool // has one; may sign in while there is none
	toBe            bool // of a shop that is not there yet
}

// selectStaff reads what scanStaff takes.
const selectStaff = `SELECT m.id, m.name, m.role, p.staff_id IS NOT NULL, m.without_pin FROM staff m LEFT JOIN staff_pins p ON p.staff_id = m.id`

func scanStaff(r row) (staffMember, error) {
	var m staffMember
	return m, r.Scan(&m.id, &m.name, &m.role, &m.pin, &m.withoutPIN)
}

func (m staffMember) person() staffPerson {
	return staffPerson{m.id, m.name, m.role, m.pin, m.withoutPIN}
}

func staffByID(ctx context.Context, id string) (staffMember, error) {
	m, found, err := find(ctx, scanStaff, selectStaff+` WHERE m.id = ?`, id)
	if err == nil && !found {
		err = bus.Errorf(bus.NotFound, bus.ReasonRecord, "Nobody at this desk has the id %q.", id).WithHint("session.get shows who can sign in here, staff.list everybody.")
	}
	return m, err
}

// Person is somebody at the desk, as a door has to know them to ask for a PIN.
type Person struct {
	ID   string
	Name string
	PIN  bool // signs in with a PIN, by session.signIn
	ToBe bool // there is no shop yet: whoever starts the program is its owner to be
}

// FindPerson finds a person at the desk by id, name or role, as [SignIn] does,
// without signing anybody in. It runs inside Journal.View.
func FindPerson(ctx context.Context, nameOrRole string) (Person, error) {
	m, err := staffCalled(ctx, nameOrRole)
	return Person{ID: m.id, Name: m.name, PIN: m.pin, ToBe: m.toBe}, err
}

// SignIn finds a person at the desk by id, name or role — of several with a role
// the first by id — and gives the principal with the scopes of the role. "" is
// the owner. While there is no shop everyone who starts the program is its owner
// to be. Who has a PIN, or needs one, is refused with PRECONDITION_FAILED: that
// is what session.signIn is for. It runs inside Journal.View; the door fills in
// what it knows itself.
func SignIn(ctx context.Context, nameOrRole string) (bus.Principal, error) {
	m, err := staffCalled(ctx, nameOrRole)
	switch {
	case err != nil:
		return bus.Principal{}, err
	case m.pin:
		return bus.Principal{}, errPINWanted(m)
	case !m.withoutPIN:
		return bus.Principal{}, errNoPIN(m)
	}
	return m.principal(), nil
}

// Present is what somebody who signed in may do now: roles change, and who was
// removed is nobody, an empty principal. It runs inside Journal.View.
func Present(ctx context.Context, id string) (bus.Principal, error) {
	set, err := exists(ctx, `SELECT 1 FROM shop`)
	if err != nil {
		return bus.Principal{}, err
	}
	if !set && id == ownerID {
		return ownerToBe().principal(), nil
	}
	m, found, err := find(ctx, scanStaff, selectStaff+` WHERE m.id = ?`, id)
	if err != nil || !found {
		return bus.Principal{}, err
	}
	return m.principal(), nil
}

// ownerToBe is whoever starts the program while there is no shop.
func ownerToBe() staffMember {
	return staffMember{id: ownerID, name: "Owner", role: roleOwner, withoutPIN: true, toBe: true}
}

// staffCalled finds somebody by id, name or role.
func staffCalled(ctx context.Context, nameOrRole string) (staffMember, error) {
	set, err := exists(ctx, `SELECT 1 FROM shop`)
	if err != nil {
		return staffMember{}, err
	}
	who := strings.TrimSpace(nameOrRole)
	if who == "" {
		who = roleOwner
	}
	if !set {
		if !strings.EqualFold(who, roleOwner) {
			return staffMember{}, bus.Errorf(bus.PreconditionFailed, bus.ReasonUnavailable, "There is no shop here yet, so there is nobody called %q.", who).
				WithHint("Make one with shop.setUp.")
		}
		return ownerToBe(), nil
	}
	m, found, err := find(ctx, scanStaff, selectStaff+` WHERE m.id = ?1 OR m.name_fold = ?2 OR m.role = ?3
		ORDER BY CASE WHEN m.id = ?1 THEN 0 WHEN m.name_fold = ?2 THEN 1 ELSE 2 END, m.id LIMIT 1`, who, text.Fold(who), strings.ToLower(who))
	if err != nil || found {
		return m, err
	}
	names, err := list(ctx, scanText, `SELECT name || ' (' || role || ')' FROM staff ORDER BY id`)
	if err != nil {
		return m, err
	}
	return m, bus.Errorf(bus.NotFound, bus.ReasonRecord, "Nobody at this desk is called %q.", who).
		WithHint("There are %s.", strings.Join(names, ", "))
}

func (m staffMember) principal() bus.Principal {
	return bus.Principal{Person: m.id, Name: m.name, Role: m.role, Scopes: scopes(m.role), Authentication: authenticationNone}
}
