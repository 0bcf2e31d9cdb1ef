package core

import (
	"context"
	"slices"
	"strings"

	"github.com/deskhand/deskhand/bus"
)

// OwnerID is the owner of a shop that starts empty, and of one that is not there yet.
const OwnerID = "owner"

// Colleagues are the people at the desk with what each may do, those who may least first. Authentication says how each
// can prove who they are at a card: by "pin", or, without one, not at all. It runs inside Journal.View.
func Colleagues(ctx context.Context) ([]bus.Principal, error) {
	return List(ctx, func(r Row) (bus.Principal, error) {
		m, err := ScanStaff(r)
		p := m.Principal()
		if p.Authentication = ""; m.PIN {
			p.Authentication = AuthenticationPIN
		}
		return p, err
	}, SelectStaff+` ORDER BY CASE m.role WHEN 'auditor' THEN 0 WHEN 'clerk' THEN 1 WHEN 'manager' THEN 2 ELSE 3 END,
		m.name_fold, m.id`)
}

// HasSecondApprover reports whether another person at the desk has a right, and a PIN to approve with.
func HasSecondApprover(ctx context.Context, by bus.Principal, scope string) (bool, error) {
	if by.Has(scope) {
		return false, nil
	}
	all, err := Colleagues(ctx)
	return slices.ContainsFunc(all, func(p bus.Principal) bool {
		return p.ID != by.ID && p.Authentication != "" && p.Has(scope)
	}), err
}

// How a person was authenticated, as records have it.
const (
	AuthenticationNone = "none"
	AuthenticationPIN  = "pin"
)

// The roles of the people at the desk.
const (
	RoleClerk   = "clerk"
	RoleManager = "manager"
	RoleOwner   = "owner"
	RoleAuditor = "auditor"
)

// Scopes that lift a limit rather than open a domain.
const (
	ScopeErase    = "erase:write"    // a customer, for good: the owner's
	ScopeDiscount = "discount:write" // discounts over the clerk's limit
	ScopeRefund   = "refund:write"   // refunds over the clerk's limit
)

// The domains of the roles.
const (
	domainsRead = "assistant audit capability cart catalog checkout conversation customer day grant navigation order " +
		"plan policy receipt report routine search session settings tour view"
	domainsOwn = "agent assistant conversation density language modal navigation plan " +
		"notifications routine session textSize theme tour view" // what is everyone's own: the window and the chat
	domainsDesk = "cart cash checkout customer day document email order webhook"
)

// Scopes returns the scopes of a role.
func Scopes(role string) []string {
	var all []string
	add := func(domains, action string) {
		for _, d := range strings.Fields(domains) {
			all = append(all, d+":"+action)
		}
	}
	switch role {
	case RoleOwner:
		return []string{"*"}
	case RoleManager:
		add(domainsRead, "read")
		add(domainsOwn, "write")
		add(domainsDesk+" catalog discount refund", "write")
	case RoleClerk:
		add(domainsRead, "read")
		add(domainsOwn, "write")
		add(domainsDesk, "write")
	case RoleAuditor:
		add(domainsRead+" staff", "read")
		add(domainsOwn, "write")
	}
	return all
}

// ManagesPeople reports whether a role may add people and set their PINs: a person of such a role can sign in as any
// other.
func ManagesPeople(role string) bool { return bus.Principal{Scopes: Scopes(role)}.Has("staff:write") }

// StaffMember is one person at the desk.
type StaffMember struct {
	ID, Name, Role  string
	PIN, WithoutPIN bool // has one; may sign in while there is none
	ToBe            bool // of a shop that is not there yet
}

// SelectStaff reads what scanStaff takes.
const SelectStaff = `SELECT m.id, m.name, m.role, p.staff_id IS NOT NULL, m.without_pin FROM staff m LEFT
	JOIN staff_pins p ON p.staff_id = m.id`

func ScanStaff(r Row) (StaffMember, error) {
	var m StaffMember
	return m, r.Scan(&m.ID, &m.Name, &m.Role, &m.PIN, &m.WithoutPIN)
}

// Open reports whether anyone who is at the computer of the shop can sign in as the person and manage the others.
func (m StaffMember) Open() bool { return ManagesPeople(m.Role) && m.WithoutPIN && !m.PIN }

// OpenManager finds a person who is [StaffMember.Open], the first by id.
func OpenManager(ctx context.Context) (m StaffMember, found bool, err error) {
	all, err := List(ctx, ScanStaff, SelectStaff+` WHERE m.without_pin AND p.staff_id IS NULL ORDER BY m.id`)
	if i := slices.IndexFunc(all, StaffMember.Open); i >= 0 {
		return all[i], true, err
	}
	return m, false, err
}

func StaffByID(ctx context.Context, id string) (StaffMember, error) {
	m, found, err := Find(ctx, ScanStaff, SelectStaff+` WHERE m.id = ?`, id)
	if err == nil && !found {
		err = NotFound("Nobody at this desk has the id %q.", id).
			WithHint("session.get shows who can sign in here, staff.list everybody.")
	}
	return m, err
}

func (m StaffMember) Principal() bus.Principal {
	return bus.Principal{ID: m.ID, Name: m.Name, Role: m.Role, Scopes: Scopes(m.Role),
		Authentication: AuthenticationNone}
}

// MainDesk is the desk of the shop's own computer: its window, its command line, MCP and routines.
const MainDesk = "Main"

// Desk is the desk of a person: [MainDesk], or the till whose name is in their door.
func Desk(p bus.Principal) string {
	if _, till, elsewhere := strings.Cut(p.Door, ":"); elsewhere && till != "" {
		return till
	}
	return MainDesk
}
